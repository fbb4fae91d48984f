"""Spans filled in beforehand: JSON lines as our own export writes them, checked against the texts."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tertium.errors import InputError

_NEEDED = "system, segment (from 1), start, end (code points, the end exclusive), severity"


def read_spans(path: str, systems: Mapping[str, Sequence[str]]) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """Return the spans of each output; refuse those that do not fit the texts."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    try:
        with open(path, encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    system, segment, span = _span(f"{path}, line {number:,}", line, systems)
                    found.setdefault((system, segment), []).append(span)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from None
    for spans in found.values():
        spans.sort(key=lambda span: (span["side"], span["start"]))
    return found


def _span(where: str, line: str, systems: Mapping[str, Sequence[str]]) -> tuple[str, int, dict[str, Any]]:
    try:
        data = json.loads(line)
        system, segment = data["system"], int(data["segment"])
        side = data.get("side", "target")
        start, end = int(data["start"]), int(data["end"])
        severity = data["severity"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{where} is no span. A line of JSON has {_NEEDED}.") from None
    if system not in systems:
        raise InputError(f"{where}: no system is called '{system}'. There are: {', '.join(systems)}.")
    if not 1 <= segment <= len(systems[system]):
        raise InputError(f"{where}: there is no segment {segment}; {system} has {len(systems[system]):,}.")
    text = systems[system][segment - 1]
    if side == "target" and not 0 <= start < end <= len(text):
        raise InputError(f"{where}: {start} to {end} is not within the output, which has {len(text)} code points.")
    if side == "target" and data.get("text") not in (None, text[start:end]):
        raise InputError(
            f"{where}: '{data['text']}' is not what stands there ('{text[start:end]}'). Are the offsets code points, "
            "with the end exclusive?"
        )
    if side == "missing":
        start = end = len(text)
    if severity not in ("minor", "major"):
        raise InputError(f"{where}: severity is minor or major, not '{severity}'.")
    return system, segment, {
        "start": start, "end": end, "side": side, "severity": severity, "category": None,
        "text": text[start:end] if side == "target" else str(data.get("text", "")), "note": "",
    }  # fmt: skip

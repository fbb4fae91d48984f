"""Spans filled in beforehand: JSON lines as our own export writes them, or xCOMET's, checked against the texts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tertium.errors import InputError
from tertium.files.reading import whole_text
from tertium.scoring.score_files.comet import Comet, segments_in
from tertium.scoring.score_files.form import ScoreFile

_NEEDED = "system, segment (from 1), start, end (code points, the end exclusive), severity"


def read_spans(path: str, systems: Mapping[str, Sequence[str]]) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """Return the spans of each output; refuse those that do not fit the texts."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    if Comet().recognises(ScoreFile(path, None, None)):
        for system, segment, line in _of_xcomet(path):
            name, place, span = _span(f"{path}, segment {segment:,} of {system}", line, systems)
            found.setdefault((name, place), []).append(span)
        return found
    for number, line in enumerate(whole_text(path).split("\n"), start=1):
        if line.strip():
            system, segment, span = _span(f"{path}, line {number:,}", line, systems)
            found.setdefault((system, segment), []).append(span)
    for spans in found.values():
        spans.sort(key=lambda span: (span["side"], span["start"]))
    return found


def _of_xcomet(path: str) -> Iterator[tuple[str, int, str]]:
    """Return the spans of COMET's JSON as lines of our own; what xCOMET calls critical is major here."""
    for system, segment, fields in segments_in(path, lambda message: None):
        for error in fields.get("errors") or ():
            place = {key: error.get(key) for key in ("start", "end", "severity")} if isinstance(error, dict) else {}
            place["severity"] = "major" if place.get("severity") == "critical" else place.get("severity")
            yield system, segment, json.dumps({"system": system, "segment": segment} | place)


def _span(where: str, line: str, systems: Mapping[str, Sequence[str]]) -> tuple[str, int, dict[str, Any]]:
    try:
        data = json.loads(line)
        system, segment = data["system"], int(data["segment"])
        side = data.get("side", "target")
        start, end = int(data["start"]), int(data["end"])
        severity = data["severity"]
    except (ValueError, KeyError, TypeError, RecursionError):
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

"""Segments of recordings: where each begins and how long it lasts, as YAML or JSON lists have them."""

import json
import re
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.files.lines import Lines

_ENTRY = re.compile(r"-\s*\{(.*)\}\s*(?:#.*)?$")
_FIELD = re.compile(r"""\s*["']?([A-Za-z_]\w*)["']?\s*:\s*("[^"]*"|'[^']*'|[^,]*?)\s*(?:,|$)""")
_QUOTED = re.compile(r"""(["'])(.*?)\1\s*(?:#.*)?$""")
_START = re.compile(r"-\s+([A-Za-z_]\w*)\s*:\s*(.*)$")
_MORE = re.compile(r"\s+([A-Za-z_]\w*)\s*:\s*(.*)$")


@dataclass(frozen=True)
class Recorded:
    """One segment: its recording, and when it begins and how long it is, in milliseconds."""

    recording: str
    offset: float
    duration: float


def read_segments(path: str) -> list[Recorded]:
    """Read a list of segments: each has `wav`, `offset` and `duration`, in seconds."""
    lines = list(Lines(path, warn=lambda _: None, crlf_is_usual=True))
    if lines and next((line for line in lines if line.strip()), "").lstrip().startswith("["):
        entries = _json(path, "\n".join(lines))
    else:
        entries = _yaml(path, lines)
    if not entries:
        raise InputError(f"{path} has no segments. Expected a list of wav, offset and duration.")
    return [_recorded(path, line, entry) for line, entry in entries]


def _json(path: str, text: str) -> list[tuple[int, dict[str, Any]]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}.") from None
    return [(place, entry if isinstance(entry, dict) else {}) for place, entry in enumerate(found, start=1)]


def _yaml(path: str, lines: list[str]) -> list[tuple[int, dict[str, Any]]]:
    """Read a list of mappings, each on a line in braces, or a field per line. That is all of YAML these files use."""
    entries: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(lines, start=1):
        bare = line.rstrip()
        if not bare or bare.lstrip().startswith("#") or bare == "---":
            continue
        if found := _ENTRY.match(bare):
            entries.append((number, {key: _plain(value) for key, value in _FIELD.findall(found[1])}))
        elif found := _START.match(bare):
            entries.append((number, {found[1]: _plain(found[2])}))
        elif entries and (found := _MORE.match(bare)):
            entries[-1][1][found[1]] = _plain(found[2])
        else:
            raise InputError(
                f"{path}, line {number:,} is '{bare[:60]}', but a segment was expected, such as: "
                "- {wav: talk.wav, offset: 2.5, duration: 4.1}."
            )
    return entries


def _plain(value: str) -> str:
    value = value.strip()
    found = _QUOTED.match(value)
    return found[2] if found else re.split(r"\s#", value, maxsplit=1)[0].rstrip()


def _recorded(path: str, line: int, entry: dict[str, Any]) -> Recorded:
    missing = [name for name in ("wav", "offset", "duration") if name not in entry]
    if missing:
        raise InputError(
            f"{path}, line {line:,} has no {' and no '.join(missing)}: a segment has wav, offset, duration."
        )
    times = []
    for name in ("offset", "duration"):
        try:
            seconds = float(entry[name])
        except (TypeError, ValueError, OverflowError):
            seconds = float("nan")
        if not 0 <= seconds < 1e9:
            raise InputError(f"{path}, line {line:,}: {name} is {entry[name]!r}, but seconds were expected.")
        times.append(1000 * seconds)
    return Recorded(str(entry["wav"]), times[0], times[1])

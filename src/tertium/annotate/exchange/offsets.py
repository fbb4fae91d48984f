"""Offsets of other programs: UTF-16 units with the last one included, where ours are code points, the end exclusive."""

from collections.abc import Mapping
from typing import Any

from tertium.judgments.spans import NOWHERE, Span


def units(text: str, point: int) -> int:
    """Return how many UTF-16 units stand before a code point."""
    return len(text[:point].encode("utf-16-le", "surrogatepass")) // 2


def points(text: str, unit: int) -> int:
    """Return how many code points stand before a UTF-16 unit; half a character counts as before it."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * unit].decode("utf-16-le", "ignore"))


def to_inclusive(span: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return a span as Pearmut and Appraise write it; what is missing lies one behind the text."""
    if span["side"] == "missing":
        start = end = units(text, len(text))
    else:
        start, end = units(text, span["start"]), units(text, span["end"]) - 1
    return {"start_i": start, "end_i": end, "severity": span["severity"], "category": span["category"]}


def from_inclusive(span: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return such a span as ours; at or behind the end of the text something is missing."""
    length = units(text, len(text))
    start, end = span.get("start_i"), span.get("end_i")
    gone = start == "missing" or end == "missing" or (isinstance(start, int) and start >= length)
    if gone or not isinstance(start, int) or not isinstance(end, int):
        first = last = len(text)
        side = "missing"
    else:
        first, last, side = points(text, max(start, 0)), points(text, min(end, length - 1) + 1), "target"
        if last <= first:
            last = first + 1
    return {
        "start": first, "end": last, "side": side, "severity": span.get("severity"), "category": span.get("category"),
        "text": text[first:last], "note": "",
    }  # fmt: skip


def as_stored(span: Span, target: str, source: str = "") -> dict[str, Any]:
    """Return a span that `tertium judgments` read as a study stores it; one without a place says what is missing."""
    severity = None if span.severity in (None, "undecided") else str(span.severity).lower()
    rest = {"severity": severity, "category": span.category, "note": ""}
    if span.side == "missing" or span.start == NOWHERE:
        return {"start": len(target), "end": len(target), "side": "missing", "text": "", **rest}
    text = source if span.side == "source" else target
    end = min(span.end, len(text))
    return {"start": span.start, "end": end, "side": span.side, "text": text[span.start : end], **rest}

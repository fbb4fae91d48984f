"""Spans as programs write them in JSON, each with its own way to count."""

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from tertium.errors import InputError
from tertium.judgments.spans import NOWHERE, SIDES, Span

Where = Callable[[], str]

LONGEST = 1 << 40  # characters; beyond that a number is no place in a text


def listed(text: str, where: Where) -> list[dict[str, Any]]:
    """Read a list of objects; nothing is an empty list."""
    if not text.strip():
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where()}: the spans are no JSON ({error}): {text[:40]}") from None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InputError(f"{where()}: the spans are {text[:40]}, but a list of objects was expected.")
    return found


def spans_of_json(text: str, where: Where) -> list[Span]:
    """Read spans as our own tables hold them: code points, the end exclusive."""
    return [_own(one, where) for one in listed(text, where)]


def _own(one: dict[str, Any], where: Where) -> Span:
    side = one.get("side", "target")
    if side not in SIDES:
        raise InputError(f"{where()}: a span is on the side {side!r:.40}, but {', '.join(SIDES)} are known.")
    start, end = (one.get(name, NOWHERE) for name in ("start", "end"))
    for place in (start, end):
        if not is_place(place, lowest=NOWHERE):
            raise InputError(
                f"{where()}: a span reaches from {start!r:.20} to {end!r:.20}, but places are whole numbers."
            )
    if end < start or (start == NOWHERE) != (end == NOWHERE):
        raise InputError(f"{where()}: a span ends at {end}, before it starts, at {start}.")
    words = {name: text_or_none(one.get(name), name, where) for name in ("severity", "category", "text")}
    return Span(start, end, side, **words)


def is_place(value: Any, *, lowest: int = 0) -> bool:
    """Whether a value is a place in a text."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= LONGEST


def inclusive_span(error: dict[str, Any], where: Where, *, side: str = "target", category: str = "error_type") -> Span:
    """Read a span as Appraise and Pearmut write it: UTF-16 units, the last one included; or `missing` for both."""
    severity = text_or_none(error.get("severity"), "severity", where)
    name = text_or_none(error.get(category), category, where)
    start, end = error.get("start_i"), error.get("end_i")
    if "missing" in (start, end):
        return Span(side="missing", severity=severity, category=name)
    if not (is_place(start) and is_place(end)):
        raise InputError(f"{where()}: a span reaches from {start!r:.20} to {end!r:.20}, but places are whole numbers.")
    first, last = sorted((int(start or 0), int(end or 0)))
    return Span(first, last + 1, side, severity, name)


def number_or_none(value: Any, what: str) -> float | None:
    """Return a score, or nothing; refuse what is no number."""
    if value is None:
        return None
    if not is_number(value):
        raise InputError(f"{what} is {value!r:.40}, but a number was expected.")
    return float(value)


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value of JSON is a number that a score or a time can be; whole ones may be too long for that."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def text_or_none(value: Any, name: str, where: Where) -> str | None:
    """Return a text or nothing; a list (category, subcategory) is joined by slashes, as MQM's categories are."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "/".join(part for part in value if part) or None
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise InputError(f"{where()}: a span's {name} is {value!r:.40}, but a text was expected.")
    return value


def code_points(text: str, unit: int, *, up: bool = False) -> int:
    """Return how many code points stand before a place that JavaScript counts in UTF-16 units.

    A place inside a character is before it, or after it with `up`.
    """
    if text.isascii() or len(text) == utf16_length(text):
        return unit
    return len(text.encode("utf-16-le")[: 2 * unit].decode("utf-16-le", "replace" if up else "ignore"))


def utf16_length(text: str) -> int:
    """Return how long a text is for JavaScript."""
    return len(text) + sum(character > "\uffff" for character in text)


def in_text(spans: Iterable[Span], text: str | None) -> list[Span]:
    """Return spans with places in code points and what stands there, if the text is known.

    Places come in as UTF-16 units, the end exclusive. A span that starts behind the text marks something missing.
    """
    if text is None:
        return list(spans)
    units = utf16_length(text)
    found = []
    for span in spans:
        if span.side != "target" or span.start == NOWHERE:
            found.append(span)
        elif span.start >= units:
            found.append(Span(side="missing", severity=span.severity, category=span.category))
        else:
            start, end = code_points(text, span.start), code_points(text, min(span.end, units), up=True)
            found.append(Span(start, end, "target", span.severity, span.category, text[start:end]))
    return found

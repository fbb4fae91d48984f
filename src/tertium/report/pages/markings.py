"""Errors that people or metrics marked in texts: found in the texts, and cut into pieces that a page can show."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tertium.judgments import Judgments
from tertium.judgments.spans import NOWHERE, Span
from tertium.scoring.imported_scores import ImportedScore

SEVERITIES = ("neutral", "minor", "major", "critical")  # as a page can tell them apart; what is grave comes last


@dataclass(frozen=True)
class Marking:
    """What one rater or metric marked in one output, which may be nothing, and the score that goes with it."""

    by: str
    score: float | None
    spans: tuple[Span, ...]


Markings = Mapping[tuple[str, int], Sequence[Marking]]  # by system and segment, from 1


def of_judgments(
    judgments: Judgments, systems: Sequence[str], segments: int, warn: Callable[[str], None] = lambda message: None
) -> dict[tuple[str, int], list[Marking]]:
    """Return what raters marked, of the kinds of judgments in which any error is marked."""
    ours = judgments.restricted(systems, segments, warn=warn)
    if ours.details is None or not len(ours.details.spans):
        warn("No errors are marked in the judgments of these systems, so the report shows none.")
        return {}
    spans = list(ours.details.spans.each(len(ours)))
    names = (ours.system.texts(), ours.segment.tolist(), ours.rater.texts(), ours.kind.texts(), ours.score.tolist())
    rows = list(zip(*names, spans, strict=True))
    marking = {kind for *_, kind, _, marked in rows if marked}
    found: dict[tuple[str, int], list[Marking]] = {}
    for system, segment, rater, kind, score, marked in rows:
        if segment and kind in marking:
            by = f"{rater}, {kind}" if rater else str(kind)
            found.setdefault((str(system), segment), []).append(Marking(by, score, tuple(marked)))
    return found


def of_scores(scores: Iterable[ImportedScore]) -> dict[tuple[str, int], list[Marking]]:
    """Return what other programs marked: xCOMET, a judge that was asked for errors."""
    found: dict[tuple[str, int], list[Marking]] = {}
    for one in scores:
        if one.errors is not None:
            marking = Marking(one.metric, one.score, tuple(_span(error) for error in one.errors))
            found.setdefault((one.system, one.segment), []).append(marking)
    return found


def joined(*parts: Markings) -> dict[tuple[str, int], list[Marking]]:
    """Return all markings of each output."""
    found: dict[tuple[str, int], list[Marking]] = {}
    for part in parts:
        for place, markings in part.items():
            found.setdefault(place, []).extend(markings)
    return found


def _span(error: Mapping[str, Any]) -> Span:
    """Read an error as xCOMET writes it: text, start, end, severity, confidence."""
    start, end = error.get("start"), error.get("end")
    place = (start, end) if type(start) is int and type(end) is int and 0 <= start <= end else (NOWHERE, NOWHERE)
    side = error.get("side")
    confidence = error.get("confidence")
    sure = f"confidence {confidence:.2f}" if isinstance(confidence, float) else None
    return Span(
        *place,
        side=side if side in ("source", "missing") else "target",
        severity=_text(error.get("severity")),
        category=_text(error.get("category")) or sure,
        text=_text(error.get("text")),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


# --- what the page reads ---


def as_data(marking: Marking, hypothesis: str, source: str | None) -> list[Any]:
    """Return who marked, the score, the pieces of the target, of the source if any, and what has no place in either.

    A piece is its text, or [text, severity, what it is called, categories] where it is marked.
    """
    target: list[tuple[int, int, Span]] = []
    origin: list[tuple[int, int, Span]] = []
    rest: list[list[str]] = []
    for span in marking.spans:
        text = {"target": hypothesis, "source": source}.get(span.side)
        place = None if text is None else place_of(span, text)
        if place is None:
            rest.append(_marked(_unplaced(span), [span]))
        else:
            (target if span.side == "target" else origin).append((*place, span))
    return [
        marking.by,
        marking.score,
        pieces(hypothesis, target) if target else [],
        pieces(source or "", origin) if origin else [],
        rest,
    ]


def place_of(span: Span, text: str) -> tuple[int, int] | None:
    """Return where a span stands in a text: where it says, or where its own words are nearest to that."""
    inside = 0 <= span.start < span.end <= len(text)
    if inside and (span.text is None or text[span.start : span.end].strip() == span.text.strip()):
        return span.start, span.end
    words = (span.text or "").strip()
    if not words:
        return None
    places = [k for k in range(len(text) - len(words) + 1) if text.startswith(words, k)]
    if not places or (span.start == NOWHERE and len(places) > 1):
        return None
    start = min(places, key=lambda k: abs(k - span.start))
    return start, start + len(words)


def pieces(text: str, marked: Sequence[tuple[int, int, Span]]) -> list[Any]:
    """Cut a text where spans begin and end; where spans overlap, the piece has all of them."""
    edges = sorted({0, len(text), *(edge for start, end, _ in marked for edge in (start, end))})
    found: list[Any] = []
    for start, end in pairwise(edges):
        over = [span for first, last, span in marked if first <= start and end <= last]
        found.append(_marked(text[start:end], over) if over else text[start:end])
    return found


def _unplaced(span: Span) -> str:
    said = {"source": "in the source", "missing": "missing"}.get(span.side, "without a place")
    return f"{said}: {span.text}" if span.text else said


def _marked(text: str, spans: Sequence[Span]) -> list[str]:
    gravest = max(spans, key=lambda span: SEVERITIES.index(_shape(span)))
    categories = dict.fromkeys(
        ": ".join(part for part in ((span.severity or "") if len(spans) > 1 else "", span.category or "") if part)
        for span in spans
    )
    return [text, _shape(gravest), (gravest.severity or "error").lower(), "; ".join(one for one in categories if one)]


def _shape(span: Span) -> str:
    """Return the severity as the page draws it; WMT writes Major and Minor, others in small letters."""
    severity = (span.severity or "").lower()
    return severity if severity in SEVERITIES else "neutral"

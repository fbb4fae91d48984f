"""How far raters mark the same errors: by the characters they marked, and how grave they found them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Floats, Ints, groups
from tertium.judgments.raters.kappas import Score
from tertium.judgments.spans import NOWHERE, Span
from tertium.judgments.table import Judgments

SPANS = ("span-f1", "span-alpha")
_GRAVER = ("neutral", "undecided", "minor", "major", "critical")  # each than those before it


@dataclass(frozen=True, eq=False)
class SpanUnits:
    """Outputs that several raters marked errors in: the spans of each rater, and how long the text is."""

    spans: list[list[list[Span]]]
    lengths: list[int]
    raters: int
    knows_lengths: bool

    @property
    def judgments(self) -> int:
        """How many judgments there are."""
        return sum(len(unit) for unit in self.spans)


def span_units(judgments: Judgments, kind: str) -> SpanUnits:
    """Return what several raters marked; of a rater's own repetitions the last counts."""
    ours = judgments.of_kind(kind)
    if ours.details is None or not len(ours.details.spans):
        raise InputError(
            f"The judgments of the kind '{kind}' have no marked spans, so no agreement on them can be told."
        )
    ours = ours[(ours.segment > 0) & (ours.rater.codes >= 0)]
    assert ours.details is not None
    _, unit = groups(ours.system.codes, ours.segment)
    spans = list(ours.details.spans.each(len(ours)))
    lengths = ours.details.length
    found: dict[int, dict[int, int]] = {}
    for row, (place, rater) in enumerate(zip(unit.tolist(), ours.rater.codes.tolist(), strict=True)):
        found.setdefault(place, {})[rater] = row
    shared = [list(rows.values()) for rows in found.values() if len(rows) > 1]
    raters = {int(ours.rater.codes[row]) for rows in shared for row in rows}
    ends = [
        max((span.end for row in rows for span in spans[row] if span.side == "target"), default=0) for rows in shared
    ]
    known = [int(max(lengths[row] for row in rows)) for rows in shared]
    return SpanUnits(
        [[spans[row] for row in rows] for rows in shared],
        [max(length, end, 0) for length, end in zip(known, ends, strict=True)],
        len(raters),
        all(known),
    )


def span_measure(measure: str, units: SpanUnits) -> tuple[Floats, Score]:
    """Return a row per output, and the score of their sum."""
    return span_f1(units) if measure == "span-f1" else span_alpha(units)


def span_f1(units: SpanUnits) -> tuple[Floats, Score]:
    """Twice the characters that two raters both marked over all that either did; half where severities differ.

    Something missing counts as one character. Of several raters, each two are compared.
    """
    rows = np.zeros((len(units.spans), 2))
    for place, unit in enumerate(units.spans):
        for one, two in combinations(unit, 2):
            rows[place] += _overlap(one, two)

    def score(totals: Floats) -> Floats:
        return np.asarray(
            np.where(totals[..., 1] > 0, totals[..., 0] / np.where(totals[..., 1] > 0, totals[..., 1], 1), np.nan)
        )

    return rows, score


def _overlap(one: Sequence[Span], two: Sequence[Span]) -> tuple[float, float]:
    both, size = 0.0, 0.0
    for side in ("target", "source"):
        length = max((span.end for span in (*one, *two) if span.side == side), default=0)
        first, second = (_labels(spans, side, length) for spans in (one, two))
        marked = (first >= 0) & (second >= 0)
        both += float(np.where(first == second, 1.0, 0.5)[marked].sum())
        size += float((first >= 0).sum() + (second >= 0).sum())
    gone = [
        Counter(_rank(span) for span in spans if span.side == "missing" or span.start == NOWHERE)
        for spans in (one, two)
    ]
    same = (gone[0] & gone[1]).total()
    both += (same + min(gone[0].total(), gone[1].total())) / 2
    return 2 * both, size + gone[0].total() + gone[1].total()


def span_alpha(units: SpanUnits) -> tuple[Floats, Score]:
    """Krippendorff's alpha for names, of characters called unmarked, minor, major …; rows are sums over a text."""
    width = len(_GRAVER) + 2  # unmarked comes first, then severities by gravity, then any other
    rows = np.zeros((len(units.spans), 1 + width))
    for place, (unit, length) in enumerate(zip(units.spans, units.lengths, strict=True)):
        counts = np.zeros((length, width))
        for spans in unit:
            counts[np.arange(length), _labels(spans, "target", length) + 1] += 1
        rows[place, 0] = (len(unit) ** 2 - (counts**2).sum(axis=1)).sum() / (len(unit) - 1)
        rows[place, 1:] = counts.sum(axis=0)

    def score(totals: Floats) -> Floats:
        counted = totals[..., 1:]
        number = counted.sum(axis=-1)
        expected = (number**2 - (counted**2).sum(axis=-1)) / np.maximum(number - 1, 1)
        return np.asarray(np.where(expected <= 0, np.nan, 1 - totals[..., 0] / np.where(expected <= 0, 1, expected)))

    return rows, score


def _labels(spans: Sequence[Span], side: str, length: int) -> Ints:
    """Return how grave the error at each character is, -1 where none is marked; of several, the gravest."""
    labels = np.full(length, -1, np.int64)
    for span in spans:
        if span.side == side and span.start != NOWHERE:
            labels[span.start : span.end] = np.maximum(labels[span.start : span.end], _rank(span))
    return labels


def _rank(span: Span) -> int:
    severity = (span.severity or "undecided").strip().lower()
    return _GRAVER.index(severity) if severity in _GRAVER else len(_GRAVER)

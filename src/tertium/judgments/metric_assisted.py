"""Human scores of a part, metric scores of all: one estimate of a mean, with an interval that is honest about both.

People judged n segments, a metric scored these and all others. Where the metric agrees with people, it knows whether
the judged part was an easy one, and the mean of the judgments is corrected by that (a control variate; Chaganty et al.
2018, Angelopoulos et al. 2023):

    estimate = mean of judgments + weight * (mean metric score of the others - mean metric score of the judged)

The weight that makes the variance least is a regression of one on the other, over documents: segments of a document
are alike, so documents are what was drawn. A weight that is fitted to few documents fits chance, too. So it is shrunk
by how much of it chance explains, 1 - 1/F, to 0 for a metric that knows nothing; and a metric that speaks against
people gets none. The interval is Student's, its degrees of freedom one less for as much of the weight as is used.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Floats
from tertium.results import Result
from tertium.significance.sampling import check_share
from tertium.significance.student import student

_FEWEST = 3  # documents, or segments where there are none


@dataclass(frozen=True)
class Assisted(Result):
    """A mean from judgments and a metric, beside the one from judgments alone.

    `saving` is the share of judgments that the metric saves: so many fewer would give as narrow an interval without it.
    """

    system: str
    kind: str
    metric: str
    score: float
    low: float
    high: float
    human: float
    human_low: float
    human_high: float
    weight: float
    correlation: float
    saving: float
    judged: int
    segments: int
    documents: int


def assisted(
    human: Floats,
    metric: Floats,
    *,
    documents: Sequence[object] | None = None,
    confidence: float = 0.95,
    names: tuple[str, str, str] = ("", "", ""),
) -> Assisted:
    """Estimate the mean human score of such segments; `human` is NaN where nobody judged, higher is better in both."""
    check_share("confidence", confidence)
    human, metric = np.asarray(human, np.float64), np.asarray(metric, np.float64)
    if human.shape != metric.shape or human.ndim != 1:
        raise InputError(f"There are {len(human):,} human scores, but {len(metric):,} of the metric.")
    there = ~np.isnan(metric)
    judged = ~np.isnan(human)
    if (judged & ~there).any():
        bad = int(np.flatnonzero(judged & ~there)[0]) + 1
        raise InputError(f"Segment {bad:,} was judged, but has no score of the metric.")
    others = there & ~judged
    system, kind, label = names
    clusters = _clusters(documents, len(human))
    count = len(np.unique(clusters[judged]))
    if count < _FEWEST:
        raise InputError(
            f"{system or 'The system'} was judged in {count} documents (segments, where none are known), but at least "
            f"{_FEWEST} are needed for an interval."
        )
    mean = float(human[judged].mean())
    size = int(clusters.max()) + 1
    ours = _sums(clusters, judged, human - mean, size)
    theirs = _sums(clusters, others, metric - metric[others].mean(), size) if others.any() else np.zeros(size)
    theirs = theirs - _sums(clusters, judged, metric - metric[judged].mean(), size)
    seen = np.bincount(clusters[judged], minlength=size) > 0
    weight, used = _weight(ours, theirs, count) if others.any() else (0.0, 0.0)
    shift = weight * (float(metric[others].mean()) - float(metric[judged].mean())) if others.any() else 0.0
    alone = _half_width(ours, seen, count, 0.0, confidence)
    both = _half_width(ours + weight * theirs, seen, count, used, confidence)
    varies = np.ptp(metric[judged]) > 0 and np.ptp(human[judged]) > 0
    together = float(np.corrcoef(human[judged], metric[judged])[0, 1]) if varies else 0.0
    return Assisted(
        system, kind, label, mean + shift, mean + shift - both, mean + shift + both, mean, mean - alone, mean + alone,
        weight, together, 1 - (both / alone) ** 2 if alone else 0.0, int(judged.sum()), int(there.sum()),
        count if documents is not None else 0,
    )  # fmt: skip


def _clusters(documents: Sequence[object] | None, count: int) -> Any:
    """Return the document of each segment as a number; one that has none is its own."""
    if documents is None:
        return np.arange(count)
    if len(documents) != count:
        raise InputError(f"There are {len(documents):,} document ids, but {count:,} segments.")
    places: dict[object, int] = {}
    names = (("", k) if name is None else name for k, name in enumerate(documents))
    return np.array([places.setdefault(name, len(places)) for name in names])


def _sums(clusters: Any, which: Any, values: Floats, size: int) -> Floats:
    """Return what each document adds to a mean over these segments."""
    return np.asarray(np.bincount(clusters[which], values[which], minlength=size) / which.sum(), np.float64)


def _weight(ours: Floats, theirs: Floats, count: int) -> tuple[float, float]:
    """Return the weight of the metric, and how much of it was left by shrinking."""
    squares = float(theirs @ theirs)
    slope = -float(ours @ theirs) / squares if squares else 0.0
    if slope <= 0 or count <= _FEWEST:
        return 0.0, 0.0
    left = float(((ours + slope * theirs) ** 2).sum()) / (count - 2)
    explained = slope**2 * squares
    kept = max(0.0, 1 - left / explained) if explained else 0.0
    return kept * slope, kept


def _half_width(parts: Floats, seen: Any, count: int, used: float, confidence: float) -> float:
    """Return half of Student's interval, from what each document adds; those nobody judged hold metric scores only."""
    freedom = count - 1 - used
    squares = float((parts[seen] ** 2).sum()) * count / freedom
    unseen = parts[~seen]
    if len(unseen) > 1:
        squares += float((unseen**2).sum()) * len(unseen) / (len(unseen) - 1)
    return student(1 - (1 - confidence) / 2, freedom) * math.sqrt(squares)

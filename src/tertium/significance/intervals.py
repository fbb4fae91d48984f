"""Confidence intervals by the bootstrap: where the score of another test set of this kind would lie."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, interval, number
from tertium.scoring.scores import Scores
from tertium.significance.sampling import (
    GENERATOR,
    SEED,
    check_samples,
    check_seed,
    check_share,
    replicate_scores,
    state_of,
)
from tertium.significance.student import expanded
from tertium.significance.units import check_unit, unit_rows, usual_unit

METHODS = ("percentile", "bca")


@dataclass(frozen=True)
class Interval(Result):
    """A score and where it may lie; `low` and `high` are None where there is only one unit to draw from."""

    system: str | None
    metric: str
    level: str
    document: str | None
    score: float
    low: float | None
    high: float | None


@dataclass(frozen=True, repr=False)
class Confidence(Shown):
    """Intervals of scores, and how they were made."""

    intervals: tuple[Interval, ...]
    samples: int
    level: float
    method: str
    seed: int
    unit: str
    generator: str = GENERATOR

    @property
    def signature(self) -> str:
        """What fixes the intervals."""
        return (
            f"bootstrap:samples={self.samples},level={self.level:g},method={self.method},unit={self.unit},"
            f"seed={self.seed},generator={self.generator}"
        )

    def of(self, system: str | None, metric: str, document: str | None = None) -> Interval:
        """Return the interval of the corpus, or of a document."""
        for one in self.intervals:
            if (one.system or "", one.metric, one.document) == (system or "", metric, document):
                return one
        raise InputError(f"There is no interval of system {system!r}, metric {metric!r}, document {document!r}.")

    def __getitem__(self, key: str | tuple[str, ...]) -> Any:
        """Return the interval of a system and metric, `found["mine", "bleu"]`; of a system, those of all metrics.

        Where systems have no names, `found["bleu"]`.
        """
        if isinstance(key, tuple):
            return self.of(*key)
        corpus = [one for one in self.intervals if one.level == "corpus"]
        if any(one.system is None for one in corpus):
            return self.of(None, key)
        found = {one.metric: one for one in corpus if one.system == key}
        if not found:
            raise UnknownNameError.of("system", key, dict.fromkeys(one.system or "" for one in corpus))
        return found

    def __iter__(self) -> Iterator[Interval]:
        """Go through the intervals."""
        return iter(self.intervals)

    def __len__(self) -> int:
        """Count the intervals."""
        return len(self.intervals)

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each interval."""
        return [one.to_dict() for one in self.intervals]

    def table(self) -> Table:
        """Return scores with their intervals."""
        rows = [
            [one.system or "-", title(one.metric), one.document or "", number(one.score), interval(one.low, one.high)]
            for one in self.intervals
        ]
        heads = ["System", "Metric", "Document", "Score", "Interval"]
        return Table(f"Intervals of {100 * self.level:g} %", heads, rows, [self.signature], words=3)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"confidence": self.signature, "intervals": [one.to_dict() for one in self.intervals]}


def confidence(
    scores: Scores,
    *,
    samples: int = 1000,
    level: float = 0.95,
    method: str = "percentile",
    seed: int = SEED,
    unit: str | None = None,
    threads: int | None = None,
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> Confidence:
    """Return confidence intervals of corpus scores and, if there are documents, of document scores.

    `unit="document"` draws whole documents for the corpus score, for segments of a document are alike; that is usual
    where segments were made by alignment. The segments of a document are always drawn one by one.
    """
    check_method(method)
    check_samples(samples, least=2)
    check_share("level", level)
    seed, threads = check_seed(seed), thread_count(threads)
    unit = usual_unit(scores, unit)
    check_unit(scores, unit)
    intervals: list[Interval] = []
    for label, metric in scores.metrics.items():
        progress(f"intervals of {label}", list(scores.metrics).index(label) / len(scores.metrics))
        rows = [unit_rows(scores, system, label, unit) for system in scores.systems]
        replicates = replicate_scores(metric, rows, state_of(seed), samples, threads)
        for system, one, found in zip(scores.systems, rows, replicates, strict=True):
            low, high = interval_of(found, metric.score(one.sum(axis=0)), level, method, left_out(metric, one))
            score = float(metric.score(scores.totals[system][label]))
            intervals.append(Interval(system or None, label, "corpus", None, score, low, high))
    if scores.document_names is not None:
        intervals += _of_documents(scores, samples, level, method, seed, threads)
    return Confidence(tuple(intervals), samples, level, method, seed, unit)


def _of_documents(scores: Scores, samples: int, level: float, method: str, seed: int, threads: int) -> list[Interval]:
    names, positions = scores.document_names or (), scores.document_positions
    if positions is None:
        raise InputError("Intervals of documents need to know which segment is in which; these scores do not say.")
    members = [np.flatnonzero(positions == k) for k in range(len(names))]
    intervals = []
    for label, metric in scores.metrics.items():
        by_system = [unit_rows(scores, system, label, "segment") for system in scores.systems]
        values = [metric.score(scores.document_totals[system][label]) for system in scores.systems]
        for k, name in enumerate(names):
            rows = [np.ascontiguousarray(one[members[k]]) for one in by_system]
            state = state_of(np.random.SeedSequence([seed, k + 1]))
            many = len(members[k]) > 1
            replicates = replicate_scores(metric, rows, state, samples, threads) if many else [None] * len(rows)
            for system, one, found, value in zip(scores.systems, rows, replicates, values, strict=True):
                low = high = None
                if found is not None:
                    low, high = interval_of(found, value[k], level, method, left_out(metric, one))
                intervals.append(Interval(system or None, label, "document", name, float(value[k]), low, high))
    return intervals


def check_method(method: str) -> None:
    """Refuse a kind of interval that is not known."""
    if method not in METHODS:
        raise UnknownNameError.of("kind of interval", method, METHODS)


def left_out(metric: Metric, rows: Floats) -> Callable[[], Floats]:
    """Return what gives the scores without each unit in turn, which only BCa needs."""
    return lambda: np.asarray(metric.score(rows.sum(axis=0) - rows))


def interval_of(
    replicates: Floats, value: Any, level: float, method: str, jackknife: Callable[[], Floats]
) -> tuple[float, float]:
    """Return the interval of a score, or of a difference, from its replicates."""
    if method == "bca":
        return bca(replicates, float(value), level, jackknife())
    return percentile(replicates, level)


def percentile(replicates: Floats, level: float = 0.95) -> tuple[float, float]:
    """Return the values between which the middle share of the replicates lies: of 1000, those at 25 and 974."""
    ordered = np.sort(replicates)
    low = int(round(len(ordered) * (1 - level) / 2, 9))
    return float(ordered[low]), float(ordered[len(ordered) - low - 1])


def bca(replicates: Floats, value: float, level: float, jackknife: Sequence[float] | Floats) -> tuple[float, float]:
    """Return Efron's (1987) interval: percentiles, moved for bias and for a spread that depends on the score.

    The bias comes from the share of replicates below the score, the acceleration from the scores without each unit
    in turn. With few units replicates vary too little; as Hesterberg (2015) does for percentiles, the interval is
    widened by as much as Student's distribution is wider than the normal one.
    """
    normal = NormalDist()
    count = len(replicates)
    below = ((replicates < value).sum() + 0.5 * (replicates == value).sum()) / count
    bias = normal.inv_cdf(float(np.clip(below, 0.5 / count, 1 - 0.5 / count)))
    away = np.mean(jackknife) - np.asarray(jackknife)
    spread = float((away**2).sum())
    acceleration = float((away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    ends = []
    reach = widened(normal.inv_cdf((1 + level) / 2), len(away))
    for end in (-reach, reach):
        moved = bias + end
        ends.append(normal.cdf(bias + moved / max(1 - acceleration * moved, 1e-9)))
    low, high = np.quantile(replicates, ends)
    return float(low), float(high)


def widened(quantile: float, units: int) -> float:
    """Return a quantile of the normal distribution as a mean of so many units needs it.

    That is Student's, by the series of Cornish and Fisher (four terms), times sqrt(n / (n - 1)), for the bootstrap
    divides by n where n - 1 would be right.
    """
    free = max(units - 1, 1)
    return expanded(quantile, free) * math.sqrt((free + 1) / free)

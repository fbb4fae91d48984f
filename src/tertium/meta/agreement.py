"""A coefficient with its human side prepared: found once, asked for one metric, or for thousands of versions of it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tertium import _native
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.meta.coefficients.methods import Method, method_of, ratio
from tertium.meta.coefficients.points import Codes, Points, matrix_of, numbers, points_of
from tertium.meta.coefficients.soft_pairwise_accuracy import SoftAccuracy
from tertium.metrics.base import Floats, is_number, thread_count

TOP = "spearman-top"
THRESHOLD = 25.0  # of kendall-like: WMT's, for scores from 0 to 100
UNDEFINED = ("drop", "zero")
_MOST_PAIRS = 100_000_000  # that a calibration may hold
_SAMPLE_SEED = 20230  # of the pairs that a calibration looks at, if not all


class Agreement:
    """How well scores agree with one set of human scores by one method.

    `value(scores)` is the coefficient of one list of scores, `values(many)` of each row of a matrix: what permutation
    tests and tuning need. Scores are given flat, in the order of the human scores.
    """

    def __init__(
        self,
        human_scores: Sequence[float | None] | Floats,
        *,
        method: str = "pearson",
        group: str = "none",
        systems: Codes | None = None,
        items: Codes | None = None,
        threshold: float = THRESHOLD,
        sample_rate: float = 1.0,
        undefined: str = "drop",
        weights: Sequence[float] | Floats | None = None,
        threads: int | None = None,
    ) -> None:
        self.method: Method = method_of(method)
        self.threshold, self.sample_rate = _checked(threshold, sample_rate)
        if undefined not in UNDEFINED:
            raise UnknownNameError.of("way with undefined groups", undefined, UNDEFINED)
        self.undefined = undefined
        self.threads = thread_count(threads)
        human = numbers(human_scores, "human_scores", may_miss=True).ravel()
        self._means: _Means | None = None
        self.soft: SoftAccuracy | None = None
        self.given = len(human)
        self.dropped = int(np.isnan(human).sum())
        if self.method.family == "soft":
            if systems is None or items is None:
                raise InputError(
                    f"{method} needs scores as a matrix of systems x items, or systems= and items= for every score."
                )
            self.soft = SoftAccuracy(matrix_of(human, systems, items), self.threads)
            self._cells = (systems, items)
        elif self.method.of_systems and group == "none" and systems is not None and items is not None:
            self._means = _Means(human, systems)
            human = self._means.of(human)[0]
            systems, items = np.arange(len(human), dtype=np.int32), None
        self.points: Points = points_of(human, systems, items, group)
        self.weights = None if weights is None else self.points.of(self._checked_weights(weights))
        self._prepare()

    def _checked_weights(self, weights: Sequence[float] | Floats) -> Floats:
        values = numbers(weights, "weights").ravel()
        if self.method.name != "pearson":
            raise InputError(f"Only pearson takes weights, not {self.method.name}.")
        if len(values) != self.given or (values <= 0).any():
            raise InputError(f"weights must be {self.given:,} numbers above 0, one per score: lengths, for instance.")
        return values

    def _prepare(self) -> None:
        points, family = self.points, self.method.family
        if family == "ranks":
            self._human = self.ranks(points.human[None])[0]
        else:
            self._human = points.human
        if family == "calibrated":
            if points.pairs > _MOST_PAIRS and self.sample_rate == 1:
                raise InputError(
                    f"acc-eq would have to look at {points.pairs:,} pairs. Group by item (",
                    Argument("group", "item"),
                    "), or look at a sample of them: ",
                    Argument("sample_rate", float(f"{_MOST_PAIRS / points.pairs / 2:.1g}")),
                    ".",
                )
            self._human_ties = self._pair_counts(points.human[None])[0, :, 4]

    # --- one value ---------------------------------------------------------------------------------------------------

    def value(self, scores: Sequence[float] | Floats) -> float:
        """Return the coefficient of one list of scores; NaN where it is undefined."""
        return float(self.values(np.asarray(scores, np.float64).reshape(1, -1))[0])

    def values(self, scores: Floats) -> Floats:
        """Return the coefficient of each row of (lists, scores)."""
        if scores.ndim != 2 or scores.shape[1] != self.given:
            raise InputError(f"{self.given:,} scores were expected in each row, but the shape is {scores.shape}.")
        if self.soft is not None:
            return self.soft.values(self._cubes(scores))
        return self.combined(self.statistics(self.of_points(scores)))

    def of_points(self, scores: Floats) -> Floats:
        """Return scores (lists, given) of the judged points: (lists, points), system means where those are compared."""
        return self.points.of(scores if self._means is None else self._means.of(scores))

    def epsilon(self, scores: Floats) -> float | None:
        """Return the distance up to which the scores of points are called equal, where that is calibrated."""
        if self.method.family != "calibrated" or not self.points.groups:
            return None
        return self._calibrated(scores)

    def p_values(self, scores: Floats) -> Floats:
        """Return, for soft pairwise accuracy, the p-value of each pair of systems by the metric."""
        assert self.soft is not None
        return self.soft.p_values(self._cubes(scores.reshape(1, -1))[0])

    def cube(self, scores: Floats) -> Floats:
        """Return, for soft pairwise accuracy, scores as systems x items."""
        return np.asarray(self._cubes(scores.reshape(1, -1))[0], np.float64)

    def _cubes(self, scores: Floats) -> Floats:
        systems, items = self._cells
        cubes = np.full((len(scores), int(systems.max()) + 1, int(items.max()) + 1), np.nan)
        cubes[:, systems, items] = scores
        return cubes

    # --- group by group ----------------------------------------------------------------------------------------------

    def statistics(self, scores: Floats, epsilon: float | None = None) -> Floats:
        """Return (lists, groups, columns): counts of pairs where groups are pooled, else each group's coefficient.

        `scores` are of the points; `epsilon` is their calibrated distance, if it is known already.
        """
        family = self.method.family
        if not self.points.groups:
            return np.full((len(scores), 0, 5 if self.method.pooled else 1), np.nan)
        if family == "moments":
            return self._pearson(scores)[..., None]
        if family == "ranks":
            return self._pearson(self.ranks(scores))[..., None]
        if family == "gaps":
            return np.stack([self._gaps(one) for one in scores])
        if family == "calibrated":
            known = [self._calibrated(one) if epsilon is None else epsilon for one in scores]
            return np.stack([self._within(one, at) for one, at in zip(scores, known, strict=True)])[..., None]
        counts = self._pair_counts(scores)
        if self.method.pooled:
            return counts
        return self.of_counts(counts, self.distinct(scores))[..., None]

    def of_counts(self, counts: Floats, distinct: Floats) -> Floats:
        """Return coefficients (...) for counts of pairs (..., groups, 5)."""
        return self.method.of_counts(counts, self.points.sizes, distinct)

    def combined(self, statistics: Floats, weights: Floats | None = None) -> Floats:
        """Put groups together: (..., groups, columns) to (...); `weights` (..., groups) says how often each counts."""
        if self.method.pooled:
            weighted = statistics if weights is None else statistics * weights[..., None]
            counts = weighted.sum(axis=-2)
            if self.method.family == "gaps":
                kept = counts.sum(axis=-1)
                # mt-metrics-eval's value where no pair is left; the result carries a note that says so
                return np.where(kept > 0, ratio(2 * counts[..., 0] - kept, kept), 0.0)
            one = np.ones(())
            return self.method.of_counts(counts, one, one)
        values = statistics[..., 0]
        if self.undefined == "zero":
            values = np.nan_to_num(values, nan=0.0)
        defined = ~np.isnan(values)
        each = defined.astype(np.float64) if weights is None else defined * weights
        return ratio((np.where(defined, values, 0.0) * each).sum(axis=-1), each.sum(axis=-1))

    def distinct(self, scores: Floats) -> Floats:
        """Return (lists, groups): the number of distinct scores, of people or of the metric, whichever is lower."""
        if self.method.name != "kendall-c":
            return np.ones((1, 1))
        fewest = _distinct(self.points.human[None], self.points.offsets)
        return np.minimum(fewest, _distinct(scores, self.points.offsets))

    def ranks(self, scores: Floats) -> Floats:
        """Return the ranks of points (lists, points) within their groups; equal scores share the mean, or the best."""
        ranks = np.empty_like(scores)
        _native.mid_ranks(np.ascontiguousarray(scores), self.points.offsets, self.threads, ranks)
        return ranks if self.method.name != TOP else ranks + _half_ties(ranks, self.points.offsets)

    def _pearson(self, scores: Floats) -> Floats:
        return pearson_by_group(scores, self._human, self.points.offsets, self.weights)

    def _pair_counts(self, scores: Floats) -> Floats:
        counts = np.empty((len(scores) * self.points.groups, 5))
        _native.pair_counts(np.ascontiguousarray(scores), self.points.human, self.points.offsets, self.threads, counts)
        return counts.reshape(len(scores), self.points.groups, 5)

    def _gaps(self, scores: Floats) -> Floats:
        counts = np.empty((self.points.groups, 3))
        _native.gap_counts(
            self.points.human, np.ascontiguousarray(scores), self.points.offsets, self.threshold, False, None, None,
            None, None, self.threads, counts,
        )  # fmt: skip
        return counts

    def _calibrated(self, scores: Floats) -> float:
        sampled = None
        if self.sample_rate < 1:
            rng = np.random.default_rng(_SAMPLE_SEED)
            sampled = (rng.random(self.points.pairs) < self.sample_rate).astype(np.uint8)
        return _native.calibrated_ties(
            np.ascontiguousarray(scores), self.points.human, self.points.offsets, sampled
        )[0]  # fmt: skip

    def _within(self, scores: Floats, epsilon: float) -> Floats:
        """Return each group's accuracy where metric scores no farther apart than epsilon are tied."""
        counts = np.empty((self.points.groups, 3))
        _native.gap_counts(
            np.ascontiguousarray(scores), self.points.human, self.points.offsets, epsilon, True, None, None, None,
            None, self.threads, counts,
        )  # fmt: skip
        pairs = self.points.sizes * (self.points.sizes - 1) / 2
        return ratio(counts[:, 0] + self._human_ties - counts[:, 2], pairs)


class _Means:
    """System means of the cells that people judged."""

    def __init__(self, human: Floats, systems: Codes) -> None:
        self._judged = np.flatnonzero(~np.isnan(human))
        self._systems = systems[self._judged]
        self._count = int(systems.max(initial=-1)) + 1

    def of(self, scores: Floats) -> Floats:
        rows = np.atleast_2d(scores)[:, self._judged]
        sizes = np.bincount(self._systems, minlength=self._count)
        sums = np.stack([np.bincount(self._systems, weights=row, minlength=self._count) for row in rows])
        return ratio(sums.astype(np.float64), np.broadcast_to(sizes, sums.shape))


def pearson_by_group(scores: Floats, human: Floats, offsets: Any, weights: Floats | None = None) -> Floats:
    """Return (lists, groups): Pearson's coefficient, NaN where one side is constant; points may have weights."""
    starts, sizes = offsets[:-1], np.diff(offsets)
    each = np.ones(1) if weights is None else weights
    people, flat = _centred(human[None], starts, sizes, weights)
    ours, constant = _centred(scores, starts, sizes, weights)
    products = np.add.reduceat(ours * people * each, starts, axis=1)
    spread = np.sqrt(np.add.reduceat(ours * ours * each, starts, axis=1))
    by_people = np.sqrt(np.add.reduceat(people * people * each, starts, axis=1))
    values = np.clip(ratio(ratio(products, spread), np.broadcast_to(by_people, spread.shape)), -1, 1)
    return np.where(constant | flat, np.nan, values)


def _centred(values: Floats, starts: Any, sizes: Any, weights: Floats | None) -> tuple[Floats, Any]:
    """Return values minus their group's mean, and which groups are constant."""
    constant = np.maximum.reduceat(values, starts, axis=1) == np.minimum.reduceat(values, starts, axis=1)
    if weights is None:
        means = np.add.reduceat(values, starts, axis=1) / sizes
    else:
        means = np.add.reduceat(values * weights, starts, axis=1) / np.add.reduceat(weights, starts)
    return values - np.repeat(means, sizes, axis=1), constant


def _half_ties(ranks: Floats, offsets: Any) -> Floats:
    """Return by how much the best of the ranks that a point shares lies above their mean: (ties - 1) / 2."""
    size = 2 * int(offsets[-1]) + 2
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)) * size
    extra = np.empty_like(ranks)
    for row, out in zip(ranks, extra, strict=True):
        _, which, counts = np.unique(group + (2 * row).astype(np.int64), return_inverse=True, return_counts=True)
        out[:] = (counts[which] - 1) / 2
    return extra


def _distinct(values: Floats, offsets: Any) -> Floats:
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    counts = []
    for row in values:
        ordered = row[np.lexsort((row, group))]
        new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        new[offsets[:-1]] = True
        counts.append(np.add.reduceat(new.astype(np.float64), offsets[:-1]))
    return np.stack(counts)


def _checked(threshold: object, sample_rate: object) -> tuple[float, float]:
    if not is_number(threshold) or threshold < 0:
        raise InputError(f"threshold must be a number of at least 0, not {threshold!r}.")
    if not is_number(sample_rate) or not 0 < sample_rate <= 1:
        raise InputError(f"sample_rate must be a number above 0 and up to 1, not {sample_rate!r}.")
    return float(threshold), float(sample_rate)

"""Soft pairwise accuracy (Thompson et al. 2024): does a metric doubt where people doubt?

For each pair of systems a permutation test says how sure people are that the first is better, and how sure the metric
is. The accuracy is 1 minus the mean difference of the two p-values.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.errors import InputError
from tertium.meta.coefficients.base import (
    DEFAULTS,
    Measured,
    Method,
    Settings,
    Swaps,
    Trials,
    constant_side,
    ratio,
    standardised,
)
from tertium.meta.coefficients.points import Codes, Draws, matrix_of, points_of
from tertium.metrics.base import Floats

if TYPE_CHECKING:
    from tertium.meta.segment_draws import SegmentDraws

FLIPS = 1000
_FLIP_SEED = 4  # mt-metrics-eval's
TOLERANCE = 1e-12  # of the sum of differences: as much as rounding can do
_TRIALS = 100  # that are swapped at once
_BLOCK_BYTES = 1 << 26


class SoftPairwiseAccuracy(Method):
    """Of systems x items; `human` is NaN where there is no judgment, `of_people` are the p-values of pairs i < j."""

    name = "soft-pairwise-accuracy"
    ties = "of systems: p-values are compared, so nothing is tied"
    least = 0.0
    chance = None
    of_systems = by_segments = True

    def __init__(
        self, human: Floats, systems: Codes | None = None, items: Codes | None = None, group: str = "none",
        settings: Settings = DEFAULTS, weights: Any = None,
    ) -> None:  # fmt: skip
        if systems is None or items is None:
            raise InputError(
                f"{self.name} needs scores as a matrix of systems x items, or systems= and items= for every score."
            )
        super().__init__(human, systems, items, group, settings, weights)
        self._cells = systems, items
        self.human = matrix_of(human, systems, items)
        if len(self.human) < 2:
            raise InputError(f"{self.name} compares systems, but there is only one.")
        self.judged = ~np.isnan(self.human)
        # Signs are drawn for the items that somebody judged, as mt-metrics-eval does; others have none.
        known: Any = self.judged.any(axis=0)
        self.signs = np.zeros((FLIPS, len(known)))
        self.signs[:, known] = flips(int(known.sum()))
        self._pairs = np.triu_indices(len(self.human), 1)
        self._together: _SwappedTogether | None = None
        self._drawn_people: tuple[object, Floats] | None = None
        self.of_people = self._p_values(self.human[None])[0]
        drawn = np.arange(len(self.human), dtype=np.int32)
        self.drawn_points = points_of(np.zeros(len(drawn)), drawn, drawn, "none")

    def values_of(self, scores: Floats) -> Floats:
        """Return the accuracy of each row."""
        return self.accuracies(self._p_values(self.cubes(scores)))

    def measured(self, scores: Floats) -> Measured:
        """Return the value; there are no groups."""
        ours = self.cubes(scores.reshape(1, -1))[0][self.judged]
        return Measured(self.value(scores), constant_side(self.human[self.judged], ours))

    def p_values(self, scores: Floats) -> Floats:
        """Return a metric's p-value for each pair i < j: the share of sign flips that favour i at least as much."""
        return np.asarray(self._p_values(self.cubes(scores.reshape(1, -1)))[0], np.float64)

    def cubes(self, scores: Floats) -> Floats:
        """Return scores (lists, given) as (lists, systems, items)."""
        cubes = np.full((len(scores), *self.human.shape), np.nan)
        cubes[:, self._cells[0], self._cells[1]] = scores
        return cubes

    def _p_values(self, cubes: Floats) -> Floats:
        """Return (lists, pairs); pairs of several lists are tested at once, which makes the products large."""
        first, second = self._pairs
        count = len(first)
        values = np.empty(len(cubes) * count)
        step = max(1, _BLOCK_BYTES // (8 * max(FLIPS, cubes.shape[2])))
        for begin in range(0, len(values), step):
            which, pair = np.divmod(np.arange(begin, min(begin + step, len(values))), count)
            i, j = first[pair], second[pair]
            # An item that is judged for one of the two only says nothing of the pair: it adds nothing either way.
            both = self.judged[i] & self.judged[j]
            differences = np.where(both, cubes[which, i] - cubes[which, j], 0.0)
            real = differences.sum(axis=1)
            slack = TOLERANCE * np.abs(differences).sum(axis=1)
            values[begin : begin + step] = (self.signs @ differences.T >= real - slack).mean(axis=0)
        return values.reshape(len(cubes), count)

    def replicates(self, scores: Floats, draws: Draws, measured: Measured | None = None) -> Floats:
        """Draw systems, no pair with itself."""
        systems = draws.systems if draws.systems is not None else draws.items
        assert systems is not None
        return self._of_pairs(1 - np.abs(self.p_values(scores) - self.of_people), systems.astype(np.float64))

    def permuted(self, one: str, two: str, difference: float, swaps: Swaps) -> tuple[float, Trials]:
        """Swap for all metrics at once: sums that two of them need are mostly those of each."""
        if self._together is None or self._together.swaps is not swaps:
            self._together = _SwappedTogether(self, swaps)
        return self._together.pair(one, two)

    def accuracies(self, p_values: Floats) -> Floats:
        """Return (...) of p-values (..., pairs)."""
        return np.asarray(1 - np.abs(p_values - self.of_people).mean(axis=-1), np.float64)

    def _of_pairs(self, right: Floats, systems: Floats) -> Floats:
        """Average over pairs, in each replicate or once for all, that count as often as both of their systems."""
        first, second = self._pairs
        weights = systems[:, first] * systems[:, second]
        total = weights.sum(axis=1)
        return ratio(weights @ right if right.ndim == 1 else (weights * right).sum(axis=1), total)

    def over_segments(self, draws: "SegmentDraws", label: str, epsilon: float | None, used: Any = True) -> Floats:
        """Test all pairs anew on the segments of each replicate.

        Each segment that was drawn has a sign of its own in the permutation test, also where it was drawn before.
        """
        if self._drawn_people is None or self._drawn_people[0] is not draws:
            self._drawn_people = draws, self._drawn_p_values(self.human, draws.places)
        ours = self._drawn_p_values(draws.grid.segment_metrics[label], draws.places)
        right = 1 - np.abs(ours - self._drawn_people[1])
        return np.asarray(right.mean(axis=1)) if draws.systems is None else self._of_pairs(right, draws.systems)

    def _drawn_p_values(self, scores: Floats, places: Any) -> Floats:
        """Return (replicates, pairs) for segments (replicates, drawn)."""
        first, second = self._pairs
        replicates, drawn_segments = places.shape
        signs = flips(drawn_segments).astype(np.float32)
        differences = np.where(self.judged[first] & self.judged[second], scores[first] - scores[second], 0.0)
        scale = np.abs(differences).max(initial=0.0)
        apart = np.ascontiguousarray((differences / (scale if scale > 0 else 1.0)).T, np.float32)
        found = np.empty((replicates, len(first)))
        step = max(1, _BLOCK_BYTES // (16 * max(FLIPS, drawn_segments) * len(first)))
        for begin in range(0, replicates, step):
            some = places[begin : begin + step]
            drawn = apart[some].transpose(1, 0, 2).reshape(drawn_segments, -1)
            # Sums of float32: a tie is as much as their rounding can do.
            least = drawn.sum(axis=0) - 1e-5 * np.abs(drawn).sum(axis=0)
            found[begin : begin + step] = (signs @ drawn >= least).mean(axis=0).reshape(len(some), -1)
        return found


class _SwappedTogether:
    """The trials of a permutation test for every two metrics."""

    def __init__(self, method: SoftPairwiseAccuracy, swaps: Swaps) -> None:
        self.swaps = swaps
        self._method = method
        self._places = {name: place for place, name in enumerate(swaps.scores)}
        scores = np.zeros((len(self._places), method.given))
        scores[:, swaps.judged] = [standardised(one[swaps.judged]) for one in swaps.scores.values()]
        self._real = method.values_of(scores)
        self._scores = np.where(method.judged, method.cubes(scores), 0.0)
        self._units, self._count = swaps.find_units()
        self._found: dict[tuple[int, int], Floats] = {}

    def pair(self, one: str, two: str) -> tuple[float, Trials]:
        """Return the real difference of two, and what gives it for trials."""
        first, second = self._places[one], self._places[two]

        def trials(begin: int, many: int) -> Floats:
            if (begin, many) not in self._found:
                self._found[begin, many] = self._all(begin, many)
            values = self._found[begin, many]
            return np.asarray(values[:, first, second] - values[:, second, first])

        return float(self._real[first]) - float(self._real[second]), trials

    def _all(self, begin: int, many: int) -> Floats:
        """Return (trials, metrics, metrics): the accuracy of one with the scores of another where they are swapped."""
        method, metrics = self._method, len(self._places)
        masks = self._masks[begin : begin + many]
        found = np.empty((many, metrics, metrics))
        step = max(1, min(_TRIALS, _BLOCK_BYTES // method.human.size))
        for done in range(0, many, step):
            some = masks[done : done + step][:, self._units]
            cells = np.zeros((len(some), method.given))
            cells[:, self.swaps.judged] = some
            swapped = np.nan_to_num(method.cubes(cells)).astype(np.uint8).reshape(len(some), -1)
            counts = np.zeros((len(some), metrics, metrics, len(method.of_people)), np.uint16)
            _native.swapped_sign_counts(
                self._scores, judged=method.judged.astype(np.uint8), swapped=swapped,
                flips=(method.signs > 0).astype(np.uint8), tolerance=TOLERANCE, threads=self.swaps.threads,
                counts=counts,
            )  # fmt: skip
            found[done : done + step] = method.accuracies(counts / FLIPS)
        return found

    @cached_property
    def _masks(self) -> Any:
        return self.swaps.masks(self._count)


def flips(items: int) -> Floats:
    """Return the sign flips (flips, items): 1 or -1."""
    uniform = np.random.default_rng(_FLIP_SEED).random((FLIPS, items), dtype=np.float32)
    return np.where(np.round(uniform) == 1, 1.0, -1.0)

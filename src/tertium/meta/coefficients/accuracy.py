"""Pairwise accuracy of points, with credit for ties, plain and calibrated (Deutsch et al. 2023)."""

from typing import ClassVar

import numpy as np

from tertium import _native
from tertium.errors import Argument, InputError
from tertium.meta.coefficients.base import Swaps, Trials, ratio
from tertium.meta.coefficients.pair_counts import PairCounts, every
from tertium.meta.coefficients.points import Draws
from tertium.metrics.base import Floats
from tertium.significance.sampling import state_of, subset_sums

_MOST_PAIRS = 100_000_000  # that a calibration may hold
_SAMPLE_SEED = 20230  # of the pairs that a calibration looks at, if not all


class Accuracy23(PairCounts):
    """(C + Thm) / N."""

    name = "acc-23"
    ties = "tied in both is right, tied in one is wrong"
    least = 0.0
    chance: ClassVar[float | None] = None

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return (C + Thm) / N."""
        return ratio(counts[..., 0] + counts[..., 4], every(counts))


class AccuracyEq(Accuracy23):
    """The same, with metric scores called equal up to the distance epsilon that gives the highest accuracy."""

    name = "acc-eq"
    ties = "as acc-23; metric scores within a calibrated distance are tied"
    on_preferences = False
    calibrates = True
    usual_group = "item"

    def prepare(self) -> None:
        """Count the pairs that people call equal."""
        points = self.points
        if points.pairs > _MOST_PAIRS and self.settings.sample_rate == 1:
            raise InputError(
                f"acc-eq would have to look at {points.pairs:,} pairs. Group by item (",
                Argument("group", "item"),
                "), or look at a sample of them: ",
                Argument("sample_rate", float(f"{_MOST_PAIRS / points.pairs / 2:.1g}")),
                ".",
            )
        self._human_ties = self.pair_counts(points.human[None])[0, :, 4]

    def calibrated(self, values: Floats) -> float:
        """Look at all pairs, or at a sample of them."""
        sampled = None
        if self.settings.sample_rate < 1:
            rng = np.random.default_rng(_SAMPLE_SEED)
            sampled = (rng.random(self.points.pairs) < self.settings.sample_rate).astype(np.uint8)
        found = _native.calibrated_ties(np.ascontiguousarray(values), self.points.human, self.points.offsets, sampled)
        return found[0]

    def statistics(self, values: Floats, epsilon: float | None = None) -> Floats:
        """Return each group's accuracy where metric scores no farther apart than epsilon are tied."""
        pairs = self.points.sizes * (self.points.sizes - 1) / 2
        found = []
        for one in values:
            within = self.calibrated(one) if epsilon is None else epsilon
            apart = self.gap_counts(one, self.points.human, within, above=True)[0]
            found.append(ratio(apart[:, 0] + self._human_ties - apart[:, 2], pairs))
        return np.stack(found)[..., None]

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """Keep epsilon."""
        within = self.calibrated(values) if epsilon is None else epsilon
        apart = self.gap_counts(values, self.points.human, within, above=True, draws=draws)
        people = self.drawn_pair_counts(self.points.human, draws)
        return ratio(apart[..., 0] + people[..., 4] - apart[..., 2], people.sum(axis=-1))[..., None]

    def permuted(self, one: str, two: str, difference: float, swaps: Swaps) -> tuple[float, Trials]:
        """Swap the outcomes of pairs, each metric keeping its own epsilon: what a swap changes is known beforehand.

        Pairs are swapped one by one, or all of an item or a document. No pair belongs to one system, nor to one item
        unless items are the groups: then scores are swapped.
        """
        by_item = swaps.test == "perm-inputs" and self.points.group == "item"
        if swaps.test != "perm-both" and not by_item:
            return super().permuted(one, two, difference, swaps)
        off = self._outcomes(swaps.scores[one]) - self._outcomes(swaps.scores[two])
        if by_item:
            ends = np.cumsum((self.points.sizes * (self.points.sizes - 1) / 2).astype(np.int64))
            off = np.array([part.sum() for part in np.split(off, ends[:-1])])
            units, count = swaps.find_units()
            first = self.points.places[self.points.offsets[:-1]]
            of_unit = units[np.searchsorted(swaps.judged, first)]
            off = np.bincount(of_unit, weights=off, minlength=count).astype(np.float64)
        # What counts for nothing is not swapped; whole items are, for other coefficients swap the same ones.
        moved = (off if by_item else off[off != 0])[:, None]
        state = state_of(swaps.seed)

        def trials(first: int, many: int) -> Floats:
            if not len(moved):
                return np.full(many, difference)
            sums = subset_sums(np.ascontiguousarray(moved), state, first, many, swaps.threads)[0]
            return np.asarray(difference - 2 * sums)

        return difference, trials

    def _outcomes(self, scores: Floats) -> Floats:
        """Return, for each pair of points in a group, what it adds to the accuracy."""
        points = self.points
        values = self.of_points(scores[None])[0]
        epsilon = self.calibrated(values)
        parts = []
        for begin, end in zip(points.offsets[:-1].tolist(), points.offsets[1:].tolist(), strict=True):
            first, second = np.triu_indices(end - begin, 1)
            ours = values[begin:end][first] - values[begin:end][second]
            people = np.sign(points.human[begin:end][first] - points.human[begin:end][second])
            right = np.where(np.abs(ours) <= epsilon, 0.0, np.sign(ours)) == people
            parts.append(right / (len(first) * points.groups))
        return np.concatenate(parts)

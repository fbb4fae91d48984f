"""Coefficients made from five counts of pairs of points.

Concordant C, discordant D, tied in the human scores only Th, in the metric only Tm, in both Thm; N is all of them.
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from tertium import _native
from tertium.meta.coefficients.base import Method
from tertium.meta.coefficients.points import Draws
from tertium.metrics.base import Floats


class PairCounts(Method):
    """A formula on counts (..., 5)."""

    on_preferences: ClassVar[bool] = True  # pairs may be judged as such, without scores

    @staticmethod
    @abstractmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return coefficients (...) for counts (..., 5), points per group and the fewest distinct scores."""

    @classmethod
    def of_all_counts(cls, counts: Floats) -> Floats:
        """Return coefficients for counts alone."""
        return cls.of_counts(counts, np.ones(()), np.ones(()))

    def of_totals(self, totals: Floats) -> Floats:
        """Return the coefficient of all groups' pairs."""
        return self.of_all_counts(totals)

    def statistics(self, values: Floats, epsilon: float | None = None) -> Floats:
        """Return each group's counts, or coefficient."""
        return self._of_groups(self.pair_counts(values), self.distinct(values))

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """Return the same of pairs that were drawn."""
        return self._of_groups(self.drawn_pair_counts(values, draws), self.distinct(values[None])[0])

    def _of_groups(self, counts: Floats, distinct: Floats) -> Floats:
        return counts if self.pooled else self.of_counts(counts, self.points.sizes, distinct)[..., None]

    def distinct(self, values: Floats) -> Floats:
        """Return (lists, groups): how many distinct scores people or the metric give, whichever is fewer; if needed."""
        return np.ones((1, 1))

    def pair_counts(self, values: Floats) -> Floats:
        """Return (lists, groups, 5)."""
        points = self.points
        counts = np.empty((len(values) * points.groups, 5))
        _native.pair_counts(
            np.ascontiguousarray(values), points.human, points.offsets, self.settings.threads, counts
        )  # fmt: skip
        return counts.reshape(len(values), points.groups, 5)

    def drawn_pair_counts(self, values: Floats, draws: Draws) -> Floats:
        """Return (replicates, groups, 5)."""
        points = self.points
        counts = np.empty((draws.replicates * points.groups, 5))
        items, item, systems, system = draws.of(points)
        _native.drawn_pair_counts(
            values, points.human, points.offsets, items=items, item=item, systems=systems, system=system,
            threads=self.settings.threads, counts=counts,
        )  # fmt: skip
        return counts.reshape(draws.replicates, points.groups, 5)

    def gap_counts(self, far: Floats, other: Floats, gap: float, *, above: bool, draws: Draws | None = None) -> Floats:
        """Return (replicates, groups, 3) of pairs at least (or: more than) a gap apart: same order, reverse, tied."""
        points = self.points
        items, item, systems, system = (None,) * 4 if draws is None else draws.of(points)
        replicates = 1 if draws is None else draws.replicates
        counts = np.empty((replicates * points.groups, 3))
        _native.gap_counts(
            np.ascontiguousarray(far), np.ascontiguousarray(other), points.offsets, gap=gap, above=above,
            items=items, item=item, systems=systems, system=system, threads=self.settings.threads, counts=counts,
        )  # fmt: skip
        return counts.reshape(replicates, points.groups, 3)

    def far_enough(self, by_people: Floats) -> Any:
        """Return which pairs count, by the differences of their human scores."""
        return True

    def of_drawn(self, ours: Floats, human: Floats, times: Floats, epsilon: float | None) -> Floats:
        """Compare all pairs of systems, each as often as the product of its draws."""
        first, second = np.triu_indices(ours.shape[1], 1)
        by_metric, by_people = ours[:, first] - ours[:, second], human[:, first] - human[:, second]
        signs, people = np.sign(by_metric), np.sign(by_people)
        if epsilon is not None:
            signs = np.where(np.abs(by_metric) <= epsilon, 0.0, signs)
        weights = times[:, first] * times[:, second] * self.far_enough(by_people)
        alike, tied, tied_people = signs == people, signs == 0, people == 0
        which = alike & ~tied, ~(alike | tied | tied_people), tied_people & ~alike, tied & ~alike, alike & tied
        counts = np.stack([(weights * one).sum(axis=1) for one in which], axis=-1)
        distinct = np.minimum(*(_distinct_drawn(one, times) for one in (ours, human)))
        return self.of_counts(counts, times.sum(axis=1), distinct)


def every(counts: Floats) -> Floats:
    """Return N, the number of pairs."""
    return np.asarray(counts.sum(axis=-1))


def _distinct_drawn(values: Floats, times: Floats) -> Floats:
    order = np.sort(np.where(times > 0, values, np.inf), axis=1)
    return np.asarray(1 + ((order[:, 1:] != order[:, :-1]) & np.isfinite(order[:, 1:])).sum(axis=1), np.float64)

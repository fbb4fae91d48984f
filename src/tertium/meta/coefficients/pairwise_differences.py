"""Pearson's coefficient of differences between systems: does a metric see how much better one of two outputs is?

Each pair of points in a group gives two differences, metric's and people's, in both orders, so that their means are 0;
the differences of all groups are correlated at once. In a group of n points, the products of all differences add up to
n sum(xy) - sum(x) sum(y), so no pair is ever made. In one group it is Pearson's coefficient itself.
"""

from typing import Any

import numpy as np

from tertium.meta.coefficients.base import ratio
from tertium.meta.coefficients.pearson import ProductMoment
from tertium.meta.coefficients.points import Draws
from tertium.metrics.base import Floats

_BLOCK_BYTES = 1 << 26
_SLACK = 1e-13  # of a sum of squares: as much as rounding can do


class PairwiseDifferencePearson(ProductMoment):
    """Of all pairs of a group, pooled over groups; mt-metrics-eval's PDP."""

    name = "pearson-pdp"
    ties = "a tie is a difference of 0; undefined if one side is constant in every group"
    usual_group = "item"
    pooled = True
    has_formula = False

    def statistics(self, values: Floats, epsilon: float | None = None) -> Floats:
        """Return each group's sums of products of differences: metric and people, metric, people."""
        ours, people = self._centred(values), self._centred(self.points.human[None])
        return np.stack([self._sums(one) for one in _products(ours, people)], axis=-1) * self.points.sizes[:, None]

    def of_totals(self, totals: Floats) -> Floats:
        """Return the coefficient of all groups' differences."""
        return np.clip(ratio(totals[..., 0], np.sqrt(totals[..., 1] * totals[..., 2])), -1, 1)

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """A pair counts as often as the product of its points' draws; a point differs from itself by 0."""
        points = self.points
        ours, people = (self._centred(one[None])[0] for one in (values, points.human))
        columns = ours, people, ours * people, ours * ours, people * people
        drawn, codes, others, other_codes = draws.of(points)
        found = []
        step = max(1, _BLOCK_BYTES // (8 * max(points.count, 1)))
        for begin in range(0, draws.replicates, step):
            times = drawn[begin : begin + step][:, codes].astype(np.float64)
            if others is not None and other_codes is not None:
                times *= others[begin : begin + step][:, other_codes]
            n = self._sums(times)
            x, y, xy, xx, yy = (self._sums(times * column) for column in columns)
            parts = [n * xy - x * y, n * xx - x * x, n * yy - y * y]
            for part, size in ((parts[1], n * xx), (parts[2], n * yy)):
                part[part <= _SLACK * size] = 0.0
            found.append(np.stack(parts, axis=-1))
        return np.concatenate(found)

    def _sums(self, values: Floats) -> Floats:
        """Add up points (lists, points) group by group."""
        return np.add.reduceat(values, self.points.offsets[:-1], axis=-1)

    def _centred(self, values: Floats) -> Floats:
        """Return values minus their group's mean; exactly 0 where a group is constant."""
        starts, sizes = self.points.offsets[:-1], np.diff(self.points.offsets)
        constant = np.maximum.reduceat(values, starts, axis=1) == np.minimum.reduceat(values, starts, axis=1)
        means: Any = self._sums(values) / sizes
        return np.asarray(np.where(np.repeat(constant, sizes, axis=1), 0.0, values - np.repeat(means, sizes, axis=1)))


def _products(ours: Floats, people: Floats) -> tuple[Floats, Floats, Floats]:
    return ours * people, ours * ours, np.broadcast_to(people * people, ours.shape)

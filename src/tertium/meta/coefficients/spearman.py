"""Spearman's coefficient: Pearson's, of ranks within groups."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.meta.coefficients.pearson import ProductMoment, fisher, of_sums
from tertium.meta.coefficients.points import Draws
from tertium.metrics.base import Floats

_BLOCK_BYTES = 1 << 27


class Spearman(ProductMoment):
    """Spearman (1904), with mid-ranks."""

    name = "spearman"
    ties = "equal scores share the mean of their ranks; undefined if one side is constant"
    _share = 0.5  # of its equals that a drawn score is ranked above

    def compared(self, values: Floats) -> Floats:
        """Return ranks of points (lists, points) within their groups."""
        ranks = np.empty_like(values)
        _native.mid_ranks(np.ascontiguousarray(values), self.points.offsets, self.settings.threads, ranks)
        return ranks

    def compared_drawn(self, values: Floats, times: Floats) -> Floats:
        """Return the ranks of systems, those drawn several times being as many with equal scores."""
        above = values[:, :, None] > values[:, None, :]
        same = values[:, :, None] == values[:, None, :]
        return np.asarray(((above + self._share * same) * times[:, None, :]).sum(axis=2))

    def closed_interval(self, value: float, confidence: float, *, by_name: bool) -> tuple[float, float]:
        """Return Fisher's interval; of our own accord, with the spread that ranks have."""
        return fisher(value, self.points.count, confidence, ranks=not by_name)

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """Rank what was drawn: a point that was drawn k times is k points with equal scores."""
        points = self.points
        found = np.empty((draws.replicates, points.groups))
        items, item, systems, system = draws.of(points)
        _native.drawn_spearman(
            values, points.human, points.offsets, items=items, item=item, systems=systems, system=system,
            threads=self.settings.threads, values=found,
        )  # fmt: skip
        return found[..., None]


class SpearmanTop(Spearman):
    """As TERp's optimizer ranks."""

    name = "spearman-top"
    ties = "equal scores share the best of their ranks, as in TERp's optimizer; undefined if one side is constant"
    _share = 1.0

    def compared(self, values: Floats) -> Floats:
        """Return ranks, the best of those that equal scores share."""
        ranks = super().compared(values)
        return ranks + _half_ties(ranks, self.points.offsets)

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """The rank of a point is the sum of draws up to its score."""
        points = self.points
        found = np.empty((draws.replicates, points.groups))
        for group, (begin, end) in enumerate(zip(points.offsets[:-1], points.offsets[1:], strict=True)):
            some = slice(begin, end)
            orders = [_ends(values[some]), _ends(points.human[some])]
            step = max(1, _BLOCK_BYTES // (64 * int(end - begin)))
            for first in range(0, draws.replicates, step):
                rows = slice(first, first + step)
                times = np.ones((len(found[rows]), end - begin))
                for drawn, codes in ((draws.items, points.item), (draws.systems, points.system)):
                    if drawn is not None:
                        times *= drawn[rows][:, codes[some]]
                total = times.sum(axis=1, keepdims=True)
                x, y = (np.cumsum(times[:, order], axis=1)[:, last] - total / 2 for order, last in orders)
                columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
                found[rows, group] = of_sums(*((times * one).sum(axis=1) for one in columns))
        return found[..., None]


def _half_ties(ranks: Floats, offsets: Any) -> Floats:
    """Return by how much the best of the ranks that a point shares lies above their mean: (ties - 1) / 2."""
    size = 2 * int(offsets[-1]) + 2
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)) * size
    extra = np.empty_like(ranks)
    for row, out in zip(ranks, extra, strict=True):
        _, which, counts = np.unique(group + (2 * row).astype(np.int64), return_inverse=True, return_counts=True)
        out[:] = (counts[which] - 1) / 2
    return extra


def _ends(values: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the order of values, and for each value where the last of its equals stands in it."""
    order = np.argsort(values, kind="stable")
    return order, np.searchsorted(values[order], values, side="right") - 1

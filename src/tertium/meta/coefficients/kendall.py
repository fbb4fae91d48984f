"""Kendall's tau: concordant minus discordant pairs, with four ways to count ties."""

from typing import Any

import numpy as np

from tertium.meta.coefficients.base import ratio
from tertium.meta.coefficients.pair_counts import PairCounts, every
from tertium.metrics.base import Floats


class KendallA(PairCounts):
    """(C - D) / N."""

    name = "kendall-a"
    ties = "a tied pair counts in N only"

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return (C - D) / N."""
        return ratio(counts[..., 0] - counts[..., 1], every(counts))


class KendallB(PairCounts):
    """(C - D) / sqrt((C + D + Tm) (C + D + Th))."""

    name = "kendall-b"
    ties = "ties of either side leave that side's count of pairs"

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Take two square roots: the product of two counts may be beyond what a double holds exactly."""
        ordered = counts[..., 0] + counts[..., 1]
        by_people, by_metric = np.sqrt(ordered + counts[..., 3]), np.sqrt(ordered + counts[..., 2])
        return np.clip(ratio(ratio(counts[..., 0] - counts[..., 1], by_people), by_metric), -1, 1)


class KendallC(PairCounts):
    """2 (C - D) / (n^2 (k - 1) / k), with n^2 / 2 = N n / (n - 1)."""

    name = "kendall-c"
    ties = "scaled by the fewer distinct scores"
    on_preferences = False

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return (C - D) / (N n / (n - 1) (k - 1) / k)."""
        spread = every(counts) * ratio(sizes, sizes - 1) * ratio(distinct - 1, distinct)
        return ratio(counts[..., 0] - counts[..., 1], spread)

    def distinct(self, values: Floats) -> Floats:
        """Count them."""
        fewest = _distinct(self.points.human[None], self.points.offsets)
        return np.minimum(fewest, _distinct(values, self.points.offsets))


class Kendall23(PairCounts):
    """(C + Thm - D - Th - Tm) / N (Deutsch et al. 2023)."""

    name = "kendall-23"
    ties = "tied in both is right, tied in one is wrong"
    chance = None

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return right pairs minus wrong ones, of all."""
        right = counts[..., 0] + counts[..., 4]
        return ratio(2 * right - every(counts), every(counts))


def _distinct(values: Floats, offsets: Any) -> Floats:
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    counts = []
    for row in values:
        ordered = row[np.lexsort((row, group))]
        new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        new[offsets[:-1]] = True
        counts.append(np.add.reduceat(new.astype(np.float64), offsets[:-1]))
    return np.stack(counts)

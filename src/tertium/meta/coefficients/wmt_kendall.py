"""Kendall's tau as WMT's metrics tasks had it: all groups' pairs are pooled, and human ties dropped."""

from dataclasses import replace
from typing import Any

import numpy as np

from tertium.meta.coefficients.base import Measured, ratio
from tertium.meta.coefficients.pair_counts import PairCounts
from tertium.meta.coefficients.points import Draws
from tertium.metrics.base import Floats


class WMT12(PairCounts):
    """(C - D - Tm) / (C + D + Tm)."""

    name = "wmt12"
    ties = "human ties dropped, a metric tie is discordant"
    pooled = across_sets = True

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return (C - D - Tm) / (C + D + Tm)."""
        against = counts[..., 1] + counts[..., 3]
        return ratio(counts[..., 0] - against, counts[..., 0] + against)


class WMT13(PairCounts):
    """(C - D) / (C + D)."""

    name = "wmt13"
    ties = "human ties and metric ties dropped"
    pooled = across_sets = True

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return (C - D) / (C + D)."""
        return ratio(counts[..., 0] - counts[..., 1], counts[..., 0] + counts[..., 1])


class WMT14(PairCounts):
    """(C - D) / (C + D + Tm)."""

    name = "wmt14"
    ties = "human ties dropped, a metric tie counts 0"
    pooled = across_sets = True

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return (C - D) / (C + D + Tm)."""
        return ratio(counts[..., 0] - counts[..., 1], counts[..., 0] + counts[..., 1] + counts[..., 3])


class KendallLike(WMT12):
    """WMT12's, of pairs whose human scores are at least a threshold apart (WMT 2017 to 2020)."""

    name = "kendall-like"
    ties = "human scores closer than the threshold dropped, a metric tie is discordant"
    across_sets = False
    on_preferences = False

    def statistics(self, values: Floats, epsilon: float | None = None) -> Floats:
        """Return counts (lists, groups, 3) of pairs that are far enough apart."""
        threshold = self.settings.threshold
        return np.concatenate([self.gap_counts(self.points.human, one, threshold, above=False) for one in values])

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """Return the same of what was drawn."""
        return self.gap_counts(self.points.human, values, self.settings.threshold, above=False, draws=draws)

    def of_totals(self, totals: Floats) -> Floats:
        """Return C minus all others, of all; 0 where no pair is left, as mt-metrics-eval does: `measured` says so."""
        kept = totals.sum(axis=-1)
        return np.nan_to_num(ratio(2 * totals[..., 0] - kept, kept), nan=0.0)

    def far_enough(self, by_people: Floats) -> Any:
        """Leave out pairs that are too close."""
        return np.abs(by_people) >= self.settings.threshold

    def measured(self, scores: Floats) -> Measured:
        """Say where people's scores are too close."""
        found = super().measured(scores)
        if found.statistics is None or found.statistics.any():
            return found
        return replace(found, empty=f"no two human scores are {self.settings.threshold:g} apart")

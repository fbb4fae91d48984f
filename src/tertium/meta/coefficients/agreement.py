"""The share of pairs that a metric orders as people do."""

from tertium.meta.coefficients.base import ratio
from tertium.meta.coefficients.pair_counts import PairCounts
from tertium.metrics.base import Floats


class PairAgreement(PairCounts):
    """C / (C + D + Tm)."""

    name = "agreement"
    ties = "human ties dropped, a metric tie is no agreement"
    pooled = across_sets = True
    least = 0.0
    chance = 0.5

    @staticmethod
    def of_counts(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return C / (C + D + Tm)."""
        return ratio(counts[..., 0], counts[..., 0] + counts[..., 1] + counts[..., 3])

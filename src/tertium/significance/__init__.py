"""Is the difference real? Tests, intervals, corrections for many tests, and ranks."""

from tertium.significance.clusters import Rank, clusters, ranked
from tertium.significance.comparison import Comparison, Comparisons, compare
from tertium.significance.corrections import adjusted
from tertium.significance.intervals import Confidence, Interval, bca, confidence, percentile
from tertium.significance.power import detectable_difference, power_of, segments_needed
from tertium.significance.runs import Runs
from tertium.significance.sacrebleu import PairedResult, like_sacrebleu

__all__ = [
    "Comparison",
    "Comparisons",
    "Confidence",
    "Interval",
    "PairedResult",
    "Rank",
    "Runs",
    "adjusted",
    "bca",
    "clusters",
    "compare",
    "confidence",
    "detectable_difference",
    "like_sacrebleu",
    "percentile",
    "power_of",
    "ranked",
    "segments_needed",
]

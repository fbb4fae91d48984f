"""Is the difference real? Tests, intervals, corrections for many tests, and ranks."""

from tertium.lazy import lazy

HOMES = {
    "rank_clusters": "Rank clusters ranked",
    "comparison": "Comparison Comparisons compare",
    "corrections": "adjusted",
    "intervals": "Confidence Interval bca confidence percentile",
    "power": "detectable_difference power_of segments_needed",
    "runs": "Runs",
    "sacrebleu": "PairedResult like_sacrebleu",
}
__getattr__, __dir__, __all__ = lazy(__name__, HOMES)

"""Does a metric agree with people? Judgments, correlation, comparisons of metrics."""

from tertium.lazy import lazy

HOMES = {
    "agreement": "Agreement",
    "averages": "AverageRank average_ranks",
    "coefficients": "METHODS",
    "comparison": "MetricComparison MetricComparisons compare_metrics",
    "correlation": "Coefficient Correlation Correlations coefficient correlate",
    "dependent": "DependentTest steiger williams",
    "orange_score": "Orange Oranges orange",
    "ranking": "MetricRank MetricRanks rank_metrics",
    "thresholds": "Threshold thresholds",
    "tasks": "Task TaskAverage TaskAverages task_averages",
    "tuning.tune": "Tuning tune",
}
__getattr__, __dir__, __all__ = lazy(__name__, HOMES)

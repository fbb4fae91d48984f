"""Does a metric agree with people? Judgments, correlation, comparisons of metrics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.meta.agreement import Agreement
    from tertium.meta.averages import AverageRank, average_ranks
    from tertium.meta.coefficients import METHODS
    from tertium.meta.correlation import Coefficient, Correlation, Correlations, coefficient, correlate
    from tertium.meta.dependent import DependentTest, steiger, williams
    from tertium.meta.orange_score import Orange, Oranges, orange
    from tertium.meta.pairwise import MetricComparison, MetricComparisons, compare_metrics
    from tertium.meta.ranking import MetricRank, MetricRanks, rank_metrics
    from tertium.meta.tasks import Task, TaskAverage, TaskAverages, task_averages
    from tertium.meta.tuning.tune import Tuning, tune

# Names are loaded when first used: reading judgments needs no correlation, and scipy only a few tests.
_HOMES = {
    "Agreement": "agreement",
    "AverageRank": "averages",
    "average_ranks": "averages",
    "Coefficient": "correlation",
    "Correlation": "correlation",
    "Correlations": "correlation",
    "coefficient": "correlation",
    "correlate": "correlation",
    "DependentTest": "dependent",
    "steiger": "dependent",
    "williams": "dependent",
    "METHODS": "coefficients",
    "MetricComparison": "pairwise",
    "MetricComparisons": "pairwise",
    "compare_metrics": "pairwise",
    "Orange": "orange_score",
    "Oranges": "orange_score",
    "orange": "orange_score",
    "Task": "tasks",
    "TaskAverage": "tasks",
    "TaskAverages": "tasks",
    "task_averages": "tasks",
    "Tuning": "tuning",
    "tune": "tuning",
    "MetricRank": "ranking",
    "MetricRanks": "ranking",
    "rank_metrics": "ranking",
}

__all__ = [
    "METHODS",
    "Agreement",
    "AverageRank",
    "Coefficient",
    "Correlation",
    "Correlations",
    "DependentTest",
    "MetricComparison",
    "MetricComparisons",
    "MetricRank",
    "MetricRanks",
    "Orange",
    "Oranges",
    "Task",
    "TaskAverage",
    "TaskAverages",
    "Tuning",
    "average_ranks",
    "coefficient",
    "compare_metrics",
    "correlate",
    "orange",
    "rank_metrics",
    "steiger",
    "task_averages",
    "tune",
    "williams",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tertium.meta' has no attribute '{name}'")
    value = getattr(import_module(f"tertium.meta.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

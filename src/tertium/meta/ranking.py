"""Metrics in order, in clusters that chance does not tell apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.comparison import MetricComparisons, compare_metrics
from tertium.meta.score_grid import GridSource
from tertium.meta.task_sets import TASKS
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, interval, number
from tertium.significance.rank_clusters import ranked


@dataclass(frozen=True)
class MetricRank(Result):
    """Where a metric stands: `rank` counts clusters from the best.

    A cluster ends where every metric above is significantly better than every metric below; or as WMT's tasks have it.
    `best` and `worst` are the places that it may have.
    """

    metric: str
    value: float
    low: float | None
    high: float | None
    rank: int
    best: int
    worst: int
    n: int


@dataclass(frozen=True, repr=False)
class MetricRanks(Shown):
    """Metrics, best first, and the tests behind their ranks."""

    ranks: tuple[MetricRank, ...]
    comparisons: MetricComparisons
    like: str | None = None  # the task whose way of ranking it is

    def of(self, metric: str) -> MetricRank:
        """Return where a metric stands."""
        return next(one for one in self.ranks if one.metric == metric)

    def clusters(self) -> list[list[str]]:
        """Return the metrics cluster by cluster."""
        groups: dict[int, list[str]] = {}
        for one in self.ranks:
            groups.setdefault(one.rank, []).append(one.metric)
        return list(groups.values())

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each metric."""
        return [one.to_dict() for one in self.ranks]

    def table(self) -> Table:
        """Return the metrics, best first."""
        rows = [
            [str(one.rank), title(one.metric), number(one.value, 3), interval(one.low, one.high, 3)]
            for one in self.ranks
        ]
        heads = ["Rank", "Metric", self.comparisons.method, "Interval"]
        return Table("Metrics by agreement with people", heads, rows, [self.comparisons.signature], words=2)

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium rank --format json` prints of one condition."""
        return {"like": self.like, "ranks": [one.to_dict() for one in self.ranks]} | self.comparisons.to_dict()


def rank_metrics(
    scores: GridSource | Mapping[str, Any],
    judgments: Judgments | Any,
    level: str = "segment",
    method: str = "pearson",
    group: str = "none",
    *,
    like: str | None = None,
    **how: Any,
) -> MetricRanks:
    """Rank metrics by their agreement with people; other arguments are those of `compare_metrics`.

    `like` is a WMT metrics task, such as wmt23: a cluster opens as soon as one metric of the current one is better, by
    perm-both without the real labelling, stopped early; what you say of the test counts more.
    """
    how = settings_like(like, how)
    return placed(compare_metrics(scores, judgments, level, method, group, **how), like)


def placed(compared: MetricComparisons, like: str | None = None) -> MetricRanks:
    """Rank metrics that were compared."""
    ranks = ranked(
        "",
        compared.values,
        {(one.metric, one.baseline): one.significant for one in compared.comparisons},
        higher_is_better=True,
        like_wmt=like is not None,
    )
    count = compared.comparisons[0].n
    found = []
    for one in ranks:
        low, high = compared.intervals[one.system] or (None, None)
        found.append(MetricRank(one.system, one.score, low, high, one.cluster, one.best, one.worst, count))
    return MetricRanks(tuple(found), compared, like)


def settings_like(like: str | None, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a WMT metrics task tests, unless it is said otherwise."""
    if like is None:
        return dict(how)
    if like not in TASKS:
        raise UnknownNameError.of("metrics task", like, TASKS)
    return {"test": "perm-both", "plus_one": False, "stop_early": True, **how}

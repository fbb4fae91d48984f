"""One figure for a metric over several test sets: the weighted average over tasks, as WMT's metrics tasks have it.

A task is a coefficient at a level, for one language pair or pooled over several. Coefficients from -1 to 1 are mapped
to 0 to 1 first, so that they can be averaged with accuracies.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, Message, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.coefficients import METHODS, method_of
from tertium.meta.coefficients.base import Settings
from tertium.meta.correlation import correlate
from tertium.meta.ranking import MetricRanks
from tertium.meta.score_grid import Grid, GridSource, grids
from tertium.meta.task_sets import TASKS, Task, wmt23, wmt24
from tertium.meta.task_tests import TaskTests
from tertium.metrics.base import thread_count
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, number
from tertium.significance.sampling import SEED

__all__ = ["TASKS", "Task", "TaskAverage", "TaskAverages", "task_averages", "wmt23", "wmt24"]


@dataclass(frozen=True)
class TaskAverage(Result):
    """A metric's weighted average over tasks; `values` are its coefficients, as they are, in the order of the tasks.

    With tests, `rank` counts clusters, `best` and `worst` are the places it may have, `low` and `high` are the interval
    of the average; without, `rank` is its place.
    """

    metric: str
    rank: int
    average: float
    values: tuple[float, ...]
    low: float | None = None
    high: float | None = None
    best: int | None = None
    worst: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {
            "metric": self.metric, "rank": self.rank, "average": self.average, "low": self.low, "high": self.high,
            "best": self.best, "worst": self.worst, "values": list(self.values),
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class TaskAverages(Shown):
    """Metrics by their average over tasks, best first."""

    averages: tuple[TaskAverage, ...]
    tasks: tuple[Task, ...]
    dropped: tuple[str, ...]  # what was left out, in words
    ranks: MetricRanks | None = None  # with the tests behind ranks, where they were asked for

    def __getitem__(self, metric: str) -> TaskAverage:
        """Return a metric's average."""
        for one in self.averages:
            if one.metric == metric:
                return one
        raise UnknownNameError.of("metric", metric, [one.metric for one in self.averages])

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each metric, with a column for each task."""
        names = [task.name for task in self.tasks]
        return [
            {"metric": one.metric, "rank": one.rank, "average": one.average} | dict(zip(names, one.values, strict=True))
            for one in self.averages
        ]

    def table(self) -> Table:
        """Return the averages, best first."""
        rows = [[str(one.rank), title(one.metric), number(one.average, 3)] for one in self.averages]
        return Table(f"Averages over {len(self.tasks)} tasks", ["Rank", "Metric", "Average"], rows, words=2)

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium rank --tasks … --format json` prints."""
        return {
            "tertium": __version__,
            "tasks": [task.to_dict() for task in self.tasks],
            "dropped": list(self.dropped),
            **({} if self.ranks is None else self.ranks.comparisons.to_dict() | {"like": self.ranks.like}),
            "averages": [one.to_dict() for one in self.averages],
        }


def task_averages(
    sets: Mapping[str, tuple[GridSource, Judgments]],
    tasks: str | Sequence[Task] = "wmt24",
    *,
    kind: str | None = None,
    test: str | None = None,
    like: str | None = None,
    samples: int = 1000,
    seed: int = SEED,
    correction: str = "none",
    alpha: float = 0.05,
    threads: int | None = None,
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> TaskAverages:
    """Average metrics over tasks: `sets` are scores and judgments (as `correlate` takes them) by language pair.

    `tasks` is wmt23, wmt24, wmt25 or tasks of your own. Metrics that lack a value in some task are left out, and named.
    With a `test`, `two-sided` or another permutation test of `compare_metrics`, averages get clusters and intervals:
    what is swapped, or drawn, in a task counts as much as the task does. `like` wmt23 tests and clusters as WMT does.
    """
    if not sets:
        raise InputError("There is no test set to average over.")
    if isinstance(tasks, str):
        if tasks not in TASKS:
            raise UnknownNameError.of("set of tasks", tasks, TASKS)
        tasks = TASKS[tasks](list(sets))
    _check(tasks, sets)
    maker = _Values(sets, kind, threads)
    columns: list[dict[str, float]] = []
    for task in tasks:
        progress(task.name, len(columns) / len(tasks))
        columns.append(maker.of(task))
    names = list(dict.fromkeys(name for column in columns for name in column))
    whole = [name for name in names if all(not math.isnan(column.get(name, math.nan)) for column in columns)]
    for name in names:
        if name not in whole:
            lacking = [task.name for task, column in zip(tasks, columns, strict=True)
                       if math.isnan(column.get(name, math.nan))]  # fmt: skip
            maker.dropped[f"{name} has no value in {', '.join(lacking)}; it was left out."] = None
    if not whole:
        raise InputError("No metric has a value in every task. " + " ".join(maker.dropped))
    weights = [task.weight for task in tasks]
    found = {}
    for name in whole:
        values = [column[name] for column in columns]
        mapped = [task.mapped(value) for value, task in zip(values, tasks, strict=True)]
        found[name] = float(np.average(mapped, weights=weights)), tuple(values)
    order = sorted(found, key=lambda name: (-found[name][0], name))
    averages = tuple(
        TaskAverage(name, 1 + sum(other > found[name][0] for other, _ in found.values()), *found[name])
        for name in order
    )
    dropped = tuple(maker.dropped)
    if (test is None and like is None) or len(order) < 2:
        return TaskAverages(averages, tuple(tasks), dropped)
    tests = TaskTests(sets, tasks, order, kind=kind, test=test, like=like, samples=samples, seed=seed, threads=threads)
    ranks = tests.ranks({one.metric: one.average for one in averages}, correction, alpha, dropped, progress)
    placed = {one.metric: one for one in ranks.ranks}
    averages = tuple(
        replace(one, rank=at.rank, low=at.low, high=at.high, best=at.best, worst=at.worst)
        for one, at in ((one, placed[one.metric]) for one in averages)
    )
    return TaskAverages(averages, tuple(tasks), dropped, ranks)


def _check(tasks: Sequence[Task], sets: Mapping[str, Any]) -> None:
    if not tasks:
        raise InputError("There is no task to average over.")
    for task in tasks:
        method = method_of(task.method)
        for pair in task.pairs:
            if pair not in sets:
                raise UnknownNameError.of("test set", pair, sets)
        if not task.pairs or not (math.isfinite(task.weight) and task.weight > 0):
            raise InputError(f"The task '{task.name}' needs a language pair and a weight above 0.")
        if len(task.pairs) > 1 and not (method.across_sets and task.level == "system"):
            raise InputError(f"{task.method} cannot be pooled over language pairs: give a task for each.")


class _Values:
    """Finds the coefficients of all metrics in a task; what test sets share is made once."""

    def __init__(self, sets: Mapping[str, tuple[GridSource, Judgments]], kind: str | None, threads: int | None) -> None:
        self._sets, self._kind, self._threads = sets, kind, threads
        self.dropped: dict[str, None] = {}

    def of(self, task: Task) -> dict[str, float]:
        if len(task.pairs) > 1:
            return self._pooled(task)
        pair = task.pairs[0]
        scores, judgments = self._sets[pair]
        found = correlate(
            scores, judgments, task.level, task.method, task.group, kind=self._kind, interval="none",
            threads=self._threads,
        )  # fmt: skip
        kinds = {one.kind for one in found}
        if len(kinds) > 1:
            several = f"{pair} has several kinds of judgments: {', '.join(sorted(kinds))}. Say which: "
            raise InputError(several, Argument("kind"), ".")
        self._tell(pair, found.dropped)
        for one in found:
            if one.note and not math.isnan(one.value):
                self.dropped[f"{one.metric} ({task.name}): {one.note}."] = None
        return {one.metric: one.value for one in found}

    def _pooled(self, task: Task) -> dict[str, float]:
        by_pair = {pair: self._grid(pair, task.level) for pair in task.pairs}
        names = dict.fromkeys(name for grid in by_pair.values() for name in grid.metrics)
        found = {}
        for name in names:
            if all(name in grid.metrics for grid in by_pair.values()):
                human = np.concatenate([np.where(np.isnan(g.metrics[name]), np.nan, g.human)[:, 0]
                                        for g in by_pair.values()])  # fmt: skip
                ours = np.concatenate([np.nan_to_num(grid.metrics[name][:, 0]) for grid in by_pair.values()])
                sizes = [len(grid.systems) for grid in by_pair.values()]
                items = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
                settings = Settings(threads=thread_count(self._threads))
                found[name] = METHODS[task.method](human, None, items, "item", settings).value(ours)
        return found

    def _grid(self, pair: str, level: str) -> Grid:
        scores, judgments = self._sets[pair]
        found = list(grids(scores, judgments, level, kinds=None if self._kind is None else [self._kind]))
        if len(found) != 1:
            kinds = ", ".join(grid.kind for grid in found) or "none"
            raise InputError(
                f"{pair} has {level} judgments of these kinds: {kinds}. Say which: ", Argument("kind"), "."
            )
        self._tell(pair, found[0].dropped)
        return found[0]

    def _tell(self, pair: str, messages: Sequence[str]) -> None:
        for message in messages:
            self.dropped[Message(f"{pair}: ", message)] = None

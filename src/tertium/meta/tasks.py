"""One figure for a metric over several test sets: the weighted average over tasks, as WMT's metrics tasks have it.

A task is a coefficient at a level, for one language pair or pooled over several. Coefficients from -1 to 1 are mapped
to 0 to 1 first, so that they can be averaged with accuracies.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, Message, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.coefficients import METHODS, method_of
from tertium.meta.coefficients.base import Settings
from tertium.meta.correlation import correlate
from tertium.meta.score_grid import Grid, GridSource, grids
from tertium.metrics.base import thread_count
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, number

_SHORT = {"segment": "seg", "document": "doc", "system": "sys"}


@dataclass(frozen=True, kw_only=True)
class Task:
    """A coefficient at a level, for language pairs (several: pooled, pairs of systems never mixing them)."""

    level: str
    method: str
    group: str = "none"
    pairs: tuple[str, ...]
    weight: float = 1.0

    @property
    def name(self) -> str:
        """What it is called in tables."""
        where = self.pairs[0] if len(self.pairs) == 1 else "all"
        return " ".join(part for part in (where, _SHORT.get(self.level, self.level), self.method) if part)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {
            "task": self.name, "pairs": list(self.pairs), "level": self.level, "method": self.method,
            "group": self.group, "weight": self.weight,
        }  # fmt: skip


def wmt23(pairs: Sequence[str]) -> tuple[Task, ...]:
    """WMT 2023: pooled accuracy with the weight of all pairs; for each, Pearson of systems and segments, and acc-eq."""
    tasks = [Task(level="system", method="pairwise-accuracy", pairs=tuple(pairs), weight=float(len(pairs)))]
    tasks += [Task(level="system", method="pearson", pairs=(pair,)) for pair in pairs]
    tasks += [Task(level="segment", method="pearson", pairs=(pair,)) for pair in pairs]
    tasks += [Task(level="segment", method="acc-eq", group="item", pairs=(pair,)) for pair in pairs]
    return tuple(tasks)


def wmt24(pairs: Sequence[str]) -> tuple[Task, ...]:
    """WMT 2024 and 2025: for each pair soft pairwise accuracy of systems and acc-eq of segments, all alike."""
    tasks = [Task(level="system", method="soft-pairwise-accuracy", pairs=(pair,)) for pair in pairs]
    tasks += [Task(level="segment", method="acc-eq", group="item", pairs=(pair,)) for pair in pairs]
    return tuple(tasks)


TASKS: dict[str, Callable[[Sequence[str]], tuple[Task, ...]]] = {"wmt23": wmt23, "wmt24": wmt24, "wmt25": wmt24}


@dataclass(frozen=True)
class TaskAverage(Result):
    """A metric's weighted average over tasks; `values` are its coefficients, as they are, in the order of the tasks."""

    metric: str
    rank: int
    average: float
    values: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {"metric": self.metric, "rank": self.rank, "average": self.average, "values": list(self.values)}


@dataclass(frozen=True, repr=False)
class TaskAverages(Shown):
    """Metrics by their average over tasks, best first."""

    averages: tuple[TaskAverage, ...]
    tasks: tuple[Task, ...]
    dropped: tuple[str, ...]  # what was left out, in words

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
            "averages": [one.to_dict() for one in self.averages],
        }


def task_averages(
    sets: Mapping[str, tuple[GridSource, Judgments]],
    tasks: str | Sequence[Task] = "wmt24",
    *,
    kind: str | None = None,
    threads: int | None = None,
    progress: Callable[[str], None] = lambda message: None,
) -> TaskAverages:
    """Average metrics over tasks: `sets` are scores and judgments (as `correlate` takes them) by language pair.

    `tasks` is wmt23, wmt24, wmt25 or tasks of your own. Metrics that lack a value in some task are left out, and named.
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
        progress(task.name)
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
        mapped = [_mapped(value, task.method) for value, task in zip(values, tasks, strict=True)]
        found[name] = float(np.average(mapped, weights=weights)), tuple(values)
    order = sorted(found, key=lambda name: (-found[name][0], name))
    averages = tuple(
        TaskAverage(name, 1 + sum(other > found[name][0] for other, _ in found.values()), *found[name])
        for name in order
    )
    return TaskAverages(averages, tuple(tasks), tuple(maker.dropped))


def _mapped(value: float, method: str) -> float:
    """Map coefficients that start at -1 to 0 to 1."""
    return (value + 1) / 2 if METHODS[method].least < 0 else value


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

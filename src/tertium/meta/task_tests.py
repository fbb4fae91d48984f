"""Is one metric better than another on average over tasks?

A trial's difference is the weighted mean of the differences in all tasks, as the average is of their coefficients.
Tasks of one test set look at the same scores, so items that are swapped in one, or drawn, are in all of them: with
random numbers of their own, the mean would vary less than it does. WMT's tasks swap independently.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.coefficients import METHODS
from tertium.meta.coefficients.base import Settings
from tertium.meta.comparison import TESTS, Cells, MetricComparison, MetricComparisons, Tester, judged_cells
from tertium.meta.intervals import FEWEST, Asked, of_replicates
from tertium.meta.ranking import MetricRanks, placed, settings_like
from tertium.meta.score_grid import GridSource
from tertium.meta.task_sets import Task
from tertium.metrics.base import Floats, thread_count
from tertium.significance.corrections import adjusted
from tertium.significance.randomization import TOLERANCE
from tertium.significance.sampling import check_samples, check_seed, check_share

PERMUTATIONS = tuple(name for name in TESTS if name not in ("williams", "steiger", "bootstrap"))


class TaskTests:
    """Tests metrics on average over tasks; `metrics` have a value in each."""

    def __init__(
        self, sets: Mapping[str, tuple[GridSource, Judgments]], tasks: Sequence[Task], metrics: Sequence[str], *,
        kind: str | None, test: str | None, like: str | None, samples: int, seed: int, threads: int | None,
    ) -> None:  # fmt: skip
        how = settings_like(like, {} if test is None else {"test": test})
        self.test, self.like, self.samples = how.get("test", "two-sided"), like, check_samples(samples, least=2)
        self._kind, self._seed, self._plus_one = kind, check_seed(seed), how.get("plus_one", True)
        if self.test not in PERMUTATIONS:
            raise UnknownNameError.of("test of averages over tasks", self.test, PERMUTATIONS)
        total = sum(task.weight for task in tasks)
        self._weights = [task.weight / total for task in tasks]
        self._tasks, self._metrics = tasks, metrics
        self._sets, self._threads = sets, thread_count(threads)
        self._testers = [self._tester(task, number) for number, task in enumerate(tasks)]

    def _tester(self, task: Task, number: int) -> Tester:
        """Return what tests metrics in one task; tasks of one test set have the same random numbers."""
        cells = [self._cells(pair, task) for pair in task.pairs]
        one = cells[0] if len(cells) == 1 else _pooled(cells)
        method = METHODS[task.method]
        by_systems = method.of_systems or task.level == "system"
        group = "item" if len(cells) > 1 else "none" if by_systems else task.group
        prepared = method(one.human, one.systems, one.items, group, Settings(threads=self._threads))
        place = list(self._sets).index(task.pairs[0]) if len(cells) == 1 else len(self._sets)
        key = [self._seed, place if self.test == "two-sided" else number]
        seed = int(np.random.SeedSequence(key).generate_state(1)[0])
        asked = Asked("bootstrap", 0.95, self.samples, seed, "sys" if by_systems else "item")
        kind = "perm-both" if len(cells) > 1 and self.test == "perm-inputs" else self.test
        return Tester(prepared, one, asked, kind, self.samples, self._plus_one, False)

    def _cells(self, pair: str, task: Task) -> Cells:
        scores, judgments = self._sets[pair]
        cells = judged_cells(scores, judgments, task.level, self._kind, task.method, metrics=self._metrics)
        if absent := [name for name in self._metrics if name not in cells.metrics]:
            raise InputError(f"{task.name}: {', '.join(absent)} cannot be tested there. Leave it out.")
        return cells

    def ranks(
        self, averages: Mapping[str, float], correction: str, alpha: float, dropped: Collection[str],
        progress: Callable[[str, float], None],
    ) -> MetricRanks:  # fmt: skip
        """Rank metrics, given their averages best first."""
        check_share("alpha", alpha)
        order = list(averages)
        pairs = [(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))]
        p_values: list[float] = []
        for better, worse in pairs:
            progress(f"{better} against {worse}", len(p_values) / len(pairs))
            p_values.append(self._p_value(better, worse))
        comparisons = tuple(
            MetricComparison(
                one, two, averages[one], averages[two], averages[one] - averages[two], p, float(p_adjusted), None, None,
                bool(p_adjusted <= alpha), len(self._tasks), self.samples,
            )
            for (one, two), p, p_adjusted in zip(pairs, p_values, adjusted(p_values, correction), strict=True)
        )  # fmt: skip
        intervals = {name: self._interval(name, 1 - alpha) for name in order}
        return placed(
            MetricComparisons(
                comparisons, tuple(order), dict(averages), self.test, "average", "none", None, self._kind, self.samples,
                self._seed, correction, alpha, intervals, tuple(dropped),
            ),
            self.like,
        )  # fmt: skip

    def _p_value(self, better: str, worse: str) -> float:
        real, trials = 0.0, np.zeros(self.samples)
        for task, weight, tester in zip(self._tasks, self._weights, self._testers, strict=True):
            here, swapped = tester.trials_of(better, worse)
            real += weight * task.scale * here
            trials += weight * task.scale * np.nan_to_num(swapped)
        if self.test == "two-sided":
            real, trials = abs(real), np.abs(trials)
        against = int((trials >= real - TOLERANCE).sum())
        return (against + 1) / (self.samples + 1) if self._plus_one else against / self.samples

    def _interval(self, name: str, confidence: float) -> tuple[float, float] | None:
        """Return the interval of an average; none where a task has too little to draw from."""
        found: Floats = np.zeros(self.samples)
        for task, weight, tester in zip(self._tasks, self._weights, self._testers, strict=True):
            if tester.prepared.drawn_points.count < FEWEST:
                return None
            found = found + weight * task.mapped(tester.drawn(name))
        spread = of_replicates(found, confidence)
        return None if spread.low is None or spread.high is None else (spread.low, spread.high)


def _pooled(cells: Sequence[Cells]) -> Cells:
    """Put the systems of several test sets together; their set is their item, so that no pair mixes two."""
    sizes = [len(one.human) for one in cells]
    systems = np.arange(sum(sizes), dtype=np.int32)
    items = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    metrics = {name: np.concatenate([one.metrics[name] for one in cells]) for name in cells[0].metrics}
    # Each system is swapped by itself.
    return replace(
        cells[0], human=np.concatenate([one.human for one in cells]), metrics=metrics, systems=systems, items=items,
        documents=systems,
    )  # fmt: skip

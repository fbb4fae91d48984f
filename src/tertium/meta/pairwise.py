"""Is one metric better than another? Both are held against the same human scores, on the same points.

Permutation tests (Deutsch et al. 2021) swap the two metrics' scores, standardised, where it would not matter if the
metrics were equally good: in each cell (perm-both), for whole systems (perm-sys) or for whole items (perm-inputs). For
acc-eq the outcomes of pairs are swapped instead, each metric keeping its own calibrated distance.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.agreement import THRESHOLD, Agreement, pearson_by_group
from tertium.meta.coefficients.methods import METHODS, check_group, method_of
from tertium.meta.coefficients.points import given, matrix_of, numbers
from tertium.meta.correlation import all_equal, why_nothing, why_undefined
from tertium.meta.dependent import steiger, williams
from tertium.meta.resampled import UNITS, Draws, draw, drawn_points, interval_of, replicate_values
from tertium.meta.score_grid import Grid, GridSource, grids, matrix_grid, systems_of
from tertium.meta.system_draws import SystemDraws, drawn_soft, drawn_values
from tertium.metrics.base import Floats, thread_count
from tertium.significance.corrections import CORRECTIONS, adjusted
from tertium.significance.intervals import percentile
from tertium.significance.randomization import TOLERANCE
from tertium.significance.sampling import (
    GENERATOR,
    SEED,
    check_samples,
    check_seed,
    check_share,
    state_of,
    subset_sums,
)

TESTS = ("perm-both", "perm-sys", "perm-inputs", "williams", "steiger", "bootstrap")
_BLOCK = 100  # trials between two looks at whether it is worth going on
_STOP_BELOW, _STOP_ABOVE = 0.02, 0.5  # mt-metrics-eval's


@dataclass(frozen=True)
class MetricComparison:
    """One test: `difference` is the metric's coefficient minus the baseline's, `p_value` is one-sided: above 0.

    `low` and `high` are the bootstrap interval of the difference, where that was asked for.
    """

    metric: str
    baseline: str
    value: float
    baseline_value: float
    difference: float
    p_value: float
    p_adjusted: float
    low: float | None
    high: float | None
    significant: bool
    n: int
    samples: int
    statistic: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)


@dataclass(frozen=True)
class MetricComparisons:
    """All pairs of metrics, the better one first, and how they were tested."""

    comparisons: tuple[MetricComparison, ...]
    metrics: tuple[str, ...]  # best first
    values: dict[str, float]
    test: str
    method: str
    group: str
    level: str | None
    kind: str | None
    samples: int
    seed: int
    correction: str
    alpha: float
    intervals: dict[str, tuple[float, float] | None]
    dropped: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """What fixes the p-values."""
        return (
            f"{self.test}:method={self.method},group={self.group},samples={self.samples},seed={self.seed},"
            f"generator={GENERATOR},correction={self.correction},alpha={self.alpha:g}|tertium={__version__}"
        )

    @property
    def matrix(self) -> dict[str, dict[str, float | None]]:
        """Adjusted p-values: `matrix[better][worse]`; None below the diagonal."""
        found = {(one.metric, one.baseline): one.p_adjusted for one in self.comparisons}
        return {a: {b: found.get((a, b)) for b in self.metrics} for a in self.metrics}

    def of(self, metric: str, baseline: str) -> MetricComparison:
        """Return the test of a pair; the better metric is the first."""
        for one in self.comparisons:
            if (one.metric, one.baseline) == (metric, baseline):
                return one
        raise InputError(f"There is no test of '{metric}' against '{baseline}'. Metrics, best first: {self.metrics}.")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "test": {
                "signature": self.signature, "test": self.test, "method": self.method, "group": self.group,
                "level": self.level, "kind": self.kind, "samples": self.samples, "seed": self.seed,
                "correction": self.correction, "alpha": self.alpha,
            },
            "dropped": list(self.dropped),
            "comparisons": [one.to_dict() for one in self.comparisons],
            "matrix": self.matrix,
        }  # fmt: skip


def compare_metrics(
    scores: GridSource | Mapping[str, Any],
    judgments: Judgments | Any,
    level: str = "segment",
    method: str = "pearson",
    group: str = "none",
    *,
    test: str = "perm-both",
    kind: str | None = None,
    systems: Sequence[Any] | None = None,
    items: Sequence[Any] | None = None,
    samples: int = 1000,
    seed: int = SEED,
    correction: str = "none",
    alpha: float = 0.05,
    plus_one: bool = True,
    stop_early: bool = False,
    threshold: float = THRESHOLD,
    sample_rate: float = 1.0,
    unit: str | None = None,
    lengths: Floats | None = None,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Callable[[str], None] = lambda message: None,
) -> MetricComparisons:
    """Test every pair of metrics: does the better one agree with people better by more than chance?

    `scores` and `judgments` are as for `correlate`; or plain: {metric: scores} and human scores, lists or matrices of
    systems x items, higher being better. p is one-sided; `plus_one=False` leaves out the real labelling, and
    `stop_early=True` gives up once p is clearly below 0.02 or above 0.5, as mt-metrics-eval does.
    """
    method_of(method)
    check_group(group)
    for what, value, known in (("test", test, TESTS), ("correction", correction, tuple(CORRECTIONS))):
        if value not in known:
            raise UnknownNameError.of(what, value, known)
    check_samples(samples, least=1)
    check_share("alpha", alpha)
    if unit is not None and unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    found = _plain_grid(scores, judgments, systems, items) if isinstance(scores, Mapping) else _judged_grid(
        scores, judgments, level, kind, method, lengths, documents, unit
    )  # fmt: skip
    of_systems = METHODS[method].of_systems and group == "none" and found.level is None
    if of_systems and unit in ("item", "both") and found.systems is not None and found.items is not None:
        matrices = {name: matrix_of(one, found.systems, found.items) for name, one in found.metrics.items()}
        found = replace(found, grid=matrix_grid(matrix_of(found.human, found.systems, found.items), matrices))
    asked = _Asked(
        method, "none" if found.level == "system" or METHODS[method].of_systems else group, test, samples,
        check_seed(seed), plus_one, stop_early, threshold, sample_rate,
        unit or ("sys" if found.level == "system" or METHODS[method].of_systems else "item"), 1 - alpha,
        thread_count(threads),
    )  # fmt: skip
    return _compared(found, asked, correction, alpha, progress)


@dataclass(frozen=True)
class _Asked:
    method: str
    group: str
    test: str
    samples: int
    seed: int
    plus_one: bool
    stop_early: bool
    threshold: float
    sample_rate: float
    unit: str
    confidence: float
    threads: int

    def agreement(self, human: Floats, systems: Any, items: Any) -> Agreement:
        return Agreement(
            human, method=self.method, group=self.group, systems=systems, items=items, threshold=self.threshold,
            sample_rate=self.sample_rate, threads=self.threads,
        )  # fmt: skip


@dataclass(frozen=True)
class _Cells:
    """What is compared: flat scores of metrics and people."""

    human: Floats
    metrics: dict[str, Floats]
    systems: Any
    items: Any
    level: str | None
    kind: str | None
    dropped: tuple[str, ...] = ()
    grid: Grid | None = None  # of systems, where the segments behind their scores are to be drawn


def _plain_grid(scores: Mapping[str, Any], human: Any, systems: Any, items: Any) -> _Cells:
    if len(scores) < 2:
        raise InputError("There is only one metric. Give at least two to compare.")
    people = numbers(human, "human_scores", may_miss=True)
    flat = {name: given(values, people, systems, items) for name, values in scores.items()}
    one = next(iter(flat.values()))
    return _Cells(one.human, {name: each.metric for name, each in flat.items()}, one.systems, one.items, None, None)


def _judged_grid(
    scores: GridSource, judgments: Judgments, level: str, kind: str | None, method: str, lengths: Any, documents: Any,
    unit: str | None,
) -> _Cells:  # fmt: skip
    soft, below = METHODS[method].family == "soft", level == "system" and unit in ("item", "both")
    if METHODS[method].of_systems and level != "system":
        raise InputError(f"{method} compares systems: use ", Argument("level", "system"), ".")
    found = list(grids(scores, judgments, level, kinds=None if kind is None else [kind], lengths=lengths,
                       documents=documents, segments_too=soft or below))  # fmt: skip
    if not found:
        raise InputError(why_nothing(judgments, [level], [method], systems_of(scores), preferences=False))
    if len(found) > 1:
        raise InputError(
            f"Metrics are compared on one kind of judgment, but there are {level}-level judgments of {len(found)} "
            "kinds. Say which: ",
            Argument("kind"),
            f", one of {', '.join(grid.kind for grid in found)}.",
        )
    grid: Grid = found[0]
    human, metrics = (grid.segment_human, grid.segment_metrics) if soft else (grid.human, grid.metrics)
    if len(metrics) < 2:
        raise InputError("There is only one metric. Give at least two to compare.")
    # Only points that every metric scored: otherwise two metrics would be compared on different ones.
    absent = np.any([np.isnan(one) for one in metrics.values()], axis=0)
    lost = int((absent & ~np.isnan(human)).sum())
    dropped = [
        *grid.dropped,
        *([f"{lost:,} judged points lack the score of a metric and were left out."] if lost else []),
    ]
    systems, items = np.indices(human.shape, np.int32).reshape(2, -1)
    return _Cells(
        np.where(absent, np.nan, human).ravel(),
        {name: np.where(absent, 0.0, one).ravel() for name, one in metrics.items()},
        systems, items, level, grid.kind, tuple(dropped), grid if below else None,
    )  # fmt: skip


def _compared(
    cells: _Cells, asked: _Asked, correction: str, alpha: float, progress: Callable[[str], None]
) -> MetricComparisons:
    agreement = asked.agreement(cells.human, cells.systems, cells.items)
    values = {name: agreement.value(one) for name, one in cells.metrics.items()}
    for name, value in values.items():
        if math.isnan(value):
            why = why_undefined(agreement, cells.metrics[name])
            hint = " Leave it out." if "metric scores" in why else ""
            raise InputError(f"Metrics cannot be ranked: {asked.method} of '{name}' is {why}.{hint}")
        constant = all_equal(agreement, cells.metrics[name])
        if constant:
            hint = f" Leave out '{name}'." if "metric" in constant else ""
            raise InputError(f"Metrics cannot be ranked by {asked.method} of '{name}': {constant}.{hint}")
    if agreement.method.family == "gaps" and not agreement.statistics(agreement.points.human[None]).any():
        raise InputError(
            f"Metrics cannot be ranked: no two human scores are {asked.threshold:g} apart, so {asked.method} has no "
            "pair to look at. Give a lower ",
            Argument("threshold"),
            ".",
        )
    order = sorted(values, key=lambda name: (-values[name], name))
    tester = _Tester(agreement, cells, asked)
    pairs = [(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))]
    results = []
    for better, worse in pairs:
        progress(f"{better} against {worse}")
        results.append(tester.test(better, worse, values[better] - values[worse]))
    p_values = adjusted([one.p_value for one in results], correction)
    count = agreement.soft.systems if agreement.soft is not None else agreement.points.count
    comparisons = tuple(
        MetricComparison(
            better, worse, values[better], values[worse], values[better] - values[worse], result.p_value, float(p),
            result.low, result.high, bool(p <= alpha), count, result.samples, result.statistic,
        )
        for (better, worse), result, p in zip(pairs, results, p_values, strict=True)
    )  # fmt: skip
    intervals = {name: tester.interval(name, values[name]) for name in order}
    dropped = (*cells.dropped, *tester.notes)
    return MetricComparisons(
        comparisons, tuple(order), {name: values[name] for name in order}, asked.test, asked.method, asked.group,
        cells.level, cells.kind, asked.samples, asked.seed, correction, alpha, intervals, dropped,
    )  # fmt: skip


@dataclass(frozen=True)
class _Result:
    p_value: float
    samples: int
    low: float | None = None
    high: float | None = None
    statistic: float | None = None


class _Tester:
    """Tests pairs of metrics; what they share is made once."""

    def __init__(self, agreement: Agreement, cells: _Cells, asked: _Asked) -> None:
        self._agreement, self._cells, self._asked = agreement, cells, asked
        self._judged = np.flatnonzero(~np.isnan(cells.human))
        self._replicates: dict[str, Floats] = {}
        self._draws: Draws | None = None
        self._outcomes: dict[str, Floats] = {}
        self._below: SystemDraws | None = None
        self._people: Floats | None = None
        self.notes: dict[str, None] = {}  # what one should know of the results

    def test(self, better: str, worse: str, difference: float) -> _Result:
        """Test whether the better metric is really better."""
        if self._asked.test in ("williams", "steiger"):
            return self._closed(better, worse)
        if self._asked.test == "bootstrap":
            return self._bootstrapped(better, worse)
        if self._agreement.method.family == "calibrated":
            return self._pairs_swapped(better, worse, difference)
        return self._permuted(better, worse, difference)

    def interval(self, name: str, value: float) -> tuple[float, float] | None:
        """Return the interval of one metric's coefficient."""
        asked = self._asked
        if self._cells.grid is not None:
            if self._agreement.points.count < 4 and self._agreement.soft is None:
                self.notes[f"{self._agreement.points.count} points are too few for an interval."] = None
                return None
            found = self._drawn(name)
            found = found[~np.isnan(found)]
            return percentile(found, asked.confidence) if len(found) * 2 > asked.samples else None
        spread = interval_of(
            self._agreement, self._cells.metrics[name], value, interval="auto", level=asked.confidence,
            samples=max(asked.samples, 2), seed=asked.seed, unit=asked.unit, draws=self._draws,
        )  # fmt: skip
        if spread.note:
            self.notes[f"{spread.note[0].upper()}{spread.note[1:]}."] = None
        return None if spread.low is None or spread.high is None else (spread.low, spread.high)

    def _closed(self, better: str, worse: str) -> _Result:
        points = self._agreement.points
        if self._agreement.method.family not in ("moments", "ranks") or points.group != "none":
            use = Argument("test", "perm-both")
            raise InputError(f"{self._asked.test} is for pearson and spearman without groups. Use ", use, ".")
        ours = [self._agreement.of_points(self._cells.metrics[name][None]) for name in (better, worse)]
        people = points.human
        if self._agreement.method.family == "ranks":
            ours = [self._agreement.ranks(one) for one in ours]
            people = self._agreement.ranks(people[None])[0]
        r12, r13 = (float(pearson_by_group(one, people, points.offsets)[0, 0]) for one in ours)
        r23 = float(pearson_by_group(ours[0], ours[1][0], points.offsets)[0, 0])
        test = (williams if self._asked.test == "williams" else steiger)(r12, r13, r23, points.count)
        return _Result(test.p_value, 0, statistic=test.statistic)

    def _drawn(self, name: str) -> Floats:
        if name not in self._replicates and self._cells.grid is not None:
            self._replicates[name] = self._drawn_below(self._cells.grid, name)
        if name not in self._replicates:
            if self._draws is None:
                self._draws = draw(
                    drawn_points(self._agreement), self._asked.unit, self._asked.samples, self._asked.seed
                )  # fmt: skip
            self._replicates[name] = replicate_values(self._agreement, self._cells.metrics[name], self._draws)
        return self._replicates[name]

    def _drawn_below(self, grid: Grid, name: str) -> Floats:
        """Draw the segments behind the scores of systems."""
        soft = self._agreement.soft
        if self._below is None:
            self._below = SystemDraws.of(grid, self._asked.unit, max(self._asked.samples, 2), self._asked.seed)
        why = self._below.whole(name, soft=soft is not None) if self._below.segments else "no segments were judged"
        if why:
            unit, use = Argument("unit", self._asked.unit), Argument("unit", "sys")
            raise InputError(unit, f" draws segments, but {why}. Use ", use, ".")
        if soft is not None:
            values, self._people = drawn_soft(soft, grid.segment_metrics[name], self._below, self._people)
            return values
        if self._people is None:
            self._people = self._below.human()
        used = ~np.isnan(self._cells.human.reshape(len(grid.systems), -1)).all(axis=1)
        epsilon = self._agreement.epsilon(self._agreement.of_points(self._cells.metrics[name][None])[0])
        return drawn_values(self._below, self._agreement, name, self._people, epsilon, used)

    def _bootstrapped(self, better: str, worse: str) -> _Result:
        differences = self._drawn(better) - self._drawn(worse)
        differences = differences[~np.isnan(differences)]
        if not len(differences):
            raise InputError(
                f"{self._asked.method} of '{better}' or '{worse}' is undefined in every replicate: there are too few "
                "points to draw from. Use ",
                Argument("test", "perm-both"),
                ".",
            )
        low, high = percentile(differences, self._asked.confidence)
        against = int((differences <= TOLERANCE).sum())
        return _Result(self._share(against, len(differences)), len(differences), low, high)

    def _share(self, count: int, trials: int) -> float:
        return (count + 1) / (trials + 1) if self._asked.plus_one else count / trials

    def _masks(self, units: int, trials: int) -> Any:
        return np.random.default_rng(self._asked.seed).integers(2, size=(trials, units), dtype=bool)

    def _units(self) -> tuple[Any, int]:
        """Return what is swapped as a whole: the unit of each judged cell, and how many there are."""
        cells, test = self._cells, self._asked.test
        if test == "perm-both":
            return np.arange(len(self._judged)), len(self._judged)
        codes = cells.systems if test == "perm-sys" else cells.items
        if codes is None:
            needed = "systems=" if test == "perm-sys" else "items="
            raise InputError(f"{test} needs {needed}, or scores as a matrix of systems x items.")
        _, places = np.unique(codes[self._judged], return_inverse=True)
        return places, int(places.max()) + 1

    def _permuted(self, better: str, worse: str, difference: float) -> _Result:
        one, two = (_standard(self._cells.metrics[name][self._judged]) for name in (better, worse))
        units, count = self._units()
        # The statistic is that of standardised scores: for some methods (distances in the human scores) it is the same.
        real = self._value(one) - self._value(two)
        limit = real - TOLERANCE
        if self._agreement.method.name == "pearson" and self._agreement.points.group == "none":
            return self._permuted_pearson(one, two, units, count, limit)
        masks = self._masks(count, self._asked.samples)
        against = done = 0
        for begin in range(0, self._asked.samples, _BLOCK):
            swaps = masks[begin : begin + _BLOCK][:, units]
            first, second = np.where(swaps, two, one), np.where(swaps, one, two)
            found = self._values(first) - self._values(second)
            against += int((found >= limit).sum())
            done += len(swaps)
            if self._enough(against, done):
                break
        return _Result(self._share(against, done), done)

    def _enough(self, against: int, done: int) -> bool:
        return self._asked.stop_early and not _STOP_BELOW <= against / done <= _STOP_ABOVE

    def _permuted_pearson(self, one: Floats, two: Floats, units: Any, count: int, limit: float) -> _Result:
        """Sums of products change by what is swapped, so a trial is a sum over a random subset of units."""
        human = _standard(self._cells.human[self._judged])
        moved = np.stack([two - one, two * two - one * one, (two - one) * human])
        rows = np.stack([np.bincount(units, weights=column, minlength=count) for column in moved], axis=-1)
        against = done = 0
        state = state_of(self._asked.seed)
        step = _BLOCK if self._asked.stop_early else self._asked.samples
        while done < self._asked.samples:
            trials = min(step, self._asked.samples - done)
            sums = subset_sums(np.ascontiguousarray(rows), state, done, trials, self._asked.threads)
            found = _pearson_of(one, human, sums) - _pearson_of(two, human, -sums)
            against += int((found >= limit).sum())
            done += trials
            if self._enough(against, done):
                break
        return _Result(self._share(against, done), done)

    def _value(self, judged: Floats) -> float:
        return float(self._values(judged[None])[0])

    def _values(self, judged: Floats) -> Floats:
        scores = np.zeros((len(judged), len(self._cells.human)))
        scores[:, self._judged] = judged
        return self._agreement.values(scores)

    def _pairs_swapped(self, better: str, worse: str, difference: float) -> _Result:
        """Swap the outcomes of pairs: what a swap changes is known beforehand, pair by pair."""
        off = self._outcome(better) - self._outcome(worse)
        moved = off[off != 0][:, None]
        if not len(moved):
            return _Result(1.0, self._asked.samples)
        limit = difference - TOLERANCE
        against = done = 0
        state = state_of(self._asked.seed)
        step = _BLOCK if self._asked.stop_early else self._asked.samples
        while done < self._asked.samples:
            trials = min(step, self._asked.samples - done)
            sums = subset_sums(np.ascontiguousarray(moved), state, done, trials, self._asked.threads)[0]
            against += int((difference - 2 * sums >= limit).sum())
            done += trials
            if self._enough(against, done):
                break
        return _Result(self._share(against, done), done)

    def _outcome(self, name: str) -> Floats:
        """Return, for each pair of points in a group, what it adds to the accuracy."""
        if name not in self._outcomes:
            points = self._agreement.points
            values = self._agreement.of_points(self._cells.metrics[name][None])[0]
            epsilon = self._agreement.epsilon(values) or 0.0
            parts = []
            for begin, end in zip(points.offsets[:-1].tolist(), points.offsets[1:].tolist(), strict=True):
                first, second = np.triu_indices(end - begin, 1)
                ours = values[begin:end][first] - values[begin:end][second]
                people = np.sign(points.human[begin:end][first] - points.human[begin:end][second])
                right = np.where(np.abs(ours) <= epsilon, 0.0, np.sign(ours)) == people
                parts.append(right / (len(first) * points.groups))
            self._outcomes[name] = np.concatenate(parts)
        return self._outcomes[name]


def _standard(values: Floats) -> Floats:
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread if spread > 0 else 1.0))


def _pearson_of(scores: Floats, human: Floats, moved: Floats) -> Floats:
    """Return the correlation in each trial; `moved` (3, trials) is added to the sums of x, x^2 and xy."""
    n = len(scores)
    x, xx, xy = (
        float(base) + more for base, more in zip((scores.sum(), scores @ scores, scores @ human), moved, strict=True)
    )
    y, yy = float(human.sum()), float(human @ human)
    below = (n * xx - x * x) * (n * yy - y * y)
    values: Floats = np.divide(n * xy - x * y, np.sqrt(np.maximum(below, 1e-300)))
    return values

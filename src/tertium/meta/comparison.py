"""Is one metric better than another? Both are held against the same human scores, on the same points.

Permutation tests (Deutsch et al. 2021) swap the two metrics' scores, standardised, where it would not matter if the
metrics were equally good: in each cell (perm-both), for whole systems (perm-sys) or for whole items (perm-inputs). For
acc-eq the outcomes of pairs (perm-both) or of all pairs of an item (perm-inputs) are swapped instead, each metric
keeping its own calibrated distance; perm-sys swaps scores and calibrates anew.

These ask whether the metric that looks better is better, so the side is picked after looking: of equal metrics, twice
as many as alpha says are called different, and far more by perm-both, for the scores of an item are alike. The
default, `two-sided`, swaps whole items (systems, where those are the points) and counts both directions.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.coefficients import METHODS, method_of
from tertium.meta.coefficients.base import THRESHOLD, Measured, Method, Settings, Swaps
from tertium.meta.coefficients.points import UNITS, Draws, check_group, draw, given, matrix_of, numbers
from tertium.meta.correlation import why_nothing, why_undefined
from tertium.meta.dependent import steiger, williams
from tertium.meta.intervals import FEWEST, Asked, of_replicates
from tertium.meta.score_grid import Grid, GridSource, grids, matrix_grid, systems_of
from tertium.meta.segment_draws import SegmentDraws
from tertium.metrics.base import Floats, thread_count
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, number
from tertium.significance.corrections import CORRECTIONS, adjusted
from tertium.significance.intervals import percentile
from tertium.significance.randomization import TOLERANCE
from tertium.significance.sampling import GENERATOR, SEED, check_samples, check_seed, check_share

TESTS = ("two-sided", "perm-both", "perm-sys", "perm-inputs", "williams", "steiger", "bootstrap")
_BLOCK = 100  # trials between two looks at whether it is worth going on
_STOP_BELOW, _STOP_ABOVE = 0.02, 0.5  # mt-metrics-eval's


@dataclass(frozen=True)
class MetricComparison(Result):
    """One test: `difference` is the metric's coefficient minus the baseline's, above 0: the better metric is the first.

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


@dataclass(frozen=True, repr=False)
class MetricComparisons(Shown):
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

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each pair."""
        return [one.to_dict() for one in self.comparisons]

    def table(self) -> Table:
        """Return the p-values of all pairs, the better metric first."""
        rows = [
            [title(one.metric), title(one.baseline), f"{one.difference:+.3f}", number(one.p_adjusted, 4)]
            for one in self.comparisons
        ]
        return Table("Pairs of metrics", ["Metric", "Better than", "Difference", "p"], rows, [self.signature], words=2)

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
    test: str = "two-sided",
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
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> MetricComparisons:
    """Test every pair of metrics: does the better one agree with people better by more than chance?

    `scores` and `judgments` are as for `correlate`; or plain: {metric: scores} and human scores, lists or matrices of
    systems x items, higher being better. p is one-sided in all tests but `two-sided`; `plus_one=False` leaves out the
    real labelling, and `stop_early=True` gives up once p is clearly below 0.02 or above 0.5, as mt-metrics-eval does.
    """
    of_systems = method_of(method).of_systems
    check_group(group)
    for what, value, known in (
        ("test", test, TESTS), ("correction", correction, tuple(CORRECTIONS)), ("unit", unit or UNITS[0], UNITS),
    ):  # fmt: skip
        if value not in known:
            raise UnknownNameError.of(what, value, known)
    check_samples(samples, least=1)
    check_share("alpha", alpha)
    cells = _plain_cells(scores, judgments, systems, items) if isinstance(scores, Mapping) else judged_cells(
        scores, judgments, level, kind, method, lengths, documents, unit
    )  # fmt: skip
    if of_systems and group == "none" and unit in ("item", "both") and cells.level is None:
        cells = cells.with_items_behind()
    by_systems = of_systems or cells.level == "system"
    settings = Settings(threshold, sample_rate, threads=thread_count(threads))
    prepared = METHODS[method](cells.human, cells.systems, cells.items, "none" if by_systems else group, settings)
    asked = Asked("auto", 1 - alpha, max(samples, 2), check_seed(seed), unit or ("sys" if by_systems else "item"))
    tester = Tester(prepared, cells, asked, test, samples, plus_one, stop_early)
    return _compared(tester, correction, alpha, progress)


def better_by_chance(
    ours: Floats, baseline: Floats, human: Floats, method: str, group: str, *, systems: Sequence[Any],
    items: Sequence[Any], units: Any, threshold: float = THRESHOLD, samples: int = 1000, seed: int = SEED,
) -> float:  # fmt: skip
    """Return how likely chance alone makes one metric better than another by so much, which one being said beforehand.

    One-sided: whole `units`, items or documents, are swapped, each score having one.
    """
    cells = replace(_plain_cells({"ours": ours, "baseline": baseline}, human, systems, items), documents=units)
    prepared = METHODS[method](cells.human, cells.systems, cells.items, group, Settings(threshold))
    tester = Tester(prepared, cells, Asked("none", 0.95, samples, seed, "item"), "perm-inputs", samples, True, False)
    for name, one in tester.measured.items():
        _refuse_empty(prepared, name, one)
    real, trials = tester.trials_of("ours", "baseline")
    return (int((trials >= real - TOLERANCE).sum()) + 1) / (samples + 1)


@dataclass(frozen=True, eq=False)
class Cells:
    """What is compared: flat scores of metrics and people."""

    human: Floats
    metrics: dict[str, Floats]
    systems: Any
    items: Any
    level: str | None
    kind: str | None
    dropped: tuple[str, ...] = ()
    grid: Grid | None = None  # of systems, where the segments behind their scores are to be drawn
    documents: Any = None  # of items, where those are swapped as a whole

    @property
    def units(self) -> Any:
        """What perm-inputs swaps: items, or the documents they belong to."""
        return self.items if self.documents is None else self.documents

    def with_items_behind(self) -> "Cells":
        """Return them with the items behind the means of systems, where both are known."""
        if self.systems is None or self.items is None:
            return self
        matrices = {name: matrix_of(one, self.systems, self.items) for name, one in self.metrics.items()}
        return replace(self, grid=matrix_grid(matrix_of(self.human, self.systems, self.items), matrices))


def _plain_cells(scores: Mapping[str, Any], human: Any, systems: Any, items: Any) -> Cells:
    if len(scores) < 2:
        raise InputError("There is only one metric. Give at least two to compare.")
    people = numbers(human, "human_scores", may_miss=True)
    flat = {name: given(values, people, systems, items) for name, values in scores.items()}
    one = next(iter(flat.values()))
    return Cells(one.human, {name: each.metric for name, each in flat.items()}, one.systems, one.items, None, None)


def judged_cells(
    scores: GridSource, judgments: Judgments, level: str, kind: str | None, method: str, lengths: Any = None,
    documents: Any = None, unit: str | None = None, metrics: Collection[str] | None = None,
) -> Cells:  # fmt: skip
    """Return what a test set's metrics (all, or some) and people said of the same points at a level."""
    by_segments, below = METHODS[method].by_segments, level == "system" and unit in ("item", "both")
    if METHODS[method].of_systems and level != "system":
        raise InputError(f"{method} compares systems: use ", Argument("level", "system"), ".")
    found = list(grids(scores, judgments, level, kinds=None if kind is None else [kind], lengths=lengths,
                       documents=documents, segments_too=by_segments or below))  # fmt: skip
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
    human, every = grid.compared(by_segments=by_segments)
    every = every if metrics is None else {name: one for name, one in every.items() if name in metrics}
    judged = ~np.isnan(human)
    there = {name: one for name, one in every.items() if not np.isnan(one[judged]).all()}
    empty = [name for name in every if name not in there]
    if len(there) < 2:
        why = f" {', '.join(empty)} scored no judged {level}." if empty else ""
        raise InputError(f"There is only one metric.{why} Give at least two to compare.")
    # Only points that every metric scored: otherwise two metrics would be compared on different ones.
    absent = np.any([np.isnan(one) for one in there.values()], axis=0)
    lost = int((absent & ~np.isnan(human)).sum())
    dropped = [
        *grid.dropped,
        *([f"No judged {level} has a score of {', '.join(empty)}: left out."] if empty else []),
        *([f"{lost:,} judged points lack the score of a metric and were left out."] if lost else []),
    ]
    systems, items = np.indices(human.shape, np.int32).reshape(2, -1)
    return Cells(
        np.where(absent, np.nan, human).ravel(),
        {name: np.where(absent, 0.0, one).ravel() for name, one in there.items()},
        systems, items, level, grid.kind, tuple(dropped), grid if below else None,
    )  # fmt: skip


def _compared(
    tester: "Tester", correction: str, alpha: float, progress: Callable[[str, float], None]
) -> MetricComparisons:
    prepared, cells, asked = tester.prepared, tester.cells, tester.asked
    values = {name: one.value for name, one in tester.measured.items()}
    for name, one in tester.measured.items():
        _refuse_empty(prepared, name, one)
    order = sorted(values, key=lambda name: (-values[name], name))
    pairs = [(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))]
    results: list[_Result] = []
    for better, worse in pairs:
        progress(f"{better} against {worse}", len(results) / len(pairs))
        results.append(tester.test(better, worse, values[better] - values[worse]))
    p_values = adjusted([one.p_value for one in results], correction)
    comparisons = tuple(
        MetricComparison(
            better, worse, values[better], values[worse], values[better] - values[worse], result.p_value, float(p),
            result.low, result.high, bool(p <= alpha), prepared.drawn_points.count, result.samples, result.statistic,
        )
        for (better, worse), result, p in zip(pairs, results, p_values, strict=True)
    )  # fmt: skip
    intervals = {name: tester.interval(name) for name in order}
    dropped = (*cells.dropped, *tester.notes)
    return MetricComparisons(
        comparisons, tuple(order), {name: values[name] for name in order}, tester.kind, prepared.name,
        prepared.points.group, cells.level, cells.kind, tester.trials, asked.seed, correction, alpha, intervals,
        dropped,
    )  # fmt: skip


def _refuse_empty(prepared: Method, name: str, measured: Measured) -> None:
    """Refuse a coefficient that is undefined, or that says nothing."""
    side = measured.constant
    if math.isnan(measured.value):
        hint = " Leave it out." if side == "metric" else ""
        why = why_undefined(prepared, side)
        raise InputError(f"Metrics cannot be ranked: {prepared.name} of '{name}' is {why}.{hint}")
    if side:
        hint = f" Leave out '{name}'." if side == "metric" else ""
        raise InputError(f"Metrics cannot be ranked by {prepared.name} of '{name}': all {side} scores are equal.{hint}")
    if measured.empty:
        raise InputError(
            f"Metrics cannot be ranked: {measured.empty}, so {prepared.name} has no pair to look at. Give a lower ",
            Argument("threshold"),
            ".",
        )


@dataclass(frozen=True)
class _Result:
    p_value: float
    samples: int
    low: float | None = None
    high: float | None = None
    statistic: float | None = None


class Tester:
    """Tests pairs of metrics; what they share is made once. `kind` is one of `TESTS`."""

    def __init__(
        self, prepared: Method, cells: Cells, asked: Asked, kind: str, trials: int, plus_one: bool, stop_early: bool
    ) -> None:
        self.prepared, self.cells, self.asked, self.kind, self.trials = prepared, cells, asked, kind, trials
        self._plus_one, self._stop_early = plus_one, stop_early
        self.measured = {name: prepared.measured(scores) for name, scores in cells.metrics.items()}
        self._count = prepared.drawn_points.count
        self._judged = np.flatnonzero(~np.isnan(cells.human))
        self._replicates: dict[str, Floats] = {}
        self._draws: Draws | None = None
        self._below: SegmentDraws | None = None
        self.notes: dict[str, None] = {}  # what one should know of the results
        threads = prepared.settings.threads
        self._swaps = Swaps(cells.metrics, self._judged, self._units, trials, asked.seed, threads, self._swapped)

    def test(self, better: str, worse: str, difference: float) -> _Result:
        """Test whether the better metric is really better."""
        if self.kind in ("williams", "steiger"):
            return self._closed(better, worse)
        if self.kind == "bootstrap":
            return self._bootstrapped(better, worse)
        return self._permuted(better, worse, difference)

    def trials_of(self, one: str, two: str) -> tuple[float, Floats]:
        """Return the real difference of two metrics' coefficients, and the difference in each trial."""
        difference = self.measured[one].value - self.measured[two].value
        real, trials = self.prepared.permuted(one, two, difference, self._swaps)
        return real, trials(0, self.trials)

    def interval(self, name: str) -> tuple[float, float] | None:
        """Return the interval of one metric's coefficient."""
        if self.cells.grid is None:
            spread = self.asked.spread(self.prepared, self.cells.metrics[name], self.measured[name], self._draws)
            note = spread.note
        elif self._count < FEWEST and not self.prepared.by_segments:
            self.notes[f"{self._count} points are too few for an interval."] = None
            return None
        else:
            spread, note = of_replicates(self.drawn(name), self.asked.confidence), ""
        if note:
            self.notes[f"{note[0].upper()}{note[1:]}."] = None
        return None if spread.low is None or spread.high is None else (spread.low, spread.high)

    def _closed(self, better: str, worse: str) -> _Result:
        if not self.prepared.closed:
            use = Argument("test", "two-sided")
            raise InputError(f"{self.kind} is for pearson and spearman without groups. Use ", use, ".")
        found = self.prepared.correlations(self.cells.metrics[better], self.cells.metrics[worse])
        test = (williams if self.kind == "williams" else steiger)(*found, self._count)
        return _Result(test.p_value, 0, statistic=test.statistic)

    def _bootstrapped(self, better: str, worse: str) -> _Result:
        differences = self.drawn(better) - self.drawn(worse)
        differences = differences[~np.isnan(differences)]
        if not len(differences):
            raise InputError(
                f"{self.prepared.name} of '{better}' or '{worse}' is undefined in every replicate: there are too few "
                "points to draw from. Use ",
                Argument("test", "two-sided"),
                ".",
            )
        low, high = percentile(differences, self.asked.confidence)
        against = int((differences <= TOLERANCE).sum())
        return _Result(self._share(against, len(differences)), len(differences), low, high)

    def drawn(self, name: str) -> Floats:
        """Return a metric's coefficient in each replicate."""
        if name not in self._replicates:
            scores = self.cells.metrics[name]
            if self.cells.grid is not None:
                self._replicates[name] = self._drawn_below(self.cells.grid, name)
            else:
                if self._draws is None:
                    self._draws = draw(self.prepared.drawn_points, self.asked.unit, self.trials, self.asked.seed)
                self._replicates[name] = self.prepared.replicates(scores, self._draws, self.measured[name])
        return self._replicates[name]

    def _drawn_below(self, grid: Grid, name: str) -> Floats:
        """Draw the segments behind the scores of systems."""
        asked, prepared = self.asked, self.prepared
        if self._below is None:
            self._below = SegmentDraws.of(grid, asked.unit, asked.samples, asked.seed)
        if why := self._below.why_not(name, by_segments=prepared.by_segments):
            unit, use = Argument("unit", asked.unit), Argument("unit", "sys")
            raise InputError(unit, f" draws segments, but {why}. Use ", use, ".")
        used = ~np.isnan(self.cells.human.reshape(len(grid.systems), -1)).all(axis=1)
        return prepared.over_segments(self._below, name, self.measured[name].epsilon, used)

    def _share(self, count: int, trials: int) -> float:
        return (count + 1) / (trials + 1) if self._plus_one else count / trials

    @property
    def _swapped(self) -> str:
        """Which permutation test's swaps are made; `two-sided` swaps items where points have several."""
        if self.kind != "two-sided":
            return self.kind
        items = self.cells.items
        return "perm-both" if items is None or len(np.unique(items[self._judged])) < 2 else "perm-inputs"

    def _units(self) -> tuple[Any, int]:
        """Return what is swapped as a whole: the unit of each judged cell, and how many there are."""
        if self._swapped == "perm-both":
            return np.arange(len(self._judged)), len(self._judged)
        codes = self.cells.systems if self._swapped == "perm-sys" else self.cells.units
        if codes is None:
            needed = "systems=" if self._swapped == "perm-sys" else "items="
            raise InputError(f"{self.kind} needs {needed}, or scores as a matrix of systems x items.")
        _, places = np.unique(codes[self._judged], return_inverse=True)
        return places, int(places.max()) + 1

    def _permuted(self, better: str, worse: str, difference: float) -> _Result:
        real, trials = self.prepared.permuted(better, worse, difference, self._swaps)
        size = abs if self.kind == "two-sided" else lambda value: value
        step = _BLOCK if self._stop_early else self.trials
        against = done = 0
        while done < self.trials:
            many = min(step, self.trials - done)
            against += int((size(trials(done, many)) >= size(real) - TOLERANCE).sum())
            done += many
            if self._stop_early and not _STOP_BELOW <= against / done <= _STOP_ABOVE:
                break
        return _Result(self._share(against, done), done)

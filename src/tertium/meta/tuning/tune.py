"""Tuning a metric to people, and what that is worth on judgments it has not seen."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import __version__
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.files.writing import write_whole
from tertium.judgments import Judgments
from tertium.meta.coefficients.base import THRESHOLD, standardised
from tertium.meta.comparison import better_by_chance
from tertium.meta.tuning.objectives import Objective, Task, task_of
from tertium.meta.tuning.searches import Found, Space, bounds_of, check_search, search, space_of, stepped, steps_between
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.names import metric_text, title
from tertium.metrics.tuning import Tunable, tuning
from tertium.results import Shown, Table, interval
from tertium.significance.intervals import percentile
from tertium.significance.sampling import SEED, check_samples, check_seed

SPLITS = ("document", "segment")
LEAST_UNITS = 4  # documents or segments in each fold, for an interval of the gain
_MOST_ROW_SETTINGS = 200
_SENSITIVITY_POINTS = 21

RowsOf = Callable[[Metric], Mapping[str, Floats]]  # a metric to the rows of each system


@dataclass(frozen=True)
class Fold:
    """What was learnt without some segments, and how it did on them."""

    values: dict[str, Any]
    tuned_on: float  # the agreement where it was tuned
    before: float  # on the segments held out, with the metric as it was
    after: float  # the same, with the values found
    segments: int  # held out
    evaluations: int


@dataclass(frozen=True, repr=False)
class Tuning(Shown):
    """A tuned metric with the evidence for it: `gain` is held out, with an interval; `better` if that is above 0."""

    metric: Metric
    start: str  # the untuned metric's signature
    values: dict[str, Any]
    values_before: dict[str, Any]
    kind: str
    level: str
    method: str
    group: str
    judged: int
    tuned_on_before: float
    tuned_on: float  # on everything: no evidence, only what the search reached
    held_out_before: float
    held_out: float
    gain: float
    low: float
    high: float
    p_value: float | None  # PERM-INPUTS, that the tuned metric agrees better; where points are segments
    folds: tuple[Fold, ...]
    split: str
    search: str
    seed: int
    samples: int
    trace: tuple[tuple[int, float], ...]
    sensitivity: dict[str, list[tuple[float, float]]]
    interrupted: bool
    rounds: int

    @property
    def better(self) -> bool:
        """Whether the whole interval of the held-out gain lies above 0."""
        return self.low > 0 and not self.interrupted

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        fields = {name: value for name, value in vars(self).items() if name != "metric"}
        whole = {
            "tertium": __version__, "metric": self.metric.name, "signature": self.metric.signature(),
            "text": metric_text(self.metric), "better": self.better, **fields,
            "folds": [asdict(fold) for fold in self.folds],
        }  # fmt: skip
        return {name: None if value != value else value for name, value in whole.items()}  # NaN: there is none

    def table(self) -> Table:
        """Return the settings before and after, and what the segments held out say."""
        rows = [[name, _shown(self.values_before.get(name)), _shown(value)] for name, value in self.values.items()]
        verdict = "better" if self.better else "not shown to be better"
        gain = f"{self.gain:+.3f} {interval(self.low, self.high, 3)}"
        held_out = f"{self.method} {_shown(self.held_out_before)} before, {_shown(self.held_out)} tuned, gain {gain}"
        return Table(
            f"{title(self.metric.name)} tuned to {self.kind}, by {self.level}: {verdict}",
            ["Setting", "Before", "Tuned"],
            rows,
            [f"Held out: {held_out}"],
        )

    def save(self, path: str | Path) -> None:
        """Write the values and where they come from, as JSON or TOML by the file's name; whole or not at all."""
        path = Path(path)
        kept = ("kind", "level", "method", "group", "judged", "held_out_before", "held_out", "gain", "low", "high",
                "p_value", "split", "search", "seed", "samples", "better")  # fmt: skip
        whole = self.to_dict()
        data = {
            "metric": metric_text(self.metric),
            "values": self.values,
            "tuned": {"from": self.start, "tertium": __version__, "folds": len(self.folds)}
            | {name: whole[name] for name in kept if whole[name] is not None},
        }
        text = _toml(data) if path.suffix == ".toml" else json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        write_whole(path, text)


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def tune(
    metric: Metric,
    rows: RowsOf,
    judgments: Judgments,
    *,
    level: str = "segment",
    method: str = "pearson",
    group: str = "none",
    kind: str | None = None,
    free: Sequence[str] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    search: str = "hill-climb",
    step: float = 0.05,
    restarts: int = 1,
    rounds: int = 1,
    folds: int = 5,
    split: str = "document",
    documents: Sequence[str] | None = None,
    lengths: Floats | None = None,
    threshold: float = THRESHOLD,
    samples: int = 1000,
    seed: int = SEED,
    state: str | Path | None = None,
    threads: int | None = None,
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> Tuning:
    """Look for values of a metric's settings that agree with people better, and test them on what was held out.

    `rows(metric)` gives the rows of every system. `free` names what may move (default: all that acts on fixed rows).
    Segments of one document (or copies of one source sentence) are always on the same side of a split. With
    `rounds` above 1, rows are made anew under the values found, and tuned again. `state` is a file in which
    finished folds are kept, so that a stopped run can be taken up.
    """
    check_search(search)
    check_samples(samples, least=2)
    check_seed(seed)
    if split not in SPLITS:
        raise UnknownNameError.of("split", split, SPLITS)
    if not 0 < step < math.inf:
        raise InputError(f"step must be a number above 0, not {step!r}.")
    plan = _Plan(
        metric, rows, free, dict(bounds or {}), search, step, restarts, max(rounds, 1), seed, thread_count(threads)
    )
    steps = folds + 3  # to align, each fold, all data, to test
    progress("aligning", 0)
    cube = plan.cube(metric)
    task = task_of(
        judgments, plan.systems, cube.shape[1], kind=kind, level=level, method=method, group=group,
        documents=documents, split=split, lengths=lengths, threshold=threshold,
    )  # fmt: skip
    parts = _folds(task, folds, seed)
    kept = _State(state, plan, task, cube, folds)
    results: list[Fold] = []
    tested: list[tuple[Objective, Objective, dict[str, Any]]] = []
    interrupted = False
    for number, held_out in enumerate(parts):
        rest = np.setdiff1d(np.arange(cube.shape[1]), held_out)
        found = kept.get(number)
        if found is None:
            found = plan.best(task, rest, _prefixed(f"fold {number + 1} of {folds}", (number + 1) / steps, progress))
            interrupted = found.interrupted
            if interrupted:
                break
            kept.put(number, found)
        before, after = plan.objectives(task, held_out, found.values)
        fixed = plan.fixed_part(found.values)
        tested.append((before, after, fixed))
        results.append(
            Fold(found.values, found.value, before.value({}), after.value(fixed), len(held_out), found.evaluations)
        )
    everything = np.arange(cube.shape[1])
    final = Found({}, plan.objective(task, metric, everything).value({}))
    if not interrupted:
        progress("all data", (folds + 1) / steps)
        final = plan.best(task, everything, _prefixed("all data", (folds + 1) / steps, progress))
        interrupted = final.interrupted
    elif found is not None:
        final = found
    chosen = plan.metric_of(final.values)
    before_all = plan.objective(task, metric, everything)
    gain, p_value, sensitivity = (math.nan, math.nan, math.nan), None, {}
    try:
        if results:
            progress("testing", (folds + 2) / steps)
            gain = _gain(tested, task, samples, seed)
            p_value = _p_value(tested, task, seed)
        sensitivity = plan.sensitivity(task, everything, final.values)
    except KeyboardInterrupt:
        interrupted = True
    return Tuning(
        metric=chosen, start=metric.signature(), values=final.values,
        values_before={name: plan.tunables[name].value for name in plan.free}, kind=task.kind, level=level,
        method=method, group=group, judged=task.judged, tuned_on_before=before_all.value({}), tuned_on=final.value,
        held_out_before=_mean(fold.before for fold in results), held_out=_mean(fold.after for fold in results),
        gain=gain[0], low=gain[1], high=gain[2], p_value=p_value, folds=tuple(results),
        split=split, search=search, seed=seed, samples=samples, trace=tuple(final.trace),
        sensitivity=sensitivity, interrupted=interrupted, rounds=plan.rounds,
    )  # fmt: skip


def _prefixed(what: str, share: float, progress: Callable[[str, float], None]) -> Callable[[str], None]:
    return lambda text: progress(f"{what}: {text}", share)


@dataclass(eq=False)
class _Plan:
    """What is moved, and how: everything about tuning but the judgments."""

    start: Metric
    rows: RowsOf
    asked: Sequence[str] | None
    bounds: dict[str, tuple[float, float]]
    search: str
    step: float
    restarts: int
    rounds: int
    seed: int
    threads: int

    def __post_init__(self) -> None:
        self.tunables: dict[str, Tunable] = tuning(self.start).tunables()
        if not self.tunables:
            raise InputError(f"{self.start.name} has no setting that can be tuned.")
        for name in (*(self.asked or ()), *self.bounds):
            if name not in self.tunables:
                raise UnknownNameError.of(f"setting of {self.start.name} to tune", name, self.tunables)
        usual = [name for name, tunable in self.tunables.items() if tunable.fixed_rows]
        self.free = list(dict.fromkeys(usual if self.asked is None else self.asked))
        if not self.free:
            raise InputError(
                f"No setting is free. Name some of {self.start.name}'s in ",
                Argument("free"),
                f": {', '.join(self.tunables)}.",
            )
        for name in self.bounds:
            if name not in self.free:
                raise InputError(
                    f"There are bounds for {name}, which is not free. Name it in ", Argument("free"), " as well."
                )
            if self.tunables[name].choices:
                raise InputError(f"{name} is no number, so it has no bounds. It can be {self._told(name)}.")
        self.space: Space = space_of(
            self.tunables, [name for name in self.free if self.tunables[name].fixed_rows], self.bounds
        )
        self._row_choices()
        if self.rounds > 1:
            self._check_rounds()
        self._cubes: dict[str, Floats] = {}
        self.systems: tuple[str, ...] = ()

    def _told(self, name: str) -> str:
        return ", ".join(self.tunables[name].choices)

    def _check_rounds(self) -> None:
        """Refuse settings that rows made under the values found would not have."""
        usual = tuning(tuning(self.start).with_values({})).realigned().signature()
        for name in self.free:
            tunable = self.tunables[name]
            if tunable.fixed_rows or tunable.choices:
                continue
            other = tunable.low if tunable.value != tunable.low else tunable.high
            if tuning(tuning(self.start).with_values({name: other})).realigned().signature() == usual:
                raise InputError(
                    f"With more than one round, rows are made with the values found, so {name} cannot be free as "
                    "well. Leave it out, or tune in one round."
                )

    def cube(self, metric: Metric) -> Floats:
        """Return the rows of all systems: systems x segments x columns; those made once are kept."""
        key = metric.signature()
        if key not in self._cubes:
            found = self.rows(metric)
            self.systems = tuple(found)
            self._cubes[key] = np.stack([np.asarray(found[name], np.float64) for name in found])
        return self._cubes[key]

    def objective(self, task: Task, metric: Metric, segments: Any) -> Objective:
        """Return what a metric reaches on segments."""
        return Objective(task, metric, self.cube(metric), segments, threads=self.threads)

    def best(self, task: Task, segments: Any, progress: Callable[[str], None]) -> Found:
        """Search on some segments: every choice that needs other rows, and on its rows the numbers.

        If the user stops it, the best so far is returned, and says so.
        """
        best = Found({}, -math.inf)
        try:
            for choice in self._row_choices():
                found = self._rounds(task, choice, segments, progress)
                if found.value > best.value:
                    best = found
                if found.interrupted:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            best.interrupted = True
        if best.value == -math.inf:  # stopped before anything was tried
            best.value = self.objective(task, self.start, segments).value({})
        return best

    def _rounds(self, task: Task, choice: dict[str, Any], segments: Any, progress: Callable[[str], None]) -> Found:
        """Search on the rows of a choice; with more than one round, again on rows made under the values found.

        Then values are worth what they reach on rows of their own, and the best round's are returned.
        """
        base = tuning(self.start).with_values(choice) if choice else self.start
        if self.rounds == 1:
            found = self._on_rows(self.objective(task, base, segments), progress)
            found.values = {**choice, **found.values}
            return found
        own = tuning(base).tunables()
        start = before = {name: float(own[name].value) for name in self.space.names if name in own}
        best = Found({**choice, **start}, self.objective(task, tuning(base).realigned(), segments).value({}))
        try:
            for _ in range(self.rounds):
                found = self._on_rows(self.objective(task, base, segments), progress)
                best.trace += [(best.evaluations + count, value) for count, value in found.trace]
                best.evaluations += found.evaluations
                values = {**choice, **found.values}
                if found.interrupted:
                    if before is start:  # the first round: there is nothing better yet
                        best.values, best.value = values, found.value
                    raise KeyboardInterrupt
                base = self.metric_of(values)
                reached = self.objective(task, base, segments).value({})
                if reached > best.value:
                    best.values, best.value = values, reached
                if found.values == before:
                    break
                before = found.values
        except KeyboardInterrupt:
            best.interrupted = True
        return best

    def _on_rows(self, objective: Objective, progress: Callable[[str], None]) -> Found:
        if not self.space.names:
            value = objective.value({})
            return Found({}, value, 1, [(1, value)])
        own = tuning(objective.metric).tunables()
        there = [k for k, name in enumerate(self.space.names) if name in own]  # BLEU up to order 2 has two weights
        names = tuple(self.space.names[k] for k in there)
        space = Space(
            names,
            tuple(float(own[name].value) for name in names),
            tuple(self.space.low[k] for k in there),
            tuple(self.space.high[k] for k in there),
        )
        return search(
            self.search, space, objective.value, seed=self.seed, restarts=self.restarts, step=self.step,
            progress=lambda count, value: progress(f"{count:,} tried, best {value:.4f}"),
        )  # fmt: skip

    def _row_choices(self) -> list[dict[str, Any]]:
        axes = []
        for name in self.free:
            tunable = self.tunables[name]
            if tunable.fixed_rows:
                continue
            axes.append([(name, value) for value in tunable.choices or self._row_numbers(name, tunable)])
        count = math.prod(len(axis) for axis in axes)
        if count > _MOST_ROW_SETTINGS:
            raise InputError(
                f"{count:,} combinations of settings need rows of their own, more than {_MOST_ROW_SETTINGS}. Free "
                "fewer of them, narrow their bounds or take a larger step."
            )
        return [dict(pairs) for pairs in product(*axes)]

    def _row_numbers(self, name: str, tunable: Tunable) -> list[float]:
        """Return the numbers to try, among them the one that is set now."""
        low, high = bounds_of(name, tunable, self.bounds)
        now = float(tunable.value)
        if not tunable.whole and steps_between(low, high, self.step) > _MOST_ROW_SETTINGS:
            raise InputError(
                f"{name} from {low:g} to {high:g} in steps of {self.step:g} would be tried with "
                f"{steps_between(low, high, self.step) + 1:,} values, each with rows of its own; the most is "
                f"{_MOST_ROW_SETTINGS}. Narrow its ",
                Argument("bounds"),
                " or take a larger ",
                Argument("step"),
                ".",
            )
        if tunable.whole:
            whole = [float(number) for number in range(math.ceil(low), math.floor(high) + 1)]
            if not whole:
                raise InputError(f"There is no whole number from {low:g} to {high:g}, the bounds of {name}.")
            return whole
        return sorted({*stepped(low, high, self.step), *([now] if low <= now <= high else [])})

    def fixed_part(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return those values that act on rows as they are, unless rows were made anew under them."""
        return {} if self.rounds > 1 else {name: v for name, v in values.items() if self.tunables[name].fixed_rows}

    def metric_of(self, values: Mapping[str, Any]) -> Metric:
        """Return the metric with all values set."""
        if not values:
            return self.start
        metric: Metric = tuning(self.start).with_values(values)
        if self.rounds > 1:
            metric = tuning(metric).realigned()
        return metric

    def objectives(self, task: Task, segments: Any, values: Mapping[str, Any]) -> tuple[Objective, Objective]:
        """Return what the metric as it was, and the tuned one before its numbers are set, reach on segments."""
        before = self.objective(task, self.start, segments)
        if self.rounds > 1:
            return before, self.objective(task, self.metric_of(values), segments)
        choice = {name: value for name, value in values.items() if not self.tunables[name].fixed_rows}
        if not choice:
            return before, before
        return before, self.objective(task, tuning(self.start).with_values(choice), segments)

    def sensitivity(self, task: Task, segments: Any, values: Mapping[str, Any]) -> dict[str, list[tuple[float, float]]]:
        """Return, for each number, the agreement on everything as it alone moves."""
        if not values or not self.space.names:
            return {}
        choice = {name: value for name, value in values.items() if not self.tunables[name].fixed_rows}
        objective = self.objective(task, tuning(self.start).with_values(choice) if choice else self.start, segments)
        fixed = {name: value for name, value in values.items() if self.tunables[name].fixed_rows}
        found = {}
        for name, low, high in zip(self.space.names, self.space.low, self.space.high, strict=True):
            if name not in fixed:
                continue
            near = np.linspace(max(low, fixed[name] - 1), min(high, fixed[name] + 1), _SENSITIVITY_POINTS)
            found[name] = [(float(x), objective.value({**fixed, name: float(x)})) for x in near]
        return found


def _folds(task: Task, folds: int, seed: int) -> list[NDArray[np.int64]]:
    """Deal units out at random, the largest folds getting no more than their share; return each fold's segments."""
    units = np.unique(task.units)
    what = "documents" if task.documents is not None and task.units is task.documents else "segments"
    if folds < 2:
        raise InputError(f"folds must be at least 2, not {folds}: without held-out data a gain means nothing.")
    if len(units) < folds:
        raise InputError(f"There are {len(units)} {what}, too few for {folds} folds. Take fewer folds, or more data.")
    shuffled = np.random.default_rng(seed).permutation(units)
    weights = np.bincount(task.units, minlength=int(units.max()) + 1)
    sizes, dealt = [0] * folds, np.empty(int(units.max()) + 1, np.int64)
    for unit in shuffled:
        fold = sizes.index(min(sizes))
        dealt[unit] = fold
        sizes[fold] += int(weights[unit])
    return [np.flatnonzero(dealt[task.units] == fold) for fold in range(folds)]


def _mean(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found) if found else math.nan


def _gain(
    tested: Sequence[tuple[Objective, Objective, dict[str, Any]]], task: Task, samples: int, seed: int
) -> tuple[float, float, float]:
    """Return the mean held-out gain and its bootstrap interval: units are drawn anew within each fold.

    A few units tell nothing of how others would differ: then there is no interval, and nothing is called better.
    """
    point = _mean(after.value(fixed) - before.value({}) for before, after, fixed in tested)
    units = min(before.units for before, _, _ in tested)
    if units < LEAST_UNITS:
        return point, math.nan, math.nan
    rng = np.random.default_rng(seed)
    replicates = np.zeros(samples)
    for before, after, fixed in tested:
        replicates += after.resampled(fixed, rng_state := rng.bit_generator.state, samples)
        replicates -= before.resampled({}, rng_state, samples)
        rng.random(1)  # another fold, other draws
    low, high = percentile(replicates / len(tested), 0.95)
    # Draws from a few units vary too little: wider by what that is for a mean, and by Student's quantile.
    wider = math.sqrt(units / (units - 1)) * (1 + 2.4 / (units - 1))
    return point, point - wider * (point - float(low)), point + wider * (float(high) - point)


def _p_value(tested: Sequence[tuple[Objective, Objective, dict[str, Any]]], task: Task, seed: int) -> float | None:
    """Return PERM-INPUTS' p for the held-out scores of all folds, each standardised within its fold.

    What folds never tear apart is swapped as a whole: the scores of a sentence, or of a document, are alike. And folds
    are not independent: each is tested with values that the others gave. Where chance favours one way over all of the
    data, the search goes that way in every fold and is praised for it in every other, whichever way it is; so both
    directions count, and p is doubled.
    """
    if task.level != "segment" or task.preferences is not None or not tested:
        return None
    ours, base, human, systems, items, units = [], [], [], [], [], []
    shift = 0
    for before, after, fixed in tested:
        ours.append(standardised(after.scores(fixed)))
        base.append(standardised(before.scores({})))
        human.append(before.human)
        systems.append(before.systems)
        items.append(before.items + shift)
        units.append(before.units_of_points)
        shift += int(before.items.max()) + 1
    one_sided = better_by_chance(
        np.concatenate(ours), np.concatenate(base), np.concatenate(human), task.method, task.group,
        systems=np.concatenate(systems).tolist(), items=np.concatenate(items).tolist(), units=np.concatenate(units),
        threshold=task.threshold, seed=seed,
    )  # fmt: skip
    return min(1.0, 2 * one_sided)


class _State:
    """Finished folds, kept in a file; another task or other settings start anew."""

    def __init__(self, path: str | Path | None, plan: _Plan, task: Task, cube: Floats, folds: int) -> None:
        self._path = None if path is None else Path(path)
        marks = [
            plan.start.signature(), sorted(plan.free), sorted(plan.bounds.items()), plan.search, plan.step,
            plan.restarts, plan.rounds, plan.seed, task.kind, task.level, task.method, task.group, task.threshold,
            task.systems, folds,
        ]  # fmt: skip
        digest = sha256(json.dumps(marks).encode())
        for array in (cube, task.human, task.units, task.lengths, *_preference_arrays(task)):
            digest.update(np.ascontiguousarray(array).tobytes())
        self._mark = digest.hexdigest()
        self._folds: dict[str, Any] = {}
        if self._path is not None and not self._path.parent.is_dir():
            raise InputError(f"{self._path} cannot be written: there is no directory {self._path.parent}.")
        if self._path is not None and self._path.exists():
            try:
                kept = json.loads(self._path.read_text(encoding="utf-8"))
                self._folds = kept["folds"] if kept["mark"] == self._mark else {}
            except (OSError, ValueError, KeyError, TypeError):
                raise InputError(f"{self._path} is no state of an earlier run. Name another file.") from None

    def get(self, number: int) -> Found | None:
        kept = self._folds.get(str(number))
        return None if kept is None else Found(kept["values"], kept["value"], kept["evaluations"])

    def put(self, number: int, found: Found) -> None:
        if self._path is None:
            return
        self._folds[str(number)] = {
            "values": found.values, "value": found.value, "evaluations": found.evaluations,
        }  # fmt: skip
        write_whole(self._path, json.dumps({"mark": self._mark, "folds": self._folds}))


def _preference_arrays(task: Task) -> list[NDArray[Any]]:
    found = task.preferences
    return [] if found is None else [found.segment, found.first, found.second, found.outcome]


def _toml(data: Mapping[str, Any]) -> str:
    """Write strings, numbers and tables of them."""
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in data.items() if not isinstance(value, dict)
    ]
    for name, table in data.items():
        if isinstance(table, dict):
            lines += ["", f"[{name}]", *(f"{json.dumps(key)} = {_scalar(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)

"""How well metrics agree with people: coefficients with intervals, for plain scores and for judged test sets."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, Message, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta.agreement import THRESHOLD, Agreement
from tertium.meta.coefficients.methods import METHODS, check_group, method_of
from tertium.meta.coefficients.points import given, matrix_of
from tertium.meta.preferences import PREFERENCE, preference_coefficient
from tertium.meta.resampled import INTERVALS, UNITS, Draws, Spread, draw, interval_of
from tertium.meta.score_grid import LEVELS, Grid, GridSource, grids, matrix_grid, parts_of, segment_scores, systems_of
from tertium.meta.system_draws import SystemDraws, drawn_soft, drawn_values
from tertium.metrics.base import Floats, thread_count
from tertium.significance.intervals import percentile
from tertium.significance.sampling import GENERATOR, SEED, check_samples, check_seed, check_share


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """A coefficient: `value` is NaN where it is undefined, `low` and `high` are None where there is no interval.

    `n` is the number of points; `dropped` those without a judgment. `epsilon` is the distance up to which acc-eq
    calls metric scores equal. `note` says what one should know.
    """

    method: str
    group: str
    value: float
    low: float | None
    high: float | None
    n: int
    groups: int = 1
    dropped: int = 0
    interval: str = "none"
    epsilon: float | None = None
    note: str = ""

    def __float__(self) -> float:
        """Return the value."""
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """Return the fields; a value that is undefined is None."""
        fields = asdict(self)
        return fields | {"value": None if math.isnan(self.value) else self.value}


@dataclass(frozen=True, kw_only=True)
class Correlation(Coefficient):
    """The coefficient of a metric with one kind of judgment, at one level.

    `best` says that its interval holds the best coefficient of its column, `significant` that it does not hold the
    value of a metric that knows nothing (None where that is not known).
    """

    metric: str
    kind: str
    level: str
    best: bool = False
    significant: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, those that say what it is first."""
        fields = super().to_dict()
        first = ("metric", "kind", "level", "method", "group", "value", "low", "high", "n")
        return {name: fields[name] for name in first} | {k: v for k, v in fields.items() if k not in first}


@dataclass(frozen=True)
class Correlations:
    """All coefficients that were asked for, what was left out for them, and how the intervals were made."""

    correlations: tuple[Correlation, ...]
    dropped: tuple[str, ...]  # what was left out, in words
    samples: int
    confidence: float
    seed: int
    systems: tuple[str, ...] = ()
    metrics: tuple[dict[str, Any], ...] = field(default=(), repr=False)

    @property
    def signature(self) -> str:
        """What fixes the intervals."""
        return (
            f"correlate:samples={self.samples},confidence={self.confidence:g},seed={self.seed},generator={GENERATOR}"
            f"|tertium={__version__}"
        )

    def __iter__(self) -> Iterator[Correlation]:
        """Go through the coefficients."""
        return iter(self.correlations)

    def __len__(self) -> int:
        """Count the coefficients."""
        return len(self.correlations)

    def __getitem__(self, metric: str) -> Correlation:
        """Return a metric's coefficient, if there is only one."""
        return self.of(metric)

    def of(self, metric: str, **what: str) -> Correlation:
        """Return the coefficient of a metric; kind=, level=, method= or group= where there are several."""
        found = [
            one for one in self.correlations
            if one.metric == metric and all(getattr(one, key) == value for key, value in what.items())
        ]  # fmt: skip
        if len(found) == 1:
            return found[0]
        known = ", ".join(dict.fromkeys(one.metric for one in self.correlations))
        if not found:
            raise InputError(f"There is no such coefficient of '{metric}'. Metrics: {known}.")
        raise InputError(f"There are {len(found)} coefficients of '{metric}': say which kind, level, method and group.")

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium correlate --format json` prints."""
        return {
            "tertium": __version__,
            "signature": self.signature,
            "metrics": list(self.metrics),
            "systems": list(self.systems),
            "dropped": list(self.dropped),
            "correlations": [one.to_dict() for one in self.correlations],
        }


def coefficient(
    metric_scores: Any,
    human_scores: Any,
    method: str = "pearson",
    group: str = "none",
    systems: Sequence[Any] | None = None,
    items: Sequence[Any] | None = None,
    threshold: float = THRESHOLD,
    sample_rate: float = 1.0,
    *,
    interval: str = "auto",
    confidence: float = 0.95,
    samples: int = 1000,
    seed: int = SEED,
    unit: str | None = None,
    undefined: str = "drop",
    weights: Any = None,
    threads: int | None = None,
) -> Coefficient:
    """Return how well a metric's scores agree with human scores, both oriented so that higher is better.

    Scores are lists, or matrices of systems x items; None or NaN among the human ones is a missing judgment. For lists,
    `systems` and `items` say whose each score is. `threshold` is kendall-like's, `sample_rate` the share of pairs
    that acc-eq is calibrated on. Intervals: Fisher's for Pearson and Spearman of independent points, else a bootstrap
    over items (`unit="sys"`: over systems, `"both"`), for methods that compare systems over systems. `weights`, such as
    lengths, make a weighted Pearson.
    """
    plain = given(metric_scores, human_scores, systems, items)
    check_share("confidence", confidence)
    check_samples(samples, least=2)
    if interval not in INTERVALS:
        raise UnknownNameError.of("kind of interval", interval, INTERVALS)
    agreement = Agreement(
        plain.human, method=method, group=group, systems=plain.systems, items=plain.items, threshold=threshold,
        sample_rate=sample_rate, undefined=undefined,
        weights=weights, threads=threads,
    )  # fmt: skip
    if plain.metric.size - agreement.dropped < 2:
        raise InputError(
            f"There are {plain.metric.size - agreement.dropped} judged points ({agreement.dropped} dropped), but a "
            "coefficient needs at least two."
        )
    if unit is not None and unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    matrix = METHODS[method].of_systems and group == "none" and plain.systems is not None and plain.items is not None
    here = unit or ("sys" if matrix else "item")
    ready = _Asked(interval, confidence, samples, check_seed(seed), "sys" if matrix else here)
    found = Coefficient(**ready.coefficient(agreement, plain.metric))
    if not matrix or here == "sys" or interval not in ("auto", "bootstrap"):
        return found
    # Means of systems, or p-values of pairs of them: items are drawn below the systems.
    human = matrix_of(plain.human, plain.systems, plain.items)  # type: ignore[arg-type]
    scores = matrix_of(plain.metric, plain.systems, plain.items)  # type: ignore[arg-type]
    grid = matrix_grid(human, {"metric": scores})
    one = Correlation(metric="metric", kind="human", level="system", **vars(found))
    drawn = _over_segments(grid, [one], replace(ready, unit=here), _settings(agreement))[0]
    return replace(found, low=drawn.low, high=drawn.high, interval=drawn.interval, note=drawn.note)


def _settings(agreement: Agreement) -> dict[str, Any]:
    return {
        "threshold": agreement.threshold, "sample_rate": agreement.sample_rate, "undefined": agreement.undefined,
        "threads": agreement.threads,
    }  # fmt: skip


@dataclass(frozen=True)
class _Asked:
    """How intervals are to be made."""

    interval: str
    confidence: float
    samples: int
    seed: int
    unit: str

    def coefficient(self, agreement: Agreement, scores: Floats, draws: Draws | None = None) -> dict[str, Any]:
        """Return the fields of a Coefficient."""
        points, soft = agreement.points, agreement.soft
        notes: list[str] = []
        epsilon: float | None = None
        statistics: Floats | None = None
        if soft is not None:
            value = agreement.value(scores)
        else:
            ours = agreement.of_points(scores.reshape(1, -1))
            epsilon = agreement.epsilon(ours[0])
            statistics = agreement.statistics(ours, epsilon)[0]
            value = float(agreement.combined(statistics)) if points.groups else math.nan
        spread = Spread(None, None, "none")
        if math.isnan(value):
            notes.append(why_undefined(agreement, scores))
        elif agreement.method.family == "gaps" and statistics is not None and not statistics.any():
            notes.append(f"no two human scores are {agreement.threshold:g} apart: the 0 says nothing")
        elif constant := all_equal(agreement, scores):
            notes.append(f"{constant}, so the value says nothing of agreement")
        else:
            spread = interval_of(
                agreement, scores, value, interval=self.interval, level=self.confidence, samples=self.samples,
                seed=self.seed, unit=self.unit, draws=draws, statistics=statistics, epsilon=epsilon,
            )  # fmt: skip
            lost = 0 if statistics is None or agreement.method.pooled else int(np.isnan(statistics).sum())
            if lost:
                done = "counted as 0" if agreement.undefined == "zero" else "left out"
                notes.append(f"undefined in {lost:,} of {points.groups:,} groups, {done}")
        if points.alone and points.group != "none":
            notes.append(f"{points.alone:,} points are alone in their group and were left out")
        notes += [spread.note] if spread.note else []
        return {
            "method": agreement.method.name,
            "group": points.group,
            "value": value,
            "low": spread.low,
            "high": spread.high,
            "n": points.count if soft is None else soft.systems,
            "groups": points.groups,
            "dropped": agreement.dropped,
            "interval": spread.made,
            "epsilon": epsilon,
            "note": "; ".join(notes),
        }


def all_equal(agreement: Agreement, scores: Floats) -> str:
    """Say which side's scores are all equal, so that a coefficient is defined but empty; nothing if neither's are."""
    if agreement.soft is not None:
        judged = ~np.isnan(agreement.soft.human.ravel())
        sides = agreement.soft.human.ravel()[judged], agreement.cube(scores).ravel()[judged]
    else:
        sides = agreement.points.human, agreement.of_points(scores.reshape(1, -1))[0]
    for name, values in zip(("human", "metric"), sides, strict=True):
        if len(values) and (values == values[0]).all():
            return f"all {name} scores are equal"
    return ""


def why_undefined(agreement: Agreement, scores: Floats) -> str:
    """Say why a coefficient is undefined."""
    points = agreement.points
    if points.count < 2 and not (points.alone and points.group != "none"):
        return f"undefined: {points.count + points.alone} judged points"
    if points.count < 2:
        return "undefined: no group has two judged points"
    if (points.human == points.human[0]).all():
        return "undefined: all human scores are equal"
    ours = agreement.of_points(scores.reshape(1, -1))[0]
    if (ours == ours[0]).all():
        return "undefined: all metric scores are equal"
    return "undefined: no pair of points is left" if points.groups < 2 else "undefined in every group"


def correlate(
    scores: GridSource,
    judgments: Judgments,
    level: str | Sequence[str] = "segment",
    method: str | Sequence[str] = "pearson",
    group: str | Sequence[str] = "none",
    *,
    kind: str | Sequence[str] | None = None,
    threshold: float = THRESHOLD,
    sample_rate: float = 1.0,
    interval: str = "auto",
    confidence: float = 0.95,
    samples: int = 1000,
    seed: int = SEED,
    unit: str | None = None,
    lengths: Floats | None = None,
    weighted: bool = False,
    documents: Sequence[str] | None = None,
    undefined: str = "drop",
    threads: int | None = None,
    warn: Callable[[str], None] = lambda message: None,
    progress: Callable[[str], None] = lambda message: None,
) -> Correlations:
    """Correlate metrics with human judgments, at each of the levels, by each of the methods and groupings.

    Error rates are turned round once, on both sides, so a good metric has a positive coefficient. Points without a
    judgment are left out. `lengths` (tokens per segment) weighs segments in documents and systems; with `weighted`,
    points weigh as much as they are long, too, which is for Pearson's coefficient. Intervals come from a bootstrap over
    segments or documents, at system level over systems. `unit` says otherwise: item, sys, both; at system level `item`
    draws the segments behind the scores of systems.
    A grouping only concerns levels that have items: system scores are never grouped.
    """
    levels, methods, groups = _each(level), _each(method), _each(group)
    for one in levels:
        if one not in LEVELS:
            raise UnknownNameError.of("level", one, LEVELS)
    for one in methods:
        method_of(one)
    for one in groups:
        check_group(one)
    check_share("confidence", confidence)
    asked = _Asked(interval, confidence, check_samples(samples, least=2), check_seed(seed), unit or "item")
    if interval not in INTERVALS:
        raise UnknownNameError.of("kind of interval", interval, INTERVALS)
    if unit is not None and unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    drawn = unit in ("item", "both") and interval in ("auto", "bootstrap")
    if weighted and (lengths is None or methods != ["pearson"]):
        raise InputError("Points are weighed by their lengths for pearson alone: give lengths, and no other method.")
    threads = thread_count(threads)
    settings: dict[str, Any] = {
        "threshold": threshold,
        "sample_rate": sample_rate,
        "undefined": undefined,
        "threads": threads,
    }
    found: list[Correlation] = []
    dropped: list[str] = []
    systems: dict[str, None] = {}
    for one_level in levels:
        for grid in grids(scores, judgments, one_level, kinds=_kinds(kind), lengths=lengths, documents=documents,
                          segments_too=drawn or any(METHODS[name].family == "soft" for name in methods)):  # fmt: skip
            systems |= dict.fromkeys(grid.systems)
            dropped += [message for message in grid.dropped if message not in dropped]
            for name, grouping in _wanted(methods, groups, one_level):
                progress(f"{grid.kind} {one_level} {name} {grouping}")
                here = asked if one_level != "system" else replace(asked, unit="sys")
                if weighted:
                    settings["weights"] = grid.weights().ravel()
                column = _of_grid(grid, name, grouping, here, settings)
                if METHODS[name].family == "soft":
                    dropped += [message for message in _without_segments(grid, name) if message not in dropped]
                if weighted:
                    column = [replace(one, note="; ".join(filter(None, ["weighted by length", one.note])))
                              for one in column]  # fmt: skip
                elif drawn and one_level == "system" and column:
                    column = _over_segments(grid, column, replace(asked, unit=str(unit)), settings)
                found += marked(column)
    for name in methods if "system" not in levels else ():
        if METHODS[name].of_systems:
            dropped.append(Message(f"{name} compares systems, so it needs ", Argument("level", "system"), "."))
    wanted = _kinds(kind)
    if len(judgments.preferences) and "segment" in levels and (wanted is None or PREFERENCE in wanted):
        found += _of_preferences(scores, judgments, methods, asked, threads, dropped)
    if not found:
        raise InputError(why_nothing(judgments, levels, methods, systems_of(scores)))
    for message in dropped:
        warn(message)
    described: list[dict[str, Any]] = scores.head()["metrics"]
    return Correlations(
        tuple(found), tuple(dropped), samples, confidence, seed, tuple(systems), tuple(described)
    )  # fmt: skip


def why_nothing(
    judgments: Judgments, levels: Sequence[str], methods: Sequence[str], systems: Sequence[str], *,
    preferences: bool = True,
) -> Message:  # fmt: skip
    """Say why no coefficient came out, and what would give one; `preferences`: whether they can be used."""
    judged = dict.fromkeys([*judgments.systems, *(judgments.preferences.system if len(judgments.preferences) else ())])
    if not any(name in judged for name in systems):
        return Message(
            f"Nothing can be correlated: the judgments are about {_some(list(judged))}, but the scores are of "
            f"{_some(systems)}. Name the files as the judgments do: NAME=FILE."
        )
    if len(judgments.preferences) and not len(judgments):
        pairs = [name for name in METHODS if _of_pairs(name)]
        if not preferences:
            return Message(
                "The judgments are preferences between two outputs, and metrics are ranked by scores of outputs only. ",
                Argument("method", "agreement", of="correlate"),
                " compares metrics with preferences.",
            )
        return Message(
            "Nothing can be correlated: the judgments are preferences between two outputs for a segment, so the level "
            f"is segment and the method one of {', '.join(pairs)}: ",
            Argument("method", "agreement"),
            ".",
        )
    if "system" in levels and all(METHODS[name].family == "soft" for name in methods):
        return Message(f"Nothing can be correlated: {', '.join(methods)} needs judgments and scores of segments.")
    held = dict.fromkeys(level for kind in judgments.kinds for level in judgments.levels(kind))
    of_systems = all(METHODS[name].of_systems for name in methods) and "system" not in levels
    return Message(
        f"Nothing can be correlated: the judgments are of {', '.join(held) or 'no'} level, but {', '.join(levels)} "
        f"level was asked for, by {', '.join(methods)}.",
        *((" These methods compare systems: use ", Argument("level", "system"), ".") if of_systems else ()),
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (" …" if len(names) > 8 else "")


def _of_pairs(name: str) -> bool:
    """Whether a method can be used on preferences."""
    return METHODS[name].family == "pairs" and not METHODS[name].of_systems and name != "kendall-c"


def _each(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(dict.fromkeys(value))


def _kinds(kind: str | Sequence[str] | None) -> list[str] | None:
    return None if kind is None else _each(kind)


def _wanted(methods: Iterable[str], groups: Iterable[str], level: str) -> Iterator[tuple[str, str]]:
    """Go through methods and groupings that make sense together at a level."""
    seen = set()
    for name in methods:
        for grouping in groups:
            of_systems = level == "system" or METHODS[name].of_systems
            if METHODS[name].of_systems and level != "system":
                continue
            pair = (name, "none" if of_systems else grouping)
            if pair not in seen:
                seen.add(pair)
                yield pair


def _of_grid(grid: Grid, name: str, group: str, asked: _Asked, settings: dict[str, Any]) -> list[Correlation]:
    """Correlate each metric of a grid; metrics that score the same points share what is made of the human side."""
    results = []
    prepared: dict[bytes, tuple[Agreement, Draws | None]] = {}
    soft = METHODS[name].family == "soft"
    for label, scores in (grid.segment_metrics if soft else grid.metrics).items():
        human = grid.segment_human if soft else grid.human
        absent = np.isnan(scores)
        human = np.where(absent, np.nan, human)
        key = absent.tobytes()
        if key not in prepared:
            systems, items = np.indices(human.shape, np.int32).reshape(2, -1)
            agreement = Agreement(human.ravel(), method=name, group=group, systems=systems, items=items, **settings)
            prepared[key] = (agreement, None)
        agreement, draws = prepared[key]
        if draws is None and _draws_needed(agreement, asked):
            draws = draw(agreement.points, asked.unit, asked.samples, asked.seed)
            prepared[key] = (agreement, draws)
        flat = np.where(absent, 0.0, scores).ravel()
        fields = asked.coefficient(agreement, flat, draws)
        # Cells that nobody judged are said once for the grid; what the metric lacks is its own.
        fields["dropped"] = int((absent & ~np.isnan(grid.segment_human if soft else grid.human)).sum())
        if fields["dropped"]:
            lacking = f"{fields['dropped']:,} judged points have no {label} score"
            fields["note"] = "; ".join(note for note in (lacking, fields["note"]) if note)
        results.append(Correlation(metric=label, kind=grid.kind, level=grid.level, **fields))
    return results


def _without_segments(grid: Grid, name: str) -> list[str]:
    """Say what a method that compares segments had to leave out."""
    if not grid.segment_metrics:
        return [f"{grid.kind}: {name} needs judgments and scores of segments, but there are none."]
    lacking = [label for label in grid.metrics if label not in grid.segment_metrics]
    return [f"{', '.join(lacking)}: no scores of segments, which {name} needs."] if lacking else []


def _over_segments(
    grid: Grid, column: Sequence[Correlation], asked: _Asked, settings: dict[str, Any]
) -> list[Correlation]:
    """Replace intervals of system scores by those of a bootstrap over the segments behind them."""
    draws = SystemDraws.of(grid, asked.unit, asked.samples, asked.seed)
    soft = METHODS[column[0].method].family == "soft"
    human = None if soft or grid.human_behind is None else draws.human()
    of_people: Floats | None = None
    results = []
    for one in column:
        why = draws.whole(one.metric, soft=soft) if draws.segments else "no segments were judged that could be drawn"
        few = min(draws.segments, one.n) if asked.unit == "both" else draws.segments
        if not why and few < 4:
            why = f"{few} segments or systems are too few to draw from for an interval"
        if one.n < 4 and not math.isnan(one.value):
            why = f"{one.n} points are too few for an interval"
        if why or math.isnan(one.value):
            results.append(replace(one, low=None, high=None, interval="none", note=_noted(one.note, why)))
            continue
        scores = (grid.segment_metrics if soft else grid.metrics)[one.metric]
        people = np.where(np.isnan(scores), np.nan, grid.segment_human if soft else grid.human)
        systems, items = np.indices(people.shape, np.int32).reshape(2, -1)
        agreement = Agreement(people.ravel(), method=one.method, systems=systems, items=items, **settings)
        if agreement.soft is not None:
            missing = bool((np.isnan(scores) & ~np.isnan(grid.segment_human)).any())
            values, theirs = drawn_soft(agreement.soft, scores, draws, None if missing else of_people)
            of_people = of_people if missing else theirs
        else:
            assert human is not None
            values = drawn_values(draws, agreement, one.metric, human, one.epsilon)
        values = values[~np.isnan(values)]
        if len(values) * 2 < draws.replicates:
            lost = f"undefined in {draws.replicates - len(values):,} of {draws.replicates:,} replicates"
            results.append(replace(one, low=None, high=None, interval="none", note=_noted(one.note, lost)))
            continue
        low, high = percentile(values, asked.confidence)
        results.append(replace(one, low=low, high=high, interval="bootstrap", note=_noted(one.note)))
    return results


def _noted(note: str, more: str = "") -> str:
    """Return a note without what it says of an interval that is not used."""
    kept = [part for part in note.split("; ") if part and "too few" not in part and "replicates" not in part]
    return "; ".join([*kept, *([more] if more else [])])


def _draws_needed(agreement: Agreement, asked: _Asked) -> bool:
    """Whether replicates are wanted that all metrics share."""
    points = agreement.points
    if asked.interval in ("none", "fisher") or agreement.soft is not None or points.count < 4:
        return False
    plain = agreement.method.family in ("moments", "ranks") and points.group == "none" and points.independent
    return points.count <= 2_000_000 and not (plain and asked.interval == "auto")


def _of_preferences(
    scores: GridSource, judgments: Judgments, methods: Sequence[str], asked: _Asked, threads: int, dropped: list[str]
) -> list[Correlation]:
    results: list[Correlation] = []
    segments = parts_of(scores)[0].segment_count
    preferences = judgments.preferences.restricted(list(systems_of(scores)), segments, warn=dropped.append)
    for name in methods:
        if not _of_pairs(name):
            continue
        column = []
        for label, by_system in segment_scores(scores).items():
            fields = preference_coefficient(
                preferences, by_system, METHODS[name], samples=asked.samples, seed=asked.seed,
                confidence=asked.confidence, interval=asked.interval,
            )  # fmt: skip
            column.append(Correlation(metric=label, kind=PREFERENCE, level="segment", group="none", **fields))
        results += marked(column)
    return results


def marked(column: Sequence[Correlation]) -> list[Correlation]:
    """Mark as the TERp paper does: those whose interval holds the best value, and those whose interval holds 0."""
    values = [one.value for one in column if not math.isnan(one.value)]
    best = max(values, default=math.nan)
    results = []
    for one in column:
        if one.low is None or one.high is None:
            results.append(replace(one, best=one.value == best, significant=None))
        else:
            chance = METHODS[one.method].chance
            significant = None if chance is None else not one.low <= chance <= one.high
            results.append(replace(one, best=one.low <= best <= one.high, significant=significant))
    return results

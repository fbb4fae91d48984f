"""How well metrics agree with people: coefficients with intervals, for plain scores and for judged test sets."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, Message, UnknownNameError
from tertium.judgments import Judgments
from tertium.judgments.table import LEVELS
from tertium.meta.coefficients import METHODS, method_of, of_preferences
from tertium.meta.coefficients.base import THRESHOLD, Method, Settings
from tertium.meta.coefficients.points import Draws, check_group, given, matrix_of
from tertium.meta.intervals import Asked, Spread
from tertium.meta.preferences import PREFERENCE, preference_coefficient
from tertium.meta.score_grid import Grid, GridSource, grids, matrix_grid, parts_of, segment_scores, systems_of
from tertium.meta.segment_draws import SegmentDraws
from tertium.metrics.base import Floats, thread_count
from tertium.metrics.names import title
from tertium.results import Shown, Table, interval, number
from tertium.significance.sampling import GENERATOR, SEED, check_seed

WEIGHTED = "weighted by length"  # a note that tells nothing new to whoever asked for it


@dataclass(frozen=True, kw_only=True, repr=False)
class Coefficient(Shown):
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

    def table(self) -> Table:
        """Return the value with its interval."""
        heads = [self.method, "Interval", "Points"]
        row = [number(self.value, 3), interval(self.low, self.high, 3), f"{self.n:,}"]
        kind = "Coefficient" if self.group == "none" else f"Coefficient by {self.group}"
        return Table(kind, heads, [row], [self.note] if self.note else [], words=0)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields; a value that is undefined is None."""
        fields = asdict(self)
        return fields | {"value": None if math.isnan(self.value) else self.value}


@dataclass(frozen=True, kw_only=True, repr=False)
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

    def table(self) -> Table:
        """Return the value with its interval, and what it is of."""
        return replace(super().table(), title=f"{title(self.metric)} with {self.kind}, by {self.level}")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, those that say what it is first."""
        fields = super().to_dict()
        first = ("metric", "kind", "level", "method", "group", "value", "low", "high", "n")
        return {name: fields[name] for name in first} | {k: v for k, v in fields.items() if k not in first}


def _condition(one: Correlation) -> tuple[str, ...]:
    """Return what must be the same for two coefficients to be compared."""
    return (one.kind, one.level, one.method, one.group)


@dataclass(frozen=True, repr=False)
class Correlations(Shown):
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

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each coefficient."""
        return [one.to_dict() for one in self.correlations]

    def table(self) -> Table:
        """Return the coefficients; the best of each condition is marked."""
        tops: dict[tuple[str, ...], float] = {}
        for one in self.correlations:
            if not math.isnan(one.value):
                tops[_condition(one)] = max(tops.get(_condition(one), -math.inf), one.value)
        rows = [
            [title(one.metric), one.kind, one.level, f"{one.method}{f' by {one.group}' * (one.group != 'none')}",
             number(one.value, 3), interval(one.low, one.high, 3), f"{one.n:,}"]
            for one in self.correlations
        ]  # fmt: skip
        best = frozenset((i, 4) for i, one in enumerate(self.correlations) if one.value == tops.get(_condition(one)))
        heads = ["Metric", "Kind", "Level", "Method", "Value", "Interval", "Points"]
        notes = [*self.dropped, self.signature]
        return Table("Agreement of metrics with people", heads, rows, notes, best, words=4)

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
    settings = Settings(threshold, sample_rate, undefined, thread_count(threads))
    prepared = method_of(method)(plain.human, plain.systems, plain.items, group, settings, weights)
    of_matrix = prepared.of_systems and group == "none" and plain.systems is not None and plain.items is not None
    asked = Asked(interval, confidence, samples, seed, unit or ("sys" if of_matrix else "item"))
    if plain.metric.size - prepared.dropped < 2:
        raise InputError(
            f"There are {plain.metric.size - prepared.dropped} judged points ({prepared.dropped} dropped), but a "
            "coefficient needs at least two."
        )
    below: SegmentDraws | None = None
    if of_matrix and asked.unit != "sys":
        if asked.by_drawing:  # means of systems, or p-values of pairs of them: items are drawn below the systems
            human, scores = (matrix_of(one, plain.systems, plain.items)  # type: ignore[arg-type]  # a matrix has both
                             for one in (plain.human, plain.metric))  # fmt: skip
            grid = matrix_grid(human, {"metric": scores})
            below = SegmentDraws.of(grid, asked.unit, samples, seed)
        asked = replace(asked, unit="sys")
    return Coefficient(**_measured(prepared, plain.metric, asked, "metric", below=below))


def _measured(
    prepared: Method, scores: Floats, asked: Asked, label: str, draws: Draws | None = None,
    below: SegmentDraws | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the fields of a Coefficient; where segments are drawn `below` systems, the interval is of those."""
    points = prepared.points
    found = prepared.measured(scores)
    value, statistics = found.value, found.statistics
    spread = Spread()
    notes: list[str] = []
    if math.isnan(value):
        notes.append(why_undefined(prepared, found.constant))
    elif found.empty:
        notes.append(f"{found.empty}: the 0 says nothing")
    elif found.constant:
        notes.append(f"all {found.constant} scores are equal, so the value says nothing of agreement")
    else:
        if below is None:
            spread = asked.spread(prepared, scores, found, draws)
        lost = 0 if statistics is None or prepared.pooled else int(np.isnan(statistics).sum())
        if lost:
            done = "counted as 0" if prepared.settings.undefined == "zero" else "left out"
            notes.append(f"undefined in {lost:,} of {points.groups:,} groups, {done}")
    if below is not None:
        spread = below.spread(prepared, label, found, asked)
    if points.alone and points.group != "none":
        notes.append(f"{points.alone:,} points are alone in their group and were left out")
    return {
        "method": prepared.name,
        "group": points.group,
        "value": value,
        "low": spread.low,
        "high": spread.high,
        "n": prepared.drawn_points.count,
        "groups": points.groups,
        "dropped": prepared.dropped,
        "interval": spread.made,
        "epsilon": found.epsilon,
        "note": "; ".join(filter(None, [*notes, spread.note])),
    }


def why_undefined(prepared: Method, side: str) -> str:
    """Say why a coefficient is undefined; `side` is whose scores are all equal, if someone's are."""
    points = prepared.points
    if points.count < 2 and not (points.alone and points.group != "none"):
        return f"undefined: {points.count + points.alone} judged points"
    if points.count < 2:
        return "undefined: no group has two judged points"
    if side:
        return f"undefined: all {side} scores are equal"
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
    progress: Callable[[str, float], None] = lambda what, share: None,
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
    asked = Asked(interval, confidence, samples, check_seed(seed), unit or "item")
    if weighted and (lengths is None or not all(METHODS[name].takes_weights for name in methods)):
        raise InputError("Points are weighed by their lengths for pearson alone: give lengths, and no other method.")
    settings = Settings(threshold, sample_rate, undefined, thread_count(threads))
    wanted = None if kind is None else _each(kind)
    by_segments = any(METHODS[name].by_segments for name in methods)
    drawn = unit in ("item", "both") and asked.by_drawing and not weighted
    steps = len(wanted or judgments.kinds or [""]) * sum(len(list(_wanted(methods, groups, one))) for one in levels)
    done = 0
    found: list[Correlation] = []
    dropped: list[str] = []
    systems: dict[str, None] = {}
    for one_level in levels:
        here = asked if one_level != "system" else replace(asked, unit="sys")
        for grid in grids(scores, judgments, one_level, kinds=wanted, lengths=lengths, documents=documents,
                          segments_too=drawn or by_segments):  # fmt: skip
            systems |= dict.fromkeys(grid.systems)
            dropped += [message for message in grid.dropped if message not in dropped]
            below = SegmentDraws.of(grid, asked.unit, samples, seed) if drawn and one_level == "system" else None
            for name, grouping in _wanted(methods, groups, one_level):
                progress(f"{grid.kind} {one_level} {name} {grouping}", min(done / steps, 1))
                done += 1
                weights = grid.weights().ravel() if weighted else None
                found += marked(_of_grid(grid, name, grouping, here, settings, weights, below))
                if METHODS[name].by_segments:
                    dropped += [message for message in _without_segments(grid, name) if message not in dropped]
    for name in methods if "system" not in levels else ():
        if METHODS[name].of_systems:
            dropped.append(Message(f"{name} compares systems, so it needs ", Argument("level", "system"), "."))
    if len(judgments.preferences) and "segment" in levels and (wanted is None or PREFERENCE in wanted):
        found += _of_preferences(scores, judgments, methods, asked, dropped)
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
        pairs = [name for name in METHODS if of_preferences(name)]
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
    if "system" in levels and all(METHODS[name].by_segments for name in methods):
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


def _each(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(dict.fromkeys(value))


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


def _of_grid(
    grid: Grid, name: str, group: str, asked: Asked, settings: Settings, weights: Floats | None,
    below: SegmentDraws | None,
) -> list[Correlation]:  # fmt: skip
    """Correlate each metric of a grid; metrics that score the same points share what is made of the human side."""
    results = []
    prepared: dict[bytes, tuple[Method, Draws | None]] = {}
    people, metrics = grid.compared(by_segments=METHODS[name].by_segments)
    for label, scores in metrics.items():
        absent = np.isnan(scores)
        key = absent.tobytes()
        if key not in prepared:
            systems, items = np.indices(people.shape, np.int32).reshape(2, -1)
            human = np.where(absent, np.nan, people).ravel()
            one = METHODS[name](human, systems, items, group, settings, weights)
            prepared[key] = one, asked.shared_draws(one) if below is None else None
        flat = np.where(absent, 0.0, scores).ravel()
        fields = _measured(prepared[key][0], flat, asked, label, prepared[key][1], below)
        # Cells that nobody judged are said once for the grid; what the metric lacks is its own.
        fields["dropped"] = int((absent & ~np.isnan(people)).sum())
        lacking = f"{fields['dropped']:,} judged points have no {label} score" if fields["dropped"] else ""
        notes = [WEIGHTED if weights is not None else "", lacking, fields["note"]]
        fields["note"] = "; ".join(filter(None, notes))
        results.append(Correlation(metric=label, kind=grid.kind, level=grid.level, **fields))
    return results


def _without_segments(grid: Grid, name: str) -> list[str]:
    """Say what a method that compares segments had to leave out."""
    if not grid.segment_metrics:
        return [f"{grid.kind}: {name} needs judgments and scores of segments, but there are none."]
    lacking = [label for label in grid.metrics if label not in grid.segment_metrics]
    return [f"{', '.join(lacking)}: no scores of segments, which {name} needs."] if lacking else []


def _of_preferences(
    scores: GridSource, judgments: Judgments, methods: Sequence[str], asked: Asked, dropped: list[str]
) -> list[Correlation]:
    results: list[Correlation] = []
    segments = parts_of(scores)[0].segment_count
    preferences = judgments.preferences.restricted(list(systems_of(scores)), segments, warn=dropped.append)
    for method in filter(None, map(of_preferences, methods)):
        column = []
        for label, by_system in segment_scores(scores).items():
            fields = preference_coefficient(preferences, by_system, method, asked)
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

"""What tuning makes as high as it can: the agreement of a metric's scores with people, on some of the segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.judgments import Judgments, Preferences
from tertium.judgments.table import LEVELS
from tertium.meta.coefficients import METHODS, method_of, of_preferences
from tertium.meta.coefficients.base import THRESHOLD, Settings
from tertium.meta.coefficients.points import Draws
from tertium.meta.preferences import PREFERENCE
from tertium.metrics.base import Floats, Metric
from tertium.metrics.tuning import tuning

Segments = NDArray[np.int64]  # places of segments, from 0; one may stand there several times

_LOWEST = -1.0


@dataclass(frozen=True, eq=False)
class Task:
    """Whom to agree with: judgments of systems, segment by segment, and what they are compared by.

    `human` is systems x segments, higher being better, NaN where nothing was judged; or `preferences` say which of two
    outputs was better. `units` are what is never torn apart: the document, or the source sentence, of each segment.
    """

    systems: tuple[str, ...]
    human: Floats
    preferences: Preferences | None
    kind: str
    level: str
    method: str
    group: str
    units: NDArray[np.int64]
    documents: NDArray[np.int64] | None
    lengths: Floats
    threshold: float = THRESHOLD

    @property
    def judged(self) -> int:
        """How many judgments there are."""
        return len(self.preferences) if self.preferences is not None else int((~np.isnan(self.human)).sum())


def task_of(
    judgments: Judgments, systems: Sequence[str], segments: int, *, kind: str | None, level: str, method: str,
    group: str, documents: Sequence[str] | None, split: str, lengths: Floats | None, threshold: float,
) -> Task:  # fmt: skip
    """Check what was asked for and arrange the judgments."""
    method_of(method)
    if level not in LEVELS:
        raise UnknownNameError.of("level", level, LEVELS)
    if METHODS[method].by_segments and level != "system":
        raise InputError(f"{method} compares systems: use ", Argument("level", "system"), ".")
    if documents is not None and len(documents) != segments:
        raise InputError(f"documents has {len(documents):,} ids, but there are {segments:,} segments.")
    if documents is None and (split == "document" or level == "document"):
        raise InputError("Document ids are needed, one per segment: ", Argument("documents"), "; or split by segment.")
    kinds = [*judgments.kinds, *([PREFERENCE] if len(judgments.preferences) else [])]
    if kind is None:
        if len(kinds) != 1:
            several = f"There are several kinds of judgments: {', '.join(kinds)}. Say which: "
            raise InputError(several, Argument("kind"), ".")
        kind = kinds[0]
    if kind not in kinds:
        raise UnknownNameError.of("kind of judgment", kind, kinds)
    codes = None if documents is None else np.unique(np.asarray(documents), return_inverse=True)[1].astype(np.int64)
    units = codes if split == "document" and codes is not None else np.arange(segments)
    weights = np.ones(segments) if lengths is None else np.asarray(lengths, np.float64)
    there = tuple(systems)
    preferences = None
    human = np.full((len(there), segments), np.nan)
    if kind == PREFERENCE:
        if level != "segment" or of_preferences(method) is None:
            raise InputError("Preferences are judgments of segments: tune by agreement, wmt12, wmt13 or wmt14.")
        preferences = judgments.preferences.restricted(there, segments, warn=lambda _: None)
    else:
        ours = judgments.restricted(there, segments, warn=lambda _: None).oriented()
        if kind not in ours.kinds or "segment" not in ours.levels(kind):
            raise InputError(
                f"The {kind} judgments are not of segments, so they cannot be split into parts to tune and to test on."
            )
        found = ours.of_kind(kind).segment_scores(kind, segments=segments, systems=there)
        human = np.stack([found[name] for name in there])
        given = human[~np.isnan(human)]
        if len(given) < 4:
            raise InputError(f"There are {len(given)} {kind} judgments of these systems; tuning needs at least four.")
        if (given == given[0]).all():
            raise InputError(f"All {kind} judgments are {given[0]:g}: nothing can be learnt from them.")
    return Task(there, human, preferences, kind, level, method, group, units, codes, weights, threshold)


class Objective:
    """The agreement on some segments: `value({})` is that of the metric as it is."""

    def __init__(self, task: Task, metric: Metric, cube: Floats, segments: Segments, *, threads: int) -> None:
        self.metric = metric
        self._sign = 1.0 if metric.higher_is_better else -1.0
        self._task, self._cube, self._segments = task, cube, segments
        if task.preferences is not None:
            self._prepare_preferences(task, task.preferences, cube, segments)
            return
        totals, human, systems, items = _points(task, cube, segments)
        there = ~np.isnan(human)
        self.totals = np.asfortranarray(totals[there])  # a column in one piece is quickly read, thousands of times
        self.human, self.systems, self.items = human[there], systems[there], items[there]
        if len(self.human) < 2 or (self.human == self.human[0]).all():
            raise InputError(
                f"A part of the data has {len(self.human)} judged {task.level}s"
                + (" that are all equal" if len(self.human) > 1 else "")
                + ". Use fewer folds, or more judgments."
            )
        settings = Settings(task.threshold, threads=threads)
        self._prepared = METHODS[task.method](self.human, self.systems, self.items, task.group, settings)
        self._quick = self._prepared.quick_value()

    def _prepare_preferences(self, task: Task, pairs: Preferences, cube: Floats, segments: Segments) -> None:
        often = np.bincount(segments, minlength=cube.shape[1])
        place = pairs.segment - 1
        known = (place >= 0) & (pairs.outcome != 0)
        chosen = np.repeat(np.flatnonzero(known), often[place[known]])
        order = np.array([task.systems.index(name) for name in pairs.system])
        self._outcome = pairs.outcome[chosen].astype(np.float64)
        self._pairs = [
            np.ascontiguousarray(cube[order[codes[chosen]], place[chosen]]) for codes in (pairs.first, pairs.second)
        ]
        if not len(chosen):
            raise InputError("A part of the data has no preference. Use fewer folds, or more judgments.")

    @property
    def units(self) -> int:
        """How many documents, or source sentences, are in it."""
        return len(np.unique(self._task.units[self._segments]))

    @property
    def units_of_points(self) -> Segments:
        """The document, or source sentence, of each point, where points are segments."""
        return np.asarray(self._task.units[self._segments[self.items]])

    def scores(self, values: Mapping[str, Any]) -> Floats:
        """Return the scores of all points, higher being better."""
        scores = tuning(self.metric).rescored(self.totals, values) if values else self.metric.score(self.totals)
        return np.asarray(self._sign * scores)

    def value(self, values: Mapping[str, Any]) -> float:
        """Return the agreement; the lowest value there is where it is undefined, or where there is no such metric."""
        if values and not tuning(self.metric).possible(values):
            return _LOWEST
        if self._task.preferences is not None:
            return self._preference_value(values)
        return _defined(self._quick(self.scores(values)))

    def resampled(self, values: Mapping[str, Any], state: Mapping[str, Any], samples: int) -> Floats:
        """Return the agreement on `samples` draws of as many units, the same draws for the same generator state."""
        rng = np.random.default_rng()
        rng.bit_generator.state = state
        units, place = np.unique(self._task.units[self._segments], return_inverse=True)
        drawn = rng.multinomial(len(units), np.full(len(units), 1 / len(units)), samples)
        task = self._task
        by_points = task.preferences is None and task.level == "segment" and task.group == "none"
        if by_points and self._prepared.draws_repeat:  # a point counts as often as its segment was drawn
            often = drawn[:, place].astype(np.uint16)
            return np.nan_to_num(self._prepared.replicates(self.scores(values), Draws(often, None)), nan=0.0)
        return np.array([self._drawn(values, row[place]) for row in drawn])

    def _drawn(self, values: Mapping[str, Any], often: Segments) -> float:
        segments = np.repeat(self._segments, often)
        try:
            return Objective(self._task, self.metric, self._cube, segments, threads=1).value(values)
        except InputError:  # a draw without two different judgments says nothing
            return 0.0

    def _preference_value(self, values: Mapping[str, Any]) -> float:
        first, second = (
            tuning(self.metric).rescored(rows, values) if values else self.metric.score(rows) for rows in self._pairs
        )
        found = np.sign(self._sign * (first - second)) * self._outcome
        counts = np.array([(found > 0).sum(), (found < 0).sum(), 0, (found == 0).sum(), 0], np.float64)
        method = of_preferences(self._task.method)
        assert method is not None
        return _defined(float(method.of_all_counts(counts)))


def _defined(value: float) -> float:
    """Return the value, or the lowest there is where it is undefined."""
    return value if value == value else _LOWEST


def _points(task: Task, cube: Floats, segments: Segments) -> tuple[Floats, Floats, Any, Any]:
    """Return rows, judgments, and whose they are, of all points of a level; flat."""
    count = len(task.systems)
    human = task.human[:, segments]
    if task.level == "segment" or METHODS[task.method].by_segments:  # which tests systems by their segments
        systems, items = np.indices(human.shape, np.int32).reshape(2, -1)
        return cube[:, segments].reshape(-1, cube.shape[-1]), human.ravel(), systems, items
    judged = (~np.isnan(human)).astype(np.float64)
    place = np.zeros(len(segments), np.int64)
    if task.level == "document":
        assert task.documents is not None
        place = np.unique(task.documents[segments], return_inverse=True)[1]
    member = np.zeros((int(place.max(initial=-1)) + 1, len(segments)))
    member[place, np.arange(len(segments))] = 1.0
    weights = judged * task.lengths[segments]
    sums = (np.nan_to_num(human) * weights) @ member.T
    totals_of = weights @ member.T
    means = np.divide(sums, totals_of, out=np.full(sums.shape, np.nan), where=totals_of > 0)
    rows = np.einsum("sn,snc,dn->sdc", judged, cube[:, segments], member, optimize=True)
    systems, items = np.indices((count, len(member)), np.int32).reshape(2, -1)
    return rows.reshape(-1, cube.shape[-1]), means.ravel(), systems, items

"""Scores as points: what people said of a system's output for an item, group by group; and points drawn anew.

What is drawn with replacement is an item with the scores of all its systems, or a system with all its items, or both:
points that share an item are alike, so they are drawn together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Floats

GROUPS = ("none", "item", "sys")
UNITS = ("item", "sys", "both")
Codes = NDArray[np.int32]
Counts = NDArray[np.uint16]
Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Points:
    """Judged points in groups of at least two; group g holds the points offsets[g] to offsets[g + 1].

    `places` says where each point stands in the list that was given, so `values[places]` are a metric's scores.
    """

    human: Floats
    places: Places
    offsets: Places
    item: Codes
    system: Codes
    items: int
    systems: int
    group: str
    given: int
    dropped: int  # without a judgment
    alone: int  # in a group of their own

    @property
    def count(self) -> int:
        """How many points there are."""
        return len(self.human)

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Floats:
        """Points per group."""
        return np.diff(self.offsets).astype(np.float64)

    @property
    def pairs(self) -> int:
        """Pairs within groups."""
        sizes = np.diff(self.offsets)
        return int((sizes * (sizes - 1) // 2).sum())

    @property
    def independent(self) -> bool:
        """Whether no two points share an item, or none a system: then each is an observation of its own."""
        return any(self.count == np.count_nonzero(np.bincount(codes)) for codes in (self.item, self.system))

    def of(self, scores: Floats) -> Floats:
        """Return a metric's scores (..., given) of the points (..., count)."""
        if self.given == self.count and self.group == "none":
            return np.ascontiguousarray(scores)
        return np.ascontiguousarray(scores[..., self.places])


def points_of(human: Floats, systems: Codes | None, items: Codes | None, group: str) -> Points:
    """Arrange human scores (NaN: not judged) in groups; without items, each score is an item of its own."""
    check_group(group)
    if group == "item" and items is None:
        raise InputError("group='item' needs items=, the source sentence of each score, or scores as a matrix.")
    if group == "sys" and systems is None:
        raise InputError("group='sys' needs systems=, the system of each score, or scores as a matrix.")
    of_item = np.arange(len(human), dtype=np.int32) if items is None else items
    of_system = np.zeros(len(human), np.int32) if systems is None else systems
    judged = np.flatnonzero(~np.isnan(human))
    places, sizes = judged, np.array([len(judged)])
    if group != "none":
        key = (of_item if group == "item" else of_system)[judged]
        places = judged[np.argsort(key, kind="stable")]
        sizes = np.bincount(key)
    alone = int(sizes[sizes < 2].sum())
    if alone:
        places = places[np.repeat(sizes >= 2, sizes)]
    offsets = np.concatenate([[0], np.cumsum(sizes[sizes >= 2])]).astype(np.int64)
    return Points(
        human=np.ascontiguousarray(human if len(places) == len(human) and group == "none" else human[places]),
        places=places.astype(np.int64, copy=False),
        offsets=offsets,
        item=np.ascontiguousarray(of_item[places], np.int32),
        system=np.ascontiguousarray(of_system[places], np.int32),
        items=int(of_item.max(initial=-1)) + 1,
        systems=int(of_system.max(initial=-1)) + 1,
        group=group,
        given=len(human),
        dropped=len(human) - len(judged),
        alone=alone,
    )


def check_group(group: str) -> str:
    """Refuse a grouping that does not exist."""
    if group not in GROUPS:
        raise UnknownNameError.of("group", group, GROUPS)
    return group


@dataclass(frozen=True, eq=False)
class Given:
    """Plain scores, checked: flat, with codes of systems and items where they are known."""

    metric: Floats
    human: Floats
    systems: Codes | None
    items: Codes | None
    shape: tuple[int, ...]


def given(metric: Any, human: Any, systems: Sequence[Any] | None, items: Sequence[Any] | None) -> Given:
    """Check plain scores: lists of numbers, or matrices of systems x items. None or NaN means not judged."""
    ours, theirs = numbers(metric, "metric_scores"), numbers(human, "human_scores", may_miss=True)
    if ours.shape != theirs.shape:
        raise InputError(
            f"metric_scores has {_size(ours)}, but human_scores has {_size(theirs)}. Give one score of each for every "
            "point, with None for a judgment that is missing."
        )
    if ours.ndim == 2:
        if systems is not None and len(systems) != ours.shape[0]:
            raise InputError(f"systems has {len(systems):,} names, but the scores have {ours.shape[0]:,} rows.")
        if items is not None and len(items) != ours.shape[1]:
            raise InputError(f"items has {len(items):,} names, but the scores have {ours.shape[1]:,} columns.")
        of_system, of_item = np.indices(ours.shape, np.int32).reshape(2, -1)
        return Given(ours.ravel(), theirs.ravel(), of_system, of_item, ours.shape)
    codes = [_codes(labels, name, len(ours)) for labels, name in ((systems, "systems"), (items, "items"))]
    if codes[0] is not None and codes[1] is not None:
        _refuse_twice(codes[0], codes[1], list(systems or ()), list(items or ()))
    return Given(ours, theirs, codes[0], codes[1], ours.shape)


def numbers(values: Any, name: str, *, may_miss: bool = False) -> Floats:
    """Return a list or matrix of scores as numbers; None is NaN, and refused where nothing may be missing."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{name} must be numbers: a list, or a matrix of systems x items with rows of equal length."
        ) from None
    if array.ndim not in (1, 2):
        raise InputError(f"{name} must be a list or a matrix of systems x items, but has {array.ndim} dimensions.")
    bad = np.isinf(array) if may_miss else ~np.isfinite(array)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        at = "".join(f"[{i}]" for i in place)
        rest = int(bad.sum()) - 1
        raise InputError(
            f"{name}{at} is {array[place]}{f', and {rest:,} more are no finite numbers' if rest else ''}. "
            + ("Use None for a judgment that is missing." if may_miss else "Every point needs a metric score.")
        )
    return array


def _size(array: Floats) -> str:
    return f"{len(array):,} scores" if array.ndim == 1 else f"{array.shape[0]:,} x {array.shape[1]:,} scores"


def _codes(labels: Sequence[Any] | None, name: str, count: int) -> Codes | None:
    if labels is None:
        return None
    if isinstance(labels, str) or len(labels) != count:
        raise InputError(f"{name} has {len(labels):,} names, but there are {count:,} scores. Give one per score.")
    known: dict[Any, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], np.int32)


def _refuse_twice(systems: Codes, items: Codes, names: list[Any], labels: list[Any]) -> None:
    key = systems.astype(np.int64) * (int(items.max(initial=0)) + 1) + items
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    if len(counts) and counts.max() > 1:
        at = int(first[np.argmax(counts > 1)])
        raise InputError(
            f"System {names[at]!r} has {int(counts.max())} scores for item {labels[at]!r}. Average them first: a "
            "point is one system's output for one item."
        )


def matrix_of(values: Floats, systems: Codes, items: Codes) -> Floats:
    """Return systems x items, NaN where there is no score."""
    matrix = np.full((int(systems.max()) + 1, int(items.max()) + 1), np.nan)
    matrix[systems, items] = values
    return matrix


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each item and each system was drawn: (replicates, items), (replicates, systems); None: once each."""

    items: Counts | None
    systems: Counts | None
    units: int = 0  # that were drawn from; of items and systems, the fewer

    @property
    def replicates(self) -> int:
        """How many there are."""
        drawn = self.items if self.items is not None else self.systems
        assert drawn is not None
        return len(drawn)

    def split(self, points: Points) -> "tuple[Draws | None, Floats | None]":
        """Tell draws within groups of points from draws of whole groups, the latter as weights (replicates, groups)."""
        if points.group == "item":
            inside, whole, codes = Draws(None, self.systems), self.items, points.item
        else:
            inside, whole, codes = Draws(self.items, None), self.systems, points.system
        outer = None if whole is None else whole[:, codes[points.offsets[:-1]]].astype(np.float64)
        return inside if inside.items is not None or inside.systems is not None else None, outer

    def of(self, points: Points) -> tuple[Counts, Codes, Counts | None, Codes | None]:
        """Return the draws, one or two, each with the unit of every point, as kernels take them."""
        if self.items is None:
            assert self.systems is not None
            return self.systems, points.system, None, None
        if self.systems is None:
            return self.items, points.item, None, None
        return self.items, points.item, self.systems, points.system


def draw(points: Points, unit: str, samples: int, seed: int) -> Draws:
    """Draw as many items (or systems) as have points, with replacement; a unit without points is never drawn."""
    if unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    rng = np.random.default_rng(seed)
    items = drawn_counts(points.item, points.items, samples, rng) if unit in ("item", "both") else None
    systems = drawn_counts(points.system, points.systems, samples, rng) if unit in ("sys", "both") else None
    codes = {"item": [points.item], "sys": [points.system], "both": [points.item, points.system]}[unit]
    return Draws(items, systems, min(int(np.count_nonzero(np.bincount(one))) for one in codes))


def drawn_counts(codes: Any, size: int, samples: int, rng: np.random.Generator) -> Counts:
    """Return how often each of `size` units was drawn (samples, size): as many as there are among codes."""
    there = np.flatnonzero(np.bincount(codes))
    counts = np.zeros((samples, size), np.uint16)
    for row in counts:
        row[there] = np.bincount(rng.integers(len(there), size=len(there)), minlength=len(there))
    return counts

"""Intervals of system-level coefficients over other test sets: segments are drawn, and systems too if wanted.

A system's scores depend on the segments that happened to be in the test set. So segments are drawn with replacement,
every system is scored on them anew, by people and by the metric, and the coefficient is taken of these scores.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tertium.meta.coefficients.base import Measured, Method
from tertium.meta.intervals import FEWEST, Asked, Spread, no_interval, of_replicates
from tertium.meta.score_grid import Behind, Grid
from tertium.metrics.base import Floats

_BLOCK_BYTES = 1 << 26


@dataclass(frozen=True, eq=False)
class SegmentDraws:
    """Which segments, and how often each system, were drawn: (replicates, segments), (replicates, systems)."""

    places: Any  # the segments of each replicate, in the order in which they were drawn
    systems: Floats | None
    grid: Grid

    @classmethod
    def of(cls, grid: Grid, unit: str, samples: int, seed: int) -> "SegmentDraws":
        """Draw as many segments as were judged for any system; and systems, if the unit is both."""
        rng = np.random.default_rng(seed)
        there = np.flatnonzero((~np.isnan(grid.segment_human)).any(axis=0)).astype(np.int32)
        places = there[rng.integers(len(there), size=(samples, len(there)))] if len(there) else np.empty((samples, 0))
        systems = None
        if unit == "both":
            count = len(grid.systems)
            drawn = [np.bincount(rng.integers(count, size=count), minlength=count) for _ in range(samples)]
            systems = np.array(drawn, np.float64)
        return cls(places, systems, grid)

    @property
    def segments(self) -> int:
        """How many segments are drawn from."""
        return int(self.places.shape[1])

    @cached_property
    def human(self) -> Floats:
        """People's scores of systems in each replicate: (replicates, systems)."""
        assert self.grid.human_behind is not None
        return self._scored(self.grid.human_behind)

    def metric(self, label: str) -> Floats:
        """Return a metric's scores of systems in each replicate."""
        return self._scored(self.grid.behind[label])

    def _scored(self, behind: Behind) -> Floats:
        return np.concatenate([behind.scored(counts) for counts in self._counts()])

    def _counts(self) -> Iterator[Floats]:
        """Yield how often each segment was drawn, some replicates at a time."""
        size = self.grid.segment_human.shape[1]
        step = max(1, _BLOCK_BYTES // (8 * size))
        for begin in range(0, len(self.places), step):
            some = self.places[begin : begin + step]
            flat = some + np.arange(len(some))[:, None] * size
            yield np.bincount(flat.ravel(), minlength=len(some) * size).reshape(len(some), size).astype(np.float64)

    def why_not(self, label: str, *, by_segments: bool) -> str:
        """Say why segments cannot stand for a metric's or people's system scores; nothing if they can."""
        grid = self.grid
        if not self.segments:
            return "no segments were judged that could be drawn"
        if by_segments:  # segments are what is compared
            return ""
        if grid.human_behind is None or not grid.human_behind.sums_to(grid.human[:, 0]):
            return "systems were judged as wholes, so that segments cannot be drawn"
        behind = grid.behind.get(label)
        if behind is None or not behind.sums_to(grid.metrics[label][:, 0]):
            return f"the {label} scores of systems do not come from those of segments, which cannot be drawn"
        return ""

    def spread(self, prepared: Method, label: str, measured: Measured, asked: Asked) -> Spread:
        """Return the interval of a metric's coefficient."""
        why = self.why_not(label, by_segments=prepared.by_segments)
        count = prepared.drawn_points.count
        few = min(self.segments, count) if self.systems is not None else self.segments
        if not why and few < FEWEST:
            why = f"{few} segments or systems are too few to draw from for an interval"
        if count < FEWEST and not math.isnan(measured.value):
            why = f"{count} points are too few for an interval"
        if why or math.isnan(measured.value):
            return no_interval(why)
        found = of_replicates(prepared.over_segments(self, label, measured.epsilon), asked.confidence)
        return found if found.low is None else Spread(found.low, found.high, found.made)

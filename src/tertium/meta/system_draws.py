"""Intervals of system-level coefficients over other test sets: segments are drawn, and systems too if wanted.

A system's scores depend on the segments that happened to be in the test set. So segments are drawn with replacement,
every system is scored on them anew, by people and by the metric, and the coefficient is taken of these scores.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.meta.agreement import TOP, Agreement
from tertium.meta.coefficients.methods import ratio
from tertium.meta.coefficients.soft_pairwise_accuracy import FLIPS, SoftAccuracy
from tertium.meta.score_grid import Grid
from tertium.metrics.base import Floats

_BLOCK_BYTES = 1 << 26


@dataclass(frozen=True, eq=False)
class SystemDraws:
    """Which segments, and how often each system, were drawn: (replicates, segments), (replicates, systems)."""

    places: Any  # the segments of each replicate, in the order in which they were drawn
    systems: Floats | None
    grid: Grid

    @classmethod
    def of(cls, grid: Grid, unit: str, samples: int, seed: int) -> "SystemDraws":
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

    @property
    def replicates(self) -> int:
        """How many there are."""
        return len(self.places)

    def whole(self, label: str, *, soft: bool) -> str:
        """Say why segments cannot stand for a metric's or people's system scores; nothing if they can."""
        grid = self.grid
        if soft:  # segments are what it compares
            return ""
        if grid.human_behind is None or not grid.human_behind.sums_to(grid.human[:, 0]):
            return "systems were judged as wholes, so that segments cannot be drawn"
        behind = grid.behind.get(label)
        if behind is None or not behind.sums_to(grid.metrics[label][:, 0]):
            return f"the {label} scores of systems do not come from those of segments, which cannot be drawn"
        return ""

    def _counts(self) -> Any:
        """Yield how often each segment was drawn, some replicates at a time."""
        size = self.grid.segment_human.shape[1]
        step = max(1, _BLOCK_BYTES // (8 * size))
        for begin in range(0, self.replicates, step):
            some = self.places[begin : begin + step]
            flat = some + np.arange(len(some))[:, None] * size
            yield np.bincount(flat.ravel(), minlength=len(some) * size).reshape(len(some), size).astype(np.float64)

    def human(self) -> Floats:
        """Return people's scores of systems in each replicate: (replicates, systems)."""
        behind = self.grid.human_behind
        assert behind is not None
        return np.concatenate([behind.scored(counts) for counts in self._counts()])

    def metric(self, label: str) -> Floats:
        """Return a metric's scores of systems in each replicate."""
        behind = self.grid.behind[label]
        return np.concatenate([behind.scored(counts) for counts in self._counts()])


def drawn_values(
    draws: SystemDraws, agreement: Agreement, label: str, human: Floats, epsilon: float | None, used: Any = True
) -> Floats:
    """Return the coefficient in each replicate, of all systems or those that are `used`.

    A system that was drawn twice makes no pair with itself.
    """
    ours = draws.metric(label)
    times = (np.ones_like(ours) if draws.systems is None else draws.systems) * used
    # A system none of whose segments was drawn has no score in that replicate.
    times = np.where(np.isnan(ours) | np.isnan(human), 0.0, times)
    ours, human = np.nan_to_num(ours), np.nan_to_num(human)
    found = []
    step = max(1, _BLOCK_BYTES // (64 * ours.shape[1] ** 2))
    for begin in range(0, len(ours), step):
        some = slice(begin, begin + step)
        found.append(_values(agreement, ours[some], human[some], times[some], epsilon))
    return np.concatenate(found)


def _values(agreement: Agreement, ours: Floats, human: Floats, times: Floats, epsilon: float | None) -> Floats:
    family = agreement.method.family
    if family in ("moments", "ranks"):
        x, y = (ours, human) if family == "moments" else (_ranks(one, times, agreement) for one in (ours, human))
        return _pearson(x, y, times)
    first, second = np.triu_indices(ours.shape[1], 1)
    weights = times[:, first] * times[:, second]
    by_metric, by_people = ours[:, first] - ours[:, second], human[:, first] - human[:, second]
    if family == "calibrated":
        by_metric = np.where(np.abs(by_metric) <= (epsilon or 0.0), 0.0, by_metric)
    if family == "gaps":
        weights = weights * (np.abs(by_people) >= agreement.threshold)
    signs = np.sign(by_metric), np.sign(by_people)
    alike = signs[0] == signs[1]
    which = (
        alike & (signs[0] != 0), ~alike & (signs[0] != 0) & (signs[1] != 0), (signs[1] == 0) & ~alike,
        (signs[0] == 0) & ~alike, alike & (signs[0] == 0),
    )  # fmt: skip
    counts = np.stack([(weights * one).sum(axis=1) for one in which], axis=-1)
    if family == "gaps":
        kept = counts.sum(axis=-1)
        return ratio(2 * counts[:, 0] - kept, kept)
    if family == "calibrated":
        return ratio(counts[:, 0] + counts[:, 4], counts.sum(axis=-1))
    distinct = np.minimum(*(_distinct(one, times) for one in (ours, human)))
    return agreement.method.of_counts(counts, times.sum(axis=1), distinct)


def _pearson(x: Floats, y: Floats, times: Floats) -> Floats:
    total = times.sum(axis=1, keepdims=True)
    dx, dy = (one - ratio((one * times).sum(axis=1, keepdims=True), total) for one in (x, y))
    xx, yy, xy = ((times * one).sum(axis=1) for one in (dx * dx, dy * dy, dx * dy))
    size_x, size_y = ((times * one * one).sum(axis=1) for one in (x, y))
    below = np.where((xx > 1e-24 * size_x) & (yy > 1e-24 * size_y), np.sqrt(xx * yy), 0.0)
    return np.clip(ratio(xy, below), -1, 1)


def _ranks(values: Floats, times: Floats, agreement: Agreement) -> Floats:
    """Return the ranks of systems, those drawn several times being as many with equal scores."""
    above = values[:, :, None] > values[:, None, :]
    same = values[:, :, None] == values[:, None, :]
    share = 1.0 if agreement.method.name == TOP else 0.5
    return np.asarray(((above + share * same) * times[:, None, :]).sum(axis=2))


def _distinct(values: Floats, times: Floats) -> Floats:
    there = times > 0
    order = np.sort(np.where(there, values, np.inf), axis=1)
    return np.asarray(1 + ((order[:, 1:] != order[:, :-1]) & np.isfinite(order[:, 1:])).sum(axis=1), np.float64)


def drawn_soft(
    soft: SoftAccuracy, metrics: Floats, draws: SystemDraws, of_people: Floats | None
) -> tuple[Floats, Floats]:
    """Return soft pairwise accuracy in each replicate, and the p-values of people, to be used for other metrics.

    Each segment that was drawn has a sign of its own in the permutation test, also where it was drawn before.
    """
    first, second = np.triu_indices(soft.systems, 1)
    both = ~(np.isnan(soft.human[first]) | np.isnan(soft.human[second]))
    signs = soft.signs(draws.segments).astype(np.float32)

    def p_values(scores: Floats) -> Floats:
        differences = np.where(both, scores[first] - scores[second], 0.0)
        scale = np.abs(differences).max(initial=0.0)
        apart = np.ascontiguousarray((differences / (scale if scale > 0 else 1.0)).T, np.float32)
        found = np.empty((draws.replicates, len(first)))
        step = max(1, _BLOCK_BYTES // (16 * max(FLIPS, draws.segments) * len(first)))
        for begin in range(0, draws.replicates, step):
            some = draws.places[begin : begin + step]
            drawn = apart[some].transpose(1, 0, 2).reshape(draws.segments, -1)
            # Sums of float32: a tie is as much as their rounding can do.
            least = drawn.sum(axis=0) - 1e-5 * np.abs(drawn).sum(axis=0)
            found[begin : begin + step] = (signs @ drawn >= least).mean(axis=0).reshape(len(some), -1)
        return found

    people = p_values(soft.human) if of_people is None else of_people
    off = 1 - np.abs(p_values(metrics) - people)
    if draws.systems is None:
        return off.mean(axis=1), people
    weights = draws.systems[:, first] * draws.systems[:, second]
    return ratio((weights * off).sum(axis=1), weights.sum(axis=1)), people

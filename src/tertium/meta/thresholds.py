"""How large must a difference be for people to agree? The curve of `perceptible`, fitted to one's own judgments.

For each pair of systems there is a difference by the metric, and whether people put the two in the same order. The
chance that they do is taken to be a / (1 + exp(-b * difference)) with a up to 1: the most likely a and b are looked for
on a grid, which then closes in on the best cell. Systems are drawn with replacement for the intervals, since pairs
share them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.judgments import Judgments
from tertium.meta.score_grid import Grid, GridSource, grids
from tertium.metrics.base import Floats
from tertium.results import Result
from tertium.significance.intervals import percentile
from tertium.significance.perceptible import Curve
from tertium.significance.sampling import SEED, check_samples, check_seed, check_share

AGREEMENTS = (60, 65, 70, 75, 80, 85, 90)
_FEWEST = 4  # systems, six pairs: fewer say nothing
_A_CELLS, _B_CELLS = 51, 81
_GROUPS = 400  # of pairs that are told apart by size
_BLOCK = 64  # replicates that are fitted at once


@dataclass(frozen=True)
class Needed(Result):
    """The difference at which people agree so often, with its interval; infinite where they never do."""

    agreement: int
    difference: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields; what is infinite is null."""
        found = {"difference": self.difference, "low": self.low, "high": self.high}
        return {"agreement": self.agreement} | {k: v if math.isfinite(v) else None for k, v in found.items()}


@dataclass(frozen=True)
class Threshold(Result):
    """The curve of one metric and one kind of judgment. `a` is in percent; intervals are of `confidence`."""

    metric: str
    kind: str
    systems: int
    pairs: int
    agreeing: int
    a: float
    a_low: float
    a_high: float
    b: float
    b_low: float
    b_high: float
    needed: tuple[Needed, ...]
    note: str = ""

    @property
    def curve(self) -> Curve:
        """The curve as the published ones are."""
        return Curve(self.a, self.b)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        names = ("metric", "kind", "systems", "pairs", "agreeing", "a", "a_low", "a_high", "b", "b_low", "b_high")
        own = {name: getattr(self, name) for name in names}
        return own | {"differences": [one.to_dict() for one in self.needed], "note": self.note or None}


def thresholds(
    scores: GridSource,
    judgments: Judgments,
    *,
    kind: Sequence[str] | None = None,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    lengths: Floats | None = None,
    warn: Callable[[str], None] = lambda message: None,
) -> tuple[Threshold, ...]:
    """Fit a curve for each metric and kind of judgment, from all pairs of systems that both tell apart."""
    check_samples(samples, least=2)
    check_share("confidence", confidence)
    check_seed(seed)
    found = []
    for grid in grids(scores, judgments, "system", kinds=kind, lengths=lengths):
        for message in grid.dropped:
            warn(message)
        found += [_of_grid(grid, label, samples, confidence, seed) for label in grid.metrics]
    if not found:
        raise InputError("There are no judgments from which systems have scores, so no curve can be fitted.")
    return tuple(found)


def _of_grid(grid: Grid, label: str, samples: int, confidence: float, seed: int) -> Threshold:
    metric, human = grid.metrics[label][:, 0], grid.human[:, 0]
    there = np.flatnonzero(~(np.isnan(metric) | np.isnan(human)))
    if len(there) < _FEWEST:
        raise InputError(
            f"A curve for {label} and {grid.kind} needs at least {_FEWEST} systems that have both, but there are "
            f"{len(there)}."
        )
    return fitted(metric[there], human[there], label, grid.kind, samples=samples, confidence=confidence, seed=seed)


def fitted(
    metric: Floats, human: Floats, label: str = "metric", kind: str = "human", *, samples: int = 1000,
    confidence: float = 0.95, seed: int = SEED,
) -> Threshold:  # fmt: skip
    """Fit a curve to scores of systems, higher being better on both sides."""
    first, second = np.triu_indices(len(metric), 1)
    difference, people = metric[first] - metric[second], human[first] - human[second]
    told = (difference != 0) & (people != 0)
    if told.sum() < 2:
        raise InputError(f"{label} and {kind} tell no two systems apart, so no curve can be fitted.")
    first, second = first[told], second[told]
    agrees = (difference[told] > 0) == (people[told] > 0)
    pairs = _Pairs.of(np.abs(difference[told]), agrees)
    once = np.ones((1, len(agrees)))
    a, b = pairs.most_likely(once)[0].tolist()
    for depth in range(4):
        a, b = pairs.most_likely(once, around=(a, b, depth))[0].tolist()
    draws = np.random.Generator(np.random.PCG64(seed)).multinomial(
        len(metric), np.full(len(metric), 1 / len(metric)), size=samples
    )
    curves = np.concatenate(
        [
            pairs.most_likely((some[:, first] * some[:, second]).astype(np.float64))
            for some in (draws[k : k + _BLOCK] for k in range(0, samples, _BLOCK))
        ]
    )
    needed = []
    for agreement in AGREEMENTS:
        drawn = np.array([Curve(100 * p, q).difference(agreement) for p, q in curves.tolist()])
        needed.append(Needed(agreement, Curve(100 * a, b).difference(agreement), *percentile(drawn, confidence)))
    note = ""
    if agrees.all():
        note = "people agree about every pair, so the curve cannot be told from a step"
    elif len(agrees) < 20:
        note = f"{len(agrees)} pairs are few for a curve"
    return Threshold(
        label, kind, len(metric), len(agrees), int(agrees.sum()), 100 * a, *percentile(100 * curves[:, 0], confidence),
        b, *percentile(curves[:, 1], confidence), tuple(needed), note,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs by how much they differ: each for itself, or, of very many, in groups that differ by about the same."""

    size: Floats  # of each group
    group: Any  # of each pair
    agrees: Any

    @classmethod
    def of(cls, size: Floats, agrees: Any) -> "_Pairs":
        if len(size) <= _GROUPS:
            return cls(size, np.arange(len(size)), agrees)
        place = np.empty(len(size), np.int64)
        place[np.argsort(size, kind="stable")] = np.arange(len(size)) * _GROUPS // len(size)
        return cls(np.bincount(place, size) / np.bincount(place), place, agrees)

    def most_likely(self, weights: Floats, around: tuple[float, float, int] | None = None) -> Floats:
        """Return (replicates, 2): a from 0.5 to 1 and b that make the agreements most likely, pairs being weighed.

        A replicate in which no pair is left has no curve.
        """
        weights = weights[weights.sum(axis=1) > 0]
        middle = float(np.median(self.size))
        bounds = (0.5, 1.0, math.log(0.02 / middle), math.log(50 / middle))
        if around is not None:  # a finer grid, about two cells of the one before wide
            a, b, depth = around
            half_a = 0.5 / (_A_CELLS - 1) * 2 / 10**depth
            half_b = (bounds[3] - bounds[2]) / (_B_CELLS - 1) * 2 / 10**depth
            bounds = (max(0.5, a - half_a), min(1.0, a + half_a), math.log(b) - half_b, math.log(b) + half_b)
        tops = np.linspace(bounds[0], bounds[1], _A_CELLS)
        slopes = np.exp(np.linspace(bounds[2], bounds[3], _B_CELLS))
        reached = 1 / (1 + np.exp(-slopes[:, None] * self.size))  # (slopes, groups)
        chance = np.clip(tops[:, None, None] * reached, 1e-12, 1 - 1e-12).reshape(-1, len(self.size))
        likely = self._sums(weights, self.agrees) @ np.log(chance).T
        likely += self._sums(weights, ~self.agrees) @ np.log1p(-chance).T
        best = np.argmax(likely, axis=1)
        return np.column_stack([tops[best // _B_CELLS], slopes[best % _B_CELLS]])

    def _sums(self, weights: Floats, which: Any) -> Floats:
        """Return what these pairs weigh in each group, by replicate."""
        found = np.zeros((len(self.size), len(weights)))
        np.add.at(found, self.group[which], weights[:, which].T)
        return found.T

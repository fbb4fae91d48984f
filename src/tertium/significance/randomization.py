"""Approximate randomization (Noreen 1989; Riezler and Maxwell 2005): could the labels be swapped?

If two systems were equally good, it would not matter which of the two outputs of a segment is called whose. So a
trial swaps them by a coin, segment by segment, and looks how far apart the two sides are then. The p-value is the
share of trials, the real labelling among them, that are at least as far apart as the real systems are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.metrics.base import Floats, Metric
from tertium.significance.sampling import all_subset_sums, state_of, subset_sums, trial_blocks

EXACT_UNITS = 14  # up to here all 2^units ways to swap are tried
_AT_ONCE = 2000  # trials that are scored together: what they need stays in the cache
TOLERANCE = 1e-12  # of the scores: as much as rounding can do


@dataclass(frozen=True)
class Chance:
    """How often chance did at least as well, and in how many trials."""

    at_least: int
    above: int  # without ties
    trials: int
    exact: bool = False

    @property
    def p_value(self) -> float:
        """The real labelling counts as one of the trials; where all were tried, it is among them."""
        return self.at_least / self.trials if self.exact else (self.at_least + 1) / (self.trials + 1)

    @property
    def p_value_without_ties(self) -> float:
        """The p-value as MultEval and sacreBLEU have it: a trial that is just as far apart does not count."""
        return (self.above + 1) / (self.trials + 1)


def randomized(
    metric: Metric,
    rows: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    *,
    side: int,
    samples: int,
    seed: int | None,
    threads: int,
    exact: bool = True,
) -> list[Chance]:
    """Test each pair (baseline, system); `rows[k]` is (units, columns) of system k.

    `side` is 0 for a two-sided test, else the sign of the differences that count. One masked sum per system is
    enough for all pairs: what a pair swaps is the difference of two.
    """
    totals = [one.sum(axis=0) for one in rows]
    anchor = pairs[0][0] if pairs else 0
    differences = [np.ascontiguousarray(one - rows[anchor]) for one in rows]
    exact = exact and len(rows[0]) <= EXACT_UNITS
    trials = 1 << len(rows[0]) if exact else samples
    state = [] if exact else state_of(seed)
    counts = np.zeros((len(pairs), 2), np.int64)
    tolerances = [slack(metric, one) for one in rows]
    for first, count in trial_blocks(trials, rows[0].shape[1] * len(rows)):
        moved = [
            None if k == anchor else all_subset_sums(one) if exact else subset_sums(one, state, first, count, threads)
            for k, one in enumerate(differences)
        ]
        for index, (baseline, system) in enumerate(pairs):
            swapped = _difference(moved[system], moved[baseline])
            tolerance = max(tolerances[baseline], tolerances[system])
            counts[index] += _counts(metric, totals[baseline], totals[system], swapped, side, tolerance)
    return [Chance(int(at_least), int(above), trials, exact) for at_least, above in counts]


def _difference(of_system: Floats | None, of_baseline: Floats | None) -> Floats:
    if of_baseline is None:
        assert of_system is not None
        return of_system
    return -of_baseline if of_system is None else of_system - of_baseline


def _counts(
    metric: Metric, baseline: Floats, system: Floats, swapped: Floats, side: int, tolerance: float
) -> tuple[int, int]:
    """Return in how many trials the sides are at least as far apart as the systems, and in how many farther."""
    real = metric.score(np.stack([baseline, system]))
    distance = farness(real[1] - real[0], side)
    least = distance - tolerance
    at_least = above = 0
    sides = np.empty((len(baseline), 2, min(_AT_ONCE, swapped.shape[1])))
    for begin in range(0, swapped.shape[1], _AT_ONCE):
        some = swapped[:, begin : begin + _AT_ONCE]
        sides = sides[:, :, : some.shape[1]]
        np.add(baseline[:, None], some, out=sides[:, 0])
        np.subtract(system[:, None], some, out=sides[:, 1])
        scores = metric.score(np.moveaxis(sides, 0, -1))
        found = farness(scores[1] - scores[0], side)
        at_least += int((found >= least).sum())
        above += int((found > distance).sum())
    return at_least, above


def farness(difference: Floats, side: int) -> Floats:
    """Return how far a difference speaks against equality: its size, or its size in one direction."""
    return np.abs(difference) if side == 0 else side * difference


def slack(metric: Metric, rows: Floats) -> float:
    """Return by how much two differences of such scores may differ that would be equal without rounding.

    What is added up decides, not what comes of it: scores around 0 cancel out, their rounding does not.
    """
    scores = metric.score(np.stack([rows.sum(axis=0), np.abs(rows).sum(axis=0)]))
    return TOLERANCE * float(np.abs(scores[np.isfinite(scores)]).max(initial=0))

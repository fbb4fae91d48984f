"""Pearson's product-moment correlation, of scores here and of ranks elsewhere: the only one there is.

Of points it is taken group by group (`correlation`); draws and swaps add up sums of products instead (`of_sums`).
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

from tertium.meta.coefficients.base import Method, Swaps, Trials, ratio, standardised
from tertium.meta.coefficients.points import Draws
from tertium.metrics.base import Floats
from tertium.significance.sampling import state_of, subset_sums

_BLOCK_BYTES = 1 << 27


class ProductMoment(Method):
    """Pearson's coefficient of what `compared` makes of scores."""

    has_formula = True  # Fisher's z, and the tests of Williams and Steiger

    def prepare(self) -> None:
        """Keep the human scores as they are compared."""
        self._human = self.compared(self.points.human[None])[0]

    def compared(self, values: Floats) -> Floats:
        """Return what the coefficient is of, for scores of points (lists, points): scores, or ranks."""
        return values

    def compared_drawn(self, values: Floats, times: Floats) -> Floats:
        """Do so for scores (replicates, systems) that count `times` so often."""
        return values

    def statistics(self, values: Floats, epsilon: float | None = None) -> Floats:
        """Return each group's coefficient."""
        return correlation(self.compared(values), self._human, self.points.offsets, self.weights)[..., None]

    def of_drawn(self, ours: Floats, human: Floats, times: Floats, epsilon: float | None) -> Floats:
        """Centre anew in each replicate."""
        total = times.sum(axis=1, keepdims=True)
        x, y = (self.compared_drawn(one, times) for one in (ours, human))
        dx, dy = (one - ratio((one * times).sum(axis=1, keepdims=True), total) for one in (x, y))
        xx, yy, xy = ((times * one).sum(axis=1) for one in (dx * dx, dy * dy, dx * dy))
        size_x, size_y = ((times * one * one).sum(axis=1) for one in (x, y))
        apart = (xx > 1e-24 * size_x) & (yy > 1e-24 * size_y)  # beyond rounding
        zero = np.zeros_like(xx)
        return of_sums(np.ones_like(xx), zero, zero, np.where(apart, xx, 0.0), yy, xy)

    def correlations(self, one: Floats, two: Floats) -> tuple[float, float, float]:
        """Return the correlation of each of two metrics with people, and of the two with each other."""
        ours, theirs = (self.compared(self.of_points(scores[None])) for scores in (one, two))
        sides = (ours, self._human), (theirs, self._human), (ours, theirs[0])
        r12, r13, r23 = (float(correlation(a, b, self.points.offsets)[0, 0]) for a, b in sides)
        return r12, r13, r23


class Pearson(ProductMoment):
    """Pearson (1895)."""

    name = "pearson"
    ties = "no ranks, no ties; undefined if one side is constant"
    takes_weights = True
    draws_repeat = True

    def closed_interval(self, value: float, confidence: float, *, by_name: bool) -> tuple[float, float]:
        """Return Fisher's interval."""
        return fisher(value, self.points.count, confidence)

    def quick_value(self) -> Callable[[Floats], float]:
        """Without groups, a value is two products with what is known of people beforehand."""
        if self.points.group != "none" or self.points.count != self.given or self.weights is not None:
            return self.value
        centred = self.points.human - self.points.human.mean()
        people = centred / np.sqrt(centred @ centred)

        def value(scores: Floats) -> float:
            mean = scores.sum() / len(scores)
            spread = scores @ scores - len(scores) * mean * mean
            if not spread > 1e-12 * max(1.0, mean * mean * len(scores)):
                return float("nan")
            return float(scores @ people / np.sqrt(spread))

        return value

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """Sums of products add up over draws, so all replicates are one matrix product."""
        points = self.points
        x, y = _scaled(values), _scaled(points.human)
        columns = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y])
        if self.weights is not None:
            columns *= self.weights / self.weights.mean()
        drawn, codes, others, other_codes = draws.of(points)
        if others is not None and other_codes is not None:  # only without groups
            drawn_twice, inner, inners = others.astype(np.float64), other_codes, points.systems
        else:
            drawn_twice, inners = np.ones((1, 1)), points.groups
            inner = np.repeat(np.arange(points.groups, dtype=np.int32), np.diff(points.offsets))
        units = drawn.shape[1]
        place = codes.astype(np.int64) * inners + inner
        sums_of = [np.bincount(place, weights=column, minlength=units * inners) for column in columns]
        cells = np.stack(sums_of, axis=-1).astype(np.float64, copy=False).reshape(units, -1)
        found = np.empty((draws.replicates, points.groups))
        step = max(1, _BLOCK_BYTES // (48 * max(inners, units)))
        for begin in range(0, draws.replicates, step):
            some = slice(begin, begin + step)
            sums = (drawn[some].astype(np.float64) @ cells).reshape(-1, inners, 6)
            if others is not None:
                sums = (sums * drawn_twice[some, :, None]).sum(axis=1, keepdims=True)
            found[some] = of_sums(*np.moveaxis(sums, -1, 0))
        return found[..., None]

    def swapped(self, one: Floats, two: Floats, units: Any, count: int, swaps: Swaps) -> Trials:
        """Sums of products change by what is swapped, so a trial is a sum over a random subset of units."""
        if self.points.group != "none":
            return super().swapped(one, two, units, count, swaps)
        human = standardised(self.points.human)
        moved = np.stack([two - one, two * two - one * one, (two - one) * human])
        by_unit = [np.bincount(units, weights=column, minlength=count) for column in moved]
        rows = np.ascontiguousarray(np.stack(by_unit, axis=-1), np.float64)
        state = state_of(swaps.seed)

        def trials(first: int, many: int) -> Floats:
            sums = subset_sums(rows, state, first, many, swaps.threads)
            return _moved(one, human, sums) - _moved(two, human, -sums)

        return trials


def correlation(scores: Floats, human: Floats, offsets: Any, weights: Floats | None = None) -> Floats:
    """Return (lists, groups): Pearson's coefficient, NaN where one side is constant; points may have weights."""
    starts, sizes = offsets[:-1], np.diff(offsets)
    each = np.ones(1) if weights is None else weights
    people, flat = _centred(human[None], starts, sizes, weights)
    ours, constant = _centred(scores, starts, sizes, weights)
    products = np.add.reduceat(ours * people * each, starts, axis=1)
    spread = np.sqrt(np.add.reduceat(ours * ours * each, starts, axis=1))
    by_people = np.sqrt(np.add.reduceat(people * people * each, starts, axis=1))
    values = np.clip(ratio(ratio(products, spread), np.broadcast_to(by_people, spread.shape)), -1, 1)
    return np.where(constant | flat, np.nan, values)


def _centred(values: Floats, starts: Any, sizes: Any, weights: Floats | None) -> tuple[Floats, Any]:
    """Return values minus their group's mean, and which groups are constant."""
    constant = np.maximum.reduceat(values, starts, axis=1) == np.minimum.reduceat(values, starts, axis=1)
    if weights is None:
        means = np.add.reduceat(values, starts, axis=1) / sizes
    else:
        means = np.add.reduceat(values * weights, starts, axis=1) / np.add.reduceat(weights, starts)
    return values - np.repeat(means, sizes, axis=1), constant


def of_sums(n: Any, x: Any, y: Any, xx: Any, yy: Any, xy: Any) -> Floats:
    """Return the same from sums, which add up over draws and swaps: of points, x, y, x^2, y^2 and xy."""
    of_x, of_y = n * xx - x * x, n * yy - y * y
    slack = 1e-13 * n
    defined = (of_x > slack * np.maximum(xx, 1e-300)) & (of_y > slack * np.maximum(yy, 1e-300))
    below = np.where(defined, np.sqrt(np.maximum(of_x, 0) * np.maximum(of_y, 0)), 0.0)
    return np.clip(ratio(n * xy - x * y, below), -1, 1)


def fisher(value: float, n: int, confidence: float = 0.95, *, ranks: bool = False) -> tuple[float, float]:
    """Return the interval of a correlation by Fisher's z; for ranks with the spread of Bonett and Wright (2000)."""
    if abs(value) >= 1:
        return value, value
    error = math.sqrt((1 + value * value / 2 if ranks else 1) / (n - 3))
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * error
    middle = math.atanh(value)
    return math.tanh(middle - reach), math.tanh(middle + reach)


def _moved(scores: Floats, human: Floats, moved: Floats) -> Floats:
    """Return the coefficient in each trial; `moved` (3, trials) is added to the sums of x, x^2 and xy."""
    sums = scores.sum(), scores @ scores, scores @ human
    x, xx, xy = (float(base) + more for base, more in zip(sums, moved, strict=True))
    return of_sums(len(scores), x, float(human.sum()), xx, float(human @ human), xy)


def _scaled(values: Floats) -> Floats:
    """Return values about 0, up to 1, so that sums of squares lose no digits."""
    centred = values - values.mean()
    spread = float(np.abs(centred).max(initial=0.0))
    return np.asarray(centred / spread if spread > 0 else centred)

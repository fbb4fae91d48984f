"""Pearson's product-moment correlation: of scores, or of their ranks."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from tertium.meta.coefficients.base import Method, ratio
from tertium.metrics.base import Floats


class ProductMoment(Method):
    """Pearson's coefficient of what `compared` makes of scores."""

    def prepare(self) -> None:
        """Keep the human scores as they are compared."""
        self._human = self.compared(self.points.human[None])[0]

    def compared(self, values: Floats) -> Floats:
        """Return what the coefficient is of, for scores of points (lists, points): scores, or ranks."""
        return values

    def compared_drawn(self, values: Floats, times: Floats) -> Floats:
        """Do so for scores (replicates, systems) that count `times` so often."""
        return values

    def group_statistics(self, values: Floats, epsilon: float | None) -> Floats:
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

    @property
    def closed(self) -> bool:
        """Fisher's z, and the tests of Williams and Steiger, hold for plain points."""
        return self.points.group == "none" and self.weights is None

    def correlations(self, one: Floats, two: Floats) -> tuple[float, float, float]:
        """Return the correlation of each of two metrics with people, and of the two with each other."""
        ours, theirs = (self.compared(self.of_points(scores[None])) for scores in (one, two))
        sides = (ours, self._human), (theirs, self._human), (ours, theirs[0])
        r12, r13, r23 = (float(correlation(a, b, self.points.offsets)[0, 0]) for a, b in sides)
        return r12, r13, r23


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

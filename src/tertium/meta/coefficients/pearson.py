"""Pearson's coefficient of scores: sums of products, so draws and swaps need no second look at the points."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tertium.meta.coefficients.base import Swaps, Trials, standardised
from tertium.meta.coefficients.draws import Draws
from tertium.meta.coefficients.points import Codes
from tertium.meta.coefficients.product_moment import ProductMoment, fisher, of_sums
from tertium.metrics.base import Floats
from tertium.significance.sampling import state_of, subset_sums

_BLOCK_BYTES = 1 << 27


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
        cells = _cells(columns, codes, units, inner, inners).reshape(units, -1)
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


def _moved(scores: Floats, human: Floats, moved: Floats) -> Floats:
    """Return the coefficient in each trial; `moved` (3, trials) is added to the sums of x, x^2 and xy."""
    sums = scores.sum(), scores @ scores, scores @ human
    x, xx, xy = (float(base) + more for base, more in zip(sums, moved, strict=True))
    return of_sums(len(scores), x, float(human.sum()), xx, float(human @ human), xy)


def _cells(columns: Floats, one: Codes, ones: int, two: Codes, twos: int) -> Floats:
    """Add up columns (6, points) by two codes: (ones, twos, 6)."""
    place = one.astype(np.int64) * twos + two
    sums = [np.bincount(place, weights=column, minlength=ones * twos).astype(np.float64) for column in columns]
    return np.stack(sums, axis=-1).reshape(ones, twos, len(columns))


def _scaled(values: Floats) -> Floats:
    """Return values about 0, up to 1, so that sums of squares lose no digits."""
    centred = values - values.mean()
    spread = float(np.abs(centred).max(initial=0.0))
    return np.asarray(centred / spread if spread > 0 else centred)

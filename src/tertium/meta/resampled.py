"""Coefficients of points that were drawn with replacement, and intervals of coefficients.

What is drawn is an item with the scores of all its systems, or a system with all its items, or both: points that
share an item are alike, so they are drawn together. A pair of points counts as often as the product of their draws;
a point drawn twice makes no pair with itself, for such a pair would be tied by construction.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.errors import UnknownNameError
from tertium.meta.agreement import TOP, Agreement
from tertium.meta.coefficients.methods import ratio
from tertium.meta.coefficients.points import Codes, Points, points_of
from tertium.metrics.base import Floats
from tertium.significance.intervals import percentile

UNITS = ("item", "sys", "both")
INTERVALS = ("auto", "fisher", "bootstrap", "none")
_MOST_POINTS = 50_000  # beyond them, blocks of points tell how much the coefficient varies
_BLOCKS, _BLOCK_UNITS = 200, 250
_LEAST_UNITS = 4
_UNIT_NAMES = {"item": "items", "sys": "systems", "both": "items or systems"}
_BLOCK_BYTES = 1 << 27
Drawn = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each item and each system was drawn: (replicates, items), (replicates, systems); None: once each."""

    items: Drawn | None
    systems: Drawn | None

    @property
    def replicates(self) -> int:
        """How many there are."""
        drawn = self.items if self.items is not None else self.systems
        assert drawn is not None
        return len(drawn)


def draw(points: Points, unit: str, samples: int, seed: int) -> Draws:
    """Draw as many items (or systems) as have points, with replacement; a unit without points is never drawn."""
    if unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    rng = np.random.default_rng(seed)
    items = _counts(points.item, points.items, samples, rng) if unit in ("item", "both") else None
    systems = _counts(points.system, points.systems, samples, rng) if unit in ("sys", "both") else None
    return Draws(items, systems)


def _counts(codes: Codes, size: int, samples: int, rng: np.random.Generator) -> Drawn:
    there = np.flatnonzero(np.bincount(codes))
    counts = np.zeros((samples, size), np.uint16)
    for row in counts:
        row[there] = np.bincount(rng.integers(len(there), size=len(there)), minlength=len(there))
    return counts


def replicate_values(
    agreement: Agreement, scores: Floats, draws: Draws, statistics: Floats | None = None, epsilon: float | None = None
) -> Floats:
    """Return the coefficient in each replicate; `scores` are given as for `Agreement.value`.

    `statistics` (groups, columns) and `epsilon` are those of the points, if they are known already. The calibrated
    distance of acc-eq is kept, not found anew in each replicate.
    """
    if agreement.soft is not None:
        systems = draws.systems if draws.systems is not None else draws.items
        assert systems is not None
        return agreement.soft.drawn(agreement._cubes(scores.reshape(1, -1))[0], systems.astype(np.float64))
    points = agreement.points
    values = agreement.of_points(scores.reshape(1, -1))[0]
    inner, outer = _split(points, draws)
    if inner is None:
        assert outer is not None
        return _whole_groups(
            agreement, agreement.statistics(values[None])[0] if statistics is None else statistics, outer
        )
    return agreement.combined(_drawn_statistics(agreement, values, inner, epsilon), outer)


def _split(points: Points, draws: Draws) -> tuple[Draws | None, Floats | None]:
    """Tell draws within groups from draws of whole groups."""
    starts = points.offsets[:-1]
    if points.group == "none":
        return draws, None
    if points.group == "item":
        inside, whole, codes = Draws(None, draws.systems), draws.items, points.item
    else:
        inside, whole, codes = Draws(draws.items, None), draws.systems, points.system
    outer = None if whole is None else whole[:, codes[starts]].astype(np.float64)
    drawn = inside.items is not None or inside.systems is not None
    return inside if drawn else None, outer


def _whole_groups(agreement: Agreement, statistics: Floats, weights: Floats) -> Floats:
    """What a group adds does not depend on the replicate: all replicates are a matrix product."""
    if agreement.method.pooled:
        return agreement.combined((weights @ statistics)[:, None, :])
    values = statistics[:, 0]
    if agreement.undefined == "zero":
        values = np.nan_to_num(values, nan=0.0)
    defined = ~np.isnan(values)
    return ratio(weights @ np.where(defined, values, 0.0), weights @ defined.astype(np.float64))


def _drawn_statistics(agreement: Agreement, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
    """Return (replicates, groups, columns), as `Agreement.statistics` does."""
    points, family = agreement.points, agreement.method.family
    if family == "moments":
        return _drawn_pearson(points, values, draws, agreement.weights)[..., None]
    counts: Floats
    if agreement.method.name == TOP:
        return _drawn_top_ranks(points, values, draws)[..., None]
    if family == "ranks":
        counts = np.empty((draws.replicates, points.groups))
        _native.drawn_spearman(values, points.human, points.offsets, *_native_draws(points, draws), agreement.threads,
                               counts)  # fmt: skip
        return counts[..., None]
    if family == "gaps":
        return _drawn_gaps(agreement, points.human, values, draws, agreement.threshold, above=False)
    if family == "calibrated":
        at = agreement.epsilon(values) if epsilon is None else epsilon
        assert at is not None
        apart = _drawn_gaps(agreement, values, points.human, draws, at, above=True)
        people = _drawn_pairs(agreement, points.human, draws)
        return ratio(apart[..., 0] + people[..., 4] - apart[..., 2], people.sum(axis=-1))[..., None]
    counts = _drawn_pairs(agreement, values, draws)
    if agreement.method.pooled:
        return counts
    return agreement.of_counts(counts, agreement.distinct(values[None])[0])[..., None]


def _native_draws(points: Points, draws: Draws) -> tuple[Drawn, Codes, Drawn | None, Codes | None]:
    if draws.items is None:
        assert draws.systems is not None
        return draws.systems, points.system, None, None
    if draws.systems is None:
        return draws.items, points.item, None, None
    return draws.items, points.item, draws.systems, points.system


def _drawn_pairs(agreement: Agreement, values: Floats, draws: Draws) -> Floats:
    points = agreement.points
    counts = np.empty((draws.replicates * points.groups, 5))
    _native.drawn_pair_counts(values, points.human, points.offsets, *_native_draws(points, draws), agreement.threads,
                              counts)  # fmt: skip
    return counts.reshape(draws.replicates, points.groups, 5)


def _drawn_gaps(agreement: Agreement, far: Floats, other: Floats, draws: Draws, gap: float, *, above: bool) -> Floats:
    points = agreement.points
    counts = np.empty((draws.replicates * points.groups, 3))
    _native.gap_counts(far, other, points.offsets, gap, above, *_native_draws(points, draws), agreement.threads,
                       counts)  # fmt: skip
    return counts.reshape(draws.replicates, points.groups, 3)


def _drawn_pearson(points: Points, values: Floats, draws: Draws, weights: Floats | None) -> Floats:
    """Sums of products add up over draws, so all replicates are one matrix product."""
    x, y = _standard(values), _standard(points.human)
    columns = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y])
    if weights is not None:
        columns *= weights / weights.mean()
    group = np.repeat(np.arange(points.groups), np.diff(points.offsets))
    if draws.items is not None and draws.systems is not None:  # only without groups
        cells = _cells(columns, points.item, points.items, points.system, points.systems)
        sums = np.empty((draws.replicates, 1, 6))
        by_system = draws.systems.astype(np.float64)
        step = max(1, _BLOCK_BYTES // (48 * points.systems))
        for begin in range(0, draws.replicates, step):
            some = slice(begin, begin + step)
            inner = draws.items[some].astype(np.float64) @ cells.reshape(points.items, -1)
            shaped = inner.reshape(-1, points.systems, 6)
            sums[some, 0] = (shaped * by_system[some, :, None]).sum(axis=1)
        return _correlations(sums)
    drawn, codes, _, _ = _native_draws(points, draws)
    units = drawn.shape[1]
    cells = _cells(columns, codes, units, group, points.groups).reshape(units, -1)
    values_of = np.empty((draws.replicates, points.groups))
    step = max(1, _BLOCK_BYTES // (48 * max(points.groups, units)))
    for begin in range(0, draws.replicates, step):
        some = slice(begin, begin + step)
        values_of[some] = _correlations((drawn[some].astype(np.float64) @ cells).reshape(-1, points.groups, 6))
    return values_of


def _drawn_top_ranks(points: Points, values: Floats, draws: Draws) -> Floats:
    """Return (replicates, groups): Pearson's coefficient of ranks, where equal scores share the best one.

    A point that was drawn k times is k points with equal scores, so its rank is the sum of draws up to its scores.
    """
    found = np.empty((draws.replicates, points.groups))
    for group, (begin, end) in enumerate(zip(points.offsets[:-1].tolist(), points.offsets[1:].tolist(), strict=True)):
        some = slice(begin, end)
        orders = [_ends(values[some]), _ends(points.human[some])]
        step = max(1, _BLOCK_BYTES // (64 * (end - begin)))
        for first in range(0, draws.replicates, step):
            rows = slice(first, first + step)
            times = np.ones((len(found[rows]), end - begin))
            for drawn, codes in ((draws.items, points.item), (draws.systems, points.system)):
                if drawn is not None:
                    times *= drawn[rows][:, codes[some]]
            total = times.sum(axis=1, keepdims=True)
            x, y = (np.cumsum(times[:, order], axis=1)[:, last] - total / 2 for order, last in orders)
            columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
            found[rows, group] = _correlations(np.stack([(times * one).sum(axis=1) for one in columns], axis=-1))
    return found


def _ends(values: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the order of values, and for each value where the last of its equals stands in it."""
    order = np.argsort(values, kind="stable")
    return order, np.searchsorted(values[order], values, side="right") - 1


def _cells(columns: Floats, one: Codes, ones: int, two: NDArray[np.int64] | Codes, twos: int) -> Floats:
    """Add up columns (6, points) by two codes: (ones, twos, 6)."""
    place = one.astype(np.int64) * twos + two
    sums = [np.bincount(place, weights=column, minlength=ones * twos).astype(np.float64) for column in columns]
    return np.stack(sums, axis=-1).reshape(ones, twos, len(columns))


def _standard(values: Floats) -> Floats:
    """Centre and scale, so that sums of squares lose no digits."""
    centred = values - values.mean()
    spread = float(np.abs(centred).max(initial=0.0))
    return np.asarray(centred / spread if spread > 0 else centred)


def _correlations(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    of_x, of_y = n * xx - x * x, n * yy - y * y
    slack = 1e-13 * n
    defined = (of_x > slack * np.maximum(xx, 1e-300)) & (of_y > slack * np.maximum(yy, 1e-300))
    below = np.where(defined, np.sqrt(np.maximum(of_x, 0) * np.maximum(of_y, 0)), 0.0)
    return np.clip(ratio(n * xy - x * y, below), -1, 1)


# --- Intervals -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """An interval, how it was made, and what there is to say about it."""

    low: float | None
    high: float | None
    made: str
    note: str = ""


def fisher(value: float, n: int, level: float = 0.95, *, ranks: bool = False) -> tuple[float, float]:
    """Return the interval of a correlation by Fisher's z; for ranks with the spread of Bonett and Wright (2000)."""
    if abs(value) >= 1:
        return value, value
    error = math.sqrt((1 + value * value / 2 if ranks else 1) / (n - 3))
    reach = NormalDist().inv_cdf((1 + level) / 2) * error
    middle = math.atanh(value)
    return math.tanh(middle - reach), math.tanh(middle + reach)


def interval_of(
    agreement: Agreement,
    scores: Floats,
    value: float,
    *,
    interval: str,
    level: float,
    samples: int,
    seed: int,
    unit: str,
    draws: Draws | None = None,
    statistics: Floats | None = None,
    epsilon: float | None = None,
) -> Spread:
    """Return the interval of a coefficient: Fisher's where it holds, else by the bootstrap."""
    if interval not in INTERVALS:
        raise UnknownNameError.of("kind of interval", interval, INTERVALS)
    points, family = agreement.points, agreement.method.family
    count = agreement.soft.systems if agreement.soft is not None else points.count
    if interval == "none" or math.isnan(value):
        return Spread(None, None, "none")
    if count < 4:
        return Spread(None, None, "none", f"{count} points are too few for an interval")
    plain = family in ("moments", "ranks") and points.group == "none" and agreement.weights is None
    if interval == "fisher" and not plain:
        return Spread(
            None, None, "none", "Fisher's interval holds for Pearson and Spearman without groups or weights only"
        )
    if plain and (interval == "fisher" or (interval == "auto" and points.independent)):
        # Asked for by name, it is Fisher's as papers use it; of our own accord, the one that covers.
        return Spread(*fisher(value, points.count, level, ranks=family == "ranks" and interval == "auto"), "fisher")
    if points.count > _MOST_POINTS and agreement.soft is None and draws is None:
        return _by_blocks(agreement, scores, value, level, seed, unit, statistics)
    units = _fewest_units(agreement, unit)
    if units < _LEAST_UNITS:
        return Spread(None, None, "none", f"{units} {_UNIT_NAMES[unit]} are too few to draw from for an interval")
    if draws is None:
        draws = draw(drawn_points(agreement), unit, samples, seed)
    found = np.clip(replicate_values(agreement, scores, draws, statistics, epsilon), agreement.method.least, 1)
    found = found[~np.isnan(found)]
    lost = draws.replicates - len(found)
    if lost * 2 > draws.replicates:
        return Spread(None, None, "none", f"undefined in {lost:,} of {draws.replicates:,} replicates")
    note = f"undefined in {lost:,} of {draws.replicates:,} replicates" if lost else ""
    return Spread(*percentile(found, level), "bootstrap", note)


def _fewest_units(agreement: Agreement, unit: str) -> int:
    """Return how many items or systems there are to draw from; of both, the fewer."""
    points = drawn_points(agreement)
    if unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    codes = {"item": [points.item], "sys": [points.system], "both": [points.item, points.system]}[unit]
    return min(int(np.count_nonzero(np.bincount(one))) for one in codes)


def drawn_points(agreement: Agreement) -> Points:
    """Return the points that are drawn; where p-values of systems are compared, the systems."""
    if agreement.soft is None:
        return agreement.points
    systems = np.arange(agreement.soft.systems, dtype=np.int32)
    return points_of(np.zeros(len(systems)), systems, systems, "none")


def _by_blocks(
    agreement: Agreement, scores: Floats, value: float, level: float, seed: int, unit: str, statistics: Floats | None
) -> Spread:
    """Millions of points: their spread shows in the coefficients of random blocks of units, scaled to all of them."""
    points = agreement.points
    codes = points.system if unit == "sys" else points.item
    there = np.flatnonzero(np.bincount(codes))
    size = min(_BLOCK_UNITS, max(2, len(there) // _BLOCKS))
    blocks = min(_BLOCKS, len(there) // size)
    if blocks < 20:
        return Spread(None, None, "none", f"{len(there):,} are too few to make blocks of")
    chosen = np.random.default_rng(seed).choice(there, blocks * size, replace=False)
    block_of = np.full(int(there[-1]) + 1, -1, np.int32)
    block_of[chosen] = np.repeat(np.arange(blocks, dtype=np.int32), size)
    if points.group == unit and statistics is not None:
        of_group = block_of[codes[points.offsets[:-1]]]
        weights = (of_group == np.arange(blocks)[:, None]).astype(np.float64)
        found = _whole_groups(agreement, statistics, weights)
    else:
        found = _of_blocks(agreement, scores, block_of[codes], blocks)
    found = found[~np.isnan(found)]
    if len(found) < 20:
        return Spread(None, None, "none", "undefined in most blocks")
    error = float(found.std(ddof=1)) * math.sqrt(size / len(there))
    reach = NormalDist().inv_cdf((1 + level) / 2) * error
    return Spread(max(agreement.method.least, value - reach), min(1.0, value + reach), "blocks")


def _of_blocks(agreement: Agreement, scores: Floats, of_point: Codes, blocks: int) -> Floats:
    """Return the coefficient of each block: without groups, blocks are groups; else one after the other."""
    points = agreement.points
    values = agreement.of_points(scores.reshape(1, -1))[0]
    inside = np.flatnonzero(of_point >= 0)
    settings = {
        "method": agreement.method.name, "threshold": agreement.threshold, "sample_rate": agreement.sample_rate,
        "undefined": agreement.undefined, "threads": agreement.threads,
    }  # fmt: skip
    if points.group == "none":
        weights = None if agreement.weights is None else agreement.weights[inside]
        part = Agreement(
            points.human[inside], group="sys", systems=of_point[inside], weights=weights,
            **settings,  # type: ignore[arg-type]
        )  # fmt: skip
        statistics = part.statistics(part.of_points(values[None, inside]))[0]
        return part.combined(statistics[:, None, :])
    inside = inside[np.argsort(of_point[inside], kind="stable")]
    ends = np.cumsum(np.bincount(of_point[inside], minlength=blocks))
    found = []
    for some in np.split(inside, ends[:-1]):
        part = Agreement(
            points.human[some], group=points.group, systems=points.system[some], items=points.item[some],
            weights=None if agreement.weights is None else agreement.weights[some],
            **settings,  # type: ignore[arg-type]
        )  # fmt: skip
        found.append(part.value(values[some]))
    return np.array(found)

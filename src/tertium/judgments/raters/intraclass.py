"""Intraclass correlation (Shrout and Fleiss 1979): how much of the variance is due to what was judged."""

from typing import Any

import numpy as np

from tertium.errors import MissingExtraError
from tertium.judgments.labels import Floats, Ints

# One way: any raters; two ways: these raters, for absolute agreement (2) or consistency (3). k: the mean of all.
ICC = ("icc-1", "icc-2", "icc-3", "icc-1k", "icc-2k", "icc-3k")

Result = tuple[float, float | None, float | None, int, str | None]


def intraclass(measure: str, unit: Ints, rater: Ints, score: Floats, *, level: float = 0.95) -> Result:
    """Return value, low, high, the number of units used, and a note.

    icc-1 takes units with any raters, in numbers that may vary (k is then their adjusted mean); the others need units
    that every rater judged.
    """
    if score.min() == score.max():
        return float("nan"), None, None, int(unit.max()) + 1, "all judgments are equal"
    if measure.startswith("icc-1"):
        return _one_way(measure, unit, score, level)
    raters = int(rater.max()) + 1
    sizes = np.bincount(unit)
    whole = np.flatnonzero(sizes == raters)
    if len(whole) < 2:
        return (
            float("nan"),
            None,
            None,
            len(whole),
            f"{len(whole)} units were judged by all {raters} raters, at least 2 are needed",
        )
    kept = sizes[unit] == raters
    table = np.empty((len(whole), raters))
    table[np.searchsorted(whole, unit[kept]), rater[kept]] = score[kept]
    note = (
        None if len(whole) == len(sizes) else f"of {len(sizes):,} units, only these were judged by all {raters} raters"
    )
    return *_two_way(measure, table, level), len(whole), note


def _one_way(measure: str, unit: Ints, score: Floats, level: float) -> Result:
    count = int(unit.max()) + 1
    sizes = np.bincount(unit).astype(np.float64)
    total = sizes.sum()
    if count < 2:
        return float("nan"), None, None, count, "at least 2 units are needed"
    means = np.bincount(unit, score) / sizes
    between = float((sizes * (means - score.mean()) ** 2).sum() / (count - 1))
    inside = float(((score - means[unit]) ** 2).sum() / (total - count))
    k = float((total - (sizes**2).sum() / total) / (count - 1))
    value = (between - inside) / (between + (k - 1) * inside)
    if inside == 0:
        return 1.0, 1.0, 1.0, count, None
    low, high = _ratio_bounds(between / inside, count - 1, total - count, level)
    if measure == "icc-1k":
        return (between - inside) / between if between else float("-inf"), 1 - 1 / low, 1 - 1 / high, count, None
    return value, (low - 1) / (low + k - 1), (high - 1) / (high + k - 1), count, None


def _two_way(measure: str, table: Floats, level: float) -> tuple[float, float | None, float | None]:
    n, k = table.shape
    grand = table.mean()
    rows, columns = table.mean(axis=1), table.mean(axis=0)
    between = float(k * ((rows - grand) ** 2).sum() / (n - 1))
    raters = float(n * ((columns - grand) ** 2).sum() / (k - 1))
    rest = float(((table - rows[:, None] - columns[None, :] + grand) ** 2).sum() / ((n - 1) * (k - 1)))
    if measure.startswith("icc-3"):
        value = (between - rest) / (between + (k - 1) * rest)
        if rest == 0:
            return 1.0, 1.0, 1.0
        low, high = _ratio_bounds(between / rest, n - 1, (n - 1) * (k - 1), level)
        bounds = (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
    else:
        value = (between - rest) / (between + (k - 1) * rest + k * (raters - rest) / n)
        bounds = _agreement_bounds(value, between, raters, rest, n, k, level)
    if measure.endswith("k"):
        stepped = [k * x / (1 + (k - 1) * x) for x in (value, *bounds)]  # Spearman and Brown
        return stepped[0], stepped[1], stepped[2]
    return value, *bounds


def _agreement_bounds(
    value: float, between: float, raters: float, rest: float, n: int, k: int, level: float
) -> tuple[float, float]:
    if rest == 0 and raters == 0:
        return 1.0, 1.0
    part = n * (1 + (k - 1) * value) - k * value
    # Satterthwaite's degrees of freedom of the denominator, written so that rest = 0 does no harm.
    top = (k - 1) * (n - 1) * (k * value * raters + part * rest) ** 2
    bottom = (n - 1) * (k * value * raters) ** 2 + (part * rest) ** 2
    freedom = top / bottom
    quantile = 1 - (1 - level) / 2
    upper, lower = _f(quantile, n - 1, freedom), _f(quantile, freedom, n - 1)
    mixed = k * raters + (k * n - k - n) * rest
    low = n * (between - upper * rest) / (upper * mixed + n * between)
    high = n * (lower * between - rest) / (mixed + n * lower * between)
    return low, high


def _ratio_bounds(ratio: float, first: float, second: float, level: float) -> tuple[float, float]:
    quantile = 1 - (1 - level) / 2
    return ratio / _f(quantile, first, second), ratio * _f(quantile, second, first)


def _f(quantile: float, first: float, second: float) -> float:
    try:
        from scipy.special import fdtri
    except ImportError:
        raise MissingExtraError("Intervals of ICC need a package: pip install 'tertium[meta]'.") from None
    value: Any = fdtri(first, second, quantile)
    return float(value)

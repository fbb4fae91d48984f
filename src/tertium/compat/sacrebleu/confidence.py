"""Bootstrap confidence intervals with the random numbers, rounding and cut that sacreBLEU has."""

import os
import statistics
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.significance.single_precision import Float32s, Float64s

_BLOCK = 200_000  # random numbers that are held at once


def seed() -> str:
    """Return the seed that SACREBLEU_SEED sets, as signatures name it."""
    return os.environ.get("SACREBLEU_SEED", "12345").lower()


def replicates(rows: Any, count: int, seed: str) -> Float32s:
    """Return the sums of `count` samples of segments, drawn with replacement: (count, columns)."""
    generator = np.random.default_rng(_number(seed))
    table: Float64s = np.asarray(rows)
    whole = bool((table == np.floor(table)).all())
    segments = len(table)
    sums = np.empty((count, table.shape[1]), np.float32)
    step = max(1, _BLOCK // segments)
    for begin in range(0, count, step):
        end = min(begin + step, count)
        drawn = generator.integers(0, segments, size=(end - begin, segments))
        sums[begin:end] = _sums_of_integers(table, drawn) if whole else _sums_of_floats(table, drawn)
    return sums


def _number(seed: str) -> int | None:
    if seed == "none":
        return None
    try:
        number = int(seed)
    except ValueError:
        number = -1
    if number < 0:
        raise InputError(f"SACREBLEU_SEED is '{seed}'. Set it to a whole number of at least 0, or to none.")
    return number


def _sums_of_integers(table: Float64s, drawn: NDArray[np.int64]) -> Float64s:
    """Count how often each segment was drawn, then multiply: the order of adding does not matter."""
    replicates, segments = drawn.shape
    places = drawn + segments * np.arange(replicates)[:, None]
    counts = np.bincount(places.ravel(), minlength=replicates * segments).reshape(replicates, segments)
    sums: Float64s = counts.astype(np.float64) @ table
    return sums


def _sums_of_floats(table: Float64s, drawn: NDArray[np.int64]) -> Float32s:
    """Add up in single precision and in the order drawn, because that decides how sums round."""
    single = table.astype(np.float32)
    return np.array([single[sample].sum(axis=0) for sample in drawn])


def interval(scores: Iterable[Any]) -> tuple[float, float]:
    """Return the mean, and half the width of the middle 95 %."""
    ordered = np.sort(np.asarray(scores))
    count = len(ordered)
    low = count // 40
    # Averaged exactly, then rounded to the type that the scores have, as sacreBLEU does.
    mean = ordered.dtype.type(statistics.mean(ordered.tolist()))
    half = ordered.dtype.type(0.5) * (ordered[count - low - 1] - ordered[low])
    return float(mean), float(half)

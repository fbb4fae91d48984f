"""Bootstrap confidence intervals with the random numbers, rounding and cut that sacreBLEU has."""

import os
import statistics
from collections.abc import Iterable
from typing import Any

import numpy as np

from tertium import _native
from tertium.compat.sacrebleu.metrics.base import threads
from tertium.errors import InputError
from tertium.significance.single_precision import Float32s, Float64s

_BLOCK = 200_000  # random numbers that are held at once


def seed() -> str:
    """Return the seed that SACREBLEU_SEED sets, as signatures name it."""
    return os.environ.get("SACREBLEU_SEED", "12345").lower()


def replicates(rows: Any, count: int, seed: str) -> Float32s:
    """Return the sums of `count` samples of segments, drawn with replacement: (count, columns)."""
    table: Float64s = np.ascontiguousarray(rows)
    number = _number(seed)
    if bool((table == np.floor(table)).all()):
        return _sums_of_integers(table, count, np.random.PCG64(number).state["state"])
    return _sums_of_floats(table, count, np.random.default_rng(number))


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


def _sums_of_integers(table: Float64s, count: int, state: Any) -> Float32s:
    """Add up in the core, which draws NumPy's numbers: the order of adding does not matter."""
    halves = [half for number in (state["state"], state["inc"]) for half in (number >> 64, number & (2**64 - 1))]
    sums = np.empty((table.shape[1], count))
    _native.bootstrap_sums(table, generator=halves, skipped=0, threads=threads(), sums=sums)
    return np.ascontiguousarray(sums.T, np.float32)


def _sums_of_floats(table: Float64s, count: int, generator: np.random.Generator) -> Float32s:
    """Add up in single precision and in the order drawn, because that decides how sums round."""
    single = table.astype(np.float32)
    segments = len(table)
    sums = np.empty((count, table.shape[1]), np.float32)
    step = max(1, _BLOCK // segments)
    for begin in range(0, count, step):
        drawn = generator.integers(0, segments, size=(min(step, count - begin), segments))
        sums[begin : begin + step] = [single[sample].sum(axis=0) for sample in drawn]
    return sums


def interval(scores: Iterable[Any]) -> tuple[float, float]:
    """Return the mean, and half the width of the middle 95 %."""
    ordered = np.sort(np.asarray(scores))
    count = len(ordered)
    low = count // 40
    # Averaged exactly, then rounded to the type that the scores have, as sacreBLEU does.
    mean = ordered.dtype.type(statistics.mean(ordered.tolist()))
    half = ordered.dtype.type(0.5) * (ordered[count - low - 1] - ordered[low])
    return float(mean), float(half)

"""Bootstrap confidence intervals with the random numbers, rounding and cut that sacreBLEU has.

sacreBLEU sums replicates in single precision and computes with what comes out, which shows from the seventh digit on.
So the formulas stand here once more, on arrays of single precision and in the same order of operations.
"""

import os
import statistics
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError

Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]

_BLOCK = 200_000  # random numbers that are held at once
_LOG_OF_ZERO = -9999999999.0
_TINY = 1e-16


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


def bleu_scores(totals: Float32s, orders: int, smoothing: str, value: float, effective_order: bool) -> Float64s:
    """Return BLEU of each replicate: precisions in single, all else in double precision."""
    ours, theirs = totals[:, 0].astype(np.float64), totals[:, 1].astype(np.float64)
    counts, ngrams = totals[:, 2 : 2 + orders].copy(), totals[:, 2 + orders :].copy()
    found = (counts != 0).any(axis=1)
    logs = np.zeros(len(totals))
    used = np.zeros(len(totals))
    halving = np.ones(len(totals), np.float32)
    going = np.ones(len(totals), bool)
    for k in range(orders):
        if smoothing == "add-k" and k > 0:
            counts[:, k] += np.float32(value)
            ngrams[:, k] += np.float32(value)
        going &= ngrams[:, k] != 0
        total = np.where(going, ngrams[:, k], np.float32(1))
        precision = np.float32(100) * counts[:, k] / total
        missing = going & (counts[:, k] <= 0)
        if smoothing == "exp":
            halving = np.where(missing, 2 * halving, halving)
            precision = np.where(missing, np.float32(100) / (halving * total), precision)
        elif smoothing == "floor":
            precision = np.where(missing, np.float32(100 * value) / total, precision)
        precision = np.where(going, precision, np.float32(0)).astype(np.float64)
        counted = going if effective_order else np.ones_like(going)
        logs += np.where(counted, np.log(precision, out=np.full_like(precision, _LOG_OF_ZERO), where=precision > 0), 0)
        used += counted
    short = ours < theirs
    ratio = np.divide(theirs, ours, out=np.full_like(ours, np.inf), where=ours > 0)
    penalty = np.where(short, np.exp(1 - np.where(short, ratio, 1.0)), 1.0)
    return np.where(found, penalty * np.exp(logs / np.maximum(used, 1)), 0.0)


def chrf_scores(totals: Float32s, factor: float, eps_smoothing: bool) -> Float32s:
    """Return chrF of each replicate, all in single precision."""
    single = np.float32
    smoothed, mean_precision, mean_recall = np.zeros((3, len(totals)), single)
    used = np.zeros(len(totals), single)
    for k in range(0, totals.shape[1], 3):
        ours, theirs, common = totals[:, k], totals[:, k + 1], totals[:, k + 2]
        precision = np.divide(common, ours, out=np.full_like(ours, _TINY), where=ours > 0)
        recall = np.divide(common, theirs, out=np.full_like(theirs, _TINY), where=theirs > 0)
        smoothed += _f_score(precision, recall, single(factor), single(_TINY))
        both = (ours > 0) & (theirs > 0)
        mean_precision += np.where(both, precision, single(0))
        mean_recall += np.where(both, recall, single(0))
        used += both
    if eps_smoothing:
        return single(100) * smoothed / single(totals.shape[1] // 3)
    used = np.maximum(used, single(1))
    return single(100) * _f_score(mean_precision / used, mean_recall / used, single(factor), single(0))


def _f_score(precision: Float32s, recall: Float32s, factor: np.float32, otherwise: np.float32) -> Float32s:
    below = factor * precision + recall
    above = (np.float32(1) + factor) * precision * recall
    score: Float32s = np.full_like(below, otherwise)
    np.divide(above, below, out=score, where=below > 0)
    return score


def ter_scores(totals: Float32s) -> Float32s:
    """Return TER of each replicate, in single precision."""
    edits, length = totals[:, 0], totals[:, 1]
    rate = np.divide(edits, length, out=(edits > 0).astype(np.float32), where=length > 0)
    return np.float32(100) * rate

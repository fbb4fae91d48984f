"""BLEU, chrF and TER of bootstrap replicates, rounded as sacreBLEU rounds them.

sacreBLEU sums replicates in single precision and computes with what comes out, which shows from the seventh digit on.
So the formulas stand here once more, on arrays of single precision and in the same order of operations.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]

_LOG_OF_ZERO = -9999999999.0
_TINY = 1e-16


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
        logs += np.where(counted, _one_by_one(_log, precision), 0)
        used += counted
    short = ours < theirs
    ratio = np.divide(theirs, ours, out=np.full_like(ours, np.inf), where=ours > 0)
    penalty = np.where(short, _one_by_one(math.exp, 1 - np.where(short, ratio, 1.0)), 1.0)
    return np.where(found, penalty * _one_by_one(math.exp, logs / np.maximum(used, 1)), 0.0)


def _one_by_one(function: Callable[[float], float], values: Float64s) -> Float64s:
    """Apply a function of `math`, as sacreBLEU does: numpy's own, for many at once, may differ in the last digit."""
    return np.fromiter(map(function, values.tolist()), np.float64, len(values))


def _log(precision: float) -> float:
    return math.log(precision) if precision > 0 else _LOG_OF_ZERO


def chrf_scores(totals: Float32s, factor: float, eps_smoothing: bool) -> Float32s | Float64s:
    """Return chrF of each replicate, in single precision; kept in double if one has no match and so is Python's 0."""
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
    scores = single(100) * _f_score(mean_precision / used, mean_recall / used, single(factor), single(0))
    return scores if scores.all() else scores.astype(np.float64)


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

"""Tests and intervals as a textbook has them: NumPy's own random numbers, one trial at a time."""

import numpy as np


def randomization(metric, baseline, system, *, trials, seed, side=0, ties=True):
    """Swap segment by segment, score both sides anew; p by the lecture notes, or without ties."""
    masks = np.random.default_rng(seed).integers(2, size=(trials, len(baseline)), dtype=bool)

    def distance(ours, theirs):
        difference = float(metric.score(theirs.sum(axis=0)) - metric.score(ours.sum(axis=0)))
        return side * difference if side else abs(difference)

    real = distance(baseline, system)
    scale = 1e-12 * max(abs(float(metric.score(rows.sum(axis=0)))) for rows in (baseline, system))
    count = 0
    for mask in masks:
        swap = mask[:, None]
        found = distance(np.where(swap, system, baseline), np.where(swap, baseline, system))
        count += found >= real - scale if ties else found > real
    return (count + 1) / (trials + 1)


def replicates(metric, rows, *, samples, seed):
    """Draw segments with replacement and score them."""
    drawn = np.random.default_rng(seed).choice(len(rows), size=(samples, len(rows)))
    return np.array([float(metric.score(rows[one].sum(axis=0))) for one in drawn])


def bootstrap(metric, baseline, system, *, samples, seed):
    """Centre the differences and count those at least as large as the real one."""
    differences = replicates(metric, system, samples=samples, seed=seed) - replicates(
        metric, baseline, samples=samples, seed=seed
    )
    real = abs(float(metric.score(system.sum(axis=0)) - metric.score(baseline.sum(axis=0))))
    count = (np.abs(differences - differences.mean()) >= real - 1e-12 * 100).sum()
    return (count + 1) / (samples + 1)


def holm(p_values):
    """Step down through the sorted p-values."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, p_values[i] * (len(p_values) - rank)))
        adjusted[i] = largest
    return adjusted


def benjamini_hochberg(p_values):
    """Step up through the sorted p-values."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, least = [0.0] * len(p_values), 1.0
    for rank in range(len(p_values), 0, -1):
        i = order[rank - 1]
        least = min(least, p_values[i] * len(p_values) / rank)
        adjusted[i] = least
    return adjusted

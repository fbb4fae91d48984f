"""Rows of systems whose true difference is known, for checking how often a test is wrong."""

import numpy as np


def bleu_like(rng, segments, *, quality=(0.0, 0.0)):
    """Return BLEU rows of systems that translate the same segments; equal quality makes them exchangeable."""
    lengths = rng.integers(5, 40, size=segments)
    difficulty = rng.normal(0, 0.4, size=segments)
    systems = []
    for better in quality:
        ours = np.maximum(lengths + rng.integers(-2, 3, size=segments), 4)
        columns = [ours, lengths]
        matches, totals = [], []
        for n in range(1, 5):
            total = ours - n + 1
            chance = 1 / (1 + np.exp(-(0.8 - 0.7 * n + difficulty + better)))
            matches.append(rng.binomial(total, chance))
            totals.append(total)
        systems.append(np.column_stack([*columns, *matches, *totals]).astype(float))
    return systems


def skewed(rng, segments):
    """Return (score, 1) rows with a long tail, and the mean they were drawn from."""
    return np.column_stack([rng.lognormal(0, 0.7, size=segments), np.ones(segments)]), float(np.exp(0.7**2 / 2))


def alike_runs(rng, segments, runs=3):
    """Return (score, 1) rows of runs of one system: on a segment, half of what varies is common to all of them."""
    common = rng.normal(size=segments)
    return [np.column_stack([common + rng.normal(size=segments), np.ones(segments)]) for _ in range(runs)]


def swapped_by_item(rng, systems, items):
    """Two metrics of different kinds, swapped by a coin item by item, and whole numbers that people gave."""
    human = 0.5 * rng.normal(size=(systems, 1)) + rng.normal(size=(1, items)) + rng.normal(size=(systems, items))
    one = human + rng.normal(size=(1, items)) + rng.normal(size=human.shape)
    two = 0.5 * human + 0.3 * rng.normal(size=(1, items)) + 1.5 * rng.normal(size=human.shape)
    swap = rng.random(items) < 0.5
    return {"one": np.where(swap, two, one), "two": np.where(swap, one, two)}, human.round()

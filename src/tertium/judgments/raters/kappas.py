"""Kappas: agreement beyond chance of two raters (Cohen) or more (Fleiss), on categories."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgments.labels import Floats
from tertium.judgments.units import Units, categories, category_counts

CHANCES = ("marginal", "uniform")

Score = Callable[[Floats], Floats]


def fleiss(units: Units) -> tuple[Floats, Score]:
    """Fleiss (1971), for numbers of raters that may vary; columns: agreement, units, counts of categories."""
    values, codes = categories(units.score, "fleiss")
    counts = category_counts(units, codes, len(values))
    sizes = counts.sum(axis=1)
    alike = ((counts**2).sum(axis=1) - sizes) / (sizes * (sizes - 1))
    rows = np.column_stack([alike, np.ones(len(counts)), counts])

    def score(totals: Floats) -> Floats:
        observed = totals[..., 0] / totals[..., 1]
        shares = totals[..., 2:] / totals[..., 2:].sum(axis=-1, keepdims=True)
        return beyond_chance(observed, (shares**2).sum(axis=-1))

    return rows, score


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed - expected) / (1 - expected); where chance alone would always agree, 1 if all did, else 0."""
    certain = np.isclose(expected, 1, rtol=0, atol=1e-12)
    value = (observed - expected) / np.where(certain, 1, 1 - expected)
    return np.asarray(np.where(certain, np.isclose(observed, 1).astype(float), value))


def distances_of(measure: str, values: Floats) -> Floats:
    if measure == "cohen":
        return np.asarray(1.0 - np.eye(len(values)))
    apart = np.abs(np.subtract.outer(values, values)) / max(values[-1] - values[0], 1e-300)
    return np.asarray(apart if measure == "cohen-linear" else apart**2)


def table_kappa(distances: Floats) -> Score:
    """Cohen (1960, 1968): 1 - observed / expected disagreement, from the table of both raters' categories."""
    size = len(distances)

    def score(totals: Floats) -> Floats:
        table = totals.reshape(*totals.shape[:-1], size, size)
        number = np.maximum(table.sum(axis=(-1, -2)), 1)
        found = (table * distances).sum(axis=(-1, -2)) / number
        first, second = table.sum(axis=-1), table.sum(axis=-2)
        expected = np.einsum("...i,ij,...j->...", first, distances, second) / number**2
        certain = expected <= 1e-15
        value = 1 - found / np.where(certain, 1, expected)
        return np.asarray(np.where(certain, np.where(found <= 1e-15, 1.0, 0.0), value))

    return score


def kappa(
    first: Sequence[Any], second: Sequence[Any], *, weights: str | None = None, chance: str = "marginal"
) -> float:
    """Return Cohen's kappa of two raters; `weights` are linear or quadratic, `chance` is marginal or uniform."""
    if len(first) != len(second) or not len(first):
        raise InputError(
            f"Two raters judge the same items, but there are {len(first):,} and {len(second):,} judgments."
        )
    if weights not in (None, "linear", "quadratic"):
        raise UnknownNameError.of("weighting of kappa", weights, ("linear", "quadratic"))
    if chance not in CHANCES:
        raise UnknownNameError.of("kind of chance", chance, CHANCES)
    values, codes = np.unique(np.concatenate([np.asarray(first), np.asarray(second)]), return_inverse=True)
    size = len(values)
    table = np.bincount(codes[: len(first)] * size + codes[len(first) :], minlength=size**2).astype(np.float64)
    measure = "cohen" if weights is None else f"cohen-{weights}"
    distances = distances_of(measure, values.astype(np.float64) if weights else np.arange(size, dtype=np.float64))
    if chance == "marginal":
        return float(table_kappa(distances)(table))
    found = (table.reshape(size, size) * distances).sum() / table.sum()
    return float(1 - found / distances.mean()) if size > 1 else 1.0

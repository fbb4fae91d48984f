"""Krippendorff's alpha: 1 minus observed over expected disagreement, for any raters, gaps and kinds of scores."""

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Floats
from tertium.judgments.raters.kappas import Score
from tertium.judgments.units import Units, categories, category_counts


def alpha(units: Units, metric: str) -> tuple[Floats, Score]:
    """Krippendorff (2004): 1 - observed / expected disagreement."""
    if metric in ("nominal", "ratio"):
        return _alpha_of_categories(units, metric)
    scores = units.score - units.score.mean()  # differences stay, squares stay small
    if metric == "ordinal":
        # Krippendorff's ordinal difference is the squared distance of mid-ranks.
        _, codes, counts = np.unique(units.score, return_inverse=True, return_counts=True)
        middle = np.cumsum(counts) - counts / 2
        scores = middle[codes] - middle[codes].mean()
    sizes = units.sizes.astype(np.float64)
    sums = np.bincount(units.unit, scores, minlength=units.count)
    squares = np.bincount(units.unit, scores**2, minlength=units.count)
    within = 2 * (sizes * squares - sums**2) / (sizes - 1)
    flat = units.score.min() == units.score.max()
    rows = np.column_stack([np.zeros(units.count) if flat else within, sizes, sums, squares])

    def score(totals: Floats) -> Floats:
        found, number, total, square = (totals[..., i] for i in range(4))
        expected = 2 * (number * square - total**2) / (number - 1)
        return np.asarray(np.where(flat | (expected <= 0), np.nan, 1 - found / expected))

    return rows, score


def _alpha_of_categories(units: Units, metric: str) -> tuple[Floats, Score]:
    values, codes = categories(units.score, f"alpha-{metric}")
    if metric == "nominal":
        distances = 1.0 - np.eye(len(values))
    else:
        if values[0] < 0:
            raise InputError("alpha-ratio is for scores with a true zero and nothing below it.")
        sums = values[:, None] + values[None, :]
        distances = (np.subtract.outer(values, values) / np.where(sums == 0, 1, sums)) ** 2
    counts = category_counts(units, codes, len(values))
    sizes = counts.sum(axis=1)
    within = np.einsum("ui,ij,uj->u", counts, distances, counts) / (sizes - 1)
    rows = np.column_stack([within, counts])

    def score(totals: Floats) -> Floats:
        counted = totals[..., 1:]
        number = counted.sum(axis=-1)
        expected = np.einsum("...i,ij,...j->...", counted, distances, counted) / (number - 1)
        return np.asarray(np.where(expected <= 0, np.nan, 1 - totals[..., 0] / expected))

    return rows, score

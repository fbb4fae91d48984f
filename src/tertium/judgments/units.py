"""What several raters judged, in the form that measures of agreement take."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Floats, Ints, groups
from tertium.judgments.table import Judgments

_MOST_CATEGORIES = 50


@dataclass(frozen=True, eq=False)
class Units:
    """Judged units in long form, sorted by unit: which unit, which rater, which score. Each has at least two."""

    unit: Ints
    rater: Ints
    score: Floats
    raters: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many units there are."""
        return int(self.unit[-1]) + 1 if len(self.unit) else 0

    @property
    def sizes(self) -> Ints:
        """How many judgments each unit has."""
        return np.bincount(self.unit, minlength=self.count)


def units_of(judgments: Judgments, kind: str, *, within: bool = False) -> Units:
    """Return what several raters judged: outputs for a segment or a document. With `within`, what one judged twice."""
    ours = judgments.of_kind(kind)
    ours = ours[(ours.segment > 0) | (ours.document.codes >= 0)]
    if (ours.rater.codes < 0).any():
        raise InputError(
            f"{int((ours.rater.codes < 0).sum()):,} judgments of the kind '{kind}' name no rater, so nobody's "
            "agreement can be told. Give a column rater."
        )
    if not within:
        ours = ours.averaged_within_raters()
    item = np.where(ours.segment > 0, -1, ours.document.codes)
    keys: list[Any] = [ours.system.codes, ours.segment, item, *([ours.rater.codes] if within else [])]
    _, unit = groups(*keys)
    order = np.argsort(unit, kind="stable")
    unit, score, rater = unit[order], ours.score[order], ours.rater.codes[order].astype(np.int64)
    sizes = np.bincount(unit) if len(unit) else np.zeros(0, np.int64)
    if within:  # the first, second … time stand for raters
        rater = np.arange(len(unit)) - (np.cumsum(sizes) - sizes)[unit]
    kept = sizes[unit] > 1
    names = tuple(f"time {i + 1}" for i in range(int(sizes.max()))) if within and len(sizes) else ours.rater.names
    unit = np.unique(unit[kept], return_inverse=True)[1]
    present, rater = np.unique(rater[kept], return_inverse=True)
    return Units(unit.astype(np.int64), rater.astype(np.int64), score[kept], tuple(names[i] for i in present))


def categories(scores: Floats, measure: str) -> tuple[Floats, Ints]:
    values, codes = np.unique(scores, return_inverse=True)
    if len(values) > _MOST_CATEGORIES:
        raise InputError(
            f"{measure} takes scores as categories, but there are {len(values):,} different ones. Use alpha-interval, "
            "alpha-ordinal or icc-1 for scores on a fine scale."
        )
    return values, codes.astype(np.int64)


def category_counts(units: Units, codes: Ints, width: int) -> Floats:
    """Return how often each unit got each category."""
    return (
        np.bincount(units.unit * width + codes, minlength=units.count * width).reshape(units.count, width).astype(float)
    )


def judgment_pairs(units: Units) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of judgments of the same unit, the rater that comes first in the list first."""
    order = np.lexsort((units.rater, units.unit))
    sizes = units.sizes
    starts = np.cumsum(sizes) - sizes
    ones, twos, where = [], [], []
    for size in np.unique(sizes).tolist():
        begins = starts[sizes == size]
        first, second = np.triu_indices(size, 1)
        ones.append((begins[:, None] + first).ravel())
        twos.append((begins[:, None] + second).ravel())
        where.append(np.repeat(np.flatnonzero(sizes == size), len(first)))
    return order[np.concatenate(ones)], order[np.concatenate(twos)], np.concatenate(where)

"""Items and systems drawn with replacement.

What is drawn is an item with the scores of all its systems, or a system with all its items, or both: points that
share an item are alike, so they are drawn together.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import UnknownNameError
from tertium.meta.coefficients.points import Codes, Points
from tertium.metrics.base import Floats

UNITS = ("item", "sys", "both")
Counts = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each item and each system was drawn: (replicates, items), (replicates, systems); None: once each."""

    items: Counts | None
    systems: Counts | None
    units: int = 0  # that were drawn from; of items and systems, the fewer

    @property
    def replicates(self) -> int:
        """How many there are."""
        drawn = self.items if self.items is not None else self.systems
        assert drawn is not None
        return len(drawn)

    def split(self, points: Points) -> "tuple[Draws | None, Floats | None]":
        """Tell draws within groups of points from draws of whole groups, the latter as weights (replicates, groups)."""
        if points.group == "item":
            inside, whole, codes = Draws(None, self.systems), self.items, points.item
        else:
            inside, whole, codes = Draws(self.items, None), self.systems, points.system
        outer = None if whole is None else whole[:, codes[points.offsets[:-1]]].astype(np.float64)
        return inside if inside.items is not None or inside.systems is not None else None, outer

    def of(self, points: Points) -> tuple[Counts, Codes, Counts | None, Codes | None]:
        """Return the draws, one or two, each with the unit of every point, as kernels take them."""
        if self.items is None:
            assert self.systems is not None
            return self.systems, points.system, None, None
        if self.systems is None:
            return self.items, points.item, None, None
        return self.items, points.item, self.systems, points.system


def draw(points: Points, unit: str, samples: int, seed: int) -> Draws:
    """Draw as many items (or systems) as have points, with replacement; a unit without points is never drawn."""
    if unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    rng = np.random.default_rng(seed)
    items = drawn_counts(points.item, points.items, samples, rng) if unit in ("item", "both") else None
    systems = drawn_counts(points.system, points.systems, samples, rng) if unit in ("sys", "both") else None
    codes = {"item": [points.item], "sys": [points.system], "both": [points.item, points.system]}[unit]
    return Draws(items, systems, min(int(np.count_nonzero(np.bincount(one))) for one in codes))


def drawn_counts(codes: Any, size: int, samples: int, rng: np.random.Generator) -> Counts:
    """Return how often each of `size` units was drawn (samples, size): as many as there are among codes."""
    there = np.flatnonzero(np.bincount(codes))
    counts = np.zeros((samples, size), np.uint16)
    for row in counts:
        row[there] = np.bincount(rng.integers(len(there), size=len(there)), minlength=len(there))
    return counts

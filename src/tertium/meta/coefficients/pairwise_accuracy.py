"""Pairwise accuracy of systems (Kocmi et al. 2021): how often does a metric order two systems as people do?"""

from typing import Any

import numpy as np

from tertium.meta.coefficients.accuracy import Accuracy23
from tertium.meta.coefficients.base import DEFAULTS, Settings, ratio
from tertium.meta.coefficients.points import Codes
from tertium.metrics.base import Floats


class PairwiseAccuracy(Accuracy23):
    """Of system scores; scores of systems x items become the means of what people judged."""

    name = "pairwise-accuracy"
    ties = "of systems: a tie equals only a tie"
    pooled = across_sets = True
    of_systems = True
    chance = 0.5
    on_preferences = False

    def __init__(
        self, human: Floats, systems: Codes | None = None, items: Codes | None = None, group: str = "none",
        settings: Settings = DEFAULTS, weights: Any = None,
    ) -> None:  # fmt: skip
        self._cells: Codes | None = None
        if group != "none" or systems is None or items is None:
            super().__init__(human, systems, items, group, settings, weights)
            return
        self._judged = np.flatnonzero(~np.isnan(human))
        self._cells = systems[self._judged]
        self._systems = int(systems.max(initial=-1)) + 1
        means = self._means(human[None])[0]
        super().__init__(means, np.arange(len(means), dtype=np.int32), None, group, settings, weights)
        self.given, self.dropped = len(human), len(human) - len(self._judged)

    def of_points(self, scores: Floats) -> Floats:
        """Return the scores of systems."""
        return self.points.of(scores if self._cells is None else self._means(scores))

    def _means(self, scores: Floats) -> Floats:
        assert self._cells is not None
        sizes = np.bincount(self._cells, minlength=self._systems)
        rows = scores[:, self._judged]
        sums = np.stack([np.bincount(self._cells, weights=row, minlength=self._systems) for row in rows])
        return ratio(sums.astype(np.float64), np.broadcast_to(sizes, sums.shape))

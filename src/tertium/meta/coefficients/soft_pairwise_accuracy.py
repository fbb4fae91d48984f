"""Soft pairwise accuracy (Thompson et al. 2024): does a metric doubt where people doubt?

For each pair of systems a permutation test says how sure people are that the first is better, and how sure the metric
is. The accuracy is 1 minus the mean difference of the two p-values.
"""

import numpy as np

from tertium.errors import InputError
from tertium.meta.coefficients.methods import ratio
from tertium.metrics.base import Floats

FLIPS = 1000
SEED = 4  # mt-metrics-eval's
_TOLERANCE = 1e-12  # of the sum of differences: as much as rounding can do
_BLOCK_BYTES = 1 << 26


class SoftAccuracy:
    """The human side of it: scores as systems x items, NaN where there is no judgment."""

    def __init__(self, human: Floats, threads: int) -> None:
        if human.shape[0] < 2:
            raise InputError("soft-pairwise-accuracy compares systems, but there is only one.")
        self.human = human
        self._judged = ~np.isnan(human)
        self._signs = self.signs(human.shape[1])
        self._pairs = np.triu_indices(human.shape[0], 1)
        self.of_people = self.p_values(human)

    @staticmethod
    def signs(items: int) -> Floats:
        """Return the sign flips (flips, items): 1 or -1."""
        uniform = np.random.default_rng(SEED).random((FLIPS, items), dtype=np.float32)
        return np.where(np.round(uniform) == 1, 1.0, -1.0)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.human)

    def p_values(self, scores: Floats) -> Floats:
        """Return, for each pair i < j, the share of sign flips that favour system i at least as much as no flip."""
        return np.asarray(self._all_p_values(scores[None])[0], np.float64)

    def _all_p_values(self, cubes: Floats) -> Floats:
        """Return (lists, pairs); pairs of several lists are tested at once, which makes the products large."""
        first, second = self._pairs
        count = len(first)
        values = np.empty(len(cubes) * count)
        step = max(1, _BLOCK_BYTES // (8 * max(FLIPS, cubes.shape[2])))
        for begin in range(0, len(values), step):
            which, pair = np.divmod(np.arange(begin, min(begin + step, len(values))), count)
            i, j = first[pair], second[pair]
            # An item that is judged for one of the two only says nothing of the pair: it adds nothing either way.
            both = self._judged[i] & self._judged[j]
            differences = np.where(both, cubes[which, i] - cubes[which, j], 0.0)
            real = differences.sum(axis=1)
            slack = _TOLERANCE * np.abs(differences).sum(axis=1)
            values[begin : begin + step] = (self._signs @ differences.T >= real - slack).mean(axis=0)
        return values.reshape(len(cubes), count)

    def values(self, cubes: Floats) -> Floats:
        """Return the accuracy for each of (lists, systems, items)."""
        return np.asarray(1 - np.abs(self._all_p_values(cubes) - self.of_people).mean(axis=1), np.float64)

    def drawn(self, scores: Floats, systems: Floats) -> Floats:
        """Return the accuracy when systems are drawn several times (replicates, systems); no pair with itself."""
        first, second = self._pairs
        off = np.abs(self.p_values(scores) - self.of_people)
        weights = systems[:, first] * systems[:, second]
        total = weights.sum(axis=1)
        return ratio(weights @ (1 - off), total)

"""Paired bootstrap (Efron 1979; Koehn 2004): would the difference survive another test set of this kind?"""

import math

import numpy as np

from tertium.metrics.base import Floats
from tertium.significance.randomization import Chance


def bootstrapped(
    baseline: Floats, system: Floats, scores: Floats, side: int, tolerance: float, *, documents: int | None = None
) -> Chance:
    """Test one pair from the scores of replicates, drawn alike for both; `scores` are those of the real systems.

    Two-sided, the differences of the replicates are centred, as if the systems were equal, and the share that is
    then at least as large as the real difference counts. One-sided it is Koehn's: the share of the replicates in
    which the system is no better. `tolerance` is what rounding may do to a difference. Where so many `documents` were
    drawn, the two-sided test allows for their being few.
    """
    differences = system - baseline
    if side == 0:
        found = np.abs(differences - differences.mean())
        distance = abs(float(scores[1] - scores[0]))
        if documents is not None:
            distance = _of_few(distance, float(differences.std()), documents)
    else:
        distance, found = 0.0, -side * differences
    return Chance(
        int((found >= distance - tolerance).sum()), int((found > distance + tolerance).sum()), len(differences)
    )


def _of_few(distance: float, spread: float, units: int) -> float:
    """Return the distance that is as rare among many units as the one that was found is among few.

    Replicates of few units vary too little, by sqrt((n - 1) / n), and not knowing by how much makes Student's
    distribution of the normal one: Wallace's (1959) approximation takes one to the other.
    """
    if spread == 0 or units < 2:
        return distance
    free = units - 1
    t = distance / spread * math.sqrt(free / units)
    return spread * (8 * free + 1) / (8 * free + 3) * math.sqrt(free * math.log1p(t * t / free))

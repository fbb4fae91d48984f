"""Paired bootstrap (Efron 1979; Koehn 2004): would the difference survive another test set of this kind?"""

import numpy as np

from tertium.metrics.base import Floats
from tertium.significance.randomization import Chance


def bootstrapped(baseline: Floats, system: Floats, scores: Floats, side: int, tolerance: float) -> Chance:
    """Test one pair from the scores of replicates, drawn alike for both; `scores` are those of the real systems.

    Two-sided, the differences of the replicates are centred, as if the systems were equal, and the share that is
    then at least as large as the real difference counts. One-sided it is Koehn's: the share of the replicates in
    which the system is no better. `tolerance` is what rounding may do to a difference.
    """
    differences = system - baseline
    if side == 0:
        distance = abs(float(scores[1] - scores[0]))
        found = np.abs(differences - differences.mean())
    else:
        distance, found = 0.0, -side * differences
    return Chance(
        int((found >= distance - tolerance).sum()), int((found > distance + tolerance).sum()), len(differences)
    )

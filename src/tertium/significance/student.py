"""Student's t without a table: its quantiles, by an expansion around the normal ones."""

import math
from statistics import NormalDist


def expanded(z: float, freedom: float) -> float:
    """Return Student's quantile for a normal one, by the series of Cornish and Fisher (four terms).

    Good to three digits from five degrees of freedom on.
    """
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def student(share: float, freedom: float) -> float:
    """Return the quantile of Student's t below which so large a share lies; exact for 1 and 2 degrees of freedom."""
    if freedom <= 1:
        return math.tan(math.pi * (share - 0.5))
    if freedom <= 2:
        spread = 2 * share - 1
        return spread * math.sqrt(2 / (1 - spread**2))
    return expanded(NormalDist().inv_cdf(share), freedom)

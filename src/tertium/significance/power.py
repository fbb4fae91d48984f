"""What a test set can show at all: how large a difference must be to be found."""

import math
from statistics import NormalDist

POWER = 0.8  # the usual wish: four of five real differences of that size are found


def detectable_difference(
    standard_error: float, *, level: float = 0.05, power: float = POWER, tests: int = 1
) -> float | None:
    """Return the difference that a two-sided test at this level finds with this probability.

    By the normal approximation: (z(1 - level/2) + z(power)) standard errors. None where replicates do not vary. As one
    of several `tests` whose p-values are adjusted, it must pass level / tests: what Bonferroni asks of it, and Holm
    and Benjamini and Hochberg if it is the only real difference.
    """
    if standard_error == 0:
        return None
    normal = NormalDist()
    return (normal.inv_cdf(1 - level / tests / 2) + normal.inv_cdf(power)) * standard_error


def power_of(difference: float, standard_error: float, *, level: float = 0.05, tests: int = 1) -> float | None:
    """Return how likely a two-sided test at this level, one of so many, finds a real difference of this size."""
    if standard_error == 0:
        return None
    normal = NormalDist()
    bar = normal.inv_cdf(1 - level / tests / 2)
    distance = abs(difference) / standard_error
    return normal.cdf(distance - bar) + normal.cdf(-distance - bar)


def segments_needed(
    difference: float, standard_error: float, segments: int, *, level: float = 0.05, tests: int = 1
) -> int | None:
    """Return how large a test set of this kind must be to find a difference of this size with a power of 0.8."""
    detectable = detectable_difference(standard_error, level=level, tests=tests)
    if detectable is None or difference == 0:
        return None
    return math.ceil(segments * (detectable / abs(difference)) ** 2)

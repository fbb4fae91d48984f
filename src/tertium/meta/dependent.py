"""Two correlations with the same human scores: is their difference real? Closed forms for Pearson's coefficient."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from tertium.errors import InputError, MissingExtraError
from tertium.results import Result


@dataclass(frozen=True)
class DependentTest(Result):
    """A test that the first metric's correlation is higher; `p_value` is one-sided."""

    statistic: float
    p_value: float


def williams(r12: float, r13: float, r23: float, n: int) -> DependentTest:
    """Williams (1959): r12 and r13 are the metrics' correlations with people, r23 with each other, of n points."""
    _check(r12, r13, r23, n)
    try:
        from scipy.special import stdtr
    except ImportError:
        raise MissingExtraError("Williams' test needs scipy: pip install 'tertium[meta]'.") from None
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    below = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    t = _quotient((r12 - r13) * math.sqrt((n - 1) * (1 + r23)), math.sqrt(below))
    return DependentTest(t, float(stdtr(n - 3, -t)))


def steiger(r12: float, r13: float, r23: float, n: int) -> DependentTest:
    """Steiger (1980): the same by Fisher's z, with a pooled covariance."""
    _check(r12, r13, r23, n)
    mean = (r12 + r13) / 2
    if abs(mean) >= 1 or max(abs(r12), abs(r13)) >= 1:
        raise InputError("Steiger's test is not defined where a correlation is 1 or -1.")
    square = mean * mean
    s = (r23 * (1 - 2 * square) - square * (1 - 2 * square - r23**2) / 2) / (1 - square) ** 2
    z = _quotient((math.atanh(r12) - math.atanh(r13)) * math.sqrt(n - 3), math.sqrt(max(2 - 2 * s, 0.0)))
    return DependentTest(z, NormalDist().cdf(-z))


def _quotient(above: float, below: float) -> float:
    """Divide; equal metrics have nothing between them and nothing to divide by."""
    if below > 0:
        return above / below
    return 0.0 if above == 0 else math.copysign(math.inf, above)


def _check(r12: float, r13: float, r23: float, n: int) -> None:
    for name, value in (("r12", r12), ("r13", r13), ("r23", r23)):
        if not -1 <= value <= 1:
            raise InputError(f"{name} is {value}, but a correlation lies between -1 and 1.")
    if n < 4:
        raise InputError(f"{n} points are too few: the test needs at least 4.")

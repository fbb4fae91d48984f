"""Exponentials, logarithms and powers with the same bits on every machine, which numpy's have not.

Rows are alike everywhere; with these, so are scores.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium import _native

Floats = NDArray[np.float64]


def exp(numbers: ArrayLike) -> Floats:
    """Return e to the power of each."""
    results: Floats = np.array(numbers, dtype=np.float64, order="C")
    _native.exponentials(results)
    return results


def log(numbers: ArrayLike) -> Floats:
    """Return natural logarithms; that of 0 is minus infinity."""
    results: Floats = np.array(numbers, dtype=np.float64, order="C")
    _native.logarithms(results)
    return results


def power(bases: ArrayLike, exponent: float) -> Floats:
    """Return powers of numbers of which none is negative."""
    results: Floats = np.array(bases, dtype=np.float64, order="C")
    _native.powers(results, exponent)
    return results

"""Several tests at once: of twenty true null hypotheses, one is rejected at 0.05. Adjusted p-values allow for that."""

from collections.abc import Callable, Sequence

import numpy as np

from tertium.errors import UnknownNameError
from tertium.metrics.base import Floats


def bonferroni(p_values: Floats) -> Floats:
    """Times the number of tests. Holm's is never larger and promises the same."""
    return np.minimum(p_values * len(p_values), 1.0)


def holm(p_values: Floats) -> Floats:
    """Holm (1979): the chance of even one false rejection stays below the level, however the tests depend."""
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Benjamini and Hochberg (1995): of all rejections, no more than the level are false on average."""
    order = np.argsort(p_values, kind="stable")[::-1]
    factors = len(p_values) / np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.minimum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def unadjusted(p_values: Floats) -> Floats:
    """As they are."""
    return p_values.copy()


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "bonferroni": bonferroni,
    "none": unadjusted,
}


def adjusted(p_values: Sequence[float] | Floats, correction: str = "holm") -> Floats:
    """Return p-values adjusted for their number: `holm`, `bh` (Benjamini and Hochberg), `bonferroni` or `none`."""
    if correction not in CORRECTIONS:
        raise UnknownNameError.of("correction", correction, CORRECTIONS)
    values = np.asarray(p_values, np.float64)
    return CORRECTIONS[correction](values) if len(values) else values

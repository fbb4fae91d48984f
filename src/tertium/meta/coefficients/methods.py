"""The coefficients there are, each with its rule for ties.

Most are made from five counts of pairs: concordant C, discordant D, tied in the human scores only Th, in the metric
only Tm, in both Thm; N is all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tertium.errors import UnknownNameError
from tertium.metrics.base import Floats

GROUPS = ("none", "item", "sys")

# (counts of shape (..., 5), points per group, fewest distinct values) -> coefficients of shape (...)
Formula = Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True)
class Method:
    """A coefficient: what it is made from, how groups are put together, and what becomes of ties."""

    name: str
    family: str  # moments, ranks, pairs, gaps, calibrated, soft
    ties: str
    pooled: bool = False  # groups add up their pairs; otherwise their coefficients are averaged
    least: float = -1.0  # the lowest value there is
    formula: Formula | None = None
    of_systems: bool = False  # compares system scores, not segments
    chance: float | None = 0.0  # the value of a metric that knows nothing, where that is known

    def of_counts(self, counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
        """Return the coefficient for counts of pairs (..., 5)."""
        assert self.formula is not None
        return self.formula(counts, sizes, distinct)


def ratio(above: Floats, below: Floats) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    below = np.asarray(below, np.float64)
    quotient: Floats = np.divide(above, below, out=np.full(np.broadcast(above, below).shape, np.nan), where=below > 0)
    return quotient


def _all(counts: Floats) -> Floats:
    return np.asarray(counts.sum(axis=-1))


def _kendall_a(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    return ratio(counts[..., 0] - counts[..., 1], _all(counts))


def _kendall_b(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    ordered = counts[..., 0] + counts[..., 1]
    # Two square roots: the product of two counts of pairs may be beyond what a double holds exactly.
    by_people, by_metric = np.sqrt(ordered + counts[..., 3]), np.sqrt(ordered + counts[..., 2])
    return np.clip(ratio(ratio(counts[..., 0] - counts[..., 1], by_people), by_metric), -1, 1)


def _kendall_c(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    # 2 (C - D) / (n^2 (k - 1) / k), with n^2 / 2 = N n / (n - 1)
    spread = _all(counts) * ratio(sizes, sizes - 1) * ratio(distinct - 1, distinct)
    return ratio(counts[..., 0] - counts[..., 1], spread)


def _kendall_23(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    right = counts[..., 0] + counts[..., 4]
    return ratio(2 * right - _all(counts), _all(counts))


def _accuracy(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    return ratio(counts[..., 0] + counts[..., 4], _all(counts))


def _wmt12(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    against = counts[..., 1] + counts[..., 3]
    return ratio(counts[..., 0] - against, counts[..., 0] + against)


def _wmt13(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    return ratio(counts[..., 0] - counts[..., 1], counts[..., 0] + counts[..., 1])


def _wmt14(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    return ratio(counts[..., 0] - counts[..., 1], counts[..., 0] + counts[..., 1] + counts[..., 3])


def _agreement(counts: Floats, sizes: Floats, distinct: Floats) -> Floats:
    return ratio(counts[..., 0], counts[..., 0] + counts[..., 1] + counts[..., 3])


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("pearson", "moments", "no ranks, no ties; undefined if one side is constant"),
        Method("spearman", "ranks", "equal scores share the mean of their ranks; undefined if one side is constant"),
        Method("spearman-top", "ranks", "equal scores share the best of their ranks, as in TERp's optimizer; undefined "
               "if one side is constant"),
        Method("kendall-a", "pairs", "a tied pair counts in N only", formula=_kendall_a),
        Method("kendall-b", "pairs", "ties of either side leave that side's count of pairs", formula=_kendall_b),
        Method("kendall-c", "pairs", "scaled by the fewer distinct scores", formula=_kendall_c),
        Method("kendall-23", "pairs", "tied in both is right, tied in one is wrong", chance=None,
               formula=_kendall_23),
        Method("acc-23", "pairs", "tied in both is right, tied in one is wrong", least=0.0, chance=None,
               formula=_accuracy),
        Method("acc-eq", "calibrated", "as acc-23; metric scores within a calibrated distance are tied", least=0.0,
               chance=None),
        Method("wmt12", "pairs", "human ties dropped, a metric tie is discordant", pooled=True, formula=_wmt12),
        Method("wmt13", "pairs", "human ties and metric ties dropped", pooled=True, formula=_wmt13),
        Method("wmt14", "pairs", "human ties dropped, a metric tie counts 0", pooled=True, formula=_wmt14),
        Method("kendall-like", "gaps", "human scores closer than the threshold dropped, a metric tie is discordant",
               pooled=True),
        Method("agreement", "pairs", "human ties dropped, a metric tie is no agreement", pooled=True, least=0.0,
               chance=0.5, formula=_agreement),
        Method("pairwise-accuracy", "pairs", "of systems: a tie equals only a tie", pooled=True, least=0.0,
               formula=_accuracy, of_systems=True, chance=0.5),
        Method("soft-pairwise-accuracy", "soft", "of systems: p-values are compared, so nothing is tied", least=0.0,
               of_systems=True, chance=None),
    )
}  # fmt: skip


def method_of(name: str) -> Method:
    """Return the method of this name."""
    if name not in METHODS:
        raise UnknownNameError.of("method", name, METHODS)
    return METHODS[name]


def check_group(group: str) -> str:
    """Refuse a grouping that does not exist."""
    if group not in GROUPS:
        raise UnknownNameError.of("group", group, GROUPS)
    return group

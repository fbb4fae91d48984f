"""Rules by which systems share a cluster: ours, and those of the WMT shared tasks by year.

A rule has two parts: which of two systems is better (a test), and where a cluster ends (a cut). Both see systems best
first, by their mean.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import MissingExtraError
from tertium.judgments.labels import Floats

Table = Floats  # systems x segments, NaN where there is no judgment
Matrix = np.ndarray[Any, np.dtype[np.bool_]]
Domains = Sequence[Any]  # of each segment


@dataclass(frozen=True)
class Rule:
    """How systems are ranked. `p_values[i, j]` is how likely i would seem that much better than j by chance."""

    says: str
    p_values: Callable[[Table, Domains], Floats]
    wins: Callable[[Floats, Floats, float], Matrix]  # p-values, means, level
    ends: Callable[[Matrix], list[bool]]  # whether a cluster ends with each system
    by_domain: bool = False  # a system's mean is that of its domains' means


def rank_sums(table: Table, domains: Domains) -> Floats:
    """Wilcoxon's rank-sum (Mann-Whitney) test, one-sided: normal approximation, corrected for ties and continuity."""
    normal = _scipy_stats().norm
    values = [row[np.isfinite(row)] for row in table]
    p_values = np.ones((len(values), len(values)))
    for i, one in enumerate(values):
        for j, two in enumerate(values):
            if i != j:
                p_values[i, j] = float(normal.sf(_rank_sum_z(one, two)))
    return p_values


def two_sided_rank_sums(table: Table, domains: Domains) -> Floats:
    """The same with both directions counted: which system might win was not known before. Twice the one-sided p."""
    return np.asarray(np.minimum(1.0, 2 * rank_sums(table, domains)))


def _rank_sum_z(one: Floats, two: Floats) -> float:
    both = np.concatenate([one, two])
    _, places, ties = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2)[places]
    n, m, total = len(one), len(two), len(both)
    above = ranks[:n].sum() - n * (n + 1) / 2 - n * m / 2
    variance = n * m / 12 * (total + 1 - float((ties.astype(float) ** 3 - ties).sum()) / (total * (total - 1)))
    return (above - 0.5) / math.sqrt(variance) if variance > 0 else 0.0


def signed_ranks(table: Table, domains: Domains) -> Floats:
    """Wilcoxon's signed-rank test on segments that both have, two-sided, by domain, put together as Stouffer does."""
    stats = _scipy_stats()

    def p_value(one: Floats, two: Floats, groups: Sequence[Any]) -> float:
        scores = []
        for domain in dict.fromkeys(groups):
            here = np.array([group == domain for group in groups])
            change = (one - two)[here]
            p = float(stats.wilcoxon(change).pvalue) if change.any() else 1.0
            scores.append(float(stats.norm.isf(min(max(p, 1e-300), 1 - 1e-16))))
        return float(stats.norm.sf(sum(scores) / math.sqrt(len(scores)))) if scores else 1.0

    return _of_shared(table, domains, p_value)


def t_tests(table: Table, domains: Domains) -> Floats:
    """The smaller p-value of two t-tests: paired on segments that both have, and on all that each has."""
    paired = _of_shared(
        table, domains, lambda one, two, _: _p_of_t((one - two).mean(), (one - two).var(ddof=1), len(one))
    )
    values = [row[np.isfinite(row)] for row in table]
    apart = np.ones_like(paired)
    for i, one in enumerate(values):
        for j, two in enumerate(values):
            freedom = len(one) + len(two) - 2
            if i != j and freedom > 0:
                pooled = float(((one - one.mean()) ** 2).sum() + ((two - two.mean()) ** 2).sum()) / freedom
                share = pooled * (1 / len(one) + 1 / len(two)) * (freedom + 1)
                apart[i, j] = _p_of_t(one.mean() - two.mean(), share, freedom + 1)
    return np.minimum(paired, apart)


def _p_of_t(mean: float, variance: float, count: int) -> float:
    """Return the two-sided p-value of a mean of `count` values with this variance."""
    if variance <= 0:
        return 0.0 if mean else 1.0
    return float(2 * _scipy_stats().t.sf(abs(mean) / math.sqrt(variance / count), count - 1))


def _of_shared(table: Table, domains: Domains, test: Callable[[Floats, Floats, Sequence[Any]], float]) -> Floats:
    p_values = np.ones((len(table), len(table)))
    for i in range(len(table)):
        for j in range(i):
            both = np.flatnonzero(np.isfinite(table[i]) & np.isfinite(table[j]))
            if len(both) > 1 and (table[i, both] != table[j, both]).any():
                p_values[i, j] = p_values[j, i] = test(
                    table[i, both], table[j, both], [domains[k] for k in both.tolist()]
                )
    return p_values


def by_p_value(p_values: Floats, means: Floats, alpha: float) -> Matrix:
    """A system wins where its p-value says so, whichever mean is higher."""
    return np.asarray(p_values < alpha)


def by_mean(p_values: Floats, means: Floats, alpha: float) -> Matrix:
    """Where two systems differ, the one with the higher mean wins."""
    return np.asarray((p_values < alpha) & (means[:, None] > means[None, :]))


def all_above_win(wins: Matrix) -> list[bool]:
    """A cluster ends where every system above wins against every system below."""
    return [bool(wins[: end + 1, end + 1 :].all()) for end in range(len(wins))]


def as_many_wins_as_below(wins: Matrix) -> list[bool]:
    """A cluster ends with the system that has as many wins as there are systems below it; the last one ends with it."""
    last = len(wins) - 1
    return [int(row.sum()) == last - place or place == last for place, row in enumerate(wins)]


def _scipy_stats() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise MissingExtraError("Wilcoxon's test needs a package: pip install 'tertium[meta]'.") from None
    return stats


_BEATS = "a cluster ends where every system above beats every system below"
# Found from the files of 2021 and 2022, whose 18 language pairs it explains; the tables have been made so since 2017.
_DIRECT_ASSESSMENT = Rule(
    "a cluster ends with the system that wins as often as there are systems below it, wins against systems above "
    "counted: rank-sum test, one-sided",
    rank_sums,
    by_p_value,
    as_many_wins_as_below,
)
RULES: Mapping[str, Rule] = {
    "tertium": Rule(f"{_BEATS}: rank-sum test, two-sided", two_sided_rank_sums, by_p_value, all_above_win),
    "wmt17": _DIRECT_ASSESSMENT,
    "wmt22": _DIRECT_ASSESSMENT,
    "wmt24": Rule(
        f"{_BEATS}: signed-rank test on shared segments, by domain (Stouffer)",
        signed_ranks,
        by_mean,
        all_above_win,
        by_domain=True,
    ),
    "wmt26": Rule(f"{_BEATS}: paired or unpaired t-test, the smaller p", t_tests, by_mean, all_above_win),
}

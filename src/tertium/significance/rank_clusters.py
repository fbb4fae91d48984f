"""Which systems share a rank.

A cluster ends where every system above is significantly better than every one below, so nobody's places reach into
another cluster. WMT's metrics tasks open one sooner: where a single system of the current cluster is better.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.results import Result


@dataclass(frozen=True)
class Rank(Result):
    """Where a system stands by one metric.

    `cluster` counts groups from the best: one ends where every system above is significantly better than every system
    below. `best` and `worst` are the places it may have: 1 plus the number of systems that
    are significantly better, and the number of systems minus those that are significantly worse.
    """

    metric: str
    system: str
    score: float
    cluster: int
    best: int
    worst: int


def ranked(
    metric: str,
    scores: Mapping[str, float],
    beaten: Mapping[tuple[str, str], bool],
    *,
    higher_is_better: bool,
    like_wmt: bool = False,
) -> tuple[Rank, ...]:
    """Rank systems, best first; `beaten[one, two]` says whether the two differ significantly, in either order.

    `like_wmt` opens a cluster as WMT's metrics tasks do, as soon as one system of the current one is better.
    """
    sign = -1 if higher_is_better else 1
    order = sorted(scores, key=lambda system: (sign * scores[system], system))

    def differ(one: str, two: str) -> bool:
        return beaten[one, two] if (one, two) in beaten else beaten[two, one]

    ranks = []
    cluster: list[str] = []
    number = 1
    for place, system in enumerate(order):
        if like_wmt:
            opens = any(differ(other, system) for other in cluster)
        else:
            opens = place > 0 and all(differ(one, two) for one in order[:place] for two in order[place:])
        if opens:
            cluster, number = [], number + 1
        cluster.append(system)
        better = sum(differ(other, system) for other in order[:place])
        worse = sum(differ(system, other) for other in order[place + 1 :])
        ranks.append(Rank(metric, system, scores[system], number, 1 + better, len(order) - worse))
    return tuple(ranks)


def clusters(ranks: Sequence[Rank]) -> list[list[str]]:
    """Return the systems cluster by cluster."""
    groups: dict[int, list[str]] = {}
    for rank in ranks:
        groups.setdefault(rank.cluster, []).append(rank.system)
    return list(groups.values())

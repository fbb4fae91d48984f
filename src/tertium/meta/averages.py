"""The average rank of metrics over many conditions, as in the TERp paper: lower bound, rank, upper bound."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.meta.correlation import Correlation
from tertium.results import Result


@dataclass(frozen=True)
class AverageRank(Result):
    """A metric's mean rank by one method; 1 is the highest correlation.

    In each condition `lower` is the best rank that the metric may have, 1 plus the number of metrics whose value lies
    above its interval, and `upper` the worst, the number of metrics whose value is not below its interval.
    """

    metric: str
    method: str
    lower: float
    rank: float
    upper: float
    conditions: int


def average_ranks(correlations: Iterable[Correlation]) -> tuple[AverageRank, ...]:
    """Average ranks over conditions: every kind, level and group; sorted by the mean upper bound of the first method.

    Only metrics that have a value in every condition can be averaged; one that lacks some is refused.
    """
    conditions: dict[tuple[str, str, str, str], dict[str, Correlation]] = {}
    for one in correlations:
        place = (one.method, one.kind, one.level, one.group)
        conditions.setdefault(place, {})[one.metric] = one
    if not conditions:
        raise InputError("There are no correlations to rank metrics by.")
    metrics = list(dict.fromkeys(name for by_metric in conditions.values() for name in by_metric))
    methods = list(dict.fromkeys(place[0] for place in conditions))
    results: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for place, by_metric in conditions.items():
        lacking = [name for name in metrics if name not in by_metric or math.isnan(by_metric[name].value)]
        if lacking:
            raise InputError(
                f"{', '.join(lacking)} has no value in the condition {' '.join(place)}. Leave out the metric, or the "
                "condition."
            )
        values = [one.value for one in by_metric.values()]
        for name, one in by_metric.items():
            low = one.value if one.low is None else one.low
            high = one.value if one.high is None else one.high
            ranks = (
                1 + sum(value > high for value in values),
                1 + sum(value > one.value for value in values),
                sum(value >= low for value in values),
            )
            results.setdefault((place[0], name), []).append(ranks)
    averages = []
    for (method, name), every in results.items():
        lower, rank, upper = (sum(column) / len(column) for column in zip(*every, strict=True))
        averages.append(AverageRank(name, method, lower, rank, upper, len(every)))
    first = {one.metric: one.upper for one in averages if one.method == methods[0]}
    return tuple(sorted(averages, key=lambda one: (methods.index(one.method), first[one.metric], one.metric)))

"""What of a metric may be tuned, and the metric with other values.

Most of it stands in the line of a setting (`tuned=`). Settings that hold several numbers, such as weights and costs,
have a name for each, which is what the classes below are for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, Generic, TypeVar

import numpy as np

from tertium.metrics.base import Floats, Metric
from tertium.metrics.bleu import BLEU
from tertium.metrics.combination import Combination
from tertium.metrics.meteor.metric import METEOR
from tertium.metrics.meteor.tasks import PARAMETERS
from tertium.metrics.nist import NIST
from tertium.metrics.settings import settings_of, written
from tertium.metrics.ter.metric import TER
from tertium.metrics.terp.costs import COSTS, MAY_BE_NEGATIVE
from tertium.metrics.terp.metric import TERp
from tertium.metrics.words import WordMetric

Values = Mapping[str, Any]
M = TypeVar("M", bound=Metric)
W = TypeVar("W", bound=WordMetric)

_TOKENIZERS = ("13a", "intl", "char", "none")
_HIGHEST_ORDER = 6
_LEAST_SHIFT = 0.001
_ALIGNMENT = "alignment-"  # before the names of costs that alignments are made with


@dataclass(frozen=True)
class Tunable:
    """A setting that tuning may move, where it stands now and how far it may go.

    With `fixed_rows` it acts when rows are scored, so thousands of values can be tried on the same rows; otherwise each
    value needs rows of its own. `choices` are values that are not numbers.
    """

    value: float | str
    low: float = 0.0
    high: float = 1.0
    fixed_rows: bool = True
    whole: bool = False
    choices: tuple[str, ...] = ()


class Tuning(Generic[M]):
    """How a metric is tuned whose settings say so themselves."""

    def __init__(self, metric: M) -> None:
        self.metric = metric

    def tunables(self) -> dict[str, Tunable]:
        """Return what may be tuned, by name; most settings may not."""
        found = {}
        for name, one in settings_of(type(self.metric)).items():
            if one.tuned is not None:
                now, (low, high) = float(getattr(self.metric, name)), one.tuned
                high = max(now, float(high)) if one.whole else float(high)
                found[name] = Tunable(now, float(low), high, one.fixed_rows, one.whole is not None)
        return found

    def with_values(self, values: Values) -> M:
        """Return the metric with other values of its tunables; those not named stay."""
        declared = settings_of(type(self.metric))
        return replace(self.metric, **{key: int(one) if declared[key].whole else one for key, one in values.items()})

    def possible(self, values: Values) -> bool:
        """Whether there is a metric with these values, each of which lies within its bounds."""
        return True

    def rescored(self, totals: Floats, values: Values) -> Floats:
        """Return the scores of `with_values(values)`, quickly; values that change rows are not for this."""
        return self.with_values(values).score(totals)

    def realigned(self) -> M:
        """Return the metric that makes its rows by the values it scores with, where the two can differ."""
        return self.metric

    def _now(self, values: Values) -> dict[str, Any]:
        return {name: tunable.value for name, tunable in self.tunables().items()} | dict(values)


class WordTuning(Tuning[W]):
    """Besides, the tokenizer and case, which need other rows."""

    def tunables(self) -> dict[str, Tunable]:
        """Return them behind the settings that say so themselves."""
        metric = self.metric
        if not isinstance(metric.tokenize, str) or metric.takes_tokens:
            return super().tunables()
        names = tuple(dict.fromkeys((metric.tokenize, *_TOKENIZERS)))
        case = Tunable(written(metric.lowercase), choices=("false", "true"), fixed_rows=False)
        text = {"tokenize": Tunable(metric.tokenize, choices=names, fixed_rows=False), "lowercase": case}
        return super().tunables() | text

    def with_values(self, values: Values) -> W:
        """Return the metric with other tokens."""
        changed = dict(values)
        if "lowercase" in changed:
            changed["lowercase"] = changed["lowercase"] == "true"
        return super().with_values(changed)


class NistTuning(WordTuning[NIST]):
    """The order, and tokens, by which other information is learnt."""

    def with_values(self, values: Values) -> NIST:
        """Return NIST that has nothing learnt."""
        return WordTuning(replace(self.metric, information=None)).with_values(values)


class BleuTuning(WordTuning[BLEU]):
    """The weight of each order, and what needs other rows: the highest order, the tokenizer, and case."""

    def tunables(self) -> dict[str, Tunable]:
        """Return them; there is a highest order if all below it count."""
        orders, count = self.metric.orders, len(self.metric.orders)
        weights = zip(orders, self.metric.weights or (1 / count,) * count, strict=True)
        found = {f"weight{order}": Tunable(weight) for order, weight in weights}
        if orders == tuple(range(1, count + 1)):
            highest = max(count, _HIGHEST_ORDER)
            found["order"] = Tunable(float(count), 1.0, float(highest), fixed_rows=False, whole=True)
        return found | super().tunables()

    def possible(self, values: Values) -> bool:
        """Some order must count."""
        now = self._now(values)
        return any(now[f"weight{order}"] > 0 for order in self.metric.orders)

    def with_values(self, values: Values) -> BLEU:
        """Return BLEU with other weights, other tokens, or another highest order, whose weights start out alike."""
        rest = dict(values)
        highest = rest.pop("order", len(self.metric.orders))
        if highest != len(self.metric.orders):
            orders = tuple(range(1, int(highest) + 1))
            return BleuTuning(replace(self.metric, orders=orders, weights=None)).with_values(rest)
        now = self._now(rest)
        weights = {f"weight{order}": float(now[f"weight{order}"]) for order in self.metric.orders}
        tokens = super().with_values({name: value for name, value in rest.items() if name not in weights})
        return replace(tokens, weights=tuple(weights.values())) if weights.keys() & rest.keys() else tokens


class TerTuning(Tuning[TER]):
    """The costs, which change the alignment and so need other rows."""

    def tunables(self) -> dict[str, Tunable]:
        """Return all but that of a match."""
        costs = self.metric.costs_by_name.items()
        lows = {"shift": min(_LEAST_SHIFT, self.metric.costs_by_name["shift"])}  # tercom takes no shifts for nothing
        return {
            kind: Tunable(cost, lows.get(kind, 0.0), 2.0, fixed_rows=False) for kind, cost in costs if kind != "match"
        }

    def with_values(self, values: Values) -> TER:
        """Return TER with other costs."""
        return replace(self.metric, costs=self.metric.costs_by_name | dict(values))


class TerpTuning(Tuning[TERp]):
    """The costs to score with, and those to align with, which need other rows."""

    def tunables(self) -> dict[str, Tunable]:
        """Return all but those of a match."""
        aligning = dict(zip(COSTS, self.metric.aligning_costs, strict=True))
        scores = {kind: _cost(kind, cost) for kind, cost in self.metric.costs_by_name.items() if kind != "match"}
        return scores | {f"{_ALIGNMENT}{kind}": _cost(kind, aligning[kind], fixed_rows=False) for kind in scores}

    def with_values(self, values: Values) -> TERp:
        """Return TERp that scores with other costs; it aligns as before unless costs to align with are given."""
        metric = self.metric
        scoring = {kind: value for kind, value in values.items() if not kind.startswith(_ALIGNMENT)}
        changed = {name.removeprefix(_ALIGNMENT): value for name, value in values.items() if name not in scoring}
        aligning: Any = metric.scoring_costs if metric.alignment_costs is None else metric.alignment_costs
        if changed:
            aligning = dict(zip(COSTS, metric.aligning_costs, strict=True)) | changed
        return replace(metric, costs=metric.costs_by_name | scoring, alignment_costs=aligning)

    def rescored(self, totals: Floats, values: Values) -> Floats:
        """Score with other costs: one product of rows and costs."""
        metric = self.metric
        costs = metric.costs_by_name | dict(values)
        by_table = metric.phrase_cost == "table" or tuple(costs.values()) == metric.aligning_costs
        phrases = (0.0, 0.0, 0.0, 0.0) if by_table else tuple(costs[kind] for kind in ("w1", "w2", "w3", "w4"))
        kinds = [costs[kind] for kind in ("insertion", "deletion", "substitution", "stem", "synonym")]
        vector = np.array([*kinds, phrases[0], costs["shift"], 0.0, costs["match"], *phrases[1:], float(by_table), 0.0])
        edits: Floats = totals @ vector
        return metric.percent(edits, totals[..., -1])

    def realigned(self) -> TERp:
        """Return TERp that aligns with the costs it scores with."""
        return replace(self.metric, alignment_costs=None)


def _cost(kind: str, cost: float, *, fixed_rows: bool = True) -> Tunable:
    low = -100.0 if kind in MAY_BE_NEGATIVE else 0.0
    return Tunable(cost, low, max(100.0, cost), fixed_rows=fixed_rows)  # 999 stands for never


class MeteorTuning(Tuning[METEOR]):
    """The four parameters and the weight of each module; alignments do not depend on them."""

    def tunables(self) -> dict[str, Tunable]:
        """Return them by name."""
        metric = self.metric
        values = zip(PARAMETERS, metric.four_parameters, strict=True)
        found = {name: Tunable(value, 0.0, 4.0 if name == "beta" else 1.0) for name, value in values}
        weights = zip(metric.modules, metric.weights, strict=True)
        return found | {f"weight-{module}": Tunable(weight, 0.0, 1.0) for module, weight in weights}

    def with_values(self, values: Values) -> METEOR:
        """Return METEOR with other parameters and weights."""
        parameters, weights = self._changed(values)
        return replace(self.metric, parameters=parameters, weights=weights)

    def rescored(self, totals: Floats, values: Values) -> Floats:
        """Score with other parameters and weights, which need no checks."""
        return self.metric.scored_with(totals, *self._changed(values))

    def _changed(self, values: Values) -> tuple[tuple[float, ...], tuple[float, ...]]:
        now = self._now(values)
        weights = tuple(float(now[f"weight-{module}"]) for module in self.metric.modules)
        return tuple(float(now[name]) for name in PARAMETERS), weights


class CombinationTuning(Tuning[Combination]):
    """The weights, by number from 1, and what may be tuned of each metric: `2.alpha` of the second."""

    def tunables(self) -> dict[str, Tunable]:
        """Return the weights, then those of each metric."""
        found = {f"weight{number}": Tunable(weight) for number, weight in enumerate(self.metric.weights, 1)}
        return found | {
            f"{number}.{name}": tunable
            for number, part in enumerate(self.metric.parts_of, 1)
            for name, tunable in tuning(part).tunables().items()
        }

    def possible(self, values: Values) -> bool:
        """Each metric's values must be."""
        return all(tuning(part).possible(own) for part, own, _ in self._changed(values) if own)

    def with_values(self, values: Values) -> Combination:
        """Return a combination with other weights, and metrics with other values."""
        changed = self._changed(values)
        return Combination((tuning(part).with_values(own) if own else part, weight) for part, own, weight in changed)

    def rescored(self, totals: Floats, values: Values) -> Floats:
        """Return the sum of the metrics' scores under other values."""
        pairs = zip(self._changed(values), self.metric.split(totals), strict=True)
        return np.asarray(
            sum(
                weight * (tuning(part).rescored(rows, own) if own else part.score(rows))
                for (part, own, weight), rows in pairs
            )
        )[()]

    def realigned(self) -> Combination:
        """Return a combination of metrics that make their rows by the values they score with."""
        return self.metric.of([tuning(part).realigned() for part in self.metric.parts_of])

    def _changed(self, values: Values) -> list[tuple[Metric, dict[str, Any], float]]:
        """Return each metric with its own new values, and its weight."""
        own: list[dict[str, Any]] = [{} for _ in self.metric.weighted]
        for name, value in values.items():
            number, dot, setting = name.partition(".")
            if dot:
                own[int(number) - 1][setting] = value
        weights = [float(values.get(f"weight{k}", weight)) for k, weight in enumerate(self.metric.weights, 1)]
        return list(zip(self.metric.parts_of, own, weights, strict=True))


@singledispatch
def tuning(metric: Metric) -> Tuning[Any]:
    """Return how a metric is tuned."""
    return Tuning(metric)


tuning.register(WordMetric, WordTuning)
tuning.register(NIST, NistTuning)
tuning.register(BLEU, BleuTuning)
tuning.register(TER, TerTuning)
tuning.register(TERp, TerpTuning)
tuning.register(METEOR, MeteorTuning)
tuning.register(Combination, CombinationTuning)

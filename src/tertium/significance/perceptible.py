"""Would people notice? In how many of 100 pairs of systems that differ so much do people agree with the metric.

Kocmi, Zouhar, Federmann and Post (ACL 2024, "Navigating the Metrics Maze") compared metrics with people on 6,530 pairs
of systems (the collection ToShip23), and fitted a curve per metric:

    agreement(difference) = a / (1 + exp(-b * |difference|))

It says nothing about chance: a difference of two points agrees with people as often as any other of two points, whether
it was measured on 50 segments or 5,000. So it stands beside a test, never in its place. At a difference of 0 the fit is
below 50, which would say that people disagree with a metric that sees no difference; here it is never below 50.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Metric
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF
from tertium.metrics.imported import Imported
from tertium.scoring.scores import Scores
from tertium.significance.comparison import Comparison, Comparisons

_LEAST = 50.0  # percent: people who toss a coin


@dataclass(frozen=True)
class Curve:
    """How often people agree with a metric, in percent: at most `a`, and the sooner the larger `b`.

    `scale` is what the program's own scores are multiplied by: COMET prints 0.81 where the curve was fitted on 81.
    """

    a: float
    b: float
    scale: float = 1.0

    def agreement(self, difference: float) -> float:
        """Return in how many of 100 pairs people agree that the better one is better."""
        return max(_LEAST, self.a / (1 + math.exp(-self.b * abs(difference))))

    def difference(self, agreement: float) -> float:
        """Return the difference at which people agree so often, in percent; infinite where they never do."""
        if not _LEAST <= agreement <= 100:
            raise InputError(f"Agreement is a percentage from 50 to 100, not {agreement:g}.")
        return -math.log(self.a / agreement - 1) / self.b if agreement < self.a else math.inf


# From the paper's published fits. Names are those of the metrics as the paper has them.
CURVES: Mapping[str, Curve] = {
    "BLEU": Curve(88.33333333333225, 0.9663926931178954),
    "chrF": Curve(92.999999999972, 1.1142732157139852),
    "spBLEU101": Curve(84.58445492823891, 1.262507595109315),
    "spBLEU200": Curve(90.99999999998793, 0.8079046528617078),
    "BERTScore": Curve(94.99999999999999, 2.6823162097239917, 100),
    "BLEURT-default": Curve(94.66666666666666, 0.4947232832741672, 100),
    "BLEURT-20": Curve(98.33333333332963, 1.3727206190931929, 100),
    "COMET-20": Curve(97.33333333332897, 0.7266990738678005, 100),
    "COMET-22": Curve(96.22374133884283, 2.8359194570556636, 100),
    "COMET-QE-21": Curve(93.7997435048193, 43.38413992717536),
    "CometKiwi-22": Curve(98.88141616584615, 2.719280643871758, 100),
    "CometKiwi-23-XL": Curve(96.39080593943235, 1.8888877927713834, 100),
    "CometKiwi-XXL": Curve(96.23167242471065, 1.2826577343149304, 100),
    "xCOMET-XL": Curve(96.56738237041118, 1.4535595865214588, 100),
    "xCOMET-XXL": Curve(98.93432477039522, 1.1629533711748128, 100),
    "MetricX-23-L": Curve(93.60777624544488, 26.277850179370947),
    "MetricX-23-QE-L": Curve(97.99999999782683, 15.541455989240491),
}

# Our metrics with the settings that the curves were fitted on: sacreBLEU's defaults, one reference.
_FITTED: tuple[tuple[str, type[Metric], dict[str, str]], ...] = (
    ("BLEU", BLEU, {}),
    ("spBLEU101", BLEU, {"tokenize": "flores101"}),
    ("spBLEU200", BLEU, {"tokenize": "flores200"}),
    ("chrF", CHRF, {}),
)


@dataclass(frozen=True)
class Perceptible:
    """In how many of 100 pairs people agree with the metric, by which curve; or why that is not known."""

    agreement: float | None
    curve: str | None
    note: str = ""


def curve_of(name: str) -> Curve:
    """Return the published curve of a metric."""
    known = {one.lower(): one for one in CURVES}
    if name.lower() not in known:
        raise UnknownNameError.of("published curve", name, CURVES)
    return CURVES[known[name.lower()]]


def perceptible(scores: Scores, label: str, difference: float) -> Perceptible:
    """Say how often people agree where systems differ so much by this metric, if its settings are the fitted ones."""
    metric = scores.metrics[label]
    found = _curve_for(metric, scores.reference_count)
    if isinstance(found, str):
        return Perceptible(None, None, found)
    name, curve = found
    times = 1.0
    if isinstance(metric, Imported) and curve.scale != 1 and _is_unscaled(scores, label):
        times = curve.scale
    return Perceptible(curve.agreement(times * difference), name)


def with_perceptible(compared: Comparisons) -> Comparisons:
    """Return comparisons that say how often people agree with differences of their size."""

    def shown(one: Comparison) -> Comparison:
        return replace(one, perceptible=perceptible(compared.scores, one.metric, one.difference))

    return replace(compared, comparisons=tuple(map(shown, compared.comparisons)))


def _curve_for(metric: Metric, references: int | str) -> tuple[str, Curve] | str:
    """Return the curve of a metric, or what is different from the settings it was fitted on."""
    if isinstance(metric, Imported):
        known = {one.lower(): one for one in CURVES}
        name = known.get(metric.name.lower())
        if name is None:
            others = ", ".join(list(CURVES)[4:])
            return f"no curve is published under the name {metric.name}. If it is one of these, name it so: {others}"
        return name, CURVES[name]
    of_kind = [(name, {**kind().settings(), **changed}) for name, kind, changed in _FITTED if type(metric) is kind]
    if not of_kind:
        return f"no curve is published for {metric.name}"
    ours = {key: value.partition("@")[0] for key, value in metric.settings().items()}  # a model's hash is no setting
    for name, settings in of_kind:
        if ours == settings:
            if references != 1:
                return f"the curve was fitted with 1 reference, not {references}"
            return name, CURVES[name]
    usual = of_kind[0][1]
    differ = ", ".join(f"{key}={value}" for key, value in ours.items() if value != usual.get(key))
    return f"the curve was fitted without {differ}"


def _is_unscaled(scores: Scores, label: str) -> bool:
    """Whether scores are about 0 to 1, as their program prints them, and not percent."""
    values = [abs(float(scores.metrics[label].score(scores.totals[system][label]))) for system in scores.systems]
    return max(values) <= 2.0

"""What a coefficient says of itself: what it makes of the human side, its statistics, and how draws and swaps combine.

A class is a coefficient; an instance has the human side prepared, and is asked for one metric, or for thousands of
versions of one. Nothing outside this folder tells coefficients apart by their names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.meta.coefficients.points import Codes, Draws, Points, numbers, points_of
from tertium.metrics.base import Floats
from tertium.metrics.settings import is_number

if TYPE_CHECKING:
    from tertium.meta.segment_draws import SegmentDraws

THRESHOLD = 25.0  # of kendall-like: WMT's, for scores from 0 to 100
UNDEFINED = ("drop", "zero")
_TRIALS = 100  # of a permutation test that are held at once
_BLOCK_BYTES = 1 << 26


@dataclass(frozen=True)
class Settings:
    """What some coefficients can be told."""

    threshold: float = THRESHOLD
    sample_rate: float = 1.0
    undefined: str = "drop"
    threads: int = 1

    def __post_init__(self) -> None:
        if not is_number(self.threshold) or self.threshold < 0:
            raise InputError(f"threshold must be a number of at least 0, not {self.threshold!r}.")
        if not is_number(self.sample_rate) or not 0 < self.sample_rate <= 1:
            told = f" must be a number above 0 and up to 1, not {self.sample_rate!r}."
            raise InputError(Argument("sample_rate"), told)
        if self.undefined not in UNDEFINED:
            raise UnknownNameError.of("way with undefined groups", self.undefined, UNDEFINED)


DEFAULTS = Settings()


@dataclass(frozen=True, eq=False)
class Measured:
    """A value, whose scores are all equal, the statistics (groups, columns) behind the value, a calibrated distance.

    `empty` says why a value that is defined says nothing.
    """

    value: float
    constant: str = ""  # "human" or "metric": then the value is undefined, or says nothing
    statistics: Floats | None = None
    epsilon: float | None = None
    empty: str = ""


@dataclass(frozen=True, eq=False)
class Swaps:
    """Trials of a permutation test: `find_units` says which judged scores change sides together, and how many units.

    `scores` are those of all metrics that are tested against each other.
    """

    scores: Mapping[str, Floats]
    judged: Any
    find_units: Callable[[], tuple[Any, int]]
    trials: int
    seed: int
    threads: int
    test: str = "perm-both"

    def masks(self, count: int) -> Any:
        """Return which units are swapped: (trials, units)."""
        return np.random.default_rng(self.seed).integers(2, size=(self.trials, count), dtype=bool)


# (first trial, how many) -> the difference of two metrics in each trial
Trials = Callable[[int, int], Floats]


class Method:
    """A coefficient, and in its instances one set of human scores that metrics are held against.

    Scores are given flat, in the order of the human scores; `of_points` picks those that count. A bootstrap draws from
    `drawn_points`.
    """

    name: ClassVar[str]
    ties: ClassVar[str]  # what becomes of them
    least: ClassVar[float] = -1.0  # the lowest value there is
    chance: ClassVar[float | None] = 0.0  # the value of a metric that knows nothing, where that is known
    pooled: ClassVar[bool] = False  # groups add up their statistics; otherwise their coefficients are averaged
    of_systems: ClassVar[bool] = False  # compares system scores, not segments
    by_segments: ClassVar[bool] = False  # compares systems by the scores of their segments
    across_sets: ClassVar[bool] = False  # test sets add up their pairs of systems
    takes_weights: ClassVar[bool] = False
    usual_group: ClassVar[str] = "none"  # where the user says nothing
    has_formula: ClassVar[bool] = False  # for plain points: of its interval, and of a difference
    calibrates: ClassVar[bool] = False  # calls scores of a metric equal up to a distance of its own
    draws_repeat: ClassVar[bool] = False  # a point that is drawn twice counts as two points would

    def __init__(
        self,
        human: Floats,
        systems: Codes | None = None,
        items: Codes | None = None,
        group: str = "none",
        settings: Settings = DEFAULTS,
        weights: Sequence[float] | Floats | None = None,
    ) -> None:
        self.settings = settings
        self.given = len(human)
        self.dropped = int(np.isnan(human).sum())
        self.points: Points = points_of(human, systems, items, group)
        self.drawn_points = self.points
        self.weights = None if weights is None else self.points.of(self._checked_weights(weights))
        self.prepare()

    def _checked_weights(self, weights: Sequence[float] | Floats) -> Floats:
        values = numbers(weights, "weights").ravel()
        if not self.takes_weights:
            raise InputError(f"Only pearson takes weights, not {self.name}.")
        if len(values) != self.given or (values <= 0).any():
            raise InputError(f"weights must be {self.given:,} numbers above 0, one per score: lengths, for instance.")
        return values

    def prepare(self) -> None:
        """Make what is needed of the human points, once."""

    # --- One metric, or many -----------------------------------------------------------------------------------------

    def value(self, scores: Sequence[float] | Floats) -> float:
        """Return the coefficient of one list of scores; NaN where it is undefined."""
        return float(self.values(np.asarray(scores, np.float64).reshape(1, -1))[0])

    def values(self, scores: Floats) -> Floats:
        """Return the coefficient of each row of (lists, scores)."""
        if scores.ndim != 2 or scores.shape[1] != self.given:
            raise InputError(f"{self.given:,} scores were expected in each row, but the shape is {scores.shape}.")
        return self.values_of(scores)

    def values_of(self, scores: Floats) -> Floats:
        """Return the coefficient of each row, which is as long as it should be."""
        if not self.points.groups:
            return np.full(len(scores), np.nan)
        return self.combined(self.statistics(self.of_points(scores)))

    def quick_value(self) -> Callable[[Floats], float]:
        """Return what gives the value of one list of scores, for thousands of calls."""
        return self.value

    def of_points(self, scores: Floats) -> Floats:
        """Return scores (lists, given) of the points that are compared: (lists, points)."""
        return self.points.of(scores)

    def measured(self, scores: Floats) -> Measured:
        """Return the value of one list of scores, with what draws use again."""
        values = self.of_points(scores.reshape(1, -1))
        constant = constant_side(self.points.human, values[0])
        if not self.points.groups:
            return Measured(np.nan, constant)
        epsilon = self.calibrated(values[0]) if self.calibrates else None
        statistics = self.statistics(values, epsilon)[0]
        return Measured(float(self.combined(statistics)), constant, statistics, epsilon)

    def calibrated(self, values: Floats) -> float:
        """Return the distance up to which a metric's scores of points are best called equal."""
        raise NotImplementedError

    # --- Group by group ----------------------------------------------------------------------------------------------

    def statistics(self, values: Floats, epsilon: float | None = None) -> Floats:
        """Return (lists, groups, columns) of scores of points: what is added up if pooled, else each coefficient."""
        raise NotImplementedError

    def of_totals(self, totals: Floats) -> Floats:
        """Return the coefficient of statistics that were added up over groups: (..., columns) to (...)."""
        raise NotImplementedError

    def combined(self, statistics: Floats, weights: Floats | None = None) -> Floats:
        """Put groups together: (..., groups, columns) to (...); `weights` (..., groups) says how often each counts.

        Where the same groups are weighed in many ways, (groups, columns) by (replicates, groups), all are one product.
        """
        as_product = weights is not None and statistics.ndim == 2
        if self.pooled:
            if weights is not None:
                statistics = (weights @ statistics)[:, None] if as_product else statistics * weights[..., None]
            return self.of_totals(statistics.sum(axis=-2))
        values = statistics[..., 0]
        if self.settings.undefined == "zero":
            values = np.nan_to_num(values, nan=0.0)
        defined = ~np.isnan(values)
        values, each = np.where(defined, values, 0.0), defined.astype(np.float64)
        if weights is not None and as_product:
            return ratio(weights @ values, weights @ each)
        each = each if weights is None else each * weights
        return ratio((values * each).sum(axis=-1), each.sum(axis=-1))

    # --- Drawn with replacement --------------------------------------------------------------------------------------

    def replicates(self, scores: Floats, draws: Draws, measured: Measured | None = None) -> Floats:
        """Return the coefficient in each replicate; `measured` is that of all points, if it is known already.

        A calibrated distance is kept, not found anew in each replicate.
        """
        known = self.measured(scores) if measured is None else measured
        values = self.of_points(scores.reshape(1, -1))[0]
        inner, outer = (draws, None) if self.points.group == "none" else draws.split(self.points)
        statistics = known.statistics if inner is None else self.drawn_statistics(values, inner, known.epsilon)
        assert statistics is not None
        return self.combined(statistics, outer)

    def drawn_statistics(self, values: Floats, draws: Draws, epsilon: float | None) -> Floats:
        """Return (replicates, groups, columns), as `statistics` does, of points that were drawn.

        A pair of points counts as often as the product of their draws, a point makes no pair with itself.
        """
        raise NotImplementedError

    def over_segments(self, draws: "SegmentDraws", label: str, epsilon: float | None, used: Any = True) -> Floats:
        """Return the coefficient of systems (all, or those `used`) scored anew on the segments of each replicate."""
        ours, human = draws.metric(label), draws.human
        times = (np.ones_like(ours) if draws.systems is None else draws.systems) * used
        # A system none of whose segments was drawn has no score in that replicate.
        times = np.where(np.isnan(ours) | np.isnan(human), 0.0, times)
        ours, human = np.nan_to_num(ours), np.nan_to_num(human)
        step = max(1, _BLOCK_BYTES // (64 * ours.shape[1] ** 2))
        blocks = [slice(begin, begin + step) for begin in range(0, len(ours), step)]
        return np.concatenate([self.of_drawn(ours[some], human[some], times[some], epsilon) for some in blocks])

    def of_drawn(self, ours: Floats, human: Floats, times: Floats, epsilon: float | None) -> Floats:
        """Return the coefficient of each row of (replicates, systems), where systems count `times` so often."""
        raise NotImplementedError

    # --- Closed forms ------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether there are formulas for its interval and for its difference from another, here."""
        return self.has_formula and self.points.group == "none" and self.weights is None

    def closed_interval(self, value: float, confidence: float, *, by_name: bool) -> tuple[float, float]:
        """Return the interval by formula; `by_name` as papers use it, else the one that covers best."""
        raise NotImplementedError

    def correlations(self, one: Floats, two: Floats) -> tuple[float, float, float]:
        """Return the correlation of each of two metrics with people, and of the two with each other."""
        raise NotImplementedError

    # --- Two metrics, swapped at random ------------------------------------------------------------------------------

    def permuted(self, one: str, two: str, difference: float, swaps: Swaps) -> tuple[float, Trials]:
        """Return the real difference of two metrics' coefficients, and what gives it for trials of a permutation test.

        Standardised scores of the two are swapped, so the statistic is theirs, too.
        """
        scores = [standardised(swaps.scores[name][swaps.judged]) for name in (one, two)]
        units, count = swaps.find_units()
        real = float(self._of_judged(scores[0][None], swaps)[0]) - float(self._of_judged(scores[1][None], swaps)[0])
        return real, self.swapped(scores[0], scores[1], units, count, swaps)

    def swapped(self, one: Floats, two: Floats, units: Any, count: int, swaps: Swaps) -> Trials:
        """Return what gives the difference in trials."""
        masks = swaps.masks(count)

        def trials(first: int, many: int) -> Floats:
            found = []
            for begin in range(first, first + many, _TRIALS):
                swap = masks[begin : min(begin + _TRIALS, first + many)][:, units]
                sides = np.where(swap, two, one), np.where(swap, one, two)
                found.append(self._of_judged(sides[0], swaps) - self._of_judged(sides[1], swaps))
            return np.concatenate(found)

        return trials

    def _of_judged(self, judged: Floats, swaps: Swaps) -> Floats:
        scores = np.zeros((len(judged), self.given))
        scores[:, swaps.judged] = judged
        return self.values_of(scores)


def constant_side(human: Floats, metric: Floats) -> str:
    """Return whose scores are all equal: "human", "metric" or nobody's."""
    for name, values in (("human", human), ("metric", metric)):
        if len(values) and (values == values[0]).all():
            return name
    return ""


def ratio(above: Floats, below: Floats) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    below = np.asarray(below, np.float64)
    quotient: Floats = np.divide(above, below, out=np.full(np.broadcast(above, below).shape, np.nan), where=below > 0)
    return quotient


def standardised(scores: Floats) -> Floats:
    """Return scores with a mean of 0 and a standard deviation of 1; all 0 if they are equal."""
    spread = float(scores.std())
    return np.asarray((scores - scores.mean()) / (spread if spread > 0 else 1.0))

"""Intervals of coefficients: by formula where that holds, else from what is drawn with replacement."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from tertium.errors import UnknownNameError
from tertium.meta.coefficients.base import Measured, Method
from tertium.meta.coefficients.points import UNITS, Codes, Draws, draw
from tertium.metrics.base import Floats
from tertium.significance.intervals import percentile
from tertium.significance.sampling import check_samples, check_seed, check_share

INTERVALS = ("auto", "fisher", "bootstrap", "none")
FEWEST = 4  # points, or units to draw from
_FEW = 12  # fewer points that all agree do not show how far off their coefficient may be
_MOST_POINTS = 50_000  # beyond them, blocks of points tell how much the coefficient varies
_MOST_SHARED = 2_000_000  # the same, where several metrics share the draws
_BLOCKS, _BLOCK_UNITS, _FEWEST_BLOCKS = 200, 250, 20
_UNIT_NAMES = {"item": "items", "sys": "systems", "both": "items or systems"}


@dataclass(frozen=True)
class Spread:
    """An interval, how it was made, and what there is to say about it."""

    low: float | None = None
    high: float | None = None
    made: str = "none"
    note: str = ""


def no_interval(why: str) -> Spread:
    """Return no interval, and why there is none."""
    return Spread(note=why)


@dataclass(frozen=True)
class Asked:
    """How intervals are to be made."""

    interval: str
    confidence: float
    samples: int
    seed: int
    unit: str

    def __post_init__(self) -> None:
        check_share("confidence", self.confidence)
        check_samples(self.samples, least=2)
        check_seed(self.seed)
        for what, value, known in (("kind of interval", self.interval, INTERVALS), ("unit", self.unit, UNITS)):
            if value not in known:
                raise UnknownNameError.of(what, value, known)

    @property
    def by_drawing(self) -> bool:
        """Whether a bootstrap may be used."""
        return self.interval in ("auto", "bootstrap")

    def shared_draws(self, prepared: Method) -> Draws | None:
        """Return the draws for all metrics that score the same points, if they need any."""
        if (
            not self.by_drawing
            or not FEWEST <= prepared.drawn_points.count <= _MOST_SHARED
            or self._by_formula(prepared)
        ):
            return None
        return draw(prepared.drawn_points, self.unit, self.samples, self.seed)

    def _by_formula(self, prepared: Method) -> bool:
        return prepared.closed and (
            self.interval == "fisher" or (self.interval == "auto" and prepared.points.independent)
        )

    def spread(self, prepared: Method, scores: Floats, measured: Measured, draws: Draws | None = None) -> Spread:
        """Return the interval of a coefficient; draws if they are made already. Few points may not give one."""
        found = self._spread(prepared, scores, measured, draws)
        count = prepared.drawn_points.count
        if found.low is not None and found.high is not None and found.high - found.low < 1e-9 and count < _FEW:
            return no_interval(f"{count} points are too few for an interval: it would have no width")
        return found

    def _spread(self, prepared: Method, scores: Floats, measured: Measured, draws: Draws | None) -> Spread:
        count, value = prepared.drawn_points.count, measured.value
        if self.interval == "none" or math.isnan(value):
            return Spread()
        if count < FEWEST:
            return no_interval(f"{count} points are too few for an interval")
        if self._by_formula(prepared):
            by_name = self.interval == "fisher"
            return Spread(*prepared.closed_interval(value, self.confidence, by_name=by_name), "fisher")
        if self.interval == "fisher":
            return no_interval("Fisher's interval holds for Pearson and Spearman without groups or weights only")
        if count > _MOST_POINTS and draws is None:
            return self._by_blocks(prepared, scores, value, measured.statistics)
        if draws is None:
            draws = draw(prepared.drawn_points, self.unit, self.samples, self.seed)
        if draws.units < FEWEST:
            return no_interval(f"{draws.units} {_UNIT_NAMES[self.unit]} are too few to draw from for an interval")
        found = prepared.replicates(scores, draws, measured)
        return of_replicates(np.clip(found, prepared.least, 1), self.confidence)

    def _by_blocks(self, prepared: Method, scores: Floats, value: float, statistics: Floats | None) -> Spread:
        """Millions of points: their spread shows in the coefficients of random blocks of units, scaled to all."""
        points = prepared.points
        codes = points.system if self.unit == "sys" else points.item
        there = np.flatnonzero(np.bincount(codes))
        size = min(_BLOCK_UNITS, max(2, len(there) // _BLOCKS))
        blocks = min(_BLOCKS, len(there) // size)
        if blocks < _FEWEST_BLOCKS:
            return no_interval(f"{len(there):,} are too few to make blocks of")
        chosen = np.random.default_rng(self.seed).choice(there, blocks * size, replace=False)
        block_of = np.full(int(there[-1]) + 1, -1, np.int32)
        block_of[chosen] = np.repeat(np.arange(blocks, dtype=np.int32), size)
        if points.group == self.unit and statistics is not None:
            of_group = block_of[codes[points.offsets[:-1]]]
            weights = (of_group == np.arange(blocks)[:, None]).astype(np.float64)
            found = prepared.combined(statistics, weights)
        else:
            found = _of_blocks(prepared, scores, block_of[codes], blocks)
        found = found[~np.isnan(found)]
        if len(found) < _FEWEST_BLOCKS:
            return no_interval("undefined in most blocks")
        error = float(found.std(ddof=1)) * math.sqrt(size / len(there))
        reach = NormalDist().inv_cdf((1 + self.confidence) / 2) * error
        return Spread(max(prepared.least, value - reach), min(1.0, value + reach), "blocks")


def of_replicates(found: Floats, confidence: float) -> Spread:
    """Return where the middle share of the replicates lies; those that are undefined are counted."""
    defined = found[~np.isnan(found)]
    lost = len(found) - len(defined)
    note = f"undefined in {lost:,} of {len(found):,} replicates" if lost else ""
    if lost * 2 > len(found):
        return no_interval(note)
    return Spread(*percentile(defined, confidence), "bootstrap", note)


def _of_blocks(prepared: Method, scores: Floats, of_point: Codes, blocks: int) -> Floats:
    """Return the coefficient of each block: without groups, blocks are groups; else one after the other."""
    points, method, settings = prepared.points, type(prepared), prepared.settings
    values = prepared.of_points(scores.reshape(1, -1))[0]
    weights = prepared.weights
    inside = np.flatnonzero(of_point >= 0)
    if points.group == "none":
        each = None if weights is None else weights[inside]
        part = method(points.human[inside], of_point[inside], None, "sys", settings, each)
        statistics = part.statistics(part.of_points(values[None, inside]))[0]
        return part.combined(statistics[:, None, :])
    inside = inside[np.argsort(of_point[inside], kind="stable")]
    ends = np.cumsum(np.bincount(of_point[inside], minlength=blocks))
    found = []
    for some in np.split(inside, ends[:-1]):
        each = None if weights is None else weights[some]
        part = method(points.human[some], points.system[some], points.item[some], points.group, settings, each)
        found.append(part.value(values[some]))
    return np.array(found)

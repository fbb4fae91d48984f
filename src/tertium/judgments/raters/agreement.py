"""How far raters agree beyond chance: kappas, Krippendorff's alpha, intraclass correlation.

Each coefficient but the last is a function of a sum of rows, one row per judged unit, so its bootstrap interval
comes from the same resampling as a metric's.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgments.labels import Floats, Ints, groups
from tertium.judgments.preferences import Preferences
from tertium.judgments.raters.alpha import alpha
from tertium.judgments.raters.intraclass import ICC, intraclass
from tertium.judgments.raters.kappas import CHANCES, Score, beyond_chance, distances_of, fleiss, table_kappa
from tertium.judgments.raters.marked_spans import SPANS, span_measure, span_units
from tertium.judgments.table import Judgments
from tertium.judgments.units import Units, categories, judgment_pairs, units_of
from tertium.metrics.base import thread_count
from tertium.results import Result
from tertium.significance.sampling import SEED, bootstrap_totals, check_samples, check_seed, check_share, state_of

KAPPAS = ("cohen", "cohen-linear", "cohen-quadratic", "fleiss")
ALPHAS = ("alpha-nominal", "alpha-ordinal", "alpha-interval", "alpha-ratio")
_MOST_CELLS = 40_000_000  # of the rows that are resampled for a mean of kappas
_ONE = "one item in common says next to nothing"
MEASURES = (*KAPPAS, *ALPHAS, *ICC, *SPANS)


@dataclass(frozen=True)
class Agreement(Result):
    """One coefficient. `value` is NaN where it is not defined, and `note` says why; `units` were judged at least twice.

    `raters` is how many there are; for a pair of raters, `first` and `second` name them.
    """

    measure: str
    kind: str
    value: float
    low: float | None
    high: float | None
    units: int
    raters: int
    judgments: int
    first: str | None = None
    second: str | None = None
    note: str | None = None

    @property
    def band(self) -> str | None:
        """What Landis and Koch (1977) call such a kappa."""
        if not np.isfinite(self.value) or self.measure.startswith(("icc", "span-f1")):
            return None
        limits = ((0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
        if self.value < 0:
            return "poor"
        return next((name for limit, name in limits[1:] if self.value <= limit), "almost perfect")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, with the band."""
        return {**asdict(self), "value": self.value if np.isfinite(self.value) else None, "band": self.band}


def agreement(
    judgments: Judgments,
    *,
    kinds: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    within: bool = False,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[Agreement, ...]:
    """Return how far raters agree, or with `within` how far each agrees with what they said before.

    Without `measures`: kappas if there are at most ten different scores, alpha for intervals and ICC in any case.
    Intervals are of the bootstrap over units, those of ICC of the F distribution.
    """
    check_samples(samples, least=0)
    check_seed(seed)
    check_share("level", level)
    draw = _Bootstrap(samples, level, state_of(seed), thread_count(threads))
    results: list[Agreement] = []
    for measure in measures or ():
        if measure not in MEASURES:
            raise UnknownNameError.of("measure of agreement", measure, MEASURES)
    for kind in kinds or judgments.kinds:
        units = units_of(judgments, kind, within=within)
        for measure in measures or _usual(units):
            results += (
                [_of_spans(measure, kind, judgments, draw, within)]
                if measure in SPANS
                else _measured(measure, kind, units, draw)
            )
    return tuple(results)


def _of_spans(measure: str, kind: str, judgments: Judgments, draw: "_Bootstrap", within: bool) -> Agreement:
    if within:
        raise InputError(f"{measure} compares what different raters marked, not what one marked again.")
    units = span_units(judgments, kind)
    count = len(units.spans)
    if not count:
        return Agreement(
            measure, kind, float("nan"), None, None, 0, units.raters, 0, note="no unit was judged by two raters"
        )
    rows, score = span_measure(measure, units)
    value = float(score(rows.sum(axis=0)))
    low, high = draw.interval(rows, score)
    note = _ONE if count < 2 else None
    if measure == "span-alpha" and not units.knows_lengths:
        note = "texts are not known, so each is taken to end with the last span in it"
    if not np.isfinite(value):
        note = "nobody marked anything"
    return Agreement(measure, kind, value, low, high, count, units.raters, units.judgments, note=note)


def _usual(units: Units) -> tuple[str, ...]:
    few = len(np.unique(units.score)) <= 10
    kappas: tuple[str, ...] = ("fleiss", "cohen", "cohen-quadratic") if few else ()
    return (*kappas, "alpha-ordinal" if few else "alpha-interval", "icc-1", "icc-2")


@dataclass(frozen=True)
class _Bootstrap:
    samples: int
    level: float
    state: list[int]
    threads: int

    def interval(self, rows: Floats, score: Score) -> tuple[float | None, float | None]:
        """Return the percentile interval; None without replicates or where too many are undefined."""
        if self.samples == 0 or len(rows) < 2:
            return None, None
        blocks = bootstrap_totals(np.ascontiguousarray(rows), self.state, self.samples, self.threads)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.concatenate([score(sums.T) for sums in blocks])
        values = values[np.isfinite(values)]
        if len(values) < self.samples / 2:
            return None, None
        tail = (1 - self.level) / 2
        low, high = np.quantile(values, [tail, 1 - tail])
        return float(low), float(high)


def _measured(measure: str, kind: str, units: Units, draw: _Bootstrap) -> list[Agreement]:
    if units.count == 0:
        nothing = "no unit was judged by two raters"
        return [Agreement(measure, kind, float("nan"), None, None, 0, len(units.raters), 0, note=nothing)]
    if measure in ICC:
        value, low, high, count, note = intraclass(measure, units.unit, units.rater, units.score, level=draw.level)
        return [Agreement(measure, kind, value, low, high, count, len(units.raters), len(units.unit), note=note)]
    if measure.startswith("cohen"):
        return _cohen_pairs(measure, kind, units, draw)
    rows, score = fleiss(units) if measure == "fleiss" else alpha(units, measure.removeprefix("alpha-"))
    return [_result(measure, kind, rows, score, draw, units)]


def _result(measure: str, kind: str, rows: Floats, score: Score, draw: _Bootstrap, units: Units) -> Agreement:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(score(rows.sum(axis=0)))
    low, high = draw.interval(rows, score)
    note = _ONE if units.count < 2 else None
    if not np.isfinite(value):
        note = "all judgments are equal, so there is nothing to agree or disagree about"
    return Agreement(measure, kind, value, low, high, units.count, len(units.raters), len(units.unit), note=note)


def _cohen_pairs(measure: str, kind: str, units: Units, draw: _Bootstrap) -> list[Agreement]:
    """Return kappa of each two raters who share units, after their mean, weighted by the number of shared units."""
    values, codes = categories(units.score, measure)
    distances = distances_of(measure, values)
    one, two, unit = judgment_pairs(units)
    pair = units.rater[one] * len(units.raters) + units.rater[two]
    present, pair_codes = np.unique(pair, return_inverse=True)
    cells = codes[one] * len(values) + codes[two]
    width = len(values) ** 2
    score = table_kappa(distances)
    results = []
    order = np.argsort(pair_codes, kind="stable")
    bounds = np.searchsorted(pair_codes[order], np.arange(len(present) + 1))
    for place, code in enumerate(present.tolist()):
        mine = cells[order[bounds[place] : bounds[place + 1]]]
        rows = np.zeros((len(mine), width))
        rows[np.arange(len(mine)), mine] = 1
        low, high = draw.interval(rows, score) if len(present) <= 200 else (None, None)
        names = units.raters[code // len(units.raters)], units.raters[code % len(units.raters)]
        value = float(score(rows.sum(axis=0)))
        note = _ONE if len(mine) < 2 else None
        results.append(Agreement(measure, kind, value, low, high, len(mine), 2, 2 * len(mine), *names, note=note))
    if len(results) == 1:
        return results
    return [_mean(measure, kind, results, units, (cells, pair_codes, unit), width, score, draw), *results]


def _mean(
    measure: str, kind: str, results: Sequence[Agreement], units: Units, pairs: tuple[Ints, Ints, Ints], width: int,
    score: Score, draw: _Bootstrap,
) -> Agreement:  # fmt: skip
    cells, pair, unit = pairs
    weights = np.array([one.units for one in results], np.float64)
    value = float(np.average([one.value for one in results], weights=weights))
    low = high = None
    columns = len(results) * width
    if units.count * columns <= _MOST_CELLS:

        def mean(totals: Floats) -> Floats:
            tables = totals.reshape(*totals.shape[:-1], len(results), width)
            shared = tables.sum(axis=-1)
            kappas = np.where(shared > 0, score(tables), 0)
            return np.asarray((kappas * shared).sum(axis=-1) / shared.sum(axis=-1))

        rows = np.bincount(unit * columns + pair * width + cells, minlength=units.count * columns)
        low, high = draw.interval(rows.reshape(units.count, columns).astype(np.float64), mean)
    note = "mean of pairs of raters" + (", too many for an interval" if units.count * columns > _MOST_CELLS else "")
    return Agreement(measure, kind, value, low, high, units.count, len(units.raters), len(units.unit), note=note)


def preference_agreement(
    preferences: Preferences,
    *,
    within: bool = False,
    chance: str = "marginal",
    samples: int = 1000,
    level: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> Agreement:
    """Return WMT's kappa of rankings: how often two judgments of the same pair of outputs say the same.

    The outcomes are better, equal, worse. By chance two would agree in a third of the cases (`uniform`, WMT's early
    years) or in the sum of the squared shares of the outcomes (`marginal`).
    """
    if chance not in CHANCES:
        raise UnknownNameError.of("kind of chance", chance, CHANCES)
    draw = _Bootstrap(
        check_samples(samples, least=0), check_share("level", level), state_of(check_seed(seed)), thread_count(threads)
    )
    if not within and (preferences.rater.codes < 0).any():
        raise InputError("Some preferences name no rater, so nobody's agreement can be told.")
    swapped = preferences.first > preferences.second
    low_system = np.where(swapped, preferences.second, preferences.first)
    high_system = np.where(swapped, preferences.first, preferences.second)
    outcome = np.where(swapped, -preferences.outcome, preferences.outcome).astype(np.int64) + 1
    _, unit = groups(preferences.segment, low_system, high_system)
    same_agree, same_pairs = _alike(unit, outcome, preferences.rater.codes)
    all_agree, all_pairs = _alike(unit, outcome, None)
    agree, pairs = (same_agree, same_pairs) if within else (all_agree - same_agree, all_pairs - same_pairs)
    counts = np.bincount(unit * 3 + outcome, minlength=3 * len(pairs)).reshape(-1, 3)
    kept = pairs > 0
    rows = np.column_stack([agree, pairs, counts])[kept].astype(np.float64)

    def score(totals: Floats) -> Floats:
        shares = totals[..., 2:] / totals[..., 2:].sum(axis=-1, keepdims=True)
        expected = (shares**2).sum(axis=-1) if chance == "marginal" else np.full(totals.shape[:-1], 1 / 3)
        return beyond_chance(totals[..., 0] / totals[..., 1], expected)

    name = f"ranking-kappa-{chance}"
    raters = len(preferences.rater.names)
    if not len(rows):
        note = "no pair was judged twice"
        return Agreement(name, "preference", float("nan"), None, None, 0, raters, 0, note=note)
    low, high = draw.interval(rows, score)
    value = float(score(rows.sum(axis=0)))
    return Agreement(name, "preference", value, low, high, len(rows), raters, int(counts[kept].sum()))


def _alike(unit: Ints, outcome: Ints, rater: Any) -> tuple[Ints, Ints]:
    """Return for each unit how many pairs of judgments agree, and how many pairs there are; of one rater if given."""
    count = int(unit.max()) + 1 if len(unit) else 0
    keys = [unit] if rater is None else [unit, rater]
    found = []
    for columns in ([*keys, outcome], keys):
        first, inverse = groups(*columns)
        sizes = np.bincount(inverse, minlength=len(first))
        found.append(np.bincount(unit[first], sizes * (sizes - 1) / 2, minlength=count).astype(np.int64))
    return found[0], found[1]

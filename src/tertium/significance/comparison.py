"""Is one system better than another? Tests of all pairs that are asked for, with what is needed to read them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, interval, number
from tertium.scoring.scores import Scores
from tertium.significance.bootstrap import bootstrapped
from tertium.significance.corrections import CORRECTIONS, adjusted
from tertium.significance.intervals import Interval, check_method, interval_of, left_out
from tertium.significance.power import detectable_difference
from tertium.significance.randomization import Chance, randomized, slack
from tertium.significance.rank_clusters import Rank, ranked
from tertium.significance.runs import (
    Runs,
    check_equal_numbers,
    check_runs,
    like_multeval,
    pooled,
    spread_of_runs,
    stacked_rows,
)
from tertium.significance.sacrebleu import centred, replicates_of
from tertium.significance.sampling import (
    GENERATOR,
    SEED,
    check_samples,
    check_seed,
    check_share,
    replicate_scores,
    state_of,
)
from tertium.significance.units import check_unit, unit_rows, usual_unit

if TYPE_CHECKING:
    from tertium.significance.perceptible import Perceptible

TESTS = ("randomization", "bootstrap")
ALTERNATIVES = ("two-sided", "better", "worse")
LIKE = ("sacrebleu", "multeval")
_REPLICATES = 1000  # behind the intervals of a randomization test


@dataclass(frozen=True)
class Comparison(Result):
    """One test: `difference` is the system's score minus the baseline's, `low` and `high` its interval.

    `detectable` is the difference that a test set like this one shows with a probability of 0.8; where p-values are
    adjusted for several tests, also as the only one of them.
    """

    system: str
    baseline: str
    metric: str
    difference: float
    p_value: float
    p_adjusted: float
    low: float
    high: float
    significant: bool
    standard_error: float
    detectable: float | None
    samples: int
    exact: bool
    perceptible: "Perceptible | None" = None  # where it was asked for

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        found = asdict(self)
        del found["perceptible"]
        if self.perceptible is not None:
            found |= {"people_agree": self.perceptible.agreement, "people_agree_note": self.perceptible.note or None}
        return found


@dataclass(frozen=True, repr=False)
class Comparisons(Shown):
    """All tests that were asked for, and how they were made."""

    comparisons: tuple[Comparison, ...]
    intervals: tuple[Interval, ...]  # of the systems' corpus scores
    ranks: dict[str, tuple[Rank, ...]]  # by metric, where all pairs were compared; from two-sided tests
    runs: tuple[Runs, ...]  # where systems have several
    test: str
    samples: int
    seed: int
    unit: str
    alternative: str
    correction: str
    level: float
    method: str
    like: str | None
    scores: Scores = field(repr=False)  # of the systems, their runs taken together
    generator: str = GENERATOR

    @property
    def signature(self) -> str:
        """What fixes the p-values and intervals, besides the scores' own signatures."""
        return (
            f"{self.test}:samples={self.samples},seed={self.seed},generator={self.generator},unit={self.unit},"
            f"alternative={self.alternative},correction={self.correction},level={self.level:g},"
            f"interval={self.method},like={self.like or 'none'}|tertium={__version__}"
        )

    @property
    def least_p_value(self) -> float:
        """The smallest adjusted p-value that so many tests of so many trials can have."""
        first = self.comparisons[0]
        tests = sum(one.metric == first.metric for one in self.comparisons)
        if first.exact:  # the opposite of the real labelling is as far apart
            least = (2 if self.alternative == "two-sided" else 1) / first.samples
        else:
            least = 1 / (first.samples + 1)
        return min(1.0, least * tests) if self.correction in ("holm", "bonferroni") else least

    @property
    def p_decimals(self) -> int:
        """How many decimals it takes to tell the smallest p-value from 0: four, or more with very many trials."""
        return max(4, len(str(self.comparisons[0].samples)) - 1)

    def of(self, system: str, metric: str, baseline: str | None = None) -> Comparison:
        """Return the test of a system by a metric, against the baseline if there are several."""
        for one in self.comparisons:
            if (one.system, one.metric) == (system, metric) and baseline in (None, one.baseline):
                return one
        raise InputError(f"There is no test of system {system!r} by {metric!r} against {baseline or 'any'!r}.")

    def __getitem__(self, key: str | tuple[str, ...]) -> Any:
        """Return the test of a system by a metric, `compared["mine", "bleu"]`; of a system, those by all metrics."""
        if isinstance(key, tuple):
            return self.of(*key)
        found = {one.metric: one for one in self.comparisons if one.system == key}
        if not found:
            raise UnknownNameError.of("system", key, dict.fromkeys(one.system for one in self.comparisons))
        if len(found) < sum(one.system == key for one in self.comparisons):
            raise InputError(f"'{key}' is tested against several systems: say [system, metric, baseline].")
        return found

    def __iter__(self) -> Iterator[Comparison]:
        """Go through the tests."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """Count the tests."""
        return len(self.comparisons)

    def direction(self, one: Comparison) -> str:
        """Return an arrow for a significant difference: ↑ if the system is better, whichever way its metric counts."""
        if not one.significant or not one.difference:
            return ""
        return "↑" if (one.difference > 0) == self.scores.metrics[one.metric].higher_is_better else "↓"

    def renamed(self, names: Mapping[str, str]) -> "Comparisons":
        """Return the same tests with other names for some of the systems."""

        def name(system: str) -> str:
            return names.get(system, system)

        return replace(
            self,
            comparisons=tuple(
                replace(one, system=name(one.system), baseline=name(one.baseline)) for one in self.comparisons
            ),
            intervals=tuple(replace(one, system=one.system and name(one.system)) for one in self.intervals),
            ranks={
                metric: tuple(replace(one, system=name(one.system)) for one in ranks)
                for metric, ranks in self.ranks.items()
            },
            runs=tuple(replace(one, system=name(one.system)) for one in self.runs),
            scores=self.scores.renamed(names),
        )

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each test."""
        return [one.to_dict() for one in self.comparisons]

    def table(self) -> Table:
        """Return the tests, with a word for what each says."""
        rows = []
        for one in self.comparisons:
            said = {"↑": "better", "↓": "worse", "": "not significant"}[self.direction(one)]
            rows.append(
                [one.system, one.baseline, title(one.metric), f"{one.difference:+.2f}", interval(one.low, one.high),
                 number(one.p_adjusted, self.p_decimals), said]
            )  # fmt: skip
        heads = ["System", "Against", "Metric", "Difference", "Interval", "p", ""]
        return Table("Differences between systems", heads, rows, [self.signature], words=3)

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium compare --format json` adds to the scores."""
        result: dict[str, Any] = {
            "test": {
                "signature": self.signature,
                "test": self.test,
                "samples": self.samples,
                "seed": self.seed,
                "unit": self.unit,
                "alternative": self.alternative,
                "correction": self.correction,
                "level": self.level,
                "interval": self.method,
                "like": self.like,
            },
            "comparisons": [one.to_dict() for one in self.comparisons],
        }
        if self.ranks:
            result["ranks"] = [rank.to_dict() for ranks in self.ranks.values() for rank in ranks]
        if self.runs:
            result["runs"] = [one.to_dict() for one in self.runs]
        return result


@dataclass(frozen=True)
class _Plan:
    """What was asked for, checked."""

    raw: Scores
    scores: Scores
    runs: dict[str, tuple[str, ...]]
    systems: list[str]
    pairs: list[tuple[int, int]]  # that are reported
    others: list[tuple[int, int]]  # that are tested too, for ranks
    ranks: bool
    test: str
    samples: int
    seed: int
    unit: str
    alternative: str
    level: float
    method: str
    like: str | None
    threads: int

    def side(self, metric: Metric) -> int:
        """The sign of the differences that count; 0 for both."""
        if self.alternative == "two-sided":
            return 0
        return (1 if metric.higher_is_better else -1) * (1 if self.alternative == "better" else -1)


def compare(
    scores: Scores,
    *,
    baseline: str | None = None,
    test: str = "randomization",
    samples: int = 10_000,
    seed: int = SEED,
    unit: str | None = None,
    correction: str = "holm",
    alternative: str = "two-sided",
    all_pairs: bool = False,
    ranks: bool = False,
    level: float = 0.05,
    method: str = "percentile",
    like: str | None = None,
    runs: Mapping[str, Sequence[str]] | None = None,
    threads: int | None = None,
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> Comparisons:
    """Test every system against the baseline (by default the first), or every pair of systems.

    With all pairs, or if `ranks` are wanted, systems are ranked by two-sided tests of all pairs.
    `alternative` says what counts as surprising: any difference, or that the system is better, or worse. `runs` says
    which systems of `scores` are runs of one: {"mine": ["mine#1", "mine#2"]}. `level` is the p-value (adjusted, by
    metric, for the number of pairs) up to which a difference is called significant; intervals are of 1 - level.
    `unit` is what is swapped or drawn as a whole: segments, or documents where segments were made by alignment.
    """
    plan = _planned(
        scores, baseline, test, samples, seed, unit, alternative, all_pairs, ranks or all_pairs, level, method, like,
        runs, threads,
    )  # fmt: skip
    if correction not in CORRECTIONS:
        raise UnknownNameError.of("correction", correction, CORRECTIONS)
    comparisons: list[Comparison] = []
    intervals: list[Interval] = []
    places: dict[str, tuple[Rank, ...]] = {}
    for label, metric in plan.scores.metrics.items():
        progress(f"testing by {label}", list(plan.scores.metrics).index(label) / len(plan.scores.metrics))
        found, some, differ = _by_metric(plan, label, metric, correction)
        comparisons += found
        intervals += some
        if plan.ranks:
            totals = {system: float(metric.score(plan.scores.totals[system][label])) for system in plan.systems}
            places[label] = ranked(label, totals, differ, higher_is_better=metric.higher_is_better)
    several = any(len(names) > 1 for names in plan.runs.values())
    draws = plan.samples if like == "multeval" else _REPLICATES
    spread = spread_of_runs(plan.raw, plan.runs, plan.unit, draws, plan.seed, plan.threads) if several else ()
    return Comparisons(
        tuple(comparisons), tuple(intervals), places, spread, plan.test, plan.samples, plan.seed, plan.unit,
        alternative, correction, level, method, like, plan.scores,
    )  # fmt: skip


def _planned(
    scores: Scores, baseline: str | None, test: str, samples: int, seed: int, unit: str | None, alternative: str,
    all_pairs: bool, ranks: bool, level: float, method: str, like: str | None,
    runs: Mapping[str, Sequence[str]] | None, threads: int | None,
) -> _Plan:  # fmt: skip
    for kind, value, known in (
        ("test", test, TESTS),
        ("alternative", alternative, ALTERNATIVES),
        ("program to be like", like, (*LIKE, None)),
    ):
        if value not in known:
            raise UnknownNameError.of(kind, value, [name for name in known if name])
    check_method(method)
    check_share("level", level)
    if not isinstance(scores, Scores):
        raise InputError(f"compare takes what tertium.score returns, not {type(scores).__name__}.")
    unit = usual_unit(scores, unit if like is None else unit or "segment")
    check_unit(scores, unit)
    by_system = check_runs(scores, runs)
    systems = list(by_system)
    if len(systems) < 2:
        raise InputError("There is only one system. Give at least two to compare.")
    if baseline is not None and baseline not in systems:
        raise UnknownNameError.of("system", baseline, systems)
    check_equal_numbers(by_system)
    if like is not None:
        _check_like(like, test, unit, alternative, by_system)
    first = systems.index(baseline) if baseline is not None else 0
    pairs = [(first, k) for k in range(len(systems)) if k != first]
    every = [(i, k) for i in range(len(systems)) for k in range(i + 1, len(systems))]
    others = [pair for pair in every if first not in pair] if ranks and not all_pairs else []
    return _Plan(
        scores, pooled(scores, by_system), by_system, systems, every if all_pairs else pairs, others, ranks, test,
        check_samples(samples, least=2), check_seed(seed), unit, alternative, level, method, like,
        thread_count(threads),
    )  # fmt: skip


def _check_like(like: str, test: str, unit: str, alternative: str, runs: Mapping[str, Sequence[str]]) -> None:
    if unit != "segment" or alternative != "two-sided":
        raise InputError(f"{like} knows only two-sided tests by segments: leave out unit and alternative.")
    if like == "sacrebleu" and any(len(names) > 1 for names in runs.values()):
        raise InputError(
            "sacreBLEU knows no runs. Give one file per system, or use ", Argument("like", "multeval"), "."
        )
    if like == "multeval" and test != "randomization":
        raise InputError("MultEval tests by randomization only: leave out ", Argument("test", test), ".")


def _by_metric(
    plan: _Plan, label: str, metric: Metric, correction: str
) -> tuple[list[Comparison], list[Interval], dict[tuple[str, str], bool]]:
    """Return the tests, the intervals of scores, and which of all tested pairs differ."""
    rows = [unit_rows(plan.scores, system, label, plan.unit) for system in plan.systems]
    real = np.array([float(metric.score(plan.scores.totals[system][label])) for system in plan.systems])
    size = plan.samples if plan.test == "bootstrap" else _REPLICATES
    replicates = replicate_scores(metric, rows, state_of(plan.seed), size, plan.threads)
    chances = _chances(plan, label, metric, rows, real, replicates)
    p_values = [_p_value(plan, chance) for chance in chances]
    corrected = adjusted(p_values[: len(plan.pairs)], correction)
    tests = 1 if correction == "none" else len(plan.pairs)
    rounding = [slack(metric, one) for one in rows]
    comparisons = []
    for (i, k), chance, p_value, p_adjusted in zip(plan.pairs, chances, p_values, corrected, strict=False):
        differences = replicates[k] - replicates[i]
        varied = np.ptp(differences) > max(rounding[i], rounding[k])
        error = float(differences.std(ddof=1)) if varied else 0.0
        without = _differences_left_out(metric, rows[i], rows[k])
        difference = float(real[k] - real[i])
        low, high = interval_of(differences, difference, 1 - plan.level, plan.method, without)
        comparisons.append(
            Comparison(
                plan.systems[k], plan.systems[i], label, difference, p_value, float(p_adjusted), low, high,
                bool(p_adjusted <= plan.level), error, detectable_difference(error, level=plan.level, tests=tests),
                chance.trials, chance.exact,
            )
        )  # fmt: skip
    intervals = []
    for k, system in enumerate(plan.systems):
        low, high = interval_of(replicates[k], real[k], 1 - plan.level, plan.method, left_out(metric, rows[k]))
        intervals.append(Interval(system or None, label, "corpus", None, float(real[k]), low, high))
    if plan.ranks and plan.alternative != "two-sided":
        # A one-sided test finds nothing where the other one of a pair is better, so ranks need two-sided ones.
        both = replace(plan, alternative="two-sided")
        p_values = [_p_value(plan, chance) for chance in _chances(both, label, metric, rows, real, replicates)]
    named = [(plan.systems[i], plan.systems[k]) for i, k in (*plan.pairs, *plan.others)]
    differ = dict(zip(named, (adjusted(p_values, correction) <= plan.level).tolist(), strict=True))
    return comparisons, intervals, differ


def _differences_left_out(metric: Metric, baseline: Floats, system: Floats) -> Any:
    return lambda: left_out(metric, system)() - left_out(metric, baseline)()


def _chances(
    plan: _Plan, label: str, metric: Metric, rows: Sequence[Floats], real: Floats, replicates: Floats
) -> list[Chance]:
    pairs = [*plan.pairs, *plan.others]
    if plan.like == "multeval":
        stacked = [stacked_rows(plan.raw, plan.runs[system], label, plan.unit) for system in plan.systems]
        return like_multeval(
            metric, stacked, pairs, runs=len(plan.runs[plan.systems[0]]), samples=plan.samples, seed=plan.seed,
            threads=plan.threads,
        )  # fmt: skip
    if plan.like == "sacrebleu" and plan.test == "bootstrap":
        theirs = replicates_of(metric, rows, plan.samples, plan.seed, plan.threads)
        return [centred(theirs[i], theirs[k], abs(float(real[i] - real[k]))) for i, k in pairs]
    side = plan.side(metric)
    if plan.test == "bootstrap":
        tolerances = [slack(metric, one) for one in rows]
        return [
            bootstrapped(
                replicates[i], replicates[k], real[[i, k]], side, max(tolerances[i], tolerances[k]),
                documents=len(rows[0]) if plan.unit == "document" else None,
            )
            for i, k in pairs
        ]  # fmt: skip
    # All runs of a unit are swapped at once: they are alike, so one by one they would pass for more than they are.
    return randomized(
        metric, rows, pairs, side=side, samples=plan.samples, seed=plan.seed, threads=plan.threads,
        exact=plan.like is None,
    )  # fmt: skip


def _p_value(plan: _Plan, chance: Chance) -> float:
    return chance.p_value if plan.like is None else chance.p_value_without_ties

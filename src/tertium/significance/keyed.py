"""Intervals and tests of rows that are in many places: each row is known by a key, and sums of shards are added.

A replicate of the bootstrap takes each row as often as a Poisson variable says that is drawn from the row's key, the
replicate and the seed (Hanley and MacGibbon 2006). No row needs to know of the others, so one pass over each shard is
enough, and the result does not depend on which rows were in which shard, nor on their order. Systems whose rows have
the same keys are drawn alike, which is what makes a test paired.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric
from tertium.scoring.scores import Scores
from tertium.significance.bootstrap import bootstrapped
from tertium.significance.comparison import Comparison, Comparisons
from tertium.significance.corrections import CORRECTIONS, adjusted
from tertium.significance.intervals import Confidence, Interval, percentile
from tertium.significance.power import detectable_difference
from tertium.significance.randomization import TOLERANCE
from tertium.significance.sampling import SEED, check_samples, check_seed, check_share

GENERATOR = "poisson-splitmix64"

Keys = NDArray[np.uint64]
_ODD = np.uint64(0x9E3779B97F4A7C15)


def text_keys(texts: _native.Texts) -> Keys:
    """Return a key of 64 bits for each text, or each group of texts."""
    keys = np.empty(len(texts), np.uint64)
    _native.text_keys(texts, keys)
    return keys


def numbered_keys(name: str, numbers: NDArray[np.int64]) -> Keys:
    """Return keys for numbered things of a name: the rows of a file."""
    start = text_keys(_native.flat_texts([name], "name"))[0]
    return np.asarray(start + numbers.astype(np.uint64) * _ODD, np.uint64)


class KeyedSums:
    """What is known of one system's rows: how many, their sums by each metric, and the sums of replicates.

    `samples=0` is for scores alone, without replicates.
    """

    def __init__(self, columns: Mapping[str, int], *, samples: int = 0, seed: int = SEED) -> None:
        self.samples = samples if samples == 0 else check_samples(samples, least=2)
        self.seed = check_seed(seed)
        self.count = 0
        self.mark = 0  # a sum over the keys: equal for equal keys in any order
        self.totals: dict[str, Floats] = {label: np.zeros(width) for label, width in columns.items()}
        self.replicates: dict[str, Floats] = {
            label: np.zeros((width, samples)) for label, width in columns.items() if samples
        }

    def add(self, rows: Mapping[str, Floats], keys: Keys, *, threads: int = 1) -> None:
        """Add rows, (segments, columns) by metric, with a key each."""
        self.count += len(keys)
        self.mark = (self.mark + int((keys * (keys | np.uint64(1))).sum(dtype=np.uint64))) % (1 << 64)
        for label, block in rows.items():
            self.totals[label] = self.totals[label] + block.sum(axis=0)
            if self.samples:
                _native.add_poisson_sums(
                    np.ascontiguousarray(block), keys, seed=self.seed, threads=threads, sums=self.replicates[label]
                )

    def merge(self, other: "KeyedSums") -> None:
        """Add what another shard knows of the same system."""
        self.count += other.count
        self.mark = (self.mark + other.mark) % (1 << 64)
        for label, totals in other.totals.items():
            self.totals[label] = self.totals[label] + totals
        for label, replicates in other.replicates.items():
            self.replicates[label] = self.replicates[label] + replicates


def scores_of(
    sums: Mapping[str, KeyedSums], metrics: Mapping[str, Metric], *, reference_count: int | str, named: bool = True
) -> Scores:
    """Return the scores that sums of rows come to, by system."""
    return Scores(
        metrics=dict(metrics),
        named=named,
        segment_count=max((one.count for one in sums.values()), default=0),
        reference_count=reference_count,
        totals={system: dict(one.totals) for system, one in sums.items()},
        system_sizes={system: one.count for system, one in sums.items()},
    )


def confidence_of(sums: Mapping[str, KeyedSums], metrics: Mapping[str, Metric], *, level: float = 0.95) -> Confidence:
    """Return confidence intervals of the corpus scores, from replicates."""
    check_share("level", level)
    first = _first(sums)
    intervals = [
        _interval(system, label, metric, one, level)
        for label, metric in metrics.items()
        for system, one in sums.items()
    ]
    return Confidence(tuple(intervals), first.samples, level, "percentile", first.seed, "segment", GENERATOR)


def compare_sums(
    sums: Mapping[str, KeyedSums],
    metrics: Mapping[str, Metric],
    *,
    scores: Scores,
    baseline: str | None = None,
    correction: str = "holm",
    level: float = 0.05,
) -> Comparisons:
    """Test every system against the baseline (by default the first) by the paired bootstrap, two-sided."""
    check_share("level", level)
    systems = list(sums)
    if len(systems) < 2:
        raise InputError("There is only one system. Give at least two to compare.")
    if baseline is not None and baseline not in systems:
        raise UnknownNameError.of("system", baseline, systems)
    if correction not in CORRECTIONS:
        raise UnknownNameError.of("correction", correction, CORRECTIONS)
    against = baseline or systems[0]
    _check_paired(sums, against)
    first = _first(sums)
    comparisons: list[Comparison] = []
    intervals: list[Interval] = []
    for label, metric in metrics.items():
        pairs = [
            (system, *_tested(metric, label, sums[against], sums[system])) for system in systems if system != against
        ]
        corrected = adjusted([chance.p_value for _, chance, _ in pairs], correction)
        for (system, chance, differences), p_adjusted in zip(pairs, corrected, strict=True):
            low, high = percentile(differences, 1 - level)
            varied = np.ptp(differences) > _slack(metric, sums[against].totals[label], sums[system].totals[label])
            error = float(differences.std(ddof=1)) if varied else 0.0
            difference = float(metric.score(sums[system].totals[label]) - metric.score(sums[against].totals[label]))
            comparisons.append(
                Comparison(
                    system, against, label, difference, chance.p_value, float(p_adjusted), low, high,
                    bool(p_adjusted <= level), error, detectable_difference(error, level=level), chance.trials, False,
                )
            )  # fmt: skip
        intervals += [_interval(system, label, metric, one, 1 - level) for system, one in sums.items()]
    return Comparisons(
        tuple(comparisons), tuple(intervals), {}, (), "bootstrap", first.samples, first.seed, "segment", "two-sided",
        correction, level, "percentile", None, scores, GENERATOR,
    )  # fmt: skip


def _first(sums: Mapping[str, KeyedSums]) -> KeyedSums:
    first = next(iter(sums.values()))
    if not first.samples:
        raise InputError("There are no replicates: the sums were made for scores alone.")
    return first


def _interval(system: str, label: str, metric: Metric, sums: KeyedSums, level: float) -> Interval:
    low, high = percentile(metric.score(sums.replicates[label].T), level) if sums.count > 1 else (None, None)
    return Interval(system or None, label, "corpus", None, float(metric.score(sums.totals[label])), low, high)


def _tested(metric: Metric, label: str, baseline: KeyedSums, system: KeyedSums) -> Any:
    replicates = [metric.score(one.replicates[label].T) for one in (baseline, system)]
    real = np.array([float(metric.score(one.totals[label])) for one in (baseline, system)])
    slack = _slack(metric, baseline.totals[label], system.totals[label])
    return bootstrapped(replicates[0], replicates[1], real, 0, slack), replicates[1] - replicates[0]


def _slack(metric: Metric, *totals: Floats) -> float:
    """Return what rounding may do to a difference."""
    scores = metric.score(np.abs(np.stack(totals)))
    return TOLERANCE * float(np.abs(scores[np.isfinite(scores)]).max(initial=0))


def _check_paired(sums: Mapping[str, KeyedSums], baseline: str) -> None:
    theirs = sums[baseline]
    for system, ours in sums.items():
        if ours.count != theirs.count:
            raise InputError(
                f"'{system}' has {ours.count:,} segments, but '{baseline}' has {theirs.count:,}: they cannot be "
                "compared segment by segment. Score the same segments with both."
            )
        if ours.mark != theirs.mark:
            raise InputError(
                f"'{system}' and '{baseline}' have {ours.count:,} segments each, but not the same ones: their ids "
                "differ. Give rows of a table an id that both systems share (",
                Argument("id"),
                ").",
            )


def joined(parts: Sequence[Mapping[str, KeyedSums]]) -> dict[str, KeyedSums]:
    """Return the sums of all shards, by system."""
    whole: dict[str, KeyedSums] = {}
    for part in parts:
        for system, sums in part.items():
            if system in whole:
                whole[system].merge(sums)
            else:
                whole[system] = sums
    return whole

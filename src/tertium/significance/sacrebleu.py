"""The p-values, means and intervals that sacreBLEU prints, for the same seed.

Its randomization counts only trials that are *farther* apart than the systems, so a system and its copy differ
"significantly" (p = 1/(trials + 1)): `p_value_with_ties` is the value that a tie-safe count gives. Its bootstrap
adds and scores in single precision where NumPy 2 keeps it, which moves the last digits; that is done here too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import UnknownNameError
from tertium.metrics import BLEU, CHRF, TER
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.results import Result
from tertium.scoring.scores import Scores
from tertium.significance.randomization import Chance, randomized
from tertium.significance.sampling import SEED, bootstrap_totals, check_samples, check_seed, state_of, trial_blocks
from tertium.significance.single_precision import Float32s, Float64s, bleu_scores, chrf_scores, ter_scores
from tertium.significance.units import check_unit, unit_rows

TESTS = {"randomization": 10_000, "bootstrap": 1000}


@dataclass(frozen=True)
class PairedResult(Result):
    """One cell of sacreBLEU's table. The baseline has no p-value; a mean and its ± only come from a bootstrap."""

    system: str
    metric: str
    score: float
    p_value: float | None
    mean: float | None
    ci: float | None
    p_value_with_ties: float | None = None


def like_sacrebleu(
    scores: Scores,
    *,
    test: str = "randomization",
    samples: int | None = None,
    seed: int | None = SEED,
    baseline: str | None = None,
    confidence_samples: int = 0,
    threads: int | None = None,
) -> tuple[PairedResult, ...]:
    """Compare every system with the first (or the baseline) by each metric, as sacreBLEU's --paired-ar and -bs do.

    `seed=None` draws anew each time, as sacreBLEU does for the seeds 0 and "none". `confidence_samples` is its
    --paired-ar-confidence-n: replicates for a mean and an interval beside the randomization.
    """
    if test not in TESTS:
        raise UnknownNameError.of("test", test, TESTS)
    if baseline is not None and baseline not in scores.systems:
        raise UnknownNameError.of("system", baseline, scores.systems)
    check_unit(scores, "segment", least=1)  # sacreBLEU tests one segment too; all its trials tie
    samples = check_samples(TESTS[test] if samples is None else samples)
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else check_seed(seed)
    first = baseline if baseline is not None else scores.systems[0]
    order = [first, *(system for system in scores.systems if system != first)]
    results: list[PairedResult] = []
    for label, metric in scores.metrics.items():
        rows = [unit_rows(scores, system, label, "segment") for system in order]
        if test == "bootstrap":
            results += _bootstrap(metric, label, order, rows, samples, seed, thread_count(threads))
        else:
            results += _randomization(
                metric, label, order, rows, samples, seed, thread_count(threads), confidence_samples
            )
    return tuple(results)


def _randomization(
    metric: Metric, label: str, order: Sequence[str], rows: Sequence[Floats], samples: int, seed: int, threads: int,
    confidence_samples: int,
) -> list[PairedResult]:  # fmt: skip
    pairs = [(0, k) for k in range(1, len(rows))]
    found = randomized(metric, rows, pairs, side=0, samples=samples, seed=seed, threads=threads, exact=False)
    spreads: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(rows)
    if confidence_samples:
        # Each system has the stream to itself: the swaps against the baseline come first in it, 32 to a word.
        swaps = -(-samples * len(rows[0]) // 32)
        drawn = replicates_of(metric, rows[:1], confidence_samples, seed, threads)
        if len(rows) > 1:
            drawn += replicates_of(metric, rows[1:], confidence_samples, seed, threads, swaps)
        spreads = [mean_and_width(one) for one in drawn]
    results = []
    for k, system in enumerate(order):
        score, (mean, width) = float(metric.score(rows[k].sum(axis=0))), spreads[k]
        p_value, with_ties = (found[k - 1].p_value_without_ties, found[k - 1].p_value) if k else (None, None)
        results.append(PairedResult(system, label, score, p_value, mean, width, with_ties))
    return results


def _bootstrap(
    metric: Metric, label: str, order: Sequence[str], rows: Sequence[Floats], samples: int, seed: int, threads: int
) -> list[PairedResult]:
    replicates = replicates_of(metric, rows, samples, seed, threads)
    results: list[PairedResult] = []
    for k, system in enumerate(order):
        score = float(metric.score(rows[k].sum(axis=0)))
        chance = centred(replicates[0], replicates[k], abs(results[0].score - score)) if k else None
        p_values = (chance.p_value_without_ties, chance.p_value) if chance else (None, None)
        results.append(PairedResult(system, label, score, p_values[0], *mean_and_width(replicates[k]), p_values[1]))
    return results


def centred(baseline: Any, system: Any, difference: float) -> Chance:
    """Count as sacreBLEU does: sizes of differences, less their mean, against the size of the real one."""
    found = np.abs(baseline - system)
    found = found - found.mean()
    rounding = 1e-6 * float(np.abs(system).max())  # single precision
    return Chance(int((found >= difference - rounding).sum()), int((found > difference).sum()), len(found))


def mean_and_width(replicates: Any) -> tuple[float, float]:
    """Return the mean of replicates, and half the width of their middle 95 %."""
    ordered = np.sort(replicates)
    low = len(ordered) // 40
    return float(ordered.mean()), float((ordered[len(ordered) - low - 1] - ordered[low]) / 2)


def replicates_of(
    metric: Metric, rows: Sequence[Floats], samples: int, seed: int, threads: int, skipped: int = 0
) -> list[Any]:
    """Return the scores of each system's replicates, in the precision that sacreBLEU has them."""
    count, width = rows[0].shape
    together = np.ascontiguousarray(np.hstack(rows))
    # Whole numbers below 2^24 add up exactly in single precision, in any order.
    exact = bool((together == np.trunc(together)).all()) and count * float(np.abs(together).max(initial=0)) < 2**24
    parts: list[list[Any]] = [[] for _ in rows]
    totals = (
        bootstrap_totals(together, state_of(seed), samples, threads, skipped)
        if exact
        else (_added_in_single_precision(together, samples, seed, skipped))
    )
    for sums in totals:
        for k, part in enumerate(parts):
            part.append(_single_precision_scores(metric, sums[k * width : (k + 1) * width].T.astype(np.float32)))
    return [np.concatenate(part) for part in parts]


def _added_in_single_precision(rows: Floats, samples: int, seed: int, skipped: int) -> Iterator[Any]:
    rng = np.random.default_rng(seed)
    rng.integers(2, size=32 * skipped, dtype=bool)
    singles = rows.astype(np.float32)
    for _, some in trial_blocks(samples, len(rows)):
        drawn = rng.choice(len(rows), size=(some, len(rows)))
        yield np.stack([singles[one].sum(axis=0) for one in drawn]).T


def _single_precision_scores(metric: Metric, totals: Float32s) -> Float32s | Float64s:
    """Score as sacreBLEU does what it can score; all else in double precision."""
    if isinstance(metric, CHRF):
        return chrf_scores(totals, metric.beta**2, metric.eps_smoothing)
    if isinstance(metric, TER) and metric.variant != "thesis":
        return ter_scores(totals[:, [metric.columns.index("edits"), metric.columns.index("reference_length")]])
    if isinstance(metric, BLEU) and _is_sacrebleus(metric):
        return bleu_scores(
            totals, len(metric.orders), metric.smoothing, metric.smoothing_value or 0, metric.effective_order
        )
    return metric.score(totals.astype(np.float64))


def _is_sacrebleus(metric: BLEU) -> bool:
    usual = metric.orders == tuple(range(1, len(metric.orders) + 1)) and metric.weights is None
    return usual and metric.mean == "geometric" and metric.smoothing != "mteval"

"""Several runs per system: the same training with other random numbers, as MultEval (Clark et al. 2011) compares it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric
from tertium.scoring import Scores
from tertium.significance.randomization import Chance
from tertium.significance.sampling import replicate_scores, state_of
from tertium.significance.units import unit_rows

_BLOCK = 1 << 22  # coins that are held at once


@dataclass(frozen=True)
class Runs:
    """How the runs of a system vary by one metric.

    `optimizer` is the standard deviation over runs (None for one run): what another training would change.
    `selection` is the mean over runs of the bootstrap's standard deviation: what another test set would change.
    """

    system: str
    metric: str
    scores: tuple[float, ...]
    mean: float
    optimizer: float | None
    selection: float
    median_run: int  # counted from 1; of an even number, the upper one of the middle

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {**asdict(self), "scores": list(self.scores)}


def check_runs(scores: Scores, runs: Mapping[str, Sequence[str]] | None) -> dict[str, tuple[str, ...]]:
    """Return which scores are runs of which system; without runs, each system is its only one."""
    if runs is None:
        return {system: (system,) for system in scores.systems}
    checked = {}
    for system, names in runs.items():
        if isinstance(names, str) or not names:
            raise InputError(f"runs[{system!r}] must be a list of at least one system, not {names!r}.")
        for name in names:
            if name not in scores.systems:
                raise UnknownNameError.of("system", name, scores.systems)
        checked[system] = tuple(names)
    return checked


def check_equal_numbers(runs: Mapping[str, Sequence[str]]) -> None:
    """Refuse systems with different numbers of runs: they cannot be swapped for each other."""
    counts = {system: len(names) for system, names in runs.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{system}: {count}" for system, count in counts.items())
        raise InputError(f"Systems must have the same number of runs, but they have {listed}.")


def pooled(scores: Scores, runs: Mapping[str, Sequence[str]]) -> Scores:
    """Return scores of systems whose rows are the sums of their runs' rows."""
    if all(tuple(names) == (system,) for system, names in runs.items()) and tuple(runs) == scores.systems:
        return scores

    def added(by_system: Mapping[str, Mapping[str, Floats]]) -> dict[str, dict[str, Floats]]:
        return {
            system: {label: sum((by_system[name][label] for name in names), np.zeros(1)) for label in scores.metrics}
            for system, names in runs.items()
        }

    return replace(
        scores,
        named=True,
        totals=added(scores.totals),
        kept_rows=added(scores.kept_rows or {}),
        document_totals=added(scores.document_totals) if scores.document_names is not None else {},
    )


def stacked_rows(scores: Scores, names: Sequence[str], label: str, unit: str) -> Floats:
    """Return the rows of all runs, one run below the other."""
    return np.vstack([unit_rows(scores, name, label, unit) for name in names])


def spread_of_runs(
    scores: Scores, runs: Mapping[str, Sequence[str]], unit: str, samples: int, seed: int, threads: int
) -> tuple[Runs, ...]:
    """Return how the runs of each system vary, by each metric."""
    reports = []
    for label, metric in scores.metrics.items():
        for system, names in runs.items():
            values = np.array([float(metric.score(scores.totals[name][label])) for name in names])
            rows = [unit_rows(scores, name, label, unit) for name in names]
            replicates = replicate_scores(metric, rows, state_of(seed), samples, threads)
            reports.append(
                Runs(
                    system,
                    label,
                    tuple(values.tolist()),
                    float(values.mean()),
                    float(values.std(ddof=1)) if len(values) > 1 else None,
                    float(replicates.std(axis=1, ddof=1).mean()),
                    int(np.argsort(values, kind="stable")[len(values) // 2]) + 1,
                )
            )
    return tuple(reports)


def like_multeval(
    metric: Metric, baseline: Sequence[Floats], system: Sequence[Floats], *, samples: int, seed: int
) -> Chance:
    """Test one pair as MultEval does; each system is given as the rows of its runs.

    Every row has a coin of its own, and the runs of a segment are shuffled. One side takes its rows through the
    shuffle, the other through its inverse with the coins turned over, so with three runs or more the sides are not
    quite complements. MultEval draws without a seed; its p-values can be met only on average.
    """
    rng = np.random.default_rng(seed)
    runs, units = len(baseline), len(baseline[0])
    ours, theirs = np.concatenate(baseline), np.concatenate(system)  # row = unit + units * run
    difference = theirs - ours
    real = metric.score(np.stack([ours.sum(axis=0), theirs.sum(axis=0)]))
    distance = abs(float(real[1] - real[0]))
    at_least = above = 0
    most = max(1, _BLOCK // (runs * units))
    for first in range(0, samples, most):
        trials = min(most, samples - first)
        coins = rng.integers(2, size=(trials, runs, units), dtype=np.int8)
        shuffle = np.argsort(rng.random((trials, runs, units)), axis=1)
        inverse = np.argsort(shuffle, axis=1)
        one = np.take_along_axis(coins, inverse, axis=1).reshape(trials, -1)
        two = 1 - np.take_along_axis(coins, shuffle, axis=1).reshape(trials, -1)
        sides = np.concatenate([one, two]).astype(np.float64) @ difference + ours.sum(axis=0)
        scores = metric.score(sides)
        found = np.abs(scores[trials:] - scores[:trials])
        at_least += int((found >= distance - 1e-12 * np.abs(real).max()).sum())
        above += int((found > distance).sum())
    return Chance(at_least, above, samples)

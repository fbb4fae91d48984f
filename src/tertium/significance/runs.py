"""Several runs per system: the same training with other random numbers, as MultEval (Clark et al. 2011) compares it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric
from tertium.results import Result
from tertium.scoring.scores import Scores
from tertium.significance.randomization import Chance, slack
from tertium.significance.sampling import replicate_scores, shuffled_sums, state_of, trial_blocks
from tertium.significance.units import unit_rows

_MOST_RUNS = 64


@dataclass(frozen=True)
class Runs(Result):
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
    metric: Metric,
    rows: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    *,
    runs: int,
    samples: int,
    seed: int,
    threads: int,
) -> list[Chance]:
    """Test each pair (baseline, system) as MultEval does; `rows[k]` has the runs of system k, one below the other.

    Every row has a coin of its own, and the runs of a segment are shuffled. One side takes its rows through the
    shuffle, the other through its inverse with the coins turned over, so with three runs or more the sides are not
    quite complements. MultEval draws without a seed; its p-values can be met only on average.
    """
    if runs > _MOST_RUNS:
        raise InputError(
            f"There are {runs} runs per system. With ",
            Argument("like", "multeval"),
            f" there may be {_MOST_RUNS} at most.",
        )
    state = state_of(seed)
    totals = [one.sum(axis=0) for one in rows]
    tolerances = [slack(metric, one) for one in rows]
    anchor = pairs[0][0] if pairs else 0
    differences = [np.ascontiguousarray(one - rows[anchor]) for one in rows]
    counts = np.zeros((len(pairs), 2), np.int64)
    for first, trials in trial_blocks(samples, 2 * rows[0].shape[1] * len(rows)):
        moved = [
            np.zeros(()) if k == anchor else shuffled_sums(one, runs, state, first, trials, threads)
            for k, one in enumerate(differences)
        ]
        for index, (i, k) in enumerate(pairs):
            real = metric.score(np.stack([totals[i], totals[k]]))
            distance = abs(float(real[1] - real[0]))
            sides = metric.score(np.moveaxis(totals[i][:, None] + (moved[k] - moved[i]), 1, -1))
            found = np.abs(sides[1] - sides[0])
            tolerance = max(tolerances[i], tolerances[k])
            counts[index] += (found >= distance - tolerance).sum(), (found > distance).sum()
    return [Chance(int(at_least), int(above), samples) for at_least, above in counts]

"""Random sums of rows: what both tests and all intervals are made of.

The random numbers are NumPy's, drawn in the core: masks as `default_rng(seed).integers(2, size=(trials, units),
dtype=bool)` would draw them, indices as `default_rng(seed).choice(units, size=(replicates, units))` would. Every
comparison uses the same ones, so a result does not depend on what else was compared, nor on the number of threads.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tertium import _native
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.settings import is_number

SEED = 12345
GENERATOR = "pcg64"
_MOST_SEED = 2**64 - 1
_MOST_SAMPLES = 10**7
_LEAST_SHARE = 1e-9
_BLOCK_BYTES = 1 << 25  # of sums that are held at once


def check_seed(seed: object) -> int:
    """Refuse what is no seed."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= int(seed) <= _MOST_SEED:
        raise InputError(f"seed must be a whole number from 0 to 2^64 - 1, not {seed!r}.")
    return int(seed)


def check_samples(samples: object, *, least: int = 1) -> int:
    """Refuse a number of trials or replicates that is none."""
    if not isinstance(samples, int | np.integer) or isinstance(samples, bool) or not least <= samples <= _MOST_SAMPLES:
        raise InputError(f"samples must be a whole number from {least} to {_MOST_SAMPLES:,}, not {samples!r}.")
    return int(samples)


def check_share(name: str, value: object) -> float:
    """Refuse what is no share between 0 and 1, or so near to them that a normal quantile would be infinite."""
    if not is_number(value) or not _LEAST_SHARE <= value <= 1 - _LEAST_SHARE:
        raise InputError(f"{name} must be a number between 0 and 1, such as 0.05 or 0.95, not {value!r}.")
    return float(value)


def state_of(seed: int | np.random.SeedSequence | None) -> list[int]:
    """Return the state that NumPy gives its generator for a seed: two numbers of 128 bits, in halves."""
    state = np.random.PCG64(seed).state["state"]
    low = 2**64 - 1
    return [half for number in (state["state"], state["inc"]) for half in (number >> 64, number & low)]


def subset_sums(rows: Floats, state: Sequence[int], first: int, trials: int, threads: int) -> Floats:
    """Return (columns, trials): in each trial, the sum of a random half of the rows."""
    sums = np.empty((rows.shape[1], trials))
    _native.subset_sums(rows, generator=list(state), first=first, threads=threads, sums=sums)
    return sums


def shuffled_sums(rows: Floats, runs: int, state: Sequence[int], first: int, trials: int, threads: int) -> Floats:
    """Return (2, columns, trials): in each trial, the rows that MultEval's shuffle gives one side and the other."""
    sums = np.empty((2, rows.shape[1], trials))
    _native.shuffled_sums(
        rows, runs=runs, generator=list(state), first=first, threads=threads, sums=sums[0], turned=sums[1]
    )
    return sums


def all_subset_sums(rows: Floats) -> Floats:
    """Return (columns, 2^rows): the sum of each subset of the rows there is."""
    masks = np.arange(1 << len(rows))[:, None] >> np.arange(len(rows)) & 1
    return np.ascontiguousarray((masks.astype(np.float64) @ rows).T)


def trial_blocks(trials: int, columns: int) -> Iterator[tuple[int, int]]:
    """Cut trials into (first, how many) so that their sums fit the memory that is meant for them."""
    most = max(1, _BLOCK_BYTES // (8 * max(columns, 1)))
    for first in range(0, trials, most):
        yield first, min(most, trials - first)


def bootstrap_totals(
    rows: Floats, state: Sequence[int], samples: int, threads: int, skipped: int = 0
) -> Iterator[Floats]:
    """Return (columns, replicates), block by block: sums of as many rows as there are, drawn with replacement.

    `skipped` is how many 32-bit words of the stream were used before.
    """
    for _, count in trial_blocks(samples, rows.shape[1]):
        sums = np.empty((rows.shape[1], count))
        skipped = _native.bootstrap_sums(rows, generator=list(state), skipped=skipped, threads=threads, sums=sums)
        yield sums


def replicate_scores(
    metric: Metric, rows: Sequence[Floats], state: Sequence[int], samples: int, threads: int
) -> Floats:
    """Return (systems, replicates): the score of each system on units drawn with replacement, the same for all."""
    together = np.ascontiguousarray(np.hstack(rows))
    width = rows[0].shape[1]
    blocks = [
        [metric.score(sums[k * width : (k + 1) * width].T) for k in range(len(rows))]
        for sums in bootstrap_totals(together, state, samples, threads)
    ]
    return np.concatenate(blocks, axis=1)

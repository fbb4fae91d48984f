"""The native sums are those of NumPy's random numbers, whatever the numbers, the threads and the blocks."""

import numpy as np
import pytest

from tertium import _native
from tertium.significance.sampling import state_of

SIZES = [1, 2, 7, 31, 32, 33, 63, 64, 65, 200, 1000]


def matrix(segments, columns, kind):
    rng = np.random.default_rng(segments * 100 + columns)
    rows = rng.integers(-40, 41, size=(segments, columns)).astype(float)
    if columns > 3:
        rows[:, 2], rows[:, 3] = rows[:, 0], 0  # equal and empty columns are left out and put back
    scale = {"small": 1, "medium": 3000, "large": 1e12, "fractions": 0.1}[kind]
    return np.ascontiguousarray(rows * scale)


@pytest.mark.parametrize("kind", ["small", "medium", "large", "fractions"])
@pytest.mark.parametrize("segments", SIZES)
@pytest.mark.parametrize("threads", [1, 3])
def test_subsets_are_numpys(segments, kind, threads):
    rows = matrix(segments, 1 + segments % 20, kind)
    masks = np.random.default_rng(7).integers(2, size=(1100, segments), dtype=bool)
    for first, trials in ((0, 1), (0, 1100), (3, 130)):
        sums = np.empty((rows.shape[1], trials))
        _native.subset_sums(rows, generator=state_of(7), first=first, threads=threads, sums=sums)
        expected = (masks[first : first + trials].astype(float) @ rows).T
        np.testing.assert_allclose(sums, expected, rtol=1e-12, atol=1e-12 * np.abs(rows).sum())
        if kind != "fractions":
            np.testing.assert_array_equal(sums, expected)


@pytest.mark.parametrize("kind", ["small", "medium", "large", "fractions"])
@pytest.mark.parametrize("segments", SIZES)
@pytest.mark.parametrize("threads", [1, 3])
def test_draws_are_numpys(segments, kind, threads):
    rows = matrix(segments, 1 + segments % 75, kind)
    for skipped, replicates in ((0, 1), (0, 200), (3, 70)):
        rng = np.random.default_rng(7)
        rng.integers(2, size=32 * skipped, dtype=bool)
        expected = rows[rng.choice(segments, size=(replicates, segments))].sum(axis=1).T
        sums = np.empty((rows.shape[1], replicates))
        used = _native.bootstrap_sums(rows, generator=state_of(7), skipped=skipped, threads=threads, sums=sums)
        np.testing.assert_allclose(sums, expected, rtol=1e-12, atol=1e-12 * np.abs(rows).sum())
        after = np.random.default_rng(7)
        after.integers(2, size=32 * used, dtype=bool)
        np.testing.assert_array_equal(after.integers(2, size=64, dtype=bool), rng.integers(2, size=64, dtype=bool))


@pytest.mark.parametrize("threads", [1, 2])
def test_refused_words_are_skipped_as_numpy_does(threads):
    # Of 60,000 a draw is refused once in 200,000 words or so, so this meets dozens.
    rows = np.arange(60_000, dtype=float)[:, None]
    sums = np.empty((1, 150))
    _native.bootstrap_sums(rows, generator=state_of(5), skipped=1, threads=threads, sums=sums)
    rng = np.random.default_rng(5)
    rng.integers(2, size=32, dtype=bool)
    np.testing.assert_array_equal(sums[0], rng.choice(60_000, size=(150, 60_000)).sum(axis=1))


@pytest.mark.parametrize("threads", [1, 2])
def test_long_inputs_are_taken_in_pieces(threads):
    rows = matrix(20_000, 3, "small")
    masks = np.random.default_rng(1).integers(2, size=(80, 20_000), dtype=bool)
    sums = np.empty((3, 80))
    _native.subset_sums(rows, generator=state_of(1), first=0, threads=threads, sums=sums)
    np.testing.assert_array_equal(sums, (masks.astype(float) @ rows).T)


@pytest.mark.parametrize("runs", [1, 2, 3, 5, 6, 9])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("segments", [7, pytest.param(4100, marks=pytest.mark.slow)])
def test_shuffles_are_multevals(runs, threads, segments):
    trials = 6 if segments > 1000 else 130
    rows = matrix(runs * segments, 5, "small")
    per_segment = 1 + -(-(runs - 1) // 4)
    words = np.random.PCG64(9).random_raw((trials + 2) * segments * per_segment).reshape(-1, segments, per_segment)
    expected = np.zeros((2, 5, trials))
    for trial, segment in np.ndindex(trials, segments):
        coins, *fractions = (int(word) for word in words[trial + 2, segment])
        order = list(range(runs))
        for step in range(runs - 1):
            if step % 4 == 0:
                fraction = fractions[step // 4]
            place, fraction = divmod(fraction * (runs - step), 2**64)
            order[runs - 1 - step], order[place] = order[place], order[runs - 1 - step]
        for run in range(runs):
            row = rows[run * segments + segment]
            expected[0, :, trial] += (coins >> order.index(run) & 1) * row
            expected[1, :, trial] += (1 - (coins >> order[run] & 1)) * row
    sums = np.empty((2, 5, trials))
    _native.shuffled_sums(
        rows, runs=runs, generator=state_of(9), first=2, threads=threads, sums=sums[0], turned=sums[1]
    )
    np.testing.assert_array_equal(sums, expected)


def test_runs_are_shuffled_fairly():
    # One row differs, so a sum tells in which of two ways it was brought a 1: each half of the time, by any permutation.
    rows = np.zeros((3, 1))
    rows[1] = 1
    sums = np.empty((2, 1, 20_000))
    _native.shuffled_sums(rows, runs=3, generator=state_of(1), first=0, threads=1, sums=sums[0], turned=sums[1])
    assert abs(sums.mean(axis=-1) - 0.5).max() < 0.015
    # The sides are complements if the permutation is its own inverse (4 of 6), else their coins are of different runs.
    assert abs((sums[0] + sums[1] == 1).mean() - (4 / 6 + 2 / 6 / 2)) < 0.015


def test_wrong_sizes_are_refused():
    with pytest.raises(ValueError, match="runs do not fit"):
        _native.shuffled_sums(
            np.zeros((4, 3)),
            runs=3,
            generator=state_of(1),
            first=0,
            threads=1,
            sums=np.zeros((3, 5)),
            turned=np.zeros((3, 5)),
        )
    with pytest.raises(ValueError, match="column counts differ"):
        _native.subset_sums(np.zeros((4, 3)), generator=state_of(1), first=0, threads=1, sums=np.zeros((2, 5)))
    with pytest.raises(ValueError, match="between 1 and"):
        _native.bootstrap_sums(np.zeros((0, 3)), generator=state_of(1), skipped=0, threads=1, sums=np.zeros((3, 5)))
    with pytest.raises(ValueError, match="four 64-bit words"):
        _native.subset_sums(np.zeros((4, 3)), generator=[1, 2], first=0, threads=1, sums=np.zeros((3, 5)))

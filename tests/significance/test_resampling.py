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
        _native.subset_sums(rows, state_of(7), first, threads, sums)
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
        used = _native.bootstrap_sums(rows, state_of(7), skipped, threads, sums)
        np.testing.assert_allclose(sums, expected, rtol=1e-12, atol=1e-12 * np.abs(rows).sum())
        after = np.random.default_rng(7)
        after.integers(2, size=32 * used, dtype=bool)
        np.testing.assert_array_equal(after.integers(2, size=64, dtype=bool), rng.integers(2, size=64, dtype=bool))


@pytest.mark.parametrize("threads", [1, 2])
def test_refused_words_are_skipped_as_numpy_does(threads):
    # Of 60,000 a draw is refused once in 200,000 words or so, so this meets dozens.
    rows = np.arange(60_000, dtype=float)[:, None]
    sums = np.empty((1, 150))
    _native.bootstrap_sums(rows, state_of(5), 1, threads, sums)
    rng = np.random.default_rng(5)
    rng.integers(2, size=32, dtype=bool)
    np.testing.assert_array_equal(sums[0], rng.choice(60_000, size=(150, 60_000)).sum(axis=1))


@pytest.mark.parametrize("threads", [1, 2])
def test_long_inputs_are_taken_in_pieces(threads):
    rows = matrix(20_000, 3, "small")
    masks = np.random.default_rng(1).integers(2, size=(80, 20_000), dtype=bool)
    sums = np.empty((3, 80))
    _native.subset_sums(rows, state_of(1), 0, threads, sums)
    np.testing.assert_array_equal(sums, (masks.astype(float) @ rows).T)


def test_wrong_sizes_are_refused():
    with pytest.raises(ValueError, match="column counts differ"):
        _native.subset_sums(np.zeros((4, 3)), state_of(1), 0, 1, np.zeros((2, 5)))
    with pytest.raises(ValueError, match="between 1 and"):
        _native.bootstrap_sums(np.zeros((0, 3)), state_of(1), 0, 1, np.zeros((3, 5)))
    with pytest.raises(ValueError, match="four 64-bit words"):
        _native.subset_sums(np.zeros((4, 3)), [1, 2], 0, 1, np.zeros((3, 5)))

"""The bootstrap by keys: what a weight is, that shards do not matter, and that it agrees with the usual bootstrap."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import BLEU, _native
from tertium.errors import InputError
from tertium.significance.keyed import KeyedSums, compare_sums, confidence_of, numbered_keys, scores_of, text_keys

WORDS = ["north", "wind", "and", "sun", "were", "arguing", "who", "is", "stronger", "traveller", "cloak"]


def corpus(segments, seed=7):
    """Return sentences, and copies of them with some words changed."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(WORDS, rng.integers(3, 20))) for _ in range(segments)]
    hypotheses = [
        " ".join(word if rng.random() < 0.8 else str(rng.choice(WORDS)) for word in text.split()) for text in references
    ]
    return hypotheses, references


def sums_of(rows, keys, *, samples=200, seed=1, label="bleu", threads=1):
    sums = KeyedSums({label: rows.shape[1]}, samples=samples, seed=seed)
    sums.add({label: rows}, keys, threads=threads)
    return sums


def oracle_weight(key, replicate, seed):
    """Draw one weight as the native file explains it."""
    mask, golden = (1 << 64) - 1, 0x9E3779B97F4A7C15

    def mixed(word):
        word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & mask
        return word ^ word >> 31

    start = mixed(key ^ mixed((seed + golden) & mask))
    word = mixed((start + (replicate // 4 + 1) * golden) & mask)
    quarter = word >> (16 * (replicate % 4)) & 0xFFFF
    cumulative = [sum(math.exp(-1) / math.factorial(j) for j in range(k + 1)) for k in range(8)]
    return sum(quarter >= round(65536 * share) for share in cumulative)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=9), st.integers(0, 2**64 - 1), st.integers(1, 150))
def test_weights_are_those_of_the_textbook(keys, seed, samples):
    rows = np.arange(1, len(keys) + 1, dtype=np.float64)[:, None] ** 2
    sums = np.zeros((1, samples))
    _native.add_poisson_sums(rows, np.array(keys, np.uint64), seed=seed, threads=1, sums=sums)
    expected = [
        sum(row * oracle_weight(key, b, seed) for key, row in zip(keys, rows[:, 0], strict=True))
        for b in range(samples)
    ]
    assert sums[0].tolist() == expected


def test_weights_are_poissons_and_independent():
    keys = numbered_keys("shard", np.arange(400, dtype=np.int64))
    sums = np.zeros((400, 4000))
    _native.add_poisson_sums(
        np.eye(400), keys, seed=5, threads=2, sums=sums
    )  # a column per row: the weights themselves
    counts = Counter(sums.ravel().astype(int).tolist())
    for k in range(5):
        share = math.exp(-1) / math.factorial(k)
        assert counts[k] / sums.size == pytest.approx(share, abs=5 * math.sqrt(share / sums.size))
    for axis in (0, 1):  # neither rows nor replicates know of each other
        correlations = np.corrcoef(sums[:, :400] if axis else sums[:, :400].T)
        off = correlations[~np.eye(400, dtype=bool)]
        assert np.abs(off).max() < 6 / math.sqrt(400)


def test_shards_do_not_matter():
    hypotheses, references = corpus(300)
    rows = BLEU().statistics(hypotheses, references)
    keys = numbered_keys("all", np.arange(300, dtype=np.int64))
    whole = sums_of(rows, keys)
    order = np.random.default_rng(3).permutation(300)
    parts = [sums_of(rows[some], keys[some], threads=2) for some in np.array_split(order, [1, 50, 50, 230])]
    for part in parts[1:]:
        parts[0].merge(part)
    assert parts[0].count == 300
    assert parts[0].mark == whole.mark
    np.testing.assert_array_equal(parts[0].replicates["bleu"], whole.replicates["bleu"])
    metrics = {"bleu": BLEU()}
    assert confidence_of({"": parts[0]}, metrics) == confidence_of({"": whole}, metrics)


@pytest.mark.slow
def test_intervals_are_distributed_as_those_of_the_usual_bootstrap():
    """Of 50 seeds each, ends of both kinds are drawn from one distribution: Kolmogorov and Smirnov find no difference."""
    hypotheses, references = corpus(400)
    scores = tertium.score({"bleu": BLEU()}, hypotheses, references)
    keys = numbered_keys("all", np.arange(400, dtype=np.int64))
    usual, keyed = [], []
    for seed in range(50):
        found = tertium.confidence(scores, samples=500, seed=seed).of(None, "bleu")
        usual.append((found.low, found.high))
        sums = {"": sums_of(scores.rows["bleu"], keys, samples=500, seed=seed)}
        found = confidence_of(sums, {"bleu": BLEU()}).of(None, "bleu")
        keyed.append((found.low, found.high))
    for ours, theirs in zip(np.transpose(keyed), np.transpose(usual), strict=True):
        assert _largest_gap(ours, theirs) < 1.95 * math.sqrt(2 / 50)  # exceeded by chance once in a thousand
    # The test can fail: intervals of half as many segments are told apart.
    half = tertium.score({"bleu": BLEU()}, hypotheses[:200], references[:200])
    other = [tertium.confidence(half, samples=500, seed=seed).of(None, "bleu").low for seed in range(50)]
    assert _largest_gap(np.transpose(keyed)[0], np.array(other)) > 1.95 * math.sqrt(2 / 50)


def _largest_gap(ours, theirs):
    places = np.sort(np.concatenate([ours, theirs]))
    shares = [np.searchsorted(np.sort(side), places, side="right") / len(side) for side in (ours, theirs)]
    return np.abs(shares[0] - shares[1]).max()


def compared(ours, theirs, references, keys, other_keys=None):
    metrics = {"bleu": BLEU()}
    sums = {
        "base": sums_of(BLEU().statistics(theirs, references), keys, samples=1000),
        "mine": sums_of(BLEU().statistics(ours, references), keys if other_keys is None else other_keys, samples=1000),
    }
    return compare_sums(sums, metrics, scores=scores_of(sums, metrics, reference_count=1))


def test_a_system_does_not_differ_from_its_copy():
    hypotheses, references = corpus(50)
    keys = numbered_keys("x", np.arange(50, dtype=np.int64))
    one = compared(hypotheses, hypotheses, references, keys).of("mine", "bleu")
    assert (one.p_value, one.difference, one.significant) == (1.0, 0.0, False)


def test_a_better_system_is_found_and_the_p_value_is_near_the_local_one():
    worse, references = corpus(120)
    better = [ours if i % 3 else text for i, (ours, text) in enumerate(zip(worse, references, strict=True))]
    keys = numbered_keys("x", np.arange(120, dtype=np.int64))
    one = compared(better, worse, references, keys).of("mine", "bleu")
    local = tertium.compare(
        tertium.score({"bleu": BLEU()}, {"base": worse, "mine": better}, references), test="bootstrap", samples=1000
    ).of("mine", "bleu")
    assert one.significant
    assert one.difference == local.difference
    assert one.p_value == pytest.approx(local.p_value, abs=0.01)
    assert one.standard_error == pytest.approx(local.standard_error, rel=0.15)


def test_systems_with_other_segments_are_not_compared():
    hypotheses, references = corpus(20)
    keys = numbered_keys("x", np.arange(20, dtype=np.int64))
    with pytest.raises(InputError, match="not the same ones"):
        compared(hypotheses, hypotheses, references, keys, numbered_keys("y", np.arange(20, dtype=np.int64)))


def test_keys_of_texts():
    keys = text_keys(
        _native.grouped_texts(
            [["a", "b"], ["ab"], ["b", "a"], ["a", "b"], [""], ["a long text, longer than others"]], "x"
        )
    )
    assert keys[0] == keys[3]
    assert len(set(keys.tolist())) == 5

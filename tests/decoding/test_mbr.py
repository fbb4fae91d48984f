"""Minimum Bayes risk: worked examples, the definition on generated candidates, short cuts, ties, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from examples import examples
from tertium import BLEU, CHRF, NIST, TER, WER
from tertium.decoding import probabilities
from tertium.errors import InputError, UnknownNameError

WORDS = st.lists(st.sampled_from(["red", "blue", "fish", "swims"]), min_size=1, max_size=5).map(" ".join)
LISTS = st.lists(WORDS, min_size=1, max_size=6)
SAMPLES = ["the red fish swims", "the blue fish swims", "a red fish swims", "the red fish", "two birds"]


def expected(metric, candidates, references, weights):
    """Return the mean scores, one pair at a time."""
    return [
        sum(
            weight * float(metric.score(metric.statistics([candidate], [reference]))[0])
            for reference, weight in zip(references, weights, strict=True)
        )
        for candidate in candidates
    ]


@pytest.mark.parametrize(
    "metric", [CHRF(), BLEU(effective_order=True), TER(), WER(tokenize="none")], ids=lambda m: m.name
)
@examples(20)
@given(LISTS, LISTS, st.data())
def test_the_definition(metric, candidates, references, data):
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(references), max_size=len(references)))
    shares = np.array(weights) / sum(weights)
    choice = tertium.mbr(metric, candidates, references, weights=weights)
    means = expected(metric, candidates, references, shares)
    np.testing.assert_allclose(choice.scores, means, atol=1e-9)
    best = max(means) if metric.higher_is_better else min(means)
    assert choice.expected == pytest.approx(best)
    assert choice.index == next(i for i, mean in enumerate(choice.scores) if mean == choice.scores[choice.index])


def test_without_oneself():
    candidates = ["a b c d", "a b c d", "a b c e", "x y z"]
    metric = CHRF()
    choice = tertium.mbr(metric, candidates, exclude_self=True)
    others = [[text for k, text in enumerate(candidates) if k != i] for i in range(4)]
    means = [expected(metric, [text], rest, [1 / 3] * 3)[0] for text, rest in zip(candidates, others, strict=True)]
    np.testing.assert_allclose(choice.scores, means)
    assert choice.index == 0  # of the two equal ones the first


def test_error_rates_are_made_small():
    assert tertium.mbr(TER(), SAMPLES[:4]).text == "the red fish swims"
    assert tertium.mbr(TER(), SAMPLES[:4]).margin > 0


def test_ties_go_to_the_first_or_to_the_seed():
    candidates = ["one two", "two one", "three"]
    metric = BLEU(effective_order=True, orders=(1,))
    assert tertium.mbr(metric, candidates).index == 0
    assert {tertium.mbr(metric, candidates, seed=seed).index for seed in range(20)} == {0, 1}


def test_an_empty_candidate_never_wins():
    metric = WER(tokenize="none")
    choice = tertium.mbr(metric, ["", "far away from it all"], ["x"])
    assert choice.scores[0] < choice.scores[1]  # fewer errors
    assert choice.index == 1
    assert tertium.mbr(metric, ["", ""]).index == 0


@pytest.mark.parametrize("metric", [CHRF(), CHRF(word_order=2), BLEU(effective_order=True)], ids=repr)
def test_aggregated_references_are_one_with_mean_counts(metric):
    """With equal references their mean is each of them, so nothing changes."""
    references = ["the red fish swims"] * 3
    one = tertium.mbr(metric, SAMPLES, references, method="aggregate")
    np.testing.assert_allclose(one.scores, tertium.mbr(metric, SAMPLES, references[:1]).scores)


def test_aggregated_counts_by_hand():
    # "a a" and "b" with equal shares: one a and half a b. Of "a b", a matches whole and b half: 1.5 of 2.
    metric = BLEU(orders=(1,), tokenize="none", smoothing="none")
    choice = tertium.mbr(metric, ["a b"], ["a a", "b"], method="aggregate")
    assert choice.expected == pytest.approx(75.0)


def test_the_aggregate_of_a_published_example():
    candidates = ["The cat sat on the mat.", "The cat sat on the hat."]
    references = ["The cat sat on the mat.", "The fat cat sat on the mat.", "A cat sat on a mat."]
    choice = tertium.mbr(CHRF(), candidates, references, method="aggregate")
    np.testing.assert_allclose(choice.scores, [78.56389618, 63.3719368])  # fastchrf's


@pytest.mark.parametrize("method", ["aggregate-to-fine", "prune"])
def test_short_cuts_find_a_clear_winner(method):
    rng = np.random.default_rng(3)
    words = SAMPLES[0].split()
    candidates = [SAMPLES[0]] * 4 + [" ".join(rng.permutation(words)) + f" {i}" for i in range(60)]
    exact = tertium.mbr(CHRF(), candidates)
    short = tertium.mbr(CHRF(), candidates, method=method, keep=5)
    assert short.index == exact.index
    assert short.pairs < exact.pairs


def test_the_margin_has_an_interval():
    choice = tertium.mbr(CHRF(), SAMPLES)
    assert choice.low <= choice.margin <= choice.high
    clear = tertium.mbr(CHRF(), ["the red fish swims", "something else"], ["the red fish swims"] * 30)
    assert clear.low > 0


def test_nist_learns_from_the_references():
    assert tertium.mbr(NIST(), SAMPLES).text in SAMPLES


def test_batches_equal_single_calls():
    lists = [SAMPLES, SAMPLES[1:], ["alone"]]
    assert [c.index for c in tertium.mbr_batch(CHRF(), lists)] == [tertium.mbr(CHRF(), one).index for one in lists]


def test_probabilities():
    np.testing.assert_allclose(probabilities([0.0, np.log(3)]), [0.25, 0.75])
    np.testing.assert_allclose(probabilities([-1000.0, -np.inf]), [1, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tertium.mbr(CHRF(), []), "candidates is empty"),
        (lambda: tertium.mbr(CHRF(), "abc"), "one string was given"),
        (lambda: tertium.mbr(CHRF(), ["a", None]), r"candidates\[1\] is None"),
        (lambda: tertium.mbr(CHRF(), ["a"], []), "references is empty"),
        (lambda: tertium.mbr(CHRF(), ["a", "b"], weights=[1]), "one number per reference"),
        (lambda: tertium.mbr(CHRF(), ["a", "b"], weights=[-1, 2]), "probabilities"),
        (lambda: tertium.mbr(CHRF(), ["a", "b"], weights=[float("nan"), 2]), "probabilities"),
        (lambda: tertium.mbr(CHRF(), ["a"], exclude_self=True), "one candidate"),
        (lambda: tertium.mbr(CHRF(), ["a", "b"], ["c"], exclude_self=True), "leave out references"),
        (lambda: tertium.mbr(TER(), ["a", "b"], method="aggregate"), "bleu, chrf"),
        (lambda: tertium.mbr(CHRF(), ["a"], keep=0), "keep must be"),
        (lambda: tertium.mbr_batch(CHRF(), [["a"], []]), "Sentence 1: candidates is empty"),
        (lambda: probabilities([float("nan")]), "log weights"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_unknown_method():
    with pytest.raises(UnknownNameError, match="prune"):
        tertium.mbr(CHRF(), ["a"], method="guess")

"""Position-independent error rate: its variants, costs by assignment, and Moses' numbers."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.word_error_pairs import SPELT, long_pairs, shapes, short_pairs
from oracles import word_errors as oracle
from oracles.wmt import check_moses, needs_oracle
from tertium import PER, WER, _native
from tertium.errors import UnknownNameError
from tertium.metrics.settings import settings_of

VARIANTS = settings_of(PER)["variant"].choices
sentences = st.lists(st.sampled_from(["a", "b", "c", "ab", "abc"]), max_size=6).map(" ".join)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("the cat sat", "sat the cat", 0),  # order is free
        ("the cat", "the cat sat", 100 / 3),  # one of three words is missing
        ("the the the cat", "the cat sat", 200 / 3),  # two "the" too many, of which one stands for "sat"
        ("a b", "", 100),
        ("", "a b", 100),
        ("", "", 0),
        ("a d e b c f", "a b c d e f c", 100 / 7),
    ],
)
def test_worked_examples(hypothesis, reference, expected):
    per = PER(tokenize="none")
    assert per.score(per.statistics([hypothesis], [[reference]])) == pytest.approx([expected])


@pytest.mark.parametrize(("variant", "expected"), [("rwth", 150), ("moses", 150), ("recall", 50), ("precision", 75)])
def test_variants_of_one_segment(variant, expected):
    per = PER(tokenize="none", variant=variant)
    assert per.score(per.statistics(["a x y z"], ["a b"]))[0] == pytest.approx(expected)


def test_moses_takes_the_larger_length_of_the_sums():
    hypotheses, references = ["a x", "a"], ["a", "a b"]
    rows = {variant: PER(tokenize="none", variant=variant).statistics(hypotheses, references) for variant in VARIANTS}
    totals = {v: PER(tokenize="none", variant=v).score(rows[v].sum(axis=0)) for v in VARIANTS}
    assert totals == pytest.approx({"rwth": 200 / 3, "moses": 100 / 3, "recall": 100 / 3, "precision": 100 / 3})


def test_moses_gives_an_empty_reference_no_point():
    per = PER(tokenize="none", variant="moses")
    assert per.score(per.statistics(["", "a"], ["", ""])).tolist() == [100, 100]


@pytest.mark.parametrize("pairs", [short_pairs(10_000, 21), long_pairs(392, 22)], ids=["short", "long"])
def test_agrees_with_the_textbook(pairs):
    rows = {v: PER(tokenize="tokens", variant=v).statistics(*shapes(pairs)).tolist() for v in VARIANTS}
    for index, (hypothesis, reference) in enumerate(pairs):
        matches, ours, theirs = oracle.bag_matches(hypothesis, reference), len(hypothesis), len(reference)
        errors = {"recall": theirs - matches, "precision": ours - matches}
        for variant in VARIANTS:
            expected = [errors.get(variant, max(ours, theirs) - matches), theirs, matches, ours]
            assert rows[variant][index] == expected, (hypothesis, reference)


@pytest.mark.parametrize("substitution", ["levenshtein", "gld", "prefix"])
def test_costs_agree_with_the_textbook(substitution):
    pairs = short_pairs(400, 23, SPELT, longest=5)
    rows = PER(tokenize="tokens", substitution=substitution).statistics(*shapes(pairs))
    expected = [float(oracle.assignment(*pair, oracle.COSTS[substitution])) for pair in pairs]
    np.testing.assert_allclose(rows[:, 0], expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rows[:, 2], [max(map(len, pair)) for pair in pairs] - rows[:, 0], atol=1e-12)


def test_costs_above_one():
    pairs = short_pairs(200, 24, longest=5)

    def cost(a, b):
        return (ord(a) * 7 + ord(b) * 3) % 17 / 8 if a != b else 0

    rows = PER(tokenize="tokens", substitution=cost).statistics(*shapes(pairs))
    np.testing.assert_allclose(rows[:, 0], [float(oracle.assignment(*pair, cost)) for pair in pairs], atol=1e-12)


@given(sentences, sentences)
def test_order_cannot_matter_more_than_it_does_for_wer(hypothesis, reference):
    for substitution in ("exact", "levenshtein", "prefix"):
        per, wer = (kind(tokenize="none", substitution=substitution) for kind in (PER, WER))
        errors = [metric.score(metric.statistics([hypothesis], [reference]))[0] for metric in (per, wer)]
        assert errors[0] <= errors[1] + 1e-9


@given(sentences, st.lists(sentences, min_size=1, max_size=4), st.sampled_from(VARIANTS))
def test_references_agree_with_the_textbook(hypothesis, references, variant):
    ours = len(hypothesis.split())
    found = []
    for one in map(str.split, references):
        matches = oracle.bag_matches(hypothesis.split(), one)
        errors = {"recall": len(one) - matches, "precision": ours - matches}.get(variant, max(ours, len(one)) - matches)
        found.append((oracle.rate(errors, ours if variant == "precision" else len(one)), errors, len(one), matches))
    best = min(found, key=lambda one: one[:2])
    row = PER(tokenize="none", variant=variant).statistics([hypothesis], [references])[0]
    assert row.tolist() == [*best[1:], ours]


# --- the assignment -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["random", "ties", "mostly one"])
def test_assignments_are_as_cheap_as_those_of_scipy(kind):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(25)
    for _ in range(150):
        rows, columns = np.sort(rng.integers(0, 40, 2))
        costs = rng.random((rows, columns)) * 2
        if kind == "ties":
            costs = np.round(costs * 2) / 2
        if kind == "mostly one":
            costs = np.where(rng.random((rows, columns)) < 0.9, 1.0, costs / 2)
        mine = _native.cheapest_assignment(costs)
        assert len(set(mine)) == rows
        theirs = optimize.linear_sum_assignment(costs)
        assert costs[np.arange(rows), mine].sum() == pytest.approx(costs[theirs].sum(), abs=1e-9)


def test_long_segments():
    rng = random.Random(26)
    reference = [f"word{rng.randrange(300)}" for _ in range(1200)]
    hypothesis = random.Random(27).sample(reference, 1000)
    assert PER(tokenize="tokens", substitution="prefix").statistics([hypothesis], [[reference]])[0, 0] == 200
    many = reference * 5
    assert PER(tokenize="tokens").statistics([many], [[many[::-1]]])[0].tolist() == [0, 6000, 6000, 6000]


def test_unknown_variant():
    with pytest.raises(UnknownNameError, match="Did you mean 'moses'"):
        PER(variant="mose")


@needs_oracle
@pytest.mark.parametrize("name", ["wmt21.en-de", "wmt22.en-zh", "wmt22.zh-en", "wmt24.en-hi"])
def test_moses_on_wmt(name):
    check_moses(PER(tokenize="blank", variant="moses"), name, "A",
                lambda parts: [parts["matches"], parts["hypothesis_length"], parts["reference_length"]])  # fmt: skip


def test_costs_of_more_words_than_are_kept():
    """Three words against three million: only horse is like one of them, horses, in five letters of six."""
    reference = " ".join(["horses", *("b" * (1 + k % 3) for k in range(2_900_000))])
    row = PER(substitution="levenshtein").statistics(["housy mucky horse"], [reference])[0]
    assert row[2] == pytest.approx(5 / 6)

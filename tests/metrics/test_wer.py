"""Word error rate: counts, costs, alignments, and the numbers of jiwer and Moses."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from examples import examples
from metrics.word_error_pairs import SPELT, long_pairs, shapes, short_pairs
from oracles import word_errors as oracle
from oracles.wmt import check_moses, expected, needs_oracle, read
from tertium import WER
from tertium.errors import InputError, UnknownNameError

TOKENS = WER(tokenize="tokens")
sentences = st.lists(st.sampled_from(["a", "b", "c", "ab", "abc"]), max_size=9).map(" ".join)


def counts(hypothesis, reference, **settings):
    metric = WER(tokenize="none", **settings)
    return metric.statistics([hypothesis], [reference])[0].tolist()


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("the cat sat", "the cat sat", [3, 0, 0, 0, 3]),
        ("the cat", "the cat sat", [2, 0, 0, 1, 3]),
        ("the black cat sat", "the cat sat", [3, 0, 1, 0, 3]),
        ("the dog sat", "the cat sat", [2, 1, 0, 0, 3]),
        ("", "a b", [0, 0, 0, 2, 2]),
        ("a b", "", [0, 0, 2, 0, 0]),
        ("", "", [0, 0, 0, 0, 0]),
    ],
)
def test_worked_examples(hypothesis, reference, expected):
    assert counts(hypothesis, reference) == expected


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("we met at the airport at seven o'clock", "at seven o'clock we met at the airport", 6),
        ("b x a", "a b", 3),
        ("the the the cat", "the cat sat", 3),
        ("X b c d g h Y e f i", "a b c d e f g h i", 6),
    ],
)
def test_distances_of_the_specification(hypothesis, reference, edits):
    assert sum(counts(hypothesis, reference)[1:4]) == edits


@pytest.mark.parametrize(
    ("ours", "theirs", "levenshtein", "prefix"),
    [
        ("usual", "unusual", 2 / 7, 1 - 1 / 6),
        ("understanding", "misunderstanding", 3 / 16, 1),
        ("talk", "talks", 1 / 5, 1 - 4 / 4.5),
        ("ab", "ba", 2 / 3, 1),
    ],
)
def test_costs_by_letters(ours, theirs, levenshtein, prefix):
    assert counts(ours, theirs, substitution="levenshtein")[5] == pytest.approx(levenshtein, abs=1e-15)
    assert counts(ours, theirs, substitution="prefix")[5] == pytest.approx(prefix, abs=1e-15)


def test_rates():
    metric = WER(tokenize="none")
    rows = metric.statistics(["a b c", "", "x y"], ["a c", "", ""])
    assert metric.score(rows).tolist() == [50, 0, 100]
    assert metric.score(rows.sum(axis=0)) == 150


# --- against the textbook ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", [short_pairs(10_000, 1), long_pairs(392, 2)], ids=["short", "long"])
def test_agrees_with_the_textbook(pairs):
    rows = TOKENS.statistics(*shapes(pairs), threads=1)
    for row, (hypothesis, reference) in zip(rows.tolist(), pairs, strict=True):
        expected = [*oracle.edit_counts(hypothesis, reference)[:4], len(reference)]
        assert row == expected, (hypothesis, reference)


@pytest.mark.parametrize("substitution", ["levenshtein", "gld", "prefix"])
def test_costs_agree_with_the_textbook(substitution):
    pairs = short_pairs(1200, 3, SPELT, longest=8)
    rows = WER(tokenize="tokens", substitution=substitution).statistics(*shapes(pairs))
    for row, (hypothesis, reference) in zip(rows.tolist(), pairs, strict=True):
        *whole, cost = oracle.edit_counts(hypothesis, reference, oracle.COSTS[substitution])
        assert row[:5] == [*whole, len(reference)], (hypothesis, reference)
        assert row[5] == pytest.approx(float(cost), rel=1e-12, abs=1e-12)


def test_costs_of_all_pairs_of_words():
    rng = random.Random(4)
    letters = "abcdéж数🙂🙃"
    words = ["".join(rng.choice(letters) for _ in range(rng.choice([1, 2, 5, 9, 31, 32, 33, 97]))) for _ in range(30)]
    for name in ("levenshtein", "gld", "prefix"):
        metric = WER(tokenize="tokens", substitution=name)
        rows = metric.statistics([[a] for a in words for _ in words], [[[b]] for _ in words for b in words])
        expected = [float(oracle.COSTS[name](a, b)) for a in words for b in words]
        np.testing.assert_allclose(rows[:, 5], expected, rtol=1e-15)


@pytest.mark.parametrize("name", ["levenshtein", "gld", "prefix"])
def test_costs_of_words_of_all_lengths(name):
    # Two letters match often, so that values that mean little for short words mean much for long ones.
    rng = random.Random(6)
    words = ["".join(rng.choice("ab") for _ in range(length)) for length in range(1, 26) for _ in range(2)]
    metric = WER(tokenize="tokens", substitution=name)
    rows = metric.statistics([[a] for a in words for _ in words], [[[b]] for _ in words for b in words])
    expected = [float(oracle.COSTS[name](a, b)) for a in words for b in words]
    np.testing.assert_allclose(rows[:, 5], expected, rtol=1e-15)


def test_many_rare_characters():
    # More letters beyond the basic plane than the quick way can tell apart.
    ours = [chr(0x20000 + n) + "a" for n in range(2200)]
    theirs = [chr(0x20000 + n) + "b" for n in range(2200)]
    row = WER(tokenize="tokens", substitution="levenshtein").statistics([ours], [[theirs]])[0]
    assert row.tolist() == [0, 2200, 0, 0, 2200, 1100]


@given(sentences, sentences)
def test_a_function_that_says_what_is_built_in(hypothesis, reference):
    for name, cost in oracle.COSTS.items():
        own = WER(tokenize="none", substitution=lambda a, b, cost=cost: float(cost(a, b)))
        row = own.statistics([hypothesis], [reference])[0]
        assert row[:5].tolist() == counts(hypothesis, reference, substitution=name)[:5]
        assert own.score(row) == pytest.approx(WER(tokenize="none", substitution=name).score(
            np.array(counts(hypothesis, reference, substitution=name))), rel=1e-12)  # fmt: skip


# --- several references -------------------------------------------------------------------------------------------


def test_the_lowest_rate_counts():
    # Two edits of four words are better than one of one; the average length of the two is 2.5.
    group = [["x", "a b c d"]]
    hypothesis = ["a b"]
    best, mean = WER(tokenize="none"), WER(tokenize="none", references="min-avg")
    assert best.statistics(hypothesis, group)[0].tolist() == [2, 0, 0, 2, 4]
    assert mean.statistics(hypothesis, group)[0].tolist() == [0, 1, 1, 0, 2.5]
    assert WER(tokenize="none").statistics(["a"], [["b c d e f g h a", "b"]])[0].tolist() == [1, 0, 0, 7, 8]


def test_ties_go_to_fewer_edits_and_then_to_the_first():
    metric = WER(tokenize="none")
    assert metric.statistics(["a b"], [["a c d b", "a x"]])[0].tolist() == [1, 1, 0, 0, 2]
    assert metric.statistics(["a b"], [["a x", "x b a"]])[0].tolist() == [1, 1, 0, 0, 2]


@given(sentences, st.lists(sentences, min_size=1, max_size=4))
def test_references_agree_with_the_textbook(hypothesis, references):
    found = [(oracle.edit_counts(hypothesis.split(), one.split()), len(one.split())) for one in references]
    best, length = min(found, key=lambda one: (oracle.rate(one[0][4], one[1]), one[0][4]))
    metric = WER(tokenize="none")
    assert metric.statistics([hypothesis], [references])[0].tolist() == [*best[:4], length]
    fewest = min(found, key=lambda one: one[0][4])[0]
    average = sum(length for _, length in found) / len(found)
    row = WER(tokenize="none", references="min-avg").statistics([hypothesis], [references])[0]
    assert row.tolist() == [*fewest[:4], average]


# --- alignments ---------------------------------------------------------------------------------------------------


def replayed(alignment):
    """Return the reference that an alignment makes of the hypothesis, walking through both."""
    words, ours, theirs = [], 0, 0
    for kind, hyp_start, hyp_end, ref_start, ref_end, _ in alignment.operations:
        assert (hyp_start, ref_start) == (ours, theirs)
        assert (hyp_end - hyp_start, ref_end - ref_start) == {
            "match": (1, 1), "substitution": (1, 1), "insertion": (1, 0), "deletion": (0, 1)
        }[kind]  # fmt: skip
        if kind == "match":
            words += alignment.hypothesis[hyp_start:hyp_end]
        elif kind != "insertion":
            words += alignment.reference[ref_start:ref_end]
        ours, theirs = hyp_end, ref_end
    assert (ours, theirs) == (len(alignment.hypothesis), len(alignment.reference))
    return tuple(words)


@examples(400)
@given(sentences, st.lists(sentences, min_size=1, max_size=3), st.sampled_from(["exact", "levenshtein", "prefix"]))
def test_alignments_replay_to_the_reference(hypothesis, references, substitution):
    metric = WER(tokenize="none", substitution=substitution)
    alignment = tertium.align(metric, hypothesis, references)
    row = metric.statistics([hypothesis], [references])[0]
    assert alignment.reference == tuple(references[alignment.reference_index].split())
    assert replayed(alignment) == alignment.reference
    kinds = [operation.kind for operation in alignment.operations]
    assert [kinds.count(kind) for kind in ("match", "substitution", "insertion", "deletion")] == row[:4].tolist()
    assert sum(operation.cost for operation in alignment.operations) == pytest.approx(metric.parts(row)["edits"])
    assert alignment.score == metric.score(row)


@pytest.mark.parametrize("pair", long_pairs(60, 6)[20:])
def test_long_alignments_replay_too(pair):
    hypothesis, reference = map(" ".join, pair)
    alignment = tertium.align(WER(tokenize="none"), hypothesis, reference)
    assert replayed(alignment) == tuple(pair[1])


def test_an_alignment_is_plain_data():
    alignment = tertium.align(WER(), "the cat, sat", ["unrelated words", "The cat sat."])
    assert (alignment.metric, alignment.reference_index, alignment.shifts) == ("wer", 1, ())
    assert alignment.hypothesis == ("the", "cat", ",", "sat")
    assert alignment.to_dict()["operations"][1] == {
        "kind": "match", "hyp_start": 1, "hyp_end": 2, "ref_start": 1, "ref_end": 2, "cost": 0.0
    }  # fmt: skip


# --- long segments ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("substitution", ["exact", "prefix"])
def test_five_thousand_words(substitution):
    rng = random.Random(7)
    reference = [f"word{rng.randrange(900)}" for _ in range(5000)]
    hypothesis = [word for word in reference if rng.random() > 0.1]
    row = WER(tokenize="tokens", substitution=substitution).statistics([hypothesis], [[reference]])[0]
    assert row[:5].tolist() == [len(hypothesis), 0, 0, 5000 - len(hypothesis), 5000]


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [-0.1, 2.5, float("nan"), float("inf"), "1", None])
def test_impossible_costs_are_refused(value):
    with pytest.raises(InputError, match=r"substitution\('b', 'c'\) returned .* from 0 to 2"):
        WER(substitution=lambda a, b: value).statistics(["a b"], ["a c"])


def test_an_error_in_the_function_comes_through():
    def cost(a, b):
        raise KeyError("no such word")

    with pytest.raises(KeyError, match="no such word"):
        WER(substitution=cost).statistics(["a b"] * 300, ["a c"] * 300, threads=2)


@pytest.mark.parametrize(("setting", "known"), [({"substitution": "exat"}, "exact"), ({"references": "bset"}, "best")])
def test_unknown_values(setting, known):
    with pytest.raises(UnknownNameError, match=f"Did you mean '{known}'"):
        WER(**setting)


# --- jiwer and Moses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", [short_pairs(3000, 11), long_pairs(196, 12)], ids=["short", "long"])
def test_counts_as_jiwer(pairs):
    jiwer = pytest.importorskip("jiwer")
    pairs = [pair for pair in pairs if pair[1]]
    rows = TOKENS.statistics(*shapes(pairs))
    for row, (hypothesis, reference) in zip(rows.tolist(), pairs, strict=True):
        output = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
        assert row[:4] == [output.hits, output.substitutions, output.insertions, output.deletions]


@needs_oracle
@pytest.mark.parametrize("name", ["wmt21.en-de", "wmt22.en-ja", "wmt22.zh-en", "wmt24.en-hi"])
def test_jiwer_on_wmt(name):
    for case in ("mixed", "lc"):
        metric = WER(tokenize="blank", lowercase=case == "lc")
        config = f"tok=whitespace|case={case}"
        for system, totals in expected(name, "misc", "corpus", config, prefix="WER"):
            rows = metric.statistics(read(name, f"hyp.{system}"), read(name, "ref.A"))
            sums = dict(zip(metric.columns, rows.sum(axis=0).tolist(), strict=True))
            assert sums["matches"] == totals["WER.hits"]
            assert [sums[kind] for kind in ("substitutions", "insertions", "deletions")] == [
                totals[f"WER.{kind}"] for kind in ("substitutions", "insertions", "deletions")
            ]
            assert metric.score(rows.sum(axis=0)) == pytest.approx(100 * totals["WER"], rel=1e-12)


@needs_oracle
@pytest.mark.parametrize(("name", "refs"), [("wmt22.zh-en", "A"), ("wmt22.zh-en", "A+B"), ("wmt21.en-de", "A+C+D")])
def test_moses_on_wmt(name, refs):
    check_moses(WER(tokenize="blank"), name, refs, lambda parts: [parts["edits"], parts["reference_length"]])

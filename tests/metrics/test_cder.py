"""CDER: its directions and penalties, costs, paths, and the distance it comes from."""

import itertools
import random
import signal
import threading
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from examples import examples
from metrics.word_error_pairs import LETTERS, SPELT, long_pairs, shapes, short_pairs
from oracles import word_errors as oracle
from oracles.wmt import check_moses, needs_oracle
from tertium import CDER, PER, WER, long_jump
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.settings import settings_of

DIRECTIONS, PENALTIES = settings_of(CDER)["direction"].choices, settings_of(CDER)["penalty"].choices
sentences = st.lists(st.sampled_from(["a", "b", "c", "ab", "abc"]), max_size=9).map(" ".join)

# Hypothesis, reference, d_CD, reversed, length penalty, miscoverage, long-jump distance.
WORKED = [
    ("we met at the airport at seven o'clock", "at seven o'clock we met at the airport", 3, 3, 0, 0, 3),
    ("a x b", "a b", 1, 1, 1, 0, 1),
    ("b x a", "a b", 2, 3, 1, 2, 3),
    ("the the the cat", "the cat sat", 2, 3, 1, 2, 3),
    ("", "a b", 2, 1, 0, 0, 2),
    ("a b", "", 1, 2, 2, 2, 2),
    ("a d e b c f", "a b c d e f c", 4, 3, 0, 2, 4),
    ("X b c d g h Y e f i", "a b c d e f g h i", 4, 5, 1, 1, 5),
    ("this week the saudis denied information published in the new york times",
     "saudi arabia denied this week information published in the american new york times", 5, 5, 0, 3, 6),
    ("more complex than in the previous decades a complex situation",
     "a more complex situation than in the past decades", 4, 6, 1, 3, 6),
]  # fmt: skip


@pytest.mark.parametrize(("hypothesis", "reference", "forward", "backward", "length", "misses", "jumps"), WORKED)
def test_worked_examples(hypothesis, reference, forward, backward, length, misses, jumps):
    def row(**settings):
        return CDER(tokenize="none", **settings).statistics([hypothesis], [reference])[0].tolist()

    words = len(reference.split())
    assert row() == [forward, words]
    assert row(direction="reversed") == [backward, words]
    assert row(direction="maximum") == [max(forward, backward), words]
    assert row(penalty="length") == [forward, words, length]
    assert row(penalty="miscoverage") == [forward, words, misses]
    assert row(penalty="average") == [forward, words, (length + misses) / 2]
    assert long_jump(hypothesis, reference, tokenize="none").high == jumps


def test_rates():
    metric = CDER(tokenize="none", penalty="length")
    rows = metric.statistics(["a x b", "", "x y"], ["a b", "", ""])
    assert metric.score(rows).tolist() == [100, 0, 100]


def test_the_best_combination_of_the_paper():
    hypothesis, reference = WORKED[8][:2]
    for substitution, expected in (("exact", 32.3077), ("prefix", 29.5105)):
        metric = tertium.Combination({kind(substitution=substitution): w for kind, w in ((CDER, 0.6), (PER, 0.4))})
        assert metric.score(metric.statistics([hypothesis], [reference]))[0] == pytest.approx(expected, abs=1e-4)


# --- against the textbook -----------------------------------------------------------------------------------------


def check(pairs, substitution, tolerance):
    cost = oracle.COSTS[substitution]
    variants = list(itertools.product(DIRECTIONS, PENALTIES))
    rows = {
        one: CDER(tokenize="tokens", substitution=substitution, direction=one[0], penalty=one[1])
        .statistics(*shapes(pairs))
        .tolist()
        for one in variants
    }
    for index, (hypothesis, reference) in enumerate(pairs):
        sides = {"forward": (hypothesis, reference), "reversed": (reference, hypothesis)}
        found = {}
        for direction, (free, fixed) in sides.items():
            path = oracle.move_path(free, fixed, cost)
            length, misses = max(len(free) - len(fixed), 0), oracle.miscoverage(free, path)
            distance = sum(step[5] for step in path)
            penalties = {"none": 0, "length": length, "miscoverage": misses, "average": Fraction(length + misses, 2)}
            for penalty in PENALTIES:
                found[direction, penalty] = distance, penalties[penalty]
        for penalty in PENALTIES:
            found["maximum", penalty] = max((found[one, penalty] for one in sides), key=sum)
        for one in variants:
            distance, penalty = map(float, found[one])
            expected = [distance, len(reference)] + ([] if one[1] == "none" else [penalty])
            assert rows[one][index] == pytest.approx(expected, abs=tolerance), (one, hypothesis, reference)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_textbook(seed):
    check(short_pairs(2_600, 30 + seed), "exact", 0)


def test_agrees_with_the_textbook_at_the_ends_of_machine_words():
    check(long_pairs(100, 34), "exact", 0)


@pytest.mark.parametrize("substitution", ["levenshtein", "gld", "prefix"])
def test_costs_agree_with_the_textbook(substitution):
    check(short_pairs(500, 35, SPELT, longest=8), substitution, 1e-12)


@pytest.mark.parametrize("substitution", ["levenshtein", "prefix"])
def test_costs_of_many_words_agree_with_the_textbook(substitution):
    rng = random.Random(36)
    words = ["".join(rng.choice("abcdé") for _ in range(rng.randint(1, 17))) for _ in range(60)]
    sizes = [(31, 33), (8, 41), (64, 9), (17, 1)]
    check([(rng.choices(words, k=ours), rng.choices(words, k=theirs)) for ours, theirs in sizes], substitution, 1e-11)


def test_a_function_gets_hypothesis_and_reference_in_this_order():
    def cost(a, b):
        assert a.startswith("h")
        assert b.startswith("r")
        return 0.5

    for direction in DIRECTIONS:
        metric = CDER(tokenize="none", substitution=cost, direction=direction, penalty="average")
        assert metric.statistics(["h1 h2 h3"], ["r1 r2"])[0, 1] == 2


@given(sentences, st.lists(sentences, min_size=1, max_size=4), st.sampled_from(PENALTIES))
def test_references_agree_with_the_textbook(hypothesis, references, penalty):
    found = []
    for one in references:
        distance, extra = oracle.cder(hypothesis.split(), one.split(), penalty=penalty)
        found.append((oracle.rate(distance + extra, len(one.split())), distance + extra, len(one.split())))
    metric = CDER(tokenize="none", penalty=penalty)
    row = metric.statistics([hypothesis], [references])[0]
    best = min(found, key=lambda one: one[:2])
    assert metric.score(row) == pytest.approx(float(100 * best[0]))
    assert row[1] == best[2]
    mean = CDER(tokenize="none", penalty=penalty, references="min-avg")
    row = mean.statistics([hypothesis], [references])[0]
    assert row[0] + (row[2] if penalty != "none" else 0) == min(one[1] for one in found)
    assert row[1] == sum(one[2] for one in found) / len(found)


# --- paths --------------------------------------------------------------------------------------------------------


def replayed(alignment, *, covered="reference"):
    """Return the words of the side that is covered once, walking through both sides."""
    free, fixed = (0, 1) if covered == "reference" else (1, 0)
    extra, missing = ("insertion", "deletion") if covered == "reference" else ("deletion", "insertion")
    words, at = [], [0, 0]
    for kind, hyp_start, hyp_end, ref_start, ref_end, _ in alignment.operations:
        begins, ends = (hyp_start, ref_start), (hyp_end, ref_end)
        assert begins == tuple(at)
        moved = [end - begin for begin, end in zip(begins, ends, strict=True)]
        if kind == "jump":
            assert moved[fixed] == 0
            assert moved[free] != 0
        else:
            assert (moved[free], moved[fixed]) == {extra: (1, 0), missing: (0, 1)}.get(kind, (1, 1))
        sides = (alignment.hypothesis, alignment.reference)
        if kind == "match":
            words += sides[free][begins[free] : ends[free]]
        elif kind in ("substitution", missing):
            words += sides[fixed][begins[fixed] : ends[fixed]]
        at = list(ends)
    assert at == [len(alignment.hypothesis), len(alignment.reference)]
    return tuple(words)


@examples(400)
@given(sentences, st.lists(sentences, min_size=1, max_size=3), st.sampled_from(["exact", "levenshtein", "prefix"]))
def test_alignments_replay_to_the_reference(hypothesis, references, substitution):
    metric = CDER(tokenize="none", substitution=substitution)
    alignment = tertium.align(metric, hypothesis, references)
    row = metric.statistics([hypothesis], [references])[0]
    assert replayed(alignment) == alignment.reference == tuple(references[alignment.reference_index].split())
    assert sum(operation.cost for operation in alignment.operations) == pytest.approx(row[0])
    assert alignment.score == metric.score(row)
    free, fixed = alignment.hypothesis, alignment.reference
    expected = oracle.move_path(free, fixed, oracle.COSTS[substitution])
    assert [operation[:5] for operation in alignment.operations] == [step[:5] for step in expected]


@given(sentences, sentences)
def test_reversed_alignments_replay_to_the_hypothesis(hypothesis, reference):
    alignment = tertium.align(CDER(tokenize="none", direction="reversed"), hypothesis, reference)
    assert replayed(alignment, covered="hypothesis") == alignment.hypothesis
    larger = tertium.align(CDER(tokenize="none", direction="maximum"), hypothesis, reference)
    sums = [sum(operation.cost for operation in one.operations) for one in (alignment, larger)]
    assert sums[0] <= sums[1]


@pytest.mark.parametrize("pair", long_pairs(60, 36)[20:])
def test_long_alignments_replay_too(pair):
    for substitution in ("exact", "prefix"):
        alignment = tertium.align(CDER(tokenize="none", substitution=substitution), *map(" ".join, pair))
        assert replayed(alignment) == tuple(pair[1])


# --- long jumps ---------------------------------------------------------------------------------------------------


def test_long_jumps_agree_with_the_textbook():
    for hypothesis, reference in short_pairs(150, 37, longest=5):
        found = long_jump(" ".join(hypothesis), " ".join(reference), tokenize="none")
        assert found.exact
        assert found.low == oracle.long_jump(hypothesis, reference)
        assert (found.hypothesis_length, found.reference_length) == (len(hypothesis), len(reference))
    for hypothesis, reference in short_pairs(60, 38, SPELT, longest=4):
        found = long_jump(" ".join(hypothesis), " ".join(reference), tokenize="none", substitution="levenshtein")
        assert found.low == pytest.approx(float(oracle.long_jump(hypothesis, reference, oracle.levenshtein)))


def edits(metric, hypothesis, reference):
    return metric.parts(metric.statistics([hypothesis], [reference])[0])["edits"]


def test_the_corrected_bounds_hold_and_those_of_the_paper_do_not():
    broken = 0
    for ours, theirs in short_pairs(400, 39, LETTERS[:4], longest=8):
        hypothesis, reference = " ".join(ours), " ".join(theirs)
        exact = long_jump(hypothesis, reference, tokenize="none").low
        forward = edits(CDER(tokenize="none"), hypothesis, reference)
        backward = edits(CDER(tokenize="none", direction="reversed"), hypothesis, reference)
        misses = CDER(tokenize="none", penalty="miscoverage").statistics([hypothesis], [reference])[0, 2]
        assert max(forward, backward, abs(len(ours) - len(theirs))) <= exact
        assert exact <= min(edits(WER(tokenize="none"), hypothesis, reference), forward + misses)
        assert exact == long_jump(reference, hypothesis, tokenize="none").low
        broken += forward + max(len(ours) - len(theirs), 0) > exact
    assert broken > 100


def test_long_segments_get_bounds():
    rng = random.Random(40)
    words = [rng.choice("abcdefgh") for _ in range(60)]
    moved = words[30:] + words[:30]
    found = long_jump(" ".join(moved), " ".join(words), tokenize="none")
    assert 0 < found.low <= found.high <= 60
    assert found.to_dict()["exact"] == found.exact
    assert long_jump(" ".join(words), " ".join(words)).exact  # the bounds meet


def test_what_long_jump_refuses():
    with pytest.raises(InputError, match="one hypothesis and one reference"):
        long_jump(["a"], "a")
    with pytest.raises(InputError, match="tokenizer"):
        long_jump("a", "a", tokenize="tokens")


# --- long segments, interruption ----------------------------------------------------------------------------------


@pytest.mark.parametrize("substitution", ["exact", "prefix"])
@pytest.mark.parametrize("penalty", ["none", "miscoverage"])
def test_five_thousand_words(substitution, penalty):
    rng = random.Random(41)
    reference = [f"{n}word" for n in rng.sample(range(100_000, 999_999), 5000)]
    hypothesis = reference[2500:] + reference[:2500]
    metric = CDER(tokenize="tokens", substitution=substitution, penalty=penalty)
    row = metric.statistics([hypothesis], [[reference]])[0]
    assert row[:2].tolist() == [3, 5000]
    assert row[2:].sum() == 0


@pytest.mark.parametrize("metric", [CDER(substitution="levenshtein", penalty="average"), WER(substitution="gld")])
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to threads here")
def test_can_be_interrupted(metric):
    rng = random.Random(42)
    texts = [" ".join("".join(rng.choices("abcdef", k=9)) for _ in range(9000)) for _ in range(2)]
    main = threading.get_ident()
    begun = time.process_time()
    threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        metric.statistics([texts[0]], [texts[1]], threads=1)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("setting", "known"), [({"direction": "revresed"}, "reversed"), ({"penalty": "lenght"}, "length")]
)
def test_unknown_values(setting, known):
    with pytest.raises(UnknownNameError, match=f"Did you mean '{known}'"):
        CDER(**setting)


# --- Moses --------------------------------------------------------------------------------------------------------


@needs_oracle
@pytest.mark.parametrize(
    ("name", "refs"),
    [("wmt21.en-de", "A"), ("wmt22.en-ja", "A"), ("wmt22.zh-en", "A"), ("wmt22.zh-en", "A+B"), ("wmt21.en-de", "A+C+D"),
     ("wmt22.en-zh", "A+B"), ("wmt24.en-hi", "A")],
)  # fmt: skip
def test_moses_on_wmt(name, refs):
    check_moses(CDER(tokenize="blank"), name, refs, lambda parts: [parts["edits"], parts["reference_length"]])


def test_rows_are_whole_numbers_for_exact_words():
    rows = CDER(tokenize="tokens", penalty="miscoverage").statistics(*shapes(short_pairs(200, 43)))
    np.testing.assert_array_equal(rows, np.round(rows))

"""BLEU: worked examples that can be redone by hand, and generated ones against the textbook."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from oracles import bleu as textbook
from oracles.generated import alike
from tertium import BLEU
from tertium.errors import InputError, UnknownNameError

# A thesis's example. M is the hypothesis, R and S are references.
M = "the situation even more complex , more dangerous than it was in past decades"
R = "a situation more complicated and dangerous than it was in the previous decades"
S = "a situation more complex and dangerous than in past decades"
ANY_SMOOTHING = ("exp", "floor", "none", "add-k")


def sentence_score(hypothesis, references, **options):
    bleu = BLEU(**{"tokenize": "none"} | options)
    return float(bleu.score(bleu.statistics([hypothesis], [references]))[0])


def row_of(hypothesis, references, **options):
    return BLEU(**{"tokenize": "none"} | options).statistics([hypothesis], [references])[0].tolist()


def parts_of(hypothesis, references, **options):
    bleu = BLEU(**{"tokenize": "none"} | options)
    return {name: float(value) for name, value in bleu.parts(bleu.statistics([hypothesis], [references])[0]).items()}


# --- worked examples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "reference", "options", "expected"),
    [
        *(("the cat", "the cat sat", {"smoothing": s}, 0.0) for s in ("exp", "floor", "none")),
        *(("the cat", "the cat sat", {"smoothing": s, "effective_order": True}, 60.653066) for s in ANY_SMOOTHING),
        ("the cat", "the cat sat", {"smoothing": "add-k"}, 60.653066),  # a missing order is k/k
        ("the cat sat on", "the cat lay on", {}, 35.355339),
        ("the cat sat on", "the cat lay on", {"effective_order": True}, 35.355339),
        ("the cat sat on", "the cat lay on", {"smoothing": "floor"}, 18.803015),
        ("the cat sat on", "the cat lay on", {"smoothing": "floor", "smoothing_value": 0.1}, 18.803015),
        ("the cat sat on", "the cat lay on", {"smoothing": "add-k"}, 50.0),
        ("the cat sat on", "the cat lay on", {"smoothing": "lin-och"}, 50.0),
        ("the cat sat on", "the cat lay on", {"smoothing": "add-k", "smoothing_value": 0.5}, 38.260294),
        ("the cat sat on", "the cat lay on", {"smoothing": "none"}, 0.0),
        *(("dog", "the cat sat", {"smoothing": s, "effective_order": e}, 0.0) for s in ANY_SMOOTHING for e in (0 > 1, 1 > 0)),
        *(("", "the cat", {"smoothing": s}, 0.0) for s in (*ANY_SMOOTHING, "mteval")),
        *(("", "", {"smoothing": s}, 0.0) for s in (*ANY_SMOOTHING, "mteval")),
        *(("a", "", {"smoothing": s}, 0.0) for s in ANY_SMOOTHING),
        ("x y z", "a b c", {"smoothing": "mteval"}, 22.59),  # nothing matches, and yet
    ],
)  # fmt: skip
def test_smoothing(hypothesis, reference, options, expected):
    assert sentence_score(hypothesis, [reference], **options) == pytest.approx(
        expected, abs=5e-3 if expected == 22.59 else 5e-7
    )


@pytest.mark.parametrize(
    ("smoothing", "precisions"),
    [
        ("exp", (75, 100 / 3, 25, 25)),
        ("floor", (75, 100 / 3, 5, 10)),
        ("add-k", (75, 50, 100 / 3, 50)),
        ("none", (75, 100 / 3, 0, 0)),
    ],
)
def test_smoothed_precisions(smoothing, precisions):
    parts = parts_of("the cat sat on", ["the cat lay on"], smoothing=smoothing)
    assert [parts[f"precision_{n}"] for n in (1, 2, 3, 4)] == pytest.approx(precisions)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "penalty"),
    [
        ("dog", "the cat sat", math.exp(-2)),
        ("", "the cat", 0),
        ("", "", 1),
        ("a", "", 1),
        ("a b", "a b", 1),
        ("a b c", "a b", 1),
    ],
)
def test_brevity_penalty(hypothesis, reference, penalty):
    assert parts_of(hypothesis, [reference])["bp"] == pytest.approx(penalty)


def test_no_match_at_all_has_no_precision_however_smoothed():
    for smoothing in ANY_SMOOTHING:
        parts = parts_of("a b c d", ["w x y z"], smoothing=smoothing)
        assert [parts[f"precision_{n}"] for n in (1, 2, 3, 4)] == [0, 0, 0, 0]


def test_mteval_smoothing_by_hand():
    # 1/(2*3), 1/(4*2), 1/(8*1), and an order without n-grams counts as 1.
    expected = 100 * (1 / 6 * 1 / 8 * 1 / 8 * 1) ** 0.25
    assert sentence_score("x y z", ["a b c"], smoothing="mteval") == pytest.approx(expected)
    # "the cat": two perfect orders, two without n-grams; only the brevity penalty is left.
    assert sentence_score("the cat", ["the cat sat"], smoothing="mteval") == pytest.approx(100 * math.exp(-0.5))


def test_thesis_counts():
    assert row_of(M, [R, S]) == [14, 13, 11, 7, 4, 2, 14, 13, 12, 11]
    assert row_of(M, [R])[2] == 9
    assert row_of(M, [S])[2] == 8


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 40.01602),
        ({"smoothing": "none"}, 40.01602),
        ({"mean": "arithmetic"}, 45.98318),
        ({"orders": (1, 2)}, 65.04436),
        ({"orders": (2, 1)}, 65.04436),
        ({"reference_length": "shortest"}, 40.01602),
        ({"reference_length": "average"}, 40.01602),
        ({"smoothing": "lin-och"}, 45.58252),
        ({"tokenize": "thesis"}, 40.01602),
    ],
)
def test_thesis_scores(options, expected):
    assert sentence_score(M, [R, S], **options) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(("rule", "length"), [("closest", 13), ("shortest", 10), ("average", 11.5)])
def test_reference_length_rules(rule, length):
    parts = parts_of(M, [R, S], reference_length=rule)
    assert (parts["reference_length"], parts["bp"]) == (length, 1)


@pytest.mark.parametrize("smoothing", [*ANY_SMOOTHING, "mteval", "lin-och"])
def test_thesis_short_but_right(smoothing):
    assert sentence_score("than in past decades", [S], smoothing=smoothing) == pytest.approx(100 * math.exp(-1.5))


def test_of_equally_close_references_the_shorter_counts():
    assert row_of("a b c", ["a b c d", "a b"])[:2] == [3, 2]
    assert row_of("a b c", ["a b", "a b c d"])[:2] == [3, 2]
    assert row_of("a b c", ["a b c d e", "", "a b c d"])[:2] == [3, 4]


def test_an_empty_reference_can_be_the_closest():
    assert row_of("a", ["", "a b c"])[:2] == [1, 0]


def test_clipping():
    references = ["the cat is on the mat .", "there is a cat on the mat ."]
    row = row_of("the the the the the the the", references)
    assert (row[2], row[6]) == (2, 7)


def test_case_folding_makes_the_matches_of_the_lecture_notes():
    references = ["The cat is on the mat.", "There is a cat on the mat."]
    assert row_of("the the the the the the the", references, tokenize="13a", lowercase=True)[2] == 2
    assert row_of("the the the the the the the", references, tokenize="13a")[2] == 1


def test_orejuela():
    references = [
        "Orejuela appeared calm as he was led to the American plane which will take him to Miami, Florida.",
        "Orejuela appeared calm while being escorted to the plane that would take him to Miami, Florida.",
        "Orejuela appeared calm as he was being led to the American plane that was to carry him to Miami in Florida.",
        "Orejuela seemed quite calm as he was being led to the American plane that would take him to Miami in Florida.",
    ]
    hypothesis = "Appeared calm when he was taken to the American plane, which will to Miami, Florida."
    folded = {"tokenize": "13a", "lowercase": True}
    assert row_of(hypothesis, references, **folded) == [18, 18, 15, 10, 5, 3, 18, 17, 16, 15]
    assert row_of(hypothesis, references, tokenize="13a")[2:6] == [14, 9, 5, 3]
    assert sentence_score(hypothesis, references, **folded, orders=(1, 2, 3)) == pytest.approx(53.50651, abs=5e-6)
    assert sentence_score(hypothesis, references, **folded) == pytest.approx(41.83719, abs=5e-6)
    assert sentence_score(hypothesis, references, tokenize="13a") == pytest.approx(40.05274, abs=5e-6)


def test_saudi():
    reference = "Saudi Arabia denied this week information published in the American new york times"
    hypothesis = "this week the saudis denied information published in the new york times"
    assert row_of(hypothesis, [reference], lowercase=True) == [12, 13, 10, 6, 3, 1, 12, 11, 10, 9]
    assert parts_of(hypothesis, [reference], lowercase=True)["bp"] == pytest.approx(0.9200444, abs=5e-8)
    assert sentence_score(hypothesis, [reference], lowercase=True) == pytest.approx(32.27920, abs=5e-6)


def test_corpus_is_no_mean_of_segments():
    bleu = BLEU(tokenize="none")
    rows = bleu.statistics(["a b c d e", "f g"], [["a b c d e"], ["f h"]])
    # Sums: lengths 7 and 7; matches 6 of 7, 4 of 5, 3 of 3, 2 of 2.
    assert bleu.score(rows.sum(axis=0)) == pytest.approx(100 * (6 / 7 * 4 / 5) ** 0.25)


# --- variants -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("boundaries", "symbols", "expected"),
    [
        # hypothesis "a b", reference "a c"; matches 1..3, then totals 1..3
        ("none", "n-1", [1, 0, 0, 2, 1, 0]),
        ("initial", "n-1", [1, 1, 1, 2, 2, 2]),  # <s> a | <s> <s> a
        ("final", "n-1", [1, 0, 0, 2, 2, 2]),
        ("both", "n-1", [1, 1, 1, 2, 3, 4]),
        ("initial", "1", [1, 1, 0, 2, 2, 1]),  # <s> a b has one trigram
        ("both", "1", [1, 1, 0, 2, 3, 2]),
    ],
)
def test_sentence_boundaries(boundaries, symbols, expected):
    options = {"orders": (1, 2, 3), "sentence_boundaries": boundaries, "boundary_symbols": symbols}
    assert row_of("a b", ["a c"], **options) == [2, 2, *expected]


def test_boundaries_alone_never_match():
    assert row_of("", ["", "a"], sentence_boundaries="both")[2:] == [0] * 8
    assert row_of("a", [""], sentence_boundaries="both")[2:6] == [0] * 4
    # No word can be mistaken for a boundary symbol.
    assert row_of("a", ["b"], sentence_boundaries="both")[2:6] == [0] * 4


def test_weights_are_scaled_and_belong_to_the_orders_as_given():
    assert sentence_score(M, [R, S], weights=(2, 2, 2, 2)) == pytest.approx(sentence_score(M, [R, S]))
    expected = 100 * (11 / 14) ** 0.75 * (7 / 13) ** 0.25
    assert sentence_score(M, [R, S], orders=(1, 2), weights=(3, 1)) == pytest.approx(expected)
    assert sentence_score(M, [R, S], orders=(2, 1), weights=(1, 3)) == pytest.approx(expected)
    assert sentence_score(M, [R, S], weights=(1, 0, 0, 0)) == pytest.approx(100 * 11 / 14)


def test_an_order_of_any_other_weight_may_not():
    assert sentence_score("a x b", ["a y b"], smoothing="none", orders=(1, 2), weights=(1, 1e-12)) == 0


def test_an_order_of_weight_zero_may_be_without_matches():
    assert sentence_score("a b x", ["a b c"], smoothing="none", orders=(1, 3), weights=(1, 0)) == pytest.approx(200 / 3)


def test_effective_order_drops_orders_without_ngrams_whatever_their_n():
    assert sentence_score("a b", ["a b"], orders=(2, 3), effective_order=True) == pytest.approx(100)
    assert sentence_score("a b", ["a b"], orders=(3, 5), effective_order=True) == 0
    assert sentence_score("a b", ["a b"], effective_order=True, weights=(1, 1, 5, 5)) == pytest.approx(100)
    # An order that has n-grams but no match still counts.
    assert sentence_score("a b", ["b a"], smoothing="none", effective_order=True) == 0


def test_unicode_forms_make_equal_what_looks_equal():
    composed, decomposed = "caf\u00e9 no\u00ebl", "cafe\u0301 noe\u0308l"
    assert row_of(composed, [decomposed])[2] == 0
    assert row_of(composed, [decomposed], unicode="nfc")[2] == 2
    assert row_of("\ufb01n 2", ["fin \uff12"], unicode="nfkc")[2] == 2


def test_callable_tokenizer():
    bleu = BLEU(tokenize=lambda text: text.split("|"), orders=(1, 2), lowercase=True)
    assert bleu.statistics(["A b|c"], [["a b|C", "a|b|c"]])[0].tolist() == [2, 2, 2, 1, 2, 1]
    assert "tokenize=custom" in bleu.signature()


def test_a_callable_must_return_strings():
    for wrong in (lambda text: text, lambda text: [1], lambda text: [None]):
        with pytest.raises(InputError, match="must return a list of strings"):
            BLEU(tokenize=wrong).statistics(["a"], ["a"])


def test_lists_of_tokens():
    bleu = BLEU(tokenize="tokens", orders=(1, 2))
    one = bleu.statistics([["a b", "c"]], [["a b", "c"]])  # one reference, as a list of tokens
    several = bleu.statistics([["a b", "c"]], [[["a b", "c"], ["x"], None]])
    assert one.tolist() == several.tolist() == [[2, 2, 2, 1, 2, 1]]
    assert bleu.statistics([[]], [[[]]]).tolist() == [[0, 0, 0, 0, 0, 0]]
    assert bleu.statistics([("a",)], [[("a",), ()]]).tolist() == [[1, 1, 1, 0, 1, 0]]


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a b"], [["a"]], r"hypotheses\[0\] is 'a b', but tokenize='tokens' takes lists"),
        ("a b", [["a"]], "hypotheses must be lists of tokens"),
        ([["a"]], ["a b"], r"references\[0\] is 'a b'"),
        ([["a"]], [None], r"references\[0\]"),
        ([["a", 1]], [["a"]], r"hypotheses\[0\] must be a list of strings"),
        ([["a"], ["b"]], [["a"]], "2 segments, but references has 1"),
    ],
)
def test_wrong_lists_of_tokens(hypotheses, references, message):
    with pytest.raises(InputError, match=message):
        BLEU(tokenize="tokens").statistics(hypotheses, references)


# --- settings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orders": ()}, "orders must be"),
        ({"orders": (0, 1)}, "from 1 to 1000"),
        ({"orders": (1, 1001)}, "from 1 to 1000"),
        ({"orders": (1, 2.0)}, "orders must be"),
        ({"orders": (True,)}, "orders must be"),
        ({"orders": (1, 2, 1)}, "twice"),
        ({"weights": (1, 1)}, "4 orders, 2 weights"),
        ({"weights": (1, 1, 1, -1)}, "from 0 to"),
        ({"weights": (0, 0, 0, 0)}, "not all 0"),
        ({"weights": (1, 1, 1, math.nan)}, "numbers"),
        ({"weights": (1, 1, 1, math.inf)}, "numbers"),
        ({"smoothing_value": 1}, "has no value"),
        ({"smoothing": "none", "smoothing_value": 1}, "has no value"),
        ({"smoothing": "mteval", "smoothing_value": 1}, "has no value"),
        ({"smoothing": "floor", "smoothing_value": -1}, "from 0 to"),
        ({"smoothing": "floor", "smoothing_value": math.nan}, "from 0 to"),
        ({"smoothing": "add-k", "smoothing_value": "1"}, "from 0 to"),
        ({"smoothing": "lin-och", "smoothing_value": 2}, "add-k"),
        ({"lowercase": 1}, "True or False"),
        ({"effective_order": "yes"}, "True or False"),
        ({"tokenize": None}, "a name or a function"),
        ({"tokenize": "tokens", "lowercase": True}, "as they are"),
        ({"tokenize": "tokens", "unicode": "nfc"}, "as they are"),
    ],
)
def test_impossible_settings(options, message):
    with pytest.raises(InputError, match=message):
        BLEU(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenize": "13b"}, "No tokenizer is called '13b'. Did you mean '13a'?"),
        ({"smoothing": "expo"}, "Did you mean 'exp'?"),
        ({"mean": "harmonic"}, "Known: geometric, arithmetic."),
        ({"reference_length": "longest"}, "Known: closest, shortest, average."),
        ({"sentence_boundaries": True}, "Known: none, initial, final, both."),
        ({"boundary_symbols": "2"}, "Known: n-1, 1."),
        ({"unicode": "nfd"}, "No value of bleu's unicode is called 'nfd'."),
    ],
)
def test_unknown_names(options, message):
    with pytest.raises(UnknownNameError) as raised:
        BLEU(**options)
    assert message in str(raised.value)


def test_settings_that_mean_the_same_are_equal():
    assert BLEU(smoothing="lin-och") == BLEU(smoothing="add-k") == BLEU(smoothing="add-k", smoothing_value=1.0)
    assert BLEU(smoothing="floor") == BLEU(smoothing="floor", smoothing_value=0.1)
    assert BLEU(orders=(2, 1)) == BLEU(orders=[1, 2])
    assert BLEU(orders=3) == BLEU(orders=(3,))


# --- generated, against the textbook ------------------------------------------------------------------------

LETTERS = tuple("abcd")
WORDS = tuple("abcdefghij"[: n % 10 + 1] * (1 + n // 10) for n in range(60))  # from one byte to many
LONG_WORDS = tuple(f"beginning{n:02}-and-{n % 7}-ending" for n in range(40))
CYRILLIC = tuple("слово мир вода світло ніч ще він ґанок".split())
ALPHABETS = [LETTERS[:2], LETTERS, WORDS, LONG_WORDS, CYRILLIC]

short = st.integers(0, 8)
around_words = st.one_of(st.integers(60, 70), st.integers(126, 131), st.integers(190, 194))
around_masks = st.integers(1020, 1030)
order_sets = st.sets(st.integers(1, 12), min_size=1).map(sorted).map(tuple)


def check_rows(segment, orders, **options):
    hypothesis, references = segment
    names = {"length": "reference_length", "boundaries": "sentence_boundaries", "symbols": "boundary_symbols"}
    bleu = BLEU(tokenize="none", orders=orders, **{names[key]: value for key, value in options.items()})
    row = bleu.statistics([" ".join(hypothesis)], [[" ".join(one) for one in references]])[0]
    assert row.tolist() == textbook.row(hypothesis, references, orders, **options)


@examples(400)
@given(alike(ALPHABETS, short, 4), order_sets, st.sampled_from(["closest", "shortest", "average"]))
def test_short_segments(segment, orders, length):
    check_rows(segment, orders, length=length)


@examples(200)
@given(alike(ALPHABETS, st.one_of(short, around_words)), order_sets)
def test_segments_around_machine_words(segment, orders):
    check_rows(segment, orders)


@examples(40)
@given(alike(ALPHABETS, st.one_of(short, around_words, around_masks)), order_sets)
def test_segments_around_the_end_of_masks(segment, orders):
    check_rows(segment, orders)


@examples(25)
@given(alike(ALPHABETS, st.sampled_from([1023, 1024, 1025, 2047, 2048, 3000])), order_sets)
def test_very_long_segments(segment, orders):
    check_rows(segment, orders)


@given(
    alike(ALPHABETS, st.one_of(st.integers(60, 70), st.integers(126, 131))),
    st.sets(st.integers(1, 140), min_size=1, max_size=6).map(sorted).map(tuple),
)
def test_high_orders(segment, orders):
    check_rows(segment, orders)


@given(
    alike(ALPHABETS, st.one_of(short, st.integers(55, 66))),
    order_sets,
    st.sampled_from(["initial", "final", "both"]),
    st.sampled_from(["n-1", "1"]),
)
def test_generated_sentence_boundaries(segment, orders, boundaries, symbols):
    check_rows(segment, orders, boundaries=boundaries, symbols=symbols)


@given(st.lists(alike(ALPHABETS, st.one_of(short, around_words)), min_size=1, max_size=8), st.integers(1, 3))
def test_scratch_space_is_not_carried_from_segment_to_segment(segments, threads):
    rows = BLEU(tokenize="none").statistics(
        [" ".join(hypothesis) for hypothesis, _ in segments],
        [[" ".join(one) for one in references] for _, references in segments],
        threads=threads,
    )
    assert rows.tolist() == [textbook.row(*segment) for segment in segments]


def test_repetition_is_clipped_at_any_length():
    for length in (1, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 5000):
        same = ["a"] * length
        check_rows((same, [same]), (1, 2, 3, 4))
        check_rows((same, [same[: length // 2], ["a", "b"] * length]), (1, 2, 3, 4))


@st.composite
def totals_and_settings(draw):
    orders = draw(order_sets)
    ours, theirs = draw(st.integers(0, 40)), draw(st.integers(0, 40))
    counts = [max(0, ours - n + 1) for n in orders]
    found = [draw(st.integers(0, count)) for count in counts]
    options = {
        "smoothing": draw(st.sampled_from(["exp", "none", "floor", "add-k", "mteval"])),
        "effective_order": draw(st.booleans()),
        "mean": draw(st.sampled_from(["geometric", "arithmetic"])),
        "weights": draw(st.none() | st.tuples(*[st.sampled_from([0, 0.25, 1, 2.5, 7])] * len(orders)).filter(any)),
    }
    if options["smoothing"] in ("floor", "add-k"):
        options["smoothing_value"] = draw(st.sampled_from([0.0, 0.01, 0.5, 1.0, 3.0]))
    return [ours, theirs, *found, *counts], orders, options


@examples(1000)
@given(totals_and_settings())
def test_scores_agree_with_the_textbook(case):
    totals, orders, options = case
    score = BLEU(orders=orders, **options).score(np.array(totals, float))
    value = options.pop("smoothing_value", None)
    assert score == pytest.approx(textbook.score(totals, orders, value=value, **options), rel=1e-11, abs=1e-12)

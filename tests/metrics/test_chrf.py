"""chrF and chrF++: worked examples, and generated ones against the textbook."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from oracles import chrf as textbook
from oracles.generated import alike
from tertium import CHRF
from tertium.errors import InputError, UnknownNameError

VARIANTS = (
    CHRF(),
    CHRF(word_order=2),
    CHRF(eps_smoothing=True),
    CHRF(word_order=2, eps_smoothing=True),
    CHRF(whitespace=True),
    CHRF(beta=3),
)


def sentence_score(chrf, hypothesis, references):
    return float(chrf.score(chrf.statistics([hypothesis], [references]))[0])


def row_of(hypothesis, references, **options):
    return CHRF(**options).statistics([hypothesis], [references])[0].tolist()


# --- worked examples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("the cat", ["the cat sat"], (55.7710, 57.7638, 55.3197, 57.3628, 56.4398, 52.8492)),
        (
            "the cat sat on the mat .",
            ["on the mat sat the cat ."],
            (71.5089, 72.3817, 71.5089, 72.3817, 83.3617, 71.5089),
        ),
        ("ab", ["ab"], (100, 100, 100 / 3, 37.5, 100, 100)),
        ("ab", ["cd"], (0, 0, 0, 0, 0, 0)),
        ("Hello, (world)!", ["Hello , ( world ) !"], (100, 84.6664, 100, 84.4138, 37.3636, 100)),
        ("kitten", ["sitting", "mitten"], (59.1667, 50.7143, 59.1667, 44.3750, 59.1667, 59.1667)),
        ("", ["abc"], (0, 0, 0, 0, 0, 0)),
        ("abc", [""], (0, 0, 0, 0, 0, 0)),
        ("", [""], (0, 0, 0, 0, 0, 0)),
    ],
)
def test_sentence_scores(hypothesis, references, expected):
    scores = [sentence_score(chrf, hypothesis, references) for chrf in VARIANTS]
    assert scores == pytest.approx(expected, abs=5e-5)


def test_statistics_by_hand():
    expected = [(6, 9, 6), (5, 8, 5), (4, 7, 4), (3, 6, 3), (2, 5, 2), (1, 4, 1)]
    assert row_of("the cat", ["the cat sat"]) == [count for triple in expected for count in triple]


def test_columns_say_what_they_count():
    assert CHRF(char_order=1, word_order=1).columns == (
        "hypothesis_char_1", "reference_char_1", "common_char_1",
        "hypothesis_word_1", "reference_word_1", "common_word_1",
    )  # fmt: skip


def test_corpus_is_scored_from_sums():
    chrf = CHRF()
    rows = chrf.statistics(["the cat", "a dog runs"], [["the cat sat"], ["a dog ran"]])
    assert chrf.score(rows) == pytest.approx([55.7710, 47.4217], abs=5e-5)
    assert chrf.score(rows.sum(axis=0)) == pytest.approx(52.1804, abs=5e-5)


def test_hypothesis_ngrams_count_only_where_the_reference_has_some():
    assert row_of("abcd", ["ab"], char_order=3) == [4, 1 + 1, 2, 3, 1, 1, 0, 0, 0]
    assert row_of("ab", ["abcd"], char_order=3) == [2, 4, 2, 1, 3, 1, 0, 2, 0]


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("(world)!", ["(world)", "!"]),
        ("-x-", ["-x", "-"]),
        ("-x", ["-", "x"]),
        ("--", ["-", "-"]),
        ("!", ["!"]),
        ("x", ["x"]),
        ("»x«", ["»x«"]),  # not ASCII
        ("é!", ["é", "!"]),
        ("!é", ["!", "é"]),
        ("a.b", ["a.b"]),
    ],
)
def test_one_punctuation_mark_comes_off_a_word(word, tokens):
    assert textbook.words(word) == tokens
    options = {"char_order": 0, "word_order": 2}
    assert row_of(word, [" ".join(tokens)], **options) == textbook.row(word, [" ".join(tokens)], **options)
    # A token of two or more characters would be split again, so each is looked up alone.
    for token in tokens:
        if len(textbook.words(token)) == 1:
            assert row_of(word, [token], char_order=0, word_order=1)[2] == 1


def test_whitespace_is_left_out_or_kept_as_it_stands():
    assert row_of("a \t\u3000b\x1c", ["a b"], char_order=1) == [2, 2, 2]
    assert row_of("a b  ", ["a b"], char_order=1, whitespace=True) == [5, 3, 3]


def test_of_equally_good_references_the_first_is_kept():
    # Both references score the same, but their counts differ.
    one, two = "abxx", "xxab"
    assert row_of("ab", [one, two]) == row_of("ab", [one])
    nothing = row_of("ab", ["xyz", "vwxyz"])
    assert nothing == row_of("ab", ["xyz"])
    assert row_of("ab", ["vwxyz", "xyz"]) == row_of("ab", ["vwxyz"]) != nothing


def test_the_better_reference_is_chosen_by_the_settings():
    chrf = CHRF()
    references = ["something else entirely", "the cat sat", "the cat sat on"]
    best = max(references, key=lambda one: sentence_score(chrf, "the cat", [one]))
    assert row_of("the cat", references) == row_of("the cat", [best])


def test_lowercase_and_unicode_form():
    assert row_of("ΑΣ", ["ας"], char_order=2, lowercase=True) == [2, 2, 2, 1, 1, 1]
    assert row_of("e\u0301", ["\u00e9"], char_order=1, unicode="nfc") == [1, 1, 1]
    assert row_of("\ufb01", ["fi"], char_order=2, unicode="nfkc") == [2, 2, 2, 1, 1, 1]


def test_parts():
    chrf = CHRF(char_order=2)
    parts = {name: float(value) for name, value in chrf.parts(chrf.statistics(["ab"], ["abcd"])[0]).items()}
    assert parts == pytest.approx({
        "precision": 100, "recall": 100 * (2 / 4 + 1 / 3) / 2,
        "precision_char_1": 100, "recall_char_1": 50, "precision_char_2": 100, "recall_char_2": 100 / 3,
    })  # fmt: skip


# --- settings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"char_order": -1}, "char_order must be a whole number from 0 to 1000"),
        ({"char_order": 2.0}, "char_order must be a whole number"),
        ({"char_order": True}, "char_order must be a whole number"),
        ({"word_order": -1}, "word_order"),
        ({"char_order": 0}, "add up"),
        ({"char_order": 900, "word_order": 101}, "add up"),
        ({"beta": 0}, "beta must be a number above 0"),
        ({"beta": -1}, "beta"),
        ({"beta": math.nan}, "beta"),
        ({"beta": math.inf}, "beta"),
        ({"beta": 1e200}, "beta"),  # its square is no number
        ({"beta": 10**400}, "beta"),
        ({"beta": "2"}, "beta"),
        ({"lowercase": 0}, "True or False"),
        ({"whitespace": None}, "True or False"),
        ({"eps_smoothing": "no"}, "True or False"),
    ],
)
def test_impossible_settings(options, message):
    with pytest.raises(InputError, match=message):
        CHRF(**options)


def test_unknown_unicode_form():
    with pytest.raises(UnknownNameError, match="Known: none, nfc, nfkc"):
        CHRF(unicode="NFC")


# --- generated, against the textbook ------------------------------------------------------------------------

LATIN = tuple("aaeeeinrst  .,-(")
LATIN_1 = tuple("aeés \u00a0ÿß!\u0085")
CYRILLIC = tuple("аеионт світ,.  ")
HAN = tuple(chr(0x4E00 + 37 * n) for n in range(40))
MANY = tuple(chr(0x4E00 + n) for n in range(700))  # more different characters than a byte can number
ASTRAL = tuple("a 😀😁🎉\U0001f600𝄞\U0010ffff")
CONTROL = tuple("\x00\x01ab \x1c\n\t\u2028")
MIXED = tuple("aAbB éÉ жЖ 中文 😀 .!")
BINARY = tuple("ab")
ALPHABETS = [LATIN, LATIN_1, CYRILLIC, HAN, MANY, ASTRAL, CONTROL, MIXED, BINARY]

options = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 17),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([1, 2, 3, 0.5]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)
usual_options = st.sampled_from([{}, {"word_order": 2}, {"whitespace": True}])


def check_row(segment, options):
    hypothesis, references = "".join(segment[0]), ["".join(one) for one in segment[1]]
    row = CHRF(**options).statistics([hypothesis], [references])[0].tolist()
    if len(references) == 1:
        assert row == textbook.row(hypothesis, references, **options)
        return
    # Where two references score the same but for rounding, either may be kept.
    scoring = {name: options[name] for name in ("beta", "eps_smoothing") if name in options}
    rows = [textbook.row(hypothesis, [reference], **options) for reference in references]
    scores = [textbook.score(one, **scoring) for one in rows]
    assert row in [one for one, score in zip(rows, scores, strict=True) if score > max(scores) - 1e-9]


@examples(400)
@given(alike(ALPHABETS, st.integers(0, 12)), options)
def test_short_segments(segment, options):
    check_row(segment, options)


@examples(300)
@given(
    alike(
        ALPHABETS, st.one_of(st.integers(0, 8), st.integers(55, 68), st.integers(112, 132), st.integers(175, 195)), 2
    ),
    st.one_of(options, usual_options),
)
def test_segments_around_machine_words(segment, options):
    check_row(segment, options)


@examples(40)
@given(alike(ALPHABETS, st.one_of(st.integers(0, 70), st.integers(2040, 2060)), 1), st.one_of(options, usual_options))
def test_long_segments(segment, options):
    check_row(segment, options)


@pytest.mark.slow
@examples(15)
@given(alike(ALPHABETS, st.one_of(st.integers(4085, 4105), st.just(6000)), 1), usual_options)
def test_very_long_segments(segment, options):
    check_row(segment, options)


@examples(60)
@given(alike(ALPHABETS, st.integers(50, 140), 1), st.integers(18, 140), st.integers(0, 20))
def test_high_orders(segment, char_order, word_order):
    check_row(segment, {"char_order": char_order, "word_order": word_order})


@examples(60)
@given(st.lists(alike(ALPHABETS, st.integers(0, 130), 1), min_size=1, max_size=8), usual_options, st.integers(1, 3))
def test_scratch_space_is_not_carried_from_segment_to_segment(segments, options, threads):
    hypotheses = ["".join(hypothesis) for hypothesis, _ in segments]
    references = ["".join(group[0]) for _, group in segments]
    rows = CHRF(**options).statistics(hypotheses, references, threads=threads)
    expected = [textbook.row(h, [r], **options) for h, r in zip(hypotheses, references, strict=True)]
    assert rows.tolist() == expected


@given(st.text(max_size=40), st.text(max_size=40), options)
def test_any_text(hypothesis, reference, options):
    check_row((hypothesis, [reference]), options | {"lowercase": False})


def test_repetition_is_clipped_at_any_length():
    for length in (1, 5, 6, 58, 59, 60, 63, 64, 65, 118, 127, 128, 129, 2047, 2048, 4096, 4097):
        check_row(("a" * length, ["a" * length]), {"word_order": 2})
        check_row(("a" * length, ["a" * (length // 2) + "b"]), {"word_order": 2})
        check_row(("ab" * length, ["a" * length + "b" * length]), {})


@st.composite
def triples(draw):
    orders = []
    for _ in range(draw(st.integers(1, 8))):
        theirs = draw(st.integers(0, 30))
        ours = draw(st.integers(0, 30)) if theirs else 0
        orders += [ours, theirs, draw(st.integers(0, min(ours, theirs)))]
    return orders


@examples(500)
@given(triples(), st.sampled_from([0.5, 1, 2, 3]), st.booleans())
def test_scores_agree_with_the_textbook(totals, beta, eps_smoothing):
    chrf = CHRF(char_order=len(totals) // 3, beta=beta, eps_smoothing=eps_smoothing)
    expected = textbook.score(totals, beta=beta, eps_smoothing=eps_smoothing)
    assert chrf.score(np.array(totals, float)) == pytest.approx(expected, rel=1e-12)

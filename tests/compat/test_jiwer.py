"""The stand-in for jiwer: frozen values of jiwer 4.0.0, a textbook distance, and jiwer itself where it is installed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.compat import jiwer as ours
from tertium.compat.jiwer.edits import alignments
from tertium.errors import InputError, TertiumError

RATES = ("wer", "mer", "wil", "wip", "cer")
REFERENCES = ["a small red house", "nobody is at home", "", "same"]
HYPOTHESES = ["a tall red house here", "nobody at home", "noise", "same"]

sentences = st.lists(st.sampled_from(["a", "b", "c", "*", "long"]), max_size=9).map(" ".join)


@pytest.fixture(scope="module")
def theirs():
    return pytest.importorskip("jiwer", reason="jiwer is not installed")


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rates"),
    [
        ("", "", (0, 0, 0, 1, 0)),
        ("", "x y", (2, 1, 1, 0, 3)),
        ("x y", "", (1, 1, 1, 0, 1)),
        (["", ""], ["a", ""], (1, 1, 1, 0, 1)),
        (["a b", ""], ["a", "c d"], (1.5, 0.75, 5 / 6, 1 / 6, 5 / 3)),
        (" a  b ", "a b", (0, 0, 0, 1, 0.25)),
        ("a\tb", "a b", (2, 1, 1, 0, 1 / 3)),  # only U+0020 parts words
        ([], [], (0, 0, 0, 1, 0)),
    ],
)
def test_rates(reference, hypothesis, rates):
    found = [getattr(ours, name)(reference, hypothesis) for name in RATES]
    assert found == pytest.approx(rates)
    assert all(type(rate) in (int, float) for rate in found)


def test_words():
    output = ours.process_words("a b c", "a x")
    assert output.references == [["a", "b", "c"]]
    assert (output.hits, output.substitutions, output.insertions, output.deletions) == (1, 1, 0, 1)
    assert [chunk.type for chunk in output.alignments[0]] == ["equal", "substitute", "delete"]
    assert output.alignments[0][2] == ours.AlignmentChunk("delete", 2, 3, 2, 2)


def test_alignment_as_text():
    output = ours.process_words(REFERENCES, HYPOTHESES)
    assert ours.visualize_alignment(output) == (
        "=== SENTENCE 1 ===\n\n"
        "REF: a small red house ****\n"
        "HYP: a  tall red house here\n"
        "           S              I\n\n"
        "=== SENTENCE 2 ===\n\n"
        "REF: nobody is at home\n"
        "HYP: nobody ** at home\n"
        "             D        \n\n"
        "=== SENTENCE 3 ===\n\n"
        "REF: *****\n"
        "HYP: noise\n"
        "         I\n\n"
        "=== SUMMARY ===\n"
        "number of sentences: 4\n"
        "substitutions=1 deletions=1 insertions=2 hits=7\n\n"
        "mer=36.36%\nwil=45.56%\nwip=54.44%\nwer=44.44%\n"
    )


def test_errors_as_text():
    output = ours.process_words(REFERENCES, HYPOTHESES)
    assert ours.visualize_error_counts(output) == (
        "=== SUBSTITUTIONS ===\nsmall --> tall  = 1x\n\n"
        "=== INSERTIONS ===\nhere  = 1x\nnoise = 1x\n\n"
        "=== DELETIONS ===\nis = 1x"
    )
    assert ours.collect_error_counts(output) == ({("small", "tall"): 1}, {"here": 1, "noise": 1}, {"is": 1})


@pytest.mark.parametrize(
    ("transform", "text", "changed"),
    [
        (ours.Strip(), [" a ", " "], ["a", ""]),
        (ours.RemoveMultipleSpaces(), "a  b\t\tc\td", "a b c\td"),
        (ours.RemoveEmptyStrings(), ["", " a ", "\t"], [" a "]),
        (ours.RemovePunctuation(), "a.b, “c” $+ d—e", "ab c $+ de"),
        (ours.RemoveWhiteSpace(), "a b\tc\u00a0d", "abc\u00a0d"),
        (ours.RemoveWhiteSpace(replace_by_space=True), "a\tb\n", "a b "),
        (ours.RemoveSpecificWords(["um", "a.c"]), "um humid a.c abc", "  humid   abc"),
        (ours.SubstituteWords({"big": "large"}), "big bigger", "large bigger"),
        (ours.SubstituteRegexes({r"(\w+)ed\b": r"\1"}), "walked red", "walk r"),
        (ours.ExpandCommonEnglishContractions(), "she'll go, won't she", "she will go, will not she"),
        (ours.RemoveKaldiNonWords(), "so <unk> it [noise] goes", "so  it  goes"),
        (ours.ToUpperCase(), ["a"], ["A"]),
        (ours.ToLowerCase(), "A", "a"),
        (ours.ReduceToListOfListOfWords(), ["a b ", ""], [["a", "b"], []]),
        (ours.ReduceToListOfListOfWords(word_delimiter="|"), "a b|c", [["a b", "c"]]),
        (ours.ReduceToListOfListOfChars(), "a b", [["a", " ", "b"]]),
        (ours.ReduceToSingleSentence(), ["a", "", "b"], ["a b"]),
        (ours.Compose([ours.ToLowerCase(), ours.Strip()]), [" A "], ["a"]),
    ],
)  # fmt: skip
def test_transforms(transform, text, changed):
    assert transform(text) == changed


def test_transforms_are_applied():
    assert ours.wer("Won't do!", "will not do", ours.wer_standardize, ours.wer_standardize) == pytest.approx(1 / 3)
    assert ours.wer(["a b", "c"], ["a", "b c"], ours.wer_contiguous, ours.wer_contiguous) == 0
    assert ours.cer(["a b", "c"], ["a b c"], ours.cer_contiguous, ours.cer_contiguous) == 0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ours.wer(["a", "b"], ["a"]), ValueError),
        (lambda: ours.wer(None, "a"), ValueError),
        (lambda: ours.wer(("a",), "a"), ValueError),
        (lambda: ours.wer(["a", 1], ["a", "b"]), TypeError),
        (lambda: ours.wer("a", "a", ours.Strip(), ours.Strip()), ValueError),
        (lambda: ours.wer("a", "a", hypothesis_transform=lambda text: [[1]]), ValueError),
        (lambda: ours.AlignmentChunk("swap", 0, 1, 0, 1), ValueError),
        (lambda: ours.AlignmentChunk("equal", 2, 1, 0, 1), ValueError),
        (lambda: ours.visualize_error_counts(ours.process_words("a", "b"), top_k=0), ValueError),
    ],
)
def test_wrong_calls(call, error):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, TertiumError)


def test_lengths_are_told():
    with pytest.raises(InputError, match="2 references, but 1 hypotheses"):
        ours.process_words(["a", "b"], ["a"])


@given(sentences, sentences)
def test_edits_are_the_fewest_and_cover_both_sides(reference, hypothesis):
    one, two = reference.split(), hypothesis.split()
    (chunks,) = alignments([one], [two])
    edits = sum(max(b - a, d - c) for kind, a, b, c, d in chunks if kind != "equal")
    assert edits == distance(one, two)
    assert [k for _, a, b, _, _ in chunks for k in range(a, b)] == list(range(len(one)))
    assert [k for _, _, _, c, d in chunks for k in range(c, d)] == list(range(len(two)))
    assert all(one[a:b] == two[c:d] for kind, a, b, c, d in chunks if kind == "equal")


def distance(one, two):
    row = list(range(len(two) + 1))
    for i, word in enumerate(one, 1):
        corner, row[0] = row[0], i
        for j, other in enumerate(two, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (word != other))
    return row[-1]


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_agrees_with_the_original(theirs, pairs):
    references, hypotheses = (list(column) for column in zip(*pairs, strict=True))
    for process in ("process_words", "process_characters"):
        mine = getattr(ours, process)(references, hypotheses)
        original = getattr(theirs, process)(references, hypotheses)
        assert repr(mine) == repr(original)
        for options in ({}, {"skip_correct": False, "line_width": 14}, {"show_measures": False}):
            assert ours.visualize_alignment(mine, **options) == theirs.visualize_alignment(original, **options)
        assert ours.visualize_error_counts(mine) == theirs.visualize_error_counts(original)


@given(st.lists(st.sampled_from(["can't", "it's", " ", "\t", "<x>", "[", "]", "A", "é", "-", ".", "um"])).map("".join))
def test_transforms_agree_with_the_original(theirs, text):
    made = [
        ("RemovePunctuation", ()),
        ("RemoveMultipleSpaces", ()),
        ("RemoveWhiteSpace", (True,)),
        ("RemoveKaldiNonWords", ()),
        ("ExpandCommonEnglishContractions", ()),
        ("RemoveSpecificWords", (["um", "A"],)),
        ("SubstituteWords", ({"um": "x", "it": "y z"},)),
        ("ReduceToListOfListOfWords", ()),
        ("ReduceToSingleSentence", ()),
    ]
    for name, arguments in made:
        for given_text in (text, [text, text]):
            assert getattr(ours, name)(*arguments)(given_text) == getattr(theirs, name)(*arguments)(given_text)
    for name in ("wer_standardize", "wer_standardize_contiguous", "cer_contiguous"):
        assert getattr(ours, name)([text, text]) == getattr(theirs, name)([text, text])

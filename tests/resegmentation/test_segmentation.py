"""Cutting a stream to segments: examples to redo by hand, all segmentations tried, and nothing lost."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles.resegmentation import edits, fewest_edits
from tertium.errors import InputError, UnknownNameError
from tertium.resegmentation import METHODS, resegment


@pytest.mark.parametrize(
    ("references", "hypothesis", "lines", "cost"),
    [
        (["the cat sat", "on the mat"], "a dog lay on the mat", ["a dog lay", "on the mat"], 3),
        (["a b c", "d e f", "g h"], "a b x d e y g h", ["a b x", "d e y", "g h"], 2),
        (["a b", "c d"], "a b", ["a b", ""], 2),
        (["a b", "c d"], "c d", ["", "c d"], 2),  # where mwerSegmenter needs 3 edits
        (["x", "y", "z"], "y", ["", "y", ""], 2),
        (["b", "c"], "c", ["", "c"], 1),
        (["a b c", "a b c"], "a b c x a b c", ["a b c x", "a b c"], 1),
        (["aa", "", "bb"], "aa x bb", ["aa x", "", "bb"], 1),
        (["A B", "C D"], "a b c d", ["a b", "c d"], 0),
        ([["a b", "x y"], ["c"]], "x y c", ["x y", "c"], 0),  # the second of two references fits
    ],
)
def test_fewest_word_edits(references, hypothesis, lines, cost):
    found = resegment(hypothesis, references, method="mwer")
    assert (list(found.lines), found.cost) == (lines, cost)


def _random_case(generator):
    words = "abc"[: generator.randint(1, 3)]

    def text(most):
        return [generator.choice(words) for _ in range(generator.randint(0, most))]

    return text(8), [[text(4) for _ in range(generator.choice([1, 1, 2]))] for _ in range(generator.randint(1, 4))]


def _is_optimal(seed):
    hypothesis, references = _random_case(random.Random(seed))
    found = resegment(" ".join(hypothesis), [[" ".join(one) for one in group] for group in references], method="mwer")
    cuts = [0]
    for line in found.lines:
        cuts.append(cuts[-1] + len(line.split()))
    assert cuts[-1] == len(hypothesis)
    return found.cost == fewest_edits(hypothesis, references) == edits(hypothesis, references, cuts)


def test_mwer_finds_the_optimum_of_all_segmentations():
    assert [seed for seed in range(500) if not _is_optimal(seed)] == []


@pytest.mark.slow
def test_mwer_finds_the_optimum_of_20_000_cases():
    assert [seed for seed in range(20_000) if not _is_optimal(seed)] == []


texts = st.text(st.sampled_from("aB. ,。漢字ก\u0e34\u3000\u2028\t\u00a0"), max_size=12)


@given(
    st.lists(texts, min_size=1, max_size=4).map("\n".join),
    st.lists(texts, min_size=1, max_size=5),
    st.sampled_from(METHODS),
)
def test_pieces_put_together_are_the_input(hypothesis, references, method):
    found = resegment(hypothesis, references, method=method)
    assert "".join(found.pieces) == hypothesis
    assert len(found.lines) == len(references)
    assert "".join("".join(found.lines).split()) == "".join(hypothesis.split())
    assert all(0 < sure <= 1 for sure in found.confidence)


def test_a_line_is_on_one_line_and_chinese_gets_no_blank():
    assert resegment(["one", "two three"], ["one two three"]).lines == ("one two three",)
    assert resegment(["今天", "天气好"], ["今天天气好"]).lines == ("今天天气好",)


def test_cuts_come_behind_full_stops_and_before_capitals():
    found = resegment(
        "It rains. We stay, all of us, at home. Tomorrow is better.",
        ["There is rain.", "So we are all staying at home.", "It will be better tomorrow."],
    )
    assert found.lines == ("It rains.", "We stay, all of us, at home.", "Tomorrow is better.")


def test_characters_are_cut_where_words_have_no_blanks():
    found = resegment("今天天气很好。我们去公园。", ["天气今天很好。", "我们要去公园玩。"])
    assert found.lines == ("今天天气很好。", "我们去公园。")


def test_paragraphs_are_paired_by_length():
    found = resegment(
        "Kurz.\nEin viel längerer Absatz mit vielen Worten.\nEnde.", ["Brief.", "M" * 40, "Fin."], method="length"
    )
    assert found.lines == ("Kurz.", "Ein viel längerer Absatz mit vielen Worten.", "Ende.")


DOCUMENTS = ["a", "a", "b", "c", "c"]
REFERENCES = ["The sun is out.", "Birds sing.", "Nothing here.", "One more.", "The end."]
LINES = ["The sun shines. The birds sing.", "There is nothing.", "One more. This is the end."]


@pytest.mark.parametrize("method", METHODS)
def test_documents_do_not_touch_each_other(method):
    whole = resegment(LINES, REFERENCES, DOCUMENTS, method)
    assert whole.documents == tuple(DOCUMENTS)
    permuted = resegment(
        [LINES[2], LINES[0], LINES[1]], [*REFERENCES[3:], *REFERENCES[:3]], [*DOCUMENTS[3:], *DOCUMENTS[:3]], method
    )
    assert permuted.lines == (*whole.lines[3:], *whole.lines[:3])
    assert permuted.confidence == (*whole.confidence[3:], *whole.confidence[:3])


def test_documents_may_have_several_lines_in_another_order():
    found = resegment(
        ["One more.", "This is the end.", "The sun shines.", "The birds sing.", "There is nothing."],
        REFERENCES,
        DOCUMENTS,
        hypothesis_documents=["c", "c", "a", "a", "b"],
    )
    assert found.lines == ("The sun shines.", "The birds sing.", "There is nothing.", "One more.", "This is the end.")


def test_empty_sides_and_single_segments():
    assert resegment("", ["a", "b"]).lines == ("", "")
    assert resegment([], ["a"]).lines == ("",)
    assert resegment("a b", ["", ""]).lines == ("a b", "") or resegment("a b", ["", ""]).lines == ("", "a b")
    assert resegment("a b", ["c"]).lines == ("a b",)


def test_confidence_is_low_where_another_cut_is_as_good():
    sure = resegment("One house. Two trees.", ["One house.", "Two trees."]).confidence[0]
    unsure = resegment("a x b", ["a", "b"]).confidence[0]
    assert sure > 0.95
    assert unsure < 0.6


def test_long_streams_whose_rows_are_made_again_are_cut_as_well():
    """Rows for 2,000 segments of 18,000 words do not fit into what is kept."""
    generator = random.Random(7)
    references = [" ".join(str(generator.randrange(5000)) for _ in range(9)) for _ in range(2000)]
    assert resegment(" ".join(references), references, method="mwer", threads=1).lines == tuple(references)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: resegment("a", []), "no reference segment"),
        (lambda: resegment("a", ["b"], ["x", "y"]), "2 document ids for 1 reference"),
        (lambda: resegment("a", ["b", "c"], ["x", "y"]), "1 line, but there are 2 documents"),
        (lambda: resegment(["a", "b"], ["b", "c"], ["x", "y"], hypothesis_documents=["x", "z"]), "'z' is not in"),
        (lambda: resegment(["a", "b"], ["b", "c", "d"], ["x", "y", "x"]), "comes again at line 3"),
        (lambda: resegment("a", ["b"], hypothesis_documents=["x"]), "the references have none"),
        (lambda: resegment("a", ["b"], method="length", tokenize="13a"), "take no tokens"),
        (lambda: resegment(["a", None], ["b"]), "hypothesis"),
        (lambda: resegment(None, ["b"]), "hypothesis must be a list"),
        (lambda: resegment({"a"}, ["b"]), "hypothesis is a set"),
        (lambda: resegment("a", ["b", "c"], "xx"), "documents is one string"),
        (lambda: resegment("a", ["b", "c"], {"x": 1, "y": 2}), "documents is a dict"),
        (lambda: resegment("a", ["b"], tokenize=3), "not 3"),
        (lambda: resegment("a", ["b"], tokenize="spm:"), "write spm:FILE"),
        (lambda: resegment("a", ["b"], method="mweralign", tokenize="spm:"), "write spm:FILE"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, says):
    with pytest.raises(InputError, match=says):
        call()


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="soft"):
        resegment("a", ["b"], method="sof")
    with pytest.raises(UnknownNameError, match="13a"):
        resegment("a", ["b"], tokenize="13b")
    for method in ("soft", "mweralign"):
        with pytest.raises(UnknownNameError, match="none"):
            resegment("a", ["b"], method=method, tokenize="")


def test_columns_of_frames_are_taken_by_place_not_by_index():
    pandas = pytest.importorskip("pandas")
    lines, references = pandas.Series(["a b", "c"], index=[7, 9]), pandas.Series(["a", "b", "c"], index=[4, 5, 6])
    documents = pandas.Series(["x", "x", "y"], index=[4, 5, 6])
    assert resegment(lines, references, documents).lines == ("a", "b", "c")
    ids = pandas.Series(["y", "x"], index=[7, 9])
    assert resegment(lines[::-1], references, documents, hypothesis_documents=ids).lines == ("a", "b", "c")


def test_it_is_public_and_says_how_it_was_made():
    found = tertium.resegment("a b", ["a", "b"])
    assert isinstance(found, tertium.Segmentation)
    assert found.signature.startswith("resegment=soft/13a|")
    assert found.to_dict()["lines"] == ("a", "b")

"""Cuts as mwerSegmenter, mweralign 1.4.1 and OmniSTEval 0.1.10 make them; expected lines are what those programs gave."""

import json
import os
import shlex
from pathlib import Path

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.resegmentation import resegment
from tertium.resegmentation.moses import MosesWords
from tertium.resegmentation.recordings import read_segments

ORACLE = Path(os.environ.get("TERTIUM_ORACLE", "absent")) / "resegmentation"
with_oracle = pytest.mark.skipif(not ORACLE.is_dir(), reason="TERTIUM_ORACLE has no resegmentation")


@pytest.mark.parametrize(
    ("references", "hypothesis", "lines", "edits"),
    [
        (["the cat sat", "on the mat"], "a dog lay on the mat", ["a dog lay", "on the mat"], 3),
        (["a b c", "d e f", "g h"], "a b x d e y g h", ["a b x", "d e y", "g h"], 2),
        (["a b c", "d e f", "g h"], "q r s t u v w x y z", ["q r s", "t u v", "w x y z"], 10),
        (["a b", "c d"], "a b", ["a b", ""], 2),
        (["a b", "c d"], "c d", ["c", "d"], 3),  # not the optimum: leading segments left empty cost one too much
        (["x", "y", "z"], "y", ["y", "", ""], 3),
        (["b", "c"], "c", ["c", ""], 2),
        (["a a a", "a a a"], "a a a a", ["a a a", "a"], 2),
        (["a b c", "a b c"], "a b c x a b c", ["a b c x", "a b c"], 1),
        (["aa", "", "bb"], "aa x bb", ["aa x", "", "bb"], 1),
    ],
)
@pytest.mark.parametrize("program", ["mweralign", "mwersegmenter"])
def test_known_outputs(program, references, hypothesis, lines, edits):
    found = resegment(hypothesis, references, method=program)
    assert (list(found.lines), found.cost, found.confidence) == (lines, edits, None)


def test_mweralign_alone_takes_capitals_for_small_letters():
    assert resegment("a b c d", ["A B", "C D"], method="mweralign").cost == 0
    assert resegment("a b c d", ["A B", "C D"], method="mwersegmenter").cost == 4


@pytest.mark.parametrize(
    ("language", "word", "tokens"),
    [
        ("de", "nlp-aufgabe.", "nlp @-@ aufgabe ."),
        ("de", "geht's", "geht ' s"),
        ("de", "z.b.", "z.b."),
        ("de", "3.", "3."),
        ("en", "3.", "3 ."),
        ("en", "don't", "don 't"),
        ("en", "rock'n'roll", "rock 'n'roll"),
        ("fr", "l'eau", "l' eau"),
        ("en", "1,000,", "1,000,"),
        ("en", "a,b", "a , b"),
        ("en", "(wait...)", "( wait ... )"),
    ],
)
def test_words_are_split_as_moses_does(language, word, tokens):
    assert " ".join(MosesWords(language)(word)) == tokens


def test_what_the_programs_do_not_know_is_refused():
    with pytest.raises(InputError, match="several references"):
        resegment("a", [["a", "b"]], method="mweralign")
    with pytest.raises(InputError, match="leave out tokenize="):
        resegment("a", ["a"], method="mwersegmenter", tokenize="13a")
    with pytest.raises(UnknownNameError, match="cj"):
        resegment("a", ["a"], method="mweralign", tokenize="13a")
    with pytest.raises(UnknownNameError, match="moses"):
        resegment("a", ["a"], method="omnisteval", tokenize="13a")


def _lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


CASES = sorted((ORACLE / "mweralign").glob("*/cmd")) if ORACLE.is_dir() else []


@with_oracle
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_mweraligns_own_cases(case):
    command, folder = shlex.split(case.read_text()), case.parent
    if "--score" in command:
        pytest.skip("scores lines, and cuts none")
    given = dict(zip(command[::2], command[1::2], strict=True))
    tokenize = given["-m"]
    if tokenize.endswith(".model"):
        pytest.importorskip("sentencepiece")
        tokenize = f"spm:{(folder / tokenize).resolve()}"
    documents = _lines(folder / "docids.txt") if "-d" in given else None
    found = resegment(
        _lines(folder / "hyp.txt"), _lines(folder / "ref.txt"), documents, "mweralign", tokenize=tokenize,
        language=given.get("-l"),
    )  # fmt: skip
    assert list(found.lines) == [line.rstrip() for line in _lines(folder / "expected.txt")]


@with_oracle
@pytest.mark.parametrize("kind", ["speech", "text"])
def test_omnistevals_own_examples(kind):
    folder = ORACLE / "omnisteval" / f"{kind}_resegmentation_example"
    if kind == "speech":
        documents = [one.recording for one in read_segments(str(folder / "ref_segments.yaml"))]
        hypotheses = [json.loads(line)["prediction"] for line in _lines(folder / "instances.log")]
    else:
        documents = [line.partition(",")[0] for line in _lines(folder / "text_segmentation.txt")]
        hypotheses = _lines(folder / "hypotheses.txt")
    language = "de" if kind == "speech" else "en"  # as its scripts have it
    found = resegment(hypotheses, _lines(folder / "references.txt"), documents, "omnisteval", language=language)
    theirs = [
        json.loads(line)["prediction"] for line in _lines(folder / "segmentation_output/instances.resegmented.jsonl")
    ]
    assert list(found.lines) == theirs

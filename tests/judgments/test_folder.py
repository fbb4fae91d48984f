"""mt-metrics-eval's folders, whole."""

import numpy as np
import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgments import is_folder, language_pairs, read_folder

FILES = {
    "sources/en-de.txt": "one\ntwo\nthree\n",
    "documents/en-de.docs": "news d1\nnews d1\nchat\td2\n",
    "references/en-de.refA.txt": "eins\nzwei\ndrei\n",
    "references/en-de.refB.jsonl": '{"target": "ein"}\n{"target": "zwo"}\n{"target": "drei"}\n',
    "system-outputs/en-de/mill-1.0.txt": "eins\nzwei\ndrei\n",
    "system-outputs/en-de/river.jsonl": '{"hypothesis": "a"}\n{"hypothesis": "b"}\n{"hypothesis": "c"}\n',
    "system-outputs/en-de/refA.txt": "eins\nzwei\ndrei\n",
    "human-scores/en-de.mqm.seg.score": "mill-1.0\t-1\nmill-1.0 None\nmill-1.0 -2\nriver 0\nriver -5\nriver None\n",
    "human-scores/en-de.mqm.sys.score": "mill-1.0 -1.5\nriver -2.5\nrefA None\n",
    "human-scores/en-de.mqm.doc.score": "mill-1.0 -1\nmill-1.0 -2\nriver -2.5\nriver None\n",
    "human-scores/en-de.wmt-z.domain.score": "news mill-1.0 1\nchat mill-1.0 2\nchat river 4\nnews river 3\n",
    "human-scores/en-de.mqm.merged.seg.rating": "".join(
        f"mill-1.0\t{errors}\t{rater}\n"
        for errors, rater in (
            ("None", "r1"),
            ('{"errors": []}', "r1"),
            ('{"errors": [{"severity": "major", "category": "accuracy/x", "score": 5}, '
             '{"severity": "Minor", "category": "Fluency/Punctuation"}]}', "r2"),
        )
    ),
    "metric-scores/en-de/BLEU-refA.seg.score": "mill-1.0 1\nmill-1.0 2\nmill-1.0 3\nriver 3\nriver 2\nriver 1\n",
    "metric-scores/en-de/BLEU-refA.sys.score": "mill-1.0 20\nriver 10\n",
    "metric-scores/en-de/COMET-src.sys.score": "mill-1.0 0.5\nriver 0.25\n",
    "sources/de-en.txt": "x\n",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    def write(**changes):
        for name, text in (FILES | {key.replace("__", "/"): value for key, value in changes.items()}).items():
            path = tmp_path / "mini22" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return str(tmp_path / "mini22")

    return write


def test_everything_is_read(folder):
    path = folder()
    assert is_folder(path)
    assert language_pairs(path) == ["de-en", "en-de"]
    found = read_folder(path, "en-de", warn=pytest.fail)
    assert found.name == "mini22"
    assert found.sources == ["one", "two", "three"]
    assert found.references == {"refA": ["eins", "zwei", "drei"], "refB": ["ein", "zwo", "drei"]}
    assert list(found.outputs) == ["mill-1.0", "refA", "river"]
    assert found.outputs["river"] == ["a", "b", "c"]
    assert found.documents == ["d1", "d1", "d2"]
    assert found.domain_scores == {
        "wmt-z": {"mill-1.0": {"news": 1.0, "chat": 2.0}, "river": {"news": 3.0, "chat": 4.0}}
    }


def test_judgments_of_all_levels(folder):
    judgments = read_folder(folder(), "en-de").judgments
    assert judgments.kinds == ("mqm", "mqm.merged")
    assert judgments.levels("mqm") == ("segment", "document", "system")
    np.testing.assert_array_equal(judgments.segment_scores("mqm")["mill-1.0"], [-1, np.nan, -2])
    np.testing.assert_array_equal(judgments.document_scores("mqm")["river"], [-2.5, np.nan])
    assert judgments.system_scores("mqm") == {"mill-1.0": -1.5, "river": -2.5}
    np.testing.assert_allclose(judgments.segment_scores("mqm.merged", segments=3)["mill-1.0"], [np.nan, 0, -5.1])
    assert judgments.rater.names == ("r1", "r2")


def test_metric_scores(folder):
    scores = read_folder(folder(), "en-de").metric_scores
    assert list(scores) == ["BLEU-refA", "COMET-src"]
    np.testing.assert_array_equal(scores["BLEU-refA"]["segment"]["river"], [3, 2, 1])
    np.testing.assert_array_equal(scores["COMET-src"]["system"]["river"], [0.25])


def test_judgments_of_systems_without_outputs_are_counted(folder):
    warnings = []
    found = read_folder(
        folder(**{"human-scores/en-de.mqm.sys.score": "brook 1\nriver 2\n"}), "en-de", warn=warnings.append
    )
    assert "1 of 11 judgments are about systems that were not given (brook); they were left out" in warnings[0]
    assert found.judgments.system_scores("mqm") == {"mill-1.0": pytest.approx(float("nan"), nan_ok=True), "river": 2}


def test_missing_translations_are_counted(folder):
    warnings = []
    path = folder(**{"system-outputs/en-de/river.jsonl": '{"hypothesis": "[No translation supplied]"}\n' * 3})
    read_folder(path, "en-de", warn=warnings.append)
    assert "3 segments of river say '[No translation supplied]'" in warnings[0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("human-scores/en-de.mqm.seg.score", "river 1\nriver 2\n", "has 2 scores of river, but there are 3 segments"),
        ("human-scores/en-de.mqm.seg.score", "river x\nriver 2\nriver 3\n", "a score of river is 'x'"),
        ("human-scores/en-de.mqm.seg.score", "river inf\nriver 2\nriver 3\n", "infinite"),
        ("human-scores/en-de.mqm.seg.score", "river\n", "line 1 has 1 fields"),
        ("human-scores/en-de.wmt-z.domain.score", "news river 1\nnews river 2\n", "the domains of river"),
        ("human-scores/en-de.mqm.merged.seg.rating", "river\t{}\n", 'is not {"errors"'),
        ("human-scores/en-de.mqm.merged.seg.rating", "river\tNone\n", "has 1 lines of river, but there are 3"),
        (
            "human-scores/en-de.mqm.merged.seg.rating",
            'river\t{"errors": [{"score": "x"}]}\n',
            "score is 'x', but a finite",
        ),
        (
            "human-scores/en-de.mqm.merged.seg.rating",
            'river\t{"errors": [{"score": NaN}]}\n',
            "line 1: an error's score",
        ),
        ("documents/en-de.docs", "news d1\n", "has 1 lines, but the source has 3"),
        ("documents/en-de.docs", "d1\nd1\nd2\n", "line 1 has 1 fields"),
        ("references/en-de.refA.txt", "eins\n", "has 1 segments, but the source has 3"),
    ],
)
def test_what_does_not_fit_is_refused(folder, name, text, message):
    with pytest.raises(InputError, match=message):
        read_folder(folder(**{name: text}), "en-de")


def test_unknown_pairs_and_folders(folder, tmp_path):
    path = folder()
    with pytest.raises(UnknownNameError, match="No language pair of .* is called 'en-da'. Did you mean 'en-de'"):
        read_folder(path, "en-da")
    with pytest.raises(InputError, match="holds no system outputs"):
        read_folder(path, "de-en")
    with pytest.raises(
        InputError, match="is no test set in mt-metrics-eval's layout.*Name one of those inside: .*mini22"
    ):
        read_folder(str(tmp_path), "en-de")


def test_hidden_files_are_no_systems(folder):
    assert ".DS_Store" not in read_folder(folder(**{"system-outputs/en-de/.DS_Store": "x\n"}), "en-de").outputs

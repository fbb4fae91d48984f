"""`tertium mbr`, `best` and `pairwise`: forms of lists, results, messages."""

import gzip
import io
import json

import numpy as np
import pytest

from tertium import BLEU, CHRF, pairwise

MARIAN = (
    "0 ||| the red fish swims\n0 ||| a red fish swims ||| f ||| -1\n0 |||  ||| f ||| -1\n1 ||| good day\n1 ||| good\n"
)
LISTS = [["the red fish swims", "a red fish swims", ""], ["good day", "good"]]


@pytest.fixture
def example(tmp_path):
    (tmp_path / "nbest.txt").write_text(MARIAN)
    (tmp_path / "target.txt").write_text("a red fish\ngood\n")
    return tmp_path


FORMS = {
    "marian": MARIAN,
    "t2t": "".join("\t".join(texts) + "\n" for texts in LISTS),
    "jsonl": "".join(json.dumps({"candidates": texts}) + "\n" for texts in LISTS),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(tertium, example, form):
    (example / "list.gz").write_bytes(gzip.compress(FORMS[form].encode()))
    for how in ([], ["--nbest-format", form]):
        result = tertium("best", "list.gz", "-r", "target.txt", *how)
        assert (result.code, result.out) == (0, "a red fish swims\ngood\n"), result.err


def test_so_many_lines_each(tertium, example):
    (example / "lines.txt").write_text("x\na red fish\ngood\nbad\n")
    assert tertium("best", "lines.txt", "-r", "target.txt", "--nbest-format", "lines:2").out == "a red fish\ngood\n"
    assert "cut short" in tertium("best", "lines.txt", "-r", "target.txt", "--nbest-format", "lines:3").err


def test_scores_are_the_metric_s(tertium, example):
    out = tertium("best", "nbest.txt", "-r", "target.txt", "-m", "bleu", "--with-scores").out
    metric = BLEU(effective_order=True)
    score = float(metric.score(metric.statistics(["a red fish swims"], ["a red fish"]))[0])
    assert out.splitlines()[0] == f"{score!r}\ta red fish swims"


def test_the_worst(tertium, example):
    assert tertium("best", "nbest.txt", "-r", "target.txt", "--worst").out == "the red fish swims\ngood day\n"


def test_mbr_prints_records(tertium, example):
    result = tertium("mbr", "nbest.txt", "--format", "jsonl", "--nbest", "2")
    records = [json.loads(line) for line in result.out.splitlines()]
    assert [(record["id"], record["rank"]) for record in records] == [(0, 1), (0, 2), (1, 1), (1, 2)]
    scores = pairwise(CHRF(), LISTS[0], LISTS[0])
    assert records[0]["expected"] == pytest.approx(scores[records[0]["index"]].mean())
    assert "another metric" in result.err


def test_mbr_weights(tertium, example):
    (example / "weights.txt").write_text("0 1 0\n0 1\n")
    assert tertium("mbr", "nbest.txt", "--weights", "weights.txt", "--quiet").out == "a red fish swims\ngood\n"
    (example / "logs.txt").write_text("-90 0 -90\n-90 0\n")
    assert tertium("mbr", "nbest.txt", "--log-weights", "logs.txt", "--quiet").out == "a red fish swims\ngood\n"


def test_pairwise_formats(tertium, example):
    lines = (example / "target.txt").read_text().splitlines()
    wanted = pairwise(CHRF(), lines, lines)
    out = tertium("pairwise", "target.txt", "--format", "tsv").out
    np.testing.assert_array_equal(np.loadtxt(io.StringIO(out)), wanted)
    assert tertium("pairwise", "target.txt", "--format", "npy", "--output", "m.npy").code == 0
    np.testing.assert_array_equal(np.load(example / "m.npy"), wanted)
    found = json.loads(tertium("pairwise", "target.txt", "--format", "json").out)
    assert found["mean"] == pytest.approx((wanted.sum() - np.trace(wanted)) / 2)
    assert found["most_similar"][0]["score"] == wanted[0, 1]


def test_pairwise_parquet(tertium, example):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert tertium("pairwise", "target.txt", "nbest.txt", "--format", "parquet", "--output", "m.parquet").code == 0
    assert parquet.read_table(example / "m.parquet").num_rows == 10


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("mbr", "nothing.txt"), "nothing.txt"),
        (("mbr", "target.txt"), "lines:N"),
        (("mbr", "nbest.txt", "--nbest-format", "lines:0"), "lines:0"),
        (("mbr", "nbest.txt", "--nbest-format", "other"), "Known"),
        (("mbr", "nbest.txt", "--weights", "target.txt"), "line 1 is 'a red fish'"),
        (("mbr", "nbest.txt", "--weights", "nbest.txt", "--log-weights", "nbest.txt"), "not both"),
        (("best", "nbest.txt"), "-r FILE"),
        (("best", "nbest.txt", "-r", "nbest.txt"), "more than 2 lines"),
        (("pairwise", "target.txt", "--format", "npy"), "--output"),
        (("pairwise", "/dev/null"), "empty"),
    ],
)
def test_bad_input(tertium, example, call, message):
    result = tertium(*call)
    assert result.code == 1
    assert message in result.err
    assert "Traceback" not in result.err

"""`tertium orange`: formats of lists and of results, messages."""

import csv
import gzip
import io
import json

import pytest

MOSES = """0 ||| the bridge is shut today ||| LM: -3.2 ||| -7.1
0 ||| bridge the closed ||| LM: -4 ||| -9 ||| extra
1 ||| snow falls ||| ||| -1
1 |||  ||| ||| -2
2 ||| nobody know ||| f ||| -1
"""
CALL = ("orange", "nbest.txt", "-r", "a.txt", "-r", "b.txt")


@pytest.fixture
def example(tmp_path):
    (tmp_path / "nbest.txt").write_text(MOSES)
    (tmp_path / "a.txt").write_text("the bridge is closed today\nsnow fell on the pass\nnobody knows why\n")
    (tmp_path / "b.txt").write_text("today the bridge is closed\nit snowed on the pass\nno one knows why\n")
    return tmp_path


def test_table(tertium, example):
    result = tertium(*CALL)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Metric")
    assert "chrF    BLEU-s" in result.out
    assert "orange:oracle=mean,ties=average,leave_one_out=matched,samples=1000,seed=12345" in result.out


def test_json_of_both_levels(tertium, example):
    whole = json.loads(
        tertium(*CALL, "-m", "wer:tokenize=none", "--level", "corpus", "--level", "segment", "--format", "json").out
    )
    assert {"tertium", "signature", "metrics", "orange", "comparisons"} <= set(whole)
    corpus, *segments = whole["orange"]
    assert (corpus["level"], corpus["n"]) == ("corpus", 3)
    assert [one["segment"] for one in segments] == [1, 2, 3]
    assert [one["candidates"] for one in segments] == [2, 2, 1]
    assert corpus["value"] == pytest.approx(sum(one["rank"] / (one["candidates"] + 1) for one in segments) / 3)
    assert corpus["low"] <= corpus["value"] <= corpus["high"]
    assert whole["metrics"][0]["higher_is_better"] is False


@pytest.mark.parametrize("style", ["jsonl", "tsv", "csv", "markdown", "latex"])
def test_other_formats(tertium, example, style):
    out = tertium(*CALL, "--format", style, "--level", "segment", "-m", "chrf").out
    if style in ("tsv", "csv"):
        records = list(csv.DictReader(io.StringIO(out), delimiter="\t" if style == "tsv" else ","))
        assert [record["segment"] for record in records] == ["1", "2", "3"]
    elif style == "jsonl":
        assert [json.loads(line)["metric"] for line in out.splitlines()] == ["chrf"] * 3
    else:
        assert ("| Metric |" if style == "markdown" else r"\begin{tabular}") in out


def ranks(result):
    assert result.code == 0, result.err
    return [one["rank"] for one in map(json.loads, result.out.splitlines())]


def test_other_formats_of_lists(tertium, example):
    options = ("-r", "a.txt", "-r", "b.txt", "-m", "chrf", "--level", "segment", "--format", "jsonl")
    expected = ranks(tertium("orange", "nbest.txt", *options))
    (example / "n.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + MOSES.replace("\n", "\r\n").encode()))
    lists = [["the bridge is shut today", "bridge the closed"], ["snow falls", ""], ["nobody know"]]
    (example / "n.jsonl").write_text("".join(json.dumps({"candidates": one}) + "\n" for one in lists))
    (example / "m.jsonl").write_text(
        "".join(json.dumps({"id": i, "text": text}) + "\n" for i, one in enumerate(lists) for text in one)
    )
    (example / "t.txt").write_text(
        "".join(f"[doc][{i + 5}]:{k} ||| {text}\n" for i, one in enumerate(lists) for k, text in enumerate(one))
    )
    for name in ("n.gz", "n.jsonl", "m.jsonl", "t.txt"):
        assert ranks(tertium("orange", name, *options)) == expected, name
    assert ranks(tertium("orange", "-", *options, stdin=MOSES.encode())) == expected


def test_sentences_without_translations_are_left_out_and_counted(tertium, example):
    (example / "nbest.txt").write_text("0 ||| x\n2 ||| y\n")
    result = tertium(*CALL, "-m", "chrf", "--level", "segment", "--format", "jsonl")
    assert [json.loads(line)["segment"] for line in result.out.splitlines()] == [1, 3]
    assert "no translation of 1 of 3 sentences, the first of them 1 (counted from 0)" in result.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nbest.txt is empty"),
        ("0 ||| a\n\n", "line 2 is empty"),
        ("just a text\n", "line 1 is 'just a text', which is no line of an n-best list"),
        ("x ||| a\n", "line 1 begins with 'x', but the number of a sentence"),
        ("-1 ||| a\n", "line 1 begins with '-1'"),
        ("9" * 5000 + " ||| a\n", "line 1 begins with '9999"),
        ('{"candidates": ' + "[" * 100_000 + "]" * 100_000 + "}\n", "line 1 is no JSON"),
        ("1 ||| a\n0 ||| b\n", "line 2 is about sentence 0, but the line before is about a later one"),
        ("0 ||| a\n7 ||| b\n", "sentence 7 (counted from 0), but a.txt has only 3 lines."),
        ("1 ||| a\n2 ||| b\n3 ||| c\n", "numbered from 1? They must be from 0"),
        ('{"id": 0, "text": "a"}\n{"id": 0\n', "line 2 is no JSON"),
        ('{"id": 0}\n', "line 1 has the keys id"),
        ('{"id": 0, "text": 3}\n', "line 1: the translations are [3]"),
        ('{"id": -1, "text": "a"}\n', "line 1: the id is -1"),
        ('{"candidates": "a"}\n', "line 1: the translations are 'a'"),
        ('{"a": 1}\n[1]\n', "line 1 has the keys a"),
        ('{"candidates": []}\n{"candidates": ["a"]}\n[1]\n', "line 3 is no JSON object"),
    ],
)
def test_broken_lists(tertium, example, text, message):
    (example / "nbest.txt").write_text(text)
    result = tertium(*CALL)
    assert result.code == 1
    assert message in result.err
    assert result.out == ""


def test_bytes_that_are_no_text(tertium, example):
    (example / "nbest.txt").write_bytes(b"0 ||| a\n0 ||| \xff\n")
    assert "nbest.txt, line 2, byte 7 (0xFF) is not UTF-8" in tertium(*CALL).err


def test_references_that_do_not_do(tertium, example):
    assert "at least two are needed" in tertium("orange", "nbest.txt", "-r", "a.txt").err
    assert "No reference was given" in tertium("orange", "nbest.txt").err
    (example / "b.txt").write_text("one\n")
    result = tertium(*CALL)
    assert (result.code, "a.txt has 3 segments, but b.txt has 1" in result.err) == (1, True)
    assert tertium("orange", "missing.txt", "-r", "a.txt", "-r", "a.txt").code == 1
    assert tertium("orange").code == 2


def test_output_is_written_whole_or_not_at_all(tertium, example):
    assert tertium(*CALL, "--output", "out.tsv", "--format", "tsv").code == 0
    assert (example / "out.tsv").read_text().startswith("metric\tlevel\tsegment\tvalue")
    (example / "nbest.txt").write_text("x\n")
    assert tertium(*CALL, "--output", "other.tsv").code == 1
    assert not (example / "other.tsv").exists()

"""`tertium paraphrases`: from a bitext to a table, and what tables hold."""

import gzip
import json
from pathlib import Path

import pytest

TEXT = "the big ship\nthe large ship\nthe large boat\n"
PIVOT = "det stora fartyget\ndet stora fartyget\ndet stora fartyget\n"
LINKS = "0-0 1-1 2-2\n" * 3


@pytest.fixture
def bitext(tmp_path):
    for name, text in (("t.en", TEXT), ("t.sv", PIVOT), ("t.links", LINKS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return ["--bitext", str(tmp_path / "t.en"), str(tmp_path / "t.sv"), "--links", str(tmp_path / "t.links")]


def test_from_a_bitext_to_a_table(tertium, tmp_path, bitext):
    result = tertium("paraphrases", "extract", *bitext, "--output", str(tmp_path / "t.tsv"))
    assert result.code == 0, result.err
    assert "3  lines" in result.out
    rows = [line.split("\t") for line in (tmp_path / "t.tsv").read_text().splitlines()[1:]]
    found = {(a, b): float(p) for a, b, p in rows}
    assert found["big", "large"] == pytest.approx(2 / 3)
    assert found["the big", "the large"] == pytest.approx(2 / 3)

    shown = tertium("paraphrases", "lookup", str(tmp_path / "t.tsv"), "big", "--format", "json")
    assert json.loads(shown.out)["paraphrases"] == [
        {"phrase": "big", "paraphrase": "large", "probability": pytest.approx(2 / 3)}
    ]
    report = json.loads(
        tertium(
            "paraphrases", "extract", *bitext, "--output", str(tmp_path / "u.tsv"), "--format", "json", "--top", "1"
        ).out
    )
    assert report["dropped"]["top"] > 0
    assert report["kept"] + report["dropped"]["top"] == len(rows)


@pytest.mark.parametrize("name", ["o.gz", "o.terp", "o.index", "o.tsv.gz"])
def test_each_layout_can_be_read_again(tertium, tmp_path, bitext, name):
    table, other = str(tmp_path / name), str(tmp_path / "back.tsv")
    assert tertium("paraphrases", "extract", *bitext, "--output", table).code == 0
    assert tertium("paraphrases", "convert", table, other).code == 0
    straight = str(tmp_path / "straight.tsv")
    assert tertium("paraphrases", "extract", *bitext, "--output", straight).code == 0
    lines = [sorted(Path(path).read_text(encoding="utf-8").splitlines()) for path in (other, straight)]
    assert lines[0] == lines[1]


def test_a_bare_bitext_is_aligned(tertium, tmp_path):
    pytest.importorskip("thot", reason="needs sil-thot")
    text = ["The house is big.", "The house is large.", "The book is big.", "The book is large."] * 10
    pivot = ["Huset är stort.", "Huset är stort.", "Boken är stort.", "Boken är stort."] * 10
    (tmp_path / "t.en").write_text("\n".join(text) + "\n", encoding="utf-8")
    (tmp_path / "t.sv").write_text("\n".join(pivot) + "\n", encoding="utf-8")
    result = tertium("paraphrases", "extract", "--bitext", str(tmp_path / "t.en"), str(tmp_path / "t.sv"),
                     "--lowercase", "--output", str(tmp_path / "t.gz"))  # fmt: skip
    assert result.code == 0, result.err
    lines = gzip.decompress((tmp_path / "t.gz").read_bytes()).decode().splitlines()
    assert ("big", "large") in set(zip(lines[1::3], lines[2::3], strict=True))
    assert not any("The" in line for line in lines)


def test_what_a_table_holds(tertium, tmp_path):
    rows = ["walk\twalks\t0.5", "a house\tthe house\t0.25", "house\tthe house\t0.02", "in front of\tbefore\t0.002"]
    table = tmp_path / "t.tsv"
    table.write_text("phrase_ref\tphrase_hyp\tprob\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    found = json.loads(tertium("paraphrases", "info", str(table), "--format", "json").out)
    assert found["entries"] == found["phrases"] == 4
    assert found["kinds"] == {
        "equal after stemming": 1, "one side contains the other": 1, "one word differs": 1, "rest": 1,
    }  # fmt: skip
    assert found["probabilities"] == {"0.001": 1, "0.01": 1, "0.2": 1, "0.5": 1}
    assert found["lengths"] == {"1-1": 1, "1-2": 1, "2-2": 1, "3-1": 1}
    assert found["samples"]["rest"] == [["in front of", "before", 0.002]]
    assert len(tertium("paraphrases", "sample", str(table), "-n", "2", "--format", "tsv").out.splitlines()) == 3
    same = [tertium("paraphrases", "sample", str(table), "-n", "2", "--seed", "5").out for _ in range(2)]
    assert same[0] == same[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "x.tsv"], "Nothing to extract from"),
        (["--bitext", "a", "b", "--links", "c", "--links", "d", "--output", "x.tsv"], "1 bitexts but 2 files of links"),
        (["--table", "a", "--weight", "1", "--weight", "2", "--output", "x.tsv"], "1 sources but 2 weights"),
        (["--table", "absent", "--output", "x.tsv"], "absent is no file"),
        (["--table", "absent", "--output", "x.xlsx"], "End the name in .tsv"),
        (["--table", "absent", "--output", "x.tsv", "--max-length", "0"], "1 to 10 words"),
        (["--table", "absent", "--output", "x.tsv", "--min-probability", "nan"], "floor must be"),
        (["--table", "absent", "--output", "nowhere/x.tsv"], "there is no directory"),
    ],
)
def test_what_cannot_be_meant_is_refused(tertium, arguments, message):
    result = tertium("paraphrases", "extract", *arguments)
    assert result.code == 1
    assert message in result.err

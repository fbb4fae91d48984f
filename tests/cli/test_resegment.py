"""The command `resegment`, and --resegment of others."""

import json
from pathlib import Path

import pytest

REFERENCE = "The sun is out.\nBirds sing.\nNothing here.\nOne more.\nThe end.\n"
LINES = "The sun shines. The birds sing.\nThere is nothing.\nOne more. This is the end.\n"
DOCUMENTS = "a\na\nb\nc\nc\n"
CUT = "The sun shines.\nThe birds sing.\nThere is nothing.\nOne more.\nThis is the end.\n"


@pytest.fixture
def files(tertium):
    for name, text in (("ref", REFERENCE), ("hyp", LINES), ("docs", DOCUMENTS), ("cut", CUT)):
        Path(f"{name}.txt").write_text(text, encoding="utf-8")
    Path("seg.yaml").write_text("".join(f"- {{wav: {d}.wav, offset: 1.0, duration: 2.5}}\n" for d in DOCUMENTS.split()))
    return tertium


def test_lines_come_back_cut(files):
    assert files("resegment", "hyp.txt", "-r", "ref.txt", "--documents", "docs.txt").out == CUT
    assert files("resegment", "hyp.txt", "-r", "ref.txt", "--segments", "seg.yaml").out == CUT
    assert files("resegment", "hyp.txt", "-r", "ref.txt").out == CUT
    result = files("resegment", "hyp.txt", "-r", "ref.txt", "--documents", "docs.txt", "-o", "out.txt")
    assert (result.code, result.out, Path("out.txt").read_text()) == (0, "", CUT)
    assert "of 2 cuts are doubtful" in result.err


def test_confidence_stands_behind_a_tab_and_json_has_everything(files):
    rows = files("resegment", "hyp.txt", "-r", "ref.txt", "--confidence-column", "--quiet").out.splitlines()
    assert [row.split("\t")[0] for row in rows] == CUT.splitlines()
    assert rows[-1].endswith("\t1.0000")
    found = json.loads(files("resegment", "hyp.txt", "-r", "ref.txt", "--format", "json").out)
    assert found["lines"] == CUT.splitlines()
    assert found["signature"].startswith("resegment=soft/13a|")


def test_unequal_files_end_with_what_helps(files):
    result = files("score", "hyp.txt", "-r", "ref.txt")
    assert result.code == 1
    assert result.err.endswith("5 reference lines, 3 in the hypothesis: add --resegment soft\n")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_scores_are_those_of_the_lines_cut_before(files, command):
    Path("two.txt").write_text(LINES.replace("sun", "moon"), encoding="utf-8")
    cut = files("resegment", "two.txt", "-r", "ref.txt", "--documents", "docs.txt", "-o", "two.cut.txt")
    assert cut.code == 0
    texts = ["--documents", "docs.txt", "-r", "ref.txt", "-m", "chrf", "--format", "json"]
    found = json.loads(files(command, "hyp.txt", "two.txt", *texts, "--resegment", "soft").out)
    before = json.loads(files(command, "hyp=cut.txt", "two=two.cut.txt", *texts).out)
    assert [row["score"] for row in found["scores"]] == [row["score"] for row in before["scores"]]
    assert "|resegment=soft/13a|" in found["metrics"][0]["signature"]


def test_documents_are_drawn_where_segments_were_cut(files):
    arguments = ["score", "hyp.txt", "-r", "ref.txt", "--documents", "docs.txt", "-m", "chrf", "--confidence"]
    assert "unit=document" in files(*arguments, "--resegment", "soft").out
    assert "unit=segment" in files("score", "cut.txt", *arguments[2:]).out
    two = files("compare", "hyp.txt", "x=hyp.txt", *arguments[2:-1], "--resegment", "soft", "--format", "json")
    assert "unit=document" in two.out


def test_signatures_are_read_back(files):
    out = files("score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "--resegment", "soft", "--signatures", "full").out
    assert "resegment=soft/13a" in out.replace("\n    ", "")
    told = files("explain", "bleu|refs=1|resegment=soft/13a|tertium=0.1.0")
    assert told.code == 0
    assert "soft/13a" in told.out


def test_alignments_are_of_the_lines_cut(files):
    out = files("align", "hyp.txt", "-r", "ref.txt", "--resegment", "soft", "--segment", "5", "--format", "json").out
    assert json.loads(out)["alignments"][0]["hypothesis"][0].lower() == "this"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["resegment", "hyp.txt"], "No reference"),
        (["resegment", "hyp.txt", "-r", "ref.txt", "--documents", "docs.txt", "--segments", "seg.yaml"], "give one of"),
        (["resegment", "hyp.txt", "-r", "ref.txt", "--segments", "docs.txt"], "docs.txt, line 1"),
        (["resegment", "hyp.txt", "-r", "ref.txt", "--documents", "hyp.txt"], "3 document ids for 5"),
        (["resegment", "-", "-r", "-"], "Standard input"),
        (["latency", "-", "-r", "-"], "Standard input"),
        (["latency", "hyp.txt", "-r", "ref.txt", "--resegment", "mwer"], "give them, --segments FILE"),
        (
            ["latency", "x", "-r", "ref.txt", "--segments", "seg.yaml", "--resegment", "mwer", "--like", "mweralign"],
            "leave out --resegment",
        ),
        (["score", "hyp.txt", "-r", "ref.txt", "--hyp-documents", "docs.txt"], "--resegment METHOD"),
        (
            ["score", "cut.txt", "-r", "ref.txt", "--documents", "docs.txt", "--resegment", "soft"],
            "--hyp-documents FILE",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(files, arguments, says):
    result = files(*arguments)
    assert result.code == 1
    assert says in result.err


def test_segments_may_have_comments_and_quotes(files):
    entries = [
        '- {"wav": a, "offset": 0, "duration": 1}  # one',
        '- {wav: "a", offset: 1, duration: 1}',
        "- wav: 'b # b'  # x",
    ]
    more = [
        "  offset: 0 # s",
        "  duration: 1",
        "- {wav: c, offset: 0, duration: 1}",
        "- {wav: c, offset: 1, duration: 1}",
    ]
    Path("odd.yaml").write_text("\n".join(entries + more))
    found = json.loads(files("resegment", "hyp.txt", "-r", "ref.txt", "--segments", "odd.yaml", "--format", "json").out)
    assert found["documents"] == ["a", "a", "b # b", "c", "c"]


def test_segments_with_huge_numbers_are_refused(files):
    Path("bad.json").write_text(json.dumps([{"wav": "a", "offset": 10**400, "duration": 1}]))
    result = files("resegment", "hyp.txt", "-r", "ref.txt", "--segments", "bad.json")
    assert "but seconds were expected" in result.err


@pytest.mark.parametrize(
    "line", ["- {wav: a, offset: -1, duration: 2}", "- {wav: a, offset: x, duration: 2}", "- {wav: a}"]
)
def test_segments_that_are_none_are_refused_with_their_line(files, line):
    Path("bad.yaml").write_text(f"- {{wav: a, offset: 0, duration: 1}}\n{line}\n")
    result = files("resegment", "hyp.txt", "-r", "ref.txt", "--segments", "bad.yaml")
    assert result.code == 1
    assert "bad.yaml, line 2" in result.err

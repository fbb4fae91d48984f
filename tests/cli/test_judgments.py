"""`tertium judgments`: every action, every format, what it refuses."""

import csv
import json

import pytest

JUDGMENTS = """system\tdocument\tsegment\trater\tkind\tscore
north\troads\t1\tada\tadequacy\t5
north\troads\t1\tben\tadequacy\t4
north\troads\t2\tada\tadequacy\t4
north\troads\t2\tben\tadequacy\t4
north\ttalk\t3\tada\tadequacy\t3
north\ttalk\t3\tben\tadequacy\t2
south\troads\t1\tada\tadequacy\t2
south\troads\t1\tben\tadequacy\t1
south\troads\t2\tada\tadequacy\t3
south\troads\t2\tben\tadequacy\t3
south\ttalk\t3\tada\tadequacy\t1
south\ttalk\t3\tben\tadequacy\t1
"""


@pytest.fixture
def judgments(tmp_path):
    (tmp_path / "j.tsv").write_text(JUDGMENTS)
    return "j.tsv"


def records(text, delimiter="\t"):
    return list(csv.DictReader(text.splitlines(), delimiter=delimiter))


ACTIONS = [
    ("import", "judgments"),
    ("info", "kinds"),
    ("normalise", "judgments"),
    ("aggregate", "scores"),
    ("agreement", "agreement"),
    ("raters", "raters"),
    ("pairs", "preferences"),
]


@pytest.mark.parametrize(("action", "key"), ACTIONS)
def test_every_action_in_every_format(tertium, judgments, action, key):
    as_json = json.loads(tertium("judgments", action, judgments, "--format", "json").out)
    assert set(as_json) == {"tertium", key}
    rows = as_json[key]
    assert rows
    lines = [json.loads(line) for line in tertium("judgments", action, judgments, "--format", "jsonl").out.splitlines()]
    assert lines == rows
    for style, delimiter in (("tsv", "\t"), ("csv", ",")):
        found = records(tertium("judgments", action, judgments, "--format", style).out, delimiter)
        assert [set(row) for row in found] == [set(rows[0])] * len(rows)
    for style, mark in (("table", "---"), ("markdown", "|---"), ("latex", r"\begin{tabular}")):
        result = tertium("judgments", action, judgments, "--format", style)
        assert result.code == 0
        assert mark in result.out


@pytest.mark.parametrize(("action", "key"), ACTIONS)
def test_a_file_is_written_whole_or_not_at_all(tertium, judgments, action, key, tmp_path):
    result = tertium("judgments", action, judgments, "--output", "out.txt")
    assert (result.code, result.out) == (0, "")
    assert (tmp_path / "out.txt").read_text() == tertium("judgments", action, judgments).out
    assert tertium("judgments", action, judgments, "--output", "nowhere/out.txt").code == 1
    (tmp_path / "bad.tsv").write_text("system\tscore\na\tx\n")
    assert tertium("judgments", action, "bad.tsv", "--output", "other.txt").code == 1
    assert not (tmp_path / "other.txt").exists()


def test_the_pipeline(tertium, judgments):
    z = tertium("judgments", "normalise", judgments)
    result = tertium("judgments", "aggregate", "-", "--format", "tsv", stdin=z.out.encode())
    scores = {row["system"]: float(row["score"]) for row in records(result.out)}
    assert scores["north"] == pytest.approx(-scores["south"])
    assert scores["north"] > 0


def test_levels_and_lengths(tertium, judgments, tmp_path):
    (tmp_path / "ref.txt").write_text("a b c d\na b\na\n")
    rows = records(
        tertium("judgments", "aggregate", judgments, "--level", "document", "-r", "ref.txt", "--format", "tsv").out
    )
    assert [(row["system"], row["document"], float(row["score"])) for row in rows][:2] == [
        ("north", "roads", pytest.approx((4.5 * 4 + 4 * 2) / 6)),
        ("north", "talk", 2.5),
    ]
    (tmp_path / "short.txt").write_text("a\n")
    result = tertium("judgments", "aggregate", judgments, "-r", "short.txt")
    assert result.code == 1
    assert "there are only 1" in result.err


def test_comprehensibility_needs_its_scale(tertium, judgments):
    result = tertium("judgments", "aggregate", judgments, "--comprehensible")
    assert result.code == 1
    assert "needs the scale that was used: --scale 0-4, 1-5 or 1-7" in result.err
    rows = records(
        tertium("judgments", "aggregate", judgments, "--comprehensible", "--scale", "1-5", "--format", "tsv").out
    )
    assert [(row["system"], float(row["comprehensibility"]), float(row["mean"])) for row in rows] == [
        ("north", pytest.approx(5 / 6), pytest.approx(22 / 6)),
        ("south", pytest.approx(2 / 6), pytest.approx(11 / 6)),
    ]
    result = tertium("judgments", "aggregate", judgments, "--comprehensible", "--scale", "0-4")
    assert result.code == 1
    assert "not on the scale 0-4" in result.err


def test_clusters(tertium, judgments):
    rows = records(tertium("judgments", "aggregate", judgments, "--clusters", "--format", "tsv").out)
    assert [row["system"] for row in rows] == ["north", "south"]


def test_notes_stand_below_the_table(tertium, tmp_path):
    (tmp_path / "equal.tsv").write_text(
        "system\tsegment\trater\tscore\na\t1\tr\t3\na\t1\ts\t3\na\t2\tr\t3\na\t2\ts\t3\n"
    )
    result = tertium("judgments", "agreement", "equal.tsv")
    assert result.code == 0
    assert "all judgments are equal" in result.out
    assert (
        json.loads(tertium("judgments", "agreement", "equal.tsv", "--format", "json").out)["agreement"][-1]["value"]
        is None
    )


def test_kinds_are_chosen_and_systems_renamed(tertium, tmp_path):
    (tmp_path / "j.tsv").write_text("system\tsegment\tkind\tscore\na.1\t1\tx\t1\na.1\t1\ty\t2\n")
    rows = records(tertium("judgments", "import", "j.tsv", "--kind", "y", "--strip-numbers", "--rename", "a=mill").out)
    assert [(row["system"], row["kind"], row["score"]) for row in rows] == [("mill", "y", "2.0")]
    assert "No kind of judgment is called 'z'" in tertium("judgments", "import", "j.tsv", "--kind", "z").err
    assert "--rename is written OLD=NEW" in tertium("judgments", "import", "j.tsv", "--rename", "a").err
    assert "No system is called 'b'" in tertium("judgments", "import", "j.tsv", "--rename", "b=c").err
    assert "several kinds of judgments: x, y" in tertium("judgments", "pairs", "j.tsv").err


def test_several_files_become_one_table(tertium, judgments, tmp_path):
    (tmp_path / "more.csv").write_text("system,segment,kind,score\nnorth,1,fluency,4\n")
    rows = records(tertium("judgments", "info", judgments, "more.csv", "--format", "tsv").out)
    assert [row["kind"] for row in rows] == ["adequacy", "fluency"]


def test_adequacy_and_fluency(tertium, tmp_path):
    (tmp_path / "af.csv").write_text("system,segment,rater,adequacy,fluency\na,1,r,4,5\na,2,r,2,1\n")
    rows = records(tertium("judgments", "import", "af.csv", "--scale", "1-5", "--combine", "sum").out)
    assert [row["score"] for row in rows if row["kind"] == "adequacy+fluency"] == ["9.0", "3.0"]
    result = tertium("judgments", "import", "af.csv", "--scale", "1-4")
    assert (result.code, "not on the scale 1-4" in result.err) == (1, True)


def test_pairs_of_rankings(tertium, tmp_path):
    (tmp_path / "a.rank").write_text("1\tcs-en\tx\tcs-en\ty\n")
    rows = records(tertium("judgments", "import", "a.rank").out)
    assert rows == [{"first": "x", "second": "y", "document": "", "segment": "1", "rater": "", "outcome": "better"}]
    assert "preference" in tertium("judgments", "info", "a.rank").out


def test_within_documents_needs_ids(tertium, judgments, tmp_path):
    result = tertium("judgments", "import", judgments, "--within-documents")
    assert (result.code, "needs --documents FILE" in result.err) == (1, True)
    (tmp_path / "within.tsv").write_text("system\tdoc\tsegment\tscore\na\ty\t1\t5\na\tx\t2\t6\n")
    (tmp_path / "ids.txt").write_text("x\nx\ny\n")
    rows = records(tertium("judgments", "import", "within.tsv", "--within-documents", "--documents", "ids.txt").out)
    assert [row["segment"] for row in rows] == ["3", "2"]


def test_hter(tertium, files):
    rows = records(tertium("judgments", "hter", "south.txt", "-p", "north.txt", "--quiet").out)
    assert {row["kind"] for row in rows} == {"hter"}
    assert [row["segment"] for row in rows] == ["1", "2", "3", "4", ""]
    untargeted = records(tertium("judgments", "hter", "south.txt", "-p", "south=north.txt", "-r", "ref.a.txt").out)
    assert untargeted[2]["score"] != rows[2]["score"]  # three words or four
    several = records(
        tertium(
            "judgments",
            "hter",
            "south.txt",
            "-p",
            "south=north.txt",
            "-p",
            "south=south.txt",
            "-m",
            "ter",
            "-m",
            "bleu",
        ).out
    )
    whole = {row["kind"]: float(row["score"]) for row in several if row["segment"] == ""}
    assert whole == pytest.approx({"hter": 0, "hbleu": 100})
    result = tertium("judgments", "hter", "south.txt", "north.txt", "-p", "north.txt")
    assert (result.code, "2 systems and 1 files of post-edits" in result.err) == (1, True)
    result = tertium("judgments", "hter", "south.txt", "-p", "north.txt", "-r", "ref.a.txt", "-m", "bleu")
    assert (result.code, "takes no untargeted references" in result.err) == (1, True)


def test_only_edits_are_divided_by_other_lengths(tertium, files):
    result = tertium(
        "judgments", "hter", "south.txt", "-p", "north.txt", "-r", "ref.a.txt", "-m", "ter", "-m", "bleu"
    )  # fmt: skip
    assert (result.code, "bleu: no use is made of -r" in result.err) == (0, True)
    assert {row["kind"] for row in records(result.out)} == {"hter", "hbleu"}


def test_a_rater_with_one_judgment_is_named(tertium, tmp_path):
    (tmp_path / "one.tsv").write_text(
        "system\tsegment\trater\tscore\na\t1\tada\t3\na\t2\tada\t4\na\t1\tsolo\t5\n"
    )  # fmt: skip
    result = tertium("judgments", "agreement", "one.tsv", "--measure", "cohen")
    assert "1 raters have only one judgment (solo)" in result.err
    assert "cohen: one item in common says next to nothing." in result.out


def test_the_same_file_twice_is_pointed_out(tertium, judgments):
    assert "repeat an earlier one" in tertium("judgments", "info", judgments, judgments).err


def test_a_segment_far_beyond_all_others(tertium, tmp_path):
    (tmp_path / "far.tsv").write_text(
        "system\tsegment\tscore\na\t99999999999999\t1\nb\t99999999999999\t2\na\t1\t1\n"
    )  # fmt: skip
    assert records(tertium("judgments", "pairs", "far.tsv").out)[0]["segment"] == "99999999999999"
    (tmp_path / "scores.tsv").write_text("system\tsegment\tmetric\tscore\na\t1\tm\t1\nb\t1\tm\t2\n")
    result = tertium("correlate", "--scores", "scores.tsv", "--judgments", "far.tsv")
    assert (result.code, "speak of segment 99,999,999,999,999" in result.err) == (1, True)


def test_hter_comes_back_as_errors(tertium, files, tmp_path):
    tertium("judgments", "hter", "south.txt", "-p", "north.txt", "--output", "hter.tsv")
    rows = json.loads(tertium("judgments", "info", "hter.tsv", "--format", "json").out)["kinds"]
    assert {row["higher_is_better"] for row in rows} == {False}


def test_segments_that_counts_differ_in(tertium, files, tmp_path):
    (tmp_path / "short.txt").write_text("one\n")
    result = tertium("judgments", "hter", "south.txt", "-p", "short.txt")
    assert (result.code, "south has 4 segments, but there are 1 in its post-edits" in result.err) == (1, True)


def test_a_folder_needs_its_pair(tertium, tmp_path):
    for pair in ("en-de", "de-en"):
        for name, text in (
            (f"sources/{pair}.txt", "x\n"),
            (f"documents/{pair}.docs", "news d\n"),
            (f"system-outputs/{pair}/mill.txt", "y\n"),
            (f"human-scores/{pair}.mqm.seg.score", "mill -1\n"),
        ):
            path = tmp_path / "wmt" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    result = tertium("judgments", "info", "wmt")
    assert (result.code, "has several language pairs: de-en, en-de" in result.err) == (1, True)
    assert "mqm" in tertium("judgments", "info", "wmt", "--pair", "en-de").out


def test_a_folder_of_another_kind_is_refused(tertium, tmp_path):
    (tmp_path / "stuff").mkdir()
    result = tertium("judgments", "info", "stuff")
    assert (result.code, "stuff is no test set in mt-metrics-eval's layout" in result.err) == (1, True)


def test_warnings_can_be_silenced(tertium, tmp_path):
    (tmp_path / "j.tsv").write_text("system\tsegment\tscore\na\t1\t1\na\t2\t\n")
    assert "1 of 2 rows have no score" in tertium("judgments", "info", "j.tsv").err
    assert tertium("judgments", "info", "j.tsv", "--quiet").err == ""


def test_missing_and_empty_files(tertium, tmp_path):
    for action, _ in ACTIONS:
        result = tertium("judgments", action, "missing.tsv")
        assert (result.code, "cannot be read" in result.err) == (1, True)
    (tmp_path / "empty.tsv").write_text("")
    assert "is empty" in tertium("judgments", "info", "empty.tsv").err
    assert tertium("judgments", "info").code == 2

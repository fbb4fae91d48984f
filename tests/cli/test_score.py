"""`tertium score`: levels, formats, names of systems, files, exit codes."""

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

import tertium as library
from tertium import BLEU, CHRF, TER

TWO_REFERENCES = ("-r", "ref.a.txt", "-r", "ref.b.txt")
FIELDS = ["system", "metric", "level", "document", "segment", "score", "low", "high", "segments", "references"]


@pytest.fixture(autouse=True)
def _files(files):
    pass


@pytest.fixture
def expected(files):
    """Return the library's own scores of both systems."""
    references = [list(pair) for pair in zip(files["ref.a.txt"], files["ref.b.txt"], strict=True)]
    systems = {name: files[f"{name}.txt"] for name in ("north", "south")}
    return library.score(
        {"bleu": BLEU(), "chrf": CHRF(), "ter": TER()}, systems, references, documents=files["docs.txt"]
    )


def records(result):
    assert result.code == 0, result.err
    return json.loads(result.out)["scores"]


# --- formats ------------------------------------------------------------------------------------------------


def test_json(tertium, expected):
    result = tertium("score", "north.txt", "south.txt", *TWO_REFERENCES, "--format", "json")
    assert json.loads(result.out) == json.loads(json.dumps(expected.to_dict(["corpus"])))
    assert result.err == ""


@pytest.mark.parametrize("level", ["corpus", "document", "segment"])
def test_levels(tertium, expected, level):
    arguments = ["north.txt", "south.txt", *TWO_REFERENCES, "--documents", "docs.txt", "--level", level]
    result = tertium("score", *arguments, "--format", "json", "--quiet")
    assert records(result) == json.loads(json.dumps(expected.to_dict([level])["scores"]))


def test_several_levels_at_once(tertium):
    arguments = ["north.txt", "-r", "ref.a.txt", "-m", "chrf", "--documents", "docs.txt"]
    levels = ["--level", "segment", "--level", "corpus", "--level", "document"]
    found = records(tertium("score", *arguments, *levels, "--format", "json"))
    assert [(record["level"], record["document"], record["segment"]) for record in found] == [
        *(("segment", None, n) for n in (1, 2, 3, 4)),
        ("corpus", None, None),
        ("document", "roads", None),
        ("document", "talk", None),
    ]


def test_jsonl_tsv_and_csv_hold_the_same_records(tertium):
    arguments = ["score", "north.txt", "south.txt", "-r", "ref.a.txt", "--level", "segment", "--quiet", "--format"]
    by_json = records(tertium(*arguments, "json"))
    by_jsonl = [json.loads(line) for line in tertium(*arguments, "jsonl").out.splitlines()]
    assert [{name: row[name] for name in FIELDS} for row in by_jsonl] == by_json
    assert {tuple(row)[-1] for row in by_jsonl} == {"signature"}
    for style, delimiter in (("tsv", "\t"), ("csv", ",")):
        rows = list(csv.DictReader(io.StringIO(tertium(*arguments, style).out), delimiter=delimiter))
        assert list(rows[0]) == [*FIELDS, "signature"]
        assert [float(row["score"]) for row in rows] == [record["score"] for record in by_json]
        assert [(row["segment"], row["document"]) for row in rows] == [(str(r["segment"]), "") for r in by_json]


def test_table(tertium, expected):
    result = tertium("score", "north.txt", "south.txt", *TWO_REFERENCES)
    lines = result.out.splitlines()
    assert lines[0].split() == ["System", "BLEU", "↑", "chrF", "↑", "TER", "↓"]
    assert lines[2].split()[0] == "north"
    assert lines[2].split()[2].rstrip("*") == f"{expected.corpus['north']['chrf']:.2f}"
    assert "*" in lines[2]  # the better one
    assert "*" not in lines[3]
    assert all(len(line) <= 80 for line in lines)
    assert lines[5:] == list(expected.short_signatures.values())


def test_signatures_are_short_full_or_left_out(tertium, expected):
    call = ("score", "north.txt", "south.txt", *TWO_REFERENCES)
    lines = tertium(*call, "--signatures", "full").out.splitlines()
    shown = "".join(line.removeprefix("    ") for line in lines[5:])
    assert expected.signatures["bleu"] in shown
    assert expected.signatures["chrf"] in shown
    assert all(len(line) <= 80 for line in lines)
    assert "refs=" not in tertium(*call, "--signatures", "none").out
    assert "bleu|refs=2|" in tertium(*call, "--format", "markdown").out
    assert "% bleu|refs=2|" in tertium(*call, "--format", "latex").out
    assert "bleu:tokenize=13a" in tertium(*call, "--format", "json").out


def test_a_metric_can_have_a_name(tertium):
    call = ("score", "north.txt", *TWO_REFERENCES, "-m", "split=bleu:tokenize=char", "-m", "BLEU")
    result = tertium(*call)
    assert result.out.splitlines()[0].split() == ["System", "split", "↑", "BLEU", "↑"]
    assert "\nsplit: bleu:tokenize=char|refs=2|" in result.out
    assert [record["metric"] for record in records(tertium(*call, "--format", "json"))] == ["split", "BLEU"]
    twice = tertium("score", "north.txt", *TWO_REFERENCES, "-m", "a=bleu", "-m", "a=chrf")
    assert (twice.code, "metric a was given twice" in twice.err) == (1, True)


def test_a_metric_among_the_files_gets_a_hint(tertium):
    result = tertium("score", "north.txt", "-r", "ref.a.txt", "-m", "bleu", "chrf")
    assert result.code == 1
    assert "-m takes one value: add -m chrf" in result.err


def test_many_metrics_and_long_names_wrap_as_blocks(tertium):
    metrics = [
        "bleu",
        "chrf",
        "chrf++",
        "ter",
        "wer",
        "per",
        "cder",
        "nist",
        "bleu:tokenize=intl,lowercase=true,orders=1+2",
    ]
    result = tertium(
        "score", "a-system-with-quite-a-long-name=north.txt", "b=south.txt", "-r", "ref.a.txt", "--quiet",
        *(word for metric in metrics for word in ("-m", metric)),
    )  # fmt: skip
    lines = result.out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    heads = [line for line in lines if line.startswith("System")]
    assert len(heads) == 2  # each block says again whose the numbers are
    assert " ".join(heads).split()[:7] == ["System", "BLEU", "↑", "chrF", "↑", "chrF++", "↑"]
    assert sum(line.startswith("a-system-with-quite-a-long-name  ") for line in lines) == 2
    assert "lowercase=true," in result.out  # the long head is broken after a comma


def test_sheets_have_full_signatures_unless_none_are_wanted(tertium, expected):
    call = ("score", "north.txt", *TWO_REFERENCES, "-m", "bleu", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(tertium(*call).out))
    assert row["signature"] == expected.signatures["bleu"]
    (row,) = csv.DictReader(io.StringIO(tertium(*call, "--signatures", "none").out))
    assert list(row) == FIELDS


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        (["hyp.A.txt", "hyp.B.txt"], ["A", "B"]),
        (["newstest.A.0.de-en", "newstest.B.C.0.de-en"], ["A", "B.C"]),
        (["hyp.A.txt"], ["hyp.A"]),  # nothing to share it with
        (["model.v1.2.txt", "model.v1.3.txt"], ["model.v1.2", "model.v1.3"]),  # parts of a number
        (["hyp.txt", "hyp.A.txt"], ["hyp", "hyp.A"]),  # nothing would be left of one
        (["hyp.A.txt", "A=hyp.B.txt"], ["hyp.A", "A"]),
        (["x.A=hyp.A.txt", "x.B=hyp.B.txt"], ["x.A", "x.B"]),  # names that somebody chose
    ],
)
def test_tables_leave_out_what_all_files_are_called(tertium, files, shown):
    for argument in files:
        Path(argument.rpartition("=")[2]).write_text("Dogs travel free.\n")
    Path("ref").write_text("Dogs travel free.\n")
    call = ["score", *files, "-r", "ref", "-m", "chrf"]
    assert [line.split()[0] for line in tertium(*call).out.splitlines()[2 : 2 + len(files)]] == shown
    stems = [a.partition("=")[0] if "=" in a else Path(a).stem for a in files]
    assert [record["system"] for record in records(tertium(*call, "--format", "json"))] == stems


def test_decimals(tertium, expected):
    result = tertium("score", "north.txt", *TWO_REFERENCES, "-m", "chrf", "--decimals", "5")
    assert f"{expected.corpus['north']['chrf']:.5f}" in result.out


def test_markdown(tertium):
    lines = tertium("score", "north.txt", "south.txt", "-r", "ref.a.txt", "--format", "markdown").out.splitlines()
    assert lines[0] == "| System | BLEU ↑ | chrF ↑ | TER ↓ |"
    assert lines[1] == "|---|---:|---:|---:|"
    assert lines[2].startswith("| north | **")


def test_latex(tertium):
    text = tertium("score", "my_system=north.txt", "-r", "ref.a.txt", "--format", "latex").out
    assert text.startswith(r"\begin{tabular}{lrrr}")
    assert r"my\_system & " in text
    assert "\n\\end{tabular}\n" in text


@pytest.mark.parametrize("style", ["table", "json", "jsonl", "tsv", "csv", "markdown", "latex"])
@pytest.mark.parametrize("level", ["corpus", "document", "segment"])
def test_parts_in_every_format(tertium, style, level):
    arguments = ["score", "north.txt", *TWO_REFERENCES, "--documents", "docs.txt", "--quiet", "--parts"]
    result = tertium(*arguments, "--level", level, "--format", style, "-m", "bleu")
    assert result.code == 0
    assert "reference_length" in result.out.replace("\\_", "_")
    assert "matches_4" in result.out.replace("\\_", "_")


def test_parts(tertium, expected):
    found = records(tertium("score", "north.txt", *TWO_REFERENCES, "-m", "bleu", "--parts", "--format", "json"))
    assert found[0]["parts"] == expected.to_dict(["corpus"], parts=True)["scores"][0]["parts"]
    row = tertium("score", "north.txt", *TWO_REFERENCES, "-m", "bleu", "--parts", "--format", "tsv").out.splitlines()[0]
    assert "parts.bp" in row.split("\t")


# --- metrics ------------------------------------------------------------------------------------------------


def test_metrics_are_labelled_as_given(tertium, files):
    texts = ["bleu:tokenize=intl,lowercase=true", "chrf++", "averaged-bleu:effective_order=true", "bleu-s"]
    result = tertium("score", "north.txt", "-r", "ref.a.txt", *(part for text in texts for part in ("-m", text)),
                     "--format", "json")  # fmt: skip
    data = json.loads(result.out)
    assert [metric["metric"] for metric in data["metrics"]] == texts
    for text, record in zip(texts, data["scores"], strict=True):
        metric = library.parse_metric(text)
        rows = metric.statistics(files["north.txt"], files["ref.a.txt"])
        assert record["metric"] == text
        assert record["score"] == pytest.approx(metric.score(rows.sum(axis=0)), rel=1e-12)


def test_the_language_picks_the_tokenizer(tertium):
    arguments = ["score", "north.txt", "-r", "ref.a.txt", "-m", "bleu", "-m", "bleu:tokenize=none", "-m", "chrf"]
    metrics = json.loads(tertium(*arguments, "-l", "zh", "--format", "json").out)["metrics"]
    assert "tokenize=zh," in metrics[0]["signature"]
    assert "tokenize=none," in metrics[1]["signature"]


def test_modules_that_count_nothing_are_warned_of(tertium, tmp_path):
    (tmp_path / "text").write_text("hello\n")
    ran = tertium("score", "text", "-r", "text", "-m", "meteor:task=universal,modules=exact+stem+synonym")
    assert "no weight for the module synonym" in ran.err
    ran = tertium("score", "text", "-r", "text", "-m", "meteor:modules=exact+stem+synonym")
    assert "no weight" not in ran.err


def test_short_segments_are_warned_of(tertium, tmp_path):
    (tmp_path / "short.txt").write_text("yes\n")
    result = tertium("score", "short.txt", "-r", "short.txt", "-m", "bleu", "--level", "segment")
    assert "1 segment is shorter than 4 tokens" in result.err
    quiet = tertium("score", "short.txt", "-r", "short.txt", "-m", "bleu", "--level", "segment", "--quiet")
    assert quiet.err == ""
    effective = tertium(
        "score", "short.txt", "-r", "short.txt", "-m", "bleu:effective_order=true", "--level", "segment"
    )
    assert "shorter" not in effective.err


@pytest.mark.parametrize("text", ["猫が魚を食べた。", "水位一夜之间上涨了三米。", "แมวกินปลา"])
def test_text_without_blanks_is_warned_of(tertium, tmp_path, text):
    (tmp_path / "han.txt").write_text(text + "\n")
    assert "split words at blanks" in tertium("score", "han.txt", "-r", "han.txt").err
    assert (
        "splits words" not in tertium("score", "han.txt", "-r", "han.txt", "-m", "bleu:tokenize=char", "-m", "chrf").err
    )


# --- systems and references ---------------------------------------------------------------------------------


def systems_of(result):
    return [record["system"] for record in records(result)]


def test_names_of_systems(tertium, tmp_path):
    arguments = ["-r", "ref.a.txt", "-m", "chrf", "--format", "json"]
    assert systems_of(tertium("score", "north.txt", "b=south.txt", *arguments)) == ["north", "b"]
    assert systems_of(tertium("score", tmp_path / "north.txt", *arguments)) == ["north"]
    (tmp_path / "north.txt.gz").write_bytes(gzip.compress((tmp_path / "north.txt").read_bytes()))
    assert systems_of(tertium("score", "north.txt.gz", *arguments)) == ["north"]
    (tmp_path / "x=y.txt").write_bytes((tmp_path / "north.txt").read_bytes())
    assert systems_of(tertium("score", "x=y.txt", *arguments)) == ["x=y"]  # a file of that name is meant


def test_equal_stems_get_as_much_of_the_path_as_tells_them_apart(tertium, tmp_path, files):
    for folder in ("one/run", "two/run"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "out.txt").write_text("\n".join(files["north.txt"]))
    arguments = ["-r", "ref.a.txt", "-m", "chrf", "--format", "json"]
    assert systems_of(tertium("score", "one/run/out.txt", "two/run/out.txt", "north.txt", *arguments)) == [
        "one/run/out", "two/run/out", "north",
    ]  # fmt: skip


def test_the_same_system_twice_is_refused(tertium):
    result = tertium("score", "north.txt", "north.txt", "-r", "ref.a.txt")
    assert (result.code, result.out) == (1, "")
    assert tertium("score", "a=north.txt", "a=south.txt", "-r", "ref.a.txt").code == 1


def test_standard_input(tertium, tmp_path):
    data = (tmp_path / "north.txt").read_bytes()
    arguments = ["-r", "ref.a.txt", "-m", "bleu", "--format", "json"]
    named = records(tertium("score", "mine=-", *arguments, stdin=data))
    unnamed = records(tertium("score", "-", *arguments, stdin=data))
    by_file = records(tertium("score", "north.txt", *arguments))
    assert [named[0]["system"], unnamed[0]["system"]] == ["mine", "stdin"]
    assert named[0]["score"] == unnamed[0]["score"] == by_file[0]["score"]
    assert (
        records(tertium("score", "north.txt", "-r", "-", "-m", "bleu", "--format", "json", stdin=data))[0]["score"]
        > 99.9
    )


def test_standard_input_can_be_one_file_only(tertium):
    result = tertium("score", "-", "-r", "-")
    assert result.code == 1
    assert "only one of the files" in result.err
    assert tertium("score", "a=-", "-r", "-").code == 1


def test_a_directory_of_references(tertium, tmp_path, files):
    folder = tmp_path / "references"
    folder.mkdir()
    for name in ("ref.a.txt", "ref.b.txt"):
        (folder / name).write_text("\n".join(files[name]))
    arguments = ["-m", "bleu", "--format", "json"]
    by_directory = tertium("score", "north.txt", "--refs-dir", "references", *arguments)
    assert records(by_directory) == records(tertium("score", "north.txt", *TWO_REFERENCES, *arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["north.txt"], "No reference was given"),
        (["north.txt", "--refs-dir", "north.txt"], "is no directory"),
        (["north.txt", "--refs-dir", "empty"], "holds no file"),
        (["missing.txt", "-r", "ref.a.txt"], "missing.txt cannot be read: no such file"),
        (["north.txt", "-r", "empty"], "is a directory"),
        (["north.txt", "-r", "three.txt"], "north.txt has 4 segments, but three.txt has 3."),
        (["nothing.txt", "-r", "nothing.txt"], "there is no segment to score"),
        (["north.txt", "-r", "ref.a.txt", "-m", "blue"], "Did you mean 'bleu'?"),
        (["north.txt", "-r", "ref.a.txt", "-m", "bleu:tokenize=13b"], "Did you mean '13a'?"),
        (["north.txt", "-r", "ref.a.txt", "-m", "bleu:orders=0"], "orders must be"),
        (["north.txt", "-r", "ref.a.txt", "-m", "bleu:tokenize=tokens"], "tokens"),
        (["north.txt", "-r", "ref.a.txt", "-m", "spbleu"], "TERTIUM_FLORES200"),
        (["north.txt", "-r", "ref.a.txt", "--level", "document"], "--documents FILE"),
        (["north.txt", "-r", "ref.a.txt", "--documents", "three.txt"], "three.txt has 3"),
        (["binary.txt", "-r", "ref.a.txt"], "binary.txt is UTF-16"),
        (["north.txt", "-r", "ref.a.txt", "--output", "no/where.txt"], "no/where.txt cannot be written"),
        (["north.txt", "-r", "ref.a.txt", "--output", "empty"], "empty cannot be written"),
    ],
)
def test_what_the_user_can_put_right_exits_1(tertium, tmp_path, monkeypatch, arguments, message):
    monkeypatch.delenv("TERTIUM_FLORES200", raising=False)
    (tmp_path / "empty").mkdir()
    (tmp_path / "nothing.txt").touch()
    (tmp_path / "three.txt").write_text("a\nb\nc\n")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\n")
    result = tertium("score", *arguments)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("tertium: ")
    assert message in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["score"],
        ["score", "north.txt", "-r"],
        ["score", "north.txt", "-r", "ref.a.txt", "--level", "word"],
        ["score", "north.txt", "-r", "ref.a.txt", "--format", "pdf"],
        ["score", "north.txt", "-r", "ref.a.txt", "--threads", "0"],
        ["score", "north.txt", "-r", "ref.a.txt", "--decimals", "many"],
        ["score", "north.txt", "-r", "ref.a.txt", "--no-such-option"],
        ["scores", "north.txt"],
    ],
)
def test_a_malformed_command_line_exits_2(tertium, arguments):
    result = tertium(*arguments)
    assert result.code == 2
    assert result.err.startswith(("Usage: tertium", "Error: "))
    assert "Traceback" not in result.err


def test_threads_change_nothing(tertium):
    arguments = ["score", "north.txt", "south.txt", *TWO_REFERENCES, "--format", "json"]
    assert tertium(*arguments, "--threads", "1").out == tertium(*arguments, "--threads", "3").out


# --- output -------------------------------------------------------------------------------------------------


def test_output_to_a_file(tertium, tmp_path):
    arguments = ["score", "north.txt", "-r", "ref.a.txt", "--format", "json"]
    printed = tertium(*arguments).out
    assert tertium(*arguments, "--output", "result.json").out == ""
    assert (tmp_path / "result.json").read_text() == printed
    tertium(*arguments, "--output", "result.json")  # again, over the old one
    assert (tmp_path / "result.json").read_text() == printed
    assert not list(tmp_path.glob(".result*"))


def test_output_is_whole_or_not_there(tertium, tmp_path):
    (tmp_path / "kept.json").write_text("old")
    result = tertium("score", "north.txt", "-r", "missing.txt", "--output", "kept.json")
    assert result.code == 1
    assert (tmp_path / "kept.json").read_text() == "old"
    assert tertium("score", "north.txt", "-r", "missing.txt", "--output", "new.json").code == 1
    assert not (tmp_path / "new.json").exists()
    assert not list(tmp_path.glob(".*.json*"))

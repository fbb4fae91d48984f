"""What names and texts do to a terminal, a picture and a spreadsheet: nothing; and streams that take nothing."""

import json
import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tertium.cli.output.writing import records_as

CALL = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
TITLE = "\x1b]0;owned\x07"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text(f"one two {TITLE}three\nfour five six\n")
    (tmp_path / "b.txt").write_text("one two three\nfour five\n")
    return tmp_path


def call(folder, *arguments, **streams):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run([*CALL, *arguments], cwd=folder, timeout=120, **options)


def test_escapes_in_texts_and_names_are_shown(tertium):
    for name in ("a", "b"):
        with open(f"{name}.txt", "w") as file:
            file.write(f"one {TITLE} two\n")
    for arguments in (
        ["score", f"{TITLE}=a.txt", "-r", "b.txt", "-m", "bleu"],
        ["align", f"{TITLE}=a.txt", "-r", "b.txt"],
        ["score", f"{TITLE}.txt", "-r", "b.txt"],
    ):
        result = tertium(*arguments)
        assert "\x1b" not in result.out + result.err
        assert "\\x1b]0;owned\\x07" in result.out + result.err


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_records_on_a_terminal(folder):
    """On a terminal escapes are shown in every format; a program that reads gets the text as it is."""
    import pty

    ours, theirs = pty.openpty()
    arguments = ["score", f"{TITLE}=a.txt", "-r", "b.txt", "-m", "bleu", "--format", "tsv"]
    assert call(folder, *arguments, stdout=theirs).returncode == 0
    os.close(theirs)
    assert b"\\x1b]0;owned\\x07" in os.read(ours, 10_000)
    os.close(ours)
    assert TITLE.encode() in call(folder, *arguments).stdout


def test_a_picture_stays_well_formed(tertium):
    for name in ("a", "b", "c"):
        with open(f"{name}.txt", "w") as file:
            file.write("one two three\n" * 3)
    result = tertium("compare", "x\x01\x1b<&=a.txt", "b.txt", "-r", "c.txt", "-m", "bleu", "--plot", "plot.svg")
    assert result.code == 0, result.err
    ElementTree.parse("plot.svg")


@pytest.mark.parametrize("name", ["=1+1", "+1", "@sum", "-@x", "\t=1"])
def test_a_name_is_no_formula_in_csv(name):
    """Spreadsheets take an apostrophe as a sign that text follows; numbers stay numbers, and other formats as they are."""
    records = [{"system": name, "score": -1.5}]
    assert "".join(records_as("csv", records, head={}, key="x")) == f"system,score\n'{name},-1.5\n"
    assert json.loads("".join(records_as("jsonl", records, head={}, key="x"))) == records[0]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"], ["metrics"], ["score", "a.txt", "-r", "b.txt"]])
def test_a_full_disk_is_told_of(folder, arguments):
    with open("/dev/full", "w") as full:
        result = call(folder, *arguments, stdout=full)
    assert result.returncode == 1
    assert b"no space left" in result.stderr
    assert b"Traceback" not in result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_warnings_that_cannot_be_printed_cost_no_scores(folder):
    arguments = ["score", "a.txt", "-r", "a.txt", "-m", "bleu", "--format", "tsv"]
    with open("/dev/full", "w") as full:
        result = call(folder, *arguments, stderr=full)
    assert result.returncode == 0
    assert result.stdout.startswith(b"system\t")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
def test_a_name_that_is_no_utf_8(folder):
    name = os.fsdecode(b"n\xff.txt")
    (folder / name).write_text("one two three\nfour\n")
    environment = os.environ | {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8:strict"}
    for given, shown in [(name, rb"n\xff"), (f"mine={name}", b"mine"), (os.fsdecode(b"m\xfe=") + name, rb"m\xfe")]:
        result = call(folder, "score", given, "-r", "b.txt", "-m", "bleu", "--format", "tsv", env=environment)
        assert result.returncode == 0, result.stderr
        assert result.stdout.splitlines()[1].startswith(shown + b"\t")
    made = ("--report", "page.html", "--samples", "10", "--output", "o.json")
    result = call(folder, "compare", name, "b.txt", "-r", "b.txt", *made, env=environment)
    assert result.returncode == 0, result.stderr
    environment["TERTIUM_CACHE"] = str(folder / "cache")
    added = call(folder, "testsets", "add", "mine", "-l", "en-de", "-r", name, env=environment)
    assert added.returncode == 0, added.stderr
    assert call(folder, "score", name, "-t", "mine", "-l", "en-de", env=environment).returncode == 0
    rows = os.fsdecode(b"\xff.rows")
    assert call(folder, "score", name, "-r", name, "--rows", rows, env=environment).returncode == 0
    merged = call(folder, "merge", rows, "--format", "tsv", env=environment)
    assert merged.stdout.splitlines()[1].startswith(rb"n\xff"), merged.stderr


def test_line_ends_and_tabs_in_cells_do_not_break_a_table():
    from tertium.cli.output.writing import table

    text = table("table", ["System", "BLEU"], [["a\nb\tc", "1.0"]], best=set())
    assert r"a\nb\tc" in text
    assert len(text.splitlines()) == 3

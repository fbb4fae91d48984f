"""What a command writes never costs what it reads, nor what stood there before."""

import os
import shutil
import stat
import subprocess
import sys
from importlib.resources import as_file
from importlib.resources import files as resources
from pathlib import Path

import pytest


@pytest.fixture
def example(tmp_path):
    """The bundled example, with a scores table and a paraphrase table."""
    with as_file(resources("tertium") / "data" / "demo") as folder:
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "table.tsv").write_text("phrase_ref\tphrase_hyp\tprob\na\tthe\t0.5\n")
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "a.txt").write_bytes((tmp_path / "reference.a.txt").read_bytes())
    (tmp_path / "link.txt").symlink_to("north.txt")
    return tmp_path


PAIR = ["north.txt", "south.txt", "-r", "reference.a.txt"]


@pytest.mark.parametrize(
    "call",
    [
        ["score", *PAIR, "--output", "north.txt"],
        ["score", *PAIR, "--output", "./reference.a.txt"],
        ["score", *PAIR, "--output", "link.txt"],
        ["score", "mine=north.txt", "-r", "reference.a.txt", "--output", "north.txt"],
        ["score", "judgments.tsv:system", "-r", "reference.a.txt", "--output", "judgments.tsv"],
        ["score", "north.txt", "--refs-dir", "refs", "--output", "refs/a.txt"],
        ["score", *PAIR, "--documents", "documents.txt", "--output", "documents.txt"],
        ["score", *PAIR, "-m", "terp:paraphrases=table.tsv", "--output", "table.tsv"],
        ["align", *PAIR, "--output", "south.txt"],
        ["compare", *PAIR, "--output", "south.txt"],
        ["correlate", *PAIR, "--judgments", "judgments.tsv", "--output", "judgments.tsv"],
        ["rank", *PAIR, "--judgments", "judgments.tsv", "--output", "judgments.tsv"],
        ["judgments", "aggregate", "judgments.tsv", "--output", "judgments.tsv"],
        ["judgments", "import", "judgments.tsv", "--output", "judgments.tsv"],
        ["tune", *PAIR, "--judgments", "judgments.tsv", "-m", "terp", "--output", "judgments.tsv", "--format", "json"],
        ["paraphrases", "convert", "table.tsv", "table.tsv"],
    ],
)
def test_an_output_that_is_an_input_is_refused(tertium, example, call):
    before = {path: path.read_bytes() for path in example.rglob("*") if path.is_file()}
    result = tertium(*call)
    assert (result.code, result.out) == (1, "")
    assert "cannot be written: the command reads it" in result.err
    assert {path: path.read_bytes() for path in example.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("suffix", ["pdf", "PNG", "xlsx", "gz", "db"])
def test_a_suffix_that_no_format_has_is_refused(tertium, example, suffix):
    result = tertium("score", *PAIR, "--output", f"scores.{suffix}")
    assert (result.code, result.out) == (1, "")
    assert f"scores.{suffix} cannot be written: this command has no {suffix.lower()}, but table, " in result.err
    assert not (example / f"scores.{suffix}").exists()
    assert tertium("score", *PAIR, "--format", "tsv", "--output", f"scores.{suffix}").code == 0


def test_a_name_that_is_too_long_is_refused(tertium, example):
    result = tertium("score", *PAIR, "--output", "n" * 300 + ".tsv")
    assert (result.code, result.out) == (1, "")
    assert "cannot be used: file name too long." in result.err


def test_modes_and_links_are_kept(tertium, example):
    secret = example / "secret.tsv"
    secret.write_text("old")
    secret.chmod(0o600)
    (example / "latest.tsv").symlink_to("secret.tsv")
    assert tertium("score", *PAIR, "--format", "tsv", "--output", "latest.tsv").code == 0
    assert (example / "latest.tsv").is_symlink()
    assert secret.read_text().startswith("system\t")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert not [name for name in os.listdir(example) if name.startswith(".")]


@pytest.mark.parametrize(
    ("redirected", "call", "message"),
    [
        ("<&-", "score - -r reference.a.txt", "Standard input (-) is closed"),
        (">&-", "score north.txt -r reference.a.txt", "Standard output is closed"),
    ],
)
def test_streams_that_are_closed_are_told_of(example, redirected, call, message):
    command = f"{sys.executable} -c 'from tertium.cli.main import main; main()' {call} {redirected}"
    result = subprocess.run(["sh", "-c", command], cwd=example, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_warnings_stay_out_of_the_results_where_there_is_no_place_for_them(example):
    (example / "gaps.txt").write_bytes(
        b"\n".join([b""] * len((example / "north.txt").read_bytes().splitlines())) + b"\n"
    )
    call = f"{sys.executable} -c 'from tertium.cli.main import main; main()' score gaps.txt -r reference.a.txt -m bleu"
    result = subprocess.run(["sh", "-c", f"{call} --format tsv 2>&-"], cwd=example, capture_output=True, check=False)
    assert result.returncode == 0
    assert [line.split(b"\t")[0] for line in result.stdout.splitlines()] == [b"system", b"gaps"]


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.csv", "system,metric"),
        ("out.tsv", "system\tmetric"),
        ("out.json", "{"),
        ("out.jsonl", '{"system"'),
        ("out.md", "| System"),
        ("out.TEX", "\\begin{tabular}"),
        ("out.txt", "System"),
        ("out", "System"),
    ],
)
def test_the_suffix_chooses_the_format(tertium, example, name, begins):
    assert tertium("score", *PAIR, "-m", "bleu", "--output", name).code == 0
    assert Path(name).read_text(encoding="utf-8").startswith(begins)
    tertium("score", *PAIR, "-m", "bleu", "--output", name, "--format", "jsonl")
    assert Path(name).read_text(encoding="utf-8").startswith('{"system"')


def test_a_page_is_written_where_there_is_one(tertium, example):
    tertium("align", *PAIR, "--output", "page.html")
    assert "<html" in Path("page.html").read_text(encoding="utf-8")
    result = tertium("score", *PAIR, "--output", "other.html")
    assert (result.code, Path("other.html").exists()) == (1, False)
    assert "has no html" in result.err

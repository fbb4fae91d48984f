"""`tertium metrics`, `tertium demo`, help and version."""

import json

import pytest

import tertium as library
from tertium.cli.group import PURPOSES
from tertium.cli.main import COMMANDS
from tertium.metrics import METRICS


def test_version(tertium):
    assert tertium("--version").out == f"tertium {library.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["score", "--help"], ["metrics", "--help"], ["demo", "--help"]]
)
def test_help_has_examples_and_fits_the_screen(tertium, arguments):
    result = tertium(*arguments)
    assert result.code == 0
    assert "Examples:" in result.out
    assert all(len(line) <= 100 for line in result.out.splitlines())


def test_help_is_grouped_by_purpose_on_one_screen(tertium):
    lines = tertium("--help").out.splitlines()
    assert len(lines) <= 50
    assert all(len(line) <= 80 for line in lines[lines.index("Begin") :])
    for purpose in PURPOSES:
        assert purpose in lines
    listed = [line.split()[0] for line in lines[lines.index("Begin") :] if line.startswith("  ")]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("significance", "compare"), ("WMT", "rank"), ("wmt", "correlate"), ("agreement", "judgments agreement"),
        ("kappa", "judgments agreement"), ("p-value", "compare"), ("confidence", "score --confidence"),
        ("HTER", "judgments hter"), ("post-edit", "judgments hter"), ("signature", "explain"),
        ("migrate", "sacrebleu"), ("alpha krippendorff", "judgments agreement"), ("picture", "compare"),
        ("report", "rank"), ("flores200", "resources get"),
    ],
)  # fmt: skip
def test_help_finds_the_command_for_a_word(tertium, words, found):
    result = tertium("help", *words.split())
    assert result.code == 0
    assert all(len(line) <= 80 for line in result.out.splitlines())
    assert any(line.startswith(f"tertium {found} ") for line in result.out.splitlines())


def test_help_for_commands_and_words_nobody_knows(tertium):
    assert tertium("help").out == tertium("--help").out
    assert tertium("help", "score").out == tertium("score", "--help").out
    assert tertium("help", "judgments", "agreement").out == tertium("judgments", "agreement", "--help").out
    assert tertium("help", "sacrebleu").out == tertium("sacrebleu", "--help").out
    result = tertium("help", "signifcance")
    assert (result.code, "Did you mean 'significance'?" in result.err) == (1, True)
    assert tertium("help", "xyzzy").err == "tertium: No command is known for 'xyzzy'. To see all: tertium help.\n"


def test_words_of_help_name_commands_that_are_there():
    from tertium.cli.commands.help import _WORDS, _commands

    assert {one.split(" --")[0] for one in _WORDS} <= {*dict(_commands()), "sacrebleu"}


def test_metrics_as_text(tertium):
    lines = tertium("metrics").out.splitlines()
    assert [line.split()[0] for line in lines[: len(METRICS)]] == [metric.name for metric in METRICS]
    assert [" ↑ " in line for line in lines[: len(METRICS)]] == [metric.higher_is_better for metric in METRICS]
    assert all(len(line) <= 80 for line in lines)
    assert "  chrf++   chrf:word_order=2" in lines
    text = tertium("metrics", *(metric.name for metric in METRICS)).out
    assert all(len(line) <= 80 for line in text.splitlines())
    for metric in METRICS:
        assert f"\n{metric.name}\n" in f"\n{text}"
        for setting, value in metric().settings().items():
            assert f"{setting}={value}" in text


def test_metrics_as_json(tertium):
    data = json.loads(tertium("metrics", "--format", "json").out)
    assert [card["metric"] for card in data["metrics"]] == [metric.name for metric in METRICS]
    bleu = data["metrics"][0]
    assert bleu["settings"]["smoothing"]["default"] == "exp"
    assert "mteval" in bleu["settings"]["smoothing"]["choices"]
    assert data["aliases"]["chrf++"] == "chrf:word_order=2"


@pytest.mark.parametrize("style", ["tsv", "csv", "jsonl", "table", "markdown", "latex"])
def test_metrics_in_other_formats(tertium, style):
    result = tertium("metrics", "chrf", "--format", style)
    assert result.code == 0
    assert "char_order" in result.out.replace("\\_", "_")


def test_one_metric(tertium):
    assert "bleu" not in tertium("metrics", "chrf").out.split()
    result = tertium("metrics", "blue")
    assert result.code == 1
    assert "Did you mean 'bleu'?" in result.err


def test_demo(tertium):
    result = tertium("demo")
    assert result.code == 0
    assert result.err == ""
    assert "north" in result.out
    assert "south" in result.out
    assert "tertium score --help" in result.out
    assert all(len(line) <= 80 for line in result.out.splitlines() if not line.startswith("$"))


def test_demo_keeps_its_files(tertium, tmp_path):
    said = tertium("demo", "--keep", "example")
    assert (said.code, "--keep" in said.out) == (0, False)  # which was asked for already
    following = next(line.split() for line in said.out.splitlines() if line.startswith("  tertium compare"))
    assert tertium(*following[1:]).code == 0
    call = ["example/north.txt", "example/south.txt", "-r", "example/reference.a.txt", "-r", "example/reference.b.txt"]
    assert tertium("score", *call, "--documents", "example/documents.txt", "--level", "document").code == 0
    assert len(list((tmp_path / "example").iterdir())) == 6
    again = tertium("demo", "--keep", "example")
    assert again.code == 1
    assert "exists already" in again.err


def test_explain_reads_signatures_with_files_that_are_not_here(tertium):
    ours, theirs = (
        f"terp:costs=ter,paraphrases={mark},beam=12|refs=1" for mark in ("a@0123456789ab", "b@ba9876543210")
    )
    settings = json.loads(tertium("explain", ours, "--format", "json").out)["settings"]
    found = {one["setting"]: (one["value"], one["is_default"]) for one in settings}
    assert (found["paraphrases"], found["costs"]) == (("a@0123456789ab", False), ("ter", False))
    (row,) = json.loads(tertium("explain", ours, theirs, "--format", "json").out)["differences"]
    assert (row["setting"], row["first"], row["second"]) == ("paraphrases", "a@0123456789ab", "b@ba9876543210")
    refused = tertium("explain", "terp:paraphrases=a@0123456789ab,beam=no")
    assert (refused.code, "beam" in refused.err) == (1, True)

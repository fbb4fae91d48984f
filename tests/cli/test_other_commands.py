"""`tertium metrics`, `tertium demo`, help and version."""

import json

import pytest

import tertium as library
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


def test_metrics_as_text(tertium):
    text = tertium("metrics").out
    assert all(len(line) <= 80 for line in text.splitlines())
    for metric in METRICS:
        assert f"\n{metric.name}\n" in f"\n{text}"
        for setting, value in metric().settings().items():
            assert f"{setting}={value}" in text
    assert "chrf++" in text


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
    assert tertium("demo", "--keep", "example").code == 0
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

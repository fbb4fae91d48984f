"""What holds for every command: the suffix chooses the format, signatures stand by, and tables fit 80 columns."""

import json
import shutil
from importlib.resources import as_file
from importlib.resources import files as resources
from pathlib import Path
from unicodedata import east_asian_width

import click
import pytest

from tertium.cli.arguments.options import SUFFIXES
from tertium.cli.group import tertium as program

LONG = "a-system-whose-name-says-all-about-it.constrained.primary.v2"
SYSTEMS = (f"{LONG}.north", f"{LONG}.south", f"{LONG}.south-again")
TEXTS = [*(f"{name}.txt" for name in SYSTEMS), "-r", "reference.txt"]
SIX = ("bleu", "chrf", "chrf++", "ter", "wer", "bleu:tokenize=intl,lowercase=true")
METRICS = [part for metric in SIX for part in ("-m", metric)]
QUICK = ["--samples", "40"]
JUDGED = ["--judgments", "judgments.tsv"]

# Every command that prints scores, as it may be called with what the folder holds.
SCORED = {
    "score": ["score", *TEXTS, *METRICS, "--confidence", *QUICK],
    "compare": ["compare", *TEXTS, *METRICS, *QUICK],
    "compare all pairs": ["compare", *TEXTS, *METRICS, *QUICK, "--all-pairs", "--perceptible"],
    "align": ["align", f"{SYSTEMS[0]}.txt", f"{SYSTEMS[1]}.txt", "-r", "reference.txt", "-m", "ter", "--worst", "3"],
    "gate": ["gate", f"{SYSTEMS[0]}.txt", "-r", "reference.txt", "--baseline", "baseline.json", *QUICK],
    "merge": ["merge", "rows.parquet", "--confidence", "--compare", *QUICK],
    "correlate": ["correlate", *TEXTS, *METRICS, *JUDGED, "--method", "pearson", "--method", "kendall-b",
                  "--level", "segment", "--level", "system", *QUICK],
    "rank": ["rank", *TEXTS, *METRICS, *JUDGED, "--kind", "adequacy", *QUICK],
    "tune": ["tune", *TEXTS, "-m", "meteor", "--free", "alpha", *JUDGED, "--kind", "adequacy", "--folds", "2",
             "--restarts", "1", *QUICK],
    "orange": ["orange", "nbest.txt", "-r", "reference.txt", "-r", "reference.b.txt", *METRICS, *QUICK],
    "mbr": ["mbr", "nbest.txt", "-m", "chrf"],
    "best": ["best", "nbest.txt", "-r", "reference.txt", "--with-scores"],
    "pairwise": ["pairwise", f"{SYSTEMS[0]}.txt", "-m", "chrf"],
    "latency": ["latency", f"{LONG}=instances.log", "-r", "one.txt"],
}  # fmt: skip


@pytest.fixture
def folder(tertium, tmp_path):
    """The bundled example under long names, with all that a command may want."""
    with as_file(resources("tertium") / "data" / "demo") as demo:
        shutil.copytree(demo, tmp_path, dirs_exist_ok=True)
    (tmp_path / "reference.a.txt").rename("reference.txt")
    north, south = (Path(f"{name}.txt").read_text(encoding="utf-8") for name in ("north", "south"))
    for name, text in zip(SYSTEMS, (north, south, south), strict=True):
        Path(f"{name}.txt").write_text(text, encoding="utf-8")
    judged = Path("judgments.tsv").read_text(encoding="utf-8")
    renamed = judged.replace("north\t", f"{SYSTEMS[0]}\t").replace("south\t", f"{SYSTEMS[1]}\t")
    third = [line.replace("south\t", f"{SYSTEMS[2]}\t") for line in judged.splitlines() if line.startswith("south\t")]
    Path("judgments.tsv").write_text(renamed + "\n".join(third) + "\n", encoding="utf-8")
    lists = zip(north.splitlines(), south.splitlines(), strict=True)
    lines = [f"{k} ||| {text} ||| 0" for k, pair in enumerate(lists) for text in (*pair, "Nothing at all")]
    Path("nbest.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path("one.txt").write_text("the ferry leaves\n", encoding="utf-8")
    log = {"index": 0, "prediction": "the ferry leaves", "delays": [100.0, 200.0, 300.0], "elapsed": [110, 220, 330],
           "source_length": 400.0, "reference": "the ferry leaves"}  # fmt: skip
    Path("instances.log").write_text(json.dumps(log) + "\n", encoding="utf-8")
    return tmp_path


def prepared(tertium, name):
    """Make what a command reads that another one writes."""
    if name == "gate":
        call = ["gate", f"{SYSTEMS[1]}.txt", "-r", "reference.txt", *METRICS, "--baseline", "baseline.json", "--update"]
        assert tertium(*call).code == 0
    if name == "merge":
        pytest.importorskip("pyarrow")
        assert tertium("score", *TEXTS, *METRICS, "--rows", "rows.parquet").code == 0
    return SCORED[name]


def formats_of(name):
    command = program.get_command(click.Context(program), SCORED[name][0])
    return next((one.type.choices for one in command.params if one.name == "style"), ("lines",))


def width(line):
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCORED)
def test_tables_fit_80_columns(tertium, folder, name):
    result = tertium(*prepared(tertium, name))
    assert result.code in (0, 3), result.err
    if name not in ("mbr", "best"):  # which print texts
        assert [line for line in result.out.splitlines() if width(line) > 80] == []


def written(tertium, name, style):
    """Return all that a command says in a format, and its result."""
    output = [] if style not in ("npy", "parquet") else ["--output", f"out.{style}"]
    result = tertium(*prepared(tertium, name), "--format", style, *output)
    assert result.code in (0, 3), result.err
    return result.out + result.err


# Texts alone have no score; tercom's and TERp's own files are theirs to the last letter.
NO_PLACE = ("text", "ter", "sum", "sum_nbest", "pra", "pra_more", "xml", "counts", "seg.scr", "doc.scr", "sys.scr")
SIGNED = [(name, style) for name in SCORED for style in formats_of(name) if style not in NO_PLACE]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "style"), SIGNED)
def test_signatures_stand_by_scores(tertium, folder, name, style):
    """Tables for people have short ones, which leave out the defaults; files for programs have them in full."""
    if style in ("parquet", "npy"):
        pytest.importorskip("pyarrow")
    said = written(tertium, name, style).replace("\n    ", "")
    metric = {"align": "ter", "tune": "meteor", "latency": "laal"}.get(name, "chrf")
    in_full = {"align": "variant=tercom", "tune": "version=1.5", "latency": "unit=word"}.get(name, "char_order=6")
    assert f"{metric}:" in said or f"{metric}|" in said
    assert "|tertium=0." in said
    told_on_the_side = name in ("mbr", "best", "pairwise") and style in ("tsv", "npy", "parquet")
    if style in ("json", "jsonl", "tsv", "csv", "html") and not told_on_the_side:
        assert in_full in said
    elif name != "tune":
        assert in_full not in said


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SCORED if name not in ("mbr", "best")])
def test_nobody_needs_to_see_signatures(tertium, folder, name):
    if "--signatures" in tertium(SCORED[name][0], "--help").out:
        result = tertium(*prepared(tertium, name), "--signatures", "none")
        assert "|tertium=" not in result.out


PAGES = ("compare", "compare all pairs", "align", "correlate", "rank", "tune")
BEGINS = {"json": "{", "jsonl": "{", "html": "<!doctype html>", "latex": "\\begin{tabular}", "markdown": "| "}


@pytest.mark.slow
@pytest.mark.parametrize("name", SCORED)
def test_the_suffix_chooses_the_format(tertium, folder, name):
    call = prepared(tertium, name)
    choices = formats_of(name)
    for suffix, style in {**SUFFIXES, ".txt": "text" if "text" in choices else "table"}.items():
        path = folder / f"out{suffix}"
        result = tertium(*call, "--output", path.name)
        if style not in choices and not (style == "html" and name in PAGES):
            assert (result.code, path.exists()) == (1, False), suffix
            assert f"this command has no {style}" in result.err
            continue
        assert result.code in (0, 3), (suffix, result.err)
        text = path.read_text(encoding="utf-8")
        assert text.startswith(BEGINS.get(style, "")), suffix
        if style in ("tsv", "csv") and name not in ("mbr", "best", "pairwise"):
            assert ("\t" if style == "tsv" else ",") in text.splitlines()[0]
        usual = tertium(*call).out if style in ("text", "table") else None
        assert usual in (None, text)
    named = next(style for style in choices if style in ("json", "jsonl"))
    path = folder / "named.tsv"
    assert tertium(*call, "--output", path.name, "--format", named).code in (0, 3)
    assert path.read_text(encoding="utf-8").startswith("{")  # --format wins


def commands(group=program, path=()):
    """Yield every command with its parameters by name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))
        elif found is not None:
            yield (*path, name), {one.name: one for one in found.params}


# What these write is one thing, whatever the file is called, or is named by --form.
ONE_FORMAT = {
    ("annotate", "export"), ("annotate", "page"), ("annotate", "report"), ("paraphrases", "extract"),
    ("annotate", "links"), ("annotate", "backup"), ("annotate", "collect"),
}  # fmt: skip


def test_every_command_with_a_format_and_an_output_lets_the_suffix_choose():
    for path, parameters in commands():
        if path in ONE_FORMAT or not isinstance(parameters.get("output"), click.Option):
            continue
        assert "style" in parameters, path
        assert parameters["output"].is_eager, path
        assert parameters["style"].callback is not None, path

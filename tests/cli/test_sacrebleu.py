"""`tertium sacrebleu`: what sacreBLEU 2.6.0 printed for the same files, and sacreBLEU itself where it is installed."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oracles.wmt import ORACLE, needs_oracle
from tertium.compat.sacrebleu.metrics.base import VERSION
from tertium.compat.sacrebleu.options import HELP, parser
from tertium.metrics import METRICS

HAS_TER = any(metric.name == "ter" for metric in METRICS)


@pytest.fixture
def texts(tmp_path, files):
    """Files besides those of `files`: columns of references and of systems, compressed, empty, in another encoding."""
    (tmp_path / "refs.tsv").write_text("".join(map("{}\t{}\n".format, files["ref.a.txt"], files["ref.b.txt"])))
    (tmp_path / "systems.tsv").write_text("".join(map("{}\t{}\n".format, files["north.txt"], files["south.txt"])))
    (tmp_path / "south.txt.gz").write_bytes(gzip.compress((tmp_path / "south.txt").read_bytes()))
    (tmp_path / "latin.txt").write_bytes("Größe\nb\nc\nd\n".encode("latin1"))
    (tmp_path / "short.txt").write_text("a\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "ragged.tsv").write_text("a\tb\nc\n")
    (tmp_path / "two_%&<.txt").write_text((tmp_path / "south.txt").read_text())
    return tmp_path


def plain(text):
    return text.replace(VERSION, "2.6.0")


def test_one_system(tertium, texts):
    result = tertium("sacrebleu", "ref.a.txt", "-i", "south.txt")
    assert (result.code, result.err) == (0, "")
    assert plain(result.out) == (
        '{\n "name": "BLEU",\n "score": 25.5,\n'
        ' "signature": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",\n'
        ' "verbose_score": "65.0/31.2/25.0/12.5 (BP = 0.905 ratio = 0.909 hyp_len = 20 ref_len = 22)",\n'
        ' "nrefs": "1",\n "case": "mixed",\n "eff": "no",\n "tok": "13a",\n "smooth": "exp",\n "version": "2.6.0"\n}\n'
    )


def test_several_metrics_are_set_under_each_other(tertium, texts):
    result = tertium("sacrebleu", "ref.a.txt", "-i", "south.txt", "-m", "chrf", "bleu", "-f", "text")
    assert plain(result.out) == (
        "  BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 25.5 65.0/31.2/25.0/12.5 (BP = 0.905 "
        "ratio = 0.909 hyp_len = 20 ref_len = 22)\n"
        "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 51.7\n"
    )


def test_several_systems(tertium, texts):
    result = tertium("sacrebleu", "ref.a.txt", "-i", "north.txt", "south.txt", "-f", "text")
    assert result.err == "sacreBLEU: Found 2 systems.\n"
    assert plain(result.out) == (
        "╒═══════════╤════════╕\n"
        "│    System │  BLEU  │\n"
        "╞═══════════╪════════╡\n"
        "│ north.txt │  88.3  │\n"
        "├───────────┼────────┤\n"
        "│ south.txt │  25.5  │\n"
        "╘═══════════╧════════╛\n\n"
        "-----------------\nMetric signatures\n-----------------\n"
        " - BLEU       nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0\n"
    )


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "reason"),
    [
        (["ref.a.txt", "-i", "short.txt"], "", 1, "short.txt has 1 segments, but ref.a.txt has 4"),
        (["ref.a.txt", "-i", "empty.txt"], "", 1, "empty.txt is empty"),
        (["ref.a.txt", "-i", "missing.txt"], "", 1, "missing.txt cannot be read: no such file"),
        (["ref.a.txt", "-i", "latin.txt"], "", 1, "latin.txt, line 1 is not utf-8"),
        (["ref.a.txt", "-i", "latin.txt", "-e", "klingon"], "", 1, "No encoding is called 'klingon'"),
        (["ref.a.txt", "-i", "north.txt", "north.txt"], "", 1, "north.txt is given twice"),
        (["ref.a.txt", "-i", "north.txt", "south.txt", "-ci"], "", 1, "-ci is for one"),
        (["ref.a.txt", "-i", "north.txt", "south.txt", "-sl"], "", 1, "With -sl give one"),
        (["ref.a.txt", "-i", "north.txt", "-sl", "-m", "bleu", "chrf"], "", 1, "With -sl give one metric"),
        (["ref.a.txt", "-i", "north.txt", "-sl", "-ci"], "", 1, "there are no statistics"),
        (["ref.a.txt", "-i", "north.txt", "-par"], "", 1, "There is one system"),
        (["ref.a.txt", "-i"], "", 1, "-i names no file"),
        (["ref.a.txt", "-i", "north.txt", "-l", "zh"], "", 1, "such as -l en-de"),
        (["ref.a.txt", "-i", "north.txt", "-w", "2147483648"], "", 1, "from 0 to 300"),
        (["ref.a.txt", "-i", "north.txt", "-w", "-1"], "", 1, "from 0 to 300"),
        (["-i", "ref.a.txt", "north.txt"], "", 1, "before -i"),
        (["refs.tsv", "ref.a.txt", "-nr", "2", "-i", "north.txt"], "", 1, "several references per line"),
        (["refs.tsv", "-nr", "3", "-i", "north.txt"], "", 17, "line 1 has 2 tab-separated fields, but 3"),
        (["short.txt"], "a\tb\nc\n", 17, "line 2 has 1 tab-separated fields, but 2"),
        (["ref.a.txt", "-i", "north.txt", "-m", "rouge"], "", 2, "invalid choice"),
        (["ref.a.txt", "-i", "north.txt", "--nonsense"], "", 2, "unrecognized"),
        (["ref.a.txt", "-i", "north.txt", "south.txt", "-par", "-pbs"], "", 2, "not allowed with"),
    ],
)
def test_what_is_refused(tertium, texts, arguments, stdin, code, reason):
    result = tertium("sacrebleu", *arguments, stdin=stdin.encode())
    assert (result.code, result.out) == (code, "")
    assert reason in result.err
    assert "Traceback" not in result.err


def test_what_is_warned_of(tertium, texts):
    assert "-nr" in tertium("sacrebleu", "refs.tsv", "-i", "north.txt").err
    (texts / "bom.txt").write_text("\ufeff" + (texts / "ref.a.txt").read_text())
    assert "byte-order mark" in tertium("sacrebleu", "bom.txt", "-i", "north.txt").err


def test_names_that_look_like_numbers_stay_names(tertium, texts):
    shutil.copy(texts / "north.txt", texts / "007")
    assert "│       007 │" in tertium("sacrebleu", "ref.a.txt", "-i", "007", "south.txt", "-f", "text").out


def test_help_tells_of_every_option(tertium):
    assert tertium("sacrebleu", "-h").out == HELP == tertium("sacrebleu", "--help").out
    for action in parser()._actions:
        assert all(option in HELP for option in action.option_strings)


def test_help_fits_the_page():
    assert max(map(len, HELP.splitlines())) <= 120


def test_version(tertium):
    assert tertium("sacrebleu", "-V").out == f"sacrebleu {VERSION}\n"


def test_the_installed_command_starts_without_click():
    code = (
        "import sys; sys.argv = ['tertium', 'sacrebleu', '-V']\n"
        "from tertium.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: print('click' in sys.modules or 'numpy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.endswith("False\n")


# --- the original itself ------------------------------------------------------------------------------------------

COMMANDS = """\
ref.a.txt -i south.txt
ref.a.txt ref.b.txt -i south.txt -m bleu chrf
refs.tsv -nr 2 -i south.txt -m chrf -cw 2
ref.a.txt -i south.txt.gz -b -w 5
ref.a.txt -i south.txt -m bleu chrf -b
ref.a.txt -i south.txt -m bleu chrf -b -f text
ref.a.txt -i south.txt -m bleu chrf -f latex -sh
ref.a.txt -i south.txt -sh -w 3
ref.a.txt < south.txt
ref.a.txt -f text < systems.tsv
ref.a.txt -i south.txt -lc -tok intl -s floor -sv 0.25 -f text
ref.a.txt -i south.txt -tok char -s add-k
ref.a.txt -i south.txt -tok none -s none -l en-de
ref.a.txt -i south.txt -l en-zh -f text
ref.a.txt -i south.txt -m chrf -cc 4 --chrf-beta 3 --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing
ref.a.txt -i south.txt -sl
ref.a.txt ref.b.txt -i south.txt -sl -m chrf -w 6 -b
ref.a.txt -i south.txt -ci -cin 100 -w 4
ref.a.txt -i south.txt -m bleu chrf -ci -cin 200 -f text -w 6
ref.a.txt -i north.txt -ci -cin 7 -b
ref.a.txt -i north.txt south.txt -m bleu chrf
ref.a.txt -i north.txt south.txt -m bleu chrf -cw 2 -f text -w 4
ref.a.txt -i north.txt south.txt -m bleu chrf -f latex
ref.a.txt -i two_%&<.txt south.txt -f latex -sh -q
latin.txt -i latin.txt -e latin1 -m bleu chrf
ref.a.txt -m bleu -i north.txt --force -nc -j 2
--force -m chrf -i north.txt -- ref.a.txt
ref.a.txt --inp north.txt --score-o
ref.a.txt -i short.txt
refs.tsv -nr 3 -i south.txt
ragged.tsv -nr 2 -i south.txt
empty.txt -i empty.txt
ref.a.txt -i missing.txt
ref.a.txt -i south.txt -m rouge
"""
TER_COMMANDS = """\
ref.a.txt -i south.txt -m bleu chrf ter
ref.a.txt ref.b.txt -i south.txt -m ter --ter-normalized --ter-no-punct --ter-case-sensitive -f text -w 4
ref.a.txt -i south.txt -m ter -ci -cin 100 -w 4
ref.a.txt -i south.txt -m ter -sl
ref.a.txt -i north.txt south.txt -m bleu chrf ter -f text
"""


def said(program, arguments, folder, **environment):
    """Return what a program printed, and its exit code."""
    words, _, stdin = arguments.partition(" < ")
    given = (folder / stdin).read_bytes() if stdin else b""
    finished = subprocess.run(
        [*program, *words.split()],
        cwd=folder, input=given, capture_output=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    return finished.returncode, plain(finished.stdout.decode())


@pytest.fixture
def both():
    pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")
    folder = Path(sys.executable).parent
    return [str(folder / "tertium"), "sacrebleu"], [str(folder / "sacrebleu")]


@pytest.mark.parametrize("arguments", COMMANDS.splitlines() + TER_COMMANDS.splitlines() * HAS_TER)
def test_prints_what_the_original_prints(texts, both, arguments):
    ours, theirs = both
    assert said(ours, arguments, texts) == said(theirs, arguments, texts)


@pytest.mark.parametrize("value", ["text", "TEXT", "latex", "nonsense"])
def test_environment_sets_the_format(texts, both, value):
    ours, theirs = both
    arguments = "ref.a.txt -i north.txt south.txt"
    assert said(ours, arguments, texts, SACREBLEU_FORMAT=value) == said(
        theirs, arguments, texts, SACREBLEU_FORMAT=value
    )


@pytest.mark.parametrize("value", ["0", "1", "98765"])
def test_environment_sets_the_seed(texts, both, value):
    ours, theirs = both
    arguments = "ref.a.txt -i south.txt -ci -cin 50 -w 4 -f text"
    assert said(ours, arguments, texts, SACREBLEU_SEED=value) == said(theirs, arguments, texts, SACREBLEU_SEED=value)


@pytest.mark.slow
@needs_oracle
@pytest.mark.parametrize(
    "arguments",
    [
        "wmt22.zh-en/ref.A.txt -i wmt22.zh-en/hyp.DLUT.txt -m bleu chrf -ci -w 4",
        "wmt22.zh-en/ref.A.txt wmt22.zh-en/ref.B.txt -i wmt22.zh-en/hyp.DLUT.txt wmt22.zh-en/hyp.Online-G.txt -f text",
        "wmt22.en-zh/ref.A.txt -i wmt22.en-zh/hyp.Online-G.txt -l en-zh -m bleu chrf -cw 2 -f text -w 4",
        "wmt22.en-de/ref.A.txt -i wmt22.en-de/hyp.PROMT.txt -sl -w 6",
    ],
)
def test_prints_what_the_original_prints_for_real_files(both, arguments):
    ours, theirs = both
    folder = ORACLE / "data"
    assert said(ours, arguments, folder) == said(theirs, arguments, folder)


PAIRED = """\
ref.a.txt -i north.txt south.txt -m bleu chrf ter --paired-ar -f text
ref.a.txt ref.b.txt -i north.txt south.txt two_%&<.txt -m bleu chrf --paired-bs -f text -w 3
ref.a.txt -i north.txt south.txt north.txt -m ter -par -parn 500 -f latex -sh
ref.a.txt -i north.txt two_%&<.txt -m bleu chrf ter -pbs -pbsn 300 -f latex
ref.a.txt -i north.txt south.txt -m bleu chrf ter -par
ref.a.txt -i north.txt south.txt -m bleu -pbs
ref.a.txt -m bleu -lc -tok intl -s floor -sv 0.2 -par -f text < systems.tsv
ref.a.txt -i north.txt south.txt -m ter chrf bleu chrf -par -parn 200 -f text
one.ref -i one.a one.b -m bleu ter -par -f text
one.ref -i one.a one.b -m bleu ter -pbs -f latex
"""


def numbers(result):
    """Leave out what is said in words between the table and the signatures."""
    code, printed = result
    if printed.startswith("["):
        # Of a mean, the last bit depends on whose exp it was.
        return code, re.sub(r"\d+\.\d{9,}", lambda found: f"{float(found[0]):.12g}", printed)
    table, _, rest = printed.partition("\n\n---")
    return code, table, rest.partition("Metric signatures")[2]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", PAIRED.splitlines())
@pytest.mark.parametrize("seed", ["12345", " 007"])
def test_paired_tests_print_what_the_original_prints(texts, both, arguments, seed):
    ours, theirs = both
    for name, line in (("ref", "The ferry leaves at noon ."), ("a", "A ferry leaves ."), ("b", "The ferry is late .")):
        (texts / f"one.{name}").write_text(line + "\n")
    expected = said(theirs, arguments, texts, SACREBLEU_SEED=seed)
    assert expected[0] == 0
    assert numbers(said(ours, arguments, texts, SACREBLEU_SEED=seed)) == numbers(expected)


@pytest.mark.slow
@needs_oracle
@pytest.mark.parametrize("test", ["-par", "-pbs"])
def test_paired_tests_of_real_files(both, test):
    ours, theirs = both
    folder = ORACLE / "data" / "wmt22.zh-en"
    arguments = f"ref.A.txt -i hyp.DLUT.txt hyp.Online-G.txt -m bleu {test} -parn 500 -pbsn 200 -f text -w 4"
    assert numbers(said(ours, arguments, folder)) == numbers(said(theirs, arguments, folder))


def test_paired_tests_say_where_ties_matter(tertium, texts):
    (texts / "copy.txt").write_text((texts / "north.txt").read_text())
    result = tertium("sacrebleu", "ref.a.txt", "-i", "north.txt", "copy.txt", "-par", "-f", "text")
    assert result.code == 0
    assert "(p = 0.0001)*" in result.out
    assert "copy.txt, BLEU: p = 0.0001 leaves out trials that tie" in result.err
    assert "with them, p = 1.0000" in result.err
    quiet = tertium("sacrebleu", "ref.a.txt", "-i", "north.txt", "copy.txt", "-par", "-f", "text", "-q")
    assert quiet.err == ""


def test_paired_tests_without_a_seed_and_with_a_bad_one(tertium, texts, monkeypatch):
    arguments = ("sacrebleu", "ref.a.txt", "-i", "north.txt", "south.txt", "-pbs", "-f", "text", "-w", "8")
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert tertium(*arguments).out != tertium(*arguments).out
    monkeypatch.setenv("SACREBLEU_SEED", "-4")
    refused = tertium(*arguments)
    assert refused.code == 1
    assert "SACREBLEU_SEED is '-4'" in refused.err


def test_paired_json_with_chrf_can_be_written(tertium, texts):
    result = tertium("sacrebleu", "ref.a.txt", "-i", "north.txt", "south.txt", "-pbs", "-m", "chrf")
    (first, second) = json.loads(result.out)
    assert first["system"] == "Baseline: north.txt"
    assert first["chrF2"]["p_value"] is None
    assert second["chrF2"]["ci"] > 0

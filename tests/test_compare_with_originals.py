"""The comparison with other programs: it says what is missing, and finds what is wrong."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from tools import compare_with_originals as tool
from tools.original_programs import UNKNOWN, Case, Comparison, Program, Verdict, jiwer, meteor, sacrebleu
from tools.original_scripts import mteval, tercom, terp


def options(**changed):
    return SimpleNamespace(**({"cases": 40, "seed": 1, "sets": None, "segments": 5} | changed))


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    assert "no jar" in meteor(str(tmp_path / "none.jar")).missing
    (tmp_path / "some.jar").write_bytes(b"")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert meteor(str(tmp_path / "some.jar")).missing == "no Java"
    table = list(tool._table([meteor(str(tmp_path / "none.jar"))], []))
    assert "pip install --no-deps pycocoevalcap" in table[2]
    assert tercom(None).missing == "not given: --tercom FILE"
    assert "there is no" in terp(str(tmp_path / "none.jar")).missing
    assert mteval(str(tmp_path / "some.jar")).missing == "no perl"


def test_differences_are_counted_by_cause(tmp_path, capsys):
    folder = tmp_path / "some.en-de"
    folder.mkdir()
    (folder / "hyp.north.txt").write_text("a b\nc d\ne f\n", encoding="utf-8")
    (folder / "ref.A.txt").write_text("a\nc\ne\n", encoding="utf-8")

    def judge(cases):
        for case in cases:
            assert len(case.references) == 2  # the one that is there, twice
            yield Verdict(1, 2, {"a b": "known", "c d": UNKNOWN}.get(case.hypothesis))

    program = Program("some", "1", comparisons=[Comparison("all", judge, ("de", "fr"), references=2)])
    (tally,) = tool._compared(program, options(sets=str(tmp_path)))
    assert (tally.cases, tally.real, dict(tally.causes)) == (43, 3, {"known": 1, UNKNOWN: 1})
    assert "| some 1 | all | 43 | 3 | 2 | known: 1; not known: 1 |" in tool._table([program], [tally])
    assert repr(Case("c d", ("c", "c"))) in capsys.readouterr().err


@pytest.mark.parametrize(("module", "program"), [("jiwer", jiwer), ("sacrebleu", sacrebleu)])
def test_the_programs_that_are_here_agree(module, program):
    pytest.importorskip(module, reason=f"{module} is not installed")
    tallies = list(tool._compared(program(), options()))
    assert sum(tally.cases for tally in tallies) >= 40
    assert not any(tally.causes for tally in tallies)


def test_bad_calls_are_refused():
    for words, message in [(["moses"], "no program is called moses"), (["--cases", "0"], "at least 1")]:
        ran = subprocess.run(
            [sys.executable, "-m", "tools.compare_with_originals", *words], capture_output=True, encoding="utf-8"
        )
        assert (ran.returncode, message in ran.stderr) == (2, True)


# Stands in for Java and Perl: reads what the programs would and writes their files, with one number that is wrong.
STAND_IN = """
import re, sys
from pathlib import Path
from tertium import BLEU, NIST, TER, TERp
words = sys.argv[1:]
def trans(name):
    groups = {}
    for line in Path(name).read_text(encoding="utf-8").splitlines():
        text, _, key = line.rpartition(" (")
        groups.setdefault(key[:-1], []).append(text)
    return groups
def sgml(name):
    documents = re.findall("<doc.*?</doc>", Path(name).read_text(encoding="utf-8"), re.S)
    return [re.findall('<seg id="[0-9]+">(.*?)</seg>', document) for document in documents]
if "-o" in words:
    assert words[words.index("-n") + 1] == "out"
    names = {"-N": "normalized", "-P": "no_punct", "-A": "asian_support", "-s": "case_sensitive"}
    metric = TER(**{name: True for flag, name in names.items() if flag in words})
    ours, theirs = trans("hypotheses"), trans("references")
    rows = metric.statistics([group[0] for group in ours.values()], list(theirs.values()))
    rows[0, 5] += 1
    lines = ["Hypothesis File: hypotheses", "Reference File: references"]
    lines += [f"{key}:1 {row[5]} {row[6]} {row[5] / max(row[6], 1)}" for key, row in zip(ours, rows)]
    Path("out.ter").write_text("\\n".join(lines), encoding="utf-8")
elif words[-1] == "parameters":
    assert "Output Prefix (filename) : out." in Path("parameters").read_text(encoding="utf-8")
    metric, ours, theirs = TERp(costs="parameters"), trans("hypotheses"), trans("references")
    scores = metric.score(metric.statistics([group[0] for group in ours.values()], list(theirs.values()))) / 100
    scores[0] += 0.5
    lines = [f"made-up\\tsome\\tdoc\\t{number}\\t{score}\\t9" for number, score in enumerate(scores)]
    Path("out.some.seg.scr").write_text("\\n".join(lines), encoding="utf-8")
else:
    folded = "-c" not in words
    tokenize = "mteval-intl-bare" if "--international-tokenization" in words else "mteval"
    (ours,), groups = sgml("tst.sgm"), list(zip(*sgml("ref.sgm")))
    assert len(sgml("src.sgm")[0]) == len(ours)
    nist = NIST(tokenize=tokenize, lowercase=folded).fitted_to(groups)
    bleu = BLEU(tokenize=tokenize, lowercase=folded, smoothing="mteval")
    for name, metric, unit in (("NIST", nist, 1), ("BLEU", bleu, 100)):
        scores = metric.score(metric.statistics(ours, groups)) / unit
        scores[0] += name == "NIST"
        lines = [f"made-up\\tmade-up\\tdoc\\t{number}\\t{score}" for number, score in enumerate(scores, start=1)]
        Path(f"{name}-seg.scr").write_text("\\n".join(lines), encoding="utf-8")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("program", "needed"), [(tercom, "java"), (terp, "java"), (mteval, "perl")])
def test_programs_that_write_files_are_run_and_read(program, needed, tmp_path, monkeypatch):
    stand_in = tmp_path / needed
    stand_in.write_text(f"#!{sys.executable}\n{STAND_IN}", encoding="utf-8")
    stand_in.chmod(0o755)
    file = tmp_path / "program"
    file.write_bytes(b"")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = program(str(file))
    tallies = list(tool._compared(found, options(cases=8 * len(found.comparisons))))
    for tally in tallies:
        assert (tally.cases, tally.causes.total()) == (8, 1), tally
    assert {cause for tally in tallies for cause in tally.causes} >= {UNKNOWN}

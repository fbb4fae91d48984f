"""The originals' own numbers for texts of our own: what tests/data/originals holds, any clone can compare.

`python -m tools.freeze_originals` made the files; each says which program, version and call. Many more numbers, of
more programs, are compared where TERTIUM_ORACLE names them (test_agreement.py and others).
"""

import numpy as np
import pytest
from tools.freeze_originals import FOLDER, frozen, reference_sets, texts

from tertium import parse_metric
from tertium.compat import jiwer


@pytest.fixture
def beside_the_files(monkeypatch):
    """Let settings name the files of the folder."""
    monkeypatch.chdir(FOLDER)


def by_metric(program):
    """Return {our name: rows}."""
    rows = frozen(program)
    return {name: [row for row in rows if row["ours"] == name] for name in dict.fromkeys(row["ours"] for row in rows)}


def check(name, rows, unit, tolerance):
    metric = parse_metric(name)
    for row in rows:
        groups = list(zip(*reference_sets(row["language"], row["references"]), strict=True))
        found = metric.statistics(texts(row["language"])[row["system"]], groups)
        where = f"{row['language']} {row['references']} {row['system']}"
        assert metric.score(found.sum(axis=0)) == pytest.approx(unit * row["corpus"], rel=tolerance), where
        if row["segments"]:
            np.testing.assert_allclose(metric.score(found), unit * np.array(row["segments"]), tolerance, err_msg=where)


@pytest.mark.parametrize(("name", "rows"), by_metric("sacrebleu").items())
def test_sacrebleu(name, rows):
    check(name, rows, unit=1, tolerance=1e-12)


@pytest.mark.parametrize(("name", "rows"), by_metric("meteor").items())
@pytest.mark.usefixtures("beside_the_files")
def test_meteor(name, rows):
    check(name, rows, unit=100, tolerance=1e-10)


@pytest.mark.parametrize("row", frozen("jiwer"), ids=lambda row: f"{row['language']}-{row['system']}-{row['theirs']}")
def test_jiwer(row):
    rate = getattr(jiwer, row["theirs"])
    references, hypotheses = texts(row["language"])["reference_a"], texts(row["language"])[row["system"]]
    assert rate(references, hypotheses) == pytest.approx(row["corpus"], rel=1e-12)
    assert [rate(*pair) for pair in zip(references, hypotheses, strict=True)] == pytest.approx(
        row["segments"], rel=1e-12
    )

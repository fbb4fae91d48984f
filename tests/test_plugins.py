"""Metrics of other packages, found by their entry points, and the contract they are held to."""

import json
import sys

import pytest

import tertium
from tertium import parse_metric, score
from tertium.errors import TertiumError
from tertium.metrics import plugins
from tertium.testing import check_metric

MODULE = '''
"""Length error, as the guide has it."""

from dataclasses import dataclass

import numpy as np

from tertium.metrics.base import Metric
from tertium.metrics.settings import setting


@dataclass(frozen=True, kw_only=True)
class LengthError(Metric):
    """Characters too many or too few, in percent of the reference."""

    name = "length-error"
    higher_is_better = {higher}
    perfect = 0.0
    range = "0 and more"
    source = "a test"
    columns = ("difference", "reference_length")

    blanks: bool = setting(True, "count blanks, too")

    def rows(self, hypotheses, references, *, threads):
        found = []
        for segment in range(len(hypotheses)):
            (ours,), group = hypotheses.texts[segment], references.texts[segment]
            nearest = min(map(len, group), key=lambda theirs: abs(len(ours) - theirs))
            found.append((abs(len(ours) - nearest), nearest))
        return np.array(found, np.float64).reshape(-1, 2)

    def score(self, totals):
        totals = self.checked(totals)
        return np.asarray(100 * totals[..., 0] / np.maximum(totals[..., 1], 1))

    def parts(self, totals):
        return {{name: totals[..., k] for k, name in enumerate(self.columns)}}


something = 3


@dataclass(frozen=True, kw_only=True)
class Unfinished(Metric):
    name = "unfinished"


class Failing(LengthError):
    def parts(self, totals):
        raise KeyError("difference")
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install a package that names metrics; the names and where they are can be chosen."""

    def install(*points, higher=False):
        (tmp_path / "lengths.py").write_text(MODULE.format(higher=higher))
        (tmp_path / "leaves.py").write_text("raise SystemExit(7)")
        info = tmp_path / "lengths-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lengths\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text("[tertium.metrics]\n" + "\n".join(points) + "\n")
        monkeypatch.syspath_prepend(tmp_path)
        plugins._found.cache_clear()

    yield install
    sys.modules.pop("lengths", None)
    plugins._found.cache_clear()


def test_a_metric_of_another_package(package):
    package("length-error = lengths:LengthError")
    metric = parse_metric("length-error:blanks=false")
    assert metric.signature(1).startswith("length-error:blanks=false|refs=1")
    assert parse_metric(metric.signature(1)) == metric
    assert score("length-error", ["abcd"], ["abcde"]).corpus["length-error"] == pytest.approx(20)
    check_metric(metric)


def test_the_contract_tells_what_is_broken(package):
    package("length-error = lengths:LengthError", higher=True)
    with pytest.raises(
        AssertionError, match=r"breaks its contract.\nbetter_text_scores_better: .*higher_is_better=True"
    ):
        check_metric(parse_metric("length-error"))


def test_the_contract_goes_on_where_a_metric_fails(package):
    package("length-error = lengths:LengthError")
    from lengths import Failing

    with pytest.raises(AssertionError, match=r"breaks its contract.\n.*: KeyError: 'difference'"):
        check_metric(Failing())


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("length-error = lengths:Nothing", "of lengths 1.2 cannot be loaded: AttributeError"),
        ("length-error = nowhere:LengthError", "cannot be loaded: ModuleNotFoundError"),
        ("length-error = lengths:something", "is 3, but a frozen dataclass"),
        ("other = lengths:LengthError", "calls itself 'length-error'"),
        ("unfinished = lengths:Unfinished", "does not say how these work: columns, parts, rows, score"),
        ("exits = leaves:Metric", "cannot be loaded: SystemExit: 7"),
    ],
)
def test_packages_that_are_broken(package, point, message):
    package(point)
    with pytest.raises(TertiumError, match=message):
        parse_metric(point.partition(" ")[0])


def test_a_name_that_nobody_has_tells_of_those_that_others_bring(package):
    package("length-error = lengths:LengthError")
    with pytest.raises(TertiumError, match="Did you mean 'length-error'"):
        parse_metric("length-eror")


def run(monkeypatch, capsys, *arguments):
    from tertium.cli.main import main

    monkeypatch.setattr(sys, "argv", ["tertium", *arguments])
    main()
    return capsys.readouterr()


def test_they_are_listed(package, monkeypatch, capsys):
    package("length-error = lengths:LengthError", "broken = nowhere:X", "bleu = lengths:LengthError")
    printed = run(monkeypatch, capsys, "metrics", "--format", "json")
    cards = {card["metric"]: card for card in json.loads(printed.out)["metrics"]}
    assert (cards["length-error"]["package"], cards["bleu"]["package"]) == ("lengths 1.2", "tertium")
    assert "broken" in printed.err


def test_a_harness_cannot_get_a_direction_wrong(monkeypatch, capsys):
    cards = {
        card["metric"]: card
        for card in json.loads(run(monkeypatch, capsys, "metrics", "--format", "json").out)["metrics"]
    }
    assert {name for name, card in cards.items() if card["direction"] == "minimize"} == {
        "wer",
        "per",
        "cder",
        "ter",
        "terp",
    }
    for name, card in cards.items():
        metric = parse_metric(name)
        assert card["higher_is_better"] == metric.higher_is_better == (card["direction"] == "maximize")
        assert card["perfect"] == metric.perfect
        assert (card["minimum"], card["maximum"]) == (0, 100 if card["higher_is_better"] and name != "nist" else None)
        assert card["scale"] == ("unbounded" if name == "nist" else "percent")
        assert card["reads"] == ["hypothesis", "reference"]
        assert card["additive"] is True
        assert card["corpus_is_mean_of_segments"] is False
        assert card["learns_from_references"] is (name == "nist")
    assert tertium.__version__

"""The benchmark's own arithmetic: who counts as fallen behind, what is recorded, and that the README says what was measured."""

import itertools
from dataclasses import replace

import pytest
from benchmarks import growth, results
from benchmarks.race import Contest, Row, held

ROW = Row("BLEU", "sacreBLEU", "segment", 1e-6, 3e-4, False)


def test_the_shortest_of_interleaved_runs_counts():
    order, ours, theirs = [], itertools.cycle([5.0, 3.0, 4.0]), itertools.cycle([40.0, 30.0])

    def run(side, times):
        order.append(side)
        return next(times)

    contest = Contest(
        "x", "y", lambda: run("a", ours), lambda: run("b", theirs), 10, often=2, rounds=2, same=lambda: True
    )
    row = held(contest)
    assert (row.ours, row.theirs, row.ratio) == (0.3, 3.0, 10.0)
    assert "".join(order) == "aabaaaabaa"


@pytest.mark.parametrize(("theirs", "runs"), [(1.0, "aabaa" + "aabbbbaa"), (2.0, "aabaa" + "aabbaa")])
def test_a_peer_that_is_as_quick_runs_as_often(theirs, runs):
    order = []

    def run(side, seconds):
        order.append(side)
        return seconds

    held(Contest("x", "y", lambda: run("a", 1.0), lambda: run("b", theirs), 1, often=2, rounds=2))
    assert "".join(order) == runs


def test_a_contest_with_another_answer_is_not_held():
    with pytest.raises(SystemExit, match="BLEU: the answer is not that of sacreBLEU"):
        held(Contest("BLEU", "sacreBLEU", lambda: 1.0, lambda: 1.0, 1, same=lambda: False))


@pytest.mark.parametrize(
    ("ratio", "ours", "behind"),
    [(399, 9e-7, False), (401, 9e-7, True), (401, 1.1e-6, False)],  # the last: both became faster, the peer more
)
def test_a_quarter_less_than_recorded_is_behind(ratio, ours, behind):
    found = results.fallen([ROW], {"BLEU": {"ratio": ratio, "ours": ours}})
    assert bool(found) == behind
    assert not found or "300.00 times as fast as sacreBLEU" in found[0]


def test_what_was_not_measured_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.json")
    other = Row("chrF", "sacreBLEU", "segment", 1.0, 1.0, False)
    results.record([other, replace(ROW, ours=1e-4)], "slow", machine="m")
    results.record([ROW], "fast", machine="m")
    results.record([ROW], "slow", machine="n")
    assert results.last_rows("slow") == {"chrF": other.to_dict(), "BLEU": ROW.to_dict()}
    assert results.last_rows("fast") == {"BLEU": ROW.to_dict()}
    assert results.last_rows("unknown") == {}
    assert list(results.recorded()) == ["fast", "slow"]  # what was measured last is last


def test_the_short_table_has_the_ratios_of_all_processors(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.json")
    results.record([replace(ROW, theirs=1e-4)], "slow", machine="m")
    results.record([ROW], "fast", machine="n")
    found = results.tables(results.recorded())
    assert "| sacreBLEU 2.6, BLEU | 100 to 300 |" in found["faster"]
    assert "300x" in found["speed"]
    assert "100x" not in found["speed"]
    assert "Measured on n." in found["speed"]


def test_the_readme_says_what_was_measured():
    text = results.README.read_text(encoding="utf-8")
    assert results.written(text, results.recorded()) == text, "python -m benchmarks.results writes the tables"
    assert all(one["rows"] for one in results.recorded().values())


@pytest.mark.parametrize(("value", "said"), [(0.1234, "123 ms"), (2.0, "2 s"), (6.78e-7, "678 ns"), (4.2e-6, "4.2 us")])
def test_durations_have_the_unit_that_suits(value, said):
    assert results.seconds(value) == said


def test_growth_is_the_power_and_bends_beyond_one():
    sizes = (1, 2, 4, 8)
    assert growth.growth(sizes, [n**2 for n in sizes]) == pytest.approx(2)
    assert growth.bends(sizes, [n**2 for n in sizes])
    assert not growth.bends(sizes, [n**1.2 for n in sizes])


def test_a_picture_has_a_line_for_each_metric():
    drawn = growth.picture("segments", (1, 2), {"bleu": [0.1, 0.2], "ter": [0.3, 0.9]})
    assert drawn.startswith("<svg")
    assert drawn.count('class="curve') == 2
    assert "bleu: 0.1 s, 0.2 s" in drawn

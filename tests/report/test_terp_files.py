"""TERp's reports on a small example of our own: what they count adds up to the score."""

import pytest

from tertium import TERp
from tertium.report.programs.terp import FORMATS, ReportedSegment, SegmentId, features, report, word_costs


@pytest.fixture(scope="module")
def metric(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terp")
    table = folder / "table.tsv"
    table.write_text("phrase_ref\tphrase_hyp\tprob\na great many\tlots of\t0.4\n", encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("TERTIUM_CACHE", str(folder))
    yield TERp(paraphrases=table, stopwords=False)
    patch.undo()


@pytest.fixture(scope="module")
def segments(metric):
    cases = [
        (SegmentId("north", "d1", "1"), "lots of boats left , carrying the nets", "a great many boats carried nets"),
        (SegmentId("north", "d1", "2"), "nets were mended at night", "at night nets were repaired"),
        (SegmentId("north", "d2", "3"), "", "nothing came"),
        (SegmentId("north", "d2", "4"), "far too many words", "none"),
    ]
    return [ReportedSegment(id, metric.tracks(ours, [theirs])) for id, ours, theirs in cases]


def written(kind, metric, segments):
    return "".join(report(kind, metric, segments, test_set="sample"))


@pytest.mark.parametrize("kind", FORMATS)
def test_every_report_is_text(kind, metric, segments):
    text = written(kind, metric, segments)
    assert text.endswith("\n")
    assert text == written(kind, metric, segments)


def test_pra(metric, segments):
    text = written("pra", metric, segments[:2])
    assert "Sentence ID: [north][d1][1]\n" in text
    assert f"Alignment: ({segments[0].tracks.operations})\n" in text
    assert segments[0].tracks.operations.count("P") == text.count("(a great many) -> (lots of) cost:") == 1
    assert "NumShifts: 1\n  [" in text
    assert "] (at night) -> (at night)\n" in text


def test_word_costs_add_up_to_the_edits(metric, segments):
    for one in segments:
        costs, missing = word_costs(metric, one.tracks)
        assert len(costs) == len(one.tracks.alignment.hypothesis)
        assert sum(costs) + missing == pytest.approx(one.tracks.edits)


def test_counts_times_costs_are_the_uncapped_score(metric, segments):
    lines = written("counts", metric, segments).splitlines()
    for line, one in zip(lines, segments, strict=True):
        name, *rest = line.split()  # an id and eleven numbers, and no heading: TERp's optimizer reads every line
        assert name == str(one.id)
        numbers = [float(number) for number in rest]
        assert len(numbers) == len(metric.costs_by_name)
        assert numbers == pytest.approx(features(metric, one.tracks.row), rel=1e-9)
        linear = sum(a * b for a, b in zip(numbers, metric.costs_by_name.values(), strict=True))
        if not one.tracks.probabilities:  # a phrase costs at least 0, which is not linear
            assert linear == pytest.approx(one.tracks.edits / one.tracks.row[-1])


def test_sum_has_uncapped_totals(metric, segments):
    *_, total = written("sum", metric, segments).splitlines()
    numbers = [float(cell) for cell in total.split("|")[1:]]
    edits, words = sum(one.tracks.edits for one in segments), sum(one.tracks.row[-1] for one in segments)
    assert numbers[-3:] == pytest.approx([edits, words, 100 * edits / words], abs=5e-4)


def test_ter_has_two_decimals_and_tabs(metric, segments):
    cells = written("ter", metric, segments[1:2]).rstrip("\n").split("\t")
    assert cells[:3] == ["north", "[north][d1][2]", "5"]
    assert len(cells[3].split(":")) == 5
    assert [float(cell) for cell in cells[5:7]] == pytest.approx([segments[1].tracks.edits, 5], abs=5e-3)


def test_nist_scores_are_capped_by_level(metric, segments):
    by_segment = [line.split("\t") for line in written("seg.scr", metric, segments).splitlines()]
    assert by_segment[0][:4] == ["sample", "north", "d1", "1"]
    assert float(by_segment[3][4]) <= 1
    by_document = [line.split("\t") for line in written("doc.scr", metric, segments).splitlines()]
    assert [line[2] for line in by_document] == ["d1", "d2"]
    (system,) = [line.split("\t") for line in written("sys.scr", metric, segments).splitlines()]
    total = sum(one.tracks.row for one in segments)
    assert float(system[2]) == pytest.approx(float(metric.score(total)) / 100, rel=1e-9)
    assert float(system[3]) == pytest.approx(total[-1])

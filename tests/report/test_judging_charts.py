"""Charts of how metrics agree with people: every number is there, and shades leave it readable."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.judged import IMPORTED, KINDS, judgments, scores
from report.test_charts import SVG, contrast, parsed
from tertium.meta import average_ranks, correlate, rank_metrics
from tertium.meta.judged_points import clouds
from tertium.report.drawing.charts import WIDTH, Range, ranges, stacked
from tertium.report.drawing.matrix import Cell, matrix
from tertium.report.drawing.palette import DARK, LIGHT, chart_css
from tertium.report.drawing.scatter import Axis, Dot, scatter
from tertium.report.pages.judging_charts import (
    averages_chart,
    averages_plot,
    cloud_chart,
    coefficients_chart,
    correlate_plot,
    heat_map,
    places_chart,
    places_of,
    rank_plot,
    ranks_chart,
    significance_matrix,
)

FINITE = st.floats(-1e6, 1e6)


def words(drawing):
    return [node.text for node in parsed(drawing).iter(f"{SVG}text")]


def hints(drawing):
    return [node.text for node in parsed(drawing).iter(f"{SVG}title")]


@pytest.fixture(scope="module")
def found():
    return correlate(scores(), judgments(), ["segment", "system"], ["pearson", "kendall-b"], samples=100)


@pytest.fixture(scope="module")
def ranks():
    return rank_metrics(scores(), judgments(), kind=KINDS[0], samples=100)


@pytest.fixture(scope="module")
def seen():
    return clouds(scores(), judgments(), samples=100)


def test_a_matrix_says_every_number_and_shades_it():
    chart = matrix(
        ["a<b>", "c"], ["x", "y"], [[Cell("0.5", 0.5), None], [Cell("−0.2", -0.2), Cell("1", 7, "h")]], title="t"
    )
    assert {"a<b>", "c", "x", "y", "0.5", "−0.2", "1"} == set(words(chart))
    assert {"a<b>, x: 0.5", "h"} <= set(hints(chart))
    shades = [node for node in parsed(chart).iter(f"{SVG}rect") if node.get("fill-opacity")]
    assert [(node.get("class"), float(node.get("fill-opacity"))) for node in shades] == [
        ("f0", 0.25), ("f1", 0.1), ("f0", 0.5),
    ]  # fmt: skip


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_words_can_be_read_on_the_deepest_shade(colors):
    def mixed(above, below, share):
        parts = [round(share * int(above[k : k + 2], 16) + (1 - share) * int(below[k : k + 2], 16)) for k in (1, 3, 5)]
        return "#" + "".join(f"{part:02x}" for part in parts)

    for series in ("s0", "s1"):
        assert contrast(colors["ink"], mixed(colors[series], colors["band"], 0.5)) >= 4.5


def test_scatter_shows_dots_with_both_intervals():
    chart = scatter(
        [Dot("a & b", 1, 2, (0.5, 1.5), (1, 3)), Dot("c", 2, 3, series=1)],
        across=Axis("bleu"),
        up=Axis("mqm"),
        title="t",
    )
    assert {"a & b", "c", "bleu", "mqm"} <= set(words(chart))
    assert "a & b: bleu 1 [0.5, 1.5], mqm 2 [1, 3]" in hints(chart)
    assert len([node for node in parsed(chart).iter(f"{SVG}line") if node.get("class") == "l0"]) == 2


def test_better_is_right_and_up():
    def places(turned):
        chart = scatter([Dot("a", 1, 1), Dot("b", 2, 1, series=5)], across=Axis("m", turned), up=Axis("h"), title="t")
        return [float(node.get("cx")) for node in parsed(chart).iter(f"{SVG}circle")]

    assert places(False)[0] < places(False)[1]
    assert places(True)[0] > places(True)[1]


@pytest.mark.parametrize("count", [0, 1, 500, 501, 4000])
def test_many_points_become_squares(count):
    rng = np.random.default_rng(1)
    chart = parsed(scatter([], across=Axis("m"), up=Axis("h"), title="t", swarm=rng.normal(size=(count, 2))))
    assert len(list(chart.iter(f"{SVG}circle"))) == (count if count <= 500 else 0)
    squares = list(chart.iter(f"{SVG}path"))
    assert (len(squares) > 1) == (count > 500)
    if squares:
        assert sum(node.get("d").count("M") for node in squares) <= count


def test_equal_points_can_be_drawn():
    for count in (3, 900):
        parsed(scatter([], across=Axis("m"), up=Axis("h", True), title="t", swarm=np.ones((count, 2))))


@given(st.lists(st.tuples(st.text(max_size=30).filter(str.isprintable), FINITE, FINITE), max_size=12))
def test_names_never_lie_on_each_other(items):
    chart = parsed(scatter([Dot(*item) for item in items], across=Axis("m"), up=Axis("h"), title="t"))
    boxes = [
        (float(node.get("x")), float(node.get("y")), 7.3 * len(node.text or ""))
        for node in chart.iter(f"{SVG}text") if node.get("class") == "name"
    ]  # fmt: skip
    for k, (x, y, wide) in enumerate(boxes):
        assert x >= 0
        assert x + wide <= WIDTH
        for other_x, other_y, other_wide in boxes[:k]:
            assert abs(y - other_y) >= 11.9 or x >= other_x + other_wide - 0.1 or other_x >= x + wide - 0.1


def test_counts_have_whole_ticks():
    chart = ranges([Range("a", 1, 1, 2), Range("b", 2, 1, 2)], title="t", decimals=0, whole=True)
    assert {"1", "2"} == {text for text in words(chart) if text.replace(".", "").isdigit()}


def test_ticks_fit_their_room():
    chart = ranges([Range("a name of twenty-three l", 0.0811, 0.0411, 0.1201)], title="t", decimals=3)
    places = [float(node.get("x")) for node in parsed(chart).iter(f"{SVG}text") if node.get("text-anchor") == "middle"]
    assert min(np.diff(sorted(places))) >= 22


def test_pictures_stand_in_columns_and_wide_ones_alone():
    small, wide = ranges([Range("a", 1)], title="s"), matrix(["a"], list("bcdefghijk"), [[None] * 10], title="w")
    assert wide.width > WIDTH
    picture = parsed(stacked([("1", small), ("2", small), ("3", wide), ("4", small)], chart_css(LIGHT), 2))
    places = [(float(node.get("x")), float(node.get("y"))) for node in picture.iter(f"{SVG}svg") if node.get("x")]
    assert [x for x, _ in places] == [0, WIDTH, 0, 0]
    assert places[0][1] == places[1][1] < places[2][1] < places[3][1]


def test_the_heat_map_has_every_coefficient(found):
    shown = heat_map(found)
    assert len([hint for hint in hints(shown) if "points" in hint]) == len(found) == 4 * 2 * 2 * 2
    for one in found:
        assert any(f"{one.value:.3f}".replace("-", "−") in text for text in words(shown))


def test_a_coefficient_that_is_undefined_is_an_empty_cell(found):
    from dataclasses import replace

    lacking = replace(found, correlations=(replace(found.correlations[0], value=float("nan")), *found.correlations[1:]))
    assert len([hint for hint in hints(heat_map(lacking)) if "points" in hint]) == len(found) - 1
    assert len(list(parsed(coefficients_chart(lacking, places_of(found)[0])).iter(f"{SVG}g"))) == 3


def test_coefficients_come_best_first(found):
    place = places_of(found)[0]
    values = [one.value for one in found if (one.kind, one.level, one.method, one.group) == place]
    shown = [
        float(hint.split(": ")[1].split(" ")[0].replace("−", "-")) for hint in hints(coefficients_chart(found, place))
    ]
    assert shown == pytest.approx(sorted(values, reverse=True), abs=0.0005)


def test_ranks_places_and_tests(ranks):
    order = ranks.comparisons.metrics
    assert len(hints(ranks_chart(ranks))) == len(hints(places_chart(ranks))) == 4
    cells = [hint for hint in hints(significance_matrix(ranks.comparisons)) if "p = " in hint]
    assert len(cells) == len(order) * (len(order) - 1) / 2
    stars = [text for text in words(significance_matrix(ranks.comparisons)) if text.startswith("↑")]
    assert len(stars) == sum(one.significant for one in ranks.comparisons.comparisons)


def test_clouds_have_systems_by_name_or_points(seen):
    system = next(one for one in seen if (one.metric, one.level, one.kind) == (IMPORTED, "system", KINDS[1]))
    drawn = cloud_chart(system)
    assert len(hints(drawn)) == 5
    assert any(text.endswith("(lower is better)") for text in words(drawn))
    segment = next(one for one in seen if (one.metric, one.level) == ("chrf", "segment"))
    assert len(list(parsed(cloud_chart(segment)).iter(f"{SVG}circle"))) == 148 + 10


def test_whole_pictures_are_well_formed(found, ranks, seen):
    averages = average_ranks(found)
    assert len(hints(averages_chart(averages, "pearson"))) == 4
    for picture, charts in (
        (correlate_plot(found, seen), 1 + 8 + len(seen)),
        (rank_plot(ranks, seen[:4]), 3 + 4),
        (averages_plot(averages, found, ()), 2 + 1),
    ):
        written = picture.svg()
        assert "var(" not in written
        root = ElementTree.fromstring(written)
        assert len(list(root.iter(f"{SVG}svg"))) == 1 + charts


def test_a_few_points_far_out_hide_no_trend():
    from tertium.report.drawing.scatter import Axis, scatter

    rng = np.random.default_rng(3)
    swarm = rng.normal(size=(1000, 2))
    swarm[0] = (4000.0, -4000.0)
    shown = scatter([], across=Axis("x"), up=Axis("y"), title="t", swarm=swarm).svg()
    assert "4,000" not in shown
    few = scatter([], across=Axis("x"), up=Axis("y"), title="t", swarm=swarm[:50]).svg()
    assert "4,000" in few

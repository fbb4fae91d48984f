"""Charts: well-formed, complete, and round ticks."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.report.drawing.charts import Range, histograms, lines, ranges, stacked
from tertium.report.drawing.palette import DARK, LIGHT, SERIES, chart_css
from tertium.report.drawing.svg import Scale, shortened, ticks, width_of

SVG = "{http://www.w3.org/2000/svg}"
numbers = st.floats(-1e6, 1e6)


def parsed(drawing):
    return ElementTree.fromstring(drawing.svg())


@given(numbers, numbers)
def test_ticks_are_few_and_enclose(one, two):
    low, high = sorted((one, two))
    found = ticks(low, high)
    step = found[1] - found[0]
    assert found[0] <= low + 1e-6 * step
    assert found[-1] >= high - 1e-6 * step
    assert 2 <= len(found) <= 9


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0, 100, [0, 20, 40, 60, 80, 100]), (29.1, 31.9, [29, 29.5, 30, 30.5, 31, 31.5, 32])]
)
def test_ticks_are_round(low, high, expected):
    assert ticks(low, high) == expected


def test_a_scale_maps_ends_to_ends():
    scale = Scale(10, 20, 100, 300)
    assert (scale(10), scale(15), scale(20)) == (100, 200, 300)
    assert Scale(1, 1, 0, 100)(1) == 50


def test_ranges_show_every_item_with_its_interval():
    chart = parsed(ranges([Range("a<b>", 1, 0.5, 1.5), Range("c", 2, series=1, note=" *", band=1)], title="t & u"))
    assert chart.get("aria-label") == "t & u"
    words = [node.text for node in chart.iter(f"{SVG}text")]
    assert "a<b>" in words
    assert "1.00 [0.50, 1.50]" in words
    assert "2.00 *" in words
    assert len([node for node in chart.iter(f"{SVG}line") if "whisker" in node.get("class")]) == 1
    assert [node.get("class") for node in chart.iter(f"{SVG}rect")] == ["band"]


def test_histograms_have_a_bar_per_filled_bin():
    chart = parsed(histograms([("a", [1, 0, 3], 2.0), ("b", [0, 0, 1], 2.5)], [0, 1, 2, 3], title="t"))
    bars = list(chart.iter(f"{SVG}rect"))
    assert len(bars) == 3
    heights = [float(bar.get("height")) for bar in bars]
    assert heights[0] * 3 == pytest.approx(heights[1], abs=0.05)


def test_lines_leave_gaps_and_name_their_series():
    chart = parsed(lines([("a", [1, None, 3]), ("b", [2, 2, 2])], ["x", "y", "z"], title="t"))
    points = [len(node.get("points").split()) for node in chart.iter(f"{SVG}polyline")]
    assert points == [2, 3]
    assert {"a", "b", "x", "y", "z"} <= {node.text for node in chart.iter(f"{SVG}text")}


def test_stacked_charts_stand_alone():
    one = ranges([Range("a", 1)], title="one")
    whole = stacked([("first", one), ("second", one)], chart_css(LIGHT))
    root = parsed(whole)
    assert whole.height > 2 * one.height
    assert len(list(root.iter(f"{SVG}svg"))) == 3
    assert "var(" not in root.find(f"{SVG}style").text


def test_names_are_cut_where_they_do_not_fit():
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "a…d"
    assert shortened("hyp.Online-G", 10) == "hyp.O…ne-G"
    assert shortened("hyp.Online-G", 9) == "hyp.…ne-G"
    assert width_of(["模型", "MW"], 9) == width_of(["模型"], 9) > width_of(["MW"], 9) > width_of(["ab"], 9)


def contrast(one, two):
    """WCAG 2's: the ratio of relative luminances."""

    def luminance(color):
        parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_can_be_seen_on_paper(colors):
    for k in range(SERIES):
        assert contrast(colors[f"s{k}"], colors["paper"]) >= 3
    for text in ("ink", "faint", "accent"):
        assert contrast(colors[text], colors["paper"]) >= 4.5
    for edit in ("substitution", "insertion", "deletion"):
        assert contrast(colors["ink"], colors[edit]) >= 4.5

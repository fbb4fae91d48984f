"""Charts as pure functions: data in, SVG out. Colours are classes (see `palette`), so a chart fits any page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.drawing.palette import SERIES
from tertium.report.drawing.svg import (
    Drawing,
    Scale,
    element,
    line,
    marker,
    shortened,
    text,
    tick_text,
    ticks,
    titled,
    width_of,
)

WIDTH = 460.0
_LETTERS = 23


@dataclass(frozen=True)
class Range:
    """A value and where it may lie; `series` picks colour and marker, `band` numbers groups that are set apart."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    series: int = 0
    note: str = ""
    band: int = 0
    hint: str = ""  # shown when it is pointed at, if the label is too short to say it


def ranges(
    items: Sequence[Range], *, title: str, decimals: int = 2, zero: bool = False, whole: bool = False,
    width: float = WIDTH,
) -> Drawing:  # fmt: skip
    """Return values with their intervals, one below the other; with `zero`, a line there; `whole` values are counts."""
    left = width_of([item.label for item in items], _LETTERS) + 14
    right = width - width_of([_shown(item, decimals) for item in items], 99) - 14
    ends = [end for item in items for end in (item.low, item.high, item.value) if end is not None]
    ends += [0.0] if zero else []
    room = max(2, min(5 if width == WIDTH else 10, int((right - left) / 44)))  # numbers that fit below
    marks = ticks(min(ends, default=0.0), max(ends, default=1.0), room)
    if whole:
        every = [float(k) for k in range(math.floor(min(ends, default=0)), math.ceil(max(ends, default=1)) + 1)]
        marks = every[:: math.ceil(len(every) / (2 * room))]
    scale = Scale(min([*marks, *ends]), max([*marks, *ends]), left, right)
    top, step = 10, 26
    bottom = top + step * len(items)
    parts = []
    for k, item in enumerate(items):
        if item.band % 2:
            parts.append(element("rect", x=0, y=top + step * k, width=width, height=step, class_="band"))
    parts += _below(scale, marks, top, bottom)
    if zero:
        parts.append(line(scale(0), top, scale(0), bottom, "axis"))
    for k, item in enumerate(items):
        y = top + step * (k + 0.5)
        color = item.series % SERIES
        mark = marker(item.series, scale(item.value), y, f"f{color}")
        if item.low is not None and item.high is not None:
            mark = line(scale(item.low), y, scale(item.high), y, f"whisker l{color}") + mark
        parts += [
            text(shortened(item.label, _LETTERS), left - 10, y + 4, "end"),
            titled(f"{item.hint or item.label}: {_shown(item, decimals)}", mark),
            text(_shown(item, decimals), width - 4, y + 4, "end", "small"),
        ]
    return Drawing(width, bottom + 26.0, title, tuple(parts))


def _shown(item: Range, decimals: int) -> str:
    between = "" if item.low is None or item.high is None else f" [{item.low:.{decimals}f}, {item.high:.{decimals}f}]"
    return f"{item.value:.{decimals}f}{between}{item.note}".replace("-", "−")


def _below(scale: Scale, marks: Sequence[float], top: float, bottom: float) -> list[str]:
    """Return the lines of a grid and the numbers below it."""
    parts = [line(scale(mark), top, scale(mark), bottom, "grid") for mark in marks]
    return [*parts, *(text(tick_text(mark), scale(mark), bottom + 16, "middle", "small") for mark in marks)]


def histograms(series: Sequence[tuple[str, Sequence[int], float]], edges: Sequence[float], *, title: str) -> Drawing:
    """Return one histogram per (name, counts, median), one below the other on one axis."""
    left = width_of([name for name, _, _ in series], _LETTERS) + 14
    scale = Scale(edges[0], edges[-1], left, WIDTH - 14)
    marks = [mark for mark in ticks(edges[0], edges[-1]) if edges[0] <= mark <= edges[-1]]
    most = max((count for _, counts, _ in series for count in counts), default=0) or 1
    step, top = 46.0, 6.0
    bottom = top + step * len(series)
    parts = _below(scale, marks, top, bottom)
    for k, (name, counts, median) in enumerate(series):
        ground = top + step * (k + 1)
        bars = []
        for count, begin, end in zip(counts, edges, edges[1:], strict=False):
            height = (step - 8) * count / most
            words = f"{name}: {count:,} segments from {tick_text(begin)} to {tick_text(end)}"
            wide = max(scale(end) - scale(begin) - 1, 0.5)
            bar = element(
                "rect", x=scale(begin) + 0.5, y=ground - height, width=wide, height=height, class_=f"f{k % SERIES}"
            )
            bars += [titled(words, bar)] if count else []
        parts += [
            text(shortened(name, _LETTERS), left - 10, ground - 6, "end"),
            line(left, ground, WIDTH - 14, ground, "axis"),
            *bars,
            titled(
                f"{name}: median {median:.2f}", line(scale(median), ground - step + 8, scale(median), ground, "axis")
            ),
        ]
    return Drawing(WIDTH, bottom + 24.0, title, tuple(parts))


def lines(series: Sequence[tuple[str, Sequence[float | None]]], groups: Sequence[str], *, title: str) -> Drawing:
    """Return one line per (name, values) over groups; None is a gap. Every series has its own marker."""
    values = [value for _, some in series for value in some if value is not None]
    marks = ticks(min(values, default=0.0), max(values, default=1.0), 5)
    left, right, top, bottom = 44.0, WIDTH - 12, 10.0, 190.0
    up = Scale(marks[0], marks[-1], bottom, top)
    along = Scale(0, max(len(groups) - 1, 1), left + 16, right - 16)
    parts = []
    for mark in marks:
        parts += [
            line(left, up(mark), right, up(mark), "grid"),
            text(tick_text(mark), left - 6, up(mark) + 4, "end", "small"),
        ]
    for k, group in enumerate(groups):
        parts.append(text(group, along(k), bottom + 18, "middle", "small"))
    for k, (name, some) in enumerate(series):
        color = k % SERIES
        places = [(along(j), up(value), value) for j, value in enumerate(some) if value is not None]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(element("polyline", points=points, class_=f"curve l{color}"))
        for j, value in enumerate(some):
            if value is not None:
                words = f"{name}, {groups[j]}: {value:.2f}"
                parts.append(titled(words, marker(k, along(j), up(value), f"f{color}")))
    legend, height = _legend([name for name, _ in series], bottom + 34)
    return Drawing(WIDTH, height, title, (*parts, *legend))


def _legend(names: Sequence[str], y: float) -> tuple[list[str], float]:
    """Return names with their markers in lines that fit, and where they end."""
    parts, x = [], 12.0
    for k, name in enumerate(names):
        need = width_of([name], _LETTERS) + 30
        if x + need > WIDTH and x > 12:
            x, y = 12.0, y + 20
        parts += [marker(k, x, y, f"f{k % SERIES}"), text(shortened(name, _LETTERS), x + 10, y + 4)]
        x += need
    return parts, y + 12


def stacked(panels: Sequence[tuple[str, Drawing]], style: str, columns: int = 1) -> Drawing:
    """Return (heading, chart) pairs as one picture that carries its colours.

    Charts stand in rows of so many columns; one that is wider than the others has a row of its own.
    """
    parts, y, width = [], 8.0, WIDTH
    for row in _rows(panels, columns):
        for k, (heading, chart) in enumerate(row):
            parts.append(text(shortened(heading, 58), WIDTH * k + 10, y + 14, "start", "heading"))
            parts.append(chart.svg(x=WIDTH * k, y=y + 24, width=chart.width, height=chart.height))
            width = max(width, WIDTH * k + chart.width)
        y += max(chart.height for _, chart in row) + 36
    paper = element("rect", x=0, y=0, width="100%", height="100%", class_="paper")
    title = ", ".join(heading for heading, _ in panels)
    return Drawing(width, y, title, (element("style", style), paper, *parts))


def _rows(panels: Sequence[tuple[str, Drawing]], columns: int) -> list[list[tuple[str, Drawing]]]:
    rows: list[list[tuple[str, Drawing]]] = []
    for panel in panels:
        alone = panel[1].width > WIDTH or not rows or rows[-1][0][1].width > WIDTH or len(rows[-1]) == columns
        if alone:
            rows.append([panel])
        else:
            rows[-1].append(panel)
    return rows

"""Scores against scores: dots with intervals both ways, and swarms of points behind them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.metrics.base import Floats
from tertium.report.drawing import svg
from tertium.report.drawing.charts import WIDTH
from tertium.report.drawing.palette import SERIES
from tertium.report.drawing.svg import Drawing, Scale, element, shortened, text

Between = tuple[float, float] | None
Box = tuple[float, float, float, float]

HEIGHT = 300.0
_LETTERS = 16
_MOST = 500  # points that are drawn one by one; more are counted in squares
_SQUARES = 44, 26  # across, up
_SHADES = 5
_ENOUGH, _TAIL = 200, 0.01  # from so many points on, such a share at either end stands at the edge


@dataclass(frozen=True)
class Axis:
    """What is measured; `turned` axes run backwards, so that better is always right and up."""

    label: str
    turned: bool = False


@dataclass(frozen=True)
class Dot:
    """Two scores of something, and where each may lie."""

    label: str
    x: float
    y: float
    across: Between = None
    up: Between = None
    series: int = 0
    note: str = ""


def scatter(
    dots: Sequence[Dot], *, across: Axis, up: Axis, title: str, swarm: Floats | None = None, names: bool = True
) -> Drawing:
    """Return dots with their intervals before a swarm of points (n, 2); `names` stand next to the dots."""
    points = np.empty((0, 2)) if swarm is None else _within_quantiles(swarm)
    along_marks = svg.ticks(*_ends(points[:, 0], [(dot.x, dot.across) for dot in dots]), 6)
    up_marks = svg.ticks(*_ends(points[:, 1], [(dot.y, dot.up) for dot in dots]), 6)
    left = 34 + svg.width_of([svg.tick_text(mark) for mark in up_marks], 12)
    right, top, bottom = WIDTH - 14, 12.0, HEIGHT - 52
    along = _scale(along_marks, left, right, across)
    above = _scale(up_marks, bottom, top, up)
    parts = [
        *(svg.line(along(mark), top, along(mark), bottom, "grid") for mark in along_marks),
        *(svg.line(left, above(mark), right, above(mark), "grid") for mark in up_marks),
        *(text(svg.tick_text(mark), along(mark), bottom + 16, "middle", "small") for mark in along_marks),
        *(text(svg.tick_text(mark), left - 6, above(mark) + 4, "end", "small") for mark in up_marks),
        text(_named(across), (left + right) / 2, bottom + 38, "middle"),
        element("g", text(_named(up), 0, 0, "middle"), transform=f"translate(14 {(top + bottom) / 2:.1f}) rotate(-90)"),
        *(_one_by_one(points, along, above) if len(points) <= _MOST else _squares(points, along, above)),
    ]
    taken: list[Box] = [(along(dot.x) - 6, above(dot.y) - 6, along(dot.x) + 6, above(dot.y) + 6) for dot in dots]
    for dot in dots:
        x, y, color = along(dot.x), above(dot.y), dot.series % SERIES
        whiskers = [] if dot.across is None else [_whisker(along(dot.across[0]), y, along(dot.across[1]), y, color)]
        whiskers += [] if dot.up is None else [_whisker(x, above(dot.up[0]), x, above(dot.up[1]), color)]
        parts.append(svg.titled(_said(dot, across, up), *whiskers, svg.marker(dot.series, x, y, f"f{color}")))
    if names:
        for dot in dots:
            parts += _name(dot, along(dot.x), above(dot.y), taken, (left, top, right, bottom))
    return Drawing(WIDTH, HEIGHT, title, tuple(parts))


def _within_quantiles(points: Floats) -> Floats:
    """Return many points with the outermost hundredths moved to the edge, where they hide no trend of the others."""
    if len(points) < _ENOUGH:
        return points
    low, high = np.quantile(points, [_TAIL, 1 - _TAIL], axis=0)
    inside: Floats = np.clip(points, low, high)
    return inside


def _ends(points: Floats, dots: Iterable[tuple[float, Between]]) -> tuple[float, float]:
    values = [*([float(points.min()), float(points.max())] if len(points) else [])]
    for value, between in dots:
        values += [value, *(between or ())]
    return min(values, default=0.0), max(values, default=1.0)


def _scale(marks: Sequence[float], begin: float, end: float, axis: Axis) -> Scale:
    return Scale(marks[0], marks[-1], end, begin) if axis.turned else Scale(marks[0], marks[-1], begin, end)


def _named(axis: Axis) -> str:
    return shortened(axis.label, 40) + (" (lower is better)" if axis.turned else "")


def _said(dot: Dot, across: Axis, up: Axis) -> str:
    return f"{dot.label}: {across.label} {_number(dot.x, dot.across)}, {up.label} {_number(dot.y, dot.up)}{dot.note}"


def _number(value: float, between: Between) -> str:
    words = f"{value:.4g}" if between is None else f"{value:.4g} [{between[0]:.4g}, {between[1]:.4g}]"
    return words.replace("-", "−")


def _whisker(x1: float, y1: float, x2: float, y2: float, color: int) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=f"l{color}", stroke_width=1.5)


def _one_by_one(points: Floats, along: Scale, above: Scale) -> list[str]:
    return [
        element("circle", cx=along(x), cy=above(y), r=2.6, class_="f6", fill_opacity=0.45) for x, y in points.tolist()
    ]


def _squares(points: Floats, along: Scale, above: Scale) -> list[str]:
    """Return squares, the fuller the darker: one path per shade."""
    ends = [sorted((scale.begin, scale.end)) for scale in (along, above)]
    counts, xs, ys = np.histogram2d(
        _placed(points[:, 0], along), _placed(points[:, 1], above), bins=_SQUARES, range=ends
    )
    shade = np.ceil(_SHADES * np.log1p(counts) / np.log1p(counts.max())).astype(int)
    wide, high = xs[1] - xs[0], ys[1] - ys[0]
    parts = []
    for one in range(1, _SHADES + 1):
        corners = "".join(
            f"M{xs[i]:.1f} {ys[j]:.1f}h{wide:.1f}v{high:.1f}h-{wide:.1f}z" for i, j in np.argwhere(shade == one)
        )
        if corners:
            parts.append(element("path", d=corners, class_="f6", fill_opacity=0.12 + 0.6 * one / _SHADES))
    return parts


def _placed(values: Floats, scale: Scale) -> Floats:
    return scale.begin + (values - scale.low) / (scale.high - scale.low) * (scale.end - scale.begin)


def _name(dot: Dot, x: float, y: float, taken: list[Box], frame: Box) -> list[str]:
    """Return a dot's name where it is free: right, left, above or below; else nothing, for it can be pointed at."""
    words = shortened(dot.label, _LETTERS)
    wide = svg.width_of([words], _LETTERS)
    for begin, base in ((x + 8, y - 4), (x - 8 - wide, y - 4), (x + 8, y + 14), (x - 8 - wide, y + 14)):
        box = (begin, base - 10, begin + wide, base + 2)
        inside = frame[0] <= box[0] and box[2] <= frame[2] and frame[1] <= box[1] and box[3] <= frame[3]
        if inside and not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken
        ):
            taken.append(box)
            return [text(words, begin, base, class_="name")]
    return []

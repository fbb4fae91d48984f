"""A tuning as a page and as pictures: how the search rose, and what each setting does to the agreement."""

from collections.abc import Sequence

from tertium.meta.tuning.tune import Tuning
from tertium.metrics.names import title as title_of
from tertium.report.drawing.charts import WIDTH, stacked
from tertium.report.drawing.palette import LIGHT, chart_css
from tertium.report.drawing.svg import Drawing, Scale, element, line, marker, text, tick_text, ticks, titled
from tertium.report.pages.judging_pages import Made
from tertium.report.pages.page import page

Points = Sequence[tuple[float, float]]


def tuning_plot(tuning: Tuning) -> Drawing:
    """Return the search's best value by trial, then each setting's effect around where it was set."""
    return stacked(_panels(tuning), chart_css(LIGHT))


def tuning_page(tuning: Tuning, command: str = "") -> str:
    """Return the page: what was found, what the parts held out say, and the pictures."""
    return page(
        "tune.html",
        title=f"{title_of(tuning.metric.name)} tuned to {tuning.kind}, by {tuning.level}",
        data={},
        scripts=("theme.js",),
        tuning=tuning,
        charts=_panels(tuning),
        made=Made(tuning.metric.signature(), (), (), (), command),
    )


def _panels(tuning: Tuning) -> list[tuple[str, Drawing]]:
    panels = []
    if len(tuning.trace) > 1:
        panels.append((f"Search: best {tuning.method} by trial", curve(tuning.trace, title="search", last=True)))
    for name, points in tuning.sensitivity.items():
        at = float(tuning.values[name])
        panels.append((f"{name} = {at:.3g}: {tuning.method} as it alone moves", curve(points, title=name, at=at)))
    return panels


def curve(points: Points, *, title: str, at: float | None = None, last: bool = False) -> Drawing:
    """Return one curve of (x, y); a line at `at`, or a marker on the last point."""
    across = ticks(min(x for x, _ in points), max(x for x, _ in points), 5)
    up_marks = ticks(min(y for _, y in points), max(y for _, y in points), 4)
    left, right, top, bottom = 56.0, WIDTH - 16, 8.0, 130.0
    along, up = Scale(across[0], across[-1], left, right), Scale(up_marks[0], up_marks[-1], bottom, top)
    parts = []
    for mark in up_marks:
        parts += [
            line(left, up(mark), right, up(mark), "grid"),
            text(tick_text(mark), left - 6, up(mark) + 4, "end", "small"),
        ]
    parts += [text(tick_text(mark), along(mark), bottom + 16, "middle", "small") for mark in across]
    if at is not None:
        parts.append(line(along(at), top, along(at), bottom, "axis"))
    places = " ".join(f"{along(x):.1f},{up(y):.1f}" for x, y in points)
    parts.append(element("polyline", points=places, class_="curve l0"))
    if last:
        x, y = points[-1]
        parts.append(titled(f"{y:.4f} after {x:,.0f} trials", marker(0, along(x), up(y), "f0")))
    return Drawing(WIDTH, bottom + 26.0, title, tuple(parts))

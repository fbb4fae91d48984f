"""The page and the picture of `tertium compare`: contents in, one file out."""

from dataclasses import dataclass
from typing import Any

from tertium.metrics.names import title
from tertium.report.drawing.charts import WIDTH, Range, histograms, lines, ranges, stacked
from tertium.report.drawing.palette import LIGHT, chart_css
from tertium.report.drawing.svg import Drawing, shortened
from tertium.report.pages.contents import Contents, Place, decimals_for, overview
from tertium.report.pages.markings import SEVERITIES
from tertium.report.pages.page import page
from tertium.report.pages.segments import as_data
from tertium.significance import Comparisons


@dataclass(frozen=True)
class Charts:
    """The charts of one metric."""

    overview: Drawing
    differences: Drawing  # as wide as the page
    differences_narrow: Drawing  # for phones
    distribution: Drawing
    lengths: Drawing


def compare_page(contents: Contents) -> str:
    """Return the page."""
    systems = contents.scores.systems
    frequencies = lines(
        [(system, contents.frequencies.scores[system]) for system in systems],
        contents.frequencies.groups,
        title="F1 of words by how often the references have them",
    )
    return page(
        "compare.html",
        title=f"{', '.join(systems)} compared",
        data=_data(contents),
        scripts=("theme.js", "compare.js"),
        contents=contents,
        charts={metric.label: charts_of(contents, metric.label) for metric in contents.metrics},
        frequencies=frequencies,
        test=contents.compared,
        markers=_markers(contents),
        severities=SEVERITIES[::-1],
    )


def charts_of(contents: Contents, label: str) -> Charts:
    """Return the charts of one metric."""
    systems = contents.scores.systems
    metric = next(metric for metric in contents.metrics if metric.label == label)
    spread = contents.distributions[label]
    return Charts(
        overview_chart(contents.overview[label], metric.title, metric.decimals),
        differences_chart(contents.compared, label, metric.decimals, width=2 * WIDTH),
        differences_chart(contents.compared, label, metric.decimals),
        histograms(
            [(system, spread.counts[system], spread.quartiles[system][1]) for system in systems],
            spread.edges,
            title=f"{metric.title}: distribution of segment scores",
        ),
        lines(
            [(system, contents.lengths.scores[label][system]) for system in systems],
            contents.lengths.names,
            title=f"{metric.title} by length of the reference in {contents.length_unit}",
        ),
    )


def overview_chart(places: tuple[Place, ...], name: str, decimals: int) -> Drawing:
    """Return scores with intervals, best first; every other cluster has a band."""
    return ranges(
        [
            Range(
                place.system, place.score, place.low, place.high, place.series, f" {place.mark}".rstrip(),
                0 if place.rank is None else place.rank.cluster - 1,
            )
            for place in places
        ],
        title=f"{name}: scores with intervals",
        decimals=decimals,
    )  # fmt: skip


def differences_chart(compared: Comparisons, label: str, decimals: int, *, width: float = WIDTH) -> Drawing:
    """Return the differences that were tested, with intervals."""
    number = {system: k for k, system in enumerate(compared.scores.systems)}
    baselines = {one.baseline for one in compared.comparisons}
    return ranges(
        [
            Range(
                one.system if len(baselines) == 1 else f"{shortened(one.system, 10)} − {shortened(one.baseline, 10)}",
                one.difference, one.low, one.high, number[one.system],
                f" {compared.direction(one)}".rstrip(),
                hint=f"{one.system} − {one.baseline}",
            )
            for one in compared.comparisons
            if one.metric == label
        ],
        title=f"{title(label)}: differences with intervals",
        decimals=decimals,
        zero=True,
        width=width,
    )  # fmt: skip


def comparison_plot(compared: Comparisons) -> Drawing:
    """Return, metric by metric, the scores and the differences that were tested."""
    panels = []
    share = f"{100 * (1 - compared.level):g} %"
    for label in compared.scores.metrics:
        places = overview(compared, label, compared.ranks.get(label, ()))
        decimals = decimals_for([place.score for place in places])
        name = title(label)
        panels.append((f"{name}, {share} intervals", overview_chart(places, name, decimals)))
        panels.append((f"{name}, differences", differences_chart(compared, label, decimals)))
    return stacked(panels, chart_css(LIGHT))


def _data(contents: Contents) -> dict[str, Any]:
    """Return what the script reads."""
    systems, first = contents.scores.systems, contents.compared.comparisons[0]
    kept = [segment.number - 1 for segment in contents.segments]
    scores = [
        [
            [round(value, metric.decimals) for value in contents.segment_scores[system][metric.label][kept].tolist()]
            for system in systems
        ]
        for metric in contents.metrics
    ]
    return {
        "systems": systems,
        "metrics": [
            {"label": one.title, "higher": one.higher_is_better, "decimals": one.decimals} for one in contents.metrics
        ],
        "pair": [systems.index(first.baseline), systems.index(first.system)],
        "count": contents.scores.segment_count,
        "markers": _markers(contents),
        "segments": as_data(contents.segments, scores),
        "documents": _groups(contents, contents.documents),
        "lengths": _groups(contents, contents.lengths),
        "frequencies": {
            "names": contents.frequencies.groups,
            "sizes": contents.frequencies.words,
            "scores": [_rounded(contents.frequencies.scores[system], 2) for system in systems],
        },
        "ngrams": [[one.words, one.order, one.wanted, one.matched, int(one.common)] for one in contents.ngrams],
    }


def _markers(contents: Contents) -> list[str]:
    """Return who marked errors in the segments that are shown."""
    found = (marking.by for segment in contents.segments for markings in segment.markings for marking in markings)
    return sorted(dict.fromkeys(found))


def _groups(contents: Contents, groups: Any) -> Any:
    if groups is None:
        return None
    return {
        "names": groups.names,
        "sizes": groups.sizes,
        "scores": [
            [_rounded(groups.scores[metric.label][system], metric.decimals) for system in contents.scores.systems]
            for metric in contents.metrics
        ],
    }


def _rounded(values: Any, decimals: int) -> list[float | None]:
    return [None if value is None else round(value, decimals) for value in values]

"""Charts of how metrics agree with people: what `tertium correlate` and `tertium rank` find, as drawings."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.meta.coefficients import METHODS
from tertium.metrics.names import title, titles
from tertium.report.drawing.charts import Range, ranges, stacked
from tertium.report.drawing.matrix import Cell, matrix
from tertium.report.drawing.palette import LIGHT, chart_css
from tertium.report.drawing.scatter import Axis, Dot, scatter
from tertium.report.drawing.svg import Drawing

if TYPE_CHECKING:
    from tertium.meta import AverageRank, Correlation, Correlations, MetricComparisons, MetricRanks
    from tertium.meta.judged_points import Cloud

Place = tuple[str, str, str, str]  # kind, level, method, group

DECIMALS = 3
_COLUMNS = 3  # of clouds, in a picture


def place_of(one: "Correlation") -> Place:
    """Return under which condition a coefficient was found."""
    return (one.kind, one.level, one.method, one.group)


def places_of(found: "Correlations") -> list[Place]:
    """Return the conditions there are, in order."""
    return list(dict.fromkeys(map(place_of, found)))


def place_name(place: Place, places: Sequence[Place]) -> str:
    """Name a condition; a kind of judgment that all share goes without saying."""
    kind, level, method, group = place
    words = [kind] if len({other[0] for other in places}) > 1 else []
    return " ".join([*words, level, method, *([f"by {group}"] if group != "none" else [])])


def heat_map(found: "Correlations") -> Drawing:
    """Return metrics by conditions; the shade says how far a coefficient is from knowing nothing."""
    places = places_of(found)
    metrics = list(dict.fromkeys(one.metric for one in found))
    cells = {(one.metric, place_of(one)): one for one in found}
    return matrix(
        list(map(title, metrics)),
        [place_name(place, places) for place in places],
        [[_cell(cells.get((metric, place))) for place in places] for metric in metrics],
        title="Agreement of metrics with people, by condition",
    )


def _cell(one: "Correlation | None") -> Cell | None:
    if one is None or math.isnan(one.value):
        return None
    chance = METHODS[one.method].chance or 0.0
    words = f"{one.value:.{DECIMALS}f}".replace("-", "−") + ("†" if one.significant is False else "")
    between = "" if one.low is None or one.high is None else f" [{one.low:.{DECIMALS}f}, {one.high:.{DECIMALS}f}]"
    hint = f"{title(one.metric)}, {' '.join(place_of(one))}: {one.value:.{DECIMALS}f}{between}, {one.n:,} points"
    return Cell(words, (one.value - chance) / (1 - chance), hint, one.best)


def coefficients_chart(found: "Correlations", place: Place) -> Drawing:
    """Return the coefficients of one condition with their intervals, best first."""
    numbers = {metric: k for k, metric in enumerate(dict.fromkeys(one.metric for one in found))}
    ours = [one for one in found if place_of(one) == place and not math.isnan(one.value)]
    return ranges(
        [
            Range(title(one.metric), one.value, one.low, one.high, numbers[one.metric], " *" if one.best else "")
            for one in sorted(ours, key=lambda one: -one.value)
        ],
        title=f"{' '.join(place)}: coefficients with intervals",
        decimals=DECIMALS,
        zero=METHODS[place[2]].chance == 0,
    )


def cloud_chart(cloud: "Cloud") -> Drawing:
    """Return human scores over metric scores: systems with intervals, or points and the means of their parts."""
    of_systems = cloud.level == "system"
    return scatter(
        [
            Dot(
                one.label, one.metric, one.human, one.metric_interval, one.human_interval, k if of_systems else 0,
                "" if of_systems else f", {one.count:,} {cloud.level}s",
            )
            for k, one in enumerate(cloud.means)
        ],
        across=Axis(title(cloud.metric), cloud.metric_counts_errors),
        up=Axis(cloud.kind, cloud.human_counts_errors),
        title=f"{cloud.kind} over {title(cloud.metric)}, by {cloud.level}",
        swarm=cloud.points,
        names=of_systems,
    )  # fmt: skip


def ranks_chart(ranks: "MetricRanks") -> Drawing:
    """Return the coefficients that metrics are ranked by; every other cluster has a band."""
    names = titles(one.metric for one in ranks.ranks)
    return ranges(
        [
            Range(names[one.metric], one.value, one.low, one.high, k, band=one.rank - 1)
            for k, one in enumerate(ranks.ranks)
        ],
        title=f"{ranks.comparisons.method}: coefficients with intervals",
        decimals=DECIMALS,
    )  # fmt: skip


def places_chart(ranks: "MetricRanks") -> Drawing:
    """Return the places that each metric may have, as far as the tests tell."""
    names = titles(one.metric for one in ranks.ranks)
    return ranges(
        [
            Range(names[one.metric], k + 1, one.best, one.worst, k, band=one.rank - 1)
            for k, one in enumerate(ranks.ranks)
        ],
        title="Places that each metric may have",
        decimals=0,
        whole=True,
    )  # fmt: skip


def significance_matrix(compared: "MetricComparisons") -> Drawing:
    """Return p-values: is the row's metric better than the column's? Significant ones are shaded and have an arrow."""
    order = compared.metrics
    names = list(titles(order).values())
    return matrix(
        names[:-1],  # the best is better than others, and nobody is worse than the last
        names[1:],
        [[_test(compared, one, other) for other in order[1:]] for one in order[:-1]],
        title="p-values of metrics (rows) being better than others (columns)",
    )


def _test(compared: "MetricComparisons", one: str, other: str) -> Cell | None:
    p = compared.matrix[one][other]
    if p is None:
        return None
    test = compared.of(one, other)
    words = f"{p:.3f}" if p >= 0.001 else "<0.001"
    hint = f"{title(one)} against {title(other)}: difference {test.difference:.{DECIMALS}f}, p = {p:.4f}"
    return Cell(("↑ " if test.significant else "") + words, 1.0 if test.significant else 0.0, hint)


def averages_chart(averages: "Sequence[AverageRank]", method: str) -> Drawing:
    """Return average ranks by one method between their bounds; 1 is best."""
    numbers = {metric: k for k, metric in enumerate(dict.fromkeys(one.metric for one in averages))}
    ours = [one for one in averages if one.method == method]
    return ranges(
        [
            Range(title(one.metric), one.rank, one.lower, one.upper, numbers[one.metric])
            for one in sorted(ours, key=lambda one: one.rank)
        ],
        title=f"{method}: average ranks between their bounds",
    )  # fmt: skip


def correlate_plot(found: "Correlations", seen: "Sequence[Cloud]") -> Drawing:
    """Return the heat map, the coefficients of each condition, and the clouds as one picture."""
    places = places_of(found)
    share = f"{100 * found.confidence:g} %"
    panels = [(f"{place_name(place, places)}, {share} intervals", coefficients_chart(found, place)) for place in places]
    first = [("Agreement with people", heat_map(found))] if len(found) > 1 else []
    return _sheet([*first, *panels], seen)


def rank_plot(ranks: "MetricRanks", seen: "Sequence[Cloud]") -> Drawing:
    """Return ranks, places, tests and clouds as one picture."""
    compared = ranks.comparisons
    panels = [
        (f"{compared.method}, {100 * (1 - compared.alpha):g} % intervals", ranks_chart(ranks)),
        ("Places", places_chart(ranks)),
    ]
    tests = [(f"p (row better than column), {compared.test}", significance_matrix(compared))]
    return _sheet([*panels, *tests], seen)


def averages_plot(averages: "Sequence[AverageRank]", found: "Correlations", seen: "Sequence[Cloud]") -> Drawing:
    """Return average ranks by each method, and the coefficients behind them."""
    methods = dict.fromkeys(one.method for one in averages)
    panels = [(f"{method}, average rank", averages_chart(averages, method)) for method in methods]
    return _sheet([*panels, ("Agreement with people", heat_map(found))], seen)


def _sheet(panels: Sequence[tuple[str, Drawing]], seen: "Sequence[Cloud]") -> Drawing:
    shown = [*panels, *((f"{title(one.metric)}, {one.kind} by {one.level}", cloud_chart(one)) for one in seen)]
    return stacked(shown, chart_css(LIGHT), min(_COLUMNS, len(shown)))

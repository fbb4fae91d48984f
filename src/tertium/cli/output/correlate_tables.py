"""How `tertium correlate` and `tertium rank` show their results."""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.output.score_tables import as_remark, broken, full_signatures, with_signatures
from tertium.cli.output.writing import RECORDS, SHEETS, records_as, table

if TYPE_CHECKING:
    from tertium.meta import AverageRank, Correlation, Correlations, MetricComparisons, MetricRanks, TaskAverages

AVERAGE = "average"  # over test sets, in their place
LAYOUTS = ("plain", "terp", "cder")
_SHORT = {"segment": "Seg", "document": "Doc", "system": "Sys"}
_AS_GOOD, _DAGGER = "≈", "†"
_ONE_SIDED = "One-sided, for whichever looks better: equal metrics differ at least twice as often as p says.\n"


def rendered(
    found: "Correlations", style: str, layout: str, decimals: int, signatures: str | None = ""
) -> str | Iterator[str]:
    """Return coefficients in one of the formats; a layout and the metrics' signatures are of the tables for people.

    Without signatures (None), sheets have none either.
    """
    if style in RECORDS:
        head = found.to_dict()
        rows = head.pop("correlations")
        if style in SHEETS and signatures is not None:
            rows = with_signatures(rows, full_signatures(found.metrics))
        return records_as(style, rows, head=head, key="correlations")
    if layout == "cder":
        tables = [_cder(found, style, decimals)]
    elif layout == "terp":
        tables = [_columns(found, style, decimals, with_intervals=False)]
    else:
        levels = dict.fromkeys(one.level for one in found)
        tables = [_columns(found, style, decimals, with_intervals=True, level=level) for level in levels]
    if style == "table" and layout != "cder":
        tables.append(_reading(found))
    return "\n".join([*tables, *_remarks(style, signatures, found.signature)])


def rendered_parts(
    found: "Mapping[str, Correlations]", style: str, decimals: int, signatures: str | None = ""
) -> str | Iterator[str]:
    """Return coefficients of several test sets side by side, and their mean, which has no interval."""
    from tertium.metrics.names import title

    first = next(iter(found.values()))
    if style in RECORDS:
        rows = [{"part": name, **one.to_dict()} for name, part in found.items() for one in part]
        means = [
            {"part": AVERAGE, "metric": metric, **dict(zip(("kind", "method", "level", "group"), place, strict=True)),
             "value": value}
            for (metric, place), value in _means(found).items()
        ]  # fmt: skip
        if style != "json":
            rows += [dict.fromkeys(rows[0]) | mean for mean in means]
        head = first.to_dict() | {"parts": list(found), "averages": means}
        head["dropped"] = [f"{name}: {message}" for name, part in found.items() for message in part.dropped]
        del head["correlations"], head["systems"]
        return records_as(style, rows, head=head, key="correlations")
    tables = []
    averages = _means(found)
    for place in dict.fromkeys(_place(one) for part in found.values() for one in part):
        cells = {(one.metric, name): one for name, part in found.items() for one in part if _place(one) == place}
        metrics = list(dict.fromkeys(metric for metric, _ in cells))
        top = {name: _highest(part, place) for name, part in found.items()}
        marked = {
            (i, j + 1)
            for i, metric in enumerate(metrics) for j, name in enumerate(found)
            if (metric, name) in cells and cells[metric, name].value == top[name] and len(metrics) > 1
        }  # fmt: skip
        body = []
        for metric in metrics:
            mean = averages.get((metric, place))
            row = [_cell(cells.get((metric, name)), decimals, True, top[name]) for name in found]
            body.append([title(metric), *row, "-" if mean is None else f"{mean:.{decimals}f}"])
        tables.append(table(style, [_headings([place])[0], *found, AVERAGE], body, best=marked))
    if style == "table":
        tables.append(
            f"* the best of the column. {_AS_GOOD} the interval holds that value. All count alike in the mean.\n"
        )
    return "\n".join([*tables, *_remarks(style, signatures, first.signature)])


def _means(found: "Mapping[str, Correlations]") -> dict[tuple[str, tuple[str, str, str, str]], float]:
    """Return the mean over test sets, all alike, of what has a value in each."""
    values: dict[tuple[str, tuple[str, str, str, str]], list[float]] = {}
    for part in found.values():
        for one in part:
            if not math.isnan(one.value):
                values.setdefault((one.metric, _place(one)), []).append(one.value)
    return {key: sum(each) / len(each) for key, each in values.items() if len(each) == len(found)}


def _remarks(style: str, signatures: str | None, own: str) -> list[str]:
    """Return what stands below tables: how the metrics were made, then what was made of them."""
    return [] if signatures is None else [as_remark(style, signatures + broken("", own))]


def _place(one: "Correlation") -> tuple[str, str, str, str]:
    return (one.kind, one.method, one.level, one.group)


def _columns(
    found: "Correlations", style: str, decimals: int, *, with_intervals: bool, level: str | None = None
) -> str:
    """Metrics by conditions. Bold: the best. ≈: no worse, as far as can be told. Dagger: perhaps nothing at all."""
    from tertium.metrics.names import title

    places = list(dict.fromkeys(_place(one) for one in found if level in (None, one.level)))
    metrics = list(dict.fromkeys(one.metric for one in found))
    cells = {(one.metric, _place(one)): one for one in found}
    top = {place: _highest(found, place) for place in places}
    marked = {
        (i, j + 1)
        for i, metric in enumerate(metrics) for j, place in enumerate(places)
        if (metric, place) in cells and cells[metric, place].value == top[place] and len(metrics) > 1
    }  # fmt: skip
    rows = [
        [title(metric), *(_cell(cells.get((metric, place)), decimals, with_intervals, top[place]) for place in places)]
        for metric in metrics
    ]
    first = "Metric" if level is None else f"Metric, by {level}"
    return table(style, [first, *_headings(places, with_levels=level is None)], rows, best=marked)


def _highest(found: "Correlations", place: tuple[str, str, str, str]) -> float:
    values = [one.value for one in found if _place(one) == place and not math.isnan(one.value)]
    return max(values, default=math.nan)


def _headings(places: Sequence[tuple[str, str, str, str]], *, with_levels: bool = True) -> list[str]:
    """Name what differs: the kind of judgment where there are several, the method, the level, the groups."""
    kinds = {kind for kind, _, _, _ in places}
    names = []
    for kind, method, level, group in places:
        words = [kind] if len(kinds) > 1 else []
        words += [method, *([_SHORT[level]] if with_levels else []), *([f"by {group}"] if group != "none" else [])]
        names.append(" ".join(words))
    return names


def _cell(one: "Correlation | None", decimals: int, with_intervals: bool, top: float = math.nan) -> str:
    if one is None or math.isnan(one.value):
        return "-"
    text = f"{one.value:.{decimals}f}"
    if with_intervals and one.low is not None and one.high is not None:
        text += f" [{one.low:.{decimals}f}, {one.high:.{decimals}f}]"
    as_good = _AS_GOOD if one.best and one.value < top else ""
    return text + as_good + (_DAGGER if one.significant is False else "")


def _reading(found: "Correlations") -> str:
    share = f"{100 * found.confidence:g} %"
    made = sorted({one.interval for one in found if one.interval != "none"})
    points = ", ".join(
        f"{kind} {level}s: {n:,}" for kind, level, n in dict.fromkeys((one.kind, one.level, one.n) for one in found)
    )
    several = len({one.metric for one in found}) > 1
    lines = [
        *([f"* the best of the column. {_AS_GOOD} the interval holds that value."] if several else []),
        f"{_DAGGER} the interval holds no agreement (0; for accuracies 0.5)."
        if any(one.significant is False for one in found)
        else "",
        f"Intervals: {share}, {' or '.join(made) or 'none'}. Points: {points}.",
    ]
    return "".join(textwrap.fill(line, 80) + "\n" for line in lines if line)


def _cder(found: "Correlations", style: str, decimals: int) -> str:
    """Metrics by kinds of judgment, with half the width of the best one's interval in the last line."""
    from tertium.metrics.names import title

    places = list(dict.fromkeys(_place(one) for one in found))
    metrics = list(dict.fromkeys(one.metric for one in found))
    cells = {(one.metric, _place(one)): one for one in found}
    rows = [
        [title(metric), *(_cell(cells.get((metric, place)), decimals, False) for place in places)] for metric in metrics
    ]
    last = [f"{100 * found.confidence:g}%-confidence"]
    for place in places:
        column = [one for one in found if _place(one) == place and not math.isnan(one.value)]
        best = max(column, key=lambda one: one.value, default=None)
        if best is None or best.low is None or best.high is None:
            last.append("-")
        else:
            last.append(f"± {(best.high - best.low) / 2:.{decimals}f}")
    return table(style, ["Automatic measure", *_headings(places)], [*rows, last], best=set())


def rendered_ranks(
    ranks: "MetricRanks", head: dict[str, Any], style: str, decimals: int, signatures: str | None = ""
) -> str | Iterator[str]:
    """Return ranks in one of the formats; for people, with the matrix of p-values."""
    from tertium.metrics.names import title

    if style in RECORDS:
        whole = head | ranks.to_dict()
        rows = _signed(whole.pop("ranks"), head, style, signatures)
        return records_as(style, rows, head=whole, key="ranks")
    compared = ranks.comparisons
    cells = [
        [str(one.rank), title(one.metric), f"{one.value:.{decimals}f}", _between(one.low, one.high, decimals),
         _span(one.best, one.worst)]
        for one in ranks.ranks
    ]  # fmt: skip
    tables = [table(style, ["Rank", "Metric", compared.method, "Interval", "Places"], cells, best=set(), texts=2)]
    tables += _tests(compared, style)
    return "\n".join([*tables, *_remarks(style, signatures, compared.signature)])


def _tests(compared: "MetricComparisons", style: str) -> list[str]:
    """Return the matrix of p-values, and how to read it."""
    from tertium.metrics.names import title

    body = []
    for metric in compared.metrics:
        p_values = [compared.matrix[metric][other] for other in compared.metrics]
        shown = ["" if p is None else f"{'↑ ' if p <= compared.alpha else ''}{p:.3f}" for p in p_values]
        body.append([title(metric), *shown])
    tables = [table(style, ["p (better than)", *map(title, compared.metrics)], body, best=set())]
    if style == "table":
        side = "" if compared.test == "two-sided" else _ONE_SIDED
        tables.append(f"↑ p <= {compared.alpha:g}: the row's metric is better than the column's.\n{side}")
    return tables


def _span(best: int | None, worst: int | None) -> str:
    return "-" if best is None else str(best) if best == worst else f"{best}-{worst}"


def _signed(
    rows: list[dict[str, Any]], head: dict[str, Any], style: str, signatures: str | None
) -> list[dict[str, Any]]:
    """Return rows with their metrics' signatures, where a format has no other place for them."""
    if style not in SHEETS or signatures is None:
        return rows
    return list(with_signatures(rows, full_signatures(head["metrics"])))


def _between(low: float | None, high: float | None, decimals: int) -> str:
    return "-" if low is None or high is None else f"[{low:.{decimals}f}, {high:.{decimals}f}]"


def rendered_averages(
    averages: "Sequence[AverageRank]", head: dict[str, Any], style: str, decimals: int, signatures: str | None = ""
) -> str | Iterator[str]:
    """Return average ranks: for people as the TERp paper does, lower bound, rank and upper bound by method."""
    from tertium.metrics.names import title

    if style in RECORDS:
        found = _signed([one.to_dict() for one in averages], head, style, signatures)
        return records_as(style, found, head=head, key="average_ranks")
    methods = list(dict.fromkeys(one.method for one in averages))
    metrics = list(dict.fromkeys(one.metric for one in averages))
    by_place = {(one.metric, one.method): one for one in averages}
    header = ["Metric", *(f"{method} {part}" for method in methods for part in ("lower", "rank", "upper"))]
    rows = [
        [title(metric), *(f"{value:.{decimals}f}" for method in methods for value in _bounds(by_place[metric, method]))]
        for metric in metrics
    ]
    tables = [table(style, header, rows, best=set())]
    if style == "table":
        tables.append(f"Averages over {averages[0].conditions} conditions; 1 is best.\n")
    return "\n".join([*tables, *([as_remark(style, signatures)] if signatures else [])])


def _bounds(one: "AverageRank") -> tuple[float, float, float]:
    return one.lower, one.rank, one.upper


def rendered_tasks(
    found: "TaskAverages", metrics: Sequence[dict[str, Any]], style: str, decimals: int, signatures: str | None = ""
) -> str | Iterator[str]:
    """Return averages over tasks: for people with the coefficient of each task."""
    from tertium.metrics.names import title

    if style in RECORDS:
        head = found.to_dict()
        names = [task.name for task in found.tasks]
        rows = head.pop("averages")
        if style != "json":  # a column for each task
            rows = [
                {key: row[key] for key in ("metric", "rank", "average", "low", "high", "best", "worst")}
                | dict(zip(names, row["values"], strict=True))
                for row in rows
            ]
        rows = _signed(rows, {"metrics": metrics}, style, signatures)
        return records_as(style, rows, head=head | {"metrics": metrics}, key="averages")
    tested = ["Interval", "Places"] if found.ranks else []
    header = ["Rank", "Metric", "Average", *tested, *(task.name for task in found.tasks)]
    body = [
        [
            str(one.rank),
            title(one.metric),
            f"{one.average:.{decimals}f}",
            *([_between(one.low, one.high, decimals), _span(one.best, one.worst)] if found.ranks else []),
            *(f"{value:.{decimals}f}" for value in one.values),
        ]
        for one in found.averages
    ]
    tables = [table(style, header, body, best=set(), texts=2)]
    if style == "table":
        weights = ", ".join(f"{task.name} {task.weight:g}" for task in found.tasks if task.weight != 1)
        mapped = (
            ", coefficients from -1 to 1 mapped to 0 to 1 first" if any(one.scale < 1 for one in found.tasks) else ""
        )
        tables.append(f"Average: over tasks{mapped}. Weights: {weights + ', all others 1' if weights else 'all 1'}.\n")
    if found.ranks:
        tables += _tests(found.ranks.comparisons, style)
        return "\n".join([*tables, *_remarks(style, signatures, found.ranks.comparisons.signature)])
    return "\n".join([*tables, *([as_remark(style, signatures)] if signatures else [])])

"""How `tertium compare` shows its results."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tertium.cli.output.score_tables import (
    as_remark,
    best_cells,
    broken,
    signatures,
    with_interval,
    with_intervals,
    with_signatures,
)
from tertium.cli.output.writing import RECORDS, SHEETS, prose, records_as, table

if TYPE_CHECKING:
    from tertium.significance import Comparison, Comparisons


def rendered(
    compared: "Comparisons", style: str, decimals: int, form: str = "short", names: Mapping[str, str] | None = None
) -> str | Iterator[str]:
    """Return scores and tests in one of the formats; TSV, CSV and JSON lines hold the tests.

    Tables for people call systems by `names`.
    """
    if style in RECORDS:
        rows = [one.to_dict() for one in compared.comparisons]
        if style in SHEETS and form != "none":
            rows = list(with_signatures(rows, compared.scores.signatures))
        return records_as(style, rows, head=_head(compared), key="comparisons")
    names = names or {}
    tables = [_scores(compared, style, decimals, names), _tests(compared, style, decimals, names)]
    if compared.ranks:
        tables.append(_ranks(compared, style, decimals, names))
    if compared.runs:
        tables.append(_runs(compared, style, decimals, names))
    if style == "table":
        tables.append(_reading(compared))
    if form != "none":
        told = f"{signatures(compared.scores, form)}{broken('test: ', compared.signature)}"
        tables.append(as_remark(style, told))
    return "\n".join(tables)


def _head(compared: "Comparisons") -> dict[str, Any]:
    """What JSON holds besides the tests: the scores with their intervals, ranks, runs."""
    scores = compared.scores.to_dict(["corpus"])
    scores["scores"] = list(with_intervals(scores["scores"], compared.intervals))
    return scores | {key: value for key, value in compared.to_dict().items() if key != "comparisons"}


def _scores(compared: "Comparisons", style: str, decimals: int, names: Mapping[str, str]) -> str:
    """Systems by metrics, with intervals: the best is marked, and an arrow says where one differs from its baseline."""
    from tertium.metrics.names import heading

    labels = list(compared.scores.metrics)
    intervals = {(one.system, one.metric): one for one in compared.intervals}
    tests = {(one.system, one.metric): one for one in compared.comparisons}
    alone = len({one.baseline for one in compared.comparisons}) == 1
    plain, rows = [], []
    for system in compared.scores.systems:
        found = [intervals[system, label] for label in labels]
        cells = [with_interval(one.score, one.low, one.high, decimals) for one in found]
        arrows = [_arrow(compared, tests.get((system, label)) if alone else None) for label in labels]
        plain.append([system, *cells])
        rows.append([names.get(system, system), *(arrow + cell for arrow, cell in zip(arrows, cells, strict=True))])
    heads = [heading(label, metric) for label, metric in compared.scores.metrics.items()]
    return table(style, ["System", *heads], rows, best=best_cells(compared.scores, plain))


def _arrow(compared: "Comparisons", one: "Comparison | None") -> str:
    """Return what says that a system is significantly better or worse."""
    arrow = compared.direction(one) if one is not None else ""
    return arrow and f"{arrow} "


def _tests(compared: "Comparisons", style: str, decimals: int, names: Mapping[str, str]) -> str:
    from tertium.metrics.names import title

    corrected = compared.correction != "none" and len({(c.system, c.baseline) for c in compared.comparisons}) > 1
    header = ["System", "Against", "Metric", "Difference", "Interval", "p"]
    header += [f"p ({compared.correction})"] if corrected else []
    header += ["Detectable"]
    asked = any(one.perceptible is not None for one in compared.comparisons)
    header += ["People agree"] if asked else []
    rows = []
    for one in compared.comparisons:
        places = compared.p_decimals
        p_values = [f"{one.p_value:.{places}f}", *([f"{one.p_adjusted:.{places}f}"] if corrected else [])]
        p_values[-1] = _arrow(compared, one) + p_values[-1]
        detectable = "-" if one.detectable is None else f"{one.detectable:.{decimals}f}"
        rows.append(
            [names.get(one.system, one.system), names.get(one.baseline, one.baseline), title(one.metric),
             f"{one.difference:+.{decimals}f}", f"[{one.low:.{decimals}f}, {one.high:.{decimals}f}]", *p_values,
             detectable, *([_agreement(one)] if asked else [])]
        )  # fmt: skip
    return table(style, header, rows, best=set(), texts=3)


def _agreement(one: "Comparison") -> str:
    """Return in how many of 100 pairs people agree; a dash where no curve was fitted to such scores."""
    found = None if one.perceptible is None else one.perceptible.agreement
    return "-" if found is None else f"{found:.0f} %"


def _ranks(compared: "Comparisons", style: str, decimals: int, names: Mapping[str, str]) -> str:
    """Cluster by cluster, best first, with the places that each system may have."""
    from tertium.metrics.names import title

    header = ["Metric", "Cluster", "System", "Places", "Score"]
    rows = [
        [title(rank.metric), str(rank.cluster), names.get(rank.system, rank.system),
         str(rank.best) if rank.best == rank.worst else f"{rank.best}-{rank.worst}", f"{rank.score:.{decimals}f}"]
        for ranks in compared.ranks.values() for rank in ranks
    ]  # fmt: skip
    return table(style, header, rows, best=set(), texts=3)


def _runs(compared: "Comparisons", style: str, decimals: int, names: Mapping[str, str]) -> str:
    from tertium.metrics.names import title

    header = ["System", "Metric", "Runs", "Mean", "s (runs)", "s (segments)", "Median run"]
    rows = [
        [names.get(one.system, one.system), title(one.metric), str(len(one.scores)), f"{one.mean:.{decimals}f}",
         "-" if one.optimizer is None else f"{one.optimizer:.{decimals}f}", f"{one.selection:.{decimals}f}",
         str(one.median_run)]
        for one in compared.runs
    ]  # fmt: skip
    return table(style, header, rows, best=set(), texts=2)


def _reading(compared: "Comparisons") -> str:
    """Say what the table says, and what it does not."""
    share = f"{100 * (1 - compared.level):g} %"
    exact = " All ways to swap were tried." if any(one.exact for one in compared.comparisons) else ""
    against = "the baseline" if len({one.baseline for one in compared.comparisons}) == 1 else "the other"
    correction = f" ({compared.correction})" if compared.correction != "none" else ""
    lines = [
        f"* best of the column. At a score, ↑ better, ↓ worse than {against}:",
        f"p{correction} <= {compared.level:g}.{exact}",
        f"Intervals: {share}, bootstrap over {compared.unit}s.",
        "Detectable: a difference that such a test set shows with a probability of 0.8.",
    ]
    if any(one.perceptible is not None for one in compared.comparisons):
        lines.append(
            "People agree: in so many of 100 pairs of systems that differ so much, people\n"
            "prefer the same one (Kocmi et al. 2024). Whether it is chance, p says."
        )
        notes = {one.metric: one.perceptible.note for one in compared.comparisons if one.perceptible is not None}
        lines += [f"Note: {metric}: {note}." for metric, note in notes.items() if note]
    if compared.like is not None and any(one.significant and one.difference == 0 for one in compared.comparisons):
        lines.append(f"Note: {compared.like} calls equal systems different, for it does not count ties.")
    if compared.least_p_value > compared.level:
        lines.append(
            f"Note: here no {'adjusted ' if compared.correction != 'none' else ''}p can be below "
            f"{compared.least_p_value:.2g}, so nothing can be significant: give more "
            f"{f'{compared.unit}s' if compared.comparisons[0].exact else '--samples'}."
        )
    return prose("\n".join(lines))

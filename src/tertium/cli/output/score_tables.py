"""How `tertium score` shows its results."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.output.writing import RECORDS, SHEETS, records_as, table

if TYPE_CHECKING:
    from tertium.meta.score_grid import GridSource
    from tertium.scoring.scores import Scores
    from tertium.significance import Confidence, Interval


def rendered(
    scores: "Scores",
    levels: Sequence[str],
    parts: bool,
    style: str,
    decimals: int,
    confidence: "Confidence | None" = None,
    color: bool = False,
    form: str = "short",
    names: Mapping[str, str] | None = None,
) -> str | Iterator[str]:
    """Return the scores of these levels in one of the formats, in pieces if they may be many.

    Tables for people call systems by `names`.
    """
    import numpy as np

    from tertium.scoring.scores import FIELDS

    if style in RECORDS:
        found = [name for m in scores.metrics.values() for name in m.parts(np.zeros(len(m.columns)))] if parts else []
        columns = [*FIELDS, *dict.fromkeys(f"parts.{name}" for name in found)]
        records = scores.records(levels, parts=parts)
        records = records if confidence is None else with_intervals(records, confidence.intervals)
        if style in SHEETS and form != "none":
            columns.append("signature")
            records = with_signatures(records, scores.signatures)
        head = scores.head() | ({} if confidence is None else {"confidence": confidence.signature})
        return records_as(style, records, head=head, key="scores", columns=columns)
    names = names or {}
    tables = [_table(scores, level, style, decimals, confidence, color, names) for level in levels]
    if parts:
        tables += [
            _parts_table(scores, level, label, style, decimals, names) for level in levels for label in scores.metrics
        ]
    told = signatures(scores, form)
    if told is not None:
        told += "" if confidence is None else broken("intervals: ", confidence.signature)
        tables.append(as_remark(style, told))
    return "\n".join(tables)


def with_intervals(records: Iterable[dict[str, Any]], intervals: "Iterable[Interval]") -> Iterator[dict[str, Any]]:
    """Return the records, with low and high where there is an interval."""
    found = {(one.system, one.metric, one.level, one.document): one for one in intervals}
    for record in records:
        one = found.get((record["system"], record["metric"], record["level"], record["document"]))
        if one is not None:
            record["low"], record["high"] = one.low, one.high
        yield record


def with_signatures(records: Iterable[dict[str, Any]], signatures: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Return records with the signature of their metric."""
    return (record | {"signature": signatures.get(record["metric"])} for record in records)


def with_interval(score: float, low: float | None, high: float | None, decimals: int) -> str:
    """Return a score with its interval in brackets, if it has one."""
    between = f" [{low:.{decimals}f}, {high:.{decimals}f}]" if low is not None and high is not None else ""
    return f"{score:.{decimals}f}{between}"


def _table(
    scores: "Scores",
    level: str,
    style: str,
    decimals: int,
    confidence: "Confidence | None",
    color: bool,
    names: Mapping[str, str],
) -> str:
    """Systems by metrics; below the corpus, documents or segments by metrics for each system."""
    from tertium.metrics.names import heading

    labels = list(scores.metrics)
    items: dict[tuple[str, ...], dict[str, str]] = {}
    records = scores.records([level])
    for record in records if confidence is None else with_intervals(records, confidence.intervals):
        item = record["document"] if level == "document" else record["segment"]
        system = names.get(record["system"], record["system"])
        key = (system,) if level == "corpus" else (system, str(item))
        cell = with_interval(record["score"], record["low"], record["high"], decimals)
        items.setdefault(key, {})[record["metric"]] = cell
    header = ["System"] if level == "corpus" else ["System", level.capitalize()]
    rows = [[*key, *(cells[label] for label in labels)] for key, cells in items.items()]
    best = best_cells(scores, rows) if level == "corpus" else set()
    header += [heading(label, metric) for label, metric in scores.metrics.items()]
    return table(style, header, rows, best=best, texts=len(header) - len(labels), color=color)


def best_cells(scores: "Scores", rows: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Mark the best of each column, by what is printed, unless all are equal."""
    marked = set()
    for column, metric in enumerate(scores.metrics.values(), start=1):
        values = [float(row[column].partition(" ")[0]) for row in rows]
        best = max(values) if metric.higher_is_better else min(values)
        if min(values) < max(values):
            marked |= {(index, column) for index, value in enumerate(values) if value == best}
    return marked


def _parts_table(
    scores: "Scores", level: str, label: str, style: str, decimals: int, systems: Mapping[str, str]
) -> str:
    from tertium.metrics.names import title

    records = [record for record in scores.records([level], parts=True) if record["metric"] == label]
    counts = scores.metrics[label].columns
    if level == "corpus":  # few columns, many parts: one part per line reads better
        names = list(records[0]["parts"])
        rows = [[name, *(_number(name, r["parts"][name], counts, decimals) for r in records)] for name in names]
        shown = [systems.get(record["system"], record["system"]) for record in records]
        return table(style, [title(label), *shown], rows, best=set())
    names = list(records[0]["parts"])
    header = ["System", level.capitalize(), *names]
    rows = [
        [systems.get(record["system"], record["system"]), str(record["document"] or record["segment"]),
         *(_number(name, record["parts"][name], counts, decimals) for name in names)]
        for record in records
    ]  # fmt: skip
    return f"{title(label)}\n" + table(style, header, rows, best=set(), texts=2)


def _number(name: str, value: float, counts: Sequence[str], decimals: int) -> str:
    return f"{int(value):,}" if name in counts and value.is_integer() else f"{value:.{decimals + 1}f}"


def signatures(scores: "GridSource", form: str = "short") -> str | None:
    """Return signatures, one per line: what differs from the defaults, or all settings; None if none are wanted."""
    if form == "none":
        return None
    return listed(scores.short_signatures if form == "short" else full_signatures(scores.head()["metrics"]))


def full_signatures(metrics: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the signatures of metrics, as JSON has them; other programs' scores have none."""
    return {one["metric"]: one["signature"] for one in metrics if one["signature"] is not None}


def listed(signatures: Mapping[str, str]) -> str:
    """Return signatures by label, one per line."""
    lines = []
    for label, text in signatures.items():
        says_whose = text.startswith(tuple(label.lower() + sign for sign in ":|,"))
        lines.append(broken("" if says_whose else f"{label}: ", text))
    return "".join(lines)


def broken(line: str, signature: str) -> str:
    """Break a signature after commas and bars where it is too wide; joined again, it is the signature."""
    lines = []
    for piece in re.findall(r"[^,|]+[,|]?", signature):
        if len(line) + len(piece) > 80:
            lines.append(line)
            line = "    "
        line += piece
    return "\n".join([*lines, line]) + "\n"


def as_remark(style: str, text: str) -> str:
    """Return lines below a table, as a format can have them."""
    if style == "latex":
        return "".join(f"% {line}\n" for line in text.splitlines())
    return "".join(f"    {line}\n" for line in text.splitlines()) if style == "markdown" else text

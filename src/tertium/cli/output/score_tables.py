"""How `tertium score` shows its results."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.output.writing import RECORDS, records_as, table

if TYPE_CHECKING:
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
) -> str | Iterator[str]:
    """Return the scores of these levels in one of the formats, in pieces if they may be many."""
    import numpy as np

    from tertium.scoring.scores import FIELDS

    if style in RECORDS:
        names = [name for m in scores.metrics.values() for name in m.parts(np.zeros(len(m.columns)))] if parts else []
        columns = [*FIELDS, *dict.fromkeys(f"parts.{name}" for name in names)]
        records = with_intervals(scores.records(levels, parts=parts), confidence.intervals if confidence else ())
        head = scores.head() | ({} if confidence is None else {"confidence": confidence.signature})
        return records_as(style, records, head=head, key="scores", columns=columns)
    tables = [_table(scores, level, style, decimals, confidence, color) for level in levels]
    if parts:
        tables += [_parts_table(scores, level, label, style, decimals) for level in levels for label in scores.metrics]
    told = signatures(scores, form)
    if confidence is not None and form != "none":
        told += f"intervals: {confidence.signature}\n"
    return "\n".join([*tables, *([as_remark(style, told)] if told else [])])


def with_intervals(records: Iterable[dict[str, Any]], intervals: "Iterable[Interval]") -> Iterator[dict[str, Any]]:
    """Return the records, with low and high where there is an interval."""
    found = {(one.system, one.metric, one.level, one.document): one for one in intervals}
    for record in records:
        one = found.get((record["system"], record["metric"], record["level"], record["document"]))
        if one is not None:
            record["low"], record["high"] = one.low, one.high
        yield record


def with_interval(score: float, low: float | None, high: float | None, decimals: int) -> str:
    """Return a score with its interval in brackets, if it has one."""
    between = f" [{low:.{decimals}f}, {high:.{decimals}f}]" if low is not None and high is not None else ""
    return f"{score:.{decimals}f}{between}"


def _table(
    scores: "Scores", level: str, style: str, decimals: int, confidence: "Confidence | None", color: bool
) -> str:
    """Systems by metrics; below the corpus, documents or segments by metrics for each system."""
    labels = list(scores.metrics)
    items: dict[tuple[str, ...], dict[str, str]] = {}
    for record in with_intervals(scores.records([level]), confidence.intervals if confidence else ()):
        item = record["document"] if level == "document" else record["segment"]
        key = (record["system"],) if level == "corpus" else (record["system"], str(item))
        cell = with_interval(record["score"], record["low"], record["high"], decimals)
        items.setdefault(key, {})[record["metric"]] = cell
    header = ["System"] if level == "corpus" else ["System", level.capitalize()]
    rows = [[*key, *(cells[label] for label in labels)] for key, cells in items.items()]
    best = best_cells(scores, rows) if level == "corpus" else set()
    return table(style, [*header, *labels], rows, best=best, texts=len(header), color=color)


def best_cells(scores: "Scores", rows: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Mark the best of each column, by what is printed, unless all are equal."""
    marked = set()
    for column, metric in enumerate(scores.metrics.values(), start=1):
        values = [float(row[column].partition(" ")[0]) for row in rows]
        best = max(values) if metric.higher_is_better else min(values)
        if min(values) < max(values):
            marked |= {(index, column) for index, value in enumerate(values) if value == best}
    return marked


def _parts_table(scores: "Scores", level: str, label: str, style: str, decimals: int) -> str:
    records = [record for record in scores.records([level], parts=True) if record["metric"] == label]
    counts = scores.metrics[label].columns
    if level == "corpus":  # few columns, many parts: one part per line reads better
        names = list(records[0]["parts"])
        rows = [[name, *(_number(name, r["parts"][name], counts, decimals) for r in records)] for name in names]
        return table(style, [label, *(record["system"] for record in records)], rows, best=set())
    names = list(records[0]["parts"])
    header = ["System", level.capitalize(), *names]
    rows = [
        [record["system"], str(record["document"] or record["segment"]),
         *(_number(name, record["parts"][name], counts, decimals) for name in names)]
        for record in records
    ]  # fmt: skip
    return f"{label}\n" + table(style, header, rows, best=set(), texts=2)


def _number(name: str, value: float, counts: Sequence[str], decimals: int) -> str:
    return f"{int(value):,}" if name in counts and value.is_integer() else f"{value:.{decimals + 1}f}"


def signatures(scores: "Scores", form: str = "short") -> str:
    """Return signatures, one per line: those that differ from the defaults, all settings, or none."""
    if form == "none":
        return ""
    if form == "short":
        return "".join(_broken(f"{label}: ", text) for label, text in scores.short_signatures.items())
    return "".join(_broken(f"{label}: ", text) for label, text in scores.signatures.items())


def _broken(line: str, signature: str) -> str:
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

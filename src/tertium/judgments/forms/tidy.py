"""Tidy tables of judgments: a row per judgment, named columns. TSV, CSV, JSON lines, Parquet."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from tertium.corpus.formats import kind_of
from tertium.corpus.records import Table, first_line, read_fields, read_table, table_of
from tertium.errors import InputError
from tertium.judgments.details import TIMES, Details
from tertium.judgments.forms.columns import (
    checked_names,
    numbers,
    segments,
    tell_marked,
    tell_missing,
    tell_repeated,
)
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.span_json import LONGEST, spans_of_json
from tertium.judgments.labels import Floats, Labels
from tertium.judgments.table import Judgments, Warn

# What a column may be called.
NAMES = {
    "system": ("system", "sys", "system_id"),
    "document": ("document", "doc", "docid", "document_id"),
    "segment": ("segment", "seg", "segment_id", "seg_id", "line"),
    "rater": ("rater", "annotator", "judge", "rater_id", "user"),
    "kind": ("kind",),
    "score": ("score",),
    "count": ("count", "n"),
    "weight": ("weight",),
    "lower_is_better": ("lower_is_better",),
    "mark": ("mark",),
    "started": ("started",),
    "ended": ("ended",),
    "seconds": ("seconds",),
    "length": ("length",),
    "spans": ("spans",),
}
# Kinds that may stand in columns of their own, in place of `kind` and `score`.
WIDE = ("adequacy", "fluency", "comprehensibility", "da", "sqm", "esa", "mqm", "hter", "mqm_avg_score")
_AVERAGED_ERRORS = "mqm_avg_score"  # in the files of averages that come with Google's MQM errors

Columns = dict[str, str | None]


class Tidy(Form):
    """A table with the columns system and score and, if there are any, the others."""

    name = "tidy"
    holds = "a table with system and score, and document, segment, rater, kind, count where there are any"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header names a system and a score."""
        scores = {*NAMES["score"], *WIDE}
        return bool(file.names & set(NAMES["system"])) and bool(file.names & scores) and "username" not in file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read a table; its kind is told by the suffix, TSV if that says nothing."""
        table = _table(path, reading.warn)
        found, wide = _columns(table)
        _tell_unused(table, [*found.values(), *wide], reading.warn)
        judgments = _rows(table, found, wide, reading)
        if not len(judgments):
            raise InputError(f"{table.name} holds no judgment{' with a score' if len(table) else ' below its header'}.")
        judgments = reading.placed(judgments, table.name)
        tell_repeated(judgments, table.name, reading.warn)
        errors = _errors(table, found) | _averaged_errors(judgments, table.name)
        return replace(judgments, lower_is_better=errors)


def _table(path: str, warn: Warn) -> Table:
    kind = kind_of(path, "score")
    if kind in ("csv", "jsonl", "parquet"):
        return read_table(path, kind, warn=warn)
    if Path(path).is_file() and "\t" not in first_line(path):  # a header with blanks: so are the rows
        return table_of(path, read_fields(path, warn=warn, split=str.split))
    return read_table(path, "tsv", warn=warn)


def _columns(table: Table) -> tuple[Columns, list[str]]:
    """Return which column holds what, and the columns of kinds that stand side by side."""
    names = {column.lower(): column for column in table.columns}
    found = {field: next((names[name] for name in choices if name in names), None) for field, choices in NAMES.items()}
    wide = [names[name] for name in WIDE if name in names] if found["score"] is None else []
    if found["system"] is None or (found["score"] is None and not wide):
        lost = [field for field in ("system", "score") if found[field] is None]
        raise InputError(
            f"{table.name} has the columns {', '.join(table.columns)}, but {' and '.join(lost)} "
            f"{'is' if len(lost) == 1 else 'are'} missing. A table of judgments has a header with system and score, "
            "and may have document, segment, rater, kind and count."
        )
    return found, wide


def _rows(table: Table, found: Columns, wide: Sequence[str], reading: Reading) -> Judgments:
    system = Labels.of(checked_names(table, found["system"]))
    segment, segment_ids = segments(table, found["segment"], reading.first_segment)
    details = _details(table, found)
    mark = _labels(table, found["mark"])
    parts = []
    for column in wide or [str(found["score"])]:
        score = numbers(table, column)
        whole = Judgments(
            system=system,
            document=_labels(table, found["document"]),
            segment=segment,
            rater=_labels(table, found["rater"]),
            kind=Labels.of([column.lower()] * len(table) if wide else _kinds(table, found["kind"])),
            score=score,
            count=_counts(table, found["count"]),
            segment_ids=segment_ids,
            details=details,
            weight=_weights(table, found["weight"]),
        )
        tell_missing(table, score, reading.warn)
        there = np.isfinite(score)
        counts = whole[there & (mark.codes < 0)]
        others = there & (mark.codes >= 0)
        parts.append(counts.with_marked(whole[others], mark[others]) if others.any() else counts)
    judgments = Judgments.joined(parts)
    if judgments.marked is not None:
        tell_marked(judgments.marked.mark, table.name, reading.warn)
    return judgments


def _details(table: Table, found: Columns) -> Details | None:
    """Return times and spans, where the table has any."""
    names = [name for name in (*TIMES, "length", "spans") if found[name] is not None]
    if not names:
        return None
    times = {name: numbers(table, str(found[name])) for name in TIMES if name in names}
    known = np.nan_to_num(numbers(table, str(found["length"]))) if "length" in names else np.zeros(len(table))
    length = np.clip(known, 0, LONGEST).astype(np.int64)
    column = found["spans"]
    texts = [""] * len(table) if column is None else table.columns[column]
    spans = [spans_of_json(text, partial(table.where, row)) for row, text in enumerate(texts)]
    return Details.of(len(table), **times, length=length, spans=spans)


def _errors(table: Table, found: Columns) -> frozenset[str]:
    """Return the kinds that the table itself calls errors."""
    column = found["lower_is_better"]
    if column is None:
        return frozenset()
    said = zip(_kinds(table, found["kind"]), table.columns[column], strict=True)
    return frozenset(name for name, text in said if text.strip().lower() in ("true", "1", "yes"))


def _averaged_errors(judgments: Judgments, name: str) -> frozenset[str]:
    """Most files of averaged errors have them negated; in some they are counts."""
    if _AVERAGED_ERRORS not in judgments.kinds:
        return frozenset()
    averages = judgments.of_kind(_AVERAGED_ERRORS).score
    if averages.min() < 0 < averages.max():
        raise InputError(f"{name}: {_AVERAGED_ERRORS} is below 0 in some rows and above 0 in others.")
    return frozenset({_AVERAGED_ERRORS} if averages.max() > 0 else ())


def _tell_unused(table: Table, used: Sequence[str | None], warn: Warn) -> None:
    unused = [column for column in table.columns if column not in used]
    if unused:
        warn(f"{table.name}: the columns {', '.join(unused)} were not used.")


def _labels(table: Table, column: str | None) -> Labels:
    return Labels.constant(None, len(table)) if column is None else Labels.of(table.columns[column])


def _kinds(table: Table, column: str | None) -> Sequence[str]:
    return ["score"] * len(table) if column is None else checked_names(table, column)


def _weights(table: Table, column: str | None) -> Floats | None:
    if column is None:
        return None
    weights = numbers(table, column)
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
    if len(bad):
        raise InputError(
            f"{table.where(int(bad[0]))}: the {column} is {weights[bad[0]]:g}, but a number above 0 is expected: 1 "
            "divided by the probability with which the judgment was drawn. Rename the column if it means anything else."
        )
    return weights


def _counts(table: Table, column: str | None) -> Floats:
    if column is None:
        return np.ones(len(table))
    counts = numbers(table, column)
    counts[np.isnan(counts)] = 1
    bad = np.flatnonzero(counts <= 0)
    if len(bad):
        raise InputError(f"{table.where(int(bad[0]))}: the {column} is {counts[bad[0]]:g}, but at least 1 is expected.")
    return counts

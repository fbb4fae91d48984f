"""Multidimensional quality metrics: errors with categories and severities, weighed and added up."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tertium.corpus.records import Table, first_line, read_csv, read_fields, read_table, table_of
from tertium.errors import Argument, InputError
from tertium.judgments.forms.columns import whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.labels import Labels, groups
from tertium.judgments.table import Judgments, Warn

_MAROT = (
    "system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "comment",
)  # fmt: skip


class MQM(Form):
    """Errors as Google, Unbabel or Marot write them; a row per error becomes a score per rater and segment.

    The score is the negative sum of the errors' weights, so that higher is better.
    """

    name = "mqm"
    holds = "MQM errors as Google, Unbabel or Marot write them: system, doc, seg_id, rater, category, severity …"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header names a severity and a category."""
        return {"severity", "category", "system"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read errors and add up what they weigh."""
        table = _table(path, reading.warn)
        _tell_copies(table, reading.warn)
        errors = zip(table.column("severity"), table.column("category"), strict=True)
        costs = np.array([reading.weights.of(s, c, table.where(i)) for i, (s, c) in enumerate(errors)], np.float64)
        ours = Judgments(
            system=Labels.of(table.column("system")),
            document=Labels.of(table.column("doc", "document")),
            segment=whole_numbers(table, _segment_column(table), reading.first_segment),
            rater=Labels.of(table.column("rater", "annotator")),
            kind=Labels.constant("mqm", len(table)),
            score=costs,
            count=np.ones(len(table)),
        )
        if reading.documents is None:
            _check_numbering(ours, path)
        ours = reading.placed(ours, path)
        first, inverse = groups(ours.system.codes, ours.segment, ours.rater.codes)
        sums = np.bincount(inverse, costs, minlength=len(first))
        order = np.argsort(first, kind="stable")
        return replace(ours[first[order]], score=np.asarray(0.0 - sums[order], np.float64), count=np.ones(len(first)))


def _table(path: str, warn: Warn) -> Table:
    header = first_line(path)
    if path.endswith(".csv"):
        return read_table(path, "csv", warn=warn)
    if header.count('"') and "misc" in header:  # Unbabel's files quote; Google's hold quotes as they stand
        return table_of(path, read_csv(path, warn=warn, delimiter="\t"))
    return _errors_table(path, header, warn)


def _tell_copies(table: Table, warn: Warn) -> None:
    """Count the rows that repeat an earlier one in every column: each would count as an error of its own."""
    seen: set[tuple[str, ...]] = set()
    copies: list[int] = []
    for index, row in enumerate(zip(*table.columns.values(), strict=True)):
        if row in seen:
            copies.append(index)
        seen.add(row)
    if copies:
        warn(
            f"{table.name}: {len(copies):,} of {len(table):,} rows are copies of earlier ones (first on line "
            f"{table.lines[copies[0]]:,}). Each counts as an error of its own; if that is a mistake, remove them."
        )


def _segment_column(table: Table) -> str:
    found = table.find("globalSegId", "global_seg_id", "seg_id", "segment_id", "segment", "seg")
    if found is None:
        raise InputError(f"{table.name} has no column seg_id. It has: {', '.join(table.columns)}.")
    return found


def _errors_table(path: str, header: str, warn: Warn) -> Table:
    records = read_fields(path, warn=warn, split=lambda line: line.split("\t"))
    if header.lower().startswith("system\t"):
        return table_of(path, _padded(records, header.count("\t") + 1))
    width = header.count("\t") + 1
    if width not in (9, 10):
        raise InputError(f"{path} has {width} columns and no header; files of MQM errors have 9 or 10.")
    return table_of(path, records, _MAROT[:width])


def _padded(records: Iterator[tuple[int, list[str]]], width: int) -> Iterator[tuple[int, list[str]]]:
    """A last column that is optional (a comment) may be missing from some lines."""
    for line, record in records:
        yield line, [*record, ""] if len(record) == width - 1 and width > len(_MAROT) - 1 else record


def _check_numbering(judgments: Judgments, path: str) -> None:
    """Refuse segment numbers that start anew in each document: they would be mixed up."""
    first, _ = groups(judgments.segment, judgments.document.codes)
    numbers = judgments.segment[first]
    twice = numbers[1:][numbers[1:] == numbers[:-1]]
    if len(twice):
        raise InputError(
            f"{path}: segment {int(twice[0]):,} is in several documents, so numbers seem to start anew in each. Number "
            "them through the whole test set: give ",
            Argument("documents", of="read_judgments"),
            ", one id per segment.",
        )

"""Multidimensional quality metrics: errors with categories and severities, weighed and added up."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tertium.corpus.records import Table, first_line, read_csv, read_fields, read_table, table_of
from tertium.errors import Argument, InputError
from tertium.judgments.details import Details
from tertium.judgments.forms.columns import tell_marked, whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.labels import Labels, groups
from tertium.judgments.spans import Span
from tertium.judgments.table import Judgments, Warn

_MAROT = (
    "system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata",
)  # fmt: skip
NO_ERRORS = (
    "no-error",
    "noerror",
    "no error",
    "hotw-test",
)  # rows that say that a segment was judged, or a rater tested
MACHINE = re.compile(r"(.*:)?AutoMQM")


class MQM(Form):
    """Errors as Google, Unbabel or Marot write them; a row per error becomes a score per rater and segment.

    The score is the negative sum of the errors' weights: higher is better. What a machine marked does not count.
    """

    name = "mqm"
    holds = "MQM errors as Google, Unbabel or Marot write them: system, doc, seg_id, rater, category, severity …"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header names a severity and a category, or a line is one of Marot's ten columns."""
        fields = file.line.split("\t")
        is_marot = len(fields) == len(_MAROT) and fields[9].startswith("{") and fields[3].isdecimal()
        return is_marot or {"severity", "category", "system"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read errors and add up what they weigh."""
        table = _table(path, reading.warn)
        _tell_copies(table, reading.warn)
        severities, categories = table.column("severity"), table.column("category")
        errors = zip(severities, categories, strict=True)
        costs = np.array([reading.weights.of(s, c, table.where(i)) for i, (s, c) in enumerate(errors)], np.float64)
        targets = [re.sub(r"</?v>", "", text) for text in table.columns.get("target", [""] * len(table))]
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
        order = np.argsort(first, kind="stable")
        places = np.empty(len(first), np.int64)
        places[order] = np.arange(len(first))
        spans: list[list[Span]] = [[] for _ in first]
        for row, group in enumerate(places[inverse].tolist()):
            if severities[row].lower() not in NO_ERRORS and categories[row].lower() not in NO_ERRORS:
                spans[group].append(_span(table, row))
        sums = np.bincount(inverse, costs, minlength=len(first))
        found = replace(
            ours[first[order]],
            score=np.asarray(0.0 - sums[order], np.float64),
            count=np.ones(len(first)),
            details=Details.of(len(first), spans=spans, length=[len(targets[row]) for row in first[order].tolist()]),
        )
        return _of_people(found, path, reading.warn)


def _span(table: Table, row: int) -> Span:
    source, target = ((table.columns.get(side, [])[row : row + 1] or [""])[0] for side in ("source", "target"))
    return marked_span(source, target, table.columns["severity"][row], table.columns["category"][row])


def marked_span(source: str, target: str, severity: str, category: str) -> Span:
    """Return an error with its place, which stands between <v> and </v> in the target or in the source."""
    for side, text in (("target", target), ("source", source)):
        start, end = text.find("<v>"), text.rfind("</v>")
        if 0 <= start < end:
            marked = re.sub(r"</?v>", "", text[start:end])
            return Span(start, start + len(marked), side, severity or None, category or None, marked)
    return Span(severity=severity or None, category=category or None)


def _of_people(judgments: Judgments, path: str, warn: Warn) -> Judgments:
    machines = [code for code, name in enumerate(judgments.rater.names) if MACHINE.match(name)]
    automatic = np.isin(judgments.rater.codes, machines)
    if not automatic.any():
        return judgments
    if automatic.all():
        raise InputError(f"{path} holds only what machines marked ({judgments.rater.names[machines[0]]}).")
    mark = Labels.constant("machine", int(automatic.sum()))
    tell_marked(mark, path, warn)
    return judgments[~automatic].with_marked(judgments[automatic], mark)


def _table(path: str, warn: Warn) -> Table:
    header = first_line(path)
    if path.endswith(".csv"):
        return read_table(path, "csv", warn=warn)
    if header.count('"') and "misc" in header:  # Unbabel's files quote; Google's hold quotes as they stand
        return table_of(path, read_csv(path, warn=warn, delimiter="\t"))
    records = read_fields(path, warn=warn, split=lambda line: line.split("\t"))
    width = header.count("\t") + 1
    if header.lower().startswith("system\t"):
        return table_of(path, _padded(records, width))
    if width not in (9, 10):
        raise InputError(f"{path} has {width} columns and no header; files of MQM errors have 9 or 10.")
    return table_of(path, records, _MAROT[:width])


def _padded(records: Iterator[tuple[int, list[str]]], width: int) -> Iterator[tuple[int, list[str]]]:
    """A last column that is optional (a comment) may be missing from some lines."""
    for line, record in records:
        yield line, [*record, ""] if len(record) == width - 1 and width > len(_MAROT) - 1 else record


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

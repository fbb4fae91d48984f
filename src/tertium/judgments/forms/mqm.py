"""Multidimensional quality metrics: errors with categories and severities, weighed and added up."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tertium.corpus.records import Table, first_line, read_csv, read_fields, read_table, table_of
from tertium.errors import Argument, InputError
from tertium.judgments.forms.tidy import whole_numbers
from tertium.judgments.labels import Labels, groups
from tertium.judgments.numbering import numbered_through
from tertium.judgments.table import Judgments, Warn

_MAROT = (
    "system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "comment",
)  # fmt: skip

# Freitag et al. (2021); critical as in the MQM standard's 10, attention tests count nothing.
DEFAULT_WEIGHTS = {
    "major": 5.0,
    "minor": 1.0,
    "critical": 10.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "hotw-test": 0.0,
    "minor/fluency/punctuation": 0.1,
    "*/non-translation": 25.0,
}


@dataclass(frozen=True)
class MQMWeights:
    """What an error costs: by its severity, or by severity/category (`*` for any severity); the longest fit counts."""

    weights: Mapping[str, float] = field(default_factory=lambda: DEFAULT_WEIGHTS)

    @classmethod
    def parsed(cls, text: str) -> "MQMWeights":
        """Read weights such as `major:5 minor:1 minor/fluency/punctuation:0.1`; the default ones stay otherwise."""
        weights = dict(DEFAULT_WEIGHTS)
        for part in text.split():
            name, colon, value = part.rpartition(":")
            if not colon or not re.fullmatch(r"-?\d+(\.\d*)?|\.\d+", value):
                raise InputError(f"MQM weights are written severity[/category]:number, not '{part}'.")
            weights[_plain(name)] = float(value)
        return cls(weights)

    @cached_property
    def _cache(self) -> dict[tuple[str, str], float]:
        return {}

    def of(self, severity: str, category: str, where: str) -> float:
        """Return what an error of this severity and category costs."""
        key = (severity, category)
        if key not in self._cache:
            self._cache[key] = self._found(_plain(severity), _plain(category), where)
        return self._cache[key]

    def _found(self, severity: str, category: str, where: str) -> float:
        best, length = None, -1
        for name, weight in self.weights.items():
            first, _, rest = name.partition("/")
            fits = first in (severity, "*") and (not rest or category == rest or category.startswith(f"{rest}/"))
            if fits and len(rest) > length:
                best, length = weight, len(rest)
        if best is None and category in ("no-error", "noerror"):
            return 0.0
        if best is None:
            known = ", ".join(name for name in self.weights if "/" not in name)
            raise InputError(
                f"{where}: an error has the severity '{severity}', which has no weight. Known: {known}. Give its "
                "weight, for example 'trivial:0.1', in ",
                Argument("weights", of="read_judgments"),
                ".",
            )
        return best


def _plain(name: str) -> str:
    return name.strip().rstrip("!").lower().replace("_", "-")


def read_mqm(
    path: str,
    *,
    weights: MQMWeights | None = None,
    first_segment: int = 1,
    documents: Sequence[str] | None = None,
    warn: Warn,
) -> Judgments:
    """Read errors as Google, Unbabel or Marot write them; a row per error becomes a score per rater and segment.

    The score is the negative sum of the errors' weights, so that higher is better. `documents`, each segment's
    document, is given if the file counts segments within documents.
    """
    weights = weights or MQMWeights()
    header = first_line(path)
    if path.endswith(".csv"):
        table = read_table(path, "csv", warn=warn)
    elif header.count('"') and "misc" in header:  # Unbabel's files quote; Google's hold quotes as they stand
        table = _quoted(path, warn)
    else:
        table = _errors_table(path, header, warn)
    _tell_copies(table, warn)
    system = table.column("system")
    segments = whole_numbers(table, _segment_column(table), first_segment)
    severities, categories = table.column("severity"), table.column("category")
    costs = np.array(
        [weights.of(s, c, table.where(i)) for i, (s, c) in enumerate(zip(severities, categories, strict=True))],
        np.float64,
    )
    ours = Judgments(
        system=Labels.of(system),
        document=Labels.of(table.column("doc", "document")),
        segment=segments,
        rater=Labels.of(table.column("rater", "annotator")),
        kind=Labels.constant("mqm", len(table)),
        score=costs,
        count=np.ones(len(table)),
    )
    if documents is not None:
        ours = numbered_through(ours, documents)
    else:
        _check_numbering(ours, path)
    first, inverse = groups(ours.system.codes, ours.segment, ours.rater.codes)
    sums = np.bincount(inverse, costs, minlength=len(first))
    order = np.argsort(first, kind="stable")
    return replace(ours[first[order]], score=np.asarray(0.0 - sums[order], np.float64), count=np.ones(len(first)))


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


def _quoted(path: str, warn: Warn) -> Table:
    return table_of(path, read_csv(path, warn=warn, delimiter="\t"))


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

"""Columns of a table as names and numbers, each refusal with its line; and rows that come twice."""

import math
import re

import numpy as np

from tertium.corpus.records import Table
from tertium.errors import Argument, InputError
from tertium.judgments.labels import Floats, Ints, Labels, groups
from tertium.judgments.segment_ids import Names, named
from tertium.judgments.table import Judgments, Warn

MISSING = ("", "none", "na", "n/a", "nan", "null")
_NOT_GIVEN = -(1 << 62)
_WHOLE = re.compile(r"[0-9]{1,15}(\.0+)?")


def checked_names(table: Table, column: str | None) -> list[str]:
    """Return a column of names that must not be empty."""
    values = table.column(str(column))
    if "" in values:
        raise InputError(f"{table.where(values.index(''))}: the {column} is empty.")
    return values


def numbers(table: Table, column: str) -> Floats:
    """Return a column as numbers; NaN where there is none. Refuse what is no number, and infinity."""
    values = table.columns[column]
    try:
        found = np.array(values, np.float64) if values else np.zeros(0)
    except ValueError:
        found = np.array([_number(table, index, value, column) for index, value in enumerate(values)], np.float64)
    if np.isinf(found).any():
        index = int(np.flatnonzero(np.isinf(found))[0])
        raise InputError(f"{table.where(index)}: the {column} is '{values[index]}', but a finite number was expected.")
    return found


def _number(table: Table, index: int, value: str, column: str) -> float:
    try:
        return float(value)
    except ValueError:
        if value.strip().lower() in MISSING:
            return math.nan
    raise InputError(
        f"{table.where(index)}: the {column} is '{value[:40]}', but a number was expected (empty or None if missing)."
    ) from None


def whole_numbers(table: Table, column: str, lowest: int) -> Ints:
    """Return a column of segment numbers; 0 where the cell is empty."""
    values = table.columns[column]
    try:
        found = np.array(values, np.int64) if values else np.zeros(0, np.int64)
    except (ValueError, OverflowError):
        found = np.array([_whole(table, index, value, column) for index, value in enumerate(values)], np.int64)
    given = found != _NOT_GIVEN
    bad = np.flatnonzero(given & (found < lowest))
    if len(bad):
        raise InputError(
            f"{table.where(int(bad[0]))}: the {column} is {values[bad[0]]}, but segments are numbered from {lowest}.",
            *((" If the file counts from 0, say ", Argument("first_segment", 0), ".") if lowest else ()),
        )
    return np.where(given, found - lowest + 1, 0)


def segments(table: Table, column: str | None, lowest: int) -> tuple[Ints, Names]:
    """Return a column of segments: numbers, or names if nothing in it is a number, and then what they are called."""
    if column is None:
        return np.zeros(len(table), np.int64), None
    values = [text.strip() for text in table.columns[column]]
    given = [text for text in values if text.lower() not in MISSING]
    if given and not any(_WHOLE.fullmatch(text) or re.match(r"-?\d+(\.\d*)?$", text) for text in given):
        return named([None if text.lower() in MISSING else text for text in values])
    return whole_numbers(table, column, lowest), None


def _whole(table: Table, index: int, value: str, column: str) -> int:
    text = value.strip()
    if text.lower() in MISSING:
        return _NOT_GIVEN
    if _WHOLE.fullmatch(text):
        return int(text.partition(".")[0])
    raise InputError(f"{table.where(index)}: the {column} is '{value[:40]}', but a whole number was expected.")


def tell_missing(table: Table, scores: Floats, warn: Warn) -> None:
    """Count the rows without a score."""
    missing = np.flatnonzero(np.isnan(scores))
    if len(missing):
        warn(
            f"{table.name}: {len(missing):,} of {len(scores):,} rows have no score (first on line "
            f"{table.lines[int(missing[0])]:,}); they were left out."
        )


def tell_repeated(judgments: Judgments, name: str, warn: Warn, *, also: Ints | None = None) -> None:
    """Count the rows whose item was already judged by the same rater; `also` tells meant repetitions apart."""
    first, inverse = groups(
        judgments.kind.codes, judgments.system.codes, judgments.segment,
        np.where(judgments.segment > 0, -1, judgments.document.codes), judgments.rater.codes,
        *([] if also is None else [also]),
    )  # fmt: skip
    repeated = len(judgments) - len(first)
    if not repeated:
        return
    same = int((judgments.score == judgments.score[first][inverse]).sum()) - len(first)
    warn(
        f"{name}: {repeated:,} of {len(judgments):,} judgments repeat an earlier one of the same system, item, kind "
        f"and rater ({same:,} with the same score). They are averaged. If they are copies, remove them."
    )


def tell_marked(mark: Labels, name: str, warn: Warn) -> None:
    """Count the rows that do not count."""
    counts = [f"{int((mark.codes == code).sum()):,} {text}" for code, text in enumerate(mark.names)]
    if counts:
        warn(f"{name}: {len(mark):,} judgments do not count and were set apart: {', '.join(counts)}.")

"""Tidy tables of judgments: a row per judgment, named columns. TSV, CSV, JSON lines, Parquet."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.corpus.formats import kind_of
from tertium.corpus.records import Table, first_line, read_fields, read_table, table_of
from tertium.errors import Argument, InputError, Message
from tertium.judgments.labels import Floats, Ints, Labels, groups
from tertium.judgments.numbering import numbered_through
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
    "lower_is_better": ("lower_is_better",),
}
# Kinds that may stand in columns of their own, in place of `kind` and `score`.
WIDE = ("adequacy", "fluency", "comprehensibility", "da", "sqm", "esa", "mqm", "hter", "mqm_avg_score")
_AVERAGED_ERRORS = "mqm_avg_score"  # in the files of averages that come with Google's MQM errors
ERRORS = ("hter", "hterp", "hwer", "hper", "hcder")  # kinds known to count errors
_NOT_GIVEN = -(1 << 62)
MISSING = ("", "none", "na", "n/a", "nan", "null")


def read_tidy(path: str, *, first_segment: int = 1, documents: Sequence[str] | None = None, warn: Warn) -> Judgments:
    """Read a tidy table; its kind is told by the suffix, TSV if that says nothing."""
    kind = kind_of(path, "score")
    if kind in ("csv", "jsonl", "parquet"):
        table = read_table(path, kind, warn=warn)
    elif Path(path).is_file() and "\t" not in first_line(path):  # a header with blanks: so are the rows
        table = table_of(path, read_fields(path, warn=warn, split=str.split))
    else:
        table = read_table(path, "tsv", warn=warn)
    return tidy(table, first_segment=first_segment, documents=documents, warn=warn)


def tidy(table: Table, *, first_segment: int = 1, documents: Sequence[str] | None = None, warn: Warn) -> Judgments:
    """Make judgments of a table with the columns system and score and, if there are any, the others."""
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
    _tell_unused(table, {*found.values(), *wide}, warn)
    system = checked_names(table, found["system"])
    segment = (
        whole_numbers(table, found["segment"], first_segment) if found["segment"] else np.zeros(len(table), np.int64)
    )
    parts = []
    for column in wide or [str(found["score"])]:
        score = numbers(table, column)
        kept = np.isfinite(score)
        kinds = [column.lower()] * len(table) if wide else _kinds(table, found["kind"])
        whole = Judgments(
            system=Labels.of(system),
            document=_labels(table, found["document"]),
            segment=segment,
            rater=_labels(table, found["rater"]),
            kind=Labels.of(kinds),
            score=score,
            count=_counts(table, found["count"]),
        )
        tell_missing(table, score, warn)
        parts.append(whole[kept])
    judgments = Judgments.joined(parts)
    if not len(judgments):
        raise InputError(f"{table.name} holds no judgment{' with a score' if len(table) else ' below its header'}.")
    if documents is not None:
        judgments = numbered_through(judgments, documents)
    tell_repeated(judgments, table.name, warn)
    errors: frozenset[str] = _errors(table, found["lower_is_better"], found["kind"])
    if _AVERAGED_ERRORS in judgments.kinds:
        averages = judgments.of_kind(_AVERAGED_ERRORS).score
        if averages.min() < 0 < averages.max():
            raise InputError(f"{table.name}: {_AVERAGED_ERRORS} is below 0 in some rows and above 0 in others.")
        if averages.max() > 0:  # most of these files have them negated already
            errors |= {_AVERAGED_ERRORS}
    return replace(judgments, lower_is_better=errors)


def _errors(table: Table, column: str | None, kind: str | None) -> frozenset[str]:
    """Return the kinds that the table itself calls errors."""
    if column is None:
        return frozenset()
    said = zip(_kinds(table, kind), table.columns[column], strict=True)
    return frozenset(name for name, text in said if text.strip().lower() in ("true", "1", "yes"))


def with_errors(judgments: Judgments, lower_is_better: Collection[str], name: str, warn: Warn) -> Judgments:
    """Say which kinds count errors: those that were named, and those whose name says so."""
    for kind in lower_is_better:
        if kind not in judgments.kinds:
            raise InputError(f"{name} has no judgments of the kind '{kind}'. It has: {', '.join(judgments.kinds)}.")
    errors = {
        *judgments.lower_is_better,
        *lower_is_better,
        *(kind for kind in judgments.kinds if kind.lower() in ERRORS),
    }
    for kind in judgments.kinds:
        scores = judgments.score[judgments.kind.codes == judgments.kind.code(kind)]
        if kind.lower().startswith("mqm") and kind not in errors and len(scores) and scores.min() >= 0 < scores.max():
            said = (
                f"{name}: the {kind} scores are positive, so they look like counted errors, but are taken as they stand"
            )
            say = Argument("lower_is_better", kind)
            warn(Message(said, ": higher is better. Say ", say, " if they are errors."))
    return replace(judgments, lower_is_better=frozenset(errors))


def _tell_unused(table: Table, used: Collection[str | None], warn: Warn) -> None:
    unused = [column for column in table.columns if column not in used]
    if unused:
        warn(f"{table.name}: the columns {', '.join(unused)} were not used.")


def checked_names(table: Table, column: str | None) -> list[str]:
    """Return a column of names that must not be empty."""
    values = table.columns[str(column)]
    if "" in values:
        raise InputError(f"{table.where(values.index(''))}: the {column} is empty.")
    return values


def _labels(table: Table, column: str | None) -> Labels:
    return Labels.constant(None, len(table)) if column is None else Labels.of(table.columns[column])


def _kinds(table: Table, column: str | None) -> Sequence[str]:
    return ["score"] * len(table) if column is None else checked_names(table, column)


def _counts(table: Table, column: str | None) -> Floats:
    if column is None:
        return np.ones(len(table))
    counts = numbers(table, column)
    counts[np.isnan(counts)] = 1
    bad = np.flatnonzero(counts <= 0)
    if len(bad):
        raise InputError(f"{table.where(int(bad[0]))}: the {column} is {counts[bad[0]]:g}, but at least 1 is expected.")
    return counts


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


def _whole(table: Table, index: int, value: str, column: str) -> int:
    text = value.strip()
    if text.lower() in MISSING:
        return _NOT_GIVEN
    if re.fullmatch(r"[0-9]{1,15}(\.0+)?", text):
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

"""What layouts of pairs share: five columns without a header, and pairs as a table of judgments."""

from collections.abc import Sequence
from dataclasses import replace

from tertium.corpus.records import Table, read_fields, table_of
from tertium.errors import InputError
from tertium.judgments.preferences import Preferences
from tertium.judgments.table import Judgments, Warn


def judged(pairs: Preferences, path: str, warn: Warn) -> Judgments:
    """Return pairs as judgments; refuse none, and count those that repeat an earlier one."""
    if not len(pairs):
        raise InputError(f"{path} holds no pair of ranked outputs.")
    repeated = pairs.repeated()
    if repeated:
        by = "by the same rater" if len(pairs.rater.names) else "in a file that names no raters"
        warn(
            f"{path}: {repeated:,} of {len(pairs):,} pairs repeat an earlier one of the same segment and systems, {by}"
            ". Each counts. If they are copies, remove them."
        )
    return replace(Judgments.of(system=[], score=[]), preferences=pairs)


def five_columns(path: str, header: Sequence[str], warn: Warn) -> Table:
    """Read five columns that no header names."""
    table = table_of(path, read_fields(path, warn=warn, split=lambda line: line.split("\t")), header)
    if not len(table):
        raise InputError(f"{path} is empty, but five columns were expected: {', '.join(header)}.")
    return table


def better_and_worse(table: Table, segments: Sequence[int], documents: Sequence[str] | None) -> Preferences:
    """Return the pairs of the columns `better` and `worse`."""
    better, worse = table.columns["better"], table.columns["worse"]
    for index, (one, two, segment) in enumerate(zip(better, worse, segments, strict=True)):
        if one == two or not one or not two or segment < 1:
            raise InputError(
                f"{table.where(index)}: a pair needs a segment and two different systems, not '{one}' and '{two}'."
            )
    return Preferences.of(better, worse, segments, [1] * len(better), document=documents)

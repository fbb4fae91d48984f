"""Any column of numbers in a table: `FILE:COLUMN`, of TSV, CSV, JSON lines or Parquet.

Columns called system and segment (from 1) say whose numbers they are; without them the file is one system's, line by
line. A cell that lists errors with severities, as judges are asked for, counts as the sum of their weights.
"""

from tertium.corpus.records import Table, read_table
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import errors_in, number_in, weight_of
from tertium.scoring.score_files.tidy import segment_in


class NumbersColumn(ScoreForm):
    """A column that was named; NAME= is the system, unless a column says it."""

    name = "column"
    holds = "a column of numbers, FILE:COLUMN"

    def recognises(self, file: ScoreFile) -> bool:
        """Whether a column was named."""
        return file.column is not None

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return a score per line, called as the column is."""
        table = read_table(file.path, file.kind, warn=warn)
        assert file.column is not None
        cells = table.column(file.column)
        systems, segments = _places(table, file)
        found = []
        for i, (text, system, segment) in enumerate(zip(cells, systems, segments, strict=True)):
            where, text = table.where(i), text.strip()
            errors = errors_in(text)
            if errors is None:
                found.append(ImportedScore(system, segment, file.column, number_in(text, where), table.lines[i]))
            else:
                metric = file.column if file.column.endswith("errors") else f"{file.column}-errors"
                weight = weight_of(errors, where)
                found.append(ImportedScore(system, segment, metric, weight, table.lines[i], errors=errors))
        return found


def _places(table: Table, file: ScoreFile) -> tuple[list[str], list[int]]:
    """Return system and segment of each line."""
    named, numbered = table.find("system"), table.find("segment")
    if named is not None and numbered is None:
        raise InputError(
            f"{file.path} has a column system, but none that says which segment it is. Add segment, from 1."
        )
    systems = [file.system] * len(table) if named is None else [name.strip() for name in table.columns[named]]
    if numbered is None:
        if file.kind in ("tsv", "csv"):
            _check_no_gap(table)
        return systems, list(range(1, len(table) + 1))
    return systems, [segment_in(text, table.where(i)) for i, text in enumerate(table.columns[numbered])]


def _check_no_gap(table: Table) -> None:
    """Refuse a blank line between others: all scores below it would count for the segment before theirs."""
    last = 1 + sum(name.count("\n") for name in table.columns)
    for i, line in enumerate(table.lines):
        if line != (next_one := last + 1 + sum(column[i].count("\n") for column in table.columns.values())):
            raise InputError(
                f"{table.name}, line {next_one:,} is blank, but a score per segment was expected. Score that segment "
                "again, or add a column segment, from 1."
            )
        last = line

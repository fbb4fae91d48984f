"""Whole tables, all columns as text: TSV, CSV, JSON lines and Parquet."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.files.lines import LONGEST, Lines, Warn
from tertium.files.reading import unreadable

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Table:
    """A table: the texts of each column, and the line of the file on which each record stands."""

    name: str
    columns: dict[str, list[str]]
    lines: Sequence[int]

    def __len__(self) -> int:
        return len(self.lines)

    def where(self, index: int) -> str:
        """Say where a record stands."""
        return f"{self.name}, line {self.lines[index]:,}"

    def column(self, *names: str) -> list[str]:
        """Return the column that has one of these names."""
        found = self.find(*names)
        if found is None:
            raise UnknownNameError.of(f"column of {self.name}", names[0], [name[:40] for name in self.columns])
        return self.columns[found]

    def find(self, *names: str) -> str | None:
        """Return which of these names a column has, or None."""
        return next((name for name in names if name in self.columns), None)


def first_line(path: str) -> str:
    """Return the first line of a file."""
    return next(iter(Lines(path, warn=lambda message: None, crlf_is_usual=True)), "")


def read_table(path: str, kind: str, *, warn: Warn) -> Table:
    """Read a table whose first line names the columns; `kind` is tsv, csv, jsonl or parquet."""
    if kind not in _READERS:
        raise UnknownNameError.of("kind of table", kind, _READERS)
    return _READERS[kind](path, warn)


def read_fields(path: str, *, warn: Warn, split: Callable[[str], list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Return the fields of each line that is not blank, with the line's number."""
    for number, line in enumerate(Lines(path, warn=warn, crlf_is_usual=True), start=1):
        if line and not line.isspace():
            yield number, split(line)


def read_csv(path: str, *, warn: Warn, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Return the records of a CSV file, each with the line on which it ends."""
    file = Lines(path, warn=warn, crlf_is_usual=True)
    csv.field_size_limit(LONGEST)
    reader = csv.reader((line + "\n" for line in file), strict=True, delimiter=delimiter)
    try:
        for record in reader:
            if any(record):
                yield reader.line_num, record
    except csv.Error as error:
        raise InputError(f"{file.name}, line {reader.line_num:,} is no CSV ({error}).") from None


def table_of(name: str, records: Iterator[tuple[int, list[str]]], header: Sequence[str] | None = None) -> Table:
    """Make a table of records; without a header, the first record is it."""
    if header is None:
        _, header = next(records, (0, []))
    header = [column.strip() for column in header]
    if not header:
        raise InputError(f"{name} is empty, but a table with a header was expected.")
    for column in header:
        if column and header.count(column) > 1:
            raise InputError(f"{name} has {header.count(column)} columns called '{column}'. Rename all but one.")
    width = len(header)
    lines: list[int] = []
    rows: list[list[str]] = []
    for line, record in records:
        if len(record) != width:
            if len(record) < width or any(record[width:]):
                raise InputError(f"{name}, line {line:,} has {len(record)} columns, but its header has {width}.")
            record = record[:width]
        lines.append(line)
        rows.append(record)
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in header]
    return Table(name, dict(zip(header, columns, strict=True)), lines)


def _tsv(path: str, warn: Warn) -> Table:
    """Read a block of lines at once where all have as many tabs as the header, which is much faster."""
    file = Lines(path, warn=warn, crlf_is_usual=True)
    header = file.take(1)
    if not len(header) or not header[0][0].strip():
        return table_of(file.name, iter(()))
    names = header[0][0].split("\t")
    table = table_of(file.name, iter(()), names)
    columns, lines = list(table.columns.values()), list(table.lines)
    number = 1
    while count := len(block := file.take(_BLOCK)):
        texts = [block[i][0] for i in range(count)]
        if all(text.count("\t") == len(names) - 1 for text in texts) and (len(names) > 1 or all(texts)):
            flat = "\t".join(texts).split("\t")
            for place, column in enumerate(columns):
                column += flat[place :: len(names)]
            lines += range(number + 1, number + count + 1)
        else:
            records = (
                (number + 1 + i, text.split("\t")) for i, text in enumerate(texts) if text and not text.isspace()
            )
            part = table_of(file.name, records, names)
            for column, values in zip(columns, part.columns.values(), strict=True):
                column += values
            lines += part.lines
        number += count
    return Table(file.name, table.columns, lines)


def _csv(path: str, warn: Warn) -> Table:
    return table_of(path, read_csv(path, warn=warn))


def _jsonl(path: str, warn: Warn) -> Table:
    columns: dict[str, list[str]] = {}
    lines: list[int] = []
    for number, (line,) in read_fields(path, warn=warn, split=lambda line: [line]):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number:,} is no JSON ({error}).") from None
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {number:,} is {line[:40]}, but an object was expected on each line.")
        for name in record:
            if name not in columns:
                columns[name] = [""] * len(lines)
        for name, values in columns.items():
            values.append(as_text(record.get(name)))
        lines.append(number)
    if not lines:
        raise InputError(f"{path} is empty, but one JSON object per line was expected.")
    return Table(path, columns, lines)


def _parquet(path: str, warn: Warn) -> Table:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(f"{path}: Parquet files need a package: pip install 'tertium[arrow]'.") from None
    try:
        table = parquet.read_table(path, page_checksum_verification=True)
    except OSError as error:
        raise unreadable(path, error) from None
    except pyarrow.ArrowException as error:
        raise InputError(f"{path} is no Parquet file that can be read ({str(error).splitlines()[0]}).") from None
    columns = {name: [as_text(value) for value in table.column(name).to_pylist()] for name in table.column_names}
    return Table(path, columns, range(1, table.num_rows + 1))


def as_text(value: Any) -> str:
    """Return a value of JSON or Parquet as a TSV would hold it."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else json.dumps(value, default=str, ensure_ascii=False)


_READERS: dict[str, Callable[[str, Warn], Table]] = {"tsv": _tsv, "csv": _csv, "jsonl": _jsonl, "parquet": _parquet}

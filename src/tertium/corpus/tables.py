"""Columns of tables: TSV, CSV, JSON lines and Parquet. `file.tsv:column` names one."""

import csv
import json
import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from tertium import _native
from tertium.corpus.readers import TextFile
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.files.lines import LONGEST, Lines, Warn
from tertium.files.reading import legible, unreadable


class TSVColumn(TextFile):
    """A column of a tab-separated file without quoting: by the name in the header, or by number if there is none."""

    def __init__(self, path: str, column: str, *, warn: Warn) -> None:
        self.lines = Lines(path, warn=warn)
        self.name = self.lines.name
        self._column = column
        number = _number(column, self.name)
        self._width = 0  # columns, as the first line has them
        self._index = self._named() if number is None else number

    def _named(self) -> int:
        header = self.lines.take(1)
        if len(header) == 0:
            raise InputError(f"{self.name} is empty, but a header with the column '{self._column}' was expected.")
        names = header[0][0].split("\t")
        self._width = len(names)
        return _position(self._column, names, self.name)

    def take(self, most: int) -> _native.Texts:
        """Return `most` further values; fewer only at the end."""
        lines = self.lines.take(most)
        self.lacks_final_newline = self.lines.lacks_final_newline
        if not self._width and len(lines):
            self._width = lines[0][0].count("\t") + 1
        texts = lines.fields(self._index, self._width)
        if texts is None:
            raise self._uneven(lines)
        self.taken += len(texts)
        return texts

    def _uneven(self, lines: _native.Texts) -> InputError:
        for i in range(len(lines)):
            found = lines[i][0].count("\t") + 1
            if found <= self._index or found != self._width:
                line = self.lines.taken - len(lines) + i + 1
                return _misfit(self.name, line, found, self._width, self._index, self._column)
        raise AssertionError("a line with other columns was reported, but all are alike")

    def again(self) -> "TSVColumn | None":
        """Return the column from its beginning, unless it is standard input."""
        return None if self.lines.path == "-" else TSVColumn(self.lines.path, self._column, warn=lambda _: None)


class _Records(TextFile):
    """A column of a file whose records are read in Python, one at a time."""

    def __init__(self, path: str, column: str, *, warn: Warn) -> None:
        self.path = path
        self.column = column
        self.lines = Lines(path, warn=warn, crlf_is_usual=True)
        self.name = self.lines.name
        self._values = self.values()

    def values(self) -> Iterator[Any]:
        """Return the column's values: strings, or lists of strings."""
        raise NotImplementedError

    def take(self, most: int) -> _native.Texts:
        """Return `most` further values; fewer only at the end."""
        values = list(islice(self._values, most))
        self.taken += len(values)
        name = f"{self.name}:{self.column}"
        if any(isinstance(value, list) for value in values):
            return _native.grouped_texts(values, name)
        return _native.flat_texts(values, name)

    def again(self) -> "TextFile | None":
        """Return the column from its beginning, unless it is standard input."""
        return None if self.path == "-" else type(self)(self.path, self.column, warn=lambda _: None)


class CSVColumn(_Records):
    """A column of a comma-separated file with quoting, by the name in the header or by number."""

    def values(self) -> Iterator[str]:
        """Return the column's values."""
        csv.field_size_limit(LONGEST)
        reader = csv.reader((line + "\n" for line in self.lines), strict=True)
        try:
            number = _number(self.column, self.name)
            header = next(reader, []) if number is None else []
            index = _position(self.column, header, self.name) if number is None else number
            width = len(header)
            for record in reader:
                record = record or [""]
                width = width or len(record)
                if index >= len(record) or len(record) != width:
                    raise _misfit(self.name, reader.line_num, len(record), width, index, self.column)
                yield record[index]
        except csv.Error as error:
            raise InputError(f"{self.name}, line {reader.line_num:,} is no CSV ({error}).") from None


class JSONLColumn(_Records):
    """A field of a file with one JSON object per line; `a.b` is the field b inside a."""

    def values(self) -> Iterator[Any]:
        """Return the field's values: strings, or lists of strings where a segment has several."""
        for number, line in enumerate(self.lines, start=1):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{self.name}, line {number:,} is no JSON ({error}).") from None
            yield self._value(record, number)

    def _value(self, record: Any, number: int) -> Any:
        value = record
        for key in self.column.split("."):
            if not isinstance(value, dict) or key not in value:
                found = list(value) if isinstance(value, dict) else []
                raise _unknown(f"field on line {number:,} of {self.name}", key, found)
            value = value[key]
        fits = isinstance(value, str) or (
            isinstance(value, list) and all(text is None or isinstance(text, str) for text in value)
        )
        if not fits or (isinstance(value, list) and not any(text is not None for text in value)):
            raise InputError(
                f"{self.name}, line {number:,}: the field '{self.column}' is {json.dumps(value)[:60]}, but a string or "
                "a list of strings was expected."
            )
        return value


class ParquetColumn(TextFile):
    """A column of a Parquet file: strings, or lists of strings. Batches pass through without a copy."""

    def __init__(self, path: str, column: str, *, warn: Warn) -> None:
        self.name, self.path = legible(path), path
        self.column = column
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise MissingExtraError(f"{path}: Parquet files need a package: pip install 'tertium[arrow]'.") from None
        try:
            self._file = parquet.ParquetFile(pyarrow.OSFile(os.fsencode(path)), page_checksum_verification=True)
        except OSError as error:
            raise unreadable(path, error) from None
        except pyarrow.ArrowException as error:
            raise InputError(f"{path} is no Parquet file that can be read ({str(error).splitlines()[0]}).") from None
        names = self._file.schema_arrow.names
        if column not in names:
            raise _unknown(f"column of {path}", column, names)
        self._error = pyarrow.ArrowException
        self._batches = self._file.iter_batches(batch_size=1 << 15, columns=[column])
        self._batch = _native.flat_texts([], self.name)
        self._at = 0
        self._read = 0

    def take(self, most: int) -> _native.Texts:
        """Return `most` further values; fewer only at the end."""
        parts: list[_native.Texts] = []
        missing = most
        while missing:
            if self._at == len(self._batch):
                batch = self._next()
                if batch is None:
                    break
                self._batch, self._at = batch, 0
            begin, self._at = self._at, min(self._at + missing, len(self._batch))
            parts.append(self._batch.slice(begin, self._at))
            missing -= self._at - begin
        self.taken += most - missing
        return parts[0] if len(parts) == 1 else _native.joined_texts(parts)

    def _next(self) -> _native.Texts | None:
        try:
            batch = next(self._batches, None)
        except (OSError, self._error) as error:
            raise InputError(f"{self.name} broke off while it was read ({str(error).splitlines()[0]}).") from None
        if batch is None:
            return None
        read = _native.arrow_texts_or_none if self.keeps_nulls else _native.arrow_texts
        texts = read(batch.column(0), f"{self.name}:{self.column}", True, self._read)
        self._read += len(texts)
        return texts

    def again(self) -> "ParquetColumn":
        """Return the column from its beginning."""
        return ParquetColumn(self.path, self.column, warn=lambda _: None)


def _misfit(name: str, line: int, found: int, width: int, index: int, column: str) -> InputError:
    """Say that a row has not all columns, or more: what is in them would be taken for something else."""
    if found == width:
        return InputError(
            f"{name}, line {line:,} has {found} columns, but column {index + 1} ('{column}') was asked for."
        )
    return InputError(
        f"{name}, line {line:,} has {found} columns, but its first line has {width}. Is a separator missing, or is one "
        "part of a text? Give all rows as many columns."
    )


def columns_of(path: str, kind: str) -> list[str]:
    """Return the names that can stand behind the colon, as far as the file tells them."""
    if kind == "parquet":
        try:
            from pyarrow import parquet

            return list(parquet.read_schema(path).names)
        except Exception:  # the caller has an error to report already
            return []
    first = next(iter(Lines(path, warn=lambda _: None)), "")
    if kind == "jsonl":
        try:
            record = json.loads(first)
        except (ValueError, RecursionError):
            return []
        return list(record) if isinstance(record, dict) else []
    return next(csv.reader([first]), []) if kind == "csv" else first.split("\t")


def _number(column: str, name: str) -> int | None:
    """Return the index of a column that is given by number; None if it is given by name."""
    if not re.fullmatch("[0-9]{1,6}", column):
        return None
    if int(column) < 1:
        raise InputError(f"{name}: columns count from 1, so there is no column {column}.")
    return int(column) - 1


def _position(column: str, header: Sequence[str], name: str) -> int:
    if header.count(column) > 1:
        raise InputError(f"{name} has {header.count(column)} columns called '{column}'. Name the column by its number.")
    if column not in header:
        raise _unknown(f"column of {name}", column, header)
    return list(header).index(column)


def _unknown(kind: str, column: str, known: Sequence[str]) -> UnknownNameError:
    return UnknownNameError.of(kind, column, [name[:40] for name in known[:20]] or ["none"])

"""Columns of spreadsheets (XLSX, ODS, XLS), named by the first row: `file.xlsx:Column`, `file.xlsx:Sheet!Column`."""

import zipfile
from collections.abc import Sequence
from typing import Any

from tertium import _native
from tertium.corpus.readers import TextFile
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.files.lines import Warn
from tertium.files.reading import legible, unreadable

_MOST = 1 << 30  # bytes that a file may grow to


class SheetColumn(TextFile):
    """A column of a sheet; empty cells are empty texts, and rows that are empty at the end are left out."""

    def __init__(self, path: str, column: str, *, warn: Warn) -> None:
        self.path, self.column = path, column
        self.name = legible(path)
        sheet, mark, name = column.rpartition("!")
        rows = _rows(path, sheet if mark else None)
        header = [_text(cell) for cell in rows[0]] if rows else []
        if header.count(name) > 1:
            raise InputError(f"{path} has {header.count(name)} columns called '{name}'. Rename all but one.")
        if name not in header:
            known = [cell for cell in header if cell] or ["none"]
            raise UnknownNameError.of(f"column of {path}{f', sheet {sheet}' if mark else ''}", name, known[:20])
        place = header.index(name)
        self._texts = [_text(row[place]) for row in rows[1:]]

    def take(self, most: int) -> _native.Texts:
        """Return `most` further cells; fewer only at the end."""
        texts = self._texts[self.taken : self.taken + most]
        self.taken += len(texts)
        return _native.flat_texts(texts, f"{self.name}:{self.column}")

    def again(self) -> "SheetColumn":
        """Return the column from its beginning."""
        return SheetColumn(self.path, self.column, warn=lambda message: None)


def sheet_columns(path: str) -> list[str]:
    """Return the names in the first row of the first sheet."""
    rows = _rows(path, None)
    return [name for name in map(_text, rows[0]) if name] if rows else []


def _rows(path: str, sheet: str | None) -> list[Sequence[Any]]:
    """Return the rows of a sheet, the first if none is named, without empty ones at the end."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise MissingExtraError(f"{path}: spreadsheets need a package: pip install 'tertium[sheets]'.") from None
    _check_size(path)
    try:
        with calamine.load_workbook(path) as book:
            names = book.sheet_names
            if sheet is not None and sheet not in names:
                raise UnknownNameError.of(f"sheet of {path}", sheet, names)
            if not names:
                raise InputError(f"{path} has no sheets.")
            found = book.get_sheet_by_name(names[0] if sheet is None else sheet)
            rows: list[Sequence[Any]] = list(found.to_python(skip_empty_area=False))
    except (InputError, UnknownNameError):
        raise
    except OSError as error:
        if error.errno is not None:
            raise unreadable(path, error) from None
        raise _broken(path, error) from None
    except (calamine.CalamineError, ValueError, TypeError) as error:
        raise _broken(path, error) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # its own parser gave up
            raise
        raise _broken(path, error) from None
    while rows and not any(_text(cell) for cell in rows[-1]):
        rows.pop()
    return rows


def _broken(path: str, error: BaseException) -> InputError:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    return InputError(f"{path} is no spreadsheet that can be read ({reason}).")


def _check_size(path: str) -> None:
    """Refuse a file that grows beyond measure: both kinds are zip archives, which tell their size."""
    try:
        with open(path, "rb") as file:
            if not zipfile.is_zipfile(file):
                return
            with zipfile.ZipFile(file) as archive:
                if sum(one.file_size for one in archive.infolist()) > _MOST:
                    raise InputError(f"{path} grows to more than {_MOST >> 30} GiB, which no sheet of texts has.")
    except OSError as error:
        raise unreadable(path, error) from None
    except InputError:
        raise
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise _broken(path, error) from None


def _text(cell: Any) -> str:
    """Return a cell as it would be typed: 3 rather than 3.0."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)

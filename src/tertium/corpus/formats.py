"""Files as they are named, NAME=FILE:COLUMN, and which kind they are: by suffix, by contents, or as the user says."""

import re
from importlib import import_module
from pathlib import Path

from tertium.corpus.readers import LineFile, TabFile, TextFile
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.files.lines import Warn
from tertium.files.reading import COMPRESSED, head, legible

KINDS = ("text", "tabs", "tsv", "csv", "jsonl", "parquet", "sheet", "tmx", "xliff", "xml", "sgml", "trans")
_SUFFIXES = {
    ".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet",
    ".xml": "xml", ".sgm": "sgml", ".sgml": "sgml", ".trans": "trans", ".tmx": "tmx", ".xlf": "xliff",
    ".xliff": "xliff", ".sdlxliff": "xliff", ".mqxliff": "xliff", ".mxliff": "xliff", ".xlsx": "sheet", ".ods": "sheet",
    ".xls": "sheet", ".xlsm": "sheet",
}  # fmt: skip
_TABLES = {  # where the reader of a column is; only those are loaded that are needed
    "tsv": "tables.TSVColumn",
    "csv": "tables.CSVColumn",
    "jsonl": "tables.JSONLColumn",
    "parquet": "tables.ParquetColumn",
    "sheet": "sheets.SheetColumn",
    "tmx": "tmx.TMXColumn",
    "xliff": "xliff.XLIFFColumn",
}
_WITH_IDS = ("xml", "sgml", "trans")
_TRANS = re.compile(rb"\(\[[^\]]*\]\[[^\]]*\]\[[^\]]*\]\)\s*$")  # tercom's; an id of any other form could be text


def split_column(argument: str) -> tuple[str, str | None]:
    """Split FILE:COLUMN; a file whose own name has a colon is left whole."""
    path, colon, column = argument.rpartition(":")
    if not colon or not path or not column or Path(argument).exists():
        return argument, None
    return path, column


def split_name(argument: str) -> tuple[str | None, str]:
    """Split NAME=FILE; a file whose own name has an equals sign is left whole."""
    name, equals, path = argument.partition("=")
    return (legible(name), path) if equals and name and path and not Path(argument).exists() else (None, argument)


def stem_of(path: str) -> str:
    """Return a file's name without folders, compression and the last suffix: what its system is called."""
    if path == "-":
        return "stdin"
    name = legible(Path(path).name)
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return Path(name).stem if Path(name).suffix else name


def open_systems(argument: str, *, kind: str | None, warn: Warn) -> dict[str, TextFile]:
    """Return the hypotheses that an argument stands for; by system if the file names several, else under ''."""
    path, column = split_column(argument)
    kind = kind or kind_of(path, column)
    if kind in _WITH_IDS:
        from tertium.corpus.testsets import systems_of

        systems = systems_of(path, kind)
        if column is not None:
            if column not in systems:
                raise UnknownNameError.of(f"system of {path}", column, systems)
            return {"": systems[column]}
        return {"": next(iter(systems.values()))} if len(systems) == 1 else dict(systems)
    return {"": _open(path, column, kind, warn)}


def open_references(argument: str, *, kind: str | None, warn: Warn) -> list[TextFile]:
    """Return the references that an argument stands for."""
    path, column = split_column(argument)
    kind = kind or kind_of(path, column)
    if kind in _WITH_IDS:
        from tertium.corpus.testsets import references_of

        found = references_of(path, kind)
        if column is not None and column not in found:
            raise UnknownNameError.of(f"reference of {path}", column, found)
        return [file for name, file in found.items() if column in (None, name)]
    return [_open(path, column, kind, warn)]


def open_source(argument: str, *, kind: str | None, warn: Warn) -> TextFile:
    """Return the source texts that an argument stands for."""
    path, column = split_column(argument)
    kind = kind or kind_of(path, column)
    if kind in _WITH_IDS:
        from tertium.corpus.testsets import sources_of

        return sources_of(path, kind)
    return _open(path, column, kind, warn)


def holds_references(argument: str, *, kind: str | None) -> bool:
    """Whether a file of hypotheses may bring its references along."""
    path, column = split_column(argument)
    return (kind or kind_of(path, column)) == "xml"


def _open(path: str, column: str | None, kind: str, warn: Warn) -> TextFile:
    if kind in _TABLES:
        if column is None:
            known = ", ".join(_columns_of(path, kind)[:12])
            if kind in ("tmx", "xliff", "sheet"):
                what = "language" if kind == "tmx" else "column"
                raise InputError(f"{path}: name a {what}, {path}:{what.upper()}. It has: {known or 'none'}.")
            raise InputError(
                f"{path} is a table, so a column must be named: {path}:COLUMN. It has: {known or 'none'}. (If each "
                "line holds references separated by tabs, say ",
                Argument("kind", "tabs", of="open_systems"),
                ".)",
            )
        module, _, reader = _TABLES[kind].partition(".")
        opened: TextFile = getattr(import_module(f"tertium.corpus.{module}"), reader)(path, column, warn=warn)
        return opened
    if column is not None:
        raise InputError(f"{path}:{column} names a column, but {path} is read as {kind}, which has no columns.")
    return TabFile(path, warn=warn) if kind == "tabs" else LineFile(path, warn=warn)


def _columns_of(path: str, kind: str) -> list[str]:
    """Return what can stand behind the colon."""
    if kind == "xliff":
        from tertium.corpus.xliff import COLUMNS

        return list(COLUMNS)
    if kind == "tmx":
        from tertium.corpus.tmx import languages_of

        return languages_of(path)
    if kind == "sheet":
        from tertium.corpus.sheets import sheet_columns

        return sheet_columns(path)
    from tertium.corpus.tables import columns_of

    return columns_of(path, kind)


def kind_of(path: str, column: str | None) -> str:
    """Return the kind of a file, first by its suffix, then by how it begins."""
    if path == "-":
        return "tsv" if column else "text"
    name = Path(path)
    suffix = Path(name.stem).suffix if name.suffix in COMPRESSED else name.suffix
    if suffix.lower() in _SUFFIXES:
        return _SUFFIXES[suffix.lower()]
    if not name.is_file():
        return "tsv" if column and not name.exists() else "text"
    beginning = head(path, 4096)
    if beginning.startswith(b"PAR1"):
        return "parquet"
    start = beginning.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if re.match(rb"<(refset|tstset|srcset|!doctype mteval|mteval)\b", start):
        return "sgml"
    if start.startswith((b"<?xml", b"<!doctype", b"<tmx", b"<xliff")) and (
        found := re.search(rb"<(tmx|xliff)\b", start)
    ):
        return found[1].decode()
    if start.startswith((b"<?xml", b"<dataset")):
        return "sgml" if re.search(rb"<(refset|tstset|srcset)\b", start) else "xml"
    lines = beginning.split(b"\n")[:20]
    if all(map(_TRANS.search, lines[:-1] or lines)):  # the last may be cut
        return "trans"
    if column is not None and start.startswith(b"{"):
        return "jsonl"
    return "tsv" if column is not None and b"\t" in beginning.split(b"\n")[0] else "text"

"""Results as text: tables for people, records for programs; to a file whole or not at all."""

import io
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast

import click

from tertium.cli.output.progress import clear_line
from tertium.errors import InputError
from tertium.files.reading import head
from tertium.files.systems import is_closed_pipe
from tertium.files.writing import new_file, unwritable
from tertium.text.visible import visible, visible_but_colours

Row = dict[str, Any]
_FORMULA = ("=", "+", "@", "-@", "-=", "-+", "\t", "\r")  # how a cell begins that is run rather than shown
RECORDS = ("json", "jsonl", "tsv", "csv")  # formats for programs
_WIDTH = 80  # of tables that go elsewhere than to a terminal
_LONG_HEAD = 24
_SHORTEST = 12  # of names that are broken
SHEETS = ("jsonl", "tsv", "csv")  # those whose rows must say all, for they have no head


def check_output(output: str | None) -> None:
    """Refuse a file that cannot be written, or that the command reads, before the work is done, not after."""
    if output is None:
        return
    folder = Path(output).parent
    if not folder.is_dir():
        raise InputError(f"{output} cannot be written: there is no directory {folder}.")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{output} cannot be written: the directory {folder} does not let you.")
    if Path(output).is_dir():
        raise InputError(f"{output} cannot be written: it is a directory.")
    if Path(output).is_file() and (read := _input_at(output)):
        raise InputError(f"{output} cannot be written: the command reads it ({read}). Give the results another name.")
    if Path(output).is_file() and head(output, 16) == b"SQLite format 3\x00":
        raise InputError(
            f"{output} is a database, such as a study that holds people's answers. Give the results another name."
        )


# What names of options stand for files that are written.
_WRITTEN = ("output", "report", "plot", "save", "junit", "summary", "rows")


def _input_at(output: str) -> str | None:
    """Return the argument of the command that names this file to be read, however it names it; None if none does."""
    context = click.get_current_context(silent=True)
    given = {} if context is None else {name: value for name, value in context.params.items() if name not in _WRITTEN}
    for value in chain.from_iterable(v if isinstance(v, tuple) else (v,) for v in given.values()):
        if isinstance(value, str) and any(_is_same(path, output) for path in _paths(value)):
            return value
    folder = given.get("refs_dir")
    return next((str(p) for p in Path(folder).glob("*") if _is_same(p, output)), None) if folder else None


def _paths(argument: str) -> set[str]:
    """Return what may be a path in FILE, NAME=FILE, FILE:COLUMN, NAME=FILE:COLUMN or metric:setting=FILE,…"""
    named = argument.partition("=")[2]
    return {argument, named, argument.rpartition(":")[0], named.rpartition(":")[0], *re.split("[:=,]", argument)} - {""}


def _is_same(path: str | Path, output: str) -> bool:
    try:
        return os.path.samefile(path, output)
    except (OSError, ValueError):
        return False


def emit(text: str | bytes | Iterable[str], output: str | None) -> None:
    """Write text, or pieces of it, to standard output or to a file that appears only when all of it is written.

    Bytes (a picture) can only go to a file.
    """
    clear_line()
    name = output or "standard output"
    pieces = [text] if isinstance(text, str | bytes) else text
    try:
        if output is None:
            if sys.stdout is None:
                raise InputError("Standard output is closed, so there is nowhere to print. Add --output FILE.")
            shown = cast(Iterable[str], pieces)
            sys.stdout.writelines(map(visible_but_colours, shown) if sys.stdout.isatty() else shown)
            sys.stdout.flush()
        else:
            with new_file(output) as file:
                file.writelines(map(_encoded, pieces))
    except UnicodeEncodeError as error:
        if "\ud800" <= error.object[error.start] <= "\udfff":
            raise InputError(
                f"{name} cannot show {error.object[max(error.start - 20, 0) : error.end]!r}: it is no UTF-8, as part "
                "of a file's name. Name the system yourself: NAME=FILE."
            ) from None
        raise InputError(
            f"{name} cannot show {error.object[error.start]!r} in {error.encoding}. Set PYTHONIOENCODING=utf-8."
        ) from None
    except OSError as error:
        if not (isinstance(error, BrokenPipeError) or (output is None and is_closed_pipe(error))):
            raise unwritable(name, error) from None
        # The reader has seen enough (head, less). Nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _encoded(piece: str | bytes) -> bytes:
    return piece.encode() if isinstance(piece, str) else piece


def records_as(
    style: str, records: Iterable[Row], *, head: Row, key: str, columns: Sequence[str] | None = None
) -> Iterator[str]:
    """Return records, piece by piece, in one of the formats for programs.

    JSON is one object: `head`, with the records under `key`. TSV and CSV need to know their columns first; without
    `columns` they are those that occur, for which all records are held.
    """
    if style == "json":
        return _json(records, head, key)
    if style == "jsonl":
        return (_as_json(record) + "\n" for record in records)
    flat: Iterable[Row] = map(_flat, records)
    if columns is None:
        flat = list(flat)
        columns = list(dict.fromkeys(name for record in flat for name in record))
    return _tsv(flat, columns) if style == "tsv" else _csv(flat, columns)


def _json(records: Iterable[Row], head: Row, key: str) -> Iterator[str]:
    start = _as_json(head | {key: []}, indent=1)
    yield start.removesuffix("]\n}")
    separator = "\n  "
    for record in records:
        yield separator + _as_json(record)
        separator = ",\n  "
    yield "\n ]\n}\n"


def _as_json(value: object, indent: int | None = None) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, indent=indent)


def _flat(record: Row) -> Row:
    """Return parts as columns of their own: parts.bp, parts.ratio, …"""
    parts = record.get("parts") or {}
    return {key: value for key, value in record.items() if key != "parts"} | {
        f"parts.{name}": value for name, value in parts.items()
    }


def _cell(value: object) -> str:
    if isinstance(value, list | dict):
        return _as_json(value)
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _tsv(records: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
    yield "\t".join(columns) + "\n"
    for record in records:
        cells = [_cell(record.get(column)) for column in columns]
        yield "\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in cells) + "\n"


def _csv(records: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it, as spreadsheets read it."""
    import csv

    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for cells in chain([columns], ([_no_formula(record.get(column)) for column in columns] for record in records)):
        writer.writerow(cells)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _no_formula(value: object) -> str:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else _cell(value)


def wants_color(no_color: bool, output: str | None) -> bool:
    """Whether to use colours: on a terminal, unless the user or NO_COLOR says no."""
    return (
        not no_color and output is None and not os.environ.get("NO_COLOR") and bool(sys.stdout and sys.stdout.isatty())
    )


def table(
    style: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    best: set[tuple[int, int]],
    texts: int = 1,
    color: bool = False,
) -> str:
    """Return a table for people; the cells in `best` (row, column) are marked, the first `texts` columns are words.

    On a terminal, what is too wide for it goes on below, column by column; long heads are broken after commas.
    """
    header = [visible(name) for name in header]
    body = [[visible(cell).replace("\n", "\\n").replace("\t", "\\t") for cell in row] for row in rows]
    if style == "markdown":
        return _markdown(header, body, best, texts)
    if style == "latex":
        return _latex(header, body, best, texts)
    if texts == len(header):
        body = _wrapped(header, body)
    else:
        body, best = _with_narrow_names(header, body, best, texts)
    blocks = []
    for columns in _blocks(header, body, texts, marked=bool(best)):
        place = {column: k for k, column in enumerate([*range(texts), *columns])}
        blocks.append(
            _plain(
                [header[j] for j in place],
                [[row[j] for j in place] for row in body],
                {(i, place[j]) for i, j in best if j in place},
                texts,
                color,
                mark=" " if best else "",
            )
        )
    return "\n".join(blocks)


def page_width() -> int:
    """Return how wide a table may be: as the terminal is, or 80 columns where there is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return _WIDTH
    import shutil

    return shutil.get_terminal_size().columns


def _blocks(header: Sequence[str], body: Sequence[Sequence[str]], texts: int, *, marked: bool) -> list[list[int]]:
    """Return which columns of numbers stand beside each other; those of words are in every block."""
    widths = [max(len(line) for line in [*_lines(header[j]), *(row[j] for row in body)]) for j in range(len(header))]
    room = page_width() - sum(width + 2 for width in widths[:texts]) + 2
    blocks: list[list[int]] = [[]]
    used = 0
    for j in range(texts, len(header)):
        needed = widths[j] + 2 + marked
        if blocks[-1] and used + needed > room:
            blocks.append([])
            used = 0
        blocks[-1].append(j)
        used += needed
    return blocks


def _lines(head: str) -> list[str]:
    """Break the head of a column after commas and colons where it is long."""
    lines = [""]
    for piece in re.findall(r"[^,:]*[,:]?", head) if len(head) > _LONG_HEAD else [head]:
        if lines[-1] and len(lines[-1]) + len(piece) > _LONG_HEAD:
            lines.append("")
        lines[-1] += piece
    return lines


def _plain(
    header: Sequence[str], body: Sequence[Sequence[str]], best: set[tuple[int, int]], texts: int, color: bool, mark: str
) -> str:
    cells = [
        [cell + ("*" if (i, j) in best else mark if j >= texts else "") for j, cell in enumerate(row)]
        for i, row in enumerate(body)
    ]
    broken = [_lines(name) if j >= texts else [name] for j, name in enumerate(header)]
    deep = max(map(len, broken))
    heads = [
        [(lines[k - deep + len(lines)] if k >= deep - len(lines) else "") + (mark if j >= texts else "")
         for j, lines in enumerate(broken)]
        for k in range(deep)
    ]  # fmt: skip
    widths = [max(len(row[j]) for row in [*heads, *cells]) for j in range(len(header))]
    rule = ["-" * (width - len(mark) * (j >= texts)) + mark * (j >= texts) for j, width in enumerate(widths)]
    lines = []
    for i, row in enumerate([*heads, rule, *cells], start=-1 - deep):
        padded = [c.ljust(w) if j < texts else c.rjust(w) for j, (c, w) in enumerate(zip(row, widths, strict=True))]
        shown = [f"\x1b[1m{c}\x1b[0m" if color and (i, j) in best else c for j, c in enumerate(padded)]
        lines.append("  ".join(shown).rstrip())
    return "\n".join(lines) + "\n"


def _with_narrow_names(
    header: Sequence[str], body: list[list[str]], best: set[tuple[int, int]], texts: int
) -> tuple[list[list[str]], set[tuple[int, int]]]:
    """Break long words of the first columns into lines, where they leave no room for a column of numbers."""
    widths = [max(len(row[j]) for row in [header, *body]) for j in range(texts)]
    numbers = [len(line) for j in range(texts, len(header)) for line in [*_lines(header[j]), *(row[j] for row in body)]]
    room = page_width() - max(numbers, default=0) - bool(best) - 2 * texts
    while sum(widths) > room and max(widths) > _SHORTEST:
        widths[widths.index(max(widths))] -= 1
    rows: list[list[str]] = []
    first: list[int] = []
    for row in body:
        cells = [_pieces(cell, width) for cell, width in zip(row, widths, strict=False)]
        first.append(len(rows))
        for k in range(max(map(len, cells), default=1)):
            names = [lines[k] if k < len(lines) else "" for lines in cells]
            rows.append([*names, *(row[texts:] if k == 0 else [""] * (len(header) - texts))])
    return rows, {(first[i], j) for i, j in best}


def _pieces(text: str, width: int) -> list[str]:
    """Break a name that is too long: after a sign if there is one, else anywhere."""
    lines = []
    while len(text) > width:
        end = max((text.rfind(sign, 0, width) + 1 for sign in " ,:;._-/"), default=0)
        end = end if end > width // 2 else width
        lines.append(text[:end])
        text = text[end:]
    return [*lines, text]


def prose(text: str) -> str:
    """Break sentences below a table into lines, but no word; a line that is short enough stays as it is."""
    return "".join(
        f"{part}\n" for line in text.splitlines()
        for part in textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    )  # fmt: skip


def _wrapped(header: Sequence[str], body: list[list[str]]) -> list[list[str]]:
    """Break the last column into lines, so that the table fits."""
    room = page_width() - sum(max(len(row[j]) for row in [header, *body]) + 2 for j in range(len(header) - 1))
    rows = []
    for row in body:
        first, *more = textwrap.wrap(row[-1], max(room, 20)) or [""]
        rows += [[*row[:-1], first], *([""] * (len(header) - 1) + [line] for line in more)]
    return rows


def _markdown(header: Sequence[str], body: Sequence[Sequence[str]], best: set[tuple[int, int]], texts: int) -> str:
    rule = "|---" * texts + "|---:" * (len(header) - texts) + "|"
    lines = ["| " + " | ".join(_bar_free(name) for name in header) + " |", rule]
    for i, row in enumerate(body):
        cells = [f"**{cell}**" if (i, j) in best else _bar_free(cell) for j, cell in enumerate(row)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _bar_free(text: str) -> str:
    return text.replace("|", "\\|")


def _latex(header: Sequence[str], body: Sequence[Sequence[str]], best: set[tuple[int, int]], texts: int) -> str:
    lines = [r"\begin{tabular}{" + "l" * texts + "r" * (len(header) - texts) + "}", r"\hline"]
    lines.append(" & ".join(tex(name) for name in header) + r" \\ \hline")
    for i, row in enumerate(body):
        cells = [rf"\textbf{{{tex(cell)}}}" if (i, j) in best else tex(cell) for j, cell in enumerate(row)]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"


_TEX_SIGNS = {"↑": r"$\uparrow$", "↓": r"$\downarrow$", "≈": r"$\approx$", "†": r"$\dagger$"}


def tex(text: str) -> str:
    """Return a text as LaTeX prints it."""
    special = {c: f"\\{c}" for c in "&%$#_{}"} | _TEX_SIGNS | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(r"\textbackslash{}" if c == "\\" else special.get(c, c) for c in text)

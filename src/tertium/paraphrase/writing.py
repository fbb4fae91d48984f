"""Paraphrase tables as files: METEOR's, TERp's, tab-separated, or the index that metrics look phrases up in."""

import gzip
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.files.writing import new_file, unwritable
from tertium.text.lexicon import write_index

LAYOUTS = ("table", "meteor", "terp", "index")
HEADER = b"phrase_ref\tphrase_hyp\tprob\n"

Entry = tuple[str, str, float]

_BUFFER = 1 << 14  # entries at a time


def checked_layout(layout: str | None, path: Path) -> str:
    """Return the layout asked for, or the one that the file's name speaks of."""
    if layout is not None:
        if layout not in LAYOUTS:
            raise UnknownNameError.of("layout of paraphrase tables", layout, LAYOUTS)
        return layout
    name = path.name.removesuffix(".gz")
    if name.endswith((".tsv", ".txt")):
        return "table"
    if name.endswith(".terp"):
        return "terp"
    if name.endswith(".index"):
        return "index"
    if path.suffix == ".gz" or name.endswith(".meteor"):
        return "meteor"
    raise InputError(
        f"{path} does not say what layout the table has. End the name in .tsv, .gz (METEOR), .terp or .index, or give ",
        Argument("layout"),
        ".",
    )


def write_table(entries: Iterable[Entry], output: Path, layout: str) -> int:
    """Write entries, whole or not at all; return how many."""
    count = 0
    with new_table(output, layout) as file:
        if layout in ("table", "index"):
            file.write(HEADER)
        lines: list[str] = []
        for phrase, paraphrase, probability in entries:
            count += 1
            if layout == "meteor":
                lines.append(f"{probability!r}\n{phrase}\n{paraphrase}\n")
            elif layout == "terp":
                lines.append(f"{probability!r} <p>{phrase}</p> <p>{paraphrase}</p>\n")
            else:
                lines.append(f"{phrase}\t{paraphrase}\t{probability!r}\n")
            if len(lines) == _BUFFER:
                file.write("".join(lines).encode())
                lines.clear()
        file.write("".join(lines).encode())
    return count


@contextmanager
def new_table(output: Path, layout: str) -> Iterator[IO[bytes]]:
    """Give a file for the lines of a table, there only once it is complete; those of an index are a table's."""
    try:
        if layout == "index":
            with tempfile.TemporaryFile(dir=output.parent) as lines:
                yield lines
                lines.seek(0)
                write_index(output, _entries(lines), name=output.stem)
            return
        with new_file(output) as file:
            if output.suffix == ".gz" or layout == "meteor":
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
                    yield packed  # type: ignore[misc]  # all that is asked of it is write
            else:
                yield file
    except OSError as error:
        raise unwritable(output, error) from None


def _entries(lines: IO[bytes]) -> Iterator[Entry]:
    next(lines)
    for line in lines:
        reference, hypothesis, probability = line.decode().rstrip("\n").split("\t")
        yield reference, hypothesis, float(probability)

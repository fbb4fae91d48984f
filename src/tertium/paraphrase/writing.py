"""Paraphrase tables as files: METEOR's, TERp's, tab-separated, or the index that metrics look phrases up in."""

import gzip
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tertium.errors import Argument, InputError, UnknownNameError

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
    with new_file(output, layout) as file:
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
def new_file(output: Path, layout: str, *, begun: Callable[[Path], None] = lambda part: None) -> Iterator[IO[bytes]]:
    """Give a file that takes its name only once it is complete; the lines of an index are those of a table.

    `begun` is told what it is called until then.
    """
    part = None
    try:
        with tempfile.NamedTemporaryFile(dir=output.parent, prefix=f".{output.name}.", delete=False) as raw:
            part = Path(raw.name)
            begun(part)
            if output.suffix == ".gz" or layout == "meteor":
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield raw
        if layout == "index":
            _index(part, output)
        part.chmod(0o644)
        os.replace(part, output)
    except OSError as error:
        raise InputError(f"{output} cannot be written: {(error.strerror or str(error)).lower()}.") from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _index(part: Path, output: Path) -> None:
    """Make a table into the index that metrics look phrases up in."""
    from tertium.text.lexicon import write_index

    def entries() -> Iterator[tuple[str, str, float]]:
        with open(part, encoding="utf-8", newline="\n") as file:
            next(file)
            for line in file:
                reference, hypothesis, probability = line.rstrip("\n").split("\t")
                yield reference, hypothesis, float(probability)

    index = part.with_name(part.name + ".index")
    write_index(index, entries(), name=output.stem)
    os.replace(index, part)

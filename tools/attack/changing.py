"""Files that are cut short, rewritten, replaced or taken away while they are read."""

import gzip
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from tools.attack.commands import Ending, command, fault, started, within_limits

LINE = "some words of a line that is read\n"
MANY = 60_000
METRICS = ["chrf", "bleu", "ter", "wer", "meteor"]


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Change a file at a random moment while a command reads it."""
    kind, (name, column) = rng.choice(list(KINDS.items()))
    file = folder / "changing" / name
    file.parent.mkdir(exist_ok=True)
    with suppress(OSError):
        file.rmdir()
    file.unlink(missing_ok=True)
    file.write_bytes(_content(kind))
    how, change = rng.choice(list(CHANGES.items()))
    line = ["score", f"{file}{column}", "-r", f"{file}{column}", "-m", rng.choice(METRICS), "--quiet"]
    said = folder / "said"
    with open(said, "wb") as errors, open(os.devnull, "w") as nothing:
        process = started(command(line), folder, output=nothing.fileno(), errors=errors.fileno(), limit=within_limits)
    time.sleep(rng.random() * 0.5)
    change(file, rng)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    ending = Ending(code, b"", said.read_bytes())
    said.unlink()
    yield fault(ending, f"{kind}: {how}")


@cache
def _content(kind: str) -> bytes:
    rows = [LINE.strip()] * MANY
    if kind == "compressed":
        return gzip.compress((LINE * MANY).encode(), 1)
    if kind == "tsv":
        return ("text\n" + LINE * MANY).encode()
    if kind == "jsonl":
        return "".join(json.dumps({"text": text}) + "\n" for text in rows).encode()
    if kind == "xml":
        segments = "".join(f'<seg id="{i}">{text}</seg>\n' for i, text in enumerate(rows[:9000], 1))
        sides = f'<ref lang="a"><p>{segments}</p></ref><hyp system="s" lang="a"><p>{segments}</p></hyp>'
        return f'<dataset id="s"><doc id="d" origlang="x">{sides}</doc></dataset>'.encode()
    if kind == "parquet":
        import pyarrow as pa
        from pyarrow import parquet

        out = pa.BufferOutputStream()
        parquet.write_table(pa.table({"text": rows}), out, write_page_checksum=True)
        return out.getvalue().to_pybytes()
    return (LINE * MANY).encode()


KINDS = {
    "plain": ("c.txt", ""),
    "compressed": ("c.gz", ""),
    "tsv": ("c.tsv", ":text"),
    "jsonl": ("c.jsonl", ":text"),
    "xml": ("c.xml", ""),
    "parquet": ("c.parquet", ":text"),
}


def _cut(file: Path, rng: random.Random) -> None:
    os.truncate(file, rng.choice([0, 1, 999, file.stat().st_size // 2]))


def _rewritten(file: Path, rng: random.Random) -> None:
    with open(file, "r+b") as opened:
        opened.seek(rng.randrange(file.stat().st_size))
        opened.write(rng.randbytes(100_000))


def _longer(file: Path, rng: random.Random) -> None:
    with open(file, "ab") as opened:
        opened.write(rng.randbytes(100_000))


def _replaced(file: Path, rng: random.Random) -> None:
    file.with_suffix(".new").write_bytes(rng.randbytes(100_000))
    file.with_suffix(".new").replace(file)


def _a_folder(file: Path, rng: random.Random) -> None:
    file.unlink()
    file.mkdir()


CHANGES: dict[str, Callable[[Path, random.Random], None]] = {
    "cut short": _cut,
    "rewritten": _rewritten,
    "longer": _longer,
    "replaced": _replaced,
    "taken away": lambda file, rng: file.unlink(),
    "a folder now": _a_folder,
}

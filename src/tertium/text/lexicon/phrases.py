"""Paraphrase tables: phrase pairs with probabilities, compiled into one memory-mapped index.

    table = PhraseTable.open("paraphrase-en.gz")     # compiled once, into the cache
    table.paraphrases("as well as")                  # [("and also", 0.12), …]
    kernel(..., table.index)                         # native/lexicon/phrase_index.hpp tells how kernels walk it

Six forms are read, told apart by their first line: METEOR's (three lines an entry), TERp's (`P <p>a</p> <p>b</p>`),
a TSV with the header `phrase_ref phrase_hyp prob`, PPDB's and Moses' (`|||`), and an index made before.
"""

import mmap
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO

from tertium import _native
from tertium.errors import InputError
from tertium.files.lines import Lines
from tertium.files.reading import head
from tertium.files.writing import new_file, unwritable
from tertium.text.lexicon.cache import (
    HEADER,
    CacheFile,
    Damaged,
    cached,
    file_hash,
    identity,
    is_compiled,
    opened,
    write,
)
from tertium.text.lexicon.resources import missing, named_phrase_table

KIND = "phrases"
_PIECE = 1 << 24  # bytes of records that are sorted at once
_LINES = 1 << 16
_BATCH = 1 << 14
FORMS = {
    "meteor": "three lines an entry: probability, phrase, paraphrase",
    "terp": "P <p>phrase</p> <p>paraphrase</p>",
    "tsv": "tab-separated, with the header phrase_ref phrase_hyp prob",
    "ppdb": "[X] ||| phrase ||| paraphrase ||| features",
    "moses": "phrase ||| paraphrase ||| scores",
}


@dataclass(frozen=True)
class PhraseTable:
    """A paraphrase table. Equal names and hashes are equal tables; pickled, it is opened again where it arrives."""

    name: str
    hash: str
    source: str  # what `open` was given
    v1_bug: bool = False
    any_number: bool = False
    numbered: bool = False

    @classmethod
    def open(
        cls, source: str | Path, *, v1_bug: bool = False, any_number: bool = False, numbered: bool = False
    ) -> "PhraseTable":
        """Return the table of a file, or of a name: `meteor:en` is METEOR's own where it is installed.

        `v1_bug` reads TERp's lines of two numbers as its first version did, both for the first direction;
        `any_number` allows numbers that are costs, not probabilities; `numbered` has each entry's number in the table
        in place of its probability, for METEOR, which goes by that.
        """
        file, _ = _compiled(str(source), v1_bug, any_number, numbered)
        return cls(file.header["name"], file.header["hash"], str(source), v1_bug, any_number, numbered)

    @property
    def mark(self) -> str:
        """What a signature says of the table."""
        return f"{self.name}@{self.hash}"

    @property
    def index(self) -> _native.PhraseIndex:
        """The table as kernels take it."""
        file, index = _compiled(self.source, self.v1_bug, self.any_number, self.numbered)
        if file.header["hash"] != self.hash:
            raise InputError(f"The table {self.mark} changed since it was opened. Open {self.source} again.")
        return index

    @property
    def path(self) -> Path:
        """The index file."""
        return _compiled(self.source, self.v1_bug, self.any_number, self.numbered)[0].path

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        """Go through all (phrase, paraphrase, probability); phrases come in no particular order."""
        index, slot = self.index, 0
        while True:
            following, entries = index.phrases(slot, _BATCH)
            yield from entries
            if following is None:
                return
            slot = following

    def facts(self) -> dict[str, Any]:
        """Return what is known of the table, after checking that the index is whole."""
        file, index = _compiled(self.source, self.v1_bug, self.any_number, self.numbered)
        return {
            "kind": "paraphrases",
            "name": self.name,
            "hash": self.hash,
            "form": file.header.get("form", "index"),
            "entries": len(index),
            "longest_phrase": index.longest,
            "longest_paraphrase": index.longest_paraphrase,
            "left_out": file.header["left_out"],
            "probabilities_above_1": file.header["above_one"],
            "file": str(_located(self.source)[0]),
            "index": str(file.path),
            "index_bytes": len(file.data),
            "whole": file.is_whole(),
        }

    def paraphrases(self, phrase: str) -> list[tuple[str, float]]:
        """Return the paraphrases of a phrase, shorter ones first."""
        return self.index.paraphrases(phrase.split())


def write_index(path: str | Path, entries: Iterable[tuple[str, str, float]], *, name: str | None = None) -> None:
    """Write an index of (phrase, paraphrase, probability), which may be many and come in any order."""
    path = Path(path)
    compiler = _native.PhraseCompiler("tsv")
    digest = sha256()

    def read() -> Iterator[tuple[int, str] | None]:
        rest = iter(entries)
        while batch := list(islice(rest, _BATCH)):
            for phrase, paraphrase, probability in batch:
                digest.update(f"{phrase}\t{paraphrase}\t{probability!r}\n".encode())
            yield compiler.add(*(list(column) for column in zip(*batch, strict=True)))

    def complain(entry: int, reason: str) -> InputError:
        return InputError(f"Entry {entry:,} of the table: {reason}.")

    header = {"name": name or path.name.split(".")[0]}
    try:
        with new_file(path) as file:
            _compile(file, path.parent, compiler, read(), complain, header, lambda: digest.hexdigest()[:12])
    except OSError as error:
        raise unwritable(path, error) from None


def form_of(path: str) -> str:
    """Return which of `FORMS` a file has, by its first lines."""
    beginning = head(path, 100_000).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = [line for line in beginning.split("\n") if line.strip()]
    if not lines:
        raise InputError(f"{path} is empty, but a paraphrase table was expected.")
    first = lines[0].rstrip("\r")
    if "phrase_ref" in first.split("\t"):
        return "tsv"
    if "<p>" in first:
        return "terp"
    if "|||" in first:
        return "ppdb" if first.lstrip().startswith("[") and "=" in first else "moses"
    if _is_number(first):
        return "meteor"
    forms = "; ".join(f"{form}: {line}" for form, line in FORMS.items())
    raise InputError(f"{path}, line 1: {first[:60]!r} is no paraphrase table of a form that is known. Known: {forms}.")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_open_files: dict[tuple[Any, ...], tuple[CacheFile, _native.PhraseIndex]] = {}


def _compiled(source: str, v1_bug: bool, any_number: bool, numbered: bool) -> tuple[CacheFile, _native.PhraseIndex]:
    path, name = _located(source)
    key = (str(path), v1_bug, any_number, numbered, identity(path))
    if key not in _open_files:
        file = _open(path, name, v1_bug, any_number, numbered)
        _open_files[key] = file, _native.PhraseIndex(file.data, HEADER, file.header["counts"])
    return _open_files[key]


def _located(source: str) -> tuple[Path, str]:
    path = Path(source)
    if path.is_file():
        return path, path.name.removesuffix(".gz").rsplit(".", 1)[0] if "." in path.name else path.name
    if path.is_dir():
        raise InputError(f"{source} is a directory, but a paraphrase table was expected.")
    if named := named_phrase_table(source):
        return named, source.replace(":", "-")
    raise missing("paraphrase table", source)


def _open(path: Path, name: str, v1_bug: bool, any_number: bool, numbered: bool) -> CacheFile:
    if is_compiled(path):
        try:
            return opened(path, KIND)
        except Damaged as error:
            raise InputError(f"{error}. Make the index again from its table.") from None

    def build(target: BinaryIO, folder: Path) -> None:
        form = form_of(str(path))
        compiler = _native.PhraseCompiler(form, v1_bug=v1_bug, any_number=any_number, numbered=numbered)

        def complain(line: int, reason: str) -> InputError:
            return InputError(f"{path}, line {line:,}: {reason}.")

        header = {"name": name, "form": form}
        _compile(target, folder, compiler, _read(path, compiler), complain, header, lambda: file_hash([path]))

    return cached(
        KIND, name, [path], f"{v1_bug} {any_number} numbered" if numbered else f"{v1_bug} {any_number}", build
    )


def _read(path: Path, compiler: _native.PhraseCompiler) -> Iterator[tuple[int, str] | None]:
    file = Lines(str(path), warn=lambda _: None)
    while len(lines := file.take(_LINES)):
        yield compiler.read(lines)
    yield compiler.end()


def _compile(
    target: BinaryIO,
    folder: Path,
    compiler: _native.PhraseCompiler,
    reading: Iterator[tuple[int, str] | None],
    complain: Callable[[int, str], InputError],
    header: dict[str, Any],
    hashed: Callable[[], str],
) -> None:
    """Write the index of all that is read, sorting it in pieces that are kept in files meanwhile."""
    with ExitStack() as stack:
        unsorted: list[IO[bytes]] = []
        for complaint in reading:
            if complaint:
                raise complain(*complaint)
            if compiler.held >= _PIECE:
                unsorted.append(_put_away(stack, compiler.take_records(), folder))
        compiler.number_words()
        pieces: list[Any] = [compiler.sorted(compiler.take_records())] if compiler.held else []
        for file in unsorted:
            file.seek(0)
            piece = _put_away(stack, compiler.sorted(file.read()), folder)
            file.close()
            pieces.append(stack.enter_context(mmap.mmap(piece.fileno(), 0, access=mmap.ACCESS_READ)))
        counts = compiler.count(pieces)
        found = {"left_out": compiler.left_out, "above_one": compiler.above_one}
        full = header | {"hash": hashed(), "counts": counts} | found
        write(target, KIND, full, compiler.bytes(counts), lambda out: compiler.write(pieces, counts, out, HEADER))


def _put_away(stack: ExitStack, data: bytes, directory: Path) -> IO[bytes]:
    # On the disk that has room for the index.
    file = stack.enter_context(tempfile.TemporaryFile(dir=directory))  # noqa: SIM115
    file.write(data)
    file.flush()
    return file

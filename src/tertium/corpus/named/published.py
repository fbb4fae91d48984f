"""Test sets as WMT publishes them now: folders of texts that begin with a canary line (WMT24), and JSON lines with a
document each, whose segments are its paragraphs (WMT25, WMT26).

A canary is a line that tells a training corpus from a test set. It is no segment: it is left out on all sides.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.corpus.named.loading import Loaded
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.files.lines import Lines, Warn

_PARAGRAPHS = re.compile(r"\s*</?p>\s*|\s*\n\s*\n\s*")


def is_published(name: str) -> bool:
    """Whether a test set is given by its folder or file rather than by name."""
    path = Path(_file(name)[0])
    return path.is_dir() or (path.is_file() and ".jsonl" in path.suffixes)


def _file(name: str) -> tuple[str, bool]:
    """Split `FILE:documents`, which takes whole documents for segments."""
    path = name.removesuffix(":documents")
    return path, path != name


@dataclass(frozen=True)
class Published:
    """A test set with the outputs that were published beside it."""

    loaded: Loaded
    folder: Path | None  # of the outputs
    counts: Mapping[str, int] | None = None  # JSON lines: how many segments each document has
    canary: bool = False
    whole_documents: bool = False

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return self.loaded.name

    def outputs(self, *, warn: Warn, free: bool = False) -> dict[str, list[str]]:
        """Return the outputs of all systems that took part."""
        if self.folder is None or not self.folder.is_dir():
            raise InputError(f"{self.name} has no outputs beside it: name the files of systems.")
        found = {}
        absent = []
        for path in sorted(path for path in self.folder.iterdir() if path.is_file() and path.name[0] != "."):
            texts = self.output(str(path), warn=warn, free=free, absent=None)
            if texts is None:
                absent.append(path.stem)
            else:
                found[path.stem] = texts
        if absent:
            warn(f"{self.name}: not translated by {', '.join(absent)}.")
        if not found:
            raise InputError(f"{self.folder} holds no output for {self.name}.")
        return found

    def output(self, path: str, *, warn: Warn, free: bool = False, absent: str | None = "") -> list[str] | None:
        """Return the segments of an output; `free` is for those to be cut: a line per document. None if it has none."""
        if self.counts is None:
            return self._lines(path, warn, free=free)
        return self._documents(path, free=free, absent=absent)

    def _lines(self, path: str, warn: Warn, *, free: bool) -> list[str]:
        texts = list(Lines(path, warn=warn))
        if self.canary and len(texts) == len(self.loaded) + 1:
            texts = texts[1:]
        if len(texts) != len(self.loaded) and not free:
            raise InputError(
                f"{path} has {len(texts):,} segments, but {self.name} has {len(self.loaded):,}"
                + (" after its canary line" if self.canary else "")
                + ". Give one segment per line, in the same order."
            )
        return texts

    def _documents(self, path: str, *, free: bool, absent: str | None) -> list[str] | None:
        assert self.counts is not None
        found: dict[str, list[str]] = {}
        for number, record in _records(path):
            document, text = record.get("doc_id"), record.get("hypothesis")
            if not isinstance(document, str) or not isinstance(text, str):
                raise InputError(f"{path}, line {number:,} has no doc_id and hypothesis, as texts.")
            if document in found:
                raise InputError(f"{path}, line {number:,} has the document '{document}' once more.")
            if document in self.counts:
                found[document] = [_flat(text)] if self.whole_documents else paragraphs(text)
        missing = [document for document in self.counts if document not in found]
        if len(missing) == len(self.counts) and absent is None:
            return None
        if missing:
            raise InputError(f"{path} lacks {len(missing):,} documents of {self.name}, first '{missing[0]}'.")
        if free:
            return [" ".join(found[document]) for document in self.counts]
        odd = [document for document, count in self.counts.items() if len(found[document]) != count]
        if odd:
            raise InputError(
                f"{path} has more or fewer paragraphs than the source in {len(odd):,} of {len(self.counts):,} "
                f"documents, first '{odd[0]}': {len(found[odd[0]])}, not {self.counts[odd[0]]}. Cut it to the "
                "reference's paragraphs with ", Argument("resegment", "METHOD"), ", or score whole documents: ",
                Argument("test_set", f"{self.name.rpartition(' ')[0]}:documents"), ".",
            )  # fmt: skip
        return [text for document in self.counts for text in found[document]]


def published(name: str, pair: str | None, *, warn: Warn) -> Published:
    """Read a language pair of a test set that lies in a folder or file."""
    path, whole_documents = _file(name)
    if Path(path).is_file():
        return _of_json(Path(path), pair, warn, whole_documents=whole_documents)
    folder = Path(path)
    for inside in (folder, folder / "txt"):
        if (inside / "sources").is_dir():
            return _of_folder(inside, pair, warn)
    files = sorted([*folder.glob("*genmt.jsonl"), *(folder / "data").glob("*genmt.jsonl")])
    if files:
        return _of_json(files[0], pair, warn, whole_documents=whole_documents)
    raise InputError(
        f"{folder} is no test set: it has neither sources/ and references/ (also in txt/), as WMT24 has them, nor a "
        "file ending in genmt.jsonl, as WMT25 and WMT26."
    )


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a document: between <p> and </p>, or with an empty line between them."""
    return [_flat(part) for part in _PARAGRAPHS.split(text) if part.strip()]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _of_folder(folder: Path, pair: str | None, warn: Warn) -> Published:
    known = sorted(path.stem for path in (folder / "sources").iterdir() if path.suffix == ".txt")
    pair = _chosen(str(folder), pair, known)
    source = list(Lines(str(folder / "sources" / f"{pair}.txt"), warn=warn))
    references = {
        path.name.removeprefix(f"{pair}.").removesuffix(".txt"): list(Lines(str(path), warn=warn))
        for path in sorted((folder / "references").glob(f"{pair}.*.txt"))
    }
    if not references:
        raise InputError(f"{folder / 'references'} holds no reference for {pair}.")
    docs = folder / "documents" / f"{pair}.docs"
    documents = (
        [re.split(r"[\t ]", line, maxsplit=1)[-1] for line in Lines(str(docs), warn=warn)] if docs.is_file() else None
    )
    for name, lines in {**references, **({} if documents is None else {docs.name: documents})}.items():
        if len(lines) != len(source):
            raise InputError(
                f"{folder}: {name} of {pair} has {len(lines):,} lines, but the source has {len(source):,}."
            )
    canary = bool(source) and ("canary" in source[0].lower() or (documents is not None and documents[0] == "canary"))
    first = 1 if canary else 0
    if canary:
        warn(f"{folder}: the first line of {pair} is a canary and no segment; it is left out on all sides.")
    loaded = Loaded(
        name=f"{folder} {pair}",
        source=source[first:],
        references={f"{pair} {name}": lines[first:] for name, lines in references.items()},
        documents=None if documents is None else documents[first:],
        kept=[True] * (len(source) - first),
    )
    if not len(loaded):
        raise InputError(f"{folder} has no segment of {pair}.")
    return Published(loaded, folder / "system-outputs" / pair, canary=canary)


def _chosen(where: str, pair: str | None, known: Sequence[str]) -> str:
    """Return the pair that is meant; `cs-de` is also cs-de_DE, if there is no other."""
    if pair is None:
        raise InputError(
            f"{where} needs a language pair: ", Argument("pair", of="load"), f". It has {', '.join(known)}."
        )
    if pair in known:
        return pair
    source, _, target = pair.partition("-")
    near = [
        one for one in known if one.split("-")[0].split("_")[0] == source and one.split("-")[-1].split("_")[0] == target
    ]
    if len(near) == 1:
        return near[0]
    raise UnknownNameError.of(f"language pair of {where}", pair, near or known or ["none"])


def _of_json(path: Path, pair: str | None, warn: Warn, *, whole_documents: bool) -> Published:
    records = [(number, record) for number, record in _records(str(path))]
    if not records:
        raise InputError(f"{path} is empty, but a test set with a JSON object per document was expected.")
    for number, record in records:
        for field in ("src_lang", "tgt_lang"):
            if not isinstance(record.get(field), str):
                raise InputError(f"{path}, line {number:,} has no text called {field}, which names its language pair.")
    pairs = list(dict.fromkeys(f"{record.get('src_lang')}-{record.get('tgt_lang')}" for _, record in records))
    pair = _chosen(str(path), pair, pairs)
    chosen = [(n, record) for n, record in records if f"{record.get('src_lang')}-{record.get('tgt_lang')}" == pair]
    names = _common_references(chosen)
    source: list[str] = []
    references: dict[str, list[str]] = {name: [] for name in names}
    documents: list[str] = []
    counts: dict[str, int] = {}
    without = 0
    for number, record in chosen:
        document, text, given = record.get("doc_id"), record.get("src_text"), _references(record)
        if not isinstance(document, str) or not isinstance(text, str):
            raise InputError(f"{path}, line {number:,} has no doc_id and src_text, as texts.")
        if document in counts:
            raise InputError(f"{path}, line {number:,} has the document '{document}' once more.")
        if not given:
            without += 1
            continue
        parts = [_flat(text)] if whole_documents else paragraphs(text)
        for name in names:
            sides = [_flat(given[name])] if whole_documents else paragraphs(given[name])
            if len(sides) != len(parts):
                raise InputError(
                    f"{path}, line {number:,}: the reference {name} of '{document}' has {len(sides)} paragraphs, but "
                    f"its source has {len(parts)}. Score whole documents: ",
                    Argument("test_set", f"{path}:documents"), ".",
                )  # fmt: skip
            references[name] += sides
        source += parts
        documents += [document] * len(parts)
        counts[document] = len(parts)
    if without:
        warn(f"{path}: {without:,} of {len(chosen):,} documents of {pair} have no reference, and are left out.")
    if not source:
        raise InputError(f"{path} has no document of {pair} with a reference that all of them have.")
    loaded = Loaded(f"{path} {pair}", source, {f"{pair} {n}": lines for n, lines in references.items()}, documents,
                    [True] * len(source))  # fmt: skip
    return Published(loaded, path.parent / "systems", counts, whole_documents=whole_documents)


def _references(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the references of a document, as WMT25 or WMT26 writes them."""
    given = record.get("refs")
    if not isinstance(given, dict):
        texts = record.get("tgt_text")
        given = (
            {name: text for name, text in texts.items() if name.startswith("ref")} if isinstance(texts, dict) else {}
        )
    found = {}
    for name, text in given.items():
        text = text.get("ref") or text.get("text") if isinstance(text, dict) else text
        if isinstance(text, str) and text.strip():
            found[str(name)] = text
    return found


def _common_references(chosen: Sequence[tuple[int, Mapping[str, Any]]]) -> list[str]:
    """Return the references that all documents have which have any."""
    each = [found for _, record in chosen if (found := _references(record))]
    return [name for name in (each[0] if each else ()) if all(name in found for found in each)]


def _records(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(Lines(path, warn=lambda message: None, crlf_is_usual=True), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number:,} is no JSON ({error}).") from None
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {number:,} is {line[:40]}, but an object was expected on each line.")
        yield number, record

"""Synonyms: which synsets a word belongs to, once its base form is looked up.

    synonyms = Synonyms.open()             # WordNet 3.0, which comes with tertium
    synonyms.related("gave", "yields")     # True: give and yield share a synset

Rules lead from a word to its base forms. "wordnet" is WordNet's own: exceptions and suffixes by part of speech, all
that fit, in any case of letters; "terp" is what TERp's program makes of it. "meteor" is METEOR's: exceptions, else the
first suffix that leads to a known word. "none" takes words as they are, for languages other than English.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from mmap import mmap
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from tertium import _native
from tertium.errors import InputError, UnknownNameError
from tertium.text.lexicon.cache import HEADER, CacheFile, cached, file_hash, write
from tertium.text.lexicon.resources import added_path, meteor_files, missing
from tertium.text.lexicon.synonym_files import POS_STEP, Synsets, meteor_synsets, read_synonyms, synonym_paths
from tertium.text.lexicon.word_tables import GrowingTable, WordResource, split_mark

RULES = ("wordnet", "terp", "meteor", "none")
_KIND = "synonyms"
_NAMES = {"wordnet-3.0": "wordnet", "meteor-en": "meteor:en"}  # as signatures have them

# Suffix, replacement, part of speech; the order is METEOR's.
_NOUN = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)
_VERB = (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""))
_ADJECTIVE = (("er", ""), ("est", ""), ("er", "e"), ("est", "e"))
_SUFFIXES = [(*rule, pos) for pos, rules in ((1, _NOUN), (2, _VERB), (3, _ADJECTIVE)) for rule in rules]


@dataclass(frozen=True)
class Synonyms(WordResource):
    """A source of synonyms with a rule for base forms.

    A kernel gets `table(tokens)`, in which the ids of each word are those of its synsets.
    """

    name: str
    hash: str
    rule: str
    source: str  # what `open` was given
    resources: str | None = None

    @classmethod
    def open(
        cls, source: str | Path = "wordnet", rule: str | None = None, *, resources: str | Path | None = None
    ) -> "Synonyms":
        """Return the synonyms of a file or directory, or of a name: `wordnet`, `meteor:en`, or one that was added.

        The rule for base forms is the one that is usual for the source unless another is given. `resources` says
        where METEOR's files are, if not where they are looked for.
        """
        if rule is not None and rule not in RULES:
            raise UnknownNameError.of("rule for base forms", rule, RULES)
        name, digest = split_mark(str(source))
        name = _NAMES.get(name, name)
        place = None if resources is None else str(resources)
        header = _compiled(name, place, _state(name, place)).header
        if digest and digest != header["hash"]:
            raise InputError(f"The synonyms '{source}' are others than those here, {header['name']}@{header['hash']}.")
        return cls(header["name"], header["hash"], rule or header["rule"], name, place)

    @property
    def mark(self) -> str:
        """What a signature says of the synonyms."""
        return f"{self.name}@{self.hash}"

    def ids(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, ascending."""
        return self._ids(word, self._indexes())

    def _indexes(self) -> tuple[_native.WordIndex, ...]:
        file = _compiled(self.source, self.resources, _state(self.source, self.resources))
        if file.header["hash"] != self.hash:
            raise InputError(f"The synonyms {self.mark} changed since they were opened. Open {self.source} again.")
        return _indexes(file)

    def _ids(self, word: str, indexes: tuple[_native.WordIndex, ...]) -> tuple[int, ...]:
        words, irregular, irregular_any, _ = indexes
        if self.rule == "wordnet":
            return tuple(sorted(_by_wordnet(word.lower(), words, irregular)))
        if self.rule == "terp":
            return tuple(sorted(_by_terp(word.lower(), words, irregular)))
        if self.rule == "meteor":
            # METEOR's ids do not tell the part of speech, so a few synsets share one there, and do here.
            return tuple(sorted({id % POS_STEP for id in _by_meteor(word, words, irregular_any)}))
        return tuple(words.ids(word))

    def concept(self, word: str) -> int | None:
        """Return the one synset that stands for a word: its usual sense, or that of its base form; None if unknown.

        Sharing a synset leads from word to word without end, so it cannot make classes. The usual sense can: WordNet
        tells it by how often it is met in text, other sources by what they list first.
        """
        return self._concept(word, self._indexes())

    def concepts(self, words: Iterable[str]) -> list[int | None]:
        """Return the synsets that stand for some words."""
        indexes = self._indexes()
        return [self._concept(word, indexes) for word in words]

    def _concept(self, word: str, indexes: tuple[_native.WordIndex, ...]) -> int | None:
        words, _, _, usual = indexes
        if self.rule == "wordnet":
            word = word.lower()
        if ids := usual.ids(word):
            return ids[0]
        if self.rule == "none":
            return None
        return next((usual.ids(base)[0] for base, pos in _bases(word) if _of_pos(words.ids(base), pos)), None)

    def related(self, a: str, b: str) -> bool:
        """Tell whether two words share a synset."""
        return not set(self.ids(a)).isdisjoint(self.ids(b))

    def __len__(self) -> int:
        return len(self._indexes()[0])

    def facts(self) -> dict[str, Any]:
        """Return what is known of the synonyms, after checking that their compiled form is whole."""
        file = _compiled(self.source, self.resources, _state(self.source, self.resources))
        located = _located(self.source, self.resources)
        return {
            "kind": "synonyms",
            "name": self.name,
            "hash": self.hash,
            "rule": self.rule,
            "words": file.header["counts"][0][0],
            "senses": file.header["counts"][0][2],
            "irregular_forms": file.header["counts"][1][0],
            "file": ", ".join(str(path) for path in located.paths),
            "index": str(file.path),
            "index_bytes": len(file.data),
            "whole": file.is_whole(),
        }

    def synonyms(self, word: str) -> list[str]:
        """Return all words that share a synset with a word, in order of spelling."""
        ids = set(self.ids(word))
        table = _located(self.source, self.resources).read()[0].ids
        return sorted(other for other, theirs in table.items() if other != word and not ids.isdisjoint(theirs))

    def growing(self) -> GrowingTable:
        """Return the table of these synonyms."""
        return _growing(self)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Put the ids of words into the table."""
        indexes = self._indexes()
        table.add(words, [list(self._ids(word, indexes)) for word in words])


def _state(source: str, resources: str | None) -> tuple[object, ...]:
    """Return what decides which files are read: with another state they are looked for again."""
    if source == "meteor" or source.startswith("meteor:"):
        return meteor_files(resources), os.environ.get("TERTIUM_CACHE")
    try:
        status = os.stat(source)
    except (OSError, ValueError):
        return None, os.environ.get("TERTIUM_CACHE")
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, os.environ.get("TERTIUM_CACHE")


def _bases(word: str) -> Iterator[tuple[str, int]]:
    """Yield what WordNet's suffix rules make of a word, with the part of speech that each rule is for."""
    for suffix, replacement, pos in _SUFFIXES:
        if word.endswith(suffix) and not (pos == 1 and (word.endswith("ss") or len(word) <= 2)):
            yield word[: len(word) - len(suffix)] + replacement, pos
    if word.endswith("ful") and len(word) > 5:  # boxesful: boxful
        for suffix, replacement in _NOUN:
            if word[:-3].endswith(suffix):
                yield word[: len(word) - 3 - len(suffix)] + replacement + "ful", 1


def _of_pos(ids: Iterable[int], pos: int) -> list[int]:
    return [id for id in ids if id // POS_STEP in (0, pos)]


def _by_wordnet(word: str, words: _native.WordIndex, irregular: _native.WordIndex) -> set[int]:
    ids = {*words.ids(word), *irregular.ids(word)}
    for base, pos in _bases(word):
        ids.update(_of_pos(words.ids(base), pos))
    return ids


def _by_terp(word: str, words: _native.WordIndex, irregular: _native.WordIndex) -> set[int]:
    """As TERp's program does it: short words have suffixes too ("is" is a plural of "i"); no adjective ends in -e."""
    ids = {*words.ids(word), *irregular.ids(word)}
    for suffix, replacement, pos in _SUFFIXES:
        if word.endswith(suffix) and not (pos == 3 and replacement):
            base = word[: len(word) - len(suffix)] + replacement
            ids.update(_of_pos(words.ids(base), pos))
    return ids


def _by_meteor(word: str, words: _native.WordIndex, irregular: _native.WordIndex) -> set[int]:
    own = set(words.ids(word))
    if word in irregular:
        return own | set(irregular.ids(word))
    if len(word) <= 2 or word.endswith("ss"):
        return own
    for suffix, replacement, _ in _SUFFIXES:
        if word.endswith(suffix):
            base = word[: len(word) - len(suffix)] + replacement
            if base in words:
                return own | set(words.ids(base))
    return own


def bundled_wordnet() -> Path:
    """Return the table of WordNet 3.0 that comes with tertium."""
    return Path(str(files("tertium") / "data" / "wordnet" / "wordnet-3.0.gz"))


@dataclass(frozen=True)
class _Located:
    """A source of synonyms before it is read: its name and files, how to read and to hash it."""

    name: str
    paths: tuple[Path, ...]
    read: Callable[[], tuple[Synsets, str]]  # and the usual rule
    hashed: Callable[[], str]


def _located(source: str, resources: str | None) -> _Located:
    if source == "meteor" or source.startswith("meteor:"):
        return _meteor(source, resources)
    name, path = source, Path(source)
    if source == "wordnet":
        name, path = "wordnet-3.0", bundled_wordnet()
    elif path.exists():
        name = path.name.split(".")[0]
    elif (named := added_path("synonyms", source)) is not None:
        path = named
    else:
        raise missing("synonyms", source)
    paths = synonym_paths(path)
    return _Located(name, paths, lambda: read_synonyms(path), lambda: file_hash(paths))


def _meteor(source: str, resources: str | None) -> _Located:
    found = meteor_files(resources)
    language = source.removeprefix("meteor").removeprefix(":") or "en"
    words = found.read("synsets", language) if found else None
    if found is None or words is None:
        raise missing("synonyms", f"meteor:{language}")
    texts = words, found.read("exceptions", language) or b""

    def read() -> tuple[Synsets, str]:
        lines = [enumerate(text.decode().split("\n"), 1) for text in texts]
        return meteor_synsets((f"{found.name} (synsets)", lines[0]), (f"{found.name} (exceptions)", lines[1])), "meteor"

    paths = found.places("synsets", language) + found.places("exceptions", language)
    return _Located(f"meteor-{language}", paths, read, lambda: sha256(b"".join(texts)).hexdigest()[:12])


@lru_cache(maxsize=64)
def _growing(synonyms: Synonyms) -> GrowingTable:
    return GrowingTable()


@lru_cache(maxsize=64)
def _compiled(source: str, resources: str | None, state: tuple[object, ...]) -> CacheFile:
    located = _located(source, resources)

    def build(target: BinaryIO, folder: Path) -> None:
        synsets, rule = located.read()
        tables = [_packed(synsets.ids), _packed(synsets.irregular()), _packed(synsets.irregular(any_pos=True))]
        tables.append(_packed(synsets.usual()))
        counts = [[len(column) for column in table] for table in tables]
        data = b"".join(_padded(column.tobytes()) for table in tables for column in table)

        def fill(out: mmap) -> None:
            out[HEADER:] = data

        header = {"name": located.name, "hash": located.hashed(), "rule": rule, "counts": counts}
        write(target, _KIND, header, len(data), fill)

    return cached(_KIND, located.name, located.paths, source, build)


_Columns = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]


def _packed(ids: dict[str, list[int]]) -> _Columns:
    """Return token keys, ascending; where the ids of each end; the ids, ascending and once each."""
    keys = np.empty(len(ids), np.uint64)
    _native.word_keys(list(ids), keys)
    order = np.argsort(keys, kind="stable")
    place = np.empty(len(ids), np.int64)
    place[order] = np.arange(len(ids))
    flat = np.fromiter(chain.from_iterable(ids.values()), np.uint32)
    owner = np.repeat(place, np.fromiter(map(len, ids.values()), np.int64, len(ids)))
    both = np.unique(owner.astype(np.uint64) << np.uint64(32) | flat)
    ends = np.searchsorted(both >> np.uint64(32), np.arange(len(ids), dtype=np.uint64), side="right")
    return keys[order], ends.astype(np.uint32), both.astype(np.uint32)


def _padded(data: bytes) -> bytes:
    """Fill up to a multiple of eight bytes, where the next column may begin."""
    return data + bytes(-len(data) % 8)


_open_indexes: dict[Path, tuple[_native.WordIndex, ...]] = {}


def _indexes(file: CacheFile) -> tuple[_native.WordIndex, ...]:
    if file.path in _open_indexes:
        return _open_indexes[file.path]
    indexes, at = [], HEADER
    for counts in file.header["counts"]:
        columns = []
        for count, kind in zip(counts, (np.uint64, np.uint32, np.uint32), strict=True):
            columns.append(np.frombuffer(file.data, kind, count, at))
            at += -(-columns[-1].nbytes // 8) * 8
        indexes.append(_native.WordIndex(*columns))
    _open_indexes[file.path] = tuple(indexes)
    return _open_indexes[file.path]

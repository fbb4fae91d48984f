"""Function words: articles, prepositions, pronouns and the like, which METEOR weighs less than content words."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from tertium import _native
from tertium.errors import InputError
from tertium.files.reading import whole
from tertium.text.languages import language_code
from tertium.text.lexicon.resources import meteor_files
from tertium.text.lexicon.word_tables import GrowingTable, WordResource

OWN = ("cs", "de", "en", "es", "fr", "hi", "ru")  # the languages for which tertium has a list of its own


@dataclass(frozen=True)
class FunctionWords(WordResource):
    """A list of function words; words are compared in lower case.

    A kernel gets `table(tokens)`, in which function words have the id 1 and others none.
    """

    name: str
    hash: str
    words: frozenset[str] = field(repr=False, compare=False)

    @classmethod
    def open(
        cls, language: str, path: str | Path | None = None, *, resources: str | Path | None = None
    ) -> "FunctionWords":
        """Return the list of a file; else METEOR's for the language, where it is found; else tertium's own.

        A file has one word per line. A language that has no list has an empty one, which the name says.
        """
        if path is not None:
            return _listed(Path(path).name.split(".")[0], whole(str(path)), str(path))
        code = language_code(language)
        found = meteor_files(resources)
        if found and (text := found.read("function", code)) is not None:
            return _listed(f"meteor-{code}", text, found.name)
        if code not in OWN:
            return cls("none", sha256(b"").hexdigest()[:12], frozenset())
        own = files("tertium") / "data" / "function_words" / f"{code}.txt"
        return _listed(f"tertium-{code}", own.read_bytes(), str(own))

    @classmethod
    def of(cls, name: str, words: Iterable[str]) -> "FunctionWords":
        """Return a list of given words."""
        listed = frozenset(_native.lower(word) for word in words)
        return cls(name, sha256("\n".join(sorted(listed)).encode()).hexdigest()[:12], listed)

    @property
    def mark(self) -> str:
        """What a signature says of the list."""
        return f"{self.name}@{self.hash}"

    def __contains__(self, word: str) -> bool:
        return _native.lower(word) in self.words

    def __len__(self) -> int:
        return len(self.words)

    def growing(self) -> GrowingTable:
        """Return the table of this list."""
        return _growing(self)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Mark the function words among these."""
        table.add(words, [[1] if word in self else [] for word in words])


def _listed(name: str, text: bytes, where: str) -> FunctionWords:
    try:
        lines = text.removeprefix(b"\xef\xbb\xbf").decode().split("\n")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"{where}, line {line:,}: a byte is not UTF-8. Give one word per line, in UTF-8.") from None
    words = [line.strip() for line in lines]
    for number, word in enumerate(words, 1):
        if len(word.split()) > 1:
            raise InputError(f"{where}, line {number:,}: {word[:60]!r} is more than one word. Give one per line.")
    return FunctionWords.of(name, filter(None, words))


@lru_cache(maxsize=64)
def _growing(words: FunctionWords) -> GrowingTable:
    return GrowingTable()

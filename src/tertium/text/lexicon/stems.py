"""Stems: what is left of a word once its inflection is cut off, by Snowball's algorithms."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from tertium import _native
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.text.languages import language_name
from tertium.text.lexicon.porter import porter_stem
from tertium.text.lexicon.word_tables import GrowingTable, WordResource, split_mark

REVISED = "porter-revised"


@dataclass(frozen=True)
class Stems(WordResource):
    """The stemmer of a language, by code (`en`), by name (`english`) or by algorithm (`porter`).

    A kernel gets `table(tokens)`, in which the id of each word is the token key of its stem.
    """

    language: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", stemmer_name(self.language))

    @classmethod
    def open(cls, language: str) -> "Stems":
        """Return the stemmer of a language, or of what a signature says: `english@HASH`, if it is the same version."""
        name, digest = split_mark(language)
        stems = cls(name)
        if digest and digest != stems.hash:
            raise InputError(
                f"The stemmer '{language}' is of another version: here it is {stems.mark}. Install the version of "
                "PyStemmer that the signature was made with, or name the language alone."
            )
        return stems

    @property
    def name(self) -> str:
        """Snowball's name of the algorithm."""
        return self.language

    @property
    def hash(self) -> str:
        """Which version of the algorithm this is."""
        return _version(self.language)

    @property
    def mark(self) -> str:
        """The stemmer and its version."""
        return f"{self.name}@{self.hash}"

    def stem(self, word: str) -> str:
        """Return the stem of one word."""
        return stem_words(self.language, [word])[0]

    def growing(self) -> GrowingTable:
        """Return the table of this stemmer."""
        return _growing(self.language)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Put the keys of stems into the table."""
        table.add_words(words, self.stems(words))

    def stems(self, words: Sequence[str]) -> list[str]:
        """Return the stems of some words."""
        return stem_words(self.language, words)


def stemmer_name(language: object) -> str:
    """Return Snowball's name of the algorithm for a language."""
    known = stemmer_names()
    if isinstance(language, str) and language.strip().lower() in known:
        return language.strip().lower()
    if not isinstance(language, str):
        raise InputError(f"A stemmer is named by its language, such as 'en', not {language!r}.")
    try:
        name = language_name(language)
    except UnknownNameError:
        raise UnknownNameError.of("stemmer", language, known) from None
    if name not in known:
        raise UnknownNameError.of("stemmer", language, known)
    return name


def stemmer_names() -> tuple[str, ...]:
    """Return the names of all algorithms."""
    return (*sorted(_package().algorithms()), REVISED)


def stem_words(language: str, words: Sequence[str]) -> list[str]:
    """Return the stems of some words, which are taken as they are: lower-case them first, as stemmers expect."""
    name = stemmer_name(language)
    if name == REVISED:
        return [porter_stem(word) for word in words]
    # Words come once each, so the package's own cache would only cost; and no two threads share a stemmer.
    stemmer = _package().Stemmer(name, 0)
    return list(stemmer.stemWords(list(words)))


def _package() -> Any:
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError("Stems need a package: pip install PyStemmer.") from None
    return Stemmer


@cache
def _growing(name: str) -> GrowingTable:
    return GrowingTable()


@cache
def _version(name: str) -> str:
    version = 2 if name == REVISED else _package().version()
    return sha256(f"{name} {version}".encode()).hexdigest()[:12]

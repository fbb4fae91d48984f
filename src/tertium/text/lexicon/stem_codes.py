"""Stems by the hash codes that METEOR 1.5 compares instead of them."""

from dataclasses import dataclass
from functools import cache

from tertium import _native
from tertium.text.lexicon.snowball_2014 import Snowball2014
from tertium.text.lexicon.stems import Stems
from tertium.text.lexicon.word_tables import GrowingTable, WordResource


@dataclass(frozen=True)
class StemCodes(WordResource):
    """A stemmer of whose stems kernels see Java's hash codes: two stems may have the same."""

    stemmer: Stems | Snowball2014

    @property
    def mark(self) -> str:
        """The stemmer's."""
        return self.stemmer.mark

    def growing(self) -> GrowingTable:
        """Return the table of the stemmer's codes."""
        return _growing(self)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Put the hash codes of stems into the table."""
        table.add_hash_codes(words, self.stemmer.stems(words))


@cache
def _growing(stems: StemCodes) -> GrowingTable:
    return GrowingTable()

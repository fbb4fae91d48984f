"""Which words TERp takes for numbers, where all numbers are to match."""

from dataclasses import dataclass
from functools import lru_cache

from tertium import _native
from tertium.text.lexicon.word_tables import GrowingTable, WordResource


@dataclass(frozen=True)
class Numbers(WordResource):
    """Which words are numbers: digits, with marks between them, and number words."""

    @property
    def mark(self) -> str:
        """The rule is part of tertium, so it has no hash."""
        return "numbers"

    def growing(self) -> GrowingTable:
        """Return the one table of numbers."""
        return _numbers()

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Mark the numbers among these."""
        table.add(words, [[1] if _native.digits_of(word) else [] for word in words])


@lru_cache(maxsize=1)
def _numbers() -> GrowingTable:
    return GrowingTable()

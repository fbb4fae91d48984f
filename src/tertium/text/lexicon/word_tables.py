"""What resources on single words have in common: what they know goes to the kernels as a table of token keys."""

import re
from abc import ABC, abstractmethod
from threading import Lock

from tertium import _native

MOST_WORDS = 1 << 19  # of a table that is added to


def split_mark(text: str) -> tuple[str, str | None]:
    """Take `name@hash`, as signatures have it, apart; a text without a hash is a name."""
    mark = re.fullmatch(r"(.+)@([0-9a-f]{12})", text) if isinstance(text, str) else None
    return (mark[1], mark[2]) if mark else (text, None)


class GrowingTable:
    """A table that kernels read, and the lock under which words are added to it."""

    def __init__(self) -> None:
        self.table = _native.KeyTable()
        self.lock = Lock()


class WordResource(ABC):
    """Knows something of single words: a stem, synsets, whether it is a function word."""

    @property
    @abstractmethod
    def mark(self) -> str:
        """What a signature says of the resource: its name, and a hash of what it holds."""

    @abstractmethod
    def growing(self) -> GrowingTable:
        """Return the one table of all objects that are equal to this."""

    @abstractmethod
    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Look words up and put them into the table."""

    def table(self, *tokens: _native.TokenTexts, threads: int = 1) -> _native.KeyTable:
        """Return a table that knows all words of these texts, whose source must know how they are spelt.

        The table is shared and grows from call to call: each word is looked up once, until there are so many that a
        service would hold words nobody asks for any more. Then the next call begins a new one.
        """
        growing = self.growing()
        with growing.lock:
            if len(growing.table) > MOST_WORDS:
                growing.table = _native.KeyTable()
            table = growing.table
        for texts in tokens:
            words = texts.unknown_words(table, threads)
            if words:
                with growing.lock:
                    self.add(table, words)
        return table

"""Where phrase pairs come from: a bitext with word alignments, or a phrase table."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tertium import _native
from tertium.errors import Argument, InputError, Message
from tertium.files.lines import Lines, Warn

_BLOCK = 1 << 13  # lines at a time

# As native/paraphrase/pivot.hpp numbers them.
_LINKS, _TEXT_POSITION, _PIVOT_POSITION, _EMPTY_TEXT, _EMPTY_PIVOT, _FIELDS, _NUMBER, _PROBABILITY = range(8)
_Fault = tuple[int, int, int, int]

Done = Callable[[int], None]


class Source(ABC):
    """One bitext or phrase table, with the weight it has beside others."""

    weight: float

    @property
    @abstractmethod
    def files(self) -> tuple[str, ...]:
        """The files it is read from."""

    def identity(self) -> dict[str, Any]:
        """Return what tells whether files or settings have changed since an earlier run."""
        stats = [Path(path).stat() for path in self.files]
        marks = [[path, stat.st_size, stat.st_mtime_ns] for path, stat in zip(self.files, stats, strict=True)]
        return {"kind": type(self).__name__, **vars(self), "weight": None, "files": marks}


class PairSource(Source):
    """A source that phrase pairs can be read from as it is."""

    counted: ClassVar[bool]  # whether pairs are counted here, rather than given with probabilities

    @abstractmethod
    def fill(self, pairs: _native.PivotSource, *, warn: Warn, done: Done) -> None:
        """Add all phrase pairs; say how many lines are done from time to time."""


@dataclass(frozen=True)
class AlignedBitext(PairSource):
    """Sentences of the language that gets paraphrases, their translations, and which words are linked (Pharaoh's i-j).

    In a link the word of `text` comes first, unless `inverse`. Words are what stands between blanks.
    """

    counted = True  # probabilities are relative frequencies

    text: str
    pivot: str
    links: str
    weight: float = 1.0
    inverse: bool = False
    skip_empty: bool = False
    lowercase: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """Text, pivot, links."""
        return self.text, self.pivot, self.links

    def fill(self, pairs: _native.PivotSource, *, warn: Warn, done: Done) -> None:
        """Add the phrase pairs of every sentence pair."""
        files = [Lines(path, warn=warn) for path in self.files]
        while True:
            before = files[0].taken
            blocks = [file.take(_BLOCK) for file in files]
            if len({len(block) for block in blocks}) > 1:
                raise InputError(_unequal(files))
            if not len(blocks[0]):
                return
            texts, pivots, links = blocks
            if self.lowercase:
                texts, pivots = _lowered(texts), _lowered(pivots)
            fault = pairs.add_sentences(texts, pivots, links, self.inverse, self.skip_empty)
            if fault is not None:
                raise InputError(self._complaint(fault, before, links))
            done(files[0].taken)

    def _complaint(self, fault: _Fault, before: int, links: _native.Texts) -> Message:
        what, line, found, known = fault
        number = f"{before + line + 1:,}"
        if what in (_EMPTY_TEXT, _EMPTY_PIVOT):
            empty, other = (self.text, self.pivot) if what == _EMPTY_TEXT else (self.pivot, self.text)
            return Message(
                f"{empty}, line {number} is empty, but the same line of {other} is not. Leave such lines out of "
                "all three files, or pass over them with ",
                Argument("skip_empty", True),
                ".",
            )
        if what == _LINKS:
            return Message(
                f"{self.links}, line {number} holds {links[line][0][:60]!r}, but links look like 0-0 1-2 3-1: "
                "positions from 0 of a word and its translation."
            )
        side, path = ("text", self.text) if what == _TEXT_POSITION else ("pivot", self.pivot)
        order = "the first" if (side == "text") != self.inverse else "the second"
        return Message(
            f"{self.links}, line {number} links word {found} of {path}, which has only {known:,} words there (0 to "
            f"{known - 1}). Positions of the {side} are {order} of each link; ",
            Argument("inverse", True),
            " swaps them.",
        )


@dataclass(frozen=True)
class PivotTable(PairSource):
    """A phrase table in Moses' layout: source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ..."""

    counted = False

    path: str
    weight: float = 1.0
    side: str = "target"  # the one that gets paraphrases

    @property
    def files(self) -> tuple[str, ...]:
        """The table."""
        return (self.path,)

    def fill(self, pairs: _native.PivotSource, *, warn: Warn, done: Done) -> None:
        """Add every line."""
        file = Lines(self.path, warn=warn)
        while len(lines := file.take(_BLOCK)):
            fault = pairs.add_table(lines, self.side == "source")
            if fault is not None:
                line = fault[1]
                raise InputError(self._complaint(fault, file.taken - len(lines) + line + 1, lines[line][0]))
            done(file.taken)

    def _complaint(self, fault: _Fault, line: int, text: str) -> str:
        what, _, found, _ = fault
        shape = "source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s)"
        place = f"{self.path}, line {line:,}"
        if what in (_EMPTY_TEXT, _EMPTY_PIVOT):
            return f"{place} has an empty phrase: {text[:60]!r}. Expected: {shape}."
        if what == _NUMBER:
            return f"{place}: the {found}. score is no number: {text[:80]!r}. Expected: {shape}."
        if what == _PROBABILITY:
            return f"{place}: the {found}. score is no probability above 0 and up to 1: {text[:80]!r}."
        return f"{place} is no line of a phrase table: {text[:60]!r}. Expected: {shape}."


def _lowered(texts: _native.Texts) -> _native.Texts:
    return _native.flat_texts([_native.lower(texts[i][0]) for i in range(len(texts))], "lines")


def _unequal(files: list[Lines]) -> str:
    counts = [(file.name, file.taken + sum(1 for _ in file)) for file in files]
    told = ", ".join(f"{name} has {count:,}" for name, count in counts)
    return f"The files of a bitext must have the same number of lines, but {told}. Were lines lost or cut off?"

"""Which paraphrases are worth keeping, and what must be known of words to tell."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium import _native
from tertium.errors import InputError

# In the order in which they are asked: a pair counts for the first that leaves it out.
NAMES = ("floor", "same", "punctuation", "numbers", "function_words", "stems", "top")


@dataclass(frozen=True)
class Filters:
    """Which pairs to leave out. A language switches on what needs to know the language."""

    floor: float = 1e-4  # less probable
    same: bool = True  # equal but for case
    punctuation: bool = True  # equal but for punctuation, or one side has nothing else
    numbers: bool = False  # equal but for numbers, or one side has nothing else
    function_words: str | None = None  # one side has nothing else
    stems: str | None = None  # equal once stemmed
    top: int | None = None  # beyond the N most probable of a phrase

    def __post_init__(self) -> None:
        if not 0 <= self.floor <= 1:
            raise InputError(f"The probability floor must be between 0 and 1, not {self.floor!r}.")
        if self.top is not None and self.top < 1:
            raise InputError(f"The number of paraphrases per phrase must be at least 1, not {self.top!r}.")

    def native(self) -> _native.PivotFilters:
        """Return them as the kernel takes them."""
        return _native.PivotFilters(
            same=self.same, punctuation=self.punctuation, numbers=self.numbers,
            function_words=self.function_words is not None, stems=self.stems is not None,
            floor=self.floor, top=self.top or 0,
        )  # fmt: skip

    def forms(self, words: Sequence[str]) -> _native.WordForms:
        """Return what the filters need to know of each word."""
        lowered = [word.lower() for word in words]
        bare = [_bare(word) for word in lowered]
        stems: Sequence[str] = lowered
        if self.stems is not None:
            from tertium.text.lexicon import stem_words

            stems = stem_words(self.stems, lowered)
        function_words: frozenset[str] = frozenset()
        if self.function_words is not None:
            from tertium.text.lexicon import FunctionWords

            function_words = FunctionWords.open(self.function_words).words
        return _native.WordForms(
            lowered=_numbered(lowered), bare=_numbered(bare), stem=_numbered(stems),
            is_number=_flags(is_number(word) for word in words),
            is_function_word=_flags(word in function_words for word in lowered),
        )  # fmt: skip


def is_number(word: str) -> bool:
    """Tell whether a word has digits and no letters."""
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


def _bare(word: str) -> str:
    if word.isalnum():
        return word
    return "".join(character for character in word if unicodedata.category(character)[0] not in "PS")


def _numbered(forms: Iterable[str]) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
    """Number the forms from 1 (0: nothing); index 0 is no word."""
    numbers = {"": 0}
    return np.array([0, *(numbers.setdefault(form, len(numbers)) for form in forms)], np.uint32)


def _flags(values: Iterable[bool]) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    return np.array([False, *values], np.uint8)

"""What WER, PER and CDER share: settings, what a substitution costs, which of several references counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.corpus.segments import TokenSegments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Operation
from tertium.metrics.base import Floats
from tertium.metrics.settings import setting
from tertium.metrics.words import (
    Tokenize,
    WordMetric,
    lowercase_setting,
    stem_setting,
    synonyms_setting,
    tokenize_setting,
    unicode_setting,
)
from tertium.text import Tokenizer

SUBSTITUTIONS = ("exact", "levenshtein", "gld", "prefix", "stem", "synonym")
SubstitutionCost = Callable[[str, str], float]

_Steps = tuple[int, list[tuple[str, int, int, int, int, float]]]


def _checked_substitution(where: str, value: object) -> object:
    if value not in SUBSTITUTIONS and not callable(value):
        raise UnknownNameError.of(f"value of {where}", value, SUBSTITUTIONS)
    return value


@dataclass(frozen=True, kw_only=True)
class WordErrorMetric(WordMetric):
    """An error rate on words: edits divided by the reference's length."""

    higher_is_better = False
    perfect = 0.0
    range = "0 and up; above 100 if there are more edits than reference words"

    tokenize: Tokenize = tokenize_setting()
    lowercase: bool = lowercase_setting()
    substitution: str | SubstitutionCost = setting(
        "exact",
        "what it costs to take one word for another: 1, less the more letters they share, or 0 for words of one stem "
        "or synset",
        choices=SUBSTITUTIONS,
        check=_checked_substitution,
    )
    references: str = setting(
        "best",
        "of several: the one with the lowest rate, or the fewest edits over the average length",
        choices=("best", "min-avg"),
    )
    unicode: str = unicode_setting()
    stem: str | None = stem_setting()
    synonyms: str | None = synonyms_setting()

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Say by what words are alike where a substitution asks it; the words themselves then stay as they are."""
        given = super().resolved(given)
        substitution = given["substitution"]
        if substitution == "stem" and given["stem"] is None:
            return given | {"stem": "english"}
        if substitution == "synonym" and given["synonyms"] is None:
            return given | {"synonyms": "wordnet"}
        if given["synonyms"] is not None and substitution in ("levenshtein", "gld", "prefix"):
            raise InputError(
                f"substitution='{substitution}' compares the letters of words, but synonyms= puts concepts in "
                "their place. Choose one of the two, or substitution='synonym'."
            )
        return given

    @property
    def is_exact(self) -> bool:
        """Whether words are equal or not, with nothing in between."""
        return bool(self.substitution == "exact")

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What splits the texts, into words or into what stands for them."""
        stem = None if self.substitution == "stem" else self.stem
        synonyms = None if self.substitution == "synonym" else self.synonyms
        return self._giving(stem, synonyms)

    def tokens_of(self, segments: Segments) -> _native.TokenTexts:
        """Return the tokens, with their spelling if costs depend on it."""
        tokenizer = self.tokenizer
        if self.is_exact or tokenizer is None or isinstance(segments, TokenSegments):
            return segments.tokens(tokenizer)
        return tokenizer.spelt(segments.texts)

    def cost_arguments(self, *tokens: _native.TokenTexts) -> dict[str, Any]:
        """Return how the core is told about costs; it must know all words of these texts."""
        if self.substitution == "stem":
            from tertium.text.lexicon.stems import Stems

            return {"substitution": "shared", "function": Stems(str(self.stem)).table(*tokens)}
        if self.substitution == "synonym":
            from tertium.text.lexicon.synonyms import Synonyms

            return {"substitution": "shared", "function": Synonyms.open(str(self.synonyms)).table(*tokens)}
        if isinstance(self.substitution, str):
            return {"substitution": self.substitution, "function": None}
        return {"substitution": "custom", "function": self.substitution}

    def threads_for(self, threads: int) -> int:
        """Return 1 if a function of the user's is called, since Python runs one thread at a time anyway."""
        return threads if isinstance(self.substitution, str) else 1

    def aligned(
        self,
        hypothesis: Any,
        references: Sequence[Any],
        find: Callable[[_native.TokenTexts, _native.TokenTexts], _Steps],
    ) -> Alignment:
        """Return what `find`, an aligner of the core, makes of one segment."""
        ours, theirs = self.segments([hypothesis], [list(references)])
        index, steps = find(self.tokens_of(ours), self.tokens_of(theirs))
        return Alignment(
            metric=self.name,
            hypothesis=self._words(hypothesis),
            reference=self._words(references[index]),
            reference_index=index,
            score=float(self.score(self.rows(ours, theirs, threads=1)[0])),
            operations=tuple(Operation(*step) for step in steps),
        )

    def _words(self, text: Any) -> tuple[str, ...]:
        return tuple(text) if self.tokenizer is None else tuple(self.tokenizer(text))


def error_rate(edits: Floats, length: Floats) -> Floats:
    """Return edits per length in percent; with nothing to divide by, any edit at all is a full error."""
    there = length > 0
    return 100.0 * np.where(there, edits / np.where(there, length, 1.0), edits > 0)

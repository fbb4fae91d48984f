"""What WER, PER and CDER share: settings, what a substitution costs, which of several references counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.corpus.segments import TokenSegments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Operation
from tertium.metrics.base import TEXT_MEANINGS, Floats, WordMetric, canonical

SUBSTITUTIONS = ("exact", "levenshtein", "gld", "prefix", "stem", "synonym")
SubstitutionCost = Callable[[str, str], float]

_Steps = tuple[int, list[tuple[str, int, int, int, int, float]]]


@dataclass(frozen=True, kw_only=True)
class WordErrorMetric(WordMetric):
    """An error rate on words: edits divided by the reference's length."""

    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0
    range: ClassVar[str] = "0 and up; above 100 if there are more edits than reference words"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "substitution": SUBSTITUTIONS,
        "references": ("best", "min-avg"),
    }
    meanings: ClassVar[dict[str, str]] = {
        "tokenize": "how text is split into tokens",
        "lowercase": "fold case first",
        "substitution": "what it costs to take one word for another: 1, less the more letters they share, or 0 for "
        "words of one stem or synset",
        "references": "of several: the one with the lowest rate, or the fewest edits over the average length",
        **TEXT_MEANINGS,
    }

    tokenize: str | Callable[[str], list[str]] = "13a"
    lowercase: bool = False
    substitution: str | SubstitutionCost = "exact"
    references: str = "best"
    unicode: str = "none"
    stem: str | None = None
    synonyms: str | None = None

    def __post_init__(self) -> None:
        self.check_choices()
        # With these, stem and synonyms say by what words are told to be alike; the words stay as they are.
        if self.substitution == "stem" and self.stem in (None, "none"):
            object.__setattr__(self, "stem", "english")
        if self.substitution == "synonym" and self.synonyms in (None, "none"):
            object.__setattr__(self, "synonyms", "wordnet")
        self.check_text_settings()
        if self.synonyms is not None and self.substitution in ("levenshtein", "gld", "prefix"):
            raise InputError(
                f"substitution='{self.substitution}' compares the letters of words, but synonyms= puts concepts in "
                "their place. Choose one of the two, or substitution='synonym'."
            )

    def check_choices(self) -> None:
        """Refuse a value that a setting does not have; a substitution may be a function."""
        for setting, known in self.choices.items():
            value = getattr(self, setting)
            if value not in known and not (setting == "substitution" and callable(value)):
                raise UnknownNameError.of(f"value of {self.name}'s {setting}", value, known)

    @property
    def is_exact(self) -> bool:
        """Whether words are equal or not, with nothing in between."""
        return bool(self.substitution == "exact")

    @property
    def tokenizer(self) -> Any:
        """What splits the texts, into words or into what stands for them."""
        stem = None if self.substitution == "stem" else self.stem
        synonyms = None if self.substitution == "synonym" else self.synonyms
        return canonical(self.word_tokenizer, stem, synonyms)

    def tokens_of(self, segments: Segments | TokenSegments) -> _native.TokenTexts:
        """Return the tokens, with their spelling if costs depend on it."""
        tokenizer = self.tokenizer
        if self.is_exact or isinstance(segments, TokenSegments):
            return segments.tokens(tokenizer)
        assert tokenizer is not None  # only lists of tokens need none
        spelt = getattr(tokenizer, "spelt", tokenizer.tokens)
        return cast(_native.TokenTexts, spelt(segments.texts))

    def cost_arguments(self, *tokens: _native.TokenTexts) -> tuple[str, Any]:
        """Return how the core is told about costs; it must know all words of these texts."""
        if self.substitution == "stem":
            from tertium.text.lexicon.stems import Stems

            return "shared", Stems(str(self.stem)).table(*tokens)
        if self.substitution == "synonym":
            from tertium.text.lexicon.synonyms import Synonyms

            return "shared", Synonyms.open(str(self.synonyms)).table(*tokens)
        if isinstance(self.substitution, str):
            return self.substitution, None
        return "custom", self.substitution

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
        return tuple(text) if self.word_tokenizer is None else tuple(self.word_tokenizer(text))


def error_rate(edits: Floats, length: Floats) -> Floats:
    """Return edits per length in percent; with nothing to divide by, any edit at all is a full error."""
    there = length > 0
    return 100.0 * np.where(there, edits / np.where(there, length, 1.0), edits > 0)

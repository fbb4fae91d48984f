"""Text as METEOR splits it: its normalizer for six languages, our own for all others."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tertium import _native
from tertium.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from tertium.text.lexicon.abbreviations import Abbreviations

STYLES = ("norm", "lower", "none")
_APOSTROPHES = {"en": "english", "fr": "french"}


@dataclass(frozen=True)
class MeteorTokenizer(Tokenizer):
    """Splits texts as METEOR does with -norm or -lower, or as they stand."""

    style: str
    language: str
    own: bool  # whether the language is none of those that METEOR's normalizer knows
    punctuation: bool
    unicode: str
    abbreviations: "Abbreviations"

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        return list(_rule(self).split(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the words of many texts as the kernel takes them."""
        return _rule(self).tokens(texts)


@lru_cache(maxsize=64)
def _rule(tokenizer: MeteorTokenizer) -> _native.MeteorText:
    return _native.MeteorText(
        style=tokenizer.style,
        any_alphabet=tokenizer.own,
        apostrophe=_APOSTROPHES.get(tokenizer.language, "alone"),
        punctuation=tokenizer.punctuation,
        unicode=tokenizer.unicode,
        prefixes=tokenizer.abbreviations.always,
        number_prefixes=tokenizer.abbreviations.before_numbers,
    )

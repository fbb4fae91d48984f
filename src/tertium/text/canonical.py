"""Canonical forms: before words are compared, each is replaced by its stem, or by the concept it usually stands for.

A metric with `stem=` or `synonyms=` splits texts with `Canonical`, which hands tokens to the kernels in that form; no
kernel knows of it. With both settings, a word that has a concept stands for it, and any other for its stem.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tertium import _native
from tertium.text.lexicon.stems import Stems, stem_words
from tertium.text.lexicon.synonyms import Synonyms
from tertium.text.lexicon.word_tables import GrowingTable, WordResource
from tertium.text.tokenizers import Tokenizer


@dataclass(frozen=True)
class Forms(WordResource):
    """What stands for a word: its concept, its stem, or itself."""

    stems: Stems | None
    synonyms: Synonyms | None

    @property
    def mark(self) -> str:
        """The marks of both."""
        return "+".join(part.mark for part in (self.stems, self.synonyms) if part)

    def forms(self, words: Sequence[str]) -> list[str]:
        """Return the form of each word. A concept is written so that no word is like it."""
        forms = stem_words(self.stems.name, words) if self.stems else list(words)
        if self.synonyms:
            for k, concept in enumerate(self.synonyms.concepts(words)):
                if concept is not None:
                    forms[k] = f"\0{concept}"
        return forms

    def growing(self) -> GrowingTable:
        """Return the table of these forms."""
        return _growing(self)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Put the keys of forms into the table."""
        table.add_words(words, self.forms(words))


@lru_cache(maxsize=64)
def _growing(forms: Forms) -> GrowingTable:
    return GrowingTable()


@dataclass(frozen=True)
class Canonical(Tokenizer):
    """A tokenizer whose tokens reach the kernels in canonical form; called on a text it shows them as they stand."""

    tokenizer: Tokenizer | None  # None for texts that come as lists of tokens
    forms: Forms

    def __call__(self, text: str | Sequence[str]) -> list[str]:
        """Return the tokens of one text, as they stand in it."""
        return list(text) if self.tokenizer is None or not isinstance(text, str) else self.tokenizer(text)

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the tokens of many texts as the kernels take them."""
        assert self.tokenizer is not None  # lists of tokens are no texts
        return self.canonical(self.tokenizer.tokens(texts))

    def canonical(self, tokens: _native.TokenTexts) -> _native.TokenTexts:
        """Return tokens in canonical form."""
        return tokens.mapped(self.forms.table(tokens))

    def spelt(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the same with their spelling, for costs that look at letters."""
        lists = [self.forms.forms(self(text)) for group in range(len(texts)) for text in texts[group]]
        return _native.tokens_of_lists(lists, texts.offsets)

    def compared(self, words: list[str]) -> list[str]:
        """Return their canonical forms."""
        return self.forms.forms(words)

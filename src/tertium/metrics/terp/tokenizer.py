"""Text as TERp splits it."""

from dataclasses import dataclass

from tertium import _native
from tertium.text import Tokenizer


@dataclass(frozen=True)
class TerpTokenizer(Tokenizer):
    """Splits texts as TERp does."""

    normalized: bool
    new_normalization: bool
    no_punct: bool
    normalize_numbers: bool
    case_sensitive: bool
    unicode: str
    equivalences: tuple[tuple[str, ...], ...] = ()

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        return list(self._rule.split(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the words of many texts as the kernel takes them."""
        return self._rule.tokens(texts)

    @property
    def _rule(self) -> _native.TerpText:
        return _native.TerpText(
            normalized=self.normalized,
            new_normalization=self.new_normalization,
            no_punct=self.no_punct,
            normalize_numbers=self.normalize_numbers,
            case_sensitive=self.case_sensitive,
            unicode=self.unicode,
            equivalences=[list(phrases) for phrases in self.equivalences],
        )

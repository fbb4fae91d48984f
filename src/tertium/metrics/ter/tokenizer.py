"""Text as tercom or sacreBLEU's TER splits it."""

from dataclasses import dataclass

from tertium import _native
from tertium.text import Tokenizer


@dataclass(frozen=True)
class TerTokenizer(Tokenizer):
    """Splits texts as tercom or as sacreBLEU's TER does."""

    sacrebleu: bool
    release_0_7: bool
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    twice: bool  # as sacreBLEU takes references: what came of a text is a text again
    unicode: str

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        return list(self._rule.split(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the words of many texts as the kernel takes them."""
        return self._rule.tokens(texts)

    @property
    def _rule(self) -> _native.TerText:
        return _native.TerText(
            sacrebleu=self.sacrebleu,
            release_0_7=self.release_0_7,
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
            twice=self.twice,
            unicode=self.unicode,
        )

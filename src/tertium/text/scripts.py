"""Which scripts put no blanks between words, and texts in them split into characters."""

import re
from dataclasses import dataclass

from tertium import _native
from tertium.text.tokenizers import Tokenizer

_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u0f00-\u0fff"  # Thai, Lao, Tibetan
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u1780-\u17ff"  # Burmese and its relatives, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"  # kana, Han
)


def mostly_unspaced(text: str) -> bool:
    """Whether more than half of the characters are of scripts that are written without blanks."""
    return 2 * len(_UNSPACED.findall(text)) > len(text)


@dataclass(frozen=True)
class ByCharacter(Tokenizer):
    """Puts blanks around each character of those scripts, and leaves the rest to another tokenizer."""

    words: Tokenizer

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        return self.words(_apart(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the words of many texts as the kernels take them."""
        return self.words.tokens(self._apart(texts))

    def spelt(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return them in a form whose letters can be compared."""
        return self.words.spelt(self._apart(texts))

    def compared(self, words: list[str]) -> list[str]:
        """Return what is compared in place of the words."""
        return self.words.compared(words)

    def _apart(self, texts: _native.Texts) -> _native.Texts:
        groups = [[_apart(text) for text in texts[index]] for index in range(len(texts))]
        return _native.grouped_texts(groups, "texts")


def _apart(text: str) -> str:
    return _UNSPACED.sub(r" \g<0> ", text)

"""Tokenizers that need another package, or a model: MeCab and SentencePiece."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

if TYPE_CHECKING:
    from tertium import _native


class PackagedTokenizer(BaseTokenizer):
    """A tokenizer by tertium's name for it; what it needs is looked for at once, and again after pickling."""

    name: str

    def __init__(self) -> None:
        _by_name(self.name, False)

    def __call__(self, line: str) -> str:
        return " ".join(_by_name(self.name, False)(line))

    def tokens(self, texts: "_native.Texts", lowercase: bool) -> "_native.TokenTexts":
        """Return the tokens of many texts at once."""
        tokens: _native.TokenTexts = _by_name(self.name, lowercase).tokens(texts)
        return tokens


class MecabTokenizer(PackagedTokenizer):
    """MeCab with the dictionary of one language."""

    def signature(self) -> str:
        """Return its name with the versions of MeCab and of the dictionary."""
        from tertium.text.tokenizers import mecab_version

        return f"{self.name}-{mecab_version(self.name)}-{'IPA' if self.name == 'ja-mecab' else 'KO'}"


@lru_cache(16)
def _by_name(name: str, lowercase: bool) -> Any:
    from tertium.text import tokenizer

    return tokenizer(name, lowercase=lowercase)

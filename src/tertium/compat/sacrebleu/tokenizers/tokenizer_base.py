"""What all tokenizers are."""

from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from tertium import _native


class BaseTokenizer:
    """A tokenizer: called with a line it returns the tokens with blanks between them; `signature` names it."""

    def signature(self) -> str:
        """Return what stands for it in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """One of the tokenizers that the core has."""

    rule: ClassVar[str]

    def signature(self) -> str:
        """Return its name."""
        return self.rule

    def __call__(self, line: str) -> str:
        return " ".join(_rule(self.rule, False).split(line))

    def tokens(self, texts: "_native.Texts", lowercase: bool) -> "_native.TokenTexts":
        """Return the tokens of many texts at once."""
        return _rule(self.rule, lowercase).tokens(texts)


@lru_cache(16)
def _rule(name: str, lowercase: bool) -> "_native.Tokenizer":
    from tertium import _native

    return _native.Tokenizer(name, lowercase, "none")

"""The text that sacreBLEU's TER compares."""

from functools import lru_cache

from tertium import _native
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """Normalizes as tercom does, so far as asked; folds case unless told otherwise."""

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        """Return its name."""
        return "tercom"

    def __call__(self, sent: str) -> str:
        settings = self._normalized, self._no_punct, self._asian_support, self._case_sensitive
        return " ".join(_rule(*map(bool, settings)).split(sent))


@lru_cache(16)
def _rule(normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> _native.TerText:
    return _native.TerText(
        sacrebleu=True,
        release_0_7=False,
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
        twice=False,
        unicode="none",
    )

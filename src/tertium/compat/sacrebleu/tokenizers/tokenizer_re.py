"""mteval's splitting of punctuation alone, without what 13a does to entities first."""

import re

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

_STEPS = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),  # ASCII punctuation but for ' , - .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # not after a digit
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),  # not before a digit
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # a dash after a digit
)


class TokenizerRegexp(BaseTokenizer):
    """Splits ASCII punctuation off; periods and commas unless between digits, dashes after digits."""

    def signature(self) -> str:
        """Return its name."""
        return "re"

    def __call__(self, line: str) -> str:
        for pattern, written in _STEPS:
            line = pattern.sub(written, line)
        return " ".join(line.split())

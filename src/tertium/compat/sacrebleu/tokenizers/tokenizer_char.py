"""Characters as tokens."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerChar(NativeTokenizer):
    """Puts a blank between all characters, blanks among them; what is scored are the characters that are none."""

    rule = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)

"""mteval-v13a's tokenizer."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class Tokenizer13a(NativeTokenizer):
    """Splits as mteval-v13a does."""

    rule = "13a"

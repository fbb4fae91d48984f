"""mteval-v14's international tokenizer."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerV14International(NativeTokenizer):
    """Splits at punctuation and symbols of all scripts."""

    rule = "intl"

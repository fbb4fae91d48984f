"""The tokenizer for Chinese."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerZh(NativeTokenizer):
    """Takes each Chinese character as a token and splits the rest as Western text."""

    rule = "zh"

"""MeCab for Japanese."""

from tertium.compat.sacrebleu.tokenizers.packaged import MecabTokenizer


class TokenizerJaMecab(MecabTokenizer):
    """Splits Japanese by MeCab; the extra `tertium[ja]` brings it."""

    name = "ja-mecab"

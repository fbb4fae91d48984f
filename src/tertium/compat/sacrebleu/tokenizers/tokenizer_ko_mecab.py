"""MeCab for Korean."""

from tertium.compat.sacrebleu.tokenizers.packaged import MecabTokenizer


class TokenizerKoMecab(MecabTokenizer):
    """Splits Korean by MeCab; the extra `tertium[ko]` brings it."""

    name = "ko-mecab"

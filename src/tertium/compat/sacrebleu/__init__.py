"""sacreBLEU's Python interface on tertium's core: replace `sacrebleu` by `tertium.compat.sacrebleu` in an import."""

from tertium.compat.sacrebleu import metrics
from tertium.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER
from tertium.compat.sacrebleu.metrics.base import RELEASE as __version__
from tertium.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]

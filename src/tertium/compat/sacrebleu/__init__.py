"""sacreBLEU's Python interface on tertium's core: replace `sacrebleu` by `tertium.compat.sacrebleu` in an import."""

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from tertium.compat.sacrebleu.dataset import DATASETS
    from tertium.compat.sacrebleu.utils import (
        SACREBLEU_DIR,
        download_test_set,
        get_available_testsets,
        get_langpairs_for_testset,
        get_reference_files,
        get_source_file,
        smart_open,
    )

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]


def __getattr__(name: str) -> Any:
    """Load the catalogue of test sets only when somebody asks for one."""
    if name in __all__:
        from tertium.compat.sacrebleu import utils

        return getattr(utils, name)
    raise AttributeError(f"tertium.compat.sacrebleu has no {name}.")

"""The functions that sacreBLEU offers beside its classes."""

from collections.abc import Sequence

from tertium.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from tertium.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from tertium.compat.sacrebleu.metrics.ter import TER, TERScore

ReferenceSets = Sequence[Sequence[str]]


def corpus_bleu(
    hypotheses: Sequence[str],
    references: ReferenceSets,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = "13a",
    use_effective_order: bool = False,
    *,
    strict: bool = True,
) -> BLEUScore:
    """Return BLEU of a corpus; `references` holds one list per reference set."""
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
        strict=strict,
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str], references: ReferenceSets, smooth_value: float | None = 0.1
) -> BLEUScore:
    """Return BLEU of texts that are tokenized already, with floor smoothing and effective order."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = "13a",
    use_effective_order: bool = True,
) -> BLEUScore:
    """Return BLEU of one segment; `references` are all its references."""
    metric = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: ReferenceSets,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
    *,
    strict: bool = True,
) -> CHRFScore:
    """Return chrF of a corpus; `references` holds one list per reference set."""
    whitespace = not remove_whitespace
    metric = CHRF(char_order, word_order, beta, whitespace=whitespace, eps_smoothing=eps_smoothing, strict=strict)
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return chrF of one segment; `references` are all its references."""
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: ReferenceSets,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    *,
    strict: bool = True,
) -> TERScore:
    """Return TER of a corpus; `references` holds one list per reference set."""
    return TER(normalized, no_punct, asian_support, case_sensitive, strict=strict).corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return TER of one segment; `references` are all its references."""
    return TER(normalized, no_punct, asian_support, case_sensitive).sentence_score(hypothesis, references)

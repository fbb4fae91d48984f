"""Hugging Face evaluate's `load`, offline: the same calls and keys, with no script fetched from a hub.

    from tertium.compat import evaluate
    evaluate.load("sacrebleu").compute(predictions=[…], references=[[…], …])

| name | keys |
|---|---|
| sacrebleu | score, counts, totals, precisions, bp, sys_len, ref_len |
| bleu | bleu, precisions, brevity_penalty, length_ratio, translation_length, reference_length |
| chrf | score, char_order, word_order, beta |
| ter | score, num_edits, ref_length |
| wer, cer | a number |
"""

from collections.abc import Callable, Sequence
from typing import Any

from tertium.errors import InputError, UnknownNameError

Texts = Sequence[str]


class Module:
    """What `load` returns: `compute` at once, or `add` and `add_batch` first."""

    def __init__(self, name: str, compute: Callable[..., Any]) -> None:
        self.name = name
        self._compute = compute
        self._predictions: list[str] = []
        self._references: list[Any] = []

    def compute(
        self, *, predictions: Texts | None = None, references: Sequence[Any] | None = None, **settings: Any
    ) -> Any:
        """Score what is given and what was added before, which is forgotten then."""
        if (predictions is None) != (references is None):
            raise InputError(f"{self.name} needs both predictions and references.")
        ours, theirs = [*self._predictions, *(predictions or ())], [*self._references, *(references or ())]
        self._predictions, self._references = [], []
        if len(ours) != len(theirs):
            raise InputError(f"There are {len(ours):,} predictions, but {len(theirs):,} references. Give as many.")
        if not ours:
            raise InputError(f"{self.name} has nothing to compute: add predictions and references first.")
        return self._compute(ours, theirs, **settings)

    def add(self, *, prediction: Any = None, reference: Any = None, **named: Any) -> None:
        """Add one prediction with its reference, or list of references."""
        ours, theirs = named.get("predictions", prediction), named.get("references", reference)
        self.add_batch(predictions=[ours], references=[theirs])

    def add_batch(self, *, predictions: Texts, references: Sequence[Any]) -> None:
        """Add several."""
        if len(predictions) != len(references):
            raise InputError(f"There are {len(predictions):,} predictions, but {len(references):,} references.")
        self._predictions += list(predictions)
        self._references += list(references)

    def _feature_names(self) -> list[str]:
        """Return what `evaluate.combine` passes on."""
        return ["predictions", "references"]


def load(path: str, *unused: Any, **unused_too: Any) -> Module:
    """Return the metric of a name, as `evaluate.load` does; what is said of scripts and caches is not needed."""
    if path not in _METRICS:
        raise UnknownNameError.of("metric of evaluate's that tertium stands in for", path, _METRICS)
    return Module(path, _METRICS[path])


def _sacrebleu(
    predictions: list[str], references: list[Any], *, smooth_method: str = "exp", smooth_value: float | None = None,
    force: bool = False, lowercase: bool = False, tokenize: str | None = None, use_effective_order: bool = False,
) -> dict[str, Any]:  # fmt: skip
    from tertium.compat.sacrebleu import corpus_bleu

    named: dict[str, Any] = {} if tokenize is None else {"tokenize": tokenize}
    found = corpus_bleu(
        predictions, _sets(references), smooth_method=smooth_method, smooth_value=smooth_value, force=force,
        lowercase=lowercase, use_effective_order=use_effective_order, **named,
    )  # fmt: skip
    return {
        "score": found.score, "counts": found.counts, "totals": found.totals, "precisions": found.precisions,
        "bp": found.bp, "sys_len": found.sys_len, "ref_len": found.ref_len,
    }  # fmt: skip


def _bleu(
    predictions: list[str], references: list[Any], *, tokenizer: Callable[[str], list[str]] | None = None,
    max_order: int = 4, smooth: bool = False,
) -> dict[str, Any]:  # fmt: skip
    from tertium.metrics import BLEU

    # The shortest reference counts, nothing is smoothed unless asked for (Lin and Och), scores are shares.
    metric = BLEU(
        tokenize="13a" if tokenizer is None else tokenizer, orders=tuple(range(1, max_order + 1)),
        smoothing="add-k" if smooth else "none", smoothing_value=1.0 if smooth else None, reference_length="shortest",
    )  # fmt: skip
    totals = metric.statistics(predictions, references).sum(axis=0)
    counts = dict(zip(metric.columns, totals.tolist(), strict=True))
    orders = range(1, max_order + 1)
    add = 1.0 if smooth else 0.0
    ratios = [(counts[f"matches_{n}"] + add, counts[f"totals_{n}"] + add) for n in orders]
    ours, theirs = counts["hypothesis_length"], counts["reference_length"]
    precisions = [matches / total if total > 0 else 0.0 for matches, total in ratios]
    score, penalty = _nmt_bleu(precisions, ours, theirs)
    return {
        "bleu": score, "precisions": precisions, "brevity_penalty": penalty,
        "length_ratio": ours / theirs if theirs else 0.0, "translation_length": int(ours),
        "reference_length": int(theirs),
    }  # fmt: skip


def _nmt_bleu(precisions: list[float], ours: float, theirs: float) -> tuple[float, float]:
    from math import exp, log

    mean = exp(sum(map(log, precisions)) / len(precisions)) if min(precisions) > 0 else 0.0
    penalty = 1.0 if ours > theirs else exp(1 - theirs / ours) if ours else 0.0
    return mean * penalty, penalty


def _chrf(
    predictions: list[str], references: list[Any], *, char_order: int = 6, word_order: int = 0, beta: int = 2,
    lowercase: bool = False, whitespace: bool = False, eps_smoothing: bool = False,
) -> dict[str, Any]:  # fmt: skip
    from tertium.compat.sacrebleu import CHRF

    metric = CHRF(
        char_order=char_order, word_order=word_order, beta=beta, lowercase=lowercase, whitespace=whitespace,
        eps_smoothing=eps_smoothing,
    )  # fmt: skip
    score = metric.corpus_score(predictions, _sets(references)).score
    return {"score": score, "char_order": char_order, "word_order": word_order, "beta": beta}


def _ter(
    predictions: list[str], references: list[Any], *, normalized: bool = False, ignore_punct: bool = False,
    support_zh_ja_chars: bool = False, case_sensitive: bool = False,
) -> dict[str, Any]:  # fmt: skip
    from tertium.compat.sacrebleu import TER

    metric = TER(
        normalized=normalized, no_punct=ignore_punct, asian_support=support_zh_ja_chars, case_sensitive=case_sensitive
    )
    found = metric.corpus_score(predictions, _sets(references))
    return {"score": found.score, "num_edits": found.num_edits, "ref_length": found.ref_length}


def _rate(name: str) -> Callable[..., float]:
    def rate(predictions: list[str], references: list[str], *, concatenate_texts: bool = False) -> float:
        from tertium.compat import jiwer

        return float(getattr(jiwer, name)(references, predictions))

    return rate


_METRICS: dict[str, Callable[..., Any]] = {
    "sacrebleu": _sacrebleu,
    "bleu": _bleu,
    "chrf": _chrf,
    "ter": _ter,
    "wer": _rate("wer"),
    "cer": _rate("cer"),
}


def _sets(references: list[Any]) -> list[list[str]]:
    """Return references set by set, as sacreBLEU takes them; each prediction must have as many."""
    groups = [[one] if isinstance(one, str) else list(one) for one in references]
    sizes = {len(group) for group in groups}
    if len(sizes) > 1 or 0 in sizes:
        raise InputError(f"Each prediction must have the same number of references, but there are {sorted(sizes)}.")
    return [list(one) for one in zip(*groups, strict=True)]

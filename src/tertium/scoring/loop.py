"""The one loop behind every door: blocks of segments become rows, rows become scores."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.corpus.parallel import Block, all_references
from tertium.corpus.segments import TokenSegments, frame_columns, in_order
from tertium.errors import InputError, SegmentError
from tertium.metrics.alignment import Alignment
from tertium.metrics.base import Floats, Metric, References, thread_count
from tertium.metrics.names import Metrics, labels
from tertium.scoring.pairwise import named_metric
from tertium.scoring.scores import Scores, Tally
from tertium.scoring.texts import GivenTexts, TokenBlock

_PIECE = 512  # segments that are scored before somebody who waits is told


def score(
    metrics: Metrics,
    hypotheses: Sequence[Any] | Mapping[str, Sequence[Any]],
    references: References | None = None,
    *,
    reference_sets: Sequence[Sequence[str | None]] | None = None,
    documents: Sequence[str] | None = None,
    language: str | None = None,
    threads: int | None = None,
) -> Scores:
    """Score hypotheses against references, by metrics or texts of them: `"bleu"`, `["bleu", "chrf++"]`.

    `references[i]` is a string or a list of strings for segment i, with None for a missing one. References that
    come set by set, as sacreBLEU takes them, are given as `reference_sets`. Of a data frame each column is a system, or
    a set of references. A target language (`ja`, `en-de`) sets what
    the texts of metrics leave open.
    """
    hypotheses = frame_columns(hypotheses) or hypotheses
    if (sides := frame_columns(references)) is not None:
        references, reference_sets = None, list(sides.values())
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"": hypotheses}
    if not systems:
        raise InputError("No system was given: hypotheses is empty.")
    by_label = labels(metrics, language=language)
    on_tokens = {metric.takes_tokens for metric in by_label.values()}
    if len(on_tokens) > 1:
        raise InputError("Metrics on tokens (tokenize='tokens') and metrics on text need a call each.")
    texts = GivenTexts(systems, references, reference_sets, documents)
    blocks = texts.tokens() if on_tokens.pop() else texts.blocks()
    by_label = fitted(by_label, texts.references)
    return score_blocks(by_label, blocks, named=isinstance(hypotheses, Mapping), threads=threads)


def score_blocks(
    metrics: Mapping[str, Metric],
    blocks: Iterable[Block | TokenBlock],
    *,
    keep_rows: bool = True,
    named: bool = True,
    threads: int | None = None,
) -> Scores:
    """Score blocks one after the other, at least one; only what the scores need is held, and rows if they are kept.

    For a metric that has to learn from the references first, all blocks are held.
    """
    if not all(metric.is_fitted for metric in metrics.values()):
        blocks = list(blocks)
        metrics = fitted(metrics, all_references([block for block in blocks if isinstance(block, Block)]))
    threads = thread_count(threads)
    tally = Tally(metrics, keep_rows=keep_rows)
    counts = set()
    resegmented = None
    before = 0
    for block in blocks:
        try:
            if isinstance(block, TokenBlock) or block.progress is None:
                rows = block_rows(metrics, block.hypotheses, block.references, threads)
            else:
                rows = _told_rows(metrics, block, block.progress, threads)
        except SegmentError as error:
            raise error.after(before) from None
        tally.add(rows, documents=block.documents)
        counts.add(block.reference_count)
        resegmented = block.resegmented if isinstance(block, Block) else None
        before += len(block.references)
    scores = tally.scores(named=named, reference_count=counts.pop() if len(counts) == 1 else "var")
    return scores if resegmented is None else replace(scores, resegmented=resegmented)


def _told_rows(
    metrics: Mapping[str, Metric], block: Block, tell: Callable[[int], None], threads: int
) -> dict[str, dict[str, Floats]]:
    """Return the rows of a block, which are made in pieces to tell somebody how far it is."""
    parts: list[dict[str, dict[str, Floats]]] = []
    done = 0
    for piece in block.pieces(_PIECE):
        try:
            parts.append(block_rows(metrics, piece.hypotheses, piece.references, threads))
        except SegmentError as error:
            raise error.after(done) from None
        done += len(piece)
        tell(done)
    return {
        system: {label: np.concatenate([part[system][label] for part in parts]) for label in metrics}
        for system in block.hypotheses
    }


def fitted(metrics: Mapping[str, Metric], references: Any) -> dict[str, Metric]:
    """Return the metrics; those that have to learn something first have learnt it from these references."""
    return {label: m if m.is_fitted else m.fitted_to(references) for label, m in metrics.items()}


def block_rows(
    metrics: Mapping[str, Metric],
    hypotheses: Mapping[str, _native.Texts] | Mapping[str, TokenSegments],
    references: _native.Texts | TokenSegments,
    threads: int,
) -> dict[str, dict[str, Floats]]:
    """Return the rows of each system by each metric; tokens that several need are made once."""
    uses = Counter(metric.tokenizer for metric in metrics.values() if metric.tokenizer is not None)
    theirs: Any = references
    if not isinstance(references, TokenSegments):
        shared = {one for one, count in uses.items() if count * len(hypotheses) > 1}
        theirs = Segments(references, stored=shared, threads=threads)
    rows = {}
    for system, texts in hypotheses.items():
        ours: Any = texts
        if not isinstance(texts, TokenSegments):
            ours = Segments(texts, stored={one for one, count in uses.items() if count > 1}, threads=threads)
        rows[system] = {label: metric.rows(ours, theirs, threads=threads) for label, metric in metrics.items()}
    return rows


def align(metric: Metric | str, hypothesis: str, references: str | Sequence[str]) -> Alignment:
    """Return how a metric aligns one hypothesis with its reference, or with the one of several that counts."""
    metric = named_metric(metric)
    if not isinstance(hypothesis, str):
        raise InputError(f"align takes one hypothesis, a string, not {hypothesis!r:.60}.")
    several = () if references is None else in_order(references, "references")
    group = [references] if isinstance(references, str) else [text for text in several if text is not None]
    if not group or not all(isinstance(text, str) for text in group):
        raise InputError("align takes one reference or a list of them, each a string.")
    return metric.align(hypothesis, group)

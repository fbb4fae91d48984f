"""Scores of every hypothesis against every reference: a matrix, made block by block."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tertium.corpus import Segments, hypothesis_texts
from tertium.corpus.segments import in_order
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.names import parse_metric

_BLOCK_BYTES = 1 << 25  # of rows that are held at once


def pairwise(
    metric: Metric | str,
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    threads: int | None = None,
    out: Any = None,
) -> Floats:
    """Return the score of each hypothesis (rows) against each reference (columns), as segment scores are.

    `out` is an array of that shape to write into, of float64 or float32, which may be a file in memory. A metric that
    learns from the references first (NIST) learns from all of them.
    """
    ours, theirs = checked_texts(hypotheses, "hypotheses"), checked_texts(references, "references")
    shape = (len(ours), len(theirs))
    if out is None:
        out = np.empty(shape)
    elif getattr(out, "shape", None) != shape or getattr(out, "dtype", None) not in (np.float64, np.float32):
        raise InputError(
            f"out must be an array of float64 or float32 with {shape[0]:,} rows and {shape[1]:,} columns, not "
            f"{getattr(out, 'dtype', type(out).__name__)} of shape {getattr(out, 'shape', '?')}."
        )
    for begin, scores in pairwise_blocks(metric, ours, theirs, threads=threads):
        out[begin : begin + len(scores)] = scores
    return out  # type: ignore[no-any-return]  # whatever array the caller has


def pairwise_blocks(
    metric: Metric | str, hypotheses: Sequence[str], references: Sequence[str], *, threads: int | None = None
) -> Iterator[tuple[int, Floats]]:
    """Return the same matrix in blocks of hypotheses, each with the place of its first row."""
    ours, theirs = checked_texts(hypotheses, "hypotheses"), checked_texts(references, "references")
    metric = named_metric(metric)
    if not ours or not theirs:
        return
    if metric.takes_tokens:
        raise InputError("A matrix of scores takes texts, not lists of tokens: choose a tokenizer.")
    if not metric.is_fitted:
        metric = metric.fitted_to(theirs)
    rows = metric.pair_rows(Segments(hypothesis_texts(theirs, "references")), threads=thread_count(threads))
    texts = hypothesis_texts(ours)
    step = max(1, _BLOCK_BYTES // (8 * len(metric.columns) * len(theirs)))
    for begin in range(0, len(ours), step):
        scores = metric.score(rows(Segments(texts.slice(begin, begin + step))))
        yield begin, np.asarray(scores).reshape(-1, len(theirs))


def named_metric(metric: Metric | str) -> Metric:
    """Return a metric, which may be given by its text: `chrf`, `bleu:effective_order=true`."""
    if isinstance(metric, str):
        return parse_metric(metric)
    if not isinstance(metric, Metric):
        raise InputError(f"A metric or its text, such as 'chrf', was expected, not {metric!r:.60}.")
    return metric


def checked_texts(texts: Any, name: str) -> list[str]:
    """Return a flat list of strings, or refuse what is none."""
    if texts is None or isinstance(texts, str):
        what = "nothing" if texts is None else "one string"
        raise InputError(f"{name} must be a list of strings, but {what} was given.")
    found = list(in_order(texts, name))
    for index, text in enumerate(found):
        if not isinstance(text, str):
            raise InputError(f"{name}[{index}] is {text!r:.60}, but each must be a string.")
    return found

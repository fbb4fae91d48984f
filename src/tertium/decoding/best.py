"""The best of n translations against a true reference: what distillation keeps, what a perfect choice would give."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium.errors import InputError
from tertium.metrics.base import Metric, thread_count
from tertium.results import Result


@dataclass(frozen=True)
class Best(Result):
    """The candidate that was chosen, counted from 0, and its score."""

    index: int
    score: float


def best_of(
    metric: Metric,
    candidates: Sequence[Sequence[str]],
    references: Sequence[str | Sequence[str]],
    *,
    worst: bool = False,
    threads: int | None = None,
) -> list[Best]:
    """Return, for each sentence, its best candidate against its references, or its worst; of equals the first.

    An empty candidate never wins against one that is not.
    """
    if len(candidates) != len(references):
        raise InputError(
            f"candidates are for {len(candidates):,} sentences, but references for {len(references):,}. Give one each."
        )
    sizes = [len(texts) for texts in candidates]
    for index, size in enumerate(sizes):
        if size == 0 or isinstance(candidates[index], str):
            raise InputError(f"candidates[{index}] must be a list of texts, at least one of them.")
    texts = [text for group in candidates for text in group]
    theirs = [reference for reference, size in zip(references, sizes, strict=True) for _ in range(size)]
    if not metric.is_fitted:
        metric = metric.fitted_to(list(references))
    scores = np.asarray(metric.score(metric.statistics(texts, theirs, threads=thread_count(threads))))
    upwards = metric.higher_is_better != worst
    keys = scores if upwards else -scores
    keys = np.where([not text.strip() for text in texts], -np.inf, keys)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chosen = [int(np.argmax(keys[begin:end])) for begin, end in pairwise(starts)]
    return [Best(index, float(scores[begin + index])) for index, begin in zip(chosen, starts[:-1], strict=True)]

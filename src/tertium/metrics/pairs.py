"""Rows of every hypothesis with every reference, each text prepared once."""

from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.corpus import Segments
from tertium.corpus.segments import Tokenizes

if TYPE_CHECKING:
    from tertium.metrics.base import Floats, Metric

Rows = Callable[[Segments], "Floats"]  # hypotheses become (hypotheses x references, columns)
Places = NDArray[np.uint32]

LONGEST = 16  # n-grams longer than that are rare, and many: they are not worth an index


class _Taken(Segments):
    """Some of other segments, in any order and as often as wanted."""

    def __init__(self, segments: Segments, places: Places) -> None:
        super().__init__(_native.taken_texts(segments.texts, places))
        self._segments = segments
        self._places = places

    def tokens(self, tokenizer: Tokenizes | None) -> _native.TokenTexts:
        """Return the tokens that were made once for all of them."""
        return _native.taken_tokens(self._segments.tokens(tokenizer), self._places)

    def sharing(self, tokenizers: Collection[Hashable], threads: int) -> "_Taken":
        """Return the same: tokens are shared already."""
        return self


def pair_by_pair(metric: "Metric", references: Segments, *, threads: int) -> Rows:
    """Return what makes rows of hypotheses with all references; texts are split once, then compared pair by pair."""
    stored = [] if metric.tokenizer is None else [metric.tokenizer]
    theirs = references.sharing(stored, threads)
    count = len(references)

    def rows(hypotheses: Segments) -> "Floats":
        ours = hypotheses.sharing(stored, threads)
        each = np.repeat(np.arange(len(hypotheses), dtype=np.uint32), count)
        all_of_them = np.tile(np.arange(count, dtype=np.uint32), len(hypotheses))
        return metric.rows(_Taken(ours, each), _Taken(theirs, all_of_them), threads=threads)

    return rows

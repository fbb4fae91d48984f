"""CDER: edits where blocks of words may move, a jump counting as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.metrics.alignment import Alignment
from tertium.metrics.base import Floats
from tertium.metrics.settings import setting
from tertium.metrics.word_errors import WordErrorMetric, error_rate


@dataclass(frozen=True, kw_only=True)
class CDER(WordErrorMetric):
    """Leusch, Ueffing, Ney (2006): every reference word is covered once, hypothesis words any number of times."""

    name = "cder"
    title = "CDER"
    source = "Leusch, Ueffing, Ney (2006)"

    direction: str = setting(
        "forward",
        "which side is covered exactly once: the reference, the hypothesis, or the dearer of the two",
        choices=("forward", "reversed", "maximum"),
    )
    penalty: str = setting(
        "none",
        "for words left over: by length, by words left out or used again, or the average of both",
        choices=("none", "length", "miscoverage", "average"),
    )

    @property
    def columns(self) -> tuple[str, ...]:
        """What edits and jumps cost, the reference's length, and the penalty if there is one."""
        return ("edits", "reference_length") if self.penalty == "none" else ("edits", "reference_length", "penalty")

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        ours, theirs = self.tokens_of(hypotheses), self.tokens_of(references)
        _native.cder_rows(ours, theirs, **self._arguments(ours, theirs), threads=self.threads_for(threads), rows=rows)
        return rows

    def score(self, totals: Floats) -> Floats:
        """Return the error rate in percent."""
        totals = self.checked(totals)
        edits = totals[..., 0] if self.penalty == "none" else totals[..., 0] + totals[..., 2]
        return error_rate(edits, totals[..., 1])

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the columns."""
        totals = self.checked(totals)
        return {name: totals[..., k] for k, name in enumerate(self.columns)}

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return the path: edits in the order of the side that is covered once, and jumps on the other side.

        A jump from behind one word to behind another has the two places as the ends of its span.
        """
        return self.aligned(
            hypothesis,
            references,
            lambda ours, theirs: _native.cder_alignment(ours, theirs, **self._arguments(ours, theirs)),
        )

    def _arguments(self, *tokens: _native.TokenTexts) -> dict[str, Any]:
        chosen = {"rule": self.references, "direction": self.direction, "penalty": self.penalty}
        return self.cost_arguments(*tokens) | chosen

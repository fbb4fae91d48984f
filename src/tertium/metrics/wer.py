"""Word error rate: the fewest word edits that make the hypothesis the reference."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.metrics.alignment import Alignment
from tertium.metrics.base import Floats
from tertium.metrics.word_errors import WordErrorMetric, error_rate


@dataclass(frozen=True, kw_only=True)
class WER(WordErrorMetric):
    """Word edits (Levenshtein 1966) divided by the reference's length.

    An insertion is an extra hypothesis word, a deletion a missing reference word. Of alignments with equally few
    edits the one that jiwer counts is taken.
    """

    name = "wer"
    title = "WER"
    source = "Levenshtein (1966); Leusch, Ueffing, Ney (2006) for substitution costs"

    @property
    def columns(self) -> tuple[str, ...]:
        """Words by what became of them; with word-dependent costs also what all edits cost."""
        counts = ("matches", "substitutions", "insertions", "deletions", "reference_length")
        return counts if self.is_exact else (*counts, "edits")

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        ours, theirs = self.tokens_of(hypotheses), self.tokens_of(references)
        _native.wer_rows(
            ours,
            theirs,
            **self.cost_arguments(ours, theirs),
            rule=self.references,
            threads=self.threads_for(threads),
            rows=rows,
        )
        return rows

    def score(self, totals: Floats) -> Floats:
        """Return the error rate in percent."""
        totals = self.checked(totals)
        return error_rate(self._edits(totals), totals[..., 4])

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return all edits, and the columns."""
        totals = self.checked(totals)
        columns = {name: totals[..., k] for k, name in enumerate(self.columns)}
        return {"edits": self._edits(totals)} | columns

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return matches, substitutions, insertions and deletions, from the first word to the last."""
        return self.aligned(
            hypothesis,
            references,
            lambda ours, theirs: _native.wer_alignment(
                ours, theirs, **self.cost_arguments(ours, theirs), rule=self.references
            ),
        )

    def _edits(self, totals: Floats) -> Floats:
        return totals[..., 1:4].sum(axis=-1) if self.is_exact else totals[..., 5]

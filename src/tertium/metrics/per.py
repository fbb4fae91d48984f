"""Position-independent error rate: the word errors left once order is forgiven."""

from dataclasses import dataclass

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.metrics.base import Floats
from tertium.metrics.settings import setting
from tertium.metrics.word_errors import WordErrorMetric, error_rate


@dataclass(frozen=True, kw_only=True)
class PER(WordErrorMetric):
    """Tillmann et al. (1997): how many words of the two bags have no partner, divided by the reference's length.

    It is an error rate in every variant; Moses prints 100 minus it.
    """

    name = "per"
    title = "PER"
    source = "Tillmann et al. (1997); Leusch, Ueffing, Ney (2003, 2006)"

    variant: str = setting(
        "rwth",
        "rwth: errors per segment, added up; moses: from sums of matches and lengths; or one side only",
        choices=("rwth", "moses", "recall", "precision"),
    )

    @property
    def columns(self) -> tuple[str, ...]:
        """Errors, and what they are made of."""
        return ("edits", "reference_length", "matches", "hypothesis_length")

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        ours, theirs = self.tokens_of(hypotheses), self.tokens_of(references)
        _native.per_rows(
            ours,
            theirs,
            **self.cost_arguments(ours, theirs),
            rule=self.references,
            variant=self.variant,
            threads=self.threads_for(threads),
            rows=rows,
        )
        return rows

    def score(self, totals: Floats) -> Floats:
        """Return the error rate in percent."""
        totals = self.checked(totals)
        edits, theirs, matches, ours = (totals[..., k] for k in range(4))
        if self.variant == "precision":
            return error_rate(edits, ours)
        if self.variant == "moses":
            # Moses gives an empty reference no point, whatever it is compared with.
            there = theirs > 0
            return 100.0 * np.where(there, (np.maximum(ours, theirs) - matches) / np.where(there, theirs, 1.0), 1.0)
        return error_rate(edits, theirs)

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the columns."""
        totals = self.checked(totals)
        return {name: totals[..., k] for k, name in enumerate(self.columns)}

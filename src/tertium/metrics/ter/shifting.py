"""What TER and TERp share: limits of the search for shifts, and edits divided by the length of other references."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tertium.corpus import Segments, reference_texts
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.settings import setting

MOST = 1_000_000  # far more words than a search could get through
limit_setting: Callable[..., Any] = partial(setting, None, whole=(0, MOST), unlimited=True)
max_tokens_setting: Callable[..., Any] = partial(setting, 20_000, "refuse segments with more words", whole=(1, MOST))
LENGTHS: tuple[str, ...] = ("average", "best", "closest", "shortest")


class ShiftMetric(Metric):
    """An edit rate with shifts, whose dataclass has the fields reference_length and max_tokens."""

    higher_is_better = False
    perfect = 0.0

    reference_length: str
    max_tokens: int

    def statistics(
        self,
        hypotheses: Sequence[Any],
        references: Sequence[Any],
        *,
        threads: int | None = None,
        length_references: Sequence[Any] | None = None,
    ) -> Floats:
        """Return (segments, columns). Edits are divided by the length of `length_references`, if they are given.

        Human-targeted TER needs that: edits are counted against a reference made from the hypothesis itself, but
        divided by the length of references made without it.
        """
        if length_references is None:
            return super().statistics(hypotheses, references, threads=threads)
        if self.reference_length == "best":
            raise InputError(
                "reference_length='best' is the length of the reference that was aligned, which length_references "
                "does not hold. Choose average, closest or shortest."
            )
        ours, theirs = self.segments(hypotheses, references)
        lengths = Segments(reference_texts(length_references, "length_references"))
        if len(lengths) != len(ours):
            raise InputError(
                f"hypotheses has {len(ours):,} segments, but length_references has {len(lengths):,}. Give one item "
                "per segment, in the same order."
            )
        return self.rows_by(lengths, ours, theirs, threads=thread_count(threads))

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        return self.rows_by(None, hypotheses, references, threads=threads)

    @abstractmethod
    def rows_by(self, lengths: Segments | None, ours: Segments, theirs: Segments, *, threads: int) -> Floats:
        """Return rows in which edits are to be divided by the length of other references, if there are any."""


def rate(edits: Floats, length: Floats) -> Floats:
    """Return edits per length; with nothing to divide by, any edit at all is a full error."""
    if np.min(length, initial=1.0) > 0:
        return np.asarray(edits / length)
    return np.divide(edits, length, out=np.where(edits > 0, 1.0, 0.0), where=length > 0)

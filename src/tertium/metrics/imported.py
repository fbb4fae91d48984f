"""Segment scores that another program gave: they are averaged, resampled and compared as a metric's are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric


@dataclass(frozen=True, kw_only=True)
class Imported(Metric):
    """A column of scores: one number per segment, their mean for more."""

    aggregation: ClassVar[str] = "mean of the segment scores"
    source: ClassVar[str] = "another program"
    range: ClassVar[str] = "unknown"
    meanings: ClassVar[dict[str, str]] = {
        "name": "what the scores are called",
        "higher_is_better": "whether a higher score is a better one",
    }

    name: str  # type: ignore[misc]
    higher_is_better: bool = True  # type: ignore[misc]

    @property
    def columns(self) -> tuple[str, ...]:
        """The sum of scores and the number of segments."""
        return ("score", "segments")

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Refuse: the scores were made elsewhere."""
        raise InputError(f"{self.name} was imported: its scores come from a file, and texts cannot be scored by it.")

    def score(self, totals: Floats) -> Floats:
        """Return the mean."""
        totals = self.checked(totals)
        count = totals[..., 1]
        return np.divide(totals[..., 0], count, out=np.zeros_like(count), where=count > 0)

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return how many segments were averaged."""
        return {"segments": self.checked(totals)[..., 1]}

    def default(self) -> "Metric":
        """Return the same: there is nothing to set."""
        return self

    def settings(self) -> dict[str, str]:
        """Return the direction: all that is known."""
        return {"imported": "true", "higher_is_better": "true" if self.higher_is_better else "false"}

"""Segment scores that another program gave: they are averaged, resampled and compared as a metric's are."""

from dataclasses import dataclass

from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.composed import MeanOfScores
from tertium.metrics.settings import setting


@dataclass(frozen=True, kw_only=True)
class Imported(MeanOfScores):
    """A column of scores: one number per segment, their mean for more."""

    source = "another program"
    range = "unknown"

    name: str
    higher_is_better: bool = setting(True, "whether a higher score is a better one")

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Refuse: the scores were made elsewhere."""
        raise InputError(f"{self.name} was imported: its scores come from a file, and texts cannot be scored by it.")

    def default(self) -> Metric:
        """Return the same: there is nothing to set."""
        return self

    def told_settings(self) -> dict[str, str]:
        """Return all there is: that scores were imported must be told."""
        return self.settings()

    def settings(self) -> dict[str, str]:
        """Return the direction: all that is known."""
        return {"imported": "true", "higher_is_better": "true" if self.higher_is_better else "false"}

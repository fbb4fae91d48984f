"""The mean of segment scores, which some papers report in place of a corpus score."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.composed import MeanOfScores


@dataclass(frozen=True)
class Averaged(MeanOfScores):
    """A metric's segment scores, averaged: every segment weighs the same, however long it is."""

    metric: Metric

    def __post_init__(self) -> None:
        metric = self.metric
        if not isinstance(metric, Metric) or isinstance(metric, Averaged):
            raise InputError(f"Averaged takes a metric, such as Averaged(BLEU()), not {metric!r}.")
        object.__setattr__(self, "parts_of", (metric,))
        name = f"averaged-({metric.name})" if "+" in metric.name else f"averaged-{metric.name}"
        self.describe(name, perfect=metric.perfect, range=metric.range, source=metric.source)

    def of(self, parts: Sequence[Metric]) -> "Averaged":
        """Return the average of this metric."""
        return Averaged(*parts)

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Score each segment."""
        scores = self.metric.score(self.metric.rows(hypotheses, references, threads=threads))
        return np.column_stack([scores, np.ones(len(scores))])

    def default(self) -> Metric:
        """Return the average of the metric with all settings at their defaults."""
        return Averaged(self.metric.default())

    def settings(self) -> dict[str, str]:
        """Return the metric's settings."""
        return self.metric.settings()

    @property
    def meanings(self) -> dict[str, str]:
        """As the metric has it."""
        return self.metric.meanings

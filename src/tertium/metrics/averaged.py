"""The mean of segment scores, which some papers report in place of a corpus score."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tertium.corpus import Segments
from tertium.corpus.segments import TokenSegments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric, References


@dataclass(frozen=True)
class Averaged(Metric):
    """A metric's segment scores, averaged: every segment weighs the same, however long it is."""

    aggregation: ClassVar[str] = "mean of the segment scores"

    metric: Metric

    def __post_init__(self) -> None:
        if not isinstance(self.metric, Metric) or isinstance(self.metric, Averaged):
            raise InputError(f"Averaged takes a metric, such as Averaged(BLEU()), not {self.metric!r}.")

    @property
    def name(self) -> str:  # type: ignore[override]
        """The metric's name behind 'averaged-'; that of a combination in brackets."""
        name = self.metric.name
        return f"averaged-({name})" if "+" in name else f"averaged-{name}"

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """As the metric has it."""
        return self.metric.higher_is_better

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """As the metric has it."""
        return self.metric.perfect

    @property
    def meanings(self) -> dict[str, str]:  # type: ignore[override]
        """As the metric has it."""
        return self.metric.meanings

    @property
    def range(self) -> str:  # type: ignore[override]
        """As the metric has it."""
        return self.metric.range

    @property
    def source(self) -> str:  # type: ignore[override]
        """As the metric has it."""
        return self.metric.source

    @property
    def columns(self) -> tuple[str, ...]:
        """The sum of scores and the number of segments."""
        return ("score", "segments")

    @property
    def takes_tokens(self) -> bool:
        """As the metric has it."""
        return self.metric.takes_tokens

    @property
    def tokenizer(self) -> Hashable | None:
        """As the metric has it."""
        return self.metric.tokenizer

    def segments(
        self, hypotheses: Sequence[Any], references: Sequence[Any]
    ) -> tuple[Segments | TokenSegments, Segments | TokenSegments]:
        """As the metric has it."""
        return self.metric.segments(hypotheses, references)

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Score each segment."""
        scores = self.metric.score(self.metric.rows(hypotheses, references, threads=threads))
        return np.column_stack([scores, np.ones(len(scores))])

    def score(self, totals: Floats) -> Floats:
        """Return the mean."""
        totals = self.checked(totals)
        count = totals[..., 1]
        return np.divide(totals[..., 0], count, out=np.zeros_like(count), where=count > 0)[()]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return how many segments were averaged."""
        return {"segments": self.checked(totals)[..., 1]}

    @property
    def is_fitted(self) -> bool:
        """As the metric has it."""
        return self.metric.is_fitted

    def fitted_to(self, references: References) -> "Averaged":
        """Return the average of the fitted metric."""
        return Averaged(self.metric.fitted_to(references))

    def with_tokenizer(self, name: str) -> Metric:
        """Return the average of a copy that splits texts that way."""
        return Averaged(self.metric.with_tokenizer(name))

    def default(self) -> Metric:
        """Return the average of the metric with all settings at their defaults."""
        return Averaged(self.metric.default())

    def settings(self) -> dict[str, str]:
        """Return the metric's settings."""
        return self.metric.settings()

"""Scores that grow batch by batch, for training loops and for work that is spread over processes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.names import labels


class Accumulator:
    """Adds up the statistics of batches; `compute` scores what was seen so far.

    It holds one row of numbers per metric, however many segments it has seen, can be pickled, and merged with the
    accumulators of other processes.
    """

    def __init__(self, metrics: Iterable[Metric] | Mapping[str, Metric] | Metric) -> None:
        self.metrics = labels(metrics)
        self.reset()

    def reset(self) -> None:
        """Forget all segments."""
        self.segments = 0
        self.totals: dict[str, Floats] = {
            label: np.zeros(len(metric.columns)) for label, metric in self.metrics.items()
        }

    def update(self, hypotheses: Sequence[Any], references: Sequence[Any], *, threads: int | None = None) -> None:
        """Add a batch; `references[i]` belongs to `hypotheses[i]`. A batch that is refused leaves nothing behind."""
        rows = {
            label: metric.statistics(hypotheses, references, threads=threads) for label, metric in self.metrics.items()
        }
        for label, block in rows.items():
            self.totals[label] += block.sum(axis=0)
        self.segments += len(block)

    def merge(self, other: "Accumulator") -> None:
        """Add what another accumulator with the same metrics has seen."""
        if not isinstance(other, Accumulator) or other.metrics != self.metrics:
            raise InputError("Only accumulators with the same metrics and settings can be merged.")
        for label, totals in other.totals.items():
            self.totals[label] += totals
        self.segments += other.segments

    def compute(self) -> dict[str, float]:
        """Return the corpus scores of all segments seen so far."""
        if self.segments == 0:
            raise InputError("No segment was added yet: call update first.")
        return {label: float(metric.score(self.totals[label])) for label, metric in self.metrics.items()}

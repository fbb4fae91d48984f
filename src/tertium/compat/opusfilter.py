"""A filter for OpusFilter: keep pairs whose texts agree, by any metric.

    - type: filter
      parameters:
        inputs: [original.de, round-trip.de]
        outputs: [kept.de, kept-round-trip.de]
        filters:
          - MetricFilter: {metric: chrf, hypothesis: 1, references: [0], threshold: 40}
            module: tertium.compat.opusfilter

Segments are taken a thousand at a time, so a filter of 10^8 lines takes minutes, not days.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.metrics import parse_metric
from tertium.metrics.base import thread_count

if TYPE_CHECKING:
    FilterABC: Any = object
    CLEAN_HIGH = CLEAN_LOW = ""
else:
    try:
        from opusfilter import CLEAN_HIGH, CLEAN_LOW, FilterABC
    except ImportError:  # the filter can be used, and tested, without it
        CLEAN_HIGH, CLEAN_LOW = "high", "low"

        class FilterABC:
            """What OpusFilter's own base class does as far as filters need it."""

            def __init__(self, name=None, workdir="", **unknown):
                if unknown:
                    raise InputError(f"No parameter of MetricFilter is called '{next(iter(unknown))}'.")
                self.name, self.workdir = name, workdir

            def decisions(self, pairs):
                """Yield whether each pair is kept."""
                return (self.accept(score) for score in self.score(pairs))

            def filter(self, pairs):
                """Yield the pairs that are kept."""
                pairs = list(pairs)
                return (pair for pair, kept in zip(pairs, self.decisions(pairs), strict=True) if kept)


_BLOCK = 1000


class MetricFilter(FilterABC):  # type: ignore[misc]  # OpusFilter has no types
    """Scores one text of each pair against others, and keeps those on the better side of a threshold."""

    def __init__(
        self, metric: str = "chrf", threshold: float = 30.0, hypothesis: int = 0, references: Sequence[int] = (1,),
        threads: int | None = None, **others: Any,
    ) -> None:  # fmt: skip
        """Take the metric as after -m; texts of a pair are numbered from 0, as files are given."""
        self.metric = parse_metric("bleu:effective_order=true" if metric == "bleu" else metric)
        if not self.metric.is_fitted:
            raise InputError(f"{self.metric.name} has to learn from all references first, which a filter has not seen.")
        if hypothesis in references or not references:
            raise InputError("references must be other texts of the pair than the hypothesis, such as [1].")
        self.threshold, self.threads = float(threshold), thread_count(threads)
        self.hypothesis, self.references = hypothesis, list(references)
        better = self.metric.higher_is_better
        self.score_direction = CLEAN_HIGH if better else CLEAN_LOW
        # Beyond any score, for OpusFilter's tools that look for a threshold.
        self.accept_threshold, self.reject_threshold = (-1.0, float("inf")) if better else (float("inf"), -1.0)
        super().__init__(**others)

    def score(self, pairs: Iterable[Sequence[str]]) -> Iterator[float]:
        """Yield the score of each pair as a sentence."""
        rest = iter(pairs)
        while block := list(islice(rest, _BLOCK)):
            ours = [pair[self.hypothesis] for pair in block]
            theirs = [[pair[k] for k in self.references] for pair in block]
            yield from self.metric.score(self.metric.statistics(ours, theirs, threads=self.threads)).tolist()

    def accept(self, score: float) -> bool:
        """Whether a pair with this score is kept."""
        return score >= self.threshold if self.metric.higher_is_better else score <= self.threshold

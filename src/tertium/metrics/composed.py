"""What metrics share that are made of others, or of scores from elsewhere: their description is the object's own."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from tertium.corpus import Segments
from tertium.metrics.base import Floats, Metric, References
from tertium.metrics.settings import Setting
from tertium.text import Tokenizer
from tertium.text.languages import Language


class Composed(Metric):
    """A metric that gets its segments from `parts_of`, the metrics that it is made of; scores are made of none."""

    parts_of: tuple[Metric, ...] = ()

    def of(self, parts: Sequence[Metric]) -> Self:
        """Return the same, made of these metrics."""
        return self

    def describe(self, name: str, *, perfect: float | None, range: str, source: str) -> None:
        """Take on a name and what else a metric says of itself; the direction is that of its metrics."""
        known = {"name": name, "perfect": perfect, "range": range, "source": source}
        for key, value in (known | {"higher_is_better": self.parts_of[0].higher_is_better}).items():
            object.__setattr__(self, key, value)

    @property
    def takes_tokens(self) -> bool:
        """As all metrics have it."""
        return any(part.takes_tokens for part in self.parts_of)

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What all metrics split texts with, if they agree."""
        tokenizers = {part.tokenizer for part in self.parts_of}
        return tokenizers.pop() if len(tokenizers) == 1 else None

    def segments(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> tuple[Segments, Segments]:
        """As all metrics have it."""
        return self.parts_of[0].segments(hypotheses, references)

    @property
    def is_fitted(self) -> bool:
        """Whether all metrics are."""
        return all(part.is_fitted for part in self.parts_of)

    def fitted_to(self, references: References) -> Self:
        """Return the same of fitted metrics."""
        return self.of([part.fitted_to(references) for part in self.parts_of])

    def own_settings(self) -> dict[str, Setting]:
        """None: settings are those of its metrics."""
        return {}

    def shortcoming(self, language: Language) -> str:
        """What is missing for the first metric that misses something."""
        return next(filter(None, (part.shortcoming(language) for part in self.parts_of)), "")


class MeanOfScores(Composed):
    """The mean of segment scores, wherever they come from."""

    aggregation = "mean of the segment scores"
    columns = ("score", "segments")

    def score(self, totals: Floats) -> Floats:
        """Return the mean."""
        totals = self.checked(totals)
        count = totals[..., 1]
        return np.divide(totals[..., 0], count, out=np.zeros_like(count), where=count > 0)[()]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return how many segments were averaged."""
        return {"segments": self.checked(totals)[..., 1]}

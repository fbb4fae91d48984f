"""How well scores agree with one set of human scores, by one coefficient: for tests and searches of your own."""

from collections.abc import Sequence

from tertium.meta.coefficients import method_of
from tertium.meta.coefficients.base import THRESHOLD, Settings
from tertium.meta.coefficients.points import Codes, numbers
from tertium.metrics.base import Floats, thread_count


class Agreement:
    """A coefficient with its human side prepared.

    `value(scores)` is the coefficient of one list of scores, `values(many)` of each row of a matrix. Scores are given
    flat, in the order of the human scores; `systems` and `items` are numbers from 0 that say whose each score is.
    """

    def __init__(
        self,
        human_scores: Sequence[float | None] | Floats,
        *,
        method: str = "pearson",
        group: str = "none",
        systems: Codes | None = None,
        items: Codes | None = None,
        threshold: float = THRESHOLD,
        sample_rate: float = 1.0,
        undefined: str = "drop",
        weights: Sequence[float] | Floats | None = None,
        threads: int | None = None,
    ) -> None:
        settings = Settings(threshold, sample_rate, undefined, thread_count(threads))
        human = numbers(human_scores, "human_scores", may_miss=True).ravel()
        self._prepared = method_of(method)(human, systems, items, group, settings, weights)

    def value(self, scores: Sequence[float] | Floats) -> float:
        """Return the coefficient of one list of scores; NaN where it is undefined."""
        return self._prepared.value(scores)

    def values(self, scores: Floats) -> Floats:
        """Return the coefficient of each row of (lists, scores)."""
        return self._prepared.values(scores)

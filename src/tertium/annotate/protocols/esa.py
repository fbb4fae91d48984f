"""Error span annotation: mark what is wrong, minor or major, then give a score. Kocmi et al. (2024)."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Slider, Spans

ANCHORS = tuple((float(value), f"esa.{value}") for value in (0, 33, 66, 100))


@dataclass(frozen=True)
class ErrorSpans(Protocol):
    """Spans first, so that the score is given by someone who has read closely."""

    name = "esa"
    kinds = ("ESA",)
    item_seconds = 33.7
    word_seconds = 0.15

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Spans and a slider; who gives less than 66 and marks nothing is asked once."""
        return (Phase((Spans(advised_below=66), Slider("score", anchors=ANCHORS))),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """The number."""
        return {self.kinds[0]: float(answer["score"])} if "score" in answer else {}

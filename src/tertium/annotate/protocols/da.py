"""Direct assessment: one number between 0 and 100. Graham et al. (2015)."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Slider


@dataclass(frozen=True)
class DirectAssessment(Protocol):
    """A slider with four anchors."""

    name = "da"
    kinds = ("DA",)
    item_seconds = 12
    word_seconds = 0.4

    @property
    def phases(self) -> tuple[Phase, ...]:
        """One slider."""
        return (Phase((Slider("score", anchors=tuple((value, f"da.{value}") for value in (0, 33, 66, 100))),)),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """The number."""
        return {"DA": float(answer["score"])} if "score" in answer else {}

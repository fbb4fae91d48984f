"""Scalar quality metric as WMT used it with direct assessment: 0 to 100, with labels 0 to 6 at equal steps."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Slider


@dataclass(frozen=True)
class ScalarQuality(Protocol):
    """A slider with the words of a scale from 0 to 6."""

    name = "sqm"
    kinds = ("SQM",)
    item_seconds = 15
    word_seconds = 0.4

    @property
    def phases(self) -> tuple[Phase, ...]:
        """One slider; the labels stand at 0, 2, 4 and 6 sixths."""
        anchors = tuple((100 * k / 6, f"sqm.{k}") for k in (0, 2, 4, 6))
        return (Phase((Slider("score", anchors=anchors, shown_high=6),)),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """The number."""
        return {"SQM": float(answer["score"])} if "score" in answer else {}

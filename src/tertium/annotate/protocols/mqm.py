"""Multidimensional quality metrics: errors with severity and category; the score follows from them. Freitag (2021)."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Spans
from tertium.annotate.typologies import typology_of


@dataclass(frozen=True)
class MQM(Protocol):
    """`typology` is mqm, google, or a file of your own. The score is minus the sum of the weights of the errors."""

    name = "mqm"
    kinds = ("mqm",)
    scale = (-25, 0)
    item_seconds = 45
    word_seconds = 0.6

    typology: str = "mqm"

    def __post_init__(self) -> None:
        typology_of(self.typology)

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Spans alone."""
        typology = typology_of(self.typology)
        return (Phase((Spans(severities=typology.severities, typology=typology, overlapping=True),)),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """Minus the sum of the weights; 25 at most, which is what a non-translation costs."""
        typology = typology_of(self.typology)
        cost = sum(typology.weight(span["severity"], span["category"]) for span in answer.get("spans") or [])
        return {"mqm": 0.0 - min(cost, 25.0)}

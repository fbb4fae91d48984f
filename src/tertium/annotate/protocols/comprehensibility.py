"""Comprehensibility: can the text be understood at all, from 0 to 4, without looking at the source."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Choice


@dataclass(frozen=True)
class Comprehensibility(Protocol):
    """Only the output is shown; from 2 on a text counts as understood."""

    name = "comprehensibility"
    kinds = ("comprehensibility",)
    scale = (0, 4)
    item_seconds = 8
    word_seconds = 0.4

    @property
    def phases(self) -> tuple[Phase, ...]:
        """One question."""
        options = tuple((float(value), f"comprehensibility.{value}") for value in range(5))
        return (Phase((Choice("comprehensibility", options),), source=False),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """The value chosen."""
        return {"comprehensibility": float(answer["comprehensibility"])} if "comprehensibility" in answer else {}

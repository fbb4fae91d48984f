"""Side-by-side preference: which of two outputs is better, and by how much."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Choice


@dataclass(frozen=True)
class Preference(Protocol):
    """Five answers from left to right; the middle says that neither is better."""

    name = "preference"
    outputs = (2, 2)
    kinds = ("preference",)
    scale = (-2, 2)
    pairwise = True
    item_seconds = 12
    word_seconds = 0.4

    @property
    def phases(self) -> tuple[Phase, ...]:
        """One question for both outputs; positive values favour the first."""
        options = tuple((float(value), f"preference.{value}") for value in (2, 1, 0, -1, -2))
        return (Phase((Choice("preference", options, of_item=True),), reference=True),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """By how much this output is better than the other."""
        return {"preference": float(answer["preference"])} if "preference" in answer else {}

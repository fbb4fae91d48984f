"""Adequacy and fluency: how much of the meaning is there, how good the language is. LDC (2005)."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Choice
from tertium.errors import InputError


@dataclass(frozen=True)
class Adequacy(Protocol):
    """Fluency is asked first, with nothing but the output in sight; then adequacy, beside the reference or source."""

    name = "adequacy"
    kinds = ("adequacy", "fluency")
    item_seconds = 15
    word_seconds = 0.6

    points: int = 5

    def __post_init__(self) -> None:
        if self.points not in (5, 7):
            raise InputError(f"adequacy and fluency have points=5 or points=7, not {self.points}.")

    @property
    def scale(self) -> tuple[float, float]:  # type: ignore[override]  # elsewhere it is the kind's, here a setting makes it
        """From the worst to the best score."""
        return (1, self.points)

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Fluency alone, then adequacy."""
        return (
            Phase((Choice("fluency", self._options("fluency")),), source=False),
            Phase((Choice("adequacy", self._options("adequacy")),), reference=True),
        )

    def _options(self, name: str) -> tuple[tuple[float, str], ...]:
        # The seven points keep the five statements; the two new ones lie between them.
        keys = (1, 2, 3, 4, 5) if self.points == 5 else (1, 2, 25, 3, 35, 4, 5)
        return tuple((value, f"{name}.{key}") for value, key in enumerate(keys, start=1))

    def scores(self, answer: Answer) -> dict[str, float]:
        """Both, as they were chosen."""
        return {kind: float(answer[kind]) for kind in self.kinds if kind in answer}

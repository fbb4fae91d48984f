"""Relative ranking: the outputs of up to five systems in order, ties allowed. WMT 2007 to 2016."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Rank
from tertium.errors import InputError


@dataclass(frozen=True)
class Ranking(Protocol):
    """Each output gets a place, 1 the best; equal places are ties."""

    name = "ranking"
    outputs = (2, 5)
    kinds = ("rank",)
    lower_is_better = ("rank",)
    scale = (1, 5)
    pairwise = True
    item_seconds = 20
    word_seconds = 0.5

    columns: int = 5

    def __post_init__(self) -> None:
        if not 2 <= self.columns <= 5:
            raise InputError(f"ranking shows columns=2 to columns=5 outputs, not {self.columns}.")

    @property
    def phases(self) -> tuple[Phase, ...]:
        """A rank for each output; a reference is shown if there is one."""
        return (Phase((Rank(),), reference=True),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """The place."""
        return {"rank": float(answer["rank"])} if "rank" in answer else {}

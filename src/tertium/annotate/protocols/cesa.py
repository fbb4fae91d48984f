"""Contrastive error span annotation: several outputs side by side, spans and a score for each. WMT26."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Slider, Spans
from tertium.errors import InputError

_BANDS = tuple((float(value), f"cesa.{value}") for value in (0, 25, 45, 65, 85))


@dataclass(frozen=True)
class ContrastiveErrorSpans(Protocol):
    """`columns` outputs at once; scores in steps of 5, and below 85 there must be a span that says why."""

    name = "cesa"
    outputs = (2, 6)
    kinds = ("cESA",)
    item_seconds = 25
    word_seconds = 0.15

    columns: int = 3

    def __post_init__(self) -> None:
        if not 2 <= self.columns <= 6:
            raise InputError(f"cesa shows columns=2 to columns=6 outputs side by side, not {self.columns}.")

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Spans and a slider whose words change with its value."""
        return (Phase((Spans(required_below=85), Slider("score", step=5, bands=_BANDS))),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """The number."""
        return {"cESA": float(answer["score"])} if "score" in answer else {}

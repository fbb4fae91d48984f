"""Post-editing: the output put right with as little change as it takes. HTER counts the changes."""

from dataclasses import dataclass

from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.parts import Answer, Edit


@dataclass(frozen=True)
class PostEdit(Protocol):
    """The text is edited in place; keystrokes and active time are kept. Scores are made of the texts afterwards."""

    name = "post-edit"
    kinds = ("hter",)
    lower_is_better = ("hter",)
    item_seconds = 25
    word_seconds = 1.5

    @property
    def phases(self) -> tuple[Phase, ...]:
        """One text."""
        return (Phase((Edit(),)),)

    def scores(self, answer: Answer) -> dict[str, float]:
        """None: HTER needs the tokenizer and shifts of TER, and is made when the study is read."""
        return {}

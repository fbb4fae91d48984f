"""What a protocol is: what is shown and asked, in which order, and which scores that gives."""

from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar

from tertium.annotate.protocols.parts import Answer, Part


@dataclass(frozen=True)
class Phase:
    """One pass over a screen: what is asked, and whether source and reference stand beside the output."""

    parts: tuple[Part, ...]
    source: bool = True
    reference: bool = False


class Protocol:
    """Subclasses are frozen dataclasses whose fields are the settings; one file each.

    `outputs`: how few and how many outputs of a segment stand on a screen. `kinds`: the scores that come out.
    `pairwise`: scores only order the outputs of one screen. `item_seconds` and `word_seconds`: how long an output
    takes, for plans.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    name: ClassVar[str]
    outputs: ClassVar[tuple[int, int]] = (1, 1)
    kinds: ClassVar[tuple[str, ...]]
    lower_is_better: ClassVar[tuple[str, ...]] = ()
    scale: ClassVar[tuple[float, float]] = (0, 100)
    pairwise: ClassVar[bool] = False
    needs_reference: ClassVar[bool] = False
    prefilled: ClassVar[bool] = False
    item_seconds: ClassVar[float] = 20
    word_seconds: ClassVar[float] = 0.5

    @property
    def phases(self) -> tuple[Phase, ...]:
        """What is shown and asked, in order."""
        raise NotImplementedError

    def scores(self, answer: Answer) -> dict[str, float]:
        """Return the score of each kind that the answer gives."""
        raise NotImplementedError

    def missing(self, answer: Answer, phase: int) -> str | None:
        """Return the first field that an answer still lacks in a phase and those before it."""
        for one in self.phases[: phase + 1]:
            for part in one.parts:
                field = part.missing(answer)
                if field is not None:
                    return field
        return None

    def parts(self, phase: int) -> tuple[Part, ...]:
        """Return what is asked up to a phase."""
        return tuple(part for one in self.phases[: phase + 1] for part in one.parts)

    def settings(self) -> dict[str, Any]:
        """Return the settings, as they are stored with a study."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def text(self) -> str:
        """Return the protocol as it is written on the command line."""
        settings = [
            f"{one.name}={getattr(self, one.name)}" for one in fields(self) if getattr(self, one.name) != one.default
        ]
        return self.name + (":" + ",".join(settings) if settings else "")

"""What an alignment is: which words of a hypothesis stand for which words of a reference, and at what cost."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, TypeVar

from tertium.results import Result

Item = TypeVar("Item")


class Operation(NamedTuple):
    """One step: hypothesis[hyp_start:hyp_end] against reference[ref_start:ref_end].

    An insertion is an extra hypothesis word (its reference span is empty), a deletion a missing reference word.
    """

    kind: str  # match, substitution, insertion, deletion; CDER adds jump; METEOR stem, synonym, paraphrase
    hyp_start: int
    hyp_end: int
    ref_start: int
    ref_end: int
    cost: float


class Shift(NamedTuple):
    """A block that moves: hypothesis words [start, end) go before what is word `target` once they are taken out.

    Positions are those of the hypothesis as earlier shifts have left it.
    """

    start: int
    end: int
    target: int
    words: tuple[str, ...]

    def applied(self, items: Sequence[Item]) -> list[Item]:
        """Return the items, one per hypothesis word, in the order in which the shift leaves them."""
        rest = [*items[: self.start], *items[self.end :]]
        return [*rest[: self.target], *items[self.start : self.end], *rest[self.target :]]


def shifts_of(words: Sequence[str], moves: Sequence[tuple[int, int, int, int, int]]) -> tuple[Shift, ...]:
    """Return the shifts of a search: per move where a block starts, its length, and by how many words it goes."""
    current, shifts = list(words), []
    for start, length, by, _, _ in moves:
        shift = Shift(start, start + length, start + by, tuple(current[start : start + length]))
        current = shift.applied(current)
        shifts.append(shift)
    return tuple(shifts)


class Chunk(NamedTuple):
    """Words that are matched as neighbours and in order on both sides."""

    hyp_start: int
    hyp_end: int
    ref_start: int
    ref_end: int


@dataclass(frozen=True, repr=False)
class Alignment(Result):
    """How a metric sees one segment. Operations refer to the hypothesis after all shifts, in order.

    METEOR moves nothing: its operations are in the reference's order, so that hypothesis places may go back.
    """

    metric: str
    hypothesis: tuple[str, ...]  # tokens as they came
    reference: tuple[str, ...]
    reference_index: int  # which of several references was aligned
    score: float
    operations: tuple[Operation, ...]
    shifts: tuple[Shift, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    parts: dict[str, float] = field(default_factory=dict, hash=False)  # what the score is made of
    search: str = ""  # how the alignment was found, where there are several ways

    @property
    def shifted(self) -> tuple[str, ...]:
        """The hypothesis after all shifts."""
        return tuple(self.hypothesis[place] for place in self.order)

    @property
    def moved(self) -> frozenset[int]:
        """The places in the hypothesis after all shifts whose words some shift has moved."""
        order = list(range(len(self.hypothesis)))
        moved: set[int] = set()
        for shift in self.shifts:
            moved.update(order[shift.start : shift.end])
            order = shift.applied(order)
        return frozenset(place for place, word in enumerate(order) if word in moved)

    @property
    def order(self) -> list[int]:
        """For each place of the hypothesis after all shifts where its word stood at first."""
        order = list(range(len(self.hypothesis)))
        for shift in self.shifts:
            order = shift.applied(order)
        return order

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each operation, with its words."""
        words = self.shifted
        return [
            op._asdict()
            | {
                "hypothesis": " ".join(words[op.hyp_start : op.hyp_end]),
                "reference": " ".join(self.reference[op.ref_start : op.ref_end]),
            }
            for op in self.operations
        ]

    def __repr__(self) -> str:
        """Return the words of both sides above each other, with the edits below."""
        from tertium.metrics.drawn_alignment import as_lines, remarks, summary

        return f"{summary(self)}\n{''.join(as_lines(self, width=80))}" + "\n".join(remarks(self))

    def _repr_html_(self) -> str:
        """Return the words of both sides above each other, with the edits in colour."""
        from html import escape

        from tertium.metrics.drawn_alignment import as_steps, remarks, summary

        said = "".join(f"<br><small>{escape(line)}</small>" for line in remarks(self))
        return f"<div><p>{escape(summary(self))}</p>{as_steps(self, styled=True)}{said}</div>"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as `tertium align --format json` prints it."""
        plain = asdict(self)
        if not self.parts:
            for name in ("chunks", "parts", "search"):
                del plain[name]
        else:
            plain["chunks"] = [chunk._asdict() for chunk in self.chunks]
        return plain | {
            "operations": [operation._asdict() for operation in self.operations],
            "shifts": [shift._asdict() | {"words": list(shift.words)} for shift in self.shifts],
            "hypothesis": list(self.hypothesis),
            "reference": list(self.reference),
        }

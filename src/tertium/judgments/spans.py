"""Errors that raters marked in texts: from where to where, how grave, of which category."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.judgments.labels import Ints, Labels
from tertium.results import Result

NOWHERE = -1  # the start and end of an error without a place

SIDES = ("target", "source", "missing")


@dataclass(frozen=True)
class Span(Result):
    """An error. `start` and `end` count code points, the end is exclusive; `text` is what stands between them.

    `side` is where it was marked: in the target, in the source, or nowhere, as something is missing from the target.
    """

    start: int = NOWHERE
    end: int = NOWHERE
    side: str = "target"
    severity: str | None = None
    category: str | None = None
    text: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what is known."""
        place = {"start": self.start, "end": self.end} if self.start != NOWHERE else {}
        rest = {"severity": self.severity, "category": self.category, "text": self.text}
        return {**place, "side": self.side, **{name: value for name, value in rest.items() if value is not None}}


@dataclass(frozen=True, eq=False)
class Spans:
    """The errors of a table of judgments, a row per error; `row` is the judgment each belongs to, in rising order."""

    row: Ints
    start: Ints
    end: Ints
    side: Labels
    severity: Labels
    category: Labels
    text: Labels

    @classmethod
    def of(cls, spans: Sequence[Iterable[Span]]) -> "Spans":
        """Make a table of the spans of each judgment."""
        flat = [(row, span) for row, group in enumerate(spans) for span in group]
        return cls(
            np.array([row for row, _ in flat], np.int64),
            np.array([span.start for _, span in flat], np.int64),
            np.array([span.end for _, span in flat], np.int64),
            Labels.of([span.side for _, span in flat]),
            Labels.of([span.severity for _, span in flat]),
            Labels.of([span.category for _, span in flat]),
            Labels.of([span.text for _, span in flat]),
        )

    def __len__(self) -> int:
        return len(self.row)

    def of_rows(self, rows: Any, count: int) -> "Spans":
        """Return the spans of some of `count` judgments, in the order of `rows`."""
        wanted = np.arange(count)[rows]
        sizes = np.bincount(self.row, minlength=count)
        starts = np.cumsum(sizes) - sizes
        taken = sizes[wanted]
        at = np.repeat(starts[wanted] - (np.cumsum(taken) - taken), taken) + np.arange(int(taken.sum()))
        return Spans(
            np.repeat(np.arange(len(wanted)), taken),
            self.start[at],
            self.end[at],
            self.side[at],
            self.severity[at],
            self.category[at],
            self.text[at],
        )

    def each(self, count: int) -> Iterator[list[Span]]:
        """Return the spans of each of `count` judgments."""
        groups: list[list[Span]] = [[] for _ in range(count)]
        columns = (
            self.row.tolist(), self.start.tolist(), self.end.tolist(), self.side.texts(), self.severity.texts(),
            self.category.texts(), self.text.texts(),
        )  # fmt: skip
        for row, start, end, side, severity, category, text in zip(*columns, strict=True):
            groups[row].append(Span(start, end, side or "target", severity, category, text))
        yield from groups

    @staticmethod
    def joined(parts: "Sequence[tuple[Spans, int]]") -> "Spans":
        """Put the spans of several tables one below the other; each comes with its number of judgments."""
        counts = np.cumsum([0, *(count for _, count in parts)])
        return Spans(
            np.concatenate([part.row + before for (part, _), before in zip(parts, counts.tolist(), strict=False)]),
            np.concatenate([part.start for part, _ in parts]),
            np.concatenate([part.end for part, _ in parts]),
            Labels.joined([part.side for part, _ in parts]),
            Labels.joined([part.severity for part, _ in parts]),
            Labels.joined([part.category for part, _ in parts]),
            Labels.joined([part.text for part, _ in parts]),
        )

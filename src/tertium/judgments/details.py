"""What else is known of judgments: when each was made, how long it took, what was marked in the text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.judgments.labels import Floats, Ints
from tertium.judgments.spans import Span, Spans

UNKNOWN = float("nan")

TIMES = ("started", "ended", "seconds")


@dataclass(frozen=True, eq=False)
class Details:
    """A row per judgment.

    `started` and `ended` are seconds since 1970, `seconds` is the time at work where that was measured; NaN where it
    is not known. `length` is how many code points the judged text has, 0 where it is not known.
    """

    started: Floats
    ended: Floats
    seconds: Floats
    length: Ints
    spans: Spans

    @classmethod
    def of(
        cls,
        rows: int,
        *,
        started: Sequence[float] | Floats | None = None,
        ended: Sequence[float] | Floats | None = None,
        seconds: Sequence[float] | Floats | None = None,
        length: Sequence[int] | Ints | None = None,
        spans: Sequence[Iterable[Span]] | None = None,
    ) -> "Details":
        """Make details of plain columns; those that are not given are not known."""
        unknown = np.full(rows, UNKNOWN)
        return cls(
            unknown if started is None else np.asarray(started, np.float64),
            unknown if ended is None else np.asarray(ended, np.float64),
            unknown if seconds is None else np.asarray(seconds, np.float64),
            np.zeros(rows, np.int64) if length is None else np.asarray(length, np.int64),
            Spans.of(spans if spans is not None else [()] * rows),
        )

    def __len__(self) -> int:
        return len(self.started)

    def __getitem__(self, rows: Any) -> "Details":
        """Return the details of some rows."""
        return Details(
            self.started[rows],
            self.ended[rows],
            self.seconds[rows],
            self.length[rows],
            self.spans.of_rows(rows, len(self)),
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that hold anything."""
        times = tuple(name for name in TIMES if np.isfinite(getattr(self, name)).any())
        return (*times, *(("length",) if self.length.any() else ()), *(("spans",) if len(self.spans) else ()))

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns that hold anything as plain data, None where nothing is known."""
        found: dict[str, list[Any]] = {}
        for name in self.fields:
            if name == "spans":
                found[name] = [[span.to_dict() for span in group] for group in self.spans.each(len(self))]
            elif name == "length":
                found[name] = [length or None for length in self.length.tolist()]
            else:
                found[name] = [value if value == value else None for value in getattr(self, name).tolist()]
        return found

    @staticmethod
    def joined(parts: "Sequence[Details]") -> "Details":
        """Put details one below the other."""
        return Details(
            np.concatenate([part.started for part in parts]),
            np.concatenate([part.ended for part in parts]),
            np.concatenate([part.seconds for part in parts]),
            np.concatenate([part.length for part in parts]),
            Spans.joined([(part.spans, len(part)) for part in parts]),
        )

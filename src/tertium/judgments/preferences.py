"""Pairwise preferences: of two outputs for the same segment, which one is better."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.judgments import segment_ids as ids
from tertium.judgments.labels import Codes, Floats, Ints, Labels, groups

FIELDS = ("first", "second", "document", "segment", "rater", "outcome")

Outcomes = np.ndarray[Any, np.dtype[np.int8]]


@dataclass(frozen=True, eq=False)
class Preferences:
    """A row per judged pair: `outcome` is 1 if the first system is better, -1 if the second is, 0 if neither."""

    system: tuple[str, ...]
    first: Codes
    second: Codes
    segment: Ints
    outcome: Outcomes
    rater: Labels
    document: Labels
    segment_ids: ids.Names = None  # what segments 1, 2, … are called, if they are no lines

    @classmethod
    def empty(cls) -> "Preferences":
        """Return no pairs."""
        return cls.of([], [], [], [])

    @classmethod
    def of(
        cls,
        first: Sequence[str],
        second: Sequence[str],
        segment: Sequence[int] | Ints,
        outcome: Sequence[int] | Outcomes,
        *,
        rater: Sequence[str | None] | None = None,
        document: Sequence[str | None] | None = None,
        segment_ids: Sequence[str] | None = None,
    ) -> "Preferences":
        """Make preferences of plain columns."""
        both = Labels.of([*first, *second])
        count = len(first)
        return cls(
            both.names,
            both.codes[:count],
            both.codes[count:],
            np.asarray(segment, np.int64),
            np.asarray(outcome, np.int8),
            Labels.of(rater) if rater is not None else Labels.constant(None, count),
            Labels.of(document) if document is not None else Labels.constant(None, count),
            None if segment_ids is None else tuple(segment_ids),
        )

    def __len__(self) -> int:
        return len(self.outcome)

    def __getitem__(self, rows: Any) -> "Preferences":
        """Return some of the pairs."""
        return Preferences(
            self.system,
            self.first[rows],
            self.second[rows],
            self.segment[rows],
            self.outcome[rows],
            self.rater[rows],
            self.document[rows],
            self.segment_ids,
        )

    def differences(self, scores: Mapping[str, Floats]) -> Floats:
        """Return for each pair the first system's segment score minus the second's; NaN where one is missing."""
        if not len(self):
            return np.zeros(0)
        ids.refuse_names(self.segment_ids, "The preferences")
        if self.segment.min() < 1:
            raise InputError("Some pairs have no segment number, so segment scores cannot be compared with them.")
        length = max(int(self.segment.max()), *(len(column) for column in scores.values()), 1)
        table = np.full((len(self.system), length), np.nan)
        for index, name in enumerate(self.system):
            if name in scores:
                table[index, : len(scores[name])] = scores[name]
        places = self.segment - 1
        return np.asarray(table[self.first, places] - table[self.second, places], np.float64)

    def restricted(
        self, systems: Sequence[str], segments: int, *, warn: Callable[[str], None] = lambda message: None
    ) -> "Preferences":
        """Return the pairs of these systems; others are left out and counted. Refuse segments beyond the last."""
        ids.refuse_names(self.segment_ids, "The preferences")
        beyond = np.flatnonzero(self.segment > segments)
        if len(beyond):
            raise InputError(
                f"A preference is about segment {self.segment[beyond[0]]:,}, but there are only {segments:,} segments."
            )
        known = np.array([name in set(systems) for name in self.system], bool)
        kept = known[self.first] & known[self.second] if len(self) else np.zeros(0, bool)
        lost = len(self) - int(kept.sum())
        if lost:
            others = [name for name in self.system if name not in set(systems)]
            warn(f"{lost:,} preferences are about systems that were not given ({_some(others)}); they were left out.")
        return self[kept]

    def repeated(self) -> int:
        """Return how many pairs were compared before by the same rater, whichever came first."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        first, _ = groups(self.segment, low, high, self.rater.codes, self.document.codes)
        return len(self) - len(first)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return for each system how many pairs it won, lost and tied."""
        found = {}
        for code, name in enumerate(self.system):
            ours = np.concatenate([self.outcome[self.first == code], -self.outcome[self.second == code]])
            found[name] = {
                "wins": int((ours > 0).sum()),
                "losses": int((ours < 0).sum()),
                "ties": int((ours == 0).sum()),
            }
        return found

    def records(self) -> Iterator[dict[str, Any]]:
        """Return the pairs as a tidy file holds them."""
        columns = (
            [self.system[code] for code in self.first.tolist()],
            [self.system[code] for code in self.second.tolist()],
            self.document.texts(),
            ids.called(self.segment, self.segment_ids),
            self.rater.texts(),
            [("worse", "tie", "better")[outcome + 1] for outcome in self.outcome.tolist()],
        )
        for values in zip(*columns, strict=True):
            yield dict(zip(FIELDS, values, strict=True))

    @staticmethod
    def joined(parts: "Sequence[Preferences]") -> "Preferences":
        """Put preferences one below the other."""
        parts = [part for part in parts if len(part)]
        if not parts:
            return Preferences.empty()
        segment, segment_ids = ids.joined([(part.segment, part.segment_ids) for part in parts])
        first = Labels.joined([Labels(part.system, part.first) for part in parts])
        second = Labels.joined([Labels(part.system, part.second) for part in parts])
        return Preferences(
            first.names,
            first.codes,
            second.codes,
            segment,
            np.concatenate([part.outcome for part in parts]),
            Labels.joined([part.rater for part in parts]),
            Labels.joined([part.document for part in parts]),
            segment_ids,
        )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")

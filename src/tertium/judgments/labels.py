"""Columns of names, held once each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Codes = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of names: each name once, and for each row which one it is (-1: not given)."""

    names: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, values: Iterable[str | None]) -> "Labels":
        """Make a column of names, in order of their first appearance; "" and None are not given."""
        values = values if isinstance(values, list | tuple) else list(values)
        names = tuple(str(name) for name in dict.fromkeys(values) if name)
        index: dict[str | None, int] = {"": -1, None: -1} | {name: code for code, name in enumerate(names)}
        return cls(names, np.fromiter(map(index.__getitem__, values), np.int32, len(values)))

    @classmethod
    def constant(cls, name: str | None, rows: int) -> "Labels":
        """Make a column that says the same in every row, or nothing."""
        return cls((), np.full(rows, -1, np.int32)) if name is None else cls((name,), np.zeros(rows, np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> "Labels":
        """Return some rows; names that no longer occur are left out."""
        return Labels(self.names, self.codes[rows]).used()

    def used(self) -> "Labels":
        """Return the same column without names that do not occur."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names))
        if counts.all():
            return self
        new = np.full(len(self.names) + 1, -1, np.int32)  # the last one is for -1
        kept = np.flatnonzero(counts)
        new[kept] = np.arange(len(kept))
        return Labels(tuple(self.names[i] for i in kept), new[self.codes])

    def code(self, name: str) -> int:
        """Return the code of a name, -1 if it does not occur."""
        return self.names.index(name) if name in self.names else -1

    def recoded(self, names: Sequence[str]) -> Codes:
        """Return the codes under another list of names; -1 for names that are not in it."""
        places = {name: i for i, name in enumerate(names)}
        new = np.array([*(places.get(name, -1) for name in self.names), -1], np.int32)
        return new[self.codes]

    def texts(self) -> list[str | None]:
        """Return the name of each row."""
        names: list[str | None] = [*self.names, None]
        return [names[code] for code in self.codes.tolist()]

    @staticmethod
    def joined(columns: "Sequence[Labels]") -> "Labels":
        """Put columns one below the other."""
        names = tuple(dict.fromkeys(name for column in columns for name in column.names))
        codes = [column.recoded(names) for column in columns]
        return Labels(names, np.concatenate(codes) if codes else np.zeros(0, np.int32))


def groups(*columns: Codes | Ints) -> tuple[Ints, Ints]:
    """Return for each group of rows with equal values the first such row, and for each row its group.

    Groups are in the order of their values, the first column counting most.
    """
    inverse = np.zeros(len(columns[0]), np.int64)
    first = np.zeros(0, np.int64)
    for column in columns:
        low = int(column.min()) if len(column) else 0
        span = int(column.max()) - low + 1 if len(column) else 1
        if span > 1 << 31:  # too far apart to be combined as they are
            column = np.unique(column, return_inverse=True)[1]
            low, span = 0, int(column.max()) + 1
        _, first, inverse = np.unique(inverse * span + (column - low), return_index=True, return_inverse=True)
    return first, inverse


def group_means(values: Floats, weights: Floats, inverse: Ints, count: int) -> Floats:
    """Return the weighted mean of each group."""
    sums = np.bincount(inverse, values * weights, minlength=count)
    return np.asarray(sums / np.bincount(inverse, weights, minlength=count), np.float64)

"""Segments that are called by name, because the file knows nothing of lines: numbered by a list of names."""

from collections.abc import Sequence

import numpy as np

from tertium.errors import Argument, InputError
from tertium.judgments.labels import Ints, Labels

Names = tuple[str, ...] | None  # what segment 1, 2, … are called; None if they are lines of the test set


def named(names: Sequence[str | None]) -> tuple[Ints, tuple[str, ...]]:
    """Return numbers for names, in order of first appearance, from 1 (0: no segment), and what they are called."""
    labels = Labels.of(names)
    return labels.codes.astype(np.int64) + 1, labels.names


def called(segment: Ints, names: Names) -> list[int | str | None]:
    """Return what segments are called: their numbers, or their names where they have some; None for 0."""
    return [(number if names is None else names[number - 1]) if number else None for number in segment.tolist()]


def place_name(document: str, place: int) -> str:
    """Return what a segment is called that is known by its place in a document."""
    return f"{document}:{place}"


def refuse_names(names: Names, what: str) -> None:
    """Refuse to take names for lines."""
    if names:
        raise InputError(
            f"{what} call segments by name, such as '{names[0]}', so it is not known which line each is. Give ",
            Argument("documents"),
            ", one id per line, where a name is document:place in it; else ",
            Argument("segment_ids"),
            ", the names of all lines.",
        )


def joined(parts: Sequence[tuple[Ints, Names]]) -> tuple[Ints, Names]:
    """Put columns of segments one below the other; refuse to mix lines with names."""
    lines = [bool((segment > 0).any()) for segment, names in parts if names is None]
    called = [names for _, names in parts if names is not None]
    if not called:
        return (np.concatenate([segment for segment, _ in parts]) if parts else np.zeros(0, np.int64)), None
    if any(lines):
        raise InputError(
            f"Some of these judgments number segments, others call them by name, such as '{(called[0] or ('',))[0]}': "
            "it is not known which are the same. Read them apart."
        )
    labels = Labels.joined([Labels(names or (), (segment - 1).astype(np.int32)) for segment, names in parts])
    return labels.codes.astype(np.int64) + 1, labels.names

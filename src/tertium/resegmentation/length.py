"""Cuts by length alone: paragraphs, or sentences where those do not suffice, are shared out to segments.

Where a translation of a document has other paragraphs than the reference, and words say little (another language, a
free translation), lengths still do. With f characters of the hypothesis per character of the references, the cuts have
the least sum of | f * length of the reference - length of the piece | over segments, of all ways to cut at ends of
lines. If there are fewer lines than segments, ends of sentences count, too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError

_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？｡]+[」』”’）]*")
_MOST = 4_000_000_000  # cells of all tables, about a minute


@dataclass(frozen=True)
class LengthCuts:
    """Where each piece ends, how sure that is, and what all pieces cost, in characters."""

    ends: list[int]
    confidence: list[float]
    cost: float


def cuts_by_length(text: str, lengths: Sequence[float]) -> LengthCuts:
    """Cut a document for references of these lengths, blanks not counted."""
    places = _places(text, len(lengths))
    if len(places) ** 2 * len(lengths) > _MOST:
        raise InputError(
            f"A document of {len(lengths):,} segments and {len(places):,} lines or sentences is too long to be cut by "
            "length. Cut it into documents first, or align words (soft)."
        )
    widths = np.cumsum([0, *(len("".join(text[a:b].split())) for a, b in pairwise(places))], dtype=np.float64)
    factor = widths[-1] / max(sum(lengths), 1.0)
    wanted = [factor * length for length in lengths]
    before = _tables(widths, wanted)
    behind = [table[::-1] for table in _tables(widths[-1] - widths[::-1], wanted[::-1])][::-1]
    ends, place = [len(places) - 1], len(places) - 1
    for table, length in zip(before[-2:0:-1], wanted[:0:-1], strict=True):
        place = int(np.argmin(table[: place + 1] + np.abs(length - (widths[place] - widths[: place + 1]))))
        ends.append(place)
    ends.reverse()
    scale = 0.1 * float(widths[-1]) / len(lengths) + 1
    sure = []
    for segment, end in enumerate(ends):
        total = before[segment + 1] + behind[segment + 1]
        sure.append(
            1.0 if segment + 1 == len(ends) else float(1 / np.exp(np.minimum(total[end] - total, 0) / scale).sum())
        )
    return LengthCuts([places[end] for end in ends], sure, float(before[-1][-1]))


def _places(text: str, segments: int) -> list[int]:
    """Return where cuts are allowed, with both ends of the text."""
    lines = {found.end() for found in re.finditer(r"\n", text)}
    if len(lines) + 1 < segments:
        lines |= {found.end() for found in _SENTENCE_END.finditer(text)}
    return sorted({0, *lines, len(text)})


def _tables(widths: NDArray[np.float64], wanted: Sequence[float]) -> list[NDArray[np.float64]]:
    """Return, for each number of segments, the least cost of having cut them from all before each place."""
    table = np.full(len(widths), np.inf)
    table[0] = 0
    tables = [table]
    pieces = widths[:, None] - widths[None, :]  # from the second place to the first
    for length in wanted:
        costs = np.where(pieces >= 0, np.abs(length - pieces), np.inf)
        table = (costs + table[None, :]).min(axis=1)
        tables.append(table)
    return tables

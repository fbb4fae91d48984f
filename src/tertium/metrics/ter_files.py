"""tercom's reports, made from alignments: what it writes to files named .ter, .sum, .sum_nbest, .pra and .pra_more.

Words are printed as TER sees them, so in lower case unless case counts. Everything here is text in, text out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from tertium.metrics.ter import TER, Tracks

_SUMMARY = "{:<19} | {:4d} | {:4d} | {:4d} | {:4d} | {:4d} | {:6.1f} | {:8.3f} | {:8.3f}\n"
_RULE = "-" * 85 + "\n"


@dataclass(frozen=True)
class ReportedSegment:
    """A segment's id, as in tercom's `trans` files, and its alignment."""

    id: str
    tracks: Tracks

    @property
    def key(self) -> str:
        """The id with its rank in an n-best list, which is 1 where none is given."""
        return self.id if ":" in self.id else f"{self.id}:1"

    @property
    def score(self) -> float:
        """Edits per reference word, not in percent."""
        edits, words = self.tracks.edits, self.tracks.reference_length
        return edits / words if words > 0 else float(edits > 0)

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """Insertions, deletions, substitutions, shifts and shifted words."""
        letters, shifts = self.tracks.operations, self.tracks.alignment.shifts
        kinds = (letters.count("I"), letters.count("D"), letters.count("S"))
        return (*kinds, len(shifts), sum(len(shift.words) for shift in shifts))


def reported(
    metric: TER, ids: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> list[ReportedSegment]:
    """Align segments for the reports below."""
    triples = zip(ids, hypotheses, references, strict=True)
    return [ReportedSegment(id, metric.tracks(hypothesis, group)) for id, hypothesis, group in triples]


def ter_file(segments: Sequence[ReportedSegment], *, hypothesis_file: str, reference_file: str) -> str:
    """Return the `.ter` report: id, edits, words and score of each segment."""
    rows = (f"{one.key} {_numbers(one, ' ')} {java_double(one.score)}\n" for one in segments)
    return _heading(hypothesis_file, reference_file) + "".join(rows)


def sum_file(segments: Sequence[ReportedSegment], *, hypothesis_file: str, reference_file: str) -> str:
    """Return the `.sum` report: a table of counts with totals."""
    names = "Sent Id             | Ins  | Del  | Sub  | Shft | WdSh | NumEr  | NumWd    | TER     \n"
    rows = "".join(_summary(one.key, one) for one in segments)
    totals = [sum(column) for column in zip(*(one.counts for one in segments), strict=True)] or [0] * 5
    # The program adds up in single precision, which shows in the last digits of large totals.
    edits, words = np.float32(0), np.float32(0)
    for one in segments:
        edits, words = np.float32(edits + one.tracks.edits), np.float32(words + one.tracks.reference_length)
    score = float(edits / words) if words > 0 else float(edits > 0)
    total = _SUMMARY.format("TOTAL", *totals, float(edits), float(words), 100 * score)
    return _heading(hypothesis_file, reference_file) + names + _RULE + rows + _RULE + total


def sum_nbest_file(segments: Sequence[ReportedSegment]) -> str:
    """Return the `.sum_nbest` report: the rows of `.sum` without bars and totals."""
    return "".join(_summary(one.key, one).replace(" |", "") for one in segments)


def pra_file(segments: Sequence[ReportedSegment]) -> str:
    """Return the `.pra` report: per segment the words, the operations as letters, the shifts."""
    return "".join(f"Sentence ID: {one.key}\n{_pra(one)}\n\n" for one in segments)


def pra_more_file(segments: Sequence[ReportedSegment]) -> str:
    """Return the `.pra_more` report: per segment a grid with reference, hypothesis, operations and shifts."""
    return "".join(_pra_more(one) for one in segments)


def total_line(segments: Sequence[ReportedSegment]) -> str:
    """Return what the program prints last: the score of all segments together."""
    edits = sum(one.tracks.edits for one in segments)
    words = sum(one.tracks.reference_length for one in segments)
    score = edits / words if words > 0 else float(edits > 0)
    return f"Total TER: {java_double(score)} ({java_double(edits)}/{java_double(words)})\n"


def java_double(value: float) -> str:
    """Return a number as Java prints it: always with a point, with E for very small and very large ones."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(float(value))
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    return f"{'-' * sign}{first}.{''.join(rest) or '0'}E{len(rest) + int(exponent)}"


def _heading(hypothesis_file: str, reference_file: str) -> str:
    return f"Hypothesis File: {hypothesis_file}\nReference File: {reference_file}\n"


def _numbers(one: ReportedSegment, between: str) -> str:
    return f"{java_double(one.tracks.edits)}{between}{java_double(one.tracks.reference_length)}"


def _summary(key: str, one: ReportedSegment) -> str:
    return _SUMMARY.format(key, *one.counts, one.tracks.edits, one.tracks.reference_length, 100 * one.score)


def _pra(one: ReportedSegment) -> str:
    tracks, alignment = one.tracks, one.tracks.alignment
    shifts = "".join(
        f"\n  [{shift.start}, {shift.end - 1}, {aim}/{place}] ([{', '.join(shift.words)}])"
        for shift, (aim, place) in zip(alignment.shifts, tracks.aims, strict=True)
    )
    return (
        f"Original Ref: {' '.join(alignment.reference)}\n"
        f"Original Hyp: {' '.join(alignment.hypothesis)}\n"
        f"Hyp After Shift: {' '.join(alignment.shifted)}\n"
        f"Alignment: ({tracks.operations})\n"
        f"NumShifts: {len(alignment.shifts)}{shifts}\n"
        f"Score: {java_double(one.score)} ({_numbers(one, '/')})"
    )


def _pra_more(one: ReportedSegment) -> str:
    tracks, alignment = one.tracks, one.tracks.alignment
    shifted, marks = alignment.shifted, _shift_marks(tracks)
    rows: dict[str, list[str]] = {"REF:": [], "HYP:": [], "EVAL:": [], "SHFT:": []}
    for operation, letter in zip(alignment.operations, tracks.operations, strict=True):
        theirs = alignment.reference[operation.ref_start] if letter != "I" else ""
        ours = shifted[operation.hyp_start] if letter != "D" else ""
        if letter != " ":
            theirs, ours = theirs.upper(), ours.upper()
        missing = "*" * max(len(theirs), len(ours))
        cells = (theirs or missing, ours or missing, letter.strip(), marks.get(operation.hyp_start, "") if ours else "")
        width = max(map(len, cells))
        for row, cell in zip(rows.values(), cells, strict=True):
            row.append(cell.ljust(width))
    grid = "".join(f"{name:<6}{' '.join(row)}\n" for name, row in rows.items())
    edits, words = tracks.edits, tracks.reference_length
    return (
        f"Sentence ID: {one.key}\n"
        f"Best Ref: {' '.join(alignment.reference)}\n"
        f"Orig Hyp: {' '.join(alignment.hypothesis)}\n\n"
        f"{grid}TER Score: {100 * one.score:6.2f} ({edits:5.1f}/{words:5.1f})\n\n"
    )


def _shift_marks(tracks: Tracks) -> dict[int, str]:
    """Return, per place after all shifts, the numbers of the shifts that moved the word there, from 1 on."""
    places = list(range(len(tracks.alignment.hypothesis)))
    moved: dict[int, list[str]] = {}
    for number, shift in enumerate(tracks.alignment.shifts, start=1):
        block = places[shift.start : shift.end]
        del places[shift.start : shift.end]
        places[shift.target : shift.target] = block
        for word in block:
            moved.setdefault(word, []).append(str(number))
    return {place: ",".join(moved[word]) for place, word in enumerate(places) if word in moved}

"""tercom's reports, made from alignments: its files .ter, .sum, .sum_nbest, .pra, .pra_more and .xml.

Words are printed as TER sees them, so in lower case unless case counts. Everything here is text in, text out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from tertium.metrics.ter.metric import TER, Tracks

FORMATS = ("ter", "sum", "sum_nbest", "pra", "pra_more", "xml")

_ROW = "{:<19} | {:4d} | {:4d} | {:4d} | {:4d} | {:4d} | {:6.1f} | {:8.3f} | {:8.3f}\n"
_TOTAL = "{:<19} | {:<4d} | {:<4d} | {:<4d} | {:<4d} | {:<4d} | {:<6.1f} | {:<8.3f} | {:<8.3f}\n"
_NAMES = "Sent Id             | Ins  | Del  | Sub  | Shft | WdSh | NumEr  | NumWd    | TER     \n"
_RULE = "-" * 85 + "\n"
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True)
class Origin:
    """What the reports say of where their segments come from."""

    hypothesis_file: str
    reference_file: str
    case_sensitive: bool = False
    made: datetime | None = None  # now, unless given


@dataclass(frozen=True)
class ReportedSegment:
    """A segment's id, as in tercom's `trans` files, and its alignment."""

    id: str
    tracks: Tracks
    stages: tuple[str, ...]  # per shift, the operations once it is made

    @property
    def key(self) -> str:
        """The id with its rank in an n-best list, which is 1 where none is given."""
        return ":".join(self.id_and_rank)

    @property
    def id_and_rank(self) -> tuple[str, str]:
        """The two parts of the key."""
        name, colon, rank = self.id.rpartition(":")
        return (name, rank) if colon and rank.isdigit() else (self.id, "1")

    @property
    def score(self) -> float:
        """Edits per reference word, not in percent."""
        return _rate(self.tracks.edits, self.tracks.reference_length)

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """Insertions, deletions, substitutions, shifts and shifted words."""
        letters, shifts = self.tracks.operations, self.tracks.alignment.shifts
        kinds = (letters.count("I"), letters.count("D"), letters.count("S"))
        return (*kinds, len(shifts), sum(len(shift.words) for shift in shifts))


def reported(metric: TER, id: str, hypothesis: str, references: Sequence[str]) -> ReportedSegment:
    """Align a segment for the reports below."""
    tracks = metric.tracks(hypothesis, references)
    words = list(tracks.alignment.hypothesis)
    stages = []
    for shift in tracks.alignment.shifts[:-1]:
        words = shift.applied(words)
        stages.append(metric.operations_without_shifts(words, tracks.alignment.reference))
    return ReportedSegment(id, tracks, (*stages, tracks.operations) if tracks.alignment.shifts else ())


def report(kind: str, segments: Iterable[ReportedSegment], origin: Origin) -> Iterator[str]:
    """Return one of the reports, piece by piece."""
    if kind == "ter":
        yield _files(origin)
        for one in segments:
            yield f"{one.key} {_numbers(one, ' ')} {java_double(one.score)}\n"
    elif kind == "sum":
        yield from _summary(segments, origin)
    elif kind == "sum_nbest":
        for one in segments:
            yield _row(one).replace(" |", "")
    elif kind == "pra":
        for one in segments:
            yield _pra(one)
    elif kind == "pra_more":
        for one in segments:
            yield _pra_more(one)
    else:
        yield from _xml(segments, origin)


def java_double(value: float) -> str:
    """Return a number as Java prints it: always with a point, with E for very small and very large ones."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(float(value))
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    return f"{'-' * sign}{first}.{''.join(rest) or '0'}E{len(rest) + int(exponent)}"


def _rate(edits: float, words: float) -> float:
    return edits / words if words > 0 else float(edits > 0)


def _files(origin: Origin) -> str:
    return f"Hypothesis File: {origin.hypothesis_file}\nReference File: {origin.reference_file}\n"


def _numbers(one: ReportedSegment, between: str) -> str:
    return f"{java_double(one.tracks.edits)}{between}{java_double(one.tracks.reference_length)}"


def _row(one: ReportedSegment) -> str:
    return _ROW.format(one.key, *one.counts, one.tracks.edits, one.tracks.reference_length, 100 * one.score)


def _summary(segments: Iterable[ReportedSegment], origin: Origin) -> Iterator[str]:
    yield _files(origin) + f"Ave-Reference File: {origin.reference_file}\n" + _NAMES + _RULE
    counts = np.zeros(5, np.int64)
    # The program adds up in single precision, which shows in the last digits of large totals.
    edits, words = np.float32(0), np.float32(0)
    for one in segments:
        yield _row(one)
        counts += one.counts
        edits, words = np.float32(edits + one.tracks.edits), np.float32(words + one.tracks.reference_length)
    totals = (float(edits), float(words), 100 * _rate(float(edits), float(words)))
    yield _RULE + _TOTAL.format("TOTAL", *counts.tolist(), *totals)


def _pra(one: ReportedSegment) -> str:
    tracks, alignment = one.tracks, one.tracks.alignment
    shifts = "".join(
        f"\n  [{shift.start}, {shift.end - 1}, {aim}/{place}] ([{', '.join(shift.words)}])"
        for shift, (aim, place) in zip(alignment.shifts, tracks.aims, strict=True)
    )
    return (
        f"Sentence ID: {one.key}\n"
        f"Original Ref: {' '.join(alignment.reference)}\n"
        f"Original Hyp: {' '.join(alignment.hypothesis)}\n"
        f"Hyp After Shift: {' '.join(alignment.shifted)}\n"
        f"Alignment: ({tracks.operations})\n"
        f"NumShifts: {len(alignment.shifts)}{shifts}\n"
        f"Score: {java_double(one.score)} ({_numbers(one, '/')})\n\n"
    )


@dataclass(frozen=True)
class _Moved:
    """A shift as tercom describes it: by the place of a hypothesis word that its block is to follow.

    A block that is aimed into itself goes further right than this says; the program's reports say it all the same.
    """

    number: int
    start: int
    end: int  # of the last word
    place: int

    @property
    def left(self) -> bool:
        """Whether it went to the left."""
        return self.place < self.start

    @property
    def by(self) -> int:
        """How many words it went to the right; fewer than none to the left."""
        return self.place + 1 - self.start if self.left else self.place - self.end

    @property
    def first(self) -> int:
        """Where its first word is then."""
        return max(0, self.start + self.by)

    @property
    def last(self) -> int:
        """Where its last word is then."""
        return self.end + self.by

    @property
    def gap(self) -> int:
        """Where the word is then that it stood before."""
        return self.end + 1 if self.left else self.start


def _moves(tracks: Tracks) -> list[_Moved]:
    pairs = zip(tracks.alignment.shifts, tracks.aims, strict=True)
    return [
        _Moved(number, shift.start, shift.end - 1, place) for number, (shift, (_, place)) in enumerate(pairs, start=1)
    ]


def _pra_more(one: ReportedSegment) -> str:
    alignment, moves = one.tracks.alignment, _moves(one.tracks)
    words = list(alignment.hypothesis)
    orders = [list(range(len(words)))]  # after each shift: which word of the original stands where
    for shift in alignment.shifts:
        orders.append(shift.applied(orders[-1]))
    marks = _Marks(len(words))
    for move, order in zip(moves, orders[1:], strict=True):
        marks.add(move, order)
    grid = _grid(alignment.reference, [words[k] for k in orders[-1]], one.tracks.operations, marks.placed(orders[-1]))
    edits, length = one.tracks.edits, one.tracks.reference_length
    pieces = [
        f"Sentence ID: {one.key}\n"
        f"Best Ref: {' '.join(alignment.reference)}\n"
        f"Orig Hyp: {' '.join(alignment.hypothesis)}\n\n"
        f"REF:  {grid[0]}\nHYP:  {grid[1]}\nEVAL: {grid[2]}\nSHFT: {grid[3]}\n"
        f"TER Score: {100 * one.score:6.2f} ({edits:5.1f}/{length:5.1f})\n\n"
    ]
    for move, shift, order, operations in zip(moves, alignment.shifts, orders[1:], one.stages, strict=True):
        alone = _Marks(len(words))
        alone.add(move, order)
        grid = _grid(alignment.reference, [words[k] for k in order], operations, alone.placed(order))
        way = f"{-move.by} words left" if move.left else f"{move.by} words right"
        pieces.append(f"Shift [{', '.join(shift.words)}] {way}\n REF:  {grid[0]}\n HYP:  {grid[1]}\n\n")
    return "".join(pieces) + "\n\n"


class _Marks:
    """Brackets around blocks that came, @ where they left; they keep to their words when those move on."""

    def __init__(self, count: int) -> None:
        self._before: list[list[tuple[str, int]]] = [[] for _ in range(count + 1)]
        self._after: list[list[tuple[str, int]]] = [[] for _ in range(count)]

    def add(self, move: _Moved, order: Sequence[int]) -> None:
        count = len(order)
        self._before[order[move.gap] if move.gap < count else count].append(("@", move.number))
        self._before[order[move.first]].append(("[", move.number))
        self._after[order[move.last]].append(("]", move.number))

    def placed(self, order: Sequence[int]) -> tuple[list[list[tuple[str, int]]], list[list[tuple[str, int]]]]:
        """Return what stands before each place, and at the very end, and what stands after each."""
        before = [sorted(self._before[word], key=lambda mark: mark[0] != "@") for word in (*order, len(order))]
        return before, [self._after[word] for word in order]


def _grid(
    reference: Sequence[str],
    words: Sequence[str],
    operations: str,
    marks: tuple[list[list[tuple[str, int]]], list[list[tuple[str, int]]]],
) -> list[str]:
    """Return four lines whose columns are as wide as their widest cell."""
    before, after = marks
    columns: list[tuple[str, str, str, str]] = []

    def mark(placed: list[tuple[str, int]]) -> None:
        columns.extend(("", sign, "", str(number)) for sign, number in placed)

    i = j = 0
    for letter in operations:
        theirs, ours = "" if letter == "I" else reference[i], "" if letter == "D" else words[j]
        if letter != "D":
            mark(before[j])
        columns.append((theirs or "*" * _java_length(ours), ours or "*" * _java_length(theirs), letter.strip(), ""))
        if letter != "D":
            mark(after[j])
        i, j = i + (letter != "I"), j + (letter != "D")
    mark(before[len(words)])
    widths = [max(map(_java_length, column)) for column in columns]
    return [
        " ".join(cell + " " * (width - _java_length(cell)) for cell, width in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ] or [""] * 4


def _java_length(text: str) -> int:
    """Return how long Java thinks a text is: characters beyond U+FFFF count twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def _xml(segments: Iterable[ReportedSegment], origin: Origin) -> Iterator[str]:
    now = origin.made or datetime.now()
    made = f"{now:%H:%M:%S}, {_DAYS[now.weekday()]}, {now:%m %d %Y}"
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<system title="Byblos" hyp_fname={_attribute(origin.hypothesis_file)}'
        f' ref_fname={_attribute(origin.reference_file)} creation_date="{made}"'
        f' case_sense="{int(origin.case_sensitive)}">\n'
        '<tstset setid="" srclang="" trglang="">\n  <doc docid="">\n'
    )
    for one in segments:
        name, rank = one.id_and_rank
        yield (
            f"    <seg segid={_attribute(name)}>\n"
            f'      <hyp id="{rank}" refid="" wrd_cnt="{java_double(one.tracks.reference_length)}"'
            f' num_errs="{java_double(one.tracks.edits)}">\n'
            f"{_xml_words(one.tracks)}      </hyp>\n    </seg>\n"
        )
    yield "  </doc>\n</tstset>\n</system>"


def _xml_words(tracks: Tracks) -> str:
    alignment, shifted, moves = tracks.alignment, tracks.alignment.shifted, _moves(tracks)
    lines = []
    for operation, letter in zip(alignment.operations, tracks.operations, strict=True):
        place = operation.hyp_start
        # The first shift that ended here, wherever later shifts have brought its words: so it is in the program.
        by = next((move.by for move in moves if letter != "D" and move.first <= place <= move.last), 0)
        theirs = " ".join(alignment.reference[operation.ref_start : operation.ref_end])
        ours = " ".join(shifted[place : operation.hyp_end])
        lines.append(f'        "{escape(theirs)}","{escape(ours)}",{"C" if letter == " " else letter},{by}\n')
    return "".join(lines)


def _attribute(text: str) -> str:
    return quoteattr(text, {'"': "&quot;"})

"""Alignments as text for a terminal, and as a page."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from unicodedata import combining, east_asian_width

from tertium.metrics.alignment import Alignment, Operation
from tertium.report.pages.page import framed
from tertium.text.visible import visible

_MARKS = {
    "match": "",
    "stem": "stem",
    "synonym": "syn",
    "phrase": "para",
    "paraphrase": "para",
    "substitution": "S",
    "insertion": "I",
    "deletion": "D",
    "jump": "J",
}
_COLORS = {
    "stem": "32",  # green
    "synonym": "32",
    "phrase": "32",
    "paraphrase": "32",
    "substitution": "33",  # yellow
    "insertion": "34",  # blue
    "deletion": "35",  # magenta
    "jump": "36",  # cyan
    "moved": "32",  # words that match where a shift has brought them
}


@dataclass(frozen=True)
class Shown:
    """An alignment with where it comes from."""

    system: str
    segment: int
    alignment: Alignment


@dataclass(frozen=True)
class _Cell:
    """One step of an alignment, as three lines."""

    reference: str
    hypothesis: str
    mark: str
    kind: str

    @property
    def width(self) -> int:
        return max(map(shown_width, (self.reference, self.hypothesis, self.mark)))


def shown_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def as_text(items: Iterable[Shown], *, color: bool, width: int | None = None) -> Iterator[str]:
    """Return alignments as lines of text that fit the window, piece by piece."""
    columns = width or shutil.get_terminal_size((80, 24)).columns
    for item in items:
        yield visible(_heading(item)) + "\n"
        for block in _wrapped(_cells(item.alignment), columns - 5):
            yield _lines(block, color)
        for line in _remarks(item.alignment):
            yield f"  {visible(line)}\n"
        yield "\n"


def _remarks(alignment: Alignment) -> Iterator[str]:
    """Return what stands below an alignment: what moved, what keeps together, what the score is made of."""
    for number, shift in enumerate(alignment.shifts, start=1):
        words = " ".join(shift.words)
        yield f"shift {number}: '{words}', words {shift.start + 1} to {shift.end}, to place {shift.target + 1}"
    for number, chunk in enumerate(alignment.chunks, start=1):
        ours = " ".join(alignment.hypothesis[chunk.hyp_start : chunk.hyp_end])
        theirs = " ".join(alignment.reference[chunk.ref_start : chunk.ref_end])
        yield f"chunk {number}: '{ours}'" + ("" if ours == theirs else f" for '{theirs}'")
    if parts := alignment.parts:
        yield (
            f"precision {parts['precision']:.2f}, recall {parts['recall']:.2f}, mean {parts['fmean']:.2f}, penalty "
            f"{parts['penalty']:.4f} (fragmentation {parts['fragmentation']:.4f}); {alignment.search} search"
        )
    for theirs, ours, cost in _phrases(alignment):
        yield f"phrase: '{theirs}' as '{ours}', cost {cost:.4g}"


def _phrases(alignment: Alignment) -> Iterator[tuple[str, str, float]]:
    """Yield the paraphrases used: in the reference, in the hypothesis, and what they cost."""
    for op in alignment.operations:
        if op.kind == "phrase":
            theirs = " ".join(alignment.reference[op.ref_start : op.ref_end])
            yield theirs, " ".join(alignment.shifted[op.hyp_start : op.hyp_end]), op.cost


def _heading(item: Shown) -> str:
    alignment = item.alignment
    counted = [kind for kind in _MARKS if kind != "match" or alignment.parts]
    counts = {kind: sum(op.kind == kind for op in alignment.operations) for kind in counted}
    edits = [f"{count} {kind}{_plural(kind, count)}" for kind, count in counts.items() if count]
    if alignment.shifts:
        edits.append(f"{len(alignment.shifts)} shift{'' if len(alignment.shifts) == 1 else 's'}")
    system = f"{item.system}, " if item.system else ""
    return (
        f"{system}segment {item.segment}, {alignment.metric} {alignment.score:.2f}"
        f" (reference {alignment.reference_index + 1}: {', '.join(edits) or 'no edit'})"
    )


def _plural(kind: str, count: int) -> str:
    return "" if count == 1 else "es" if kind == "match" else "s"


def _cells(alignment: Alignment) -> Iterator[_Cell]:
    words, moved = alignment.shifted, alignment.moved
    for op in alignment.operations:
        yield _Cell(
            visible(" ".join(alignment.reference[op.ref_start : op.ref_end])) or _gap(words, op),
            "" if op.kind == "jump" else visible(" ".join(words[op.hyp_start : op.hyp_end])) or _missing(alignment, op),
            _MARKS.get(op.kind, op.kind[:1].upper()),
            "moved" if op.kind == "match" and op.hyp_start in moved else op.kind,
        )


def _gap(words: tuple[str, ...], op: Operation) -> str:
    return "" if op.kind == "jump" else "*" * shown_width(" ".join(words[op.hyp_start : op.hyp_end]))


def _missing(alignment: Alignment, op: Operation) -> str:
    return "*" * shown_width(" ".join(alignment.reference[op.ref_start : op.ref_end]))


def _wrapped(cells: Iterable[_Cell], room: int) -> Iterator[list[_Cell]]:
    block: list[_Cell] = []
    used = 0
    for cell in cells:
        if block and used + cell.width + 1 > room:
            yield block
            block, used = [], 0
        block.append(cell)
        used += cell.width + 1
    if block:
        yield block


def _lines(block: list[_Cell], color: bool) -> str:
    lines = []
    for name, line in (("REF", "reference"), ("HYP", "hypothesis"), ("   ", "mark")):
        parts = []
        for cell in block:
            text = getattr(cell, line)
            padded = text + " " * (cell.width - shown_width(text))
            code = _COLORS.get(cell.kind) if color and text else None
            parts.append(f"\x1b[{code}m{padded}\x1b[0m" if code else padded)
        lines.append(f"{name}: ".replace("   :", "    ") + " ".join(parts))
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


_LEGEND = """<h1>Alignments</h1>
<p class="legend">Above the line the reference, below it the hypothesis after all shifts.
<span class="substitution">&nbsp;S substitution&nbsp;</span> <span class="insertion">&nbsp;I extra word&nbsp;</span>
<span class="deletion">&nbsp;D missing word&nbsp;</span> <span class="jump">&nbsp;J jump&nbsp;</span>
<span class="stem">&nbsp;stem, syn, para: matched by stem, as a synonym or paraphrase&nbsp;</span>
<span class="moved"><span class="hyp">moved by a shift</span></span></p>
"""


def as_html(items: Iterable[Shown]) -> str:
    """Return a page that needs nothing else. Systems stand side by side if there is room."""
    groups = (map(_section, group) for _, group in groupby(items, key=lambda item: item.segment))
    sections = "".join(f'<div class="segment">{"".join(group)}</div>\n' for group in groups)
    return framed(_LEGEND + sections, title="Alignments", style="alignments.css")


def _section(item: Shown) -> str:
    words, moved = item.alignment.shifted, item.alignment.moved
    steps = []
    for op in item.alignment.operations:
        reference = " ".join(item.alignment.reference[op.ref_start : op.ref_end])
        hypothesis = "" if op.kind == "jump" else " ".join(words[op.hyp_start : op.hyp_end])
        shifts = hypothesis and op.hyp_start in moved
        steps.append(
            f'<span class="step {op.kind}{" moved" if shifts else ""}"'
            f' title="{op.kind}, cost {op.cost:g}{", moved by a shift" if shifts else ""}">'
            f'<span class="ref">{escape(reference)}</span>'
            f'<span class="hyp">{escape(hypothesis)}</span>'
            f'<span class="mark">{_MARKS.get(op.kind, "")}</span></span>'
        )
    remarks = "<br>".join(escape(line, quote=False) for line in _remarks(item.alignment))
    return (
        f'<section><h2>{escape(_heading(item))}</h2><div class="alignment">{"".join(steps)}</div>'
        + (f'<p class="shifts">{remarks}</p>' if remarks else "")
        + "</section>\n"
    )

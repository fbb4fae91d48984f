"""An alignment as lines of text, as steps of HTML, and what is said of it in words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from unicodedata import combining, east_asian_width

from tertium.metrics.alignment import Alignment, Operation
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


# Of notebooks, whose pages may be light or dark: behind the words, in a tint that lets either through.
_TINTS = {
    **dict.fromkeys(("stem", "synonym", "phrase", "paraphrase"), "rgba(0,158,115,.3)"),
    "substitution": "rgba(230,159,0,.35)",
    "insertion": "rgba(86,180,233,.4)",
    "deletion": "rgba(204,121,167,.4)",
    "jump": "rgba(120,120,120,.3)",
}


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


def as_lines(alignment: Alignment, *, width: int, color: bool = False) -> Iterator[str]:
    """Return the alignment in blocks of three lines that fit the width."""
    for block in _wrapped(_cells(alignment), width - 5):
        yield _lines(block, color)


def summary(alignment: Alignment) -> str:
    """Return the score and how many edits of each kind it has."""
    counted = [kind for kind in _MARKS if kind != "match" or alignment.parts]
    counts = {kind: sum(op.kind == kind for op in alignment.operations) for kind in counted}
    edits = [f"{count} {kind}{_plural(kind, count)}" for kind, count in counts.items() if count]
    if alignment.shifts:
        edits.append(f"{len(alignment.shifts)} shift{'' if len(alignment.shifts) == 1 else 's'}")
    reference = f"reference {alignment.reference_index + 1}"
    return f"{alignment.metric} {alignment.score:.2f} ({reference}: {', '.join(edits) or 'no edit'})"


def _plural(kind: str, count: int) -> str:
    return "" if count == 1 else "es" if kind == "match" else "s"


def as_steps(alignment: Alignment, *, styled: bool = False) -> str:
    """Return HTML, a step for each operation; `styled` where no sheet of styles stands beside it."""
    words, moved = alignment.shifted, alignment.moved
    steps = []
    for op in alignment.operations:
        reference = " ".join(alignment.reference[op.ref_start : op.ref_end])
        hypothesis = "" if op.kind == "jump" else " ".join(words[op.hyp_start : op.hyp_end])
        shifts = bool(hypothesis) and op.hyp_start in moved
        step, below = _styles(op.kind, shifts) if styled else ("", "")
        steps.append(
            f'<span class="step {op.kind}{" moved" if shifts else ""}"{step}'
            f' title="{op.kind}, cost {op.cost:g}{", moved by a shift" if shifts else ""}">'
            f'<span class="ref">{escape(reference) or "&nbsp;" * styled}</span>'
            f'<span class="hyp"{below}>{escape(hypothesis) or "&nbsp;" * styled}</span>'
            f'<span class="mark">{_MARKS.get(op.kind, "") or "&nbsp;" * styled}</span></span>'
        )
    return "".join(steps)


def _styles(kind: str, shifts: bool) -> tuple[str, str]:
    """Return what colours a step, and what underlines a word that was moved."""
    tint = f"background:{_TINTS[kind]};" if kind in _TINTS else ""
    below = "border-top:1px solid currentColor" + (";text-decoration:underline double" if shifts else "")
    step = f"{tint}display:inline-grid;text-align:center;border-radius:.25em;padding:.1em .3em;margin:.1em"
    return f' style="{step}"', f' style="{below}"'


def remarks(alignment: Alignment) -> Iterator[str]:
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

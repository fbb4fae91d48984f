"""A matrix of numbers as a chart: every cell says its number, and a shade how far it is from nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.drawing.svg import Drawing, element, shortened, text, titled, width_of

_LETTERS = 36
_DEEPEST = 0.5  # of the shade: more, and words on it are hard to read
_ACROSS, _DOWN = 58.0, 28.0
_SLANT = 40.0  # degrees, of the names above columns
_SINE, _COSINE = 0.643, 0.766


@dataclass(frozen=True)
class Cell:
    """What a cell says; `share` from -1 to 1 is its shade, blue above 0 and orange below."""

    words: str
    share: float = 0.0
    hint: str = ""
    strong: bool = False


def matrix(
    rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[Cell | None]], *, title: str
) -> Drawing:
    """Return rows and columns with their names; None is an empty cell."""
    left = width_of(rows, _LETTERS) + 14
    long = width_of(columns, _LETTERS)
    top = 14 + max(long * _SINE, 8)
    last = width_of(columns[-1:], _LETTERS) * _COSINE - _ACROSS / 2
    parts = []
    for j, name in enumerate(columns):
        x, y = left + _ACROSS * (j + 0.5), top - 6
        words = text(shortened(name, _LETTERS), 0, 0)
        parts.append(titled(name, words, transform=f"translate({x:.1f} {y:.1f}) rotate({-_SLANT:g})"))
    for i, name in enumerate(rows):
        y = top + _DOWN * i
        parts.append(titled(name, text(shortened(name, _LETTERS), left - 10, y + _DOWN / 2 + 4, "end")))
        for j, cell in enumerate(cells[i]):
            x = left + _ACROSS * j
            place = {"x": x + 1, "y": y + 1, "width": _ACROSS - 2, "height": _DOWN - 2}
            parts.append(element("rect", **place, class_="band"))
            if cell is not None:
                share = max(-1.0, min(1.0, cell.share))
                shade = element(
                    "rect", **place, class_="f0" if share >= 0 else "f1", fill_opacity=_DEEPEST * abs(share)
                )
                words = text(
                    cell.words, x + _ACROSS / 2, y + _DOWN / 2 + 4, "middle", "heading" if cell.strong else None
                )
                parts.append(titled(cell.hint or f"{name}, {columns[j]}: {cell.words}", shade, words))
    width = left + _ACROSS * len(columns) + max(last, 4.0)
    return Drawing(width, top + _DOWN * len(rows) + 8, title, tuple(parts))

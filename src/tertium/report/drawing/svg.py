"""Drawing in SVG: elements as text, scales, ticks that fall on round numbers."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as _escape

from tertium.text.visible import for_xml

_WIDE = 7.3  # pixels that a small letter of 12 takes at most, with few exceptions; room is left rather than measured
_WIDER = dict.fromkeys("mwMW@%…−—", 11.5)


def escape(words: str) -> str:
    """Return words of a user as a drawing may hold them."""
    return _escape(for_xml(words))


def element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; `class_` is written class, `text_anchor` text-anchor."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def text(words: str, x: float, y: float, anchor: str = "start", class_: str | None = None) -> str:
    """Return a line of text, which may come from a user."""
    return element("text", escape(words), x=x, y=y, text_anchor=None if anchor == "start" else anchor, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def titled(words: str, *inside: str, **attributes: object) -> str:
    """Return a group that shows words when it is pointed at."""
    return element("g", element("title", escape(words)), *inside, **attributes)


@dataclass(frozen=True)
class Drawing:
    """A picture of a size, which says what it is to those who cannot see it."""

    width: float
    height: float
    title: str
    inside: tuple[str, ...]

    def svg(self, **attributes: object) -> str:
        """Return it as an element that can stand on a page, in another drawing, or alone."""
        return element(
            "svg",
            *self.inside,
            xmlns="http://www.w3.org/2000/svg",
            **attributes,
            viewBox=f"0 0 {_number(self.width)} {_number(self.height)}",
            role="img",
            aria_label=self.title,
            class_="chart",
        )

    def __html__(self) -> str:
        """What a template takes as it stands."""
        return self.svg()


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Scale:
    """Maps values to pixels."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.begin + share * (self.end - self.begin)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from at most `low` to at least `high`: steps of 1, 2 or 5 times a power of ten."""
    if not high > low:
        pad = abs(low) * 0.1 or 1.0
        low, high = low - pad, high + pad
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(k * power for k in (1, 2, 5, 10, 20) if (high - low) / (k * power) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def tick_text(value: float) -> str:
    """Return a tick's number."""
    return f"{value:,.10g}".replace("-", "−")


def shortened(words: str, most: int) -> str:
    """Return a name that fits: its middle is cut, for names often begin alike and differ at the end."""
    return words if len(words) <= most else f"{words[: most // 2]}…{words[len(words) - (most - 1) // 2 :]}"


def width_of(names: Sequence[str], most: int) -> float:
    """Return how many pixels the longest of some names needs, after `most` letters are cut."""
    return max((sum(map(_width, shortened(name, most))) for name in names), default=0.0)


def _width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 12.5
    return _WIDER.get(letter, 8.8 if letter.isupper() else _WIDE)


def marker(shape: int, x: float, y: float, class_: str) -> str:
    """Return a circle, square, triangle, diamond or turned triangle, of about the same size."""
    r = 4.5
    points = {
        1: [(-r, -r), (r, -r), (r, r), (-r, r)],
        2: [(0, -r - 1), (r + 1, r), (-r - 1, r)],
        3: [(0, -r - 1.5), (r + 1.5, 0), (0, r + 1.5), (-r - 1.5, 0)],
        4: [(0, r + 1), (r + 1, -r), (-r - 1, -r)],
    }.get(shape % 5)
    if points is None:
        return element("circle", cx=float(x), cy=float(y), r=r, class_=class_)
    return element(
        "polygon", points=" ".join(f"{_number(x + dx)},{_number(y + dy)}" for dx, dy in points), class_=class_
    )

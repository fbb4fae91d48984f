"""Where a text may be cut: between words, and between the characters of scripts that put no blanks between words."""

import re
from dataclasses import dataclass
from functools import cached_property

_UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u0f00-\u0fff"  # Thai, Lao, Tibetan
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u1780-\u17ff"  # Burmese and its relatives, Khmer
    "\u3001-\u30ff\u31f0-\u31ff\uff00-\uffef"  # kana, with Han's punctuation and full-width forms
    "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_JOINED = (  # what belongs to the character before it: vowels and tones above and below, sounds, variants
    "\u0300-\u036f\u0e31\u0e33-\u0e3a\u0e45\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ecd"
    "\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f87\u0f8d-\u0fbc"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u106d\u1071-\u1074\u1082-\u108f\u17b4-\u17d3"
    "\u3099\u309a\uff9e\uff9f\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
_UNIT = re.compile(f"[{_UNSPACED}][{_JOINED}]*|[^\\s{_UNSPACED}]+")
_ANY_UNSPACED = re.compile(f"[{_UNSPACED}]")


@dataclass(frozen=True)
class Units:
    """A text as units: words, or single characters where words have no blanks between them."""

    text: str

    @cached_property
    def _spaced(self) -> bool:
        return _ANY_UNSPACED.search(self.text) is None

    @cached_property
    def texts(self) -> list[str]:
        """The units; blanks belong to none."""
        return self.text.split() if self._spaced else _UNIT.findall(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """Where each unit begins, and the length of the text."""
        return [*(found.start() for found in _UNIT.finditer(self.text)), len(self.text)]

    @property
    def apart(self) -> str:
        """The text with blanks between its units, as tokenizers take it."""
        return self.text if self._spaced else " ".join(self.texts)


def one_line(piece: str) -> str:
    """Return a piece as a line of a file: without blanks at its ends, and with a blank where a line ended inside.

    Between two characters of a script without blanks nothing takes the line end's place.
    """
    first, *more = [part for line in piece.split("\n") if (part := line.strip())] or [""]
    for part in more:
        apart = not (_ANY_UNSPACED.match(first[-1]) and _ANY_UNSPACED.match(part[0]))
        first += " " + part if apart else part
    return first

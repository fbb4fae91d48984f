"""Texts for a terminal or a picture: control characters are shown, not obeyed.

A text or a file's name may hold sequences that move the cursor, colour or hide what follows, or set a window's title.
"""

import re

# Compiled when they are first needed, which most commands never do.
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f-\x9f]"
_COLOUR = "(\x1b\\[[0-9;]*m)"
_NOT_IN_XML = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"


def visible(text: str) -> str:
    r"""Return a text with control characters spelt out, such as \x1b; tabs and line ends stay."""
    return re.sub(_CONTROL, _spelt, text)


def visible_but_colours(text: str) -> str:
    """Return the same for a text that was coloured on purpose."""
    return "".join(part if re.fullmatch(_COLOUR, part) else visible(part) for part in re.split(_COLOUR, text))


def for_xml(text: str) -> str:
    """Return a text that XML can hold: what it has no way to write becomes the replacement character."""
    return re.sub(_NOT_IN_XML, "\ufffd", text)


def _spelt(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"

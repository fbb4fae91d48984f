"""Which scripts put no blanks between words."""

import re

_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]")  # Thai, kana, Han


def mostly_unspaced(text: str) -> bool:
    """Whether more than half of the characters are of scripts that are written without blanks."""
    return 2 * len(_UNSPACED.findall(text)) > len(text)

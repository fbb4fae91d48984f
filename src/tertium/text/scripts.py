"""Which scripts put no blanks between words."""


def is_unspaced(character: str) -> bool:
    """Whether a character is Thai, kana or Han, which are written without blanks."""
    code = ord(character)
    return (
        0x0E00 <= code <= 0x0E7F or 0x3040 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0x20000 <= code <= 0x3FFFF
    )


def mostly_unspaced(text: str) -> bool:
    """Whether more than half of the characters are."""
    return 2 * sum(map(is_unspaced, text)) > len(text)

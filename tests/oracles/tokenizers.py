"""Tokenizers as chains of regular expressions, one substitution per step of the definition.

Categories come from `unicodedata`, so texts may only hold characters that the running Python knows.
"""

import re
import unicodedata
from functools import partial

SYMBOLS = ' !"#$%&()*+/:;<=>?@[\\]^_`{|}~'
ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
CHINESE = (
    (0x2001, 0x2A6D), (0x2E80, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31EF), (0x3200, 0x4DB5),
    (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)  # fmt: skip


def mteval_13a(text: str, *, fold: bool = False) -> list[str]:
    """mteval's default tokenization, as sacreBLEU has it; `fold` lower-cases A to Z where the script does."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    if fold:
        text = re.sub("[A-Z]", lambda letter: letter[0].lower(), text)
    return _ascii_passes(f" {text} ").split()


def intl(text: str) -> list[str]:
    """The passes of mteval v14's international tokenization, without blanks at the ends."""
    return _category_passes(text.rstrip()).split()


def mteval_intl(text: str, *, lowercase: bool = False, bare: bool = False) -> list[str]:
    """The script's own international mode: entities, case, and a blank at both ends unless bare."""
    text = text.replace("<skipped>", "").replace("-\u2028", "").replace("\u2028", " ")
    for entity, character in (ENTITIES | {"&apos;": "'"}).items():
        text = text.replace(entity, character)
    text = "".join(map(str.lower, text)) if lowercase else text  # one by one: Perl knows no final sigma
    return _category_passes(text if bare else f" {text} ").split()


def zh(text: str) -> list[str]:
    """Chinese characters one by one, then 13a's passes on what lies between them."""
    padded = (f" {c} " if any(low <= ord(c) <= high for low, high in CHINESE) else c for c in text.strip())
    return _ascii_passes("".join(padded)).split()


def char(text: str) -> list[str]:
    """Every code point that is no blank."""
    return " ".join(text).split()


def none(text: str) -> list[str]:
    """Words between Unicode whitespace."""
    return text.split()


def space(text: str) -> list[str]:
    """Words between ASCII whitespace."""
    return [word for word in re.split("[ \t\n\v\f\r]+", text) if word]


def blank(text: str) -> list[str]:
    """Words between blanks, U+0020."""
    return [word for word in text.split(" ") if word]


BY_NAME = {
    "13a": mteval_13a,
    "mteval": mteval_13a,
    "intl": intl,
    "thesis": intl,
    "mteval-intl": mteval_intl,
    "mteval-intl-bare": partial(mteval_intl, bare=True),
    "zh": zh,
    "char": char,
    "none": none,
    "space": space,
    "blank": blank,
}


def _ascii_passes(text: str) -> str:
    text = re.sub(f"([{re.escape(SYMBOLS)}])", r" \1 ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text)


def _category_passes(text: str) -> str:
    for pattern in (r"[^N](?P<mark>P)", r"(?P<mark>P)[^N]", r"(?P<mark>S)"):
        text = _padded(text, pattern)
    return text


def _padded(text: str, pattern: str) -> str:
    """Put blanks around each `mark`; the pattern is matched against the letters of the major categories."""
    categories = "".join(unicodedata.category(character)[0] for character in text)
    pieces, done = [], 0
    for match in re.finditer(pattern, categories):
        begin, end = match.span("mark")
        pieces.append(f"{text[done:begin]} {text[begin:end]} ")
        done = end
    return "".join(pieces) + text[done:]

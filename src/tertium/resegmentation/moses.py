"""Single words split as Moses' tokenizer splits them (Koehn et al. 2007), for cuts like OmniSTEval's.

Marks are split off; hyphens between letters become @-@; commas are split off beside what is no digit; apostrophes by
the rules of English, or of French and Italian, or always; a full stop at the end unless the word is an abbreviation.
Words come in small letters here, so of the lists of abbreviations only those written small count. They are what the
program was seen to keep whole among some hundred candidates; for languages that are not listed, none.
"""

import re
import string
from functools import cache
from unicodedata import category

from tertium.text.languages import target_language

_LETTERS = " ".join(string.ascii_lowercase)
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_NUMBERS = " ".join(map(str, range(1, 100)))
_ABBREVIATIONS = {
    "cs": "adj adv apod atd bd cca cit col doc ed ev f fr gen m mj mld ms n např no nr obr p popř prof r resp s st sv "
    "tab tis tj tzn tzv tř vol vs č",
    "de": f"{_LETTERS} {_ROMAN} {_NUMBERS} bzgl bzw ca etc evtl ggf pp sen sog usf usw vgl vs",
    "en": "v vs",
    "es": "adj av c cap doc etc mm núm p pág págs s vol",
    "fi": "l mm prof t v",
    "fr": f"{_LETTERS} al apr art av ca cf chap dir env etc ex fig fr ms pp vol vs éd",
    "hu": "ca dr max min prof",
    "it": "tel v vs",
    "nl": "dr ev fa gen jr mr prof",
    "pl": "al art doc dr fr gen hr k n o p prof st tel tj tzn ul",
    "pt": f"{_LETTERS} {_ROMAN} adj adm adv cit col con corp cpl dr ex fig op prof sr vs",
    "ro": "etc",
    "sv": "etc mm vs",
}
_LETTER, _NOT_LETTER = r"[^\W\d_]", r"[\W\d_]"
_ENGLISH = (
    (rf"({_NOT_LETTER})'({_NOT_LETTER})", r"\1 ' \2"),
    (rf"([^\w]|_)'({_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_NOT_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_LETTER})", r"\1 '\2"),
    (r"(\d)'(s)", r"\1 '\2"),
)
_FRENCH = (
    (rf"({_NOT_LETTER})'({_NOT_LETTER})", r"\1 ' \2"),
    (rf"({_NOT_LETTER})'({_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_NOT_LETTER})", r"\1 ' \2"),
    (rf"({_LETTER})'({_LETTER})", r"\1' \2"),
)
_OTHERS = (("'", " ' "),)
_APOSTROPHES = {"en": _ENGLISH, "fr": _FRENCH, "it": _FRENCH, "ga": _FRENCH, "ca": _FRENCH}


class MosesWords:
    """The tokens of words, in one language."""

    def __init__(self, language: str) -> None:
        self.language = target_language(language).code

    def __call__(self, word: str) -> tuple[str, ...]:
        """Return the tokens of a word that holds no blank."""
        return _split(word, self.language)


@cache
def _known(language: str) -> frozenset[str]:
    return frozenset(_ABBREVIATIONS.get(language, "").split())


@cache
def _split(word: str, language: str) -> tuple[str, ...]:
    text = "".join(
        character if _is_plain(character) or character in ".'`,-" else f" {character} " for character in word
    )
    text = re.sub(r"(?<=[^\W_])-(?=[^\W_])", " @-@ ", text.strip())
    text = re.sub(r"\.{2,}", lambda dots: f" {dots[0]} ", text)
    text = _commas(text.strip())
    for pattern, rewritten in _APOSTROPHES.get(language, _OTHERS):
        text = re.sub(pattern, rewritten, text)
    pieces = text.split()
    tokens: list[str] = []
    for place, token in enumerate(pieces):
        following = pieces[place + 1] if place + 1 < len(pieces) else ""
        tokens += _without_stop(token, following, _known(language))
    return tuple(tokens)


def _is_plain(character: str) -> bool:
    kind = category(character)
    return kind[0] in "LM" or kind == "Nd"


def _is_number(character: str) -> bool:
    return category(character)[0] == "N"


def _commas(text: str) -> str:
    """Split off commas with something beside them that is no digit."""
    result = []
    for place, character in enumerate(text):
        beside = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
        result.append(" , " if character == "," and not all(map(_is_number, beside)) else character)
    return "".join(result)


def _without_stop(token: str, following: str, known: frozenset[str]) -> list[str]:
    """Split off a full stop at the end, unless it belongs to an abbreviation or to what follows."""
    if len(token) < 2 or not token.endswith(".") or not token.strip("."):
        return [token]
    before = token[:-1]
    abbreviated = ("." in before and any(category(character)[0] == "L" for character in before)) or before in known
    return [token] if abbreviated or following[:1].islower() else [before, "."]

"""Stems as METEOR 1.5 has them: it carries Snowball's algorithms as they were before 2014.

Some of them have changed since, so that "organic" was then cut down to "organ" and is not now. Where the present
algorithms of the stemmer package can be made to agree they are used, since they are fast; the older English, German
and French ones are written down here. Finnish is as it is today.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from tertium import _native
from tertium.text.languages import language_code
from tertium.text.lexicon.stems import Stems, stem_words
from tertium.text.lexicon.word_tables import GrowingTable, WordResource


@dataclass(frozen=True)
class Snowball2014(WordResource):
    """The stemmer of a language as METEOR 1.5 has it."""

    language: str

    @property
    def mark(self) -> str:
        """The stemmer; where it is not certain to be that of 2014, the version of today's."""
        certain = language_code(self.language) in _CERTAIN
        return f"2014-{self.language}" if certain else Stems(self.language).mark

    def stem(self, word: str) -> str:
        """Return the stem of one word."""
        return meteor_stems(self.language, [word])[0]

    def growing(self) -> GrowingTable:
        """Return the table of this stemmer."""
        return _growing(self.language)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Put the keys of stems into the table."""
        table.add_words(words, self.stems(words))

    def stems(self, words: Sequence[str]) -> list[str]:
        """Return the stems of some words."""
        return meteor_stems(self.language, words)


def meteor_stems(language: str, words: Sequence[str]) -> list[str]:
    """Return the stems of some words."""
    code = language_code(language)
    if code == "en":
        stems = stem_words("english", words)
        return [_english(word) if _CHANGED_ENGLISH(word) else stem for word, stem in zip(words, stems, strict=True)]
    if code in _WRITTEN_HERE:
        return [_WRITTEN_HERE[code](word) for word in words]
    if code in _OTHERWISE:
        pattern, replacement = _OTHERWISE[code]
        words = [pattern.sub(replacement, word) for word in words]
    if code in _HIDDEN:
        # Letters that today's algorithm knows and the older one did not are hidden from it.
        hide, show = _HIDDEN[code]
        stems = [stem.translate(show) for stem in stem_words(code, [word.translate(hide) for word in words])]
        return [_danish(stem) for stem in stems] if code == "da" else stems
    return stem_words(_RENAMED.get(code, code), words)


@cache
def _growing(language: str) -> GrowingTable:
    return GrowingTable()


def _hidden(letters: str, as_others: str) -> tuple[dict[int, int], dict[int, int]]:
    return str.maketrans(letters, as_others), str.maketrans(as_others, letters)


_CERTAIN = ("en", "de", "fr", "es", "ru", "nl")  # compared with METEOR's on all words of a dictionary, and on many more
_RENAMED = {"nl": "dutch_porter"}
# Endings that were treated otherwise, and how to write them so that they still are.
_OTHERWISE = {
    "no": (re.compile("(?<!heter)(?<=er)s$"), ""),
    "sv": (re.compile("(?<!and)(?<!h)e(?=t$)|e(?=ts$)"), "\ue000"),
    "pt": (re.compile("(?<=u)ç(?=ão$|ões$)"), "\ue000"),
}
_HIDDEN = {
    "ru": _hidden("ё", "ӹ"),
    "no": _hidden("êòôó", "\ue000\ue001\ue002\ue003"),
    "hu": _hidden("őű", "\ue000\ue001"),
    "sv": (str.maketrans("", ""), str.maketrans("\ue000", "e")),
    "pt": (str.maketrans("", ""), str.maketrans("\ue000", "ç")),
    **dict.fromkeys(("da", "it", "tr"), _hidden("'", "\ue000")),  # of private use
    "ro": (str.maketrans("șț", "\ue000\ue001"), str.maketrans("șț\ue000\ue001", "şţșț")),
}


def _danish(stem: str) -> str:
    """Make one of two equal consonants at the end, also of those that today's algorithm leaves."""
    double = len(stem) > 1 and stem[-1] == stem[-2] and stem[-1] in "chjqvwxz"
    return stem[:-1] if double and len(stem) - 1 >= max(3, _region(stem, 0, "aeiouyæåø")) else stem


def _region(word: str, start: int, vowels: str) -> int:
    """Return where the region behind the first consonant that follows a vowel begins; Snowball's R1, and R2 from R1."""
    for at in range(start + 1, len(word)):
        if word[at] not in vowels and word[at - 1] in vowels:
            return at + 1
    return len(word)


def _longest(word: str, suffixes: Sequence[str], start: int = 0) -> str:
    """Return the longest of these suffixes that the word has within word[start:], '' if it has none."""
    found = [suffix for suffix in suffixes if word.endswith(suffix) and len(word) - len(suffix) >= start]
    return max(found, key=len, default="")


# --- English --------------------------------------------------------------------------------------------------------

_CHANGED_ENGLISH = re.compile(
    r"'?(?:past|univers|later|emerg|organ|inter|evening|.*ogist|.?.?ying|.?(.)\1(?:ed|ing))"
).match
_EN_VOWELS = "aeiouy"
_EN_WHOLE = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}  # fmt: skip
_EN_KEPT = ("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed")
_EN_STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize", "ization": "ize",
    "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful",
    "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "ogi": "og",
    "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
_EN_STEP_3 = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
    "ness": "", "ative": "",
}  # fmt: skip
_EN_STEP_4 = [
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
]


def _ends_short(word: str) -> bool:
    """Tell whether a word ends in a short syllable."""
    if len(word) == 2:
        return word[0] in _EN_VOWELS and word[1] not in _EN_VOWELS
    return (
        len(word) > 2
        and word[-1] not in "aeiouywxY"
        and word[-2] in _EN_VOWELS
        and word[-3] not in _EN_VOWELS
    )  # fmt: skip


def _english(word: str) -> str:
    if word in _EN_WHOLE or len(word) <= 2:
        return _EN_WHOLE.get(word, word)
    word = re.sub(r"(?:^|(?<=[aeiouy]))y", "Y", word.removeprefix("'"))
    head = re.match("gener|commun|arsen", word)
    r1 = head.end() if head else _region(word, 0, _EN_VOWELS)
    r2 = _region(word, r1, _EN_VOWELS)
    word = word.removesuffix(_longest(word, ("'", "'s", "'s'")))
    word = _english_plural(word)
    if word in _EN_KEPT:
        return word
    word = _english_past(word, r1)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _EN_VOWELS:
        word = word[:-1] + "i"
    word = _english_derived(word, r1, r2)
    if (word.endswith("e") and (len(word) - 1 >= r2 or (len(word) - 1 >= r1 and not _ends_short(word[:-1])))) or (
        word.endswith("ll") and len(word) - 1 >= r2
    ):
        word = word[:-1]
    return word.replace("Y", "y")


def _english_plural(word: str) -> str:
    suffix = _longest(word, ("sses", "ied", "ies", "us", "ss", "s"))
    if suffix == "sses":
        return word[:-2]
    if suffix in ("ied", "ies"):
        return word[:-2] if len(word) > 4 else word[:-1]
    if suffix == "s" and any(letter in _EN_VOWELS for letter in word[:-2]):
        return word[:-1]
    return word


def _english_past(word: str, r1: int) -> str:
    suffix = _longest(word, ("eed", "eedly", "ed", "edly", "ing", "ingly"))
    base = word.removesuffix(suffix)
    if suffix.startswith("eed"):
        return base + "ee" if len(base) >= r1 else word
    if not suffix or not any(letter in _EN_VOWELS for letter in base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base.endswith(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")):
        return base[:-1]
    return base + "e" if len(base) <= r1 and _ends_short(base) else base


def _english_derived(word: str, r1: int, r2: int) -> str:
    suffix = _longest(word, tuple(_EN_STEP_2))
    base = word.removesuffix(suffix)
    allowed = {"ogi": base.endswith("l"), "li": base.endswith(tuple("cdeghkmnrt"))}.get(suffix, True)
    if suffix and len(base) >= r1 and allowed:
        word = base + _EN_STEP_2[suffix]
    suffix = _longest(word, tuple(_EN_STEP_3))
    base = word.removesuffix(suffix)
    if suffix and len(base) >= (r2 if suffix == "ative" else r1):
        word = base + _EN_STEP_3[suffix]
    suffix = _longest(word, _EN_STEP_4)
    base = word.removesuffix(suffix)
    if suffix and len(base) >= r2 and (suffix != "ion" or base.endswith(("s", "t"))):
        word = base
    return word


# --- German ---------------------------------------------------------------------------------------------------------

_DE_VOWELS = "aeiouyäöü"
_DE_PLAIN = str.maketrans("UYäöü", "uyaou")


def _german(word: str) -> str:
    word = re.sub("(?<=[aeiouyäöü])[uy](?=[aeiouyäöü])", lambda found: found[0].upper(), word.replace("ß", "ss"))
    r1 = _region(word, 0, _DE_VOWELS)
    r2 = _region(word, r1, _DE_VOWELS)
    r1 = max(r1, 3)
    suffix = _longest(word, ("em", "ern", "er", "e", "en", "es", "s"))
    base = word.removesuffix(suffix)
    if suffix and len(base) >= r1 and (suffix != "s" or base.endswith(tuple("bdfghklmnrt"))):
        word = base
    suffix = _longest(word, ("en", "er", "est", "st"))
    base = word.removesuffix(suffix)
    if suffix and len(base) >= r1 and (suffix != "st" or (len(base) > 3 and base[-1] in "bdfghklmnt")):
        word = base
    return _german_derived(word, r1, r2).translate(_DE_PLAIN)


def _german_derived(word: str, r1: int, r2: int) -> str:
    suffix = _longest(word, ("end", "ung", "ig", "ik", "isch", "lich", "heit", "keit"))
    base = word.removesuffix(suffix)
    if not suffix or len(base) < r2:
        return word
    if suffix in ("ig", "ik", "isch"):
        return word if base.endswith("e") else base
    if suffix in ("end", "ung"):
        more = "ig" if base.endswith("ig") and not base.endswith("eig") and len(base) - 2 >= r2 else ""
    elif suffix in ("lich", "heit"):
        more = base[-2:] if base.endswith(("er", "en")) and len(base) - 2 >= r1 else ""
    else:
        more = _longest(base, ("lich", "ig"))
        more = more if len(base) - len(more) >= r2 else ""
    return base.removesuffix(more)


# --- French ---------------------------------------------------------------------------------------------------------

_FR_VOWELS = "aeiouyâàëéêèïîôûù"
_FR_PLAIN = str.maketrans("UIY", "uiy")
_FR_I_VERBS = [
    "îmes",
    "ît",
    "îtes",
    "i",
    "ie",
    "ies",
    "ir",
    "ira",
    "irai",
    "iraIent",
    "irais",
    "irait",
    "iras",
    "irent",
    "irez",
    "iriez",
    "irions",
    "irons",
    "iront",
    "is",
    "issaIent",
    "issais",
    "issait",
    "issant",
    "issante",
    "issantes",
    "issants",
    "isse",
    "issent",
    "isses",
    "issez",
    "issiez",
    "issions",
    "issons",
    "it",
]
_FR_E_VERBS = [
    "é",
    "ée",
    "ées",
    "és",
    "èrent",
    "er",
    "era",
    "erai",
    "eraIent",
    "erais",
    "erait",
    "eras",
    "erez",
    "eriez",
    "erions",
    "erons",
    "eront",
    "ez",
    "iez",
]
_FR_A_VERBS = [
    "âmes",
    "ât",
    "âtes",
    "a",
    "ai",
    "aIent",
    "ais",
    "ait",
    "ant",
    "ante",
    "antes",
    "ants",
    "as",
    "asse",
    "assent",
    "asses",
    "assiez",
    "assions",
]
_FR_NOUNS = {
    "able": "ance iqUe isme able iste eux ances iqUes ismes ables istes",
    "ation": "atrice ateur ation atrices ateurs ations",
    "log": "logie logies",
    "u": "usion ution usions utions",
    "ent": "ence ences",
    "ement": "ement ements",
    "ité": "ité ités",
    "if": "if ive ifs ives",
    "eau": "eaux",
    "al": "aux",
    "eux": "euse euses",
    "iss": "issement issements",
    "amment": "amment",
    "emment": "emment",
    "ment": "ment ments",
}
_FR_KIND = {suffix: kind for kind, suffixes in _FR_NOUNS.items() for suffix in suffixes.split()}


def _french_marked(word: str) -> str:
    """Write u, i and y in capitals where they are consonants."""
    letters, at = list(word), 0

    def vowel(place: int) -> bool:
        return place < len(letters) and letters[place] in _FR_VOWELS

    while at + 1 < len(letters):
        here, following = letters[at], letters[at + 1]
        if vowel(at) and following in "ui" and vowel(at + 2):
            letters[at + 1] = following.upper()
            at += 2
        elif vowel(at) and following == "y":
            letters[at + 1] = "Y"
            at += 2
        elif here == "y" and vowel(at + 1):
            letters[at] = "Y"
            at += 1
        elif here == "q" and following == "u":
            letters[at + 1] = "U"
            at += 2
        else:
            at += 1
    return "".join(letters)


def _french(word: str) -> str:
    word = _french_marked(word)
    if (len(word) > 2 and word[0] in _FR_VOWELS and word[1] in _FR_VOWELS) or word.startswith(("par", "col", "tap")):
        rv = 3
    else:
        rv = next((at + 1 for at in range(1, len(word)) if word[at] in _FR_VOWELS), len(word))
    r1 = _region(word, 0, _FR_VOWELS)
    r2 = _region(word, r1, _FR_VOWELS)
    changed, done = _french_noun(word, rv, r1, r2)
    for step in (_french_i_verb, _french_verb):
        if not done:
            changed, done = step(changed, rv, r2)
    if done:
        if changed.endswith(("Y", "ç")):
            changed = changed[:-1] + {"Y": "i", "ç": "c"}[changed[-1]]
    else:
        changed = _french_residue(changed, rv, r2)
    if changed.endswith(("enn", "onn", "ett", "ell", "eill")):
        changed = changed[:-1]
    changed = re.sub(r"[éè](?=[^aeiouyâàëéêèïîôûù]+$)", "e", changed)
    return changed.translate(_FR_PLAIN)  # other capitals stay, if the text kept them


def _french_noun(word: str, rv: int, r1: int, r2: int) -> tuple[str, bool]:
    """Cut off or replace a suffix; the second value tells whether the verbs' suffixes need not be looked at."""
    suffix = _longest(word, tuple(_FR_KIND))
    if not suffix:
        return word, False
    kind, base = _FR_KIND[suffix], word.removesuffix(suffix)
    size = len(base)

    def ends(ending: str, region: int) -> bool:
        return base.endswith(ending) and size - len(ending) >= region

    if kind == "eau":
        return base + "eau", True
    if kind == "al":
        return (base + "al", True) if size >= r1 else (word, False)
    if kind == "eux":
        return (base, True) if size >= r2 else (base + "eux", True) if size >= r1 else (word, False)
    if kind == "iss":
        return (base, True) if size >= r1 and base and base[-1] not in _FR_VOWELS else (word, False)
    if kind in ("amment", "emment"):
        return (base + kind[0] + "nt" if size >= rv else word), False
    if kind == "ment":
        return (base if size - 1 >= rv and base[-1:] in tuple(_FR_VOWELS) else word), False
    if kind == "ement":
        return (_french_adverb(base, rv, r1, r2), True) if size >= rv else (word, False)
    if size < r2:
        return word, False
    if kind in ("log", "u", "ent"):
        return base + kind, True
    if kind == "ation" and base.endswith("ic"):
        return (base[:-2] if ends("ic", r2) else base[:-2] + "iqU"), True
    if kind == "ité":
        if base.endswith("abil"):
            return (base[:-4] if ends("abil", r2) else base[:-4] + "abl"), True
        if base.endswith("ic"):
            return (base[:-2] if ends("ic", r2) else base[:-2] + "iqU"), True
        return (base[:-2] if ends("iv", r2) else base), True
    if kind == "if" and ends("at", r2):
        base = base[:-2]
        if base.endswith("ic"):
            return (base[:-2] if len(base) - 2 >= r2 else base[:-2] + "iqU"), True
    return base, True


def _french_adverb(base: str, rv: int, r1: int, r2: int) -> str:
    size = len(base)
    if base.endswith("iv"):
        if size - 2 < r2:
            return base
        return base[:-4] if base.endswith("ativ") and size - 4 >= r2 else base[:-2]
    if base.endswith("eus"):
        return base[:-3] if size - 3 >= r2 else base[:-3] + "eux" if size - 3 >= r1 else base
    if base.endswith(("abl", "iqU")):
        return base[:-3] if size - 3 >= r2 else base
    if base.endswith(("ièr", "Ièr")):
        return base[:-3] + "i" if size - 3 >= rv else base
    return base


def _french_i_verb(word: str, rv: int, r2: int) -> tuple[str, bool]:
    suffix = _longest(word, _FR_I_VERBS, rv)
    base = word.removesuffix(suffix)
    fits = suffix and len(base) - 1 >= rv and base[-1] not in _FR_VOWELS
    return (base, True) if fits else (word, False)


def _french_verb(word: str, rv: int, r2: int) -> tuple[str, bool]:
    suffix = _longest(word, (*_FR_E_VERBS, *_FR_A_VERBS, "ions"), rv)
    base = word.removesuffix(suffix)
    if not suffix or (suffix == "ions" and len(base) < r2):
        return word, False
    if suffix in _FR_A_VERBS and base.endswith("e") and len(base) - 1 >= rv:
        base = base[:-1]
    return base, True


def _french_residue(word: str, rv: int, r2: int) -> str:
    if len(word) > 1 and word.endswith("s") and word[-2] not in "aiouès":
        word = word[:-1]
    suffix = _longest(word, ("ion", "ier", "ière", "Ier", "Ière", "e", "ë"), rv)
    base = word.removesuffix(suffix)
    if suffix == "ion":
        return base if len(base) >= r2 and len(base) - 1 >= rv and base[-1] in "st" else word
    if suffix == "ë":
        return base if base.endswith("gu") and len(base) - 2 >= rv else word
    return base if suffix in ("", "e") else base + "i"


_WRITTEN_HERE: dict[str, Callable[[str], str]] = {"de": _german, "fr": _french}

"""Porter's stemmer (1980) with the changes that its author made later, as TERp has it.

Snowball's `porter` keeps to the paper. Porter's own programs differ from it in three points: words of one or two
letters stay, `-bli` becomes `-ble` (the paper: `-abli`, `-able`), and `-logi` becomes `-log`.
"""

_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
    *("ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def porter_stem(word: str) -> str:
    """Return the stem of a word in lower case. All but a, e, i, o, u and y are consonants: "1970s" becomes "1970"."""
    if len(word) + sum(letter > "\uffff" for letter in word) <= 2:  # letters as Java counts them
        return word
    stem = _past_and_progressive(_plural(word))
    if stem.endswith("y") and _has_vowel(stem[:-1]):
        stem = stem[:-1] + "i"
    stem = _replaced(stem, _STEP_2)
    stem = _replaced(stem, _STEP_3)
    return _tidied(_without_ending(stem))


def _kinds(stem: str) -> str:
    """Return v for each vowel and c for each consonant."""
    kinds = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _measure(stem: str) -> int:
    return _kinds(stem).count("vc")


def _has_vowel(stem: str) -> bool:
    return "v" in _kinds(stem)


def _ends_double(stem: str) -> bool:
    return len(stem) > 1 and stem[-1] == stem[-2] and stem[-1] <= "\uffff" and _kinds(stem)[-1] == "c"


def _ends_cvc(stem: str) -> bool:
    return _kinds(stem)[-3:] == "cvc" and stem[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word:
            break
    if stem == word or not _has_vowel(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem) and stem[-1] not in "lsz":
        return stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_cvc(stem) else stem


def _longest(word: str, endings: tuple[str, ...]) -> str:
    return max((ending for ending in endings if word.endswith(ending)), key=len, default="")


def _replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    ending = _longest(word, tuple(ending for ending, _ in rules))
    stem = word.removesuffix(ending)
    return stem + dict(rules)[ending] if ending and _measure(stem) > 0 else word


def _without_ending(word: str) -> str:
    ending = _longest(word, _STEP_4)
    stem = word.removesuffix(ending)
    if not ending or _measure(stem) < 2 or (ending == "ion" and not stem.endswith(("s", "t"))):
        return word
    return stem


def _tidied(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_cvc(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word

"""Write native/text/unicode_tables.inc: the Unicode 17.0 data behind native/text/unicode.cpp.

Run it from the root of the repository, in any environment; the output is the same on every run:

    pip install regex==2026.1.15 unicodedata2==17.0.1
    python tools/make_unicode_tables.py

Where each part comes from:

- general categories, combining classes, decompositions and compositions: `unicodedata2`;
- Cased and Case_Ignorable: `regex`;
- white space: Python's `str.isspace`;
- lower case: `str.lower` for characters this Python has assigned. A newer character that
  \\p{Changes_When_Lowercased} names maps to the one lower-case character `regex` matches it with
  when case is ignored; the same rule must reproduce `str.lower` wherever its answer is unique.

Nothing is written unless the packages agree on the version and every character that this Python has
assigned keeps the properties, lower case and normal forms that this Python gives it.
"""

import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import regex
import unicodedata2

VERSION = "17.0.0"
OUTPUT = Path(__file__).parents[1] / "native" / "unicode_tables.inc"
CODE_POINTS = range(0x110000)
EVERYTHING = "".join(map(chr, CODE_POINTS))

# kBlockBits in native/text/unicode.hpp: the smallest tables whose blocks one byte can number.
BLOCK_BITS = 7

PUNCTUATION, SYMBOL, NUMBER, SEPARATOR, WHITESPACE, CASED, CASE_IGNORABLE, LETTER_OR_MARK = (
    1 << bit for bit in range(8)
)
BY_MAJOR_CATEGORY = {
    "P": PUNCTUATION,
    "S": SYMBOL,
    "N": NUMBER,
    "Z": SEPARATOR,
    "L": LETTER_OR_MARK,
    "M": LETTER_OR_MARK,
}

# Unicode took these back after version 14, which is what Python 3.11 lower-cases with: ʕ is no longer
# Cased, and AHOM CONSONANT SIGN MEDIAL RA no longer Case_Ignorable. The oldest Python is followed.
KEPT_FROM_14 = {0x0295: CASED, 0x1171E: CASE_IGNORABLE}

# The flags of NormalizationTraits in native/text/unicode.cpp.
DECOMPOSES, DECOMPOSES_COMPATIBLY, COMPOSES_BACKWARD, NOT_NFC, NOT_NFKC = (1 << bit for bit in range(5))

HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)
HANGUL_VOWELS_AND_TRAILS = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}
CAPITAL_I_WITH_DOT = 0x0130  # the one character with a longer lower case; the code handles it


def main() -> None:
    check_versions()
    properties = all_properties()
    check_against_this_python(properties)
    parts = [
        f"// Unicode {VERSION}. Written by tools/make_unicode_tables.py; change that instead.",
        f"static_assert(kBlockBits == {BLOCK_BITS});",
        *two_stage("property", properties),
        *lower_tables(lower_case()),
        *normalization_tables(),
    ]
    OUTPUT.write_text("\n".join(parts) + "\n", encoding="ascii", newline="\n")


# --- properties -------------------------------------------------------------------------------------


def all_properties() -> list[int]:
    properties = [from_category(char) | (WHITESPACE if char.isspace() else 0) for char in EVERYTHING]
    for bit, codes in [
        (CASED, having("Cased")),
        (CASE_IGNORABLE, having("Case_Ignorable")),
    ]:
        for code in codes:
            properties[code] |= bit
    for code, bit in KEPT_FROM_14.items():
        properties[code] |= bit
    return properties


def from_category(char: str) -> int:
    return BY_MAJOR_CATEGORY.get(unicodedata2.category(char)[0], 0)


def having(name: str) -> list[int]:
    return [ord(char) for char in regex.findall(rf"\p{{{name}}}", EVERYTHING)]


# --- lower case -------------------------------------------------------------------------------------


def lower_case() -> dict[int, int]:
    """Map each character that changes to its simple lower case."""
    lower_letters = "".join(
        char for char in regex.findall(r"\p{Changes_When_Uppercased}", EVERYTHING) if char.lower() == char != "ς"
    )
    mapping = {}
    for code in having("Changes_When_Lowercased"):
        if code == CAPITAL_I_WITH_DOT:
            continue
        matches = regex.findall(chr(code), lower_letters, flags=regex.IGNORECASE)
        if known(chr(code)):
            mapping[code] = ord(chr(code).lower())
            require(len(matches) != 1 or matches == [chr(mapping[code])], f"lower case of U+{code:04X}")
        else:
            require(len(matches) == 1, f"lower case of U+{code:04X}")
            mapping[code] = ord(matches[0])
    return mapping


def lower_tables(mapping: dict[int, int]) -> Iterator[str]:
    deltas = sorted({target - code for code, target in mapping.items()})
    index = {delta: position for position, delta in enumerate([0, *deltas])}
    yield from array("std::int32_t", "lower_deltas", [0, *deltas])
    yield from two_stage("lower", [index[mapping.get(code, code) - code] for code in CODE_POINTS])


# --- normalization ----------------------------------------------------------------------------------


def normalization_tables() -> Iterator[str]:
    canonical = decompositions("NFD")
    compatible = {code: to for code, to in decompositions("NFKD").items() if canonical.get(code) != to}
    pairs = compositions()
    backward = {second for _, second in pairs} | HANGUL_VOWELS_AND_TRAILS

    def traits(code: int) -> tuple[int, int]:
        char = chr(code)
        flags = DECOMPOSES if code in canonical or code in HANGUL_SYLLABLES else 0
        flags |= DECOMPOSES_COMPATIBLY if code in compatible else 0
        flags |= COMPOSES_BACKWARD if code in backward else 0
        # A character that stays as it is may still begin with one that joins what precedes it.
        attaches = ord(unicodedata2.normalize("NFD", char)[0]) in backward
        flags |= NOT_NFC if attaches or unicodedata2.normalize("NFC", char) != char else 0
        flags |= NOT_NFKC if attaches or unicodedata2.normalize("NFKC", char) != char else 0
        return unicodedata2.combining(char), flags

    yield from traits_tables([traits(code) for code in CODE_POINTS])
    yield from decomposition_tables(canonical, compatible)
    yield from array(
        "Composition",
        "compositions",
        [f"{{{first:#x},{second:#x},{pairs[first, second]:#x}}}" for first, second in sorted(pairs)],
    )


def decompositions(form: str) -> dict[int, str]:
    """Map each character to its full decomposition, Hangul left to arithmetic."""
    full = {code: unicodedata2.normalize(form, chr(code)) for code in CODE_POINTS if code not in HANGUL_SYLLABLES}
    return {code: to for code, to in full.items() if to != chr(code)}


def compositions() -> dict[tuple[int, int], int]:
    """Map each pair to its primary composite; what NFC takes apart again is excluded from composition."""
    pairs = {}
    for char in EVERYTHING:
        fields = unicodedata2.decomposition(char).split()
        if len(fields) == 2 and not fields[0].startswith("<") and unicodedata2.normalize("NFC", char) == char:
            pairs[int(fields[0], 16), int(fields[1], 16)] = ord(char)
    return pairs


def traits_tables(traits: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Number the distinct traits so that one comparison tells the characters that need no work."""

    def effort(item: tuple[int, int]) -> int:
        combining, flags = item
        return 2 if combining or flags & NOT_NFC else 1 if flags & NOT_NFKC else 0

    distinct = sorted(set(traits), key=lambda item: (effort(item), item))
    index = {item: position for position, item in enumerate(distinct)}
    for name, most in [("kInertInNfkc", 0), ("kInertInNfc", 1)]:
        yield f"constexpr std::uint8_t {name} = {sum(effort(item) <= most for item in distinct)};"
    yield from array("NormalizationTraits", "traits_values", [f"{{{a},{b}}}" for a, b in distinct])
    yield from two_stage("traits", [index[item] for item in traits])


def decomposition_tables(canonical: dict[int, str], compatible: dict[int, str]) -> Iterator[str]:
    pool = ""
    for name, mapping in [("canonical", canonical), ("compatible", compatible)]:
        entries = []
        for code, to in sorted(mapping.items()):
            if to not in pool:
                pool += to
            entries.append(f"{{{code:#x},{pool.index(to)},{len(to)}}}")
        yield from array("Decomposition", f"{name}_decompositions", entries)
    yield from array("char32_t", "decomposition_pool", [f"{ord(char):#x}" for char in pool])


# --- checks -----------------------------------------------------------------------------------------


def check_versions() -> None:
    require(unicodedata2.unidata_version == VERSION, "version of unicodedata2")
    unassigned = [code for code in CODE_POINTS if unicodedata2.category(chr(code)) == "Cn"]
    require(having("Cn") == unassigned, "version of regex")
    for major in BY_MAJOR_CATEGORY:
        codes = [code for code in CODE_POINTS if unicodedata2.category(chr(code))[0] == major]
        require(having(major) == codes, f"category {major}")


def check_against_this_python(properties: Sequence[int]) -> None:
    for char in filter(known, EVERYTHING):
        name = f"U+{ord(char):04X}"
        require(
            from_category(char) == BY_MAJOR_CATEGORY.get(unicodedata.category(char)[0], 0),
            f"category of {name}",
        )
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            require(unicodedata2.normalize(form, char) == unicodedata.normalize(form, char), f"{form} of {name}")
        # A newer Python may have followed Unicode in taking these back.
        if ord(char) not in KEPT_FROM_14 or unicodedata.unidata_version == "14.0.0":
            require(visible_case(properties[ord(char)]) == case_seen_by_python(char), f"Cased of {name}")


def visible_case(bits: int) -> str:
    """Return what the rule for the final sigma can tell: Cased is hidden in a character it skips."""
    return "ignorable" if bits & CASE_IGNORABLE else "cased" if bits & CASED else "neither"


def case_seen_by_python(char: str) -> str:
    if f"AΣ{char}".lower()[1] == "σ":
        return "cased"
    return "ignorable" if f"AΣ{char}A".lower()[1] == "σ" else "neither"


def known(char: str) -> bool:
    return unicodedata.category(char) not in ("Cn", "Cs")


def require(condition: bool, subject: str) -> None:
    if not condition:
        sys.exit(f"{subject}: the sources disagree, so nothing was written")


# --- C++ text ---------------------------------------------------------------------------------------


def two_stage(name: str, values: Sequence[int]) -> Iterator[str]:
    """Cut `values` into blocks, keep each distinct block once, and number the blocks."""
    size = 1 << BLOCK_BITS
    blocks = [tuple(values[start : start + size]) for start in range(0, len(values), size)]
    position = {block: number for number, block in enumerate(dict.fromkeys(blocks))}
    require(len(position) <= 256, f"number of blocks of {name}")
    yield from array("std::uint8_t", f"{name}_blocks", [position[block] for block in blocks])
    yield from array("std::uint8_t", f"{name}_entries", [value for block in position for value in block])


def array(kind: str, name: str, items: Iterable[object]) -> Iterator[str]:
    texts = list(map(str, items))
    yield f"const {kind} {name}[] = {{"
    yield from (",".join(texts[start : start + 32]) + "," for start in range(0, len(texts), 32))
    yield "};"


if __name__ == "__main__":
    main()

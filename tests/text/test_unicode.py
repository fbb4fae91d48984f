"""Lower case, normal forms and properties against the Python that runs the tests.

The tables are Unicode 17.0, newer than Python's, so only characters Python has assigned are compared.
"""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import BLEU, METEOR, TER, TERp, _native

PUNCTUATION, SYMBOL, NUMBER, SEPARATOR, WHITESPACE, CASED, CASE_IGNORABLE, LETTER_OR_MARK = (
    1 << bit for bit in range(8)
)
MAJOR_CATEGORIES = {
    "P": PUNCTUATION,
    "S": SYMBOL,
    "N": NUMBER,
    "Z": SEPARATOR,
    "L": LETTER_OR_MARK,
    "M": LETTER_OR_MARK,
}

# ʕ was Cased and U+1171E Case_Ignorable in Unicode 14, Python 3.11's, and the tables stay with that.
CASE_CHANGED_AFTER_14 = "\u0295\U0001171e" if unicodedata.unidata_version != "14.0.0" else ""

KNOWN = [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) not in ("Cn", "Cs")]

any_known = st.characters(exclude_categories=("Cn", "Cs"), exclude_characters=CASE_CHANGED_AFTER_14)
changing = st.sampled_from(
    [char for char in KNOWN if unicodedata.decomposition(char) or unicodedata.combining(char) or char.lower() != char]
)
# Few characters, so that they meet: letters and the marks that join them, jamo, kana, Devanagari.
meeting = st.sampled_from(
    "aeoAEKs\u0300\u0301\u0307\u0308\u0323\u0327\u0328\u0345ΑαΣΩ"
    "\u1100\u1161\u11a8\uac00\uac01\u306e\u304b\u3099\u0915\u093c\u094d\u0958\ufb01\uff12\u212b\u0130"
)
texts = st.text(st.one_of(any_known, changing, meeting), max_size=30)
sigma_texts = st.text(st.one_of(st.sampled_from("ΣΣΣaA\u0345'.:·\u00ad\u0301ʰ1 中😀\u0130"), any_known), max_size=12)


def bits_of_category(char: str) -> int:
    return MAJOR_CATEGORIES.get(unicodedata.category(char)[0], 0)


def case_seen_by_python(char: str) -> str:
    """Tell what a character is to the rule for the final sigma, which skips what is ignorable."""
    if f"AΣ{char}".lower()[1] == "σ":
        return "cased"
    return "ignorable" if f"AΣ{char}A".lower()[1] == "σ" else "neither"


def case_in_table(char: str) -> str:
    bits = _native.properties(ord(char))
    return "ignorable" if bits & CASE_IGNORABLE else "cased" if bits & CASED else "neither"


def python_first_invalid(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return -1


def differing(expected, got) -> list[str]:
    return [f"U+{ord(char):04X}" for char in KNOWN if expected(char) != got(char)]


# --- properties ---------------------------------------------------------------------------------------------


def test_categories_of_every_known_character():
    category_bits = PUNCTUATION | SYMBOL | NUMBER | SEPARATOR | LETTER_OR_MARK
    assert differing(bits_of_category, lambda char: _native.properties(ord(char)) & category_bits) == []


def test_whitespace_is_what_python_calls_space():
    spaces = [code for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert [code for code in range(sys.maxunicode + 1) if _native.properties(code) & WHITESPACE] == spaces


def test_case_properties_of_every_known_character():
    changed = [f"U+{ord(char):04X}" for char in CASE_CHANGED_AFTER_14]
    assert set(differing(case_seen_by_python, case_in_table)) <= set(changed)


@pytest.mark.parametrize("code", [0xD800, 0xDFFF, 0xFFFF, 0x10FFFF, 0x110000, 0x7FFFFFFF, 0xFFFFFFFF])
def test_what_is_no_character_has_no_properties(code):
    assert _native.properties(code) == 0


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("!", PUNCTUATION),
        ("$", SYMBOL),
        ("½", NUMBER),
        (" ", SEPARATOR | WHITESPACE),
        ("\t", WHITESPACE),
        ("A", LETTER_OR_MARK | CASED),
        ("中", LETTER_OR_MARK),
        ("\u0301", LETTER_OR_MARK | CASE_IGNORABLE),
        ("ʰ", LETTER_OR_MARK | CASED | CASE_IGNORABLE),
        ("'", PUNCTUATION | CASE_IGNORABLE),
        ("Ⅷ", NUMBER | CASED),
        ("\U00016ea0", LETTER_OR_MARK | CASED),  # Beria Erfe, new in Unicode 17
    ],
)
def test_worked_properties(char, expected):
    assert _native.properties(ord(char)) == expected


# --- lower case ---------------------------------------------------------------------------------------------


def test_lower_of_every_known_character():
    assert differing(str.lower, _native.lower) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Hello, WORLD!", "hello, world!"),
        ("ÄÖÜ ẞ", "äöü ß"),
        ("\u0130STANBUL \u0130", "i\u0307stanbul i\u0307"),
        ("ABC \u023a \u212aELVIN", "abc \u2c65 kelvin"),  # one grows by a byte, the other shrinks by two
        ("Σ", "σ"),
        ("ΑΣ", "ας"),
        ("ΑΣΑ", "ασα"),
        ("ΣΑΣ ΣΑΣ", "σας σας"),
        ("ΑΣ.", "ας."),
        ("ΑΣ.Α", "ασ.α"),
        ("Α.Σ", "α.ς"),
        (".Σ", ".σ"),
        ("ΑΣΣ", "ασς"),
        ("1Σ", "1σ"),
        ("ΑΣ1Α", "ας1α"),
        ("Α\u0301Σ\u0301", "α\u0301ς\u0301"),
        ("\u0130ΑΣ", "i\u0307ας"),
        ("\U00016ea0", "\U00016ebb"),  # new in Unicode 17
        ("\ua7dc", "\u019b"),  # new in Unicode 16
    ],
)
def test_worked_lower_case(text, expected):
    assert _native.lower(text) == expected


@given(texts)
def test_lower_agrees_with_python(text):
    assert _native.lower(text) == text.lower()


@given(sigma_texts)
def test_final_sigma_agrees_with_python(text):
    assert _native.lower(text) == text.lower()


@given(st.text(st.characters(codec="ascii"), min_size=20, max_size=90), texts)
def test_long_ascii_runs_agree_with_python(ascii_text, text):
    mixed = ascii_text + text + ascii_text.upper()
    assert _native.lower(mixed) == mixed.lower()


# --- normal forms -------------------------------------------------------------------------------------------

forms = pytest.mark.parametrize("form", ["nfc", "nfkc"])


@forms
def test_normal_form_of_every_known_character(form):
    def expected(char):
        return unicodedata.normalize(form.upper(), char)

    assert differing(expected, lambda char: _native.normalize(char, form)) == []


@forms
def test_composes_every_decomposition(form):
    def expected(char):
        return unicodedata.normalize(form.upper(), unicodedata.normalize("NFD", char))

    assert differing(expected, lambda char: _native.normalize(unicodedata.normalize("NFD", char), form)) == []


@pytest.mark.parametrize(
    ("text", "nfc", "nfkc"),
    [
        ("", "", ""),
        ("plain", "plain", "plain"),
        ("cafe\u0301s", "caf\u00e9s", "caf\u00e9s"),
        ("\u0301a", "\u0301a", "\u0301a"),
        ("a\u0301\u0323", "ạ\u0301", "ạ\u0301"),  # the dot below goes first and joins
        ("a\u0315\u0300\u05ae\u0300", "à\u05ae\u0300\u0315", "à\u05ae\u0300\u0315"),
        ("\u212b", "\u00c5", "\u00c5"),  # the angstrom sign is a singleton
        ("\u0958", "\u0915\u093c", "\u0915\u093c"),  # excluded from composition
        ("\ufb01\uff12 ½", "\ufb01\uff12 ½", "fi2 1\u20442"),
        ("e\u0301\u00a0\ufb01", "\u00e9\u00a0\ufb01", "\u00e9 fi"),
        ("\u1100\u1161\u11a8", "각", "각"),
        ("\uac00\u11a8", "각", "각"),
        ("\uac01", "각", "각"),
        ("\uac01\u11a8", "각\u11a8", "각\u11a8"),
        ("\uac00\u11a7", "가\u11a7", "가\u11a7"),  # one before the first trailing consonant
        (
            "\u314e\u314f\u3134",
            "\u314e\u314f\u3134",
            "하\u1102",
        ),  # compatibility jamo become leads and vowels
        ("\uff76\uff9e", "\uff76\uff9e", "\u30ac"),  # half-width ka and voicing mark
        ("\U00016d63\U00016d67", "\U00016d69", "\U00016d69"),  # new in Unicode 16
        ("\U00016d63\U00016d67\U00016d67", "\U00016d6a", "\U00016d6a"),
        ("\U00016d63\U00016d68", "\U00016d6a", "\U00016d6a"),  # a composite whose first half joins backward
    ],
)
def test_worked_normal_forms(text, nfc, nfkc):
    assert (_native.normalize(text, "nfc"), _native.normalize(text, "nfkc")) == (nfc, nfkc)


@forms
@pytest.mark.parametrize("around", ["e{}", "{}", "{}\u0301", "e\u0323{}x"])
def test_words_take_their_form_whatever_character_they_hold(form, around):
    # Metrics look for what has another form while they cut words, and pass over characters that never have.
    words = [around.format(char) for char in KNOWN if not char.isspace()]
    texts = [" ".join(words[at : at + 50]) for at in range(0, len(words), 50)]
    normal = [[unicodedata.normalize(form.upper(), text)] for text in texts]
    rows = BLEU(tokenize="blank", unicode=form).statistics(texts, normal)
    as_they_are = BLEU(tokenize="blank").statistics([text for (text,) in normal], normal)
    assert rows.tolist() == as_they_are.tolist()


@forms
@given(text=texts)
def test_normal_form_agrees_with_python(form, text):
    assert _native.normalize(text, form) == unicodedata.normalize(form.upper(), text)


@forms
@given(text=texts.map(lambda text: unicodedata.normalize("NFD", text)))
def test_composition_agrees_with_python(form, text):
    assert _native.normalize(text, form) == unicodedata.normalize(form.upper(), text)


@forms
@given(
    text=st.text(st.sampled_from("\u1100\u1112\u1113\u1161\u1175\u1176\u11a7\u11a8\u11c2가각힣a\u0301"), max_size=12)
)
def test_hangul_agrees_with_python(form, text):
    assert _native.normalize(text, form) == unicodedata.normalize(form.upper(), text)


@forms
def test_many_marks_on_one_letter(form):
    text = "a" + "\u0301\u0323\u0315" * 5000
    assert _native.normalize(text, form) == unicodedata.normalize(form.upper(), text)


# --- UTF-8 --------------------------------------------------------------------------------------------------

# Bytes on both sides of every boundary in the definition of well-formed UTF-8.
BOUNDARY_BYTES = bytes.fromhex("00417F8081 8F909F A0BFC0C1 C2DFE0E1 ECEDEEEF F0F1F3F4 F5FF")
boundary_bytes = st.sampled_from(BOUNDARY_BYTES)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", -1),
        (b"plain", -1),
        ("Zürich 中文 😀".encode(), -1),
        (b"ab\xff", 2),
        (b"\xc0\x80", 0),  # overlong
        (b"a\xe0\x9f\xbf", 1),  # overlong
        (b"\xf0\x8f\xbf\xbf", 0),  # overlong
        (b"\xed\xa0\x80", 0),  # surrogate
        (b"\xf4\x90\x80\x80", 0),  # U+110000
        (b"\xf4\x8f\xbf\xbf", -1),  # U+10FFFF
        (b"ok \xe4\xb8", 3),  # cut short
        (b"x" * 40 + b"\x80", 40),
    ],
)
def test_worked_utf8(data, expected):
    assert _native.first_invalid_utf8(data) == expected


@pytest.mark.parametrize("characters", ["é", "中", "\U0001f600", "aé中\U0001f600"])
def test_first_invalid_finds_damage_anywhere_in_long_text(characters):
    valid = (characters * 100).encode()[:200].decode(errors="ignore").encode()
    for cut in range(len(valid)):
        for middle in (b"", *(bytes([byte]) for byte in BOUNDARY_BYTES)):
            for rest in (valid[cut:], valid[cut + 1 :]):
                damaged = valid[:cut] + middle + rest
                assert _native.first_invalid_utf8(damaged) == python_first_invalid(damaged), damaged


@given(st.binary(max_size=80))
def test_first_invalid_agrees_with_python_on_random_bytes(data):
    assert _native.first_invalid_utf8(data) == python_first_invalid(data)


@given(st.lists(boundary_bytes, max_size=12).map(bytes))
def test_first_invalid_agrees_with_python_on_boundary_bytes(data):
    assert _native.first_invalid_utf8(data) == python_first_invalid(data)


@given(st.text(max_size=50), st.integers(0, 40), st.integers(1, 5), boundary_bytes, st.data())
def test_first_invalid_agrees_with_python_on_damaged_text(text, padding, repeats, byte, data):
    valid = b"x" * padding + text.encode() * repeats  # long enough to be checked in blocks
    cut = data.draw(st.integers(0, len(valid)))
    assert _native.first_invalid_utf8(valid) == -1
    for damaged in (valid[:cut], valid[:cut] + bytes([byte]) + valid[cut:], valid[:cut] + valid[cut + 1 :]):
        assert _native.first_invalid_utf8(damaged) == python_first_invalid(damaged)


@pytest.mark.parametrize(
    ("text", "java", "perl"),
    [
        ("ΑΣ", "ας", "ασ"),
        ("Σ", "σ", "σ"),
        ("ΣΑΣ ΣΑΣ", "σας σας", "σασ σασ"),
        ("ΑΣ-Α", "ασ-α", "ασ-α"),  # one word in Java; Python's is ας-α
        ("ΑΣ- Α", "ας- α", "ασ- α"),
        ("ΑΣ--Α", "ας--α", "ασ--α"),  # one joint, not two
        ("ΑΣ1Α", "ασ1α", "ασ1α"),
        ("a5Σ", "a5ς", "a5σ"),
        ("ΑΣ1,5Α", "ασ1,5α", "ασ1,5α"),  # a comma joins digits
        ("ΑΣ,Α", "ας,α", "ασ,α"),  # but not letters
        ("Α:Σ", "α:σ", "α:σ"),
        ("ΑΣ’Α", "ας’α", "ασ’α"),
        ("ΑΣ'Α", "ασ'α", "ασ'α"),
        ("Α\u0301Σ\u0301", "α\u0301ς\u0301", "α\u0301σ\u0301"),
        ("Α-\u0301Σ", "α-\u0301σ", "α-\u0301σ"),  # an accent belongs to what is before it, here the joint
        ("Α-\u200bΣ", "α-\u200bς", "α-\u200bσ"),
        ("ʰΣ", "ʰς", "ʰσ"),
        ("ªΣ", "ªσ", "ªσ"),  # no letter with case when Java's list was made
        ("中Σ", "中σ", "中σ"),
        ("Α中Σ", "α中σ", "α中σ"),
        ("אΣ", "אσ", "אσ"),
        ("ΑאΣ", "αאς", "αאσ"),
        ("\u0130ΑΣ", "i\u0307ας", "i\u0307ασ"),
    ],
)
def test_lower_case_of_java_and_perl(text, java, perl):
    assert _native.lower(text, "java") == java
    assert _native.lower(text, "perl") == perl


@given(texts.map(lambda text: text.replace("Σ", "")))
def test_languages_differ_in_sigma_alone(text):
    assert _native.lower(text, "java") == _native.lower(text, "perl") == _native.lower(text)


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        (METEOR(text="lower", language="other", task="universal", collisions="none"), "java"),
        (TER(), "java"),
        (TERp(costs="ter", normalized=False), "java"),
        (TER(variant="sacrebleu"), "python"),
        (BLEU(lowercase=True, tokenize="none"), "python"),
        (BLEU(lowercase=True, tokenize="mteval-intl-bare"), "perl"),
    ],
)
def test_each_program_lower_cases_as_its_language_does(metric, theirs):
    """ΑΣ1Α has a final sigma in Python, ΑΣ in Python and Java."""
    forms = {"java": ["ασ1α", "ας"], "python": ["ας1α", "ας"], "perl": ["ασ1α", "ασ"]}
    for text, own in zip(["ΑΣ1Α", "ΑΣ"], forms[theirs], strict=True):
        assert metric.tokenizer(text) == [own]

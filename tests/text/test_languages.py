"""What stands after -l: codes, tags and pairs, of which the target counts."""

import pytest

from tertium.errors import InputError
from tertium.text.languages import Language, target_language


@pytest.mark.parametrize(
    ("text", "code", "script"),
    [
        ("de", "de", ""),
        ("deu", "de", ""),
        ("ger", "de", ""),
        ("zh-Hant", "zh", "Hant"),
        ("zh-Hant-TW", "zh", "Hant"),
        ("zh-CN", "zh", ""),
        ("zh-cn", "zh", ""),
        ("zh_CN", "zh", ""),
        ("cmn_Hans", "zh", "Hans"),
        ("pt-BR", "pt", ""),
        ("en-ja", "ja", ""),
        ("ja-zh", "zh", ""),
        ("EN-JA", "ja", ""),
        ("en-zh_TW", "zh", ""),
        ("en-zh-Hant", "zh", "Hant"),
        ("zh-Hant-en", "en", ""),
        ("en-US-de-DE", "de", ""),
        ("en-cz", "cs", ""),
        ("en-jp", "ja", ""),
        ("eng_Latn-deu_Latn", "de", "Latn"),
        ("en-hsb", "hsb", ""),
        ("de-1996", "de", ""),
        ("en-JA", "ja", ""),
    ],
)
def test_reads_codes_tags_and_pairs(text, code, script):
    assert target_language(text) == Language(code, script)


@pytest.mark.parametrize(
    "text",
    ["", "-", "x", "xx", "qqq", "en-", "-ja", "en--ja", "en-de-fr", "en-xx", "zh-tw", "pt-br", "en_de", "|", "e1"],
)
def test_refuses_what_it_cannot_understand(text):
    with pytest.raises(InputError, match="-l"):
        target_language(text)


@pytest.mark.parametrize(
    ("text", "tokenizer"),
    [("zh", "zh"), ("yue", "zh"), ("zh-Latn", "13a"), ("ja", "ja-mecab"), ("ko", "ko-mecab"), ("cs", "13a"),
     *((code, "char") for code in ("th", "km", "lo", "my", "bo"))],
)  # fmt: skip
def test_says_how_a_language_is_split(text, tokenizer):
    assert target_language(text).tokenizer == tokenizer

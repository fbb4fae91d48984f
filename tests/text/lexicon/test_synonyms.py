"""Synonyms: WordNet's and METEOR's base forms, every file form, and concepts."""

import gzip
import pickle
from pathlib import Path

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.text.lexicon import Synonyms

WORDNET = Path("/usr/share/wordnet")


@pytest.mark.parametrize(
    ("a", "b", "related"),
    [  # the first four and the two negative ones after them were asked of TERp itself
        ("yields", "gave", True),
        ("us", "u.s.", True),
        ("were", "was", True),
        ("better", "good", True),
        ("fast", "quickly", False),
        ("the", "a", False),
        ("car", "automobiles", True),
        ("Cars", "AUTOMOBILE", True),
        ("geese", "goose", True),
        ("boxesful", "boxful", True),
        ("xyzzy", "xyzzy", False),  # known to nobody, so of no synset
    ],
)
def test_words_that_share_a_synset_after_base_forms(a, b, related):
    synonyms = Synonyms.open()
    assert synonyms.related(a, b) == synonyms.related(b, a) == related


def test_the_rules_differ():
    wordnet, meteor = Synonyms.open(), Synonyms.open(rule="meteor")
    # hoped: WordNet's rules lead to hope and to hop, METEOR's to the first of them that is a word.
    assert set(wordnet.ids("hop")) & set(wordnet.ids("hoped"))
    assert not set(meteor.ids("hop")) & set(meteor.ids("hoped"))
    assert set(meteor.ids("hope")) <= set(meteor.ids("hoped"))
    assert meteor.ids("glass") == tuple(sorted({id % 100_000_000 for id in wordnet.ids("glass")}))
    assert meteor.ids("Cars") == ()  # as they stand
    none = Synonyms.open(rule="none")
    assert none.ids("cars") == ()
    assert none.ids("car")
    with pytest.raises(UnknownNameError, match="No rule for base forms is called 'porter'"):
        Synonyms.open(rule="porter")


def test_concepts_are_the_usual_senses():
    synonyms = Synonyms.open()
    assert synonyms.concept("car") == synonyms.concept("automobiles") == synonyms.concept("Auto")
    assert synonyms.concept("ran") == synonyms.concept("run")
    assert synonyms.concept("machine") != synonyms.concept("car")  # though they share a synset
    assert synonyms.related("machine", "car")
    assert synonyms.concept("xyzzy") is None
    assert synonyms.concept("car") in synonyms.ids("car")


def test_names_and_hashes():
    synonyms = Synonyms.open()
    assert synonyms.name == "wordnet-3.0"
    assert Synonyms.open(synonyms.mark) == synonyms
    assert pickle.loads(pickle.dumps(synonyms)).related("car", "auto")
    assert "automobile" in synonyms.synonyms("car")
    assert len(synonyms) == 147_306
    with pytest.raises(InputError, match="are others than those here"):
        Synonyms.open("wordnet-3.0@000000000000")
    with pytest.raises(InputError, match="There are no synonyms 'nothing'.*Give 'wordnet'"):
        Synonyms.open("nothing")
    with pytest.raises(InputError, match="METEOR's synonyms for 'en' were not found.*TERTIUM_METEOR"):
        Synonyms.open("meteor:en")


LMF = """<?xml version="1.0" encoding="UTF-8"?>
<LexicalResource><Lexicon id="x" language="en">
<LexicalEntry id="e1"><Lemma writtenForm="goose" partOfSpeech="n"/><Form writtenForm="geese"/>
<Sense id="s1" synset="x-1-n"/></LexicalEntry>
<LexicalEntry id="e2"><Lemma writtenForm="honker" partOfSpeech="n"/><Sense id="s2" synset="x-1-n"/></LexicalEntry>
<Synset id="x-1-n" partOfSpeech="n"/>
</Lexicon></LexicalResource>
"""


@pytest.mark.parametrize(
    ("name", "text", "pairs"),
    [
        ("my.tsv", "goose\tgeese\thonker\n\nswan\tcygnet\n", [("geese", "honker"), ("swan", "cygnet")]),
        ("bom.tsv", "\ufeffgoose\thonker\r\n", [("goose", "honker")]),
        (
            "wn-data-fin.tab",
            "# Name\tfin\n01855672-n\tfin:lemma\thanhi\n01855672-n\tfin:lemma\tkihu\n",
            [("hanhi", "kihu")],
        ),
        ("plain.tab", "01855672-n\tlemma\thanhi\n01855672-n\tlemma\tkihu\n", [("hanhi", "kihu")]),
        ("all.hindi", "34\tहंस,राजहंस\tएक पक्षी\tNOUN\n35\tजल,पानी,नीर\tपीने का\tNOUN\n", [("जल", "नीर"), ("हंस", "राजहंस")]),
        ("lmf.xml", LMF, [("geese", "honker"), ("gooses", "honkers")]),
        ("some.synsets", "goose\n00000001 00000007\nhonker\n00000007\n", [("gooses", "honker")]),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_form_of_file(tmp_path, name, text, pairs, packed):
    if packed and name.endswith(".synsets"):
        return  # told by its name
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    synonyms = Synonyms.open(path)
    for a, b in pairs:
        assert synonyms.related(a, b), (a, b)
        assert synonyms.concept(a) is not None
    assert not synonyms.related(pairs[0][0], "nothing")


def test_meteors_exceptions_stand_beside_its_synsets(tmp_path):
    (tmp_path / "english.synsets").write_text("goose\n00000007\nhonker\n00000007\n")
    (tmp_path / "english.exceptions").write_text("goose\ngeese gooses\n")
    assert Synonyms.open(tmp_path / "english.synsets").related("geese", "honker")


def test_hindi_wordnets_directory(tmp_path):
    folder = tmp_path / "HindiWN" / "database"
    folder.mkdir(parents=True)
    (folder / "data_txt").write_text(
        "00000034 01 02 जल:पानी 0001 1102 00000035 01 | पीने का\n00000035 01 01 नदी 0000 | बहता पानी\n"
    )
    (folder / "idxnoun_txt").write_text("जल 01 1 0 1 00000034\nपानी 01 1 0 1 00000034\nनीर 01 1 0 1 00000034\n")
    synonyms = Synonyms.open(folder.parent)
    assert synonyms.related("जल", "पानी")
    assert synonyms.related("जल", "नीर")
    assert not synonyms.related("जल", "नदी")


@pytest.mark.slow
@pytest.mark.skipif(not WORDNET.is_dir(), reason="Debian's wordnet-base is not installed")
def test_the_bundled_table_is_the_database():
    bundled, database = Synonyms.open(), Synonyms.open(WORDNET)
    for word in "car geese yields was better run bank u.s. hoped boxesful left 's_gravenhage".split():
        # Debian's offsets are not those of the release.
        assert [id // 100_000_000 for id in bundled.ids(word)] == [id // 100_000_000 for id in database.ids(word)]
        assert (bundled.concept(word) or 0) // 100_000_000 == (database.concept(word) or 0) // 100_000_000
        assert set(bundled.synonyms(word)) == set(database.synonyms(word))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.tsv", "one\n", "line 1: 'one', but a line has two or more words"),
        ("a.tsv", "a\tb\n\nc\t\n", "line 3: "),
        ("a.tab", "# x\n01855672-n\tlemma\n", "line 2: "),
        ("a.synsets", "goose\nx\n", "line 2: 'x', but the ids of 'goose' belong there"),
        ("a.synsets", "goose\n00000007\nhonker\n", "line 3: 'honker', but lines come in pairs"),
        ("all.hindi", "34\tहंस\tx\tNOUN\nहंस\n", "line 2: "),
        ("a.xml", "<LexicalResource><Lexicon>", "is no XML that can be read"),
        ("b.xml", "<LexicalResource/>", "has no LexicalEntry"),
        ("c.xml", '<x><LexicalEntry id="e"/></x>', "has no Lemma"),
        ("empty.tsv", "", "is empty"),
    ],
)
def test_a_bad_line_is_named(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError) as error:
        Synonyms.open(path)
    assert str(path) in str(error.value)
    assert said in str(error.value)


def test_a_directory_of_something_else(tmp_path):
    with pytest.raises(InputError, match="neither index.noun .* nor data_txt"):
        Synonyms.open(tmp_path)
    (tmp_path / "index.noun").write_text("goose n 1 0 1 0 0185567\n")
    with pytest.raises(InputError, match=r"index\.noun, line 1: .*offsets"):
        Synonyms.open(tmp_path)

"""METEOR's own files: found in a directory, in a jar, in a package; never copied."""

import gzip
import sys
import zipfile

import pytest

from oracles.wmt import ORACLE, needs_oracle
from tertium import METEOR
from tertium.errors import InputError
from tertium.text.lexicon import FunctionWords, PhraseTable, Synonyms, meteor_files

FILES = {
    "function/english.words": "the\nof\n",
    "function/czech.words": "a\n",
    "nonbreaking/english.prefixes": "Mr\n",
    "synonym/english.synsets": "goose\n00000007\nhonker\n00000007\n",
    "synonym/english.exceptions": "goose\ngeese\n",
}
REAL = ORACLE / "resources" / "meteor"


@pytest.fixture(params=["directory", "jar", "directory with jar", "package"])
def place(request, tmp_path, monkeypatch):
    """The files above, wherever METEOR may be, and its paraphrases."""
    root = tmp_path / "pycocoevalcap" / "meteor"
    (root / "data").mkdir(parents=True)
    (root / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(b"0.5\na b\nc\n"))
    (root / "data" / "paraphrase-cz.gz").write_bytes(gzip.compress(b"0.5\na\nb\n"))
    if request.param == "directory":
        for name, text in FILES.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
    else:
        with zipfile.ZipFile(root / "meteor-1.5.jar", "w") as jar:
            for name, text in FILES.items():
                jar.writestr(name, text)
    if request.param == "package":
        (root.parent / "__init__.py").write_text("")
        monkeypatch.syspath_prepend(tmp_path)
        sys.modules.pop("pycocoevalcap", None)
        monkeypatch.delenv("TERTIUM_METEOR")
    else:
        monkeypatch.setenv("TERTIUM_METEOR", str(root / "meteor-1.5.jar" if request.param == "jar" else root))
    return root


def test_all_of_it_is_found(place):
    files = meteor_files()
    assert files.read("function", "en") == b"the\nof\n"
    assert files.read("function", "cz") == files.read("function", "cs") == b"a\n"
    assert files.read("nonbreaking", "en") == b"Mr\n"
    assert files.read("function", "fr") is None
    assert files.languages("function") == ["cs", "en"]
    assert FunctionWords.open("en").name == "meteor-en"
    assert FunctionWords.open("en").words == {"the", "of"}
    assert FunctionWords.open("fr").name == "tertium-fr"
    synonyms = Synonyms.open("meteor:en")
    assert (synonyms.name, synonyms.rule) == ("meteor-en", "meteor")
    assert synonyms.related("geese", "honker")
    assert list(PhraseTable.open("meteor:en")) == [("a b", "c", 0.5)]
    assert list(PhraseTable.open("meteor:cs")) == [("a", "b", 0.5)]
    assert PhraseTable.open("meteor:en").name == "meteor-en"


def test_a_place_that_is_given_wins(place, tmp_path):
    other = tmp_path / "other"
    (other / "function").mkdir(parents=True)
    (other / "function" / "english.words").write_text("an\n")
    assert FunctionWords.open("en", resources=other).words == {"an"}


def test_a_wrong_place_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TERTIUM_METEOR", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="TERTIUM_METEOR names .*nowhere, which does not exist"):
        meteor_files()
    (tmp_path / "nowhere").write_text("x")
    with pytest.raises(InputError, match="neither a directory nor a jar"):
        meteor_files()
    with pytest.raises(InputError, match="resources names .*, but none of METEOR's files is there"):
        METEOR(resources=str(tmp_path))  # which would score with other lists in silence


def test_an_empty_directory_stands_for_none_of_them(tmp_path):
    assert "function_words=tertium-en@" in METEOR(resources=str(tmp_path)).signature()


@needs_oracle
@pytest.mark.slow
def test_meteors_real_files():
    synonyms = Synonyms.open("meteor:en", resources=REAL)
    assert synonyms.related("cars", "automobile")
    # Both come from WordNet 3.0, so every word has the same ids.
    bundled = Synonyms.open("wordnet", rule="meteor")
    words = (REAL / "synonym" / "english.synsets").read_text().splitlines()[::2]
    forms = (REAL / "synonym" / "english.exceptions").read_text().split()
    for word in [*words[::7], *forms, *(f"{word}s" for word in words[::11]), *(f"{word}ing" for word in words[::13])]:
        assert synonyms.ids(word) == bundled.ids(word), word

"""`tertium.read` and `tertium.read_testset`: files as lists."""

import gzip

import pytest

import tertium
from tertium.corpus.named.own import OwnPair, add_own
from tertium.errors import InputError, UnknownNameError

XML = """<?xml version="1.0"?><dataset id="small"><doc id="d1">
<src lang="de"><p><seg id="1">Eins.</seg><seg id="2">Zwei.</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">One.</seg><seg id="2">Two.</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">1.</seg><seg id="2">2.</seg></p></ref>
<hyp system="north"><p><seg id="1">One!</seg><seg id="2">Two!</seg></p></hyp></doc></dataset>
"""


def test_lines_and_columns(tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n\n", encoding="utf-8")
    assert tertium.read(tmp_path / "a.txt") == ["one", "two", ""]
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one\n"))
    assert tertium.read(str(tmp_path / "a.txt.gz")) == ["one"]
    (tmp_path / "a.tsv").write_text("mine\tref\nun\tone\ndeux\ttwo\n", encoding="utf-8")
    assert tertium.read(f"{tmp_path / 'a.tsv'}:mine") == ["un", "deux"]
    (tmp_path / "a.jsonl").write_text('{"mt": "x\\ny"}\n', encoding="utf-8")
    assert tertium.read(f"{tmp_path / 'a.jsonl'}:mt") == ["x\ny"]


def test_what_is_odd_is_told_of(tmp_path):
    (tmp_path / "dos.txt").write_bytes(b"\xef\xbb\xbfone\r\n")
    with pytest.warns(UserWarning, match="byte-order mark"), pytest.warns(UserWarning, match="CR LF"):
        assert tertium.read(tmp_path / "dos.txt") == ["one"]
    (tmp_path / "bad.txt").write_bytes(b"one\n\xff\n")
    with pytest.raises(InputError, match="line 2, byte 1 .* is not UTF-8"):
        tertium.read(tmp_path / "bad.txt")
    with pytest.raises(InputError, match="cannot be read: no such file"):
        tertium.read(tmp_path / "none.txt")


def test_a_test_set(tmp_path):
    path = tmp_path / "small.xml"
    path.write_text(XML, encoding="utf-8")
    found = tertium.read_testset(path)
    assert found.sources == ["Eins.", "Zwei."]
    assert found.references == {"A": ["One.", "Two."], "B": ["1.", "2."]}
    assert found.systems == {"north": ["One!", "Two!"]}
    assert found.documents == ["d1", "d1"]
    assert tertium.score("chrf", found.systems, reference_sets=found.reference_sets).systems == ("north",)
    assert "reference  A" in repr(found)
    assert [row["reference A"] for row in found.rows_of_frame()] == ["One.", "Two."]
    with pytest.raises(InputError, match="read it with read_testset"):
        tertium.read(path)
    (tmp_path / "a.txt").write_text("one\n")
    with pytest.raises(InputError, match="no test set"):
        tertium.read_testset(tmp_path / "a.txt")


def test_a_test_set_in_files_of_sgml(tmp_path):
    for name, tag, extra in (
        ("src", "srcset", ""),
        ("ref", "refset", ' sysid="A"'),
        ("mine", "tstset", ' sysid="mine"'),
    ):
        (tmp_path / f"{name}.sgm").write_text(
            f'<{tag} setid="s" srclang="de" trglang="en"><doc docid="d"{extra}><seg id="1">{name}</seg></doc></{tag}>\n'
        )
    found = tertium.read_testset(tmp_path / "mine.sgm", tmp_path / "src.sgm", tmp_path / "ref.sgm")
    assert (found.sources, found.references, found.systems) == (["src"], {"A": ["ref"]}, {"mine": ["mine"]})


def test_a_test_set_by_name(tmp_path):
    for name, text in (("ref", "One."), ("src", "Eins.")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n")
    add_own("mine", "de-en", OwnPair((str(tmp_path / "ref.txt"),), str(tmp_path / "src.txt")))
    found = tertium.read_testset("mine", language="de-en")
    assert (found.sources, found.reference_sets, found.systems) == (["Eins."], [["One."]], {})
    with pytest.raises(UnknownNameError, match="Did you mean wmt22"):
        tertium.read_testset("wnt22", language="de-en")
    with pytest.raises(InputError, match="is a file"):
        tertium.read_testset(tmp_path / "ref.txt", language="de-en")

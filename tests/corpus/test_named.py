"""Test sets by name: facts, conversion, and what is in the folder whatever happens."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from corpus import named_archives
from corpus.test_fuzz import mutated
from tertium.corpus.named import catalogue, conversion, loading, store
from tertium.corpus.named.own import OwnPair, add_own, own_sets
from tertium.errors import InputError, TertiumError, UnknownNameError
from tertium.files.downloads import Remote
from tertium.text.languages import target_language

TESTS = Path(__file__).parents[1]


def quiet(what):
    pass


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """A mirror with archives, and a catalogue with their checksums."""
    made = named_archives.archives()
    named_archives.mirror(made, tmp_path / "mirror")
    known = named_archives.patched(named_archives.checksums(made))
    monkeypatch.setattr(catalogue, "_catalogue", lambda: known)
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "mirror"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    return made


def test_all_names_and_pairs_are_there():
    known = catalogue.named_sets()
    assert (len(known), sum(len(one.pairs) for one in known.values())) == (67, 452)
    for one in known.values():
        assert one.title
        assert one.citation.startswith("@misc{")
        for remote in one.remotes:
            assert remote.address.startswith("https://")
            assert len(remote.checksum) == 32
        for pair in one.pairs.values():
            assert len(pair.members) == 1 if one.is_xml else len(pair.members) >= 2
            assert bool(pair.references) == one.is_xml
            target_language(pair.name)  # which -l must take
    assert {name for name, one in known.items() if one.subsets} == {"wmt18", "wmt19"}
    assert known["wmt18"].subsets["rt.com.68098"] == "US-crime"


@pytest.mark.parametrize(
    ("name", "pair", "source", "reference"),
    [
        ("wmt18", "de-en", "s Nobody &amp; nothing moved, they said &quot;wait&quot;", "r Nobody &amp; nothing moved"),
        ("wmt22", "de-en", 's Nobody & nothing moved, they said "wait"', 'a Nobody & nothing moved, they said "wait"'),
        ("mtedx/test", "el-en", "s Nobody &amp; nothing   moved,", "r Nobody &amp; nothing   moved,"),
        ("mtnt2019", "en-fr", "s Nobody &amp; nothing   moved,", "r Nobody &amp; nothing   moved,"),
        ("multi30k/2018", "en-de", "s Nobody", "r1 Nobody"),
        ("wmt20/robust/set1", "en-de", "en Nobody", "de Nobody"),
        ("iwslt17", "en-de", "en-de Nobody &amp; nothing moved,", "de-en Nobody &amp; nothing moved,"),
    ],
)
def test_texts_are_those_of_the_files(sets, name, pair, source, reference):
    found = loading.load(name, pair)
    assert len(found) == len(named_archives.TEXTS)
    assert found.source[1].startswith(source)
    (texts,) = found.references.values()
    assert texts[1].startswith(reference)


def test_only_the_archives_that_are_needed_come(sets, tmp_path):
    loading.load("iwslt17", "en-de")
    here = {path.name for path in (tmp_path / "sets/iwslt17/raw").glob("*.tgz")}
    assert here == {"iwslt17.en-de.tgz", "iwslt17.de-en.tgz"}


def test_a_file_that_another_set_has_is_not_fetched_again(sets, tmp_path, monkeypatch):
    loading.load("wmt20", "de-en")
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "none"))
    assert len(loading.load("wmt20/tworefs", "de-en").references) == 2


def test_a_file_put_there_by_hand_is_checked_and_used(sets, tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "none"))
    with pytest.raises(InputError, match="put it at") as error:
        loading.load("wmt18", "de-en")
    place = tmp_path / "sets/wmt18/raw/wmt18.test.tgz"
    assert str(error.value).endswith(f"put it at {place}.")
    place.write_bytes(b"something else")
    with pytest.raises(InputError, match="another file, or cut short"):
        loading.load("wmt18", "de-en")
    place.write_bytes(sets["wmt18"][0])
    assert len(loading.load("wmt18", "de-en")) == 6


def test_added_archives_are_told_by_their_checksum(sets, tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "none"))
    (tmp_path / "any name").write_bytes(sets["wmt18"][0])
    one = catalogue.named_set("wmt18")
    assert store.put(one, tmp_path / "any name", say=quiet).name == "test.tgz"
    assert len(loading.load("wmt18", "de-en")) == 6
    with pytest.raises(InputError, match="it is no file of wmt19"):
        store.put(catalogue.named_set("wmt19"), tmp_path / "any name", say=quiet)


@pytest.mark.parametrize("name", ["../evil", "/evil"])
def test_an_archive_that_leads_outside_leaves_nothing(sets, tmp_path, monkeypatch, name):
    data = named_archives.tar({"test/newstest2018-deen-src.de.sgm": b"x", name: b"x"})
    known = dict(catalogue.named_sets())
    remote = Remote(known["wmt18"].remotes[0].address, named_archives.checksums({"": [data]})[""][0])
    known["wmt18"] = replace(known["wmt18"], remotes=(remote,))
    monkeypatch.setattr(catalogue, "_catalogue", lambda: known)
    named_archives.mirror({"wmt18": [data]}, tmp_path / "mirror")
    with pytest.raises(InputError, match="leads out of the folder"):
        loading.load("wmt18", "de-en")
    assert not (tmp_path / "sets/wmt18/raw/wmt18.test.tgz").exists()
    assert not list(tmp_path.rglob("*evil*"))


def test_what_a_pair_lacks_is_told(sets):
    with pytest.raises(InputError, match="needs test/newstest2018-csen-src"):
        loading.load("wmt18", "cs-en")


def test_a_folder_that_cannot_be_written_is_told(sets, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "file"))
    with pytest.raises(InputError, match="set SACREBLEU to a folder"):
        loading.load("wmt18", "de-en")


def test_a_field_that_a_killed_program_left_out_is_made(sets, tmp_path):
    one = catalogue.named_set("wmt22")
    pair = one.pair("de-en")
    assert len(store.field_lines(one, pair, "Second", say=quiet)) == 6
    (tmp_path / "sets/wmt22/wmt22.de-en.Second").unlink()
    assert len(store.field_lines(one, pair, "Second", say=quiet)) == 6


def test_a_disk_that_is_full_while_unpacking_leaves_no_set(sets, tmp_path):
    """A real limit of the system: no file may be larger than the archive, but what is in it is."""
    texts = named_archives.sgml("s") * 300
    sets["wmt18"] = [named_archives.tar(dict.fromkeys(catalogue.named_set("wmt18").pairs["de-en"].paths, texts))]
    named_archives.mirror({"wmt18": sets["wmt18"]}, tmp_path / "mirror")
    limit = (
        "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(sets['wmt18'][0]) + 99},) * 2)\n"
    )
    process = start(tmp_path / "sets", sets, "testsets", "get", "wmt18", "-l", "de-en", before=limit)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"cannot be written: file too large" in err
    here = {path.name for path in (tmp_path / "sets").rglob("*") if path.is_file() and path.suffix != ".lock"}
    assert here <= {"wmt18.test.tgz.part"}
    process = start(tmp_path / "sets", sets, "testsets", "get", "wmt18", "-l", "de-en")
    assert process.communicate(timeout=60)[1] == b""


def test_chosen_segments(sets):
    one = catalogue.named_set("wmt18")
    pair = one.pair("de-en")
    for origlang, subset, kept in [
        ("en", None, [1, 1, 0, 1, 0, 0]), ("non-en", None, [0, 0, 1, 0, 1, 1]), (None, "US", [1, 1, 1, 0, 0, 0]),
        (None, "sport|politics", [0, 0, 1, 1, 0, 0]), ("en", "country:GB", [0, 0, 0, 1, 0, 0]),
    ]:  # fmt: skip
        assert loading.segments_kept(one, pair, origlang=origlang, subset=subset) == list(map(bool, kept))


def test_own_sets(sets, tmp_path):
    (tmp_path / "ref.txt").write_text("a b\nc d\n")
    (tmp_path / "docs.txt").write_text("x\ny\n")
    add_own("mine", "en-de", OwnPair((str(tmp_path / "ref.txt"),), None, str(tmp_path / "docs.txt")))
    found = loading.load("mine", "en-de")
    assert (list(found.references.values()), found.documents) == ([["a b", "c d"]], ["x", "y"])
    for name in ("wmt22", "a,b", "a/b", "", "a b"):
        with pytest.raises(InputError, match="cannot be the name"):
            add_own(name, "en-de", OwnPair(("x",)))
    with pytest.raises(UnknownNameError, match="mine"):
        loading.load("mini", "en-de")
    (tmp_path / "cache" / "testsets.json").write_text("[1]")
    with pytest.raises(InputError, match="Delete it"):
        own_sets()


@pytest.mark.parametrize("cases", [400, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(("name", "pair"), [("wmt18", "de-en"), ("wmt22", "de-en"), ("mtnt2019", "en-fr"), ("mtedx/test", "el-en")])  # fmt: skip
def test_no_file_breaks_the_conversion(tmp_path, name, pair, cases):
    rng = random.Random(f"named {name} {cases}")
    one = catalogue.named_set(name)
    wanted = one.pair(pair)
    contents = {"wmt18": named_archives.sgml("s"), "wmt22": named_archives.xml(), "mtnt2019": named_archives.columns()}
    data = contents.get(name, named_archives.lines("s"))
    for path in wanted.paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    refused = 0
    for _ in range(cases):
        (tmp_path / wanted.paths[0]).write_bytes(mutated(data, rng))
        try:
            fields = conversion.fields_of(one, wanted, tmp_path)
            assert len({len(lines) for lines in fields.values()}) == 1
            assert not any("\n" in line for lines in fields.values() for line in lines)
        except TertiumError as error:
            refused += 1
            assert str(error)
    assert 0 < refused <= cases


def start(folder: Path, sets: dict[str, list[bytes]], *arguments: str, before: str = ""):
    environment = {**os.environ, "SACREBLEU": str(folder)}
    sums = named_archives.written(sets, folder.parent)
    return subprocess.Popen(
        [sys.executable, "-c", before + named_archives.PROGRAM, TESTS, sums, *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_two_processes_at_once(sets, tmp_path):
    both = [start(tmp_path / "sets", sets, "testsets", "get", "wmt18", "-l", "de-en") for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
        assert out.startswith(b"wmt18 de-en: 6 segments\n")


@pytest.mark.long
def test_a_kill_at_any_moment_leaves_nothing_or_everything(sets, tmp_path):
    rng = random.Random("kill")
    big = {"test/newstest2018-deen-src.de.sgm": named_archives.sgml("s") * 3000}
    big["test/newstest2018-deen-ref.en.sgm"] = big["test/newstest2018-deen-src.de.sgm"]
    sets["wmt18"] = [named_archives.tar(big)]
    named_archives.mirror({"wmt18": sets["wmt18"]}, tmp_path / "mirror")
    begin = time.monotonic()
    process = start(tmp_path / "first", sets, "testsets", "get", "wmt18", "-l", "de-en")
    process.communicate()
    lasts = time.monotonic() - begin
    whole = {path.name: path.read_bytes() for path in (tmp_path / "first/wmt18").glob("*.de-en.*")}
    assert len(whole) == 5
    unfinished = 0
    for number in range(30):
        folder = tmp_path / str(number)
        process = start(folder, sets, "testsets", "get", "wmt18", "-l", "de-en")
        time.sleep(rng.uniform(0.1, 1.1) * lasts)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        here = {path.name: path.read_bytes() for path in (folder / "wmt18").glob("*.de-en.*")}
        assert all(whole[name] == data for name, data in here.items())  # whatever has its name is whole
        if "wmt18.de-en.src" in here:  # and who finds the source finds all
            assert here == whole
        else:
            unfinished += 1
        archive = folder / "wmt18/raw/wmt18.test.tgz"
        assert not archive.exists() or archive.read_bytes() == sets["wmt18"][0]
        process = start(folder, sets, "testsets", "get", "wmt18", "-l", "de-en")
        assert process.communicate()[1] == b""
        assert {path.name: path.read_bytes() for path in (folder / "wmt18").glob("*.de-en.*")} == whole
    assert unfinished > 5

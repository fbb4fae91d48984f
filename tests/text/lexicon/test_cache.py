"""The cache: built once, by one process at a time, whole or not at all, and again when it is damaged."""

import multiprocessing
import os
import subprocess
import sys
import time

import pytest

from tertium.errors import InputError
from tertium.text.lexicon import PhraseTable, Synonyms, cache

TSV = "phrase_ref\tphrase_hyp\tprob\nran fast\tran quickly\t0.5\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make(file, folder, text="hello"):
    cache.write(
        file, "test", {"name": "t"}, len(text), lambda out: out.__setitem__(slice(cache.HEADER, None), text.encode())
    )


def test_where_it_is(monkeypatch, tmp_path):
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path))
    assert cache.cache_directory() == tmp_path
    monkeypatch.delenv("TERTIUM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform.startswith("linux"):
        assert cache.cache_directory() == tmp_path / "tertium"


def test_built_once_and_again_when_the_source_changes(folder, tmp_path):
    source, built = tmp_path / "source", []
    source.write_text("one")

    def build(file, folder):
        built.append(1)
        make(file, folder, source.read_text())

    for _ in range(3):
        file = cache.cached("test", "t", [source], "", build)
        assert file.data[cache.HEADER :] == b"one"
    assert len(built) == 1
    cache.cached("test", "t", [source], "other options", build)
    assert len(built) == 2
    source.write_text("three")
    assert cache.cached("test", "t", [source], "", build).data[cache.HEADER :] == b"three"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data[:-1] + b"?",
        lambda data: b"garbage" * 1000,
        lambda data: data.replace(b'"format": 4', b'"format": 3'),
        lambda data: data.replace(b'"tertium": "test"', b'"tertium": "best"'),
        lambda data: b"\0" * len(data),
        lambda data: b"[]" + data[2:],
        lambda data: data.replace(b'"name": "t"', b'"name": "u"'),
        lambda data: data.replace(b'"name"', b'"nane"'),
    ],
)
def test_what_is_damaged_is_built_again(folder, tmp_path, damage):
    source = tmp_path / "source"
    source.write_text("x")
    path = cache.cached("test", "t", [source], "", make).path
    path.write_bytes(damage(path.read_bytes()))
    assert cache.cached("test", "t", [source], "", make).data[cache.HEADER :] == b"hello"


def test_a_failed_build_leaves_nothing(folder, tmp_path):
    source = tmp_path / "table.tsv"
    source.write_text(TSV + "broken\n")
    with pytest.raises(InputError, match="line 3"):
        PhraseTable.open(source)
    assert [path for path in folder.iterdir() if path.suffix != ".lock"] == []


def test_a_full_disk_is_told_of_and_leaves_nothing(folder, tmp_path):
    resource = pytest.importorskip("resource")
    source = tmp_path / "source"
    source.write_text("x")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    try:
        with pytest.raises(InputError, match="cannot be written: file too large"):
            cache.cached("test", "t", [source], "", make)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert [path for path in folder.iterdir() if path.suffix != ".lock"] == []


@pytest.mark.slow
def test_a_directory_that_cannot_be_made_is_done_without(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "file" / "cache"))
    assert Synonyms.open().related("car", "auto")


def _open_slowly(folder, source, log, gate):
    os.environ["TERTIUM_CACHE"] = folder

    def build(target, folder):
        with open(log, "a") as file:
            file.write("built\n")
        time.sleep(0.3)
        make(target, folder)

    from pathlib import Path

    gate.wait()
    file = cache.cached("test", "t", [Path(source)], "", build)
    assert file.data[cache.HEADER :] == b"hello"


def test_of_several_processes_one_builds(folder, tmp_path):
    source, log = tmp_path / "source", tmp_path / "log"
    source.write_text("x")
    context = multiprocessing.get_context("fork")
    gate = context.Event()
    processes = [
        context.Process(target=_open_slowly, args=(str(folder), str(source), str(log), gate)) for _ in range(4)
    ]
    for process in processes:
        process.start()
    gate.set()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert log.read_text() == "built\n"


def test_importing_tertium_loads_no_lexicon():
    code = "import sys, tertium; tertium.BLEU(); print([m for m in sys.modules if 'lexicon' in m or m == 'Stemmer'])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


@pytest.mark.parametrize("place", [0, 20_000_000, 39_999_999])
def test_a_large_file_is_checked_whole(folder, tmp_path, place):
    source = tmp_path / "source"
    source.write_text("x")
    text = "a" * 40_000_000
    path = cache.cached("test", "t", [source], "", lambda file, folder: make(file, folder, text)).path
    with open(path, "r+b") as file:
        file.seek(cache.HEADER + place)
        file.write(b"b")
    with pytest.raises(cache.Damaged):
        cache.opened(path, "test")


def test_a_source_of_the_same_size_and_time_is_another(folder, tmp_path):
    source = tmp_path / "table.tsv"
    source.write_text(TSV)
    before, status = PhraseTable.open(source), source.stat()
    other = tmp_path / "other.tsv"
    other.write_text(TSV.replace("quickly", "slowly."))
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    os.replace(other, source)
    assert PhraseTable.open(source).paraphrases("ran fast") == [("ran slowly.", 0.5)]
    assert PhraseTable.open(source).hash != before.hash
    source.write_text(TSV)  # in place, with the time of before
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert PhraseTable.open(source).paraphrases("ran fast") == [("ran quickly", 0.5)]


def test_no_room_anywhere_is_told_of(folder, tmp_path, monkeypatch):
    source = tmp_path / "source"
    source.write_text("x")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_temporary_directory", full)
    with pytest.raises(InputError, match="cannot be written: no space left on device"):
        cache.cached("test", "t", [source], "", full)

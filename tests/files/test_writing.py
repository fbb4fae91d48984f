"""Writing: whole or not at all, and what was there before is treated as its owner would."""

import errno
import os
import signal
import stat
import subprocess
import sys

import pytest

from tertium.errors import InputError
from tertium.files import writing
from tertium.files.writing import new_file, write_whole


@pytest.fixture(params=["nameless", "named"], autouse=True)
def way(request, monkeypatch):
    """Both ways: files without a name, and a hidden name where the system knows no such files."""
    if request.param == "named":
        monkeypatch.setattr(writing, "_OPEN_FILES", "/there/is/none")
    return request.param


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_follows_the_umask(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_text() == "text"
    assert mode(tmp_path / "new") == 0o666 & ~mask


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o755])
def test_a_file_that_is_replaced_passes_on_its_mode(tmp_path, bits):
    path = tmp_path / "mine"
    path.write_text("old")
    path.chmod(bits)
    write_whole(path, b"new")
    assert path.read_text() == "new"
    assert mode(path) == bits


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_replaced(tmp_path, there):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if there:
        (folder / "target").write_text("old")
    link = tmp_path / "link"
    link.symlink_to(folder / "target")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (folder / "target").read_text() == "new"
    assert set(os.listdir(tmp_path)) == {"elsewhere", "link"}
    assert os.listdir(folder) == ["target"]


def test_what_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "result"

    def fail():
        with new_file(path) as file:
            file.write(b"half")
            raise ZeroDivisionError

    for before in (None, "old"):
        if before:
            path.write_text(before)
        with pytest.raises(ZeroDivisionError):
            fail()
        assert os.listdir(tmp_path) == (["result"] if before else [])
    assert path.read_text() == "old"


@pytest.fixture
def full_disk():
    """Let no file grow beyond 1,000 bytes."""
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, old)
    signal.signal(signal.SIGXFSZ, before)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_told_of_and_leaves_nothing(tmp_path):
    with pytest.raises(InputError, match=r"result cannot be written: file too large"):
        write_whole(tmp_path / "result", b"x" * 10_000)
    assert os.listdir(tmp_path) == []


def _give_up(path):
    with new_file(path) as file:
        file.write(b"x" * 2000)  # into a buffer, which cannot be emptied
        raise InputError("the reason")


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_does_not_hide_why_a_file_was_given_up(tmp_path):
    with pytest.raises(InputError, match="the reason"):
        _give_up(tmp_path / "result")
    assert os.listdir(tmp_path) == []


def test_devices_are_written_to_as_they_are():
    write_whole(os.devnull, "gone")
    assert not os.path.isfile(os.devnull)


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system knows no files without a name")
@pytest.mark.parametrize("way", ["nameless"], indirect=True)
def test_a_kill_leaves_nothing(tmp_path):
    program = (
        "import os, sys\n"
        "from tertium.files.writing import new_file\n"
        "with new_file(sys.argv[1]) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, tmp_path / "out"], check=False).returncode == -9
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system knows no files without a name")
@pytest.mark.parametrize("way", ["nameless"], indirect=True)
def test_a_new_file_never_has_another_name(tmp_path, monkeypatch):
    def seen(*names):
        raise AssertionError(names)

    monkeypatch.setattr("tertium.files.writing.exchange", seen)
    write_whole(tmp_path / "out", "text")
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("way", ["named", "nameless"], indirect=True)
def test_what_a_killed_process_left_is_removed_after_a_day(tmp_path):
    old, recent = tmp_path / ".tertium-0123.part", tmp_path / ".tertium-4567.part"
    for path in (old, recent, tmp_path / "out"):
        path.write_text("half")
    os.utime(old, (0, 0))
    write_whole(tmp_path / "out", "text")
    assert set(os.listdir(tmp_path)) == {"out", recent.name}


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=os.strerror(errno.ENOENT).lower()):
        write_whole(tmp_path / "no" / "out", "text")

"""What Windows does otherwise, simulated: no fcntl, no exchange of a file that is open, another error for closed pipes."""

import errno
import io
import os
import sys
import time
import types

import pytest

from tertium.cli.output.writing import emit
from tertium.errors import InputError
from tertium.files import systems
from tertium.files.systems import only_one
from tertium.files.writing import write_whole


@pytest.fixture
def windows(monkeypatch):
    """Take fcntl away, and lock bytes of files in a dictionary instead, one holder each."""
    held = {}

    def locking(descriptor, mode, count):
        assert (mode, count, os.lseek(descriptor, 0, os.SEEK_CUR)) == (2, 1, 0)
        file = os.fstat(descriptor).st_ino
        if held.setdefault(file, descriptor) != descriptor:
            raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK=2))
    return held


@pytest.fixture
def clock(monkeypatch):
    """Let time pass only in pauses; return the list of them."""
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(pauses))
    return pauses


def test_a_lock_keeps_others_out(tmp_path, windows):
    with open(tmp_path / "lock", "a") as one, open(tmp_path / "lock", "a") as two:
        systems.lock(one.fileno(), wait=False)
        with pytest.raises(BlockingIOError):
            systems.lock(two.fileno(), wait=False)


def test_whoever_waits_gets_the_lock_later(tmp_path, windows, monkeypatch):
    with open(tmp_path / "lock", "a") as one, open(tmp_path / "lock", "a") as two:
        systems.lock(one.fileno(), wait=False)
        monkeypatch.setattr(time, "sleep", lambda _: windows.clear())  # the other ends meanwhile
        systems.lock(two.fileno(), wait=True)
        assert list(windows.values()) == [two.fileno()]


def test_one_at_a_time_on_windows_too(tmp_path, windows, monkeypatch):
    said = []
    with only_one(tmp_path / "table", waiting=lambda: said.append("first")):
        monkeypatch.setattr(time, "sleep", lambda _: windows.clear())
        with only_one(tmp_path / "table", waiting=lambda: said.append("second")):
            pass
    assert said == ["second"]


def test_paraphrases_can_be_imported_without_fcntl(windows):
    for name in [name for name in sys.modules if name.startswith("tertium.paraphrase.workspace")]:
        windows[name] = sys.modules.pop(name)
    import tertium.paraphrase.workspace

    assert tertium.paraphrase.workspace.lock is systems.lock


def refusing(times):
    """Return an os.replace that refuses some times, as if a virus scanner had the file open."""
    real, left = os.replace, [times]

    def replace(new, old):
        if left[0]:
            left[0] -= 1
            raise PermissionError(errno.EACCES, "The process cannot access the file")
        real(new, old)

    return replace


def test_a_file_that_is_open_for_a_moment_is_exchanged_a_moment_later(tmp_path, monkeypatch, clock):
    monkeypatch.setattr(systems.os, "replace", refusing(3))
    monkeypatch.setattr(systems.os, "name", "nt")
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    new, old = str(tmp_path / "new"), str(tmp_path / "old")
    systems.exchange(new, old)
    assert len(clock) == 3
    with open(old) as file:
        assert file.read() == "new"


def test_a_file_that_stays_open_is_refused_in_a_sentence(tmp_path, monkeypatch, clock):
    path = tmp_path / "scores.txt"
    path.write_text("old")
    monkeypatch.setattr(systems.os, "replace", refusing(10**6))
    with pytest.raises(Exception, match=r"scores.txt cannot be written: the process cannot access the file"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert clock == []  # elsewhere there is nothing to wait for
    assert os.listdir(tmp_path) == ["scores.txt"]


class ClosedPipe:
    """A standard output whose reader has gone, as Windows tells of it; its descriptor is that of a file."""

    def __init__(self, file):
        self.fileno = file.fileno

    def isatty(self):
        return False

    def writelines(self, pieces):
        raise OSError(errno.EINVAL, "Invalid argument")


def test_a_reader_that_has_seen_enough_is_no_error_on_windows(tmp_path, monkeypatch):
    with open(tmp_path / "pipe", "wb") as file:
        monkeypatch.setattr(sys, "stdout", ClosedPipe(file))
        with pytest.raises(InputError, match="standard output cannot be written: invalid argument"):
            emit("text", None)  # elsewhere it is something else
        monkeypatch.setattr(systems.os, "name", "nt")
        emit("text", None)


@pytest.mark.parametrize(("asked", "bytes_"), [(None, "↑ 中".encode()), ("cp1252:replace", b"? ?")])
def test_files_and_pipes_get_utf8_unless_told_otherwise(monkeypatch, asked, bytes_):
    piped = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(piped, encoding="cp1252", errors="replace"))
    monkeypatch.setattr(sys, "stderr", None)  # closed
    if asked is None:
        monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    else:
        monkeypatch.setenv("PYTHONIOENCODING", asked)
    systems.print_in_utf8()
    print("↑ 中", end="", flush=True)
    assert piped.getvalue() == bytes_

"""Archives: what they hold comes out, and nothing that leads outside."""

import io
import random
import stat
import tarfile
import zipfile

import pytest

from tertium.errors import InputError, TertiumError
from tertium.files.archives import extract


def tar(*entries):
    """Return a .tar.gz of (name, content or link target, type)."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content, kind in entries:
            entry = tarfile.TarInfo(name)
            entry.type = kind
            if kind == tarfile.REGTYPE:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
            else:
                entry.linkname = content
                archive.addfile(entry)
    return data.getvalue()


FILE, SYMLINK, HARDLINK, FIFO = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE


def zipped(entries, link=None):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content)
        if link:
            info = zipfile.ZipInfo(link[0])
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, link[1])
    return data.getvalue()


GOOD = ("set/a.txt", b"one\n", FILE)


@pytest.mark.parametrize(
    "data",
    [
        tar(GOOD, ("set/b/c.txt", b"two\n", FILE)),
        tar(GOOD, ("set/b/c.txt", b"two\n", FILE), ("set/b/link", "../a.txt", SYMLINK), ("./set/d", b"", FILE)),
        zipped([("set/a.txt", "one\n"), ("set/b/c.txt", "two\n")], link=("set/b/link", "../a.txt")),
    ],
)
def test_what_was_asked_for_comes_out(tmp_path, data):
    (tmp_path / "archive").write_bytes(data)
    assert extract(tmp_path / "archive", tmp_path / "out", {"set/b/c.txt", "none"}) == {"set/b/c.txt"}
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["c.txt"]
    assert (tmp_path / "out/set/b/c.txt").read_bytes() == b"two\n"
    assert {"set/a.txt", "set/b/c.txt"} <= extract(tmp_path / "archive", tmp_path / "out")


@pytest.mark.parametrize(
    "data",
    [
        tar(GOOD, ("../evil", b"x", FILE)),
        tar(GOOD, ("set/../../evil", b"x", FILE)),
        tar(GOOD, ("/tmp/evil", b"x", FILE)),
        tar(GOOD, ("set/..", b"x", FILE)),
        tar(GOOD, ("set\\..\\..\\evil", b"x", FILE)),
        tar(GOOD, ("C:evil", b"x", FILE)),
        tar(GOOD, ("set/link", "../../evil", SYMLINK)),
        tar(GOOD, ("set/link", "/etc/passwd", SYMLINK)),
        tar(GOOD, ("set/link", "a/../../../evil", SYMLINK)),
        tar(GOOD, ("set/link", "/etc/passwd", HARDLINK)),
        tar(GOOD, ("set/link", "../evil", HARDLINK)),
        tar(GOOD, ("set/pipe", "", FIFO)),
        tar(("set/folder", "/tmp", SYMLINK), ("set/folder/evil", b"x", FILE)),
        zipped([("set/a.txt", "one"), ("../evil", "x")]),
        zipped([("set/a.txt", "one"), ("/evil", "x")]),
        zipped([("set/a.txt", "one")], link=("set/link", "../../evil")),
    ],
)
def test_what_leads_outside_is_refused_whole(tmp_path, data):
    (tmp_path / "archive").write_bytes(data)
    for wanted in ({"set/a.txt"}, None):
        with pytest.raises(InputError, match=r"leads out|device or pipe"):
            extract(tmp_path / "archive", tmp_path / "in" / "out", wanted)
    assert [path.name for path in tmp_path.rglob("*")] == ["archive"]


def test_no_bytes_break_it(tmp_path):
    rng = random.Random("archives")
    good = [tar(GOOD, ("set/b", b"two" * 500, FILE)), zipped([("set/a.txt", "one\n" * 99)])]
    refused = 0
    for _ in range(300):
        data = bytearray(rng.choice(good))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        (tmp_path / "archive").write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        try:
            extract(tmp_path / "archive", tmp_path / "out")
        except TertiumError as error:
            refused += 1
            assert "archive" in str(error)
    assert refused > 100

"""Compiled resources in the user's cache directory: built once, mapped into memory afterwards.

A cache file is a page of JSON that says what it is, then its data; at the page's end stands a hash of all the rest,
which is checked whenever the file is opened (`native/machine/block_hash.hpp`: as fast as it is read). It gets its name
when it is whole, so no reader ever sees half of it; of two processes that want the same file, one builds and the other
waits. A file that is cut short or damaged is built again. `TERTIUM_CACHE` names another directory.
"""

import errno
import json
import mmap
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from tertium import _native
from tertium.files.reading import unreadable
from tertium.files.systems import only_one
from tertium.files.writing import new_file, unwritable

FORMAT = 4  # of the files; another number is another file
HEADER = 4096
_MAGIC = b'{"tertium": "'
Build = Callable[[BinaryIO, Path], None]  # fills a file; other files that it needs go into that folder

_HASH = 16  # hexadecimal digits at the end of the header
_EDGE = 1 << 12  # bytes at both ends of a source that tell it from another


class Damaged(Exception):
    """A cache file is not whole, or not one at all."""


@dataclass(frozen=True)
class CacheFile:
    """A file of compiled data, mapped into memory; the data begins at `HEADER`."""

    path: Path
    header: dict[str, Any]
    data: mmap.mmap

    def is_whole(self) -> bool:
        """Tell whether the data is what was written, by reading all of it."""
        return _written_hash(self.data) == _hash(self.data)


def cache_directory() -> Path:
    """Return where compiled resources are kept."""
    if given := os.environ.get("TERTIUM_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "tertium"


def cached(kind: str, name: str, sources: Iterable[Path], options: str, build: Build) -> CacheFile:
    """Return what `build` makes of some files, from the cache if it is there.

    A source that changed makes another cache file. Where the directory cannot be written,
    the file lives in a temporary one, as long as the process.
    """
    file_name = f"{kind}-{_plain(name)}-{_fingerprint(sources, options)}.index"
    path = cache_directory() / file_name
    with suppress(Damaged):
        return opened(path, kind)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with only_one(path):
            with suppress(Damaged):
                return opened(path, kind)
            with new_file(path) as file:
                build(file, path.parent)
            return opened(path, kind)
    except OSError:
        try:
            path = _temporary_directory() / file_name
            with suppress(Damaged):
                return opened(path, kind)
            with new_file(path) as file:
                build(file, path.parent)
        except OSError as error:
            raise unwritable(path, error) from None
        return opened(path, kind)


def opened(path: Path, kind: str) -> CacheFile:
    """Return a cache file; raise `Damaged` if it is none, or not whole."""
    try:
        with open(path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # missing, or empty
        raise Damaged(f"{path} cannot be mapped") from None
    try:
        header = json.loads(data[: HEADER - _HASH])
        proper = (header["tertium"], header["format"], header["byte_order"]) == (kind, FORMAT, sys.byteorder)
        size = header["size"]
    except (ValueError, KeyError, TypeError):
        raise Damaged(f"{path} has no header") from None
    if not proper or size != len(data) or size < HEADER:
        raise Damaged(f"{path} is of another kind, or cut short")
    file_of_cache = CacheFile(path, header, data)
    if not file_of_cache.is_whole():
        raise Damaged(f"{path} is damaged")
    return file_of_cache


def is_compiled(path: Path) -> bool:
    """Tell whether a file is one that `write` made."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def write(file: BinaryIO, kind: str, header: dict[str, Any], size: int, fill: Callable[[mmap.mmap], None]) -> None:
    """Write a file whose data has `size` bytes and is put behind its first `HEADER` bytes by `fill`."""
    _take_space(file, HEADER + size)
    with mmap.mmap(file.fileno(), HEADER + size) as data:
        fill(data)
        full = {"tertium": kind, "format": FORMAT, "byte_order": sys.byteorder, "size": HEADER + size}
        text = json.dumps(full | header, ensure_ascii=True).encode()
        assert len(text) <= HEADER - _HASH
        data[: HEADER - _HASH] = text.ljust(HEADER - _HASH)
        data[HEADER - _HASH : HEADER] = _hash(data)
        data.flush()


def _take_space(file: BinaryIO, size: int) -> None:
    """Make a file of this size. A disk that is full must say so now: through a mapping it would end the process."""
    file.truncate(size)
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):
                raise


def file_hash(paths: Iterable[Path]) -> str:
    """Return the first twelve hexadecimal digits of the SHA-256 of some files, one after the other."""
    digest = sha256()
    for path in paths:
        try:
            with open(path, "rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        except OSError as error:
            raise unreadable(str(path), error) from None
    return digest.hexdigest()[:12]


def _fingerprint(sources: Iterable[Path], options: str) -> str:
    digest = sha256(f"{FORMAT}\n{options}\n".encode("utf-8", "surrogateescape"))
    for source in sources:
        digest.update(f"{source.resolve()}\n{identity(source)}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def identity(path: Path) -> tuple[int | str, ...]:
    """Return what tells a file from any that may take its place, without reading all of it.

    Size and time of writing can be copied from another file. The time of the last change to the inode cannot, where the
    system has one, and the ends of the file tell where it has none.
    """
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            digest = sha256(file.read(_EDGE))
            file.seek(max(status.st_size - _EDGE, 0))
            digest.update(file.read(_EDGE))
    except OSError as error:
        raise unreadable(str(path), error) from None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, digest.hexdigest()


def _plain(name: str) -> str:
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._") else "_" for letter in name)[:60]


def _hash(data: mmap.mmap) -> bytes:
    """Return the hash of all but the place where it is written."""
    header, rest = _native.block_hash(data, 0, HEADER - _HASH), _native.block_hash(data, HEADER, len(data))
    return f"{(3 * header + rest) % (1 << 64):0{_HASH}x}".encode()


def _written_hash(data: mmap.mmap) -> bytes:
    return data[HEADER - _HASH : HEADER]


@cache
def _temporary_directory() -> Path:
    import atexit

    directory = Path(tempfile.mkdtemp(prefix="tertium-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory

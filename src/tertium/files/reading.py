"""The one way to open a file: plain, compressed, a pipe or standard input, read in chunks into memory of our own.

Nothing is mapped, so that a file which another process cuts short or rewrites meanwhile is at worst another text,
never memory that has gone. Sizes are not asked for either: files of /proc have none.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import IO, Any

from tertium.errors import InputError, MissingExtraError

COMPRESSED = (".gz", ".zst", ".xz", ".bz2")
_MAGIC = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"BZh")
_CHUNK = 1 << 22  # bytes that are read at once
_ZSTD = 1 << 10  # compressed bytes that are taken at once: of a bomb, those grow to 45 MB at most
_WHOLE = 1 << 30  # bytes of a file that has to be held whole
_NO_TEXT = re.compile("[\udc80-\udcff]")  # how Python keeps bytes of a path that the locale cannot read


def chunks(path: str, size: int | None = None) -> Iterator[bytes]:
    """Return the contents in chunks of `size` bytes, the last one shorter; `-` is standard input."""
    size = size or _CHUNK
    if path == "-" and sys.stdin is None:
        raise InputError("Standard input (-) is closed, so there is nothing to read. Name a file, or pipe text in.")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            start = file.peek(6)[:6] if hasattr(file, "peek") else b""
            if start.startswith(_MAGIC) or path.endswith(COMPRESSED):
                stream = _decompressed(file, path, start)
                while chunk := _read(stream, path, size):
                    yield chunk
            else:
                while chunk := file.read(size):
                    yield chunk
    except OSError as error:
        raise unreadable(path, error) from None


def head(path: str, size: int) -> bytes:
    """Return how a file begins."""
    return next(chunks(path, size), b"")


def whole(path: str) -> bytes:
    """Return all of a file at once, decompressed; for formats that cannot be taken in pieces."""
    parts, held = [], 0
    for chunk in chunks(path):
        parts.append(chunk)
        held += len(chunk)
        if held > _WHOLE:
            raise InputError(
                f"{path} is larger than {_WHOLE >> 30} GiB, but files of its kind are held whole. Split it."
            )
    return b"".join(parts)


def whole_text(path: str) -> str:
    """Return all of a file as text, without its byte-order mark; line ends stay as they are."""
    try:
        return whole(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}, byte {error.start + 1:,} (0x{error.object[error.start]:02X}) is not UTF-8. Save it as UTF-8."
        ) from None


def legible(name: str) -> str:
    """Return part of a path as text: bytes that are none in the locale are spelt out."""
    return _NO_TEXT.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", name)


def unreadable(path: str, error: OSError) -> InputError:
    """Return the error for a file that the system will not give."""
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path} is a directory, but a file was expected.")
    return InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.")


def _decompressed(file: Any, path: str, start: bytes) -> Any:
    if start.startswith(b"\x1f\x8b") or path.endswith(".gz"):
        import gzip

        return gzip.open(file, "rb")
    if start.startswith(b"\xfd7zXZ") or path.endswith(".xz"):
        import lzma

        return lzma.open(file, "rb")
    if start.startswith(b"BZh") or path.endswith(".bz2"):
        import bz2

        return bz2.open(file, "rb")
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError(
            f"{path} is zstd-compressed, which needs a package: pip install 'tertium[zstd]'."
        ) from None
    return _Zstd(file, zstandard.ZstdDecompressor().decompressobj)


class _Zstd:
    """Frames of zstd one after the other. The package's own reader does not notice when the last one is cut short."""

    def __init__(self, file: IO[bytes], start_frame: Callable[[], Any]) -> None:
        self._file = file
        self._start_frame = start_frame
        self._frame: Any = None
        self._waiting = b""

    def read(self, size: int) -> bytes:
        """Return at least `size` bytes of the text; fewer at the end."""
        parts, held = [], 0
        while held < size and (data := self._waiting or self._file.read(_ZSTD)):
            self._frame = self._frame or self._start_frame()
            parts.append(self._frame.decompress(data))
            held += len(parts[-1])
            self._waiting = b""
            if self._frame.eof:
                self._waiting, self._frame = self._frame.unused_data, None
        if held < size and self._frame is not None:
            raise EOFError("it ends within a frame")
        return b"".join(parts)


def _read(stream: IO[bytes], path: str, size: int) -> bytes:
    try:
        return stream.read(size)
    except (EOFError, OSError, ValueError) as error:
        raise _cut_short(path, error) from None
    except Exception as error:
        # zlib.error, LZMAError, ZstdError: each library has its own.
        if type(error).__name__ in ("error", "LZMAError", "ZstdError"):
            raise _cut_short(path, error) from None
        raise


def _cut_short(path: str, error: Exception) -> InputError:
    name = "standard input" if path == "-" else path
    return InputError(f"{name} cannot be decompressed ({str(error).lower()}). Was it cut short? Copy it again.")

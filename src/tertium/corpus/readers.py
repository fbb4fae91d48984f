"""Files of texts, taken in blocks: lines of plain or compressed files, and what all kinds of files have in common."""

import io
import mmap
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from tertium import _native
from tertium.errors import InputError, MissingExtraError

Warn = Callable[[str], None]
Id = tuple[str, str]  # of a segment: its document, and its own within the document

_CHUNK = 1 << 25  # bytes of decompressed text that are held at once
COMPRESSED = (".gz", ".zst", ".xz", ".bz2")
_MAGIC = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"BZh")


class TextFile(ABC):
    """Texts of one file in order. Most files are too large to hold, so they are taken block by block."""

    def __init__(self, name: str, *, warn: Warn) -> None:
        self.name = name
        self.warn = warn
        self.taken = 0

    @property
    def ids(self) -> list[Id] | None:
        """The id of each segment, for formats that have them; such files are held whole."""
        return None

    def take(self, most: int) -> _native.Texts:
        """Return up to `most` further segments."""
        texts = self.read(most)
        self.taken += len(texts)
        return texts

    def count_rest(self) -> int:
        """Go to the end and return how many segments that were."""
        count = 0
        while block := len(self.take(1 << 15)):
            count += block
        return count

    @property
    def lacks_final_newline(self) -> bool:
        """Whether the last line has no end, as in a file that was cut short."""
        return False

    @abstractmethod
    def read(self, most: int) -> _native.Texts:
        """Return up to `most` further segments; none at the end."""

    @abstractmethod
    def again(self) -> "TextFile | None":
        """Return the same file from its beginning, or None if it can be read only once."""


class LineFile(TextFile):
    """One segment per line. A plain file is mapped into memory and never copied, nor made into Python strings."""

    def __init__(self, path: str, *, warn: Warn, crlf_is_usual: bool = False) -> None:
        super().__init__("standard input" if path == "-" else path, warn=warn)
        self.path = path
        self._buffers = buffers(path)
        self._buffer = next(self._buffers, b"")
        self._reader = _native.LineReader(self._buffer)
        self._used = 0
        self._lines = 0
        self._told = {"crlf"} if crlf_is_usual else set()
        if self._reader.had_byte_order_mark:
            warn(f"{self.name} begins with a byte-order mark, which was left out of the first segment.")

    def again(self) -> "LineFile | None":
        """Return the file from its beginning, unless it is standard input."""
        return None if self.path == "-" else LineFile(self.path, warn=lambda _: None)

    def read(self, most: int) -> _native.Texts:
        """Return up to `most` further lines."""
        return self.lines(most)

    def lines(self, most: int) -> _native.Texts:
        """Return up to `most` further lines, checked."""
        while self._reader.at_end:
            buffer = next(self._buffers, None)
            if buffer is None:
                break
            self._buffer = buffer
            self._reader = _native.LineReader(buffer, self._lines)
        self._let_go()
        texts = self._reader.take(most)
        if texts is None:
            raise InputError(self._complaint())
        self._lines += len(texts)
        self._tell()
        return texts

    def _let_go(self) -> None:
        """Tell the system that a mapped file's earlier lines may leave memory; they come back if touched."""
        if isinstance(self._buffer, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            whole_pages = self._reader.position // mmap.PAGESIZE * mmap.PAGESIZE
            if whole_pages > self._used:
                self._buffer.madvise(mmap.MADV_DONTNEED, self._used, whole_pages - self._used)
                self._used = whole_pages

    @property
    def lacks_final_newline(self) -> bool:
        """Whether the last line, once read, had no end."""
        return not self._reader.final_newline

    @property
    def line(self) -> int:
        """How many lines were read so far."""
        return self._lines

    def _complaint(self) -> str:
        line, column, byte = self._reader.bad_line, self._reader.bad_column, self._reader.bad_byte
        if byte == 0:
            return (
                f"{self.name}, line {line:,}, byte {column:,} is a NUL: this looks like a binary file (or UTF-16). "
                "Give UTF-8 text with one segment per line."
            )
        if line == 1 and bytes(self._buffer[:2]) in (b"\xff\xfe", b"\xfe\xff"):
            return f"{self.name} is UTF-16. Convert it first, for example: iconv -f utf-16 -t utf-8 {self.path}."
        return (
            f"{self.name}, line {line:,}, byte {column:,} (0x{byte:02X}) is not UTF-8. Convert the file first, for "
            f"example: iconv -f latin1 -t utf-8 {self.path}."
        )

    def _tell(self) -> None:
        line = self._reader.first_odd_separator
        if line and "separator" not in self._told:
            self._told.add("separator")
            self.warn(
                f"{self.name}, line {line:,} has a character inside that some programs take for a line end (VT, FF, "
                "CR, U+0085, U+2028 or U+2029). Here only a line feed ends a line."
            )
        line = self._reader.first_crlf
        if line and "crlf" not in self._told:
            self._told.add("crlf")
            self.warn(f"{self.name}, line {line:,} ends in CR LF; the CR was taken as part of the line end.")


class TabFile(LineFile):
    """One segment per line with its references, separated by tabs; their number may vary."""

    def read(self, most: int) -> _native.Texts:
        """Return up to `most` further lines as groups."""
        return self.lines(most).split_fields()

    def again(self) -> "TabFile | None":
        """Return the file from its beginning, unless it is standard input."""
        return None if self.path == "-" else TabFile(self.path, warn=lambda _: None)


def buffers(path: str) -> Iterator[bytes | mmap.mmap]:
    """Return the contents in pieces that end at line ends: one piece, mapped, for a plain file."""
    if path == "-":
        stream: Any = sys.stdin.buffer
        head = stream.peek(6)[:6] if hasattr(stream, "peek") else b""
        yield from _pieces(_decompressed(stream, path, head) if head.startswith(_MAGIC) else stream, path)
        return
    try:
        with open(path, "rb") as file:
            head = file.peek(6)[:6]
            if path.endswith(COMPRESSED) or head.startswith(_MAGIC):
                yield from _pieces(_decompressed(file, path, head), path)
            elif not Path(path).is_file():  # a pipe, such as <(…)
                yield from _pieces(file, path)
            elif Path(path).stat().st_size > 0:
                yield mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: str, error: OSError) -> InputError:
    """Return the error for a file that the system will not give."""
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path} is a directory, but a file was expected.")
    return InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.")


def whole(path: str) -> bytes:
    """Return all of a file at once, decompressed; for formats that cannot be taken in pieces."""
    return b"".join(bytes(buffer) for buffer in buffers(path))


def _decompressed(file: io.BufferedReader, path: str, head: bytes) -> Any:
    if head.startswith(b"\x1f\x8b") or path.endswith(".gz"):
        import gzip

        return gzip.open(file, "rb")
    if head.startswith(b"\xfd7zXZ") or path.endswith(".xz"):
        import lzma

        return lzma.open(file, "rb")
    if head.startswith(b"BZh") or path.endswith(".bz2"):
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
        """Return some of the text, or nothing at the end."""
        while data := self._waiting or self._file.read(1 << 20):
            self._frame = self._frame or self._start_frame()
            text: bytes = self._frame.decompress(data)
            self._waiting = b""
            if self._frame.eof:
                self._waiting, self._frame = self._frame.unused_data, None
            if text:
                return text
        if self._frame is not None:
            raise EOFError("it ends within a frame")
        return b""


def _pieces(stream: IO[bytes], path: str, file: IO[bytes] | None = None) -> Iterator[bytes]:
    """Read in chunks; what follows the last line end waits for the next chunk. At the end the file is closed."""
    rest = b""
    with file or nullcontext():  # gzip and lzma would leave what they read from open
        while chunk := _read(stream, path):
            end = chunk.rfind(b"\n") + 1
            if end:
                yield rest + chunk[:end]
                rest = chunk[end:]
            else:
                rest += chunk
    if rest:
        yield rest


def _read(stream: IO[bytes], path: str) -> bytes:
    try:
        return stream.read(_CHUNK)
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

"""Files with one segment per line: plain, gzip, or standard input."""

import gzip
import mmap
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

from tertium import _native
from tertium.errors import InputError

Warn = Callable[[str], None]


class LineFile:
    """The lines of one file, taken in blocks. A plain file is mapped into memory and never copied."""

    def __init__(self, path: str, *, warn: Warn) -> None:
        self.name = "standard input" if path == "-" else path
        self.path = path
        self._warn = warn
        self._reader = _native.LineReader(_contents(path))
        self.taken = 0
        if self._reader.had_byte_order_mark:
            warn(f"{self.name} begins with a byte-order mark, which was left out of the first segment.")
        self._told_of_separators = self._told_of_crlf = False

    def take(self, most: int) -> _native.Texts:
        """Return up to `most` further lines."""
        texts = self._reader.take(most)
        if texts is None:
            raise InputError(self._complaint())
        self.taken += len(texts)
        self._tell()
        return texts

    def count_rest(self) -> int:
        """Go to the end and return how many lines that were."""
        return self._reader.skip_rest()

    def _complaint(self) -> str:
        line, column, byte = self._reader.bad_line, self._reader.bad_column, self._reader.bad_byte
        if byte == 0:
            return (
                f"{self.name}, line {line:,}, byte {column:,} is a NUL: this looks like a binary file (or UTF-16). "
                "Give UTF-8 text with one segment per line."
            )
        return (
            f"{self.name}, line {line:,}, byte {column:,} (0x{byte:02X}) is not UTF-8. Convert the file first, for "
            f"example: iconv -f latin1 -t utf-8 {self.path}."
        )

    def _tell(self) -> None:
        line = self._reader.first_odd_separator
        if line and not self._told_of_separators:
            self._told_of_separators = True
            self._warn(
                f"{self.name}, line {line:,} has a character inside that some programs take for a line end (VT, FF, "
                "CR, U+0085, U+2028 or U+2029). Here only a line feed ends a line."
            )
        line = self._reader.first_crlf
        if line and not self._told_of_crlf:
            self._told_of_crlf = True
            self._warn(f"{self.name}, line {line:,} ends in CR LF; the CR was taken as part of the line end.")


def _contents(path: str) -> bytes | mmap.mmap:
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            if path.endswith(".gz") or file.peek(2)[:2] == b"\x1f\x8b":
                return gzip.decompress(file.read())
            if not Path(path).is_file():  # a pipe such as <(…)
                return file.read()
            if Path(path).stat().st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except IsADirectoryError:
        raise InputError(f"{path} is a directory, but a file with one segment per line was expected.") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path} is no whole gzip file ({error}). Was it cut short? Copy it again.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None

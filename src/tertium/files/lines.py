"""Lines of a file, block by block, checked, and never made into Python strings unless one asks."""

from collections.abc import Callable, Iterator
from pathlib import Path

from tertium import _native
from tertium.errors import InputError
from tertium.files.reading import COMPRESSED, chunks, legible

Warn = Callable[[str], None]

LONGEST = 1 << 26  # bytes of a line; of what a compressed line grows to, too


class Lines:
    """Takes lines from a file in order. Only a line feed ends a line; a carriage return before it goes, too."""

    def __init__(self, path: str, *, warn: Warn, crlf_is_usual: bool = False) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else legible(path)
        self.taken = 0
        self.lacks_final_newline = False  # of the last line, once it was read, as in a file that was cut short
        self._warn = warn
        self._pieces = self._cut()
        self._piece: bytes | memoryview = next(self._pieces, b"")
        self._reader = _native.LineReader(self._piece)
        self._told = {"first_crlf"} if crlf_is_usual else set()
        if self._reader.had_byte_order_mark:
            warn(f"{self.name} begins with a byte-order mark, which was left out of the first segment.")

    def take(self, most: int) -> _native.Texts:
        """Return `most` further lines; fewer only at the end."""
        parts: list[_native.Texts] = []
        missing = most
        while missing:
            while self._reader.at_end and (piece := next(self._pieces, None)) is not None:
                self._piece, self._reader = piece, _native.LineReader(piece, self.taken)
            texts = self._reader.take(missing)
            if texts is None:
                raise InputError(self._complaint())
            parts.append(texts)
            self.taken += len(texts)
            missing = missing - len(texts) if len(texts) else 0
            self._tell()
        self.lacks_final_newline = not self._reader.final_newline
        return parts[0] if len(parts) == 1 else _native.joined_texts(parts)

    def __iter__(self) -> Iterator[str]:
        """Return the further lines one by one, as strings without their ends."""
        while count := len(block := self.take(1 << 15)):
            for i in range(count):
                yield block[i][0]

    def _cut(self) -> Iterator[bytes | memoryview]:
        """Cut chunks at line ends, without a copy but for the line that lies across two of them."""
        begun: list[bytes] = []  # of the line that has not ended yet
        size = 0
        for chunk in chunks(self.path):
            first, last = chunk.find(b"\n") + 1, chunk.rfind(b"\n") + 1
            size += first or len(chunk)
            if size > LONGEST:
                raise InputError(
                    f"{self.name}, line {self.taken + 1:,} is longer than {LONGEST >> 20} MiB, which no segment is. Is "
                    "it text with one segment per line?"
                )
            if begun or not first:
                begun.append(chunk[:first] if first else chunk)
                if not first:
                    continue
                yield b"".join(begun)
                if last > first:
                    yield memoryview(chunk)[first:last]
            else:
                yield memoryview(chunk)[:last]
            begun = [chunk[last:]] if last < len(chunk) else []
            size = len(chunk) - last
        if begun:
            yield b"".join(begun)

    def _complaint(self) -> str:
        line, column, byte = self._reader.bad_line, self._reader.bad_column, self._reader.bad_byte
        if byte == 0:
            return (
                f"{self.name}, line {line:,}, byte {column:,} is a NUL: this looks like a binary file (or UTF-16). "
                "Give UTF-8 text with one segment per line."
            )
        if line == 1 and bytes(self._piece[:2]) in (b"\xff\xfe", b"\xfe\xff"):
            return f"{self.name} is UTF-16. Convert it first, for example: iconv -f utf-16 -t utf-8 {self.path}."
        return (
            f"{self.name}, line {line:,}, byte {column:,} (0x{byte:02X}) is not UTF-8. Convert the file first, for "
            f"example: iconv -f latin1 -t utf-8 {self.path}."
        )

    def _tell(self) -> None:
        """Warn of what is odd, once each."""
        for what, message in _ODD.items():
            line = getattr(self._reader, what)
            if line and what not in self._told:
                self._told.add(what)
                self._warn(f"{self.name}, line {line:,} {message}")


def line_count(path: str) -> int | None:
    """Return how many lines a plain file has, to tell how far a reader is; None if that cannot be told quickly."""
    if path == "-" or path.endswith(COMPRESSED) or not Path(path).is_file():
        return None
    return sum(chunk.count(b"\n") for chunk in chunks(path))


_ODD = {
    "first_odd_separator": "has a character inside that some programs take for a line end (VT, FF, CR, U+0085, U+2028 "
    "or U+2029). Here only a line feed ends a line.",
    "first_crlf": "ends in CR LF; the CR was taken as part of the line end.",
    "first_inner_mark": "begins with a byte-order mark, as where files were joined. It was left out, here and on later "
    "lines, since it is no part of the text.",
    "first_mark_within": "has a byte-order mark inside, as where a file without a final line end was joined with "
    "another. It was read as it stands: take it out, and see whether a line end is missing there.",
}

"""Files of texts, taken in blocks: what all kinds have in common, and the plain ones with one segment per line."""

from abc import ABC, abstractmethod

from tertium import _native
from tertium.files.lines import Lines, Warn, filled

Id = tuple[str, str]  # of a segment: its document, and its own within the document


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
        """Return `most` further segments; fewer only at the end."""
        texts = filled(self.read, most)
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
        """Return some further segments, up to `most`; none at the end."""

    @abstractmethod
    def again(self) -> "TextFile | None":
        """Return the same file from its beginning, or None if it can be read only once."""


class LineFile(TextFile):
    """One segment per line."""

    def __init__(self, path: str, *, warn: Warn) -> None:
        self.lines = Lines(path, warn=warn)
        super().__init__(self.lines.name, warn=warn)

    def again(self) -> "TextFile | None":
        """Return the file from its beginning, unless it is standard input."""
        return None if self.lines.path == "-" else type(self)(self.lines.path, warn=lambda _: None)

    def read(self, most: int) -> _native.Texts:
        """Return up to `most` further lines."""
        return self.lines.take(most)

    @property
    def lacks_final_newline(self) -> bool:
        """Whether the last line, once read, had no end."""
        return self.lines.lacks_final_newline


class TabFile(LineFile):
    """One segment per line with its references, separated by tabs; their number may vary."""

    def read(self, most: int) -> _native.Texts:
        """Return up to `most` further lines as groups."""
        return self.lines.take(most).split_fields()

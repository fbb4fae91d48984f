"""Files of texts, taken in blocks: what all kinds have in common, and the plain ones with one segment per line."""

from abc import ABC, abstractmethod

from tertium import _native
from tertium.files.lines import Lines, line_count

Id = tuple[str, str]  # of a segment: its document, and its own within the document


class TextFile(ABC):
    """Texts of one file in order. Most files are too large to hold, so they are taken block by block."""

    name: str
    taken = 0  # segments so far
    ids: list[Id] | None = None  # of each segment, for formats that have them; such files are held whole
    keeps_nulls = False  # whether a null, where there are such, is a group without a text rather than refused
    lacks_final_newline = False  # whether the last line has no end, as in a file that was cut short

    @abstractmethod
    def take(self, most: int) -> _native.Texts:
        """Return `most` further segments; fewer only at the end."""

    @abstractmethod
    def again(self) -> "TextFile | None":
        """Return the same file from its beginning, or None if it can be read only once."""

    def total(self) -> int | None:
        """Return how many segments there are, if that can be told quickly."""
        return None if self.ids is None else len(self.ids)

    def count_rest(self) -> int:
        """Go to the end and return how many segments that were."""
        count = 0
        while block := len(self.take(1 << 15)):
            count += block
        return count


class LineFile(Lines, TextFile):
    """One segment per line."""

    def again(self) -> "TextFile | None":
        """Return the file from its beginning, unless it is standard input."""
        return None if self.path == "-" else type(self)(self.path, warn=lambda _: None)

    def total(self) -> int | None:
        """Return how many lines there are, unless the file is compressed or no file."""
        return line_count(self.path)


class TabFile(LineFile):
    """One segment per line with its references, separated by tabs; their number may vary."""

    def take(self, most: int) -> _native.Texts:
        """Return `most` further lines as groups; fewer only at the end."""
        return super().take(most).split_fields()

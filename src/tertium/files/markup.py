"""XML from anybody, in a stream: nothing is held but what a reader keeps, and what is meant to hurt is refused.

Entities that a file declares itself can grow to any size, or name files of this machine; no format read here needs any,
so a file that declares one is refused. Nothing outside of the file is ever opened, not even its document type.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar
from xml.parsers import expat

from tertium.errors import InputError
from tertium.files.lines import LONGEST
from tertium.files.reading import chunks

Item = TypeVar("Item")

_DEEPEST = 500  # elements inside each other
_CHUNK = 1 << 18


class Markup(ABC, Generic[Item]):
    """Reads a file from beginning to end; a subclass says what elements mean, and puts what is complete into `done`."""

    root: tuple[str, ...]  # what the outermost element may be called
    what: str  # what such a file is, for errors

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else path
        self.done: list[Item] = []
        self.open: list[str] = []  # names of the elements around, outermost first
        self._text: list[str] | None = None  # of the element that is being collected
        self._size = 0
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_unknown_entity

    @abstractmethod
    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the beginning of an element."""

    @abstractmethod
    def end(self, name: str) -> None:
        """Take the end of an element."""

    @property
    def line(self) -> int:
        """Where it is now."""
        return self._parser.CurrentLineNumber

    def error(self, what: str) -> InputError:
        """Return an error that says where."""
        return InputError(f"{self.name}, line {self.line:,} {what}")

    def collect(self) -> None:
        """Begin to collect text."""
        self._text, self._size = [], 0

    def collected(self) -> str:
        """Return the text since then, and stop collecting."""
        text = "".join(self._text or ())
        self._text = None
        return text

    def add(self, text: str) -> None:
        """Add to the text that is being collected, if any is."""
        if self._text is not None:
            self._text.append(text)

    @property
    def collecting(self) -> bool:
        """Whether text is being collected."""
        return self._text is not None

    def items(self) -> Iterator[Item]:
        """Return what is complete, one after the other, while the file is being read."""
        try:
            for chunk in chunks(self.path, _CHUNK):
                self._parser.Parse(chunk, False)
                yield from self.done
                self.done.clear()
            self._parser.Parse(b"", True)
            yield from self.done
            self.done.clear()
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise InputError(
                f"{self.name}, line {error.lineno:,} is no well-formed XML ({what}). Was it cut short?"
            ) from None
        except (LookupError, ValueError) as error:  # an encoding that is none
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.name} is no XML that can be read ({error}).") from None

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if not self.open and name not in self.root:
            raise self.error(f"has <{name}>, but {self.what} begins with <{self.root[0]}>.")
        if len(self.open) >= _DEEPEST:
            raise self.error(f"has more than {_DEEPEST} elements inside each other, which no such file needs.")
        self.begin(name, attributes)
        self.open.append(name)

    def _end(self, tag: str) -> None:
        self.open.pop()
        self.end(tag.rpartition(":")[2])

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)
            self._size += len(text)
            if self._size > LONGEST:
                raise self.error(f"has a text of more than {LONGEST >> 20} Mi characters, which no segment is.")

    def _refuse_entity(self, name: str, *_: Any) -> None:
        raise self.error(
            f"declares an entity ('{name}'). Such files can grow without end or read others, so they are refused. "
            "Write the text out where the entity is used."
        )

    def _refuse_unknown_entity(self, name: str, *_: Any) -> None:
        raise self.error(f"uses the entity '&{name};', which it does not declare. Write the text out.")

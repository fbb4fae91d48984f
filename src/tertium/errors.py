"""What a user can put right. Anything else that is raised is our bug and keeps its traceback.

Whoever reads a message may have called a function or typed a command. So messages hold arguments as such, and are
written when it is known who reads: `documents=` in Python, `--documents FILE` on the command line.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """An argument that a message speaks of, with the value to give it; `of` is whose it is where that is not clear."""

    name: str
    value: object = None
    of: str = ""

    def __str__(self) -> str:
        return f"{self.name}={'' if self.value is None else repr(self.value)}"


class Message(str):
    """Words and arguments: a text for readers of Python, which can be written for others."""

    parts: tuple[str | Argument, ...]

    def __new__(cls, *parts: str | Argument) -> "Message":
        """Join the parts as Python writes them, and keep them."""
        made = super().__new__(cls, "".join(map(str, parts)))
        made.parts = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Message) else (part,)))
        return made

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments it speaks of."""
        return tuple(part for part in self.parts if isinstance(part, Argument))

    def written(self, spell: Callable[[Argument], str]) -> str:
        """Return the text with arguments spelt as its reader gives them."""
        return "".join(spell(part) if isinstance(part, Argument) else part for part in self.parts)


class TertiumError(Exception):
    """The base of all errors that a user can put right."""

    def __init__(self, *parts: str | Argument) -> None:
        """Say what is wrong and what to do, in words and arguments."""
        self.message = Message(*parts)
        super().__init__(str(self.message))


class InputError(TertiumError, ValueError):
    """A text, file or setting cannot be meant as it is."""


class SegmentError(InputError):
    """A segment cannot be scored; `segment` counts from 0 in what was given."""

    def __init__(self, segment: int, what: str) -> None:
        """Say which segment it is, and what about it."""
        self.segment = segment
        self.what = what
        super().__init__(f"Segment {segment + 1:,} {what}")

    def __reduce__(self) -> tuple[type, tuple[int, str]]:
        """Pickle what it was made of."""
        return SegmentError, (self.segment, self.what)

    def after(self, segments: int) -> "SegmentError":
        """Return the same of a segment that has others before it."""
        return SegmentError(self.segment + segments, self.what)


class UnknownNameError(TertiumError, LookupError):
    """A metric, tokenizer, setting or column does not exist under this name."""

    @classmethod
    def of(cls, kind: str, name: object, known: Iterable[str]) -> "UnknownNameError":
        """Say what is known, and which of it was perhaps meant."""
        from difflib import get_close_matches

        known = list(known)
        close = get_close_matches(str(name), known, n=1)
        guess = f" Did you mean '{close[0]}'?" if close else ""
        return cls(f"No {kind} is called '{name}'.{guess} Known: {', '.join(known)}.")


class MissingExtraError(TertiumError, ImportError):
    """An optional package is needed that is not installed."""

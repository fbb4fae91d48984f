"""What a user can put right. Anything else that is raised is our bug and keeps its traceback."""

from collections.abc import Iterable
from difflib import get_close_matches


class TertiumError(Exception):
    """The base of all errors that a user can put right."""


class InputError(TertiumError, ValueError):
    """A text, file or setting cannot be meant as it is."""


class UnknownNameError(TertiumError, LookupError):
    """A metric, tokenizer, setting or column does not exist under this name."""

    @classmethod
    def of(cls, kind: str, name: object, known: Iterable[str]) -> "UnknownNameError":
        """Say what is known, and which of it was perhaps meant."""
        known = list(known)
        close = get_close_matches(str(name), known, n=1)
        guess = f" Did you mean '{close[0]}'?" if close else ""
        return cls(f"No {kind} is called '{name}'.{guess} Known: {', '.join(known)}.")


class MissingExtraError(TertiumError, ImportError):
    """An optional package is needed that is not installed."""

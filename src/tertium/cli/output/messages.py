"""Messages as the command line says them: what Python calls an argument is an option here."""

import sys
from contextlib import suppress

from tertium.errors import Argument, Message
from tertium.text.visible import visible

# Options that are not called as the argument is, or whose value has a name. By argument, or by function and argument.
_OPTIONS = {
    "documents": "--documents FILE",
    "id": "--id COLUMN",
    "segments": "--segments FILE",
    "hypothesis_documents": "--hyp-documents FILE",
    "first_segment": "--segments-from",
    "language_pair": "--pair",
    "load.pair": "-l PAIR",
    "test_set": "-t",
    "open_systems.kind": "--input-format",
    "read_judgments.documents": "--within-documents and --documents FILE",
    "read_judgments.weights": "--mqm-weights",
    "segment_ids": "--segment-ids FILE",
    "tasks": "--tasks FILE",
    "correlate.method": "tertium correlate --method",
}


_SHOWN: list[bool] = []  # whether a line of progress stands on the terminal


def line_is_shown() -> None:
    """Remember that a line of progress stands on the terminal."""
    _SHOWN[:] = [True]


def clear_line() -> None:
    """Take the line of progress away, before anything else is printed."""
    if _SHOWN:
        _SHOWN.clear()
        with suppress(OSError, ValueError):
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def say(message: str) -> None:
    """Print a message to standard error. One that cannot be printed there must not cost the results."""
    clear_line()
    with suppress(OSError, ValueError):
        print(visible(message), file=sys.stderr)


def told(message: str) -> str:
    """Return a message of the library with options in place of Python's arguments."""
    return message.written(_option) if isinstance(message, Message) else message


def _option(argument: Argument) -> str:
    name = argument.name
    option = _OPTIONS.get(f"{argument.of}.{name}") or _OPTIONS.get(name) or f"--{name.replace('_', '-')}"
    return option if argument.value is None or argument.value is True else f"{option} {argument.value}"

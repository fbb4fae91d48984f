"""What long work says on the terminal, and warnings."""

import sys
import time
from collections.abc import Callable

from tertium.cli.output.messages import say, told


class Progress:
    """A line on the terminal that says how far long work has come."""

    def __init__(self, quiet: bool) -> None:
        self._shown = False
        self._wanted = not quiet and sys.stderr.isatty()
        self._next = time.monotonic() + 1.0

    def say(self, what: str) -> None:
        """Say what is being done, from the first second on."""
        now = time.monotonic()
        if self._wanted and now >= self._next:
            sys.stderr.write(f"\r\x1b[K{what[:78]}")
            sys.stderr.flush()
            self._shown, self._next = True, now + 0.2

    def clear(self) -> None:
        """Leave no trace."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")


def warner(quiet: bool) -> Callable[[str], None]:
    """Return what prints warnings, or nothing if they are not wanted."""
    return (lambda message: None) if quiet else _warn


def _warn(message: str) -> None:
    say(f"tertium: warning: {told(message)}")

"""What long work says on the terminal, and warnings."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.cli.output import messages
from tertium.cli.output.messages import say, told
from tertium.text.visible import visible

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.corpus.readers import TextFile

_FIRST = 0.5  # seconds after which long work begins to say how far it is
_AGAIN = 0.2
_KNOWN = 0.02  # a share that says something about how long the rest will take


class Progress:
    """A line on the terminal that says how far long work has come, and how long the rest will take."""

    def __init__(self, quiet: bool) -> None:
        self.wanted = not quiet and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._next = self._begin + _FIRST
        self._share = 0.0

    def say(self, what: str, share: float | None = None) -> None:
        """Say what is being done and, if that is known, which share of it is done."""
        now = time.monotonic()
        if share is not None and share < self._share:  # other work has begun
            self._begin = now
        self._share = share or 0.0
        if self.wanted and now >= self._next:
            line = what if share is None else f"{what}: {100 * min(share, 1):.0f} %{self._left(now)}"
            sys.stderr.write(f"\r\x1b[K{line[:78]}")
            sys.stderr.flush()
            messages.line_is_shown()
            self._next = now + _AGAIN

    @property
    def is_due(self) -> bool:
        """Whether something would be shown now."""
        return self.wanted and time.monotonic() >= self._next

    def _left(self, now: float) -> str:
        if not _KNOWN <= self._share < 1:
            return ""
        return f", {duration((now - self._begin) * (1 - self._share) / self._share)} left"

    def clear(self) -> None:
        """Leave no trace."""
        messages.clear_line()


@contextmanager
def working(what: str, quiet: bool) -> Iterator[None]:
    """Say what is being done and for how long already, while work that does not tell how far it is runs in here."""
    progress = Progress(quiet)
    if not progress.wanted:
        yield
        return
    done = threading.Event()
    begin = time.monotonic()

    def tell() -> None:
        while not done.wait(_FIRST):
            progress.say(f"{visible(what)}: {duration(time.monotonic() - begin)} so far")

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        progress.clear()


class ScoringProgress:
    """Tells how many segments are scored, and of how many: those are counted when that is first to be told."""

    def __init__(self, progress: Progress, file: "TextFile") -> None:
        self._progress, self._file = progress, file
        self._total: int | None = None
        self._counted = False

    def watching(self, block: "Block", before: int) -> "Block":
        """Return the block with somebody who is told how much of it is scored; so many segments are before it."""
        if not self._progress.wanted:
            return block
        return replace(block, progress=lambda done: self._say(before + done))

    def _say(self, count: int) -> None:
        if not self._progress.is_due:
            return
        if not self._counted:
            self._total, self._counted = self._file.total(), True
        of = f" of {self._total:,}" if self._total else ""
        self._progress.say(f"{count:,}{of} segments scored", count / self._total if self._total else None)


def duration(seconds: float) -> str:
    """Return a time as people say it: 7 s, 3 min, 2 h 10 min."""
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def warner(quiet: bool) -> Callable[[str], None]:
    """Return what prints warnings, or nothing if they are not wanted."""
    return (lambda message: None) if quiet else _warn


def _warn(message: str) -> None:
    say(f"tertium: warning: {told(message)}")

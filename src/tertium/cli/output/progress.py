"""What is said beside results: messages, warnings, how far long work is. Python's arguments are options here."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tertium.errors import Argument, Message
from tertium.text.visible import visible

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.corpus.readers import TextFile

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
_FIRST = 0.5  # seconds after which long work begins to say how far it is
_AGAIN = 0.2
_KNOWN = 0.02  # a share that says something about how long the rest will take


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
            _SHOWN[:] = [True]
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
        clear_line()


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

    def watching(self, blocks: "Iterable[Block]") -> "Iterator[Block]":
        """Return the blocks with somebody who is told how much of each is scored."""
        before = 0
        for block in blocks:
            yield replace(block, progress=partial(self._say, before))
            before += len(block)

    def _say(self, before: int, done: int) -> None:
        count = before + done
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

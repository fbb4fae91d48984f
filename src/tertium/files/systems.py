"""What systems do differently with files, in one place: locks, the exchange of one file for another, pipes.

Linux and macOS lock with flock; a lock ends with its process, and a file that others have open can be exchanged.
Windows locks bytes of a file, and refuses to exchange a file as long as anybody, a virus scanner for one, has it open.
Whoever writes into a pipe that nobody reads any more is told so, on Windows of a wrong argument.
What is printed into a file or a pipe is in UTF-8, on Windows only if one asks for it.
"""

import errno
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PATIENCE = 2.0  # seconds for which an exchange that is refused is tried again
_PAUSE = 0.05


def lock(descriptor: int, *, wait: bool) -> None:
    """Lock an open file for this process until it is closed; BlockingIOError if another has it and we do not wait.

    Any other OSError means that the file system knows no locks.
    """
    try:
        import fcntl
    except ImportError:
        _lock_byte(descriptor, wait)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_byte(descriptor: int, wait: bool) -> None:
    """Lock the first byte, as Windows does; it may lie behind the end of the file."""
    import msvcrt

    while True:
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError as error:
            if not wait:
                raise BlockingIOError(error.errno, error.strerror) from None
            time.sleep(_PAUSE)
        else:
            return


@contextmanager
def only_one(path: Path, *, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let one process at a time make a file, where there are locks; `waiting` is called if another one is at it.

    The lock is on a file beside it, which stays. Whoever holds it lets go of it when it ends, however that is.
    """
    with open(path.with_name(f"{path.name}.lock"), "a") as file:
        with suppress(OSError):  # a file system without locks
            try:
                lock(file.fileno(), wait=False)
            except BlockingIOError:
                waiting()
                lock(file.fileno(), wait=True)
        yield


def exchange(new: str | Path, old: str | Path) -> None:
    """Let a file take the name of another, in one step; where that is open, wait a little for it to be closed."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            os.replace(new, old)
        except PermissionError:
            if os.name != "nt" or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def is_closed_pipe(error: OSError) -> bool:
    """Tell whether an error of writing to standard output means that the reader has seen enough."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


def print_in_utf8() -> None:
    """Print in UTF-8 into files and pipes, unless PYTHONIOENCODING says otherwise: Windows' own has no arrows."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="utf-8", errors=stream.errors)

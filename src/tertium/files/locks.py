"""One process at a time, where the file system has locks; elsewhere both go on, and one file stays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tertium.files.systems import lock


@contextmanager
def only_one(path: Path, *, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let one process at a time make a file; `waiting` is called if another one is at it.

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

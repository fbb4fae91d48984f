"""One process at a time, where the system has locks; elsewhere both go on, and one file stays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def only_one(path: Path, *, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let one process at a time make a file; `waiting` is called if another one is at it.

    The lock is on a file beside it, which stays. Whoever holds it lets go of it when it ends, however that is.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(path.with_name(f"{path.name}.lock"), "a") as lock:
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield

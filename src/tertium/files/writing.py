"""The one way to write a file: it takes its name only when all of it is there, and keeps what it replaces until then.

Until then it has no name at all where the system can do that (Linux), so that even a kill leaves nothing behind. A file
that replaces another, and any file elsewhere, has one before that begins with a dot; what a killed process left under
such a name is removed by a later one.
"""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tertium.errors import InputError
from tertium.files.systems import exchange

_OPEN_FILES = "/proc/self/fd"  # where a file without a name can be taken hold of
_UNFINISHED = ".tertium-*.part"
_STALE = 24 * 3600.0  # seconds without a write, after which an unfinished file is nobody's


@contextmanager
def new_file(path: str | Path) -> Iterator[BinaryIO]:
    """Give a file to write (and read) bytes; it replaces `path` at the end, or not at all if anything is raised.

    A symbolic link stays and what it points to is replaced. A file that is replaced passes on its mode; a new one
    gets what the umask says. Devices and pipes are written to as they are.
    """
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with open(path, "wb") as device:
            yield device
        return
    target = Path(os.path.realpath(path))
    hidden = target.with_name(f".tertium-{os.urandom(6).hex()}.part")
    try:
        with _begun(hidden) as file:
            try:
                yield file
            except BaseException:
                with suppress(OSError):  # what is left to be written fails as well, and hides why
                    file.close()
                raise
            file.flush()
            if before is not None:
                _pass_on(before, file)
            if not hidden.exists():
                with suppress(FileExistsError):
                    _give_name(target, file)
                    return
                remove_stale(hidden.parent, _UNFINISHED)
                _give_name(hidden, file)
        exchange(hidden, target)
    finally:
        hidden.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a small file, whole or not at all."""
    try:
        with new_file(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: OSError) -> InputError:
    """Return the error for a file that the system will not take."""
    return InputError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")


def _give_name(path: Path, file: BinaryIO) -> None:
    # A folder's descriptor, which an absolute path leaves unused, makes Python follow the link.
    os.link(f"{_OPEN_FILES}/{file.fileno()}", path, src_dir_fd=file.fileno(), follow_symlinks=True)


def _begun(hidden: Path) -> BinaryIO:
    """Open a file without a name in the folder of `hidden`; where that cannot be, under that name."""
    if hasattr(os, "O_TMPFILE") and os.path.isdir(_OPEN_FILES):
        with suppress(OSError):  # a file system that has no such files
            return open(os.open(hidden.parent, os.O_TMPFILE | os.O_RDWR, 0o666), "w+b")
    remove_stale(hidden.parent, _UNFINISHED)
    return open(hidden, "x+b")


def remove_stale(folder: Path, pattern: str) -> None:
    """Remove unfinished files that a killed process left behind: those that nobody has written to for a day."""
    for other in folder.glob(pattern):
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > _STALE:
                other.unlink()


def _status(path: str | Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _pass_on(before: os.stat_result, file: BinaryIO) -> None:
    if hasattr(os, "fchmod"):
        with suppress(OSError):  # another user's file: what may not be passed on is ours now
            os.fchown(file.fileno(), before.st_uid, before.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))

"""Files out of archives (.tar, .tar.gz, .zip), none of which may lead out of the folder that it is for.

All names are looked at before anything is taken out: an archive that holds an absolute path, a path with `..`, a link
that leads outside or a device is refused whole, whichever of its files were asked for.
"""

import errno
import stat
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from tertium.errors import InputError, TertiumError
from tertium.files.reading import unreadable
from tertium.files.writing import new_file, unwritable

_CHUNK = 1 << 20
_MOST = 1 << 34  # bytes that an archive may grow to; the largest known test set has a tenth of that


def extract(archive: Path, folder: Path, wanted: Collection[str] | None = None) -> set[str]:
    """Put files of an archive into a folder, each whole or not at all; return their names. None wants all."""
    found: set[str] = set()
    size = 0
    with opened(archive) as members:
        for name, file in members:
            if wanted is not None and name not in wanted:
                continue
            target = folder / name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with new_file(target) as out:
                    while chunk := file.read(_CHUNK):
                        size += len(chunk)
                        if size > _MOST:
                            raise InputError(
                                f"{archive} grows to more than {_MOST >> 30} GiB, which no test set has. It was not "
                                "unpacked."
                            )
                        out.write(chunk)
            except OSError as error:
                raise unwritable(target, error) from None
            found.add(name)
    return found


@contextmanager
def opened(archive: Path) -> Iterator[Iterator[tuple[str, IO[bytes]]]]:
    """Give the names and contents of the files in an archive; refuse it if any of them leads outside."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                yield _of_zip(zipped, archive)
        else:
            _check_tar(archive)
            with tarfile.open(archive) as tar:
                yield _of_tar(tar)
    except TertiumError:
        raise
    except OSError as error:
        if error.errno not in (None, errno.EINVAL):  # of gzip, or of a place that no archive has
            raise unreadable(str(archive), error) from None
        raise _broken(archive, error) from None
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _broken(archive, error) from None
    except Exception as error:
        if type(error).__name__ in ("error", "LZMAError"):  # of zlib, struct, lzma
            raise _broken(archive, error) from None
        raise


def _broken(archive: Path, error: Exception) -> InputError:
    return InputError(f"{archive} is no archive that can be read ({str(error).lower()}). Was it cut short?")


def _of_zip(zipped: zipfile.ZipFile, archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    for one in zipped.infolist():
        _check_name(one.filename, archive)
        if stat.S_ISLNK(one.external_attr >> 16):
            _check_link(one.filename, zipped.read(one).decode("utf-8", "replace"), archive)
    for one in zipped.infolist():
        if not one.is_dir() and not stat.S_ISLNK(one.external_attr >> 16):
            if one.flag_bits & 1:
                raise InputError(f"{archive}: {one.filename} is encrypted.")
            with zipped.open(one) as file:
                yield _plain(one.filename), file


def _check_tar(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        for one in tar:
            _check_name(one.name, archive)
            if one.issym():
                _check_link(one.name, one.linkname, archive)
            elif one.islnk():
                _check_name(one.linkname, archive)
            elif not (one.isfile() or one.isdir()):
                raise InputError(f"{archive} holds a device or pipe ({one.name}), which no test set has. Refused.")


def _of_tar(tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    for one in tar:
        file = tar.extractfile(one) if one.isfile() else None
        if file is not None:
            yield _plain(one.name), file


def _plain(name: str) -> str:
    return str(PurePosixPath(name))


def _check_name(name: str, archive: Path) -> None:
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise InputError(
            f"{archive} holds '{name}', a path that leads out of the folder it is unpacked into. It may be meant to "
            "overwrite other files, so nothing was unpacked. Delete it."
        )


def _check_link(name: str, to: str, archive: Path) -> None:
    """Refuse a link unless it stays inside, counting from the folder it lies in."""
    depth = len(PurePosixPath(name).parts) - 1
    for part in to.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            break
    if depth < 0 or to.startswith(("/", "\\")) or ":" in to.split("/")[0]:
        raise InputError(
            f"{archive} holds a link '{name}' that leads outside, to '{to}'. Nothing was unpacked. Delete it."
        )

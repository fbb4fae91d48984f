"""The data of mt-metrics-eval by name: where it is kept, and how it comes there."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from tertium.errors import InputError, UnknownNameError
from tertium.files.archives import extract
from tertium.files.downloads import Remote, download
from tertium.files.writing import unwritable
from tertium.judgments.folder import is_folder

REMOTE = Remote("https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz")  # for which no checksum is published
_NAME = "mt-metrics-eval-v2"


def evaluation_root() -> Path:
    """Return the folder in which mt-metrics-eval keeps its test sets."""
    return Path.home() / ".mt-metrics-eval" / _NAME


def evaluation_sets() -> list[str]:
    """Return the names of the test sets that are here."""
    root = evaluation_root()
    return sorted(path.name for path in root.iterdir() if is_folder(str(path))) if root.is_dir() else []


def evaluation_folder(name: str) -> tuple[Path, str | None]:
    """Return the folder of a test set, and the kind of judgments if one is named: wmt23, wmt23.mqm, wmt21.news.mqm."""
    root, known = evaluation_root(), evaluation_sets()
    if not known:
        raise InputError(
            f"mt-metrics-eval's data is not here. It is looked for in {root}. Fetch it (about 2 GB): tertium testsets "
            f"get mt-metrics-eval; or fetch {REMOTE.address} elsewhere, and unpack it in {root.parent}."
        )
    for end in range(len(parts := name.split(".")), 0, -1):
        folder = ".".join(parts[:end])
        if folder in known:
            return root / folder, ".".join(parts[end:]) or None
    raise UnknownNameError.of("test set of mt-metrics-eval", name, known)


def fetch_evaluation_data(*, say: Callable[[str], None]) -> Path:
    """Fetch all of it, whole or not at all."""
    root = evaluation_root()
    if root.exists():
        return root
    archive = root.parent / REMOTE.name
    unfinished = root.parent / f".{_NAME}.unfinished"

    def unpack(part: Path) -> None:
        shutil.rmtree(unfinished, ignore_errors=True)
        say(f"{REMOTE.name}: unpacking")
        extract(part, unfinished)
        if not (unfinished / _NAME).is_dir():
            shutil.rmtree(unfinished, ignore_errors=True)
            raise InputError(f"{archive} does not hold the folder {_NAME}.")
        os.replace(unfinished / _NAME, root)
        shutil.rmtree(unfinished, ignore_errors=True)

    try:
        if archive.is_file():  # put there by hand
            unpack(archive)
        else:
            download(REMOTE, archive, say=say, use=unpack)
            archive.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(root, error) from None
    return root

"""Kills and full disks at random moments, for every command that writes.

Whatever happens, an output is what it was before or the new one whole, and nothing else is left behind.
"""

import os
import random
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from tools.attack.commands import command, ended, fault, run, started, within_limits
from tools.attack.example import LINES

BEFORE = b"what stood here before\n"
WRITING = [name for name, line in LINES.items() if any(word.startswith("out") for word in line)]
ALLOWED = (".lock", ".index", "-wal", "-shm", "-journal", ".new")  # to be left behind, see _left
NEW = ("annotate new", "annotate import", "annotate backup", "demo", "shared-task")  # refuse what is there, or a folder


def kills(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Kill a command at a random moment of its run."""
    name = rng.choice(WRITING)
    expected, seconds = _usual(name, folder)
    _clear(name, folder, rng)
    known = _names(folder)
    with open(os.devnull, "w") as nothing:
        ends = nothing.fileno()
        process = started(command(LINES[name]), folder, output=ends, errors=ends, limit=within_limits)
    time.sleep(rng.random() * 1.2 * seconds)
    with suppress(ProcessLookupError):
        os.kill(process, 9)
    os.waitpid(process, 0)
    yield _left(f"killed, {name}", folder, known, expected)


def full_disks(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Let a command write to a disk with a few bytes left, or where no file may grow beyond a few bytes."""
    name = rng.choice(WRITING)
    expected, _ = _usual(name, folder)
    _clear(name, folder, rng)
    most = rng.choice([0, 1, 100, 1000, 5000, 20_000])
    if (disk := _small_disk(folder)) and rng.random() < 0.5:
        yield from _on_a_full_disk(name, folder, disk, most)
        return
    known = _names(folder)

    def limit() -> None:
        within_limits()
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    what = f"no file above {most} bytes, {name}"
    yield fault(ended(command(LINES[name]), folder, limit=limit), what) or _left(what, folder, known, expected)


def _on_a_full_disk(name: str, folder: Path, disk: Path, most: int) -> Iterator[str | None]:
    for file in list(disk.iterdir()):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    filler = disk / "filler"
    room = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
    filler.write_bytes(bytes(max(room - most, 0)))
    line = [str(disk / word) if word.startswith("out") else word for word in LINES[name]]
    what = f"{most} bytes left on the disk, {name}"
    found = fault(run(line, folder), what)
    filler.unlink()
    left = [file for file in disk.rglob("*") if file.is_file()]
    left = [file for file in left if ".work/" not in str(file) and not file.name.endswith(ALLOWED)]
    small = [file.name for file in left if file.stat().st_size == 0 or file.name.startswith(".")]
    yield found or (f"{what}: left {small}" if small else None)


@cache
def _small_disk(folder: Path) -> Path | None:
    """A disk of 256 kB, if one can be had here."""
    disk = folder.parent / "small disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True, check=False)
    return disk if made.returncode == 0 else None


def release(folder: Path) -> None:
    """Give the small disk back."""
    if (folder.parent / "small disk").is_dir():
        subprocess.run(["umount", folder.parent / "small disk"], capture_output=True, check=False)


@cache
def _usual(name: str, folder: Path) -> tuple[dict[str, int], float]:
    """Run a command to its end: which files it writes, how large, and how long it takes."""
    _clear(name, folder, None)
    known = _names(folder)
    began = time.monotonic()
    ending = run(LINES[name], folder)
    assert ending.code == 0, (name, ending)
    seconds = time.monotonic() - began
    new = [file for file in _names(folder) - known if not file.endswith(ALLOWED)]
    return {file: (folder / file).stat().st_size for file in new}, seconds


def _clear(name: str, folder: Path, rng: random.Random | None) -> None:
    """Take old outputs and caches away; put something in the place of the output, now and then."""
    for file in [*folder.glob("out*"), *folder.glob("cache*")]:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    if rng is not None and name not in NEW and rng.random() < 0.5:
        (folder / next(word for word in LINES[name] if word.startswith("out"))).write_bytes(BEFORE)


def _names(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def _left(what: str, folder: Path, known: set[str], expected: dict[str, int]) -> str | None:
    # Locks stay; a journal belongs to its database until that is opened again; compiled tables are whole by their hash;
    # a study that was not finished goes with the next one after a day; a work folder is where the next run goes on;
    # what replaces a file has, whole, a name of its own for a moment, and goes with a later one after a day.
    new = {file for file in _names(folder) - known if not file.endswith(ALLOWED) and ".work/" not in file}
    replaced = any(path.is_file() and path.read_bytes() == BEFORE for path in map(folder.joinpath, expected))
    least = min(expected.values(), default=0)
    whole = {file for file in new if (folder / file).stat().st_size >= 0.5 * least}
    new -= {file for file in whole if replaced and file.endswith(".part")}
    if strange := sorted(new - set(expected)):
        return f"{what}: left {strange}"
    for file in expected:
        path = folder / file
        if path.is_file() and path.read_bytes() != BEFORE and path.stat().st_size < 0.5 * expected[file]:
            return f"{what}: {path.stat().st_size} of {expected[file]} bytes in {file}"
    return None

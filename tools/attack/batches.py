"""Many small cases in one process: an answer or a TertiumError each.

A page of shared memory holds which one is tried, for when the process ends in the midst of it.
"""

import mmap
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.attack.commands import ended

Case = tuple[str, Callable[[], object]]  # what it is, and a call
_DONE, _FAULTS, _CASE = slice(0, 8), slice(8, 4096), slice(4096, 8192)


def batch(make: Callable[[random.Random], Case], rng: random.Random, folder: Path, size: int) -> Iterator[str | None]:
    """Try as many cases as are asked for, each made by `make`."""
    page = mmap.mmap(-1, 8192)
    ending = ended(_tries(make, rng.randrange(1 << 40), page, size), folder)
    tried = int.from_bytes(page[_DONE], "little")
    faults = [line for line in page[_FAULTS].rstrip(b"\0").decode(errors="replace").splitlines() if line]
    if ending.code:
        tried += 1
        faults.append(f"exit {ending.code} at {page[_CASE].rstrip(bytes(1))[:400]!r} {ending.errors[-300:]!r}")
    yield from faults
    yield from [None] * (tried - len(faults))


def _tries(make: Callable[[random.Random], Case], seed: int, page: mmap.mmap, size: int) -> Callable[[], None]:
    def call() -> None:
        from tertium.errors import TertiumError

        warnings.simplefilter("ignore")
        rng, told = random.Random(seed), b""
        for done in range(1, size + 1):
            what, tried = make(rng)
            page[_CASE] = what.encode("ascii", "backslashreplace")[:4096].ljust(4096, b"\0")
            try:
                tried()
            except TertiumError:
                pass
            except Exception as error:
                line = f"{what:.300}: {error!r:.200}".encode("ascii", "backslashreplace")
                told = (told + line.replace(b"\n", b" ") + b"\n")[-4000:]
                page[_FAULTS] = told.ljust(4088, b"\0")
            page[_DONE] = done.to_bytes(8, "little")

    return call

"""Make wheels and audit them; `python -m tools.wheels.trying` runs them.

python -m tools.wheels                             # all fourteen, into dist/
python -m tools.wheels linux-x86_64 windows-x86_64
python -m tools.wheels --twice                     # each is made once more from nothing; the bytes must be equal
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tools.wheels.auditing import audited
from tools.wheels.compiling import ROOT, BuildError, kernels, module
from tools.wheels.packing import packed
from tools.wheels.platforms import PLATFORMS, PYTHONS, Platform, Python


def main() -> int:
    """Make what is asked for; 1 if a wheel could not be made or has a fault."""
    names = [platform.name for platform in PLATFORMS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument("--python", choices=[python.tag for python in PYTHONS], help="only this one (default: both)")
    parser.add_argument("--twice", action="store_true", help="make each twice, and compare")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    if unknown := set(arguments.platforms) - set(names):
        parser.error(f"no platform is called {', '.join(sorted(unknown))}; known: {', '.join(names)}")
    arguments.output.mkdir(parents=True, exist_ok=True)
    pythons = [python for python in PYTHONS if arguments.python in (None, python.tag)]
    faults = 0
    for platform in PLATFORMS:
        if arguments.platforms and platform.name not in arguments.platforms:
            continue
        begin = time.monotonic()
        try:
            wheels = _made(platform, pythons, ROOT / "build" / "wheels", arguments.output, arguments.jobs)
            differing = _differing(wheels, platform, pythons, arguments.jobs) if arguments.twice else set()
        except BuildError as error:
            print(f"{platform.name}: cannot be made\n{error}", file=sys.stderr)
            faults += 1
            continue
        print(f"{platform.name}, {time.monotonic() - begin:.0f} s")
        for wheel, python in zip(wheels, pythons, strict=True):
            found = audited(wheel, platform, python)
            found += ["made twice, the bytes differ"] * (wheel in differing)
            size = wheel.stat().st_size / 1e6
            print(f"  {wheel.name}  {size:.1f} MB  {'; '.join(found) or 'no fault found'}", flush=True)
            faults += bool(found)
    return 1 if faults else 0


def _made(platform: Platform, pythons: list[Python], folder: Path, output: Path, jobs: int) -> list[Path]:
    """Return the wheels of a platform; kernels are compiled once for all of them."""
    objects = kernels(platform, folder, jobs)
    return [packed(module(platform, python, objects, folder, jobs), platform, python, output) for python in pythons]


def _differing(wheels: list[Path], platform: Platform, pythons: list[Python], jobs: int) -> set[Path]:
    """Make wheels again in another folder, with nothing kept of what was compiled; return those whose bytes differ."""
    before = os.environ.get("ZIG_LOCAL_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZIG_LOCAL_CACHE_DIR"] = str(Path(folder, "cache"))
        try:
            again = _made(platform, pythons, Path(folder), Path(folder), jobs)
        finally:
            os.environ.pop("ZIG_LOCAL_CACHE_DIR")
            if before is not None:
                os.environ["ZIG_LOCAL_CACHE_DIR"] = before
        pairs = zip(wheels, again, strict=True)
        return {wheel for wheel, other in pairs if wheel.read_bytes() != other.read_bytes()}


if __name__ == "__main__":
    sys.exit(main())

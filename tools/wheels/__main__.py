"""Make wheels, audit them, and try those that this machine can run.

python -m tools.wheels                             # all fourteen, into dist/
python -m tools.wheels linux-x86_64 windows-x86_64
python -m tools.wheels --twice                     # each is made once more from nothing; the bytes must be equal
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tools.wheels.auditing import audited
from tools.wheels.compiling import ROOT, BuildError, module
from tools.wheels.packing import described, packed
from tools.wheels.platforms import PLATFORMS, PYTHONS


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
    description = described()
    faults = 0
    for platform in PLATFORMS:
        if arguments.platforms and platform.name not in arguments.platforms:
            continue
        for python in PYTHONS:
            if arguments.python not in (None, python.tag):
                continue
            begin = time.monotonic()
            try:
                made = module(platform, python, ROOT / "build" / "wheels", arguments.jobs)
                wheel = packed(made, platform, python, description, arguments.output)
                found = audited(wheel, platform, python)
                if arguments.twice:
                    found += _made_otherwise(wheel, platform, python, description, arguments.jobs)
            except BuildError as error:
                print(f"{platform.name} {python.tag}: cannot be made\n{error}", file=sys.stderr)
                faults += 1
                continue
            size, seconds = wheel.stat().st_size / 1e6, time.monotonic() - begin
            print(f"{wheel.name}  {size:.1f} MB  {seconds:.0f} s  {'; '.join(found) or 'no fault found'}", flush=True)
            faults += bool(found)
    return 1 if faults else 0


def _made_otherwise(wheel, platform, python, description, jobs) -> list[str]:  # type: ignore[no-untyped-def]
    """Make a wheel again with nothing kept from the first time; say if its bytes differ."""
    with tempfile.TemporaryDirectory() as folder:
        kept = os.environ.get("ZIG_LOCAL_CACHE_DIR"), os.environ.get("ZIG_GLOBAL_CACHE_DIR")
        os.environ["ZIG_LOCAL_CACHE_DIR"] = os.environ["ZIG_GLOBAL_CACHE_DIR"] = str(Path(folder, "cache"))
        try:
            again = packed(module(platform, python, Path(folder), jobs), platform, python, description, Path(folder))
        finally:
            for name, value in zip(("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR"), kept, strict=True):
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value
        same = again.read_bytes() == wheel.read_bytes()
        if not same:
            shutil.copy(again, wheel.with_suffix(".again"))
        return [] if same else ["made twice, the bytes differ"]


if __name__ == "__main__":
    sys.exit(main())

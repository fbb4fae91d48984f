"""Install wheels from dist/ into every Python that can be had, run the demo, and compare every bit of rows and scores.

python -m tools.wheels.trying                                     # the CPythons of this machine, one also on a Nehalem
python -m tools.wheels.trying --python 'qemu-aarch64 -L ROOT ROOT/usr/bin/python3.11' --python 'wine python.exe'
python -m tools.wheels.trying --kernels musl-x86_64 musl-arm64    # without any Python: a program of the kernels alone

A Python is a command: it may be of another system or processor, if something here can run it.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.wheels.compiling import ROOT, BuildError, kernels, program
from tools.wheels.platforms import PLATFORMS, PYTHONS, Platform

MARKS = ROOT / "tests" / "data" / "marks.json"
KERNELS = ROOT / "tests" / "data" / "kernels.txt"
# What tertium needs is made for newer systems than its own wheels: numpy's for glibc 2.27.
NEWER = ("manylinux_2_28", "manylinux_2_27")
RUN = "import sys; from tertium.cli.main import main; sys.argv[0] = 'tertium'; main()"
EMULATORS = {"aarch64": "qemu-aarch64", "x86_64": ""}


class Fault(Exception):
    """What was not as it should be."""


def main(arguments: list[str]) -> int:
    """Try all, say what was found; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", default=[], metavar="COMMAND", help="only this one (repeatable)")
    parser.add_argument(
        "--kernels", nargs="+", default=[], metavar="PLATFORM", help="the kernels of these, as programs"
    )
    parser.add_argument(
        "--with", action="append", default=[], dest="also", metavar="REQUIREMENT", help="install this too"
    )
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    given = parser.parse_args(arguments)
    faults = 0
    tries = [(shlex.join(command), tried_python, (command, given.dist, given.also)) for command in _commands(given)]
    tries += [(platform.name, tried_kernels, (platform,)) for platform in PLATFORMS if platform.name in given.kernels]
    for name, tried, values in tries:
        try:
            print(f"{name}: {tried(*values)}", flush=True)
        except (Fault, BuildError) as error:
            print(f"{name}: FAILS\n{error}", flush=True)
            faults += 1
    return 1 if faults or not tries else 0


def _commands(given: argparse.Namespace) -> Iterator[list[str]]:
    if given.python or given.kernels:
        yield from (shlex.split(command) for command in given.python)
        return
    found = []
    for minor in range(11, 20):
        name = f"python3.{minor}"
        places = [shutil.which(name), *sorted(map(str, Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/{name}")))]
        found += list(filter(None, map(_executable, filter(None, places))))[-1:]
    yield from ([place] for place in found)
    if found and (emulator := shutil.which("qemu-x86_64")):
        # numpy's OpenBLAS takes some emulated processors for what they are emulated on.
        yield [emulator, "-cpu", "Nehalem", "-E", "OPENBLAS_CORETYPE=Nehalem", found[0]]


def _executable(place: str) -> str:
    """Return where that Python lies itself, if it runs: what is found may be a script that starts it."""
    ran = subprocess.run([place, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
    return ran.stdout.strip() if ran.returncode == 0 else ""


def tried_python(command: list[str], dist: Path, also: list[str]) -> str:
    """Install the wheel for a Python into a folder of its own, and run it; return what was run."""
    said = _output(
        [*command, "-c", "import sys, sysconfig; print(*sys.version_info[:2], sysconfig.get_config_var('EXT_SUFFIX'))"]
    )
    major, minor, suffix = said.split()
    platform = _platform(suffix, command)
    python = PYTHONS[0] if (int(major), int(minor)) == PYTHONS[0].version else PYTHONS[1]
    (wheel,) = list(dist.glob(f"tertium-*-{python.tag}-{python.abi}-{platform.tag}.whl")) or [None]
    if wheel is None:
        raise Fault(f"{dist} has no {python.tag} wheel for {platform.name}.")
    with tempfile.TemporaryDirectory() as folder:
        _install([str(wheel), *also], platform, f"{major}.{minor}", Path(folder))
        environment = {"PYTHONPATH": folder, "PYTHONNOUSERSITE": "1", "PYTHONIOENCODING": "utf-8"}
        if "Two systems, two references" not in _output([*command, "-c", RUN, "demo"], environment):
            raise Fault("The demo does not say what it always says.")
        found = _output([*command, "-c", "from tertium import _native; print(*_native.processors())"], environment)
        for processor in found.split():
            _compare_marks(command, environment | {"TERTIUM_PROCESSOR": processor}, processor)
    return f"{wheel.name}: demo, rows and scores of all metrics as {' '.join(found.split())}: every bit as it should be"


def _platform(suffix: str, command: list[str]) -> Platform:
    fitting = [platform for platform in PLATFORMS if f"{platform.suffix}." in suffix]
    if len(fitting) > 1:  # macOS has one suffix for both processors
        machine = _output([*command, "-c", "import platform; print(platform.machine())"]).strip()
        fitting = [platform for platform in fitting if platform.tag.endswith(machine)]
    if fitting:
        return fitting[0]
    raise Fault(f"No wheel is made for a Python whose modules end in {suffix}.")


def _install(wanted: list[str], platform: Platform, version: str, folder: Path) -> None:
    tags = platform.tag.split(".")
    if platform.tag.startswith("manylinux"):
        machine = tags[-1].removeprefix("manylinux2014_")
        tags = [f"{newer}_{machine}" for newer in NEWER] + tags
    where = [part for tag in tags for part in ("--platform", tag)]
    own = f"cp{version.replace('.', '')}"
    _output(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(folder),
         "--only-binary", ":all:", "--python-version", version, "--implementation", "cp", *where,
         "--abi", own, "--abi", "abi3", "--abi", "none", *wanted]
    )  # fmt: skip


def _compare_marks(command: list[str], environment: dict[str, str], processor: str) -> None:
    found = json.loads(_output([*command, str(Path(__file__).with_name("marks.py"))], environment))
    expected = json.loads(MARKS.read_text(encoding="utf-8"))
    if differing := [name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)]:
        raise Fault("\n".join([f"These differ in some bit ({processor}):", *sorted(differing)]))


def tried_kernels(platform: Platform) -> str:
    """Run the kernels of a platform as a program; return what was run."""
    folder = ROOT / "build" / "wheels"
    made = program(platform, Path(__file__).with_name("kernels_check.cpp"), kernels(platform, folder, 1), folder)
    emulator = EMULATORS[platform.target.split("-")[0]]
    if _output([*filter(None, [emulator]), str(made)]) != KERNELS.read_text(encoding="utf-8"):
        raise Fault(f"{made} prints something else than {KERNELS} has.")
    return "kernels as a program: every bit as it should be"


def _output(command: list[str], environment: dict[str, str] | None = None) -> str:
    ran = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL,
        env=os.environ | (environment or {}),
    )  # fmt: skip
    if ran.returncode:
        raise Fault(f"{shlex.join(command)}\n{ran.stdout}{ran.stderr}".strip())
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

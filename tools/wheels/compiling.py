"""Kernels and bindings to an extension module of a platform, by `zig c++`, which keeps what it compiled before.

Kernels are compiled once a platform, bindings and nanobind once a Python; bindings in one piece, since most of their
time is nanobind's templates. Headers of Python are those of Linux: what differs between systems is in pyconfig.h alone,
the same for all 64-bit systems but Windows. Windows also wants to know which DLL has Python's functions: a list of
those that are used is made into an import library.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind

from tools.wheels.platforms import Platform, Python

NANOBIND = Path(nanobind.__file__).parent
ROOT = Path(__file__).parents[2]
ZIG = (sys.executable, "-m", "ziglang")
# Paths are not written into modules, so that they do not depend on where they were made.
COMMON = ("-std=c++20", "-O3", "-DNDEBUG", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-ffp-contract=off",
          "-fno-strict-aliasing", "-ffunction-sections", "-fdata-sections", "-g0", f"-ffile-prefix-map={ROOT}=.",
          f"-ffile-prefix-map={NANOBIND}=nanobind")  # fmt: skip
KERNEL_FLAGS = ("-Inative", "-Wall", "-Wextra", "-Wno-psabi", "-Werror")
LARGEST = 6_000_000  # bytes of a wheel
Flags = tuple[str, ...]


class BuildError(Exception):
    """What a command said when it failed."""


def run(*command: str | Path) -> str:
    """Run a command and return what it printed; raise what it said if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise BuildError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def headers(python: Python) -> Path:
    """Return the folder with the headers of that Python, which must be installed."""
    name = f"python{python.version[0]}.{python.version[1]}"
    program = "import sysconfig; print(sysconfig.get_path('include'))"
    candidates = [
        shutil.which(name),
        sys.executable,
        *map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/" + name))),
    ]
    for candidate in filter(None, candidates):
        found = subprocess.run([candidate, "-c", program], capture_output=True, text=True)
        folder = Path(found.stdout.strip())
        if found.returncode == 0 and folder.name == name and (folder / "Python.h").exists():
            return folder
    raise BuildError(
        f"The headers of Python {name[6:]} are needed for {python.tag} wheels, and {name} is not installed."
    )


def compiled(platform: Platform, works: Iterable[tuple[Path, Flags]], folder: Path, jobs: int) -> list[Path]:
    """Compile files, each with flags of its own, to objects."""
    folder.mkdir(parents=True, exist_ok=True)
    position = () if platform.system == "windows" else ("-fPIC",)

    def one(work: tuple[Path, Flags]) -> Path:
        source, flags = work
        given = source.relative_to(ROOT) if source.is_relative_to(ROOT / "native") else source
        made = folder / f"{'_'.join(given.parts[-3:])}.o"
        kind = () if "c++-header" in flags else ("-c",)
        run(*ZIG, "c++", "-target", platform.target, *COMMON, *position, *flags, *kind, given, "-o", made)
        return made

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, works))


def kernels(platform: Platform, folder: Path, jobs: int) -> list[Path]:
    """Return the objects of the kernels, which know nothing of Python.

    What nearly all include is parsed once: a kernel of the usual size then takes a quarter of the time.
    """
    own = folder / platform.name / "kernels"
    header = ("-x", "c++-header", *KERNEL_FLAGS)
    (parsed,) = compiled(platform, [(Path(__file__).with_name("common.hpp"), header)], own, 1)
    flags = (*KERNEL_FLAGS, "-include-pch", str(parsed))
    sources = sorted(path for path in (ROOT / "native").rglob("*.cpp") if path.parent.name != "bindings")
    return compiled(platform, [(source, flags) for source in sources], own, jobs)


def module(platform: Platform, python: Python, objects: list[Path], folder: Path, jobs: int) -> Path:
    """Return the extension module of a platform for a Python, made with the kernels' objects."""
    own = folder / platform.name / python.tag
    own.mkdir(parents=True, exist_ok=True)
    flags = _python_flags(platform, python, own)
    bindings = own / "bindings.cpp"
    names = sorted(path.name for path in (ROOT / "native" / "bindings").glob("*.cpp"))
    bindings.write_text("".join(f'#include "bindings/{name}"\n' for name in names))
    library = (*flags, "-DNB_BUILD", "-DNB_COMPACT_ASSERTIONS", f"-I{NANOBIND}/ext/robin_map/include")
    works = [(bindings, (*KERNEL_FLAGS, *flags)), (NANOBIND / "src" / "nb_combined.cpp", library)]
    return _linked(platform, python, [*objects, *compiled(platform, works, own, jobs)], own)


def program(platform: Platform, source: Path, objects: list[Path], folder: Path) -> Path:
    """Return a program of the kernels' objects and one more file, which needs no Python."""
    own = folder / platform.name / "program"
    objects = [*objects, *compiled(platform, [(source, KERNEL_FLAGS)], own, 1)]
    made = own / source.stem
    run(*ZIG, "c++", "-target", platform.target, *objects, "-o", made)
    return made


def _python_flags(platform: Platform, python: Python, folder: Path) -> Flags:
    found = headers(python)
    limited = (f"-DPy_LIMITED_API=0x{python.version[0]:02X}{python.version[1]:02X}0000",) if python.stable else ()
    windows = (
        ("-isystem", str(Path(__file__).parent / "windows")) if platform.system == "windows" else ()
    )  # its pyconfig.h first
    if windows:  # #include "pyconfig.h" looks beside Python.h first, so the headers are copied without it
        found = shutil.copytree(found, folder / "include", dirs_exist_ok=True)
        (found / "pyconfig.h").unlink(missing_ok=True)
    # nanobind prints, which the limited headers of Python do not prepare for where the library is clang's.
    return (*windows, "-isystem", str(found), "-isystem", f"{NANOBIND}/include", *limited, "-include", "stdio.h")


def _linked(platform: Platform, python: Python, objects: list[Path], folder: Path) -> Path:
    made = folder / "_native.so"
    options: tuple[str | Path, ...] = ("-shared", "-Wl,--gc-sections", "-s")
    if platform.system == "macos":  # zig 0.17 crashes when it is asked for a bundle; Python loads libraries as well
        options = ("-shared", "-Wl,-undefined,dynamic_lookup", "-Wl,-dead_strip", "-Wl,-install_name,_native.so", "-s")
    elif platform.system == "windows":
        options = ("-shared", "-s", _import_library(python, objects, folder))
    run(*ZIG, "c++", "-target", platform.target, *options, *objects, "-o", made)
    if platform.system == "windows":
        forget_time(made)
    return made


def forget_time(dll: Path) -> None:
    """Take out of a DLL when it was linked, so that the same sources give the same bytes; zig has no option for it."""
    data = bytearray(dll.read_bytes())
    head = int.from_bytes(data[60:64], "little")
    if data[:2] != b"MZ" or data[head : head + 4] != b"PE\0\0":
        raise BuildError(f"{dll} is no DLL.")
    data[head + 8 : head + 12] = bytes(4)
    dll.write_bytes(data)


_PYTHON_NAME = re.compile(r"(__imp_)?(_?Py[A-Za-z_]\w*)")  # the rest of what objects lack is C++'s or the system's


def _import_library(python: Python, objects: list[Path], folder: Path) -> Path:
    """Make the library that says which functions and data python3.dll or python311.dll has."""
    wanted = [
        found for made in objects for symbol in undefined_symbols(made) if (found := _PYTHON_NAME.fullmatch(symbol))
    ]
    if plain := sorted({found[2] for found in wanted if not found[1]}):  # of data, one would read a jump to them
        raise BuildError(f"Not declared as coming from Python's DLL: {', '.join(plain)}")
    names = sorted({found[2] for found in wanted})
    dll = "python3" if python.stable else f"python{python.tag.removeprefix('cp')}"
    lines = [f"LIBRARY {dll}.dll", "EXPORTS", *(f"  {name} DATA" for name in names)]
    definitions = folder / f"{dll}.def"
    definitions.write_text("\n".join(lines) + "\n")
    library = folder / f"{dll}.lib"
    run(*ZIG, "dlltool", "-m", "i386:x86-64", "-d", definitions, "-l", library)
    return library


def undefined_symbols(made: Path) -> list[str]:
    """Return what a COFF object wants from elsewhere."""
    data = made.read_bytes()
    count, start = int.from_bytes(data[12:16], "little"), int.from_bytes(data[8:12], "little")
    big = data[:4] == b"\x00\x00\xff\xff"
    size = 20 if big else 18
    if big:
        start, count = int.from_bytes(data[48:52], "little"), int.from_bytes(data[52:56], "little")
    strings = start + size * count
    found, at = [], 0
    while at < count:
        entry = data[start + size * at : start + size * (at + 1)]
        section = (
            int.from_bytes(entry[12 : size - 4 - 0 if big else 14], "little")
            if not big
            else int.from_bytes(entry[12:16], "little")
        )
        if section == 0 and entry[size - 2] == 2:  # nowhere, external
            if entry[:4] == b"\0\0\0\0":
                where = strings + int.from_bytes(entry[4:8], "little")
                found.append(data[where : data.index(b"\0", where)].decode())
            else:
                found.append(entry[:8].rstrip(b"\0").decode())
        at += 1 + entry[size - 1]
    return found

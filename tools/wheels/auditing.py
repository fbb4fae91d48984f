"""Whether a wheel is what its name says: libraries and symbols, the stable interface, its description, its size."""

import io
import re
import subprocess
import sys
from pathlib import Path

from tools.wheels.compiling import LARGEST
from tools.wheels.platforms import Platform, Python

# What every Windows has, or Python brings; and what every macOS has.
WINDOWS_LIBRARIES = re.compile(
    r"(?i)python3(?:11)?\.dll|kernel32\.dll|ntdll\.dll|advapi32\.dll|api-ms-win-crt-.*\.dll|ucrtbase\.dll"
)
MACOS_LIBRARIES = re.compile(r"/usr/lib/libSystem\.B\.dylib")
# What auditwheel allows for musl, too; it cannot be asked, since it takes this name for glibc's where glibc is.
MUSL_LIBRARIES = re.compile(r"libc\.so")


def audited(wheel: Path, platform: Platform, python: Python) -> list[str]:
    """Return the faults found."""
    found = []
    if wheel.stat().st_size > LARGEST:
        found.append(f"{wheel.stat().st_size:,} bytes are more than {LARGEST:,}")
    found += _said("twine", "check", "--strict", str(wheel))
    if python.stable:
        found += _said("abi3audit", "--strict", str(wheel))
    if platform.system == "linux" and not platform.target.endswith("musl"):
        found += _said("auditwheel", "show", str(wheel), wants=f'platform tag: "{platform.tag.split(".")[0]}"')
    else:
        found += _foreign_libraries(wheel, platform)
    return found


def _said(tool: str, *arguments: str, wants: str = "") -> list[str]:
    done = subprocess.run([sys.executable, "-m", tool.replace("-", "_"), *arguments], capture_output=True, text=True)
    said = (done.stdout + done.stderr).strip()
    if done.returncode or (wants and wants not in " ".join(said.split())):
        return [f"{tool}: {said}"]
    return []


def _foreign_libraries(wheel: Path, platform: Platform) -> list[str]:
    """Say which libraries a module for Windows, macOS or musl wants that not every such system has."""
    import zipfile

    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith((".so", ".pyd")))
        data = archive.read(name)
    known, libraries = {
        "windows": (WINDOWS_LIBRARIES, windows_imports),
        "macos": (MACOS_LIBRARIES, macos_libraries),
        "linux": (MUSL_LIBRARIES, linux_libraries),
    }[platform.system]
    wanted = libraries(data)
    if not wanted:
        return ["no library is wanted at all, not even the system's: is it a module?"]
    return [f"wants {library}" for library in wanted if not known.fullmatch(library)]


def linux_libraries(data: bytes) -> list[str]:
    """Return the libraries that a Linux module (ELF) wants."""
    from elftools.elf.elffile import ELFFile

    dynamic = ELFFile(io.BytesIO(data)).get_section_by_name(".dynamic")
    return [tag.needed for tag in dynamic.iter_tags("DT_NEEDED")]


def windows_imports(data: bytes) -> list[str]:
    """Return the libraries that a Windows module (PE, 64 bits) imports from."""
    header = int.from_bytes(data[0x3C:0x40], "little")
    if data[:2] != b"MZ" or data[header : header + 4] != b"PE\0\0":
        return []
    sections = int.from_bytes(data[header + 6 : header + 8], "little")
    optional = int.from_bytes(data[header + 20 : header + 22], "little")
    table = header + 24 + optional
    places = []
    for k in range(sections):
        entry = data[table + 40 * k : table + 40 * (k + 1)]
        size, address, _, raw = (int.from_bytes(entry[at : at + 4], "little") for at in (8, 12, 16, 20))
        places.append((address, size, raw))

    def offset(address: int) -> int:
        return next(address - start + raw for start, size, raw in places if start <= address < start + size)

    imports = int.from_bytes(data[header + 24 + 120 : header + 24 + 124], "little")
    found, at = [], offset(imports)
    while any(data[at : at + 20]):
        name = offset(int.from_bytes(data[at + 12 : at + 16], "little"))
        found.append(data[name : data.index(b"\0", name)].decode())
        at += 20
    return found


def macos_libraries(data: bytes) -> list[str]:
    """Return the libraries that a macOS module (Mach-O, 64 bits) is linked to."""
    if data[:4] != b"\xcf\xfa\xed\xfe":
        return []
    found, at = [], 32
    for _ in range(int.from_bytes(data[16:20], "little")):
        kind, size = (int.from_bytes(data[at + k : at + k + 4], "little") for k in (0, 4))
        if kind & 0x7FFFFFFF in (0xC, 0x18, 0x1F):  # a library, a weak one, one that is passed on
            name = at + int.from_bytes(data[at + 8 : at + 12], "little")
            found.append(data[name : data.index(b"\0", name)].decode())
        at += size
    return found

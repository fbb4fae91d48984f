"""What `tertium --version --verbose` says: what runs here, on what, and where it keeps things."""

import platform
import re
import sys
from importlib import metadata
from pathlib import Path

from tertium import __version__


def about() -> str:
    """Return the version, the processor's variant, the extras and the folders, a line each."""
    from tertium import _native
    from tertium.text.lexicon.cache import cache_directory

    here, missing = _extras()
    lines = {
        "tertium": __version__,
        "installed in": str(Path(__file__).parent),
        "Python": f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}",
        "numpy": metadata.version("numpy"),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "kernels": f"as for {_native.processor()} (TERTIUM_PROCESSOR may be {', '.join(_native.processors())})",
        "Unicode": _native.unicode_version,
        "extras here": ", ".join(here) or "none",
        "extras missing": ", ".join(missing) or "none",
        "cache": str(cache_directory()),
    }
    width = max(map(len, lines))
    return "".join(f"{name:<{width}}  {value}\n" for name, value in lines.items())


def _extras() -> tuple[list[str], list[str]]:
    """Return the extras whose packages are all installed, and the others with what they lack."""
    needs: dict[str, list[str]] = {}
    for requirement in metadata.requires("tertium") or []:
        named = re.fullmatch(r"([\w.-]+)[^;]*;\s*extra\s*==\s*['\"]([\w-]+)['\"]\s*", requirement)
        if named and named[2] not in (
            "dev",
            "peers",
            "browser",
            "docs",
            "wheels",
        ):  # those are for who works on tertium
            needs.setdefault(named[2], []).append(named[1])
    here, missing = [], []
    for extra, packages in sorted(needs.items()):
        lacking = [package for package in packages if not _is_installed(package)]
        if lacking:
            missing.append(f"{extra} ({', '.join(lacking)})")
        else:
            here.append(extra)
    return here, missing


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True

"""A wheel from an extension module: the package, what pip wants to know, and nothing that changes from run to run."""

import base64
import hashlib
import os
import subprocess
import tempfile
import time
import zipfile
from functools import cache
from pathlib import Path

from scikit_build_core.build import prepare_metadata_for_build_wheel

from tools.wheels.compiling import ROOT
from tools.wheels.platforms import Platform, Python, module_name

LEFT_OUT = ("__pycache__", ".inc", ".so", ".pyc")
EARLIEST = 315532800  # 1980, where zip files begin


def commit_time() -> int:
    """Return when the commit was made, or what SOURCE_DATE_EPOCH says: files in a wheel carry a date."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        found = subprocess.run(["git", "log", "-1", "--format=%ct"], capture_output=True, text=True, cwd=ROOT)
        given = found.stdout.strip() or str(EARLIEST)
    return max(int(given), EARLIEST)


@cache
def described() -> dict[str, bytes]:
    """Return the files of the folder that describes the package, but for what depends on the platform."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        with tempfile.TemporaryDirectory() as folder:
            name = prepare_metadata_for_build_wheel(folder, {})
            found = sorted(path for path in Path(folder, name).rglob("*") if path.is_file())
            return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.name != "WHEEL"}
    finally:
        os.chdir(before)


def packed(module: Path, platform: Platform, python: Python, folder: Path) -> Path:
    """Write the wheel and return its path."""
    package = ROOT / "src" / "tertium"
    files = {
        str(Path("tertium", path.relative_to(package)).as_posix()): path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and not any(part.endswith(LEFT_OUT) for part in path.parts)
    }
    files[f"tertium/{module_name(platform, python)}"] = module.read_bytes()
    description = described()
    info = next(iter(description)).split("/")[0]
    tags = [f"{python.tag}-{python.abi}-{tag}" for tag in platform.tag.split(".")]
    about = ["Wheel-Version: 1.0", "Generator: tertium", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags)]
    files |= description | {f"{info}/WHEEL": ("\n".join(about) + "\n").encode()}
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    path = folder / f"{info.removesuffix('.dist-info')}-{python.tag}-{python.abi}-{platform.tag}.whl"
    moment = time.gmtime(commit_time())[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100755 if name.endswith((".so", ".pyd")) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")

"""Build and install tertium into this environment, saying how far the compiler is: `python tools/install.py STAMP`.

The first build takes a minute or more, and silence looks like a hang. What failed is shown in full. STAMP is a file
that is touched after each success: if only kernels changed since then, the module alone is built and put in its place,
and what is written in Python stays as it is.
"""

import importlib.metadata
import re
import subprocess
import sys
from collections import deque
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-v", "--no-build-isolation", "--no-deps"]
_STEP = re.compile(r"\[(\d+)/(\d+)\] (?:Building|Linking|Generating)(?:.*?\b(native/\S+?)\.o\b)?")
_KEPT = 400  # lines that are shown if something fails


def main(stamp: Path) -> int:
    """Bring what is installed up to date, and return the exit code of the program that did it."""
    build = build_folder() if stamp.exists() else None
    if build is None or _newest(ROOT / "src", ROOT / "pyproject.toml") > stamp.stat().st_mtime:
        return _shown([*PIP, str(ROOT)])
    cmake = str(Path(sys.executable).with_name("cmake"))
    place = str(importlib.metadata.distribution("tertium").locate_file(""))
    return _shown([cmake, "--build", str(build)]) or _shown(
        [cmake, "--install", str(build), "--strip", "--prefix", place]
    )


def build_folder() -> Path | None:
    """Return where the module that is installed was compiled, if it still can be there."""
    try:
        wheel = importlib.metadata.distribution("tertium").read_text("WHEEL") or ""
    except importlib.metadata.PackageNotFoundError:
        return None
    tag = re.search(r"^Tag: (\S+)$", wheel, re.MULTILINE)
    folder = ROOT / "build" / tag[1] if tag else ROOT
    return folder if (folder / "build.ninja").is_file() else None


def _newest(*places: Path) -> float:
    return max(
        path.stat().st_mtime
        for place in places
        for path in (place, *place.rglob("*"))
        if "__pycache__" not in path.parts
    )


def _shown(call: list[str]) -> int:
    """Run a program, show one line that changes, and return its exit code."""
    tty = sys.stderr.isatty()
    last: deque[str] = deque(maxlen=_KEPT)
    shown = 0
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            last.append(line)
            if step := _STEP.search(line):
                share = 100 * int(step[1]) // int(step[2])
                if tty or share >= shown + 25 or not shown:
                    shown = share or 1
                    said = f"compiling tertium: {step[1]} of {step[2]} files, {share} % {step[3] or ''}".rstrip()
                    print(f"\r\x1b[K{said}" if tty else said, end="" if tty else "\n", file=sys.stderr, flush=True)
    if tty and shown:
        print("\r\x1b[K", end="", file=sys.stderr)
    if process.returncode:
        sys.stderr.writelines(last)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

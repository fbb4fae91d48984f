"""Build and install tertium into this environment, saying how far the compiler is: `python tools/install.py`.

The first build takes a minute or more, and silence looks like a hang. What failed is shown in full.
"""

import re
import subprocess
import sys
from collections import deque

CALL = [
    sys.executable,
    "-m",
    "pip",
    "--disable-pip-version-check",
    "install",
    "-v",
    "--no-build-isolation",
    "--no-deps",
]
_STEP = re.compile(r"\[(\d+)/(\d+)\] (?:Building \w+ object \S*?((?:native|nanobind)/\S+?)\.o|Linking|Generating)")
_KEPT = 400  # lines that are shown if something fails


def installed(folder: str = ".") -> int:
    """Run pip, show one line that changes, and return its exit code."""
    tty = sys.stderr.isatty()
    last: deque[str] = deque(maxlen=_KEPT)
    shown = 0
    with subprocess.Popen([*CALL, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
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
    sys.exit(installed())

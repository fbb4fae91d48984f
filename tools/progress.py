"""Run a build and show which file of how many is being compiled; if it fails, show all that it said.

python tools/progress.py pip install --verbose .
"""

import re
import subprocess
import sys

COMPILING = re.compile(
    r"\[(\d+)/(\d+)\] (?:Building \w+ object .*?((?:native|nanobind)/\S+?)(?:\.o|\.obj)|(Linking)\b.*)\s*$"
)


def shown(line: str) -> str | None:
    """Return what to show of a line, or None: `[3/74] native/text/lines.cpp`."""
    found = COMPILING.search(line)
    if not found:
        return None
    return f"[{found[1]}/{found[2]}] {found[3] or 'linking'}"


def main(command: list[str]) -> int:
    """Run the command; on a terminal, progress is one line."""
    said = []
    on_terminal = sys.stdout.isatty()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as run:
        assert run.stdout is not None
        for line in run.stdout:
            said.append(line)
            step = shown(line)
            if step and on_terminal:
                print(f"\r\033[K{step}", end="", flush=True)
            elif step:
                print(step, flush=True)
    if on_terminal:
        print("\r\033[K", end="", flush=True)
    if run.returncode:
        sys.stderr.writelines(said)
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

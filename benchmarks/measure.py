"""How time and memory are taken, and how results are printed."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

TERTIUM = str(Path(sys.executable).with_name("tertium"))

# A process inherits the peak of the one that started it, so a small one must stand between.
_LAUNCHER = """
import os, sys, time
begin = time.perf_counter()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - begin
cpu = usage.ru_utime + usage.ru_stime
os.write(int(sys.argv[1]), f"{wall} {cpu} {usage.ru_maxrss} {os.waitstatus_to_exitcode(status)}".encode())
"""


@dataclass(frozen=True)
class Run:
    """What became of a process."""

    wall: float
    processor: float
    peak_bytes: int
    exit_code: int
    output: str
    errors: str


def run(command: Sequence[str], *, folder: str | None = None, **environment: str) -> Run:
    """Run a command to its end; the peak is the largest resident size, mapped files included."""
    read, write = os.pipe()
    # As a user has it: what was compiled once is not compiled again.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        [sys.executable, "-S", "-c", _LAUNCHER, str(write), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[write],
        cwd=folder,
        env={**inherited, **environment},
    ) as launcher:
        output, errors = launcher.communicate()
    os.close(write)
    with open(read) as report:
        wall, processor, kilobytes, exit_code = report.read().split()
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(float(wall), float(processor), int(kilobytes) * unit, int(exit_code), output, errors)


def best_run(command: Sequence[str], repeats: int, **environment: str) -> Run:
    """Return the fastest of several runs, all of which must succeed."""
    runs = [run(command, **environment) for _ in range(repeats)]
    for one in runs:
        if one.exit_code != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{one.errors}")
    return min(runs, key=lambda one: one.wall)


def least(work: Callable[[], object], *, repeats: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the shortest time of several: the one that was disturbed least."""
    times = []
    for _ in range(repeats):
        begin = clock()
        work()
        times.append(clock() - begin)
    return min(times)


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> None:
    """Print one table in Markdown, so that it can be quoted as it is."""
    widths = [max(len(row[j]) for row in [header, *rows]) for j in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = [cells[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells[1:], widths[1:], strict=True))]
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
    print(f"\n### {title}\n", line(header), rule, *map(line, rows), sep="\n")
    for note in notes:
        print(f"\n{note}")
    sys.stdout.flush()


def machine() -> str:
    """Say where and on what this was measured."""
    from tertium import __version__

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return (
        f"{processor()}, {_cores()} cores (load {load:.1f} before), Python {platform.python_version()}, "
        f"tertium {__version__}{_commit()}"
    )


def busy() -> str:
    """Return a warning if other work had the cores while timings on the wall clock were taken."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > _cores() + 0.7:
        return f"The load was {load:.1f} on {_cores()} cores: other work had part of them, so wall times are too high."
    return ""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """Return what the processor calls itself, with its family and model: rented ones hide which generation they are."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    first = text.partition("\n\n")[0].splitlines()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in first)}
    if "model name" not in facts:
        return platform.processor() or platform.machine()
    return f"{facts['model name']} ({facts.get('cpu family', '?')}/{facts.get('model', '?')})"


def _commit() -> str:
    root = Path(__file__).parents[1]
    try:
        found = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return f" ({found.stdout.strip()})" if found.returncode == 0 else ""

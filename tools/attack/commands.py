"""Run a command as a user would, and tell whether how it ended is a fault.

Commands are run in forks of a process that has imported everything already, twenty to a second instead of one.
"""

import contextlib
import os
import resource
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

PATIENCE = 60.0  # seconds of the processor that a command may take
TERTIUM = [sys.executable, "-c", "import sys; sys.argv[0] = 'tertium'; from tertium.cli.main import main; main()"]
PYTHON_ENDS = (0, 1, 2, 3, 4)  # 3 and 4 are a gate's


@dataclass(frozen=True)
class Ending:
    """How a command ended: the exit code (below 0 a signal), and what it said."""

    code: int
    output: bytes
    errors: bytes


def import_everything() -> None:
    """Import what the commands import when they are used, so that forks find it."""
    from tertium.cli.main import COMMANDS

    for name in COMMANDS:
        if name != "sacrebleu":
            import_module(f"tertium.cli.commands.{name.replace('-', '_')}")
    for name in ("numpy", "json", "csv", "sqlite3", "xml.etree.ElementTree", "tertium.compat.sacrebleu.program"):
        import_module(name)
    for name in ("pyarrow.parquet", "scipy.stats", "jinja2", "Stemmer"):
        with contextlib.suppress(ImportError):
            import_module(name)


def started(call: Callable[[], None], folder: Path, *, output: int, errors: int, limit: Callable[[], None]) -> int:
    """Begin `call` in a fork, with files in place of standard output and errors, and return its process."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        os.closerange(3, 256)
        sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
        sys.stderr = open(2, "w", errors="backslashreplace")  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        limit()
        call()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            code = 120  # as Python ends when it cannot print the rest
        os._exit(code)


def command(arguments: list[str]) -> Callable[[], None]:
    """Return a call of the command line."""

    def call() -> None:
        from tertium.cli.main import main

        sys.argv = ["tertium", *arguments]
        main()

    return call


def within_limits() -> None:
    """Let a process have 60 seconds of the processor and 8 GB, and end it by a signal beyond."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(PATIENCE), int(PATIENCE)))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(arguments: list[str], folder: Path, *, limit: Callable[[], None] = within_limits) -> Ending:
    """Run a command to its end."""
    return ended(command(arguments), folder, limit=limit)


def ended(call: Callable[[], None], folder: Path, *, limit: Callable[[], None] = within_limits) -> Ending:
    """Run a call in a fork to its end."""
    (read_out, write_out), (read_err, write_err) = os.pipe(), os.pipe()
    process = started(call, folder, output=write_out, errors=write_err, limit=limit)
    os.close(write_out)
    os.close(write_err)
    said = {read_out: b"", read_err: b""}
    until = time.monotonic() + 20 * PATIENCE  # of the wall clock, for what waits instead of computing
    with selectors.DefaultSelector() as waiting:
        for end in said:
            waiting.register(end, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select(timeout=1):
                data = os.read(key.fd, 1 << 16)
                said[key.fd] = (said[key.fd] + data)[-1_000_000:]
                if not data:
                    waiting.unregister(key.fd)
            if time.monotonic() > until:
                os.kill(process, signal.SIGKILL)
                until += PATIENCE
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    os.close(read_out)
    os.close(read_err)
    return Ending(code, said[read_out], said[read_err])


def fault(ending: Ending, what: str, allowed: tuple[int, ...] = PYTHON_ENDS) -> str | None:
    """Return what is wrong with how a command ended: a traceback, a signal, an exit code that means nothing."""
    if ending.code in allowed and b"Traceback" not in ending.errors and b"\x1b" not in ending.errors:
        if ending.code in (1, 2) and not ending.errors.strip():
            return f"{what}: exit {ending.code} without a word"
        return None
    return f"{what}: exit {ending.code}, {ending.errors[-400:]!r}"

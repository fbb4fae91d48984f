"""Odd surroundings: variables, closed streams, locales, pipes, folders, links and names,
each in a process of its own."""

import os
import random
import resource
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.attack.commands import TERTIUM, Ending, fault

SCORE = ["score", "north.txt", "-r", "reference.a.txt", "-m", "bleu"]
_PATIENCE = 300  # seconds of the wall clock


@dataclass(frozen=True)
class Case:
    """A command in odd surroundings; `shell` is put in front or behind, `before` is done to the folder."""

    arguments: list[str] = field(default_factory=lambda: list(SCORE))
    variables: dict[str, str | None] = field(default_factory=dict)
    behind: str = ""
    before: Callable[[Path], object] = lambda folder: None
    ends: tuple[int, ...] = (0, 1)


def _variables() -> dict[str, Case]:
    cases = {}
    for name, values in {
        "TERTIUM_BUDGET": ["0", "-1", "nan", "x", "", "1e400", "inf", "\udcff"],
        "TERTIUM_PROCESSOR": ["", "nosuch", "baseline", "\x1b[31m", "x" * 9999],
        "TERTIUM_METEOR": ["", "/no/such", "/", "/dev/null", "north.txt"],
        "TERTIUM_CACHE": ["", "/dev/null", "/dev/null/x", "/proc/x", "north.txt", "a\nb", "x" * 5000],
        "XDG_CACHE_HOME": ["", "/proc", "north.txt", "relative"],
        "HOME": ["", "/no/such", "/proc"],
        "SACREBLEU": ["", "/dev/null", "/no/such"],
        "COLUMNS": ["0", "-1", "x", "99999999999"],
        "TERM": ["", "dumb", "nosuch"],
        "LC_ALL": ["C", "nosuch", "tr_TR.UTF-8"],
        "PYTHONIOENCODING": ["ascii", "utf-16", "latin-1"],
        "PYTHONUTF8": ["0", "1"],
        "TMPDIR": ["/no/such", "/proc"],
        "OMP_NUM_THREADS": ["0", "x"],
    }.items():
        for value in values:
            line = ["score", "north.txt", "-r", "reference.a.txt", "-m", "meteor", "-m", "terp:paraphrases=phrases.tsv"]
            cases[f"{name}={value[:20]}"] = Case(line, {name: value})
    cases["no HOME"] = Case(cases["HOME="].arguments, {"HOME": None, "XDG_CACHE_HOME": None, "TERTIUM_CACHE": None})
    cases["testsets without HOME"] = Case(["testsets", "list"], {"HOME": None, "SACREBLEU": None})
    return cases


def _fifo(folder: Path) -> None:
    path = folder / "fifo"
    if not path.exists():
        os.mkfifo(path)
    text = (folder / "north.txt").read_bytes()
    threading.Thread(target=lambda: path.write_bytes(text), daemon=True).start()


def _named(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes((folder / "north.txt").read_bytes())


def _loop(folder: Path) -> None:
    for one, other in (("loop.a", "loop.b"), ("loop.b", "loop.a")):
        if not (folder / one).is_symlink():
            (folder / one).symlink_to(other)


def _locked(folder: Path) -> None:
    (folder / "locked").mkdir(exist_ok=True)
    (folder / "locked").chmod(0o500)


def _cases() -> dict[str, Case]:
    long = " -m chrf --format tsv --level segment"
    cases = {
        "a fifo": Case(["score", "fifo", "-r", "reference.a.txt", "-m", "bleu"], before=_fifo),
        "a folder": Case(["score", ".", "-r", "reference.a.txt"]),
        "a folder as reference": Case(["score", "north.txt", "-r", "/"]),
        "standard input twice": Case(["score", "-", "-r", "-", "-m", "bleu"], behind="<north.txt"),
        "/dev/stdin twice": Case(["score", "/dev/stdin", "-r", "/dev/stdin", "-m", "bleu"], behind="<north.txt"),
        "/dev/stdin from a pipe, twice": Case(["score", "/dev/stdin", "-r", "/dev/stdin"],
        behind="< <(cat north.txt)"),
        "/dev/fd": Case(["score", "/dev/fd/7", "-r", "reference.a.txt"]),
        "/dev/zero": Case(["score", "/dev/zero", "-r", "/dev/zero", "-m", "bleu"]),
        "/dev/null": Case(["score", "/dev/null", "-r", "/dev/null", "-m", "bleu"]),
        "/proc": Case(["score", "/proc/self/status", "-r", "/proc/self/status", "-m", "bleu"]),
        "/proc/self/mem": Case(["score", "/proc/self/mem", "-r", "north.txt", "-m", "bleu"]),
        "a symbolic link to itself": Case(["score", "loop.a", "-r", "reference.a.txt"], before=_loop),
        "output to such a link": Case([*SCORE, "--output", "loop.a"], before=_loop),
        "output in a folder that is none": Case([*SCORE, "--output", "north.txt/out"]),
        "output in no folder": Case([*SCORE, "--output", "no/such/folder/out"]),
        "output to a folder": Case([*SCORE, "--output", "."]),
        "output to /dev/full": Case([*SCORE, "--output", "/dev/full"]),
        "output to a locked folder": Case([*SCORE, "--output", "locked/out"], before=_locked),
        "output to /proc": Case([*SCORE, "--output", "/proc/out"]),
        "report to /dev/full": Case(["compare", "south.txt", *SCORE[1:], "--report", "/dev/full"]),
        "standard output closed": Case(behind=">&-"),
        "standard error closed": Case(behind="2>&-"),
        "standard input closed": Case(["score", "-", "-r", "reference.a.txt"], behind="<&-"),
        "all closed": Case(behind="<&- >&- 2>&-"),
        "standard output full": Case(behind=">/dev/full"),
        "standard error full": Case(["score", "nosuch", "-r", "north.txt"], behind="2>/dev/full"),
        "both full": Case(behind=">/dev/full 2>/dev/full"),
        "help to a full disk": Case(["score", "--help"], behind=">/dev/full"),
        "all help to a full disk": Case(["--help"], behind=">/dev/full"),
        "a reader that goes": Case([*SCORE, *long.split()], behind="| head -c 1", ends=(0, 1, 141)),
        "files in a pipe": Case(["score", "/dev/fd/9", "-r", "reference.a.txt"], behind="9< <(cat north.txt)"),
        "an umask of 777": Case([*SCORE, "--output", "masked"], behind="; umask"),
        "version without a terminal": Case(["--version", "--verbose"], behind="</dev/null"),
        "no command": Case([], behind="</dev/null", ends=(0, 2)),
        "a command that is none": Case(["nosuch\x1b[31m"], ends=(2,)),
    }  # fmt: skip
    for name in ("a\nb.txt", "a\x1b[31mb.txt", "a\udcff.txt", "-dash.txt", "a=b.txt", "a:b.txt", "*.txt",
                 "[a].txt", "é.txt", " .txt",
                 "a,b.txt", "CON", "a%s.txt", "\u202e.txt", "~", "$HOME", "a\tb.txt", "a'b.txt",
                 "x" * 200 + ".txt"):  # fmt: skip
        given = f"./{name}"
        cases[f"the name {name!r:.30}"] = Case(["score", given, "-r", given, "-m", "bleu"], before=_named(name))
        cases[f"output to the name {name!r:.30}"] = Case([*SCORE, "--format", "tsv", "--output", f"./out{name}"])
        cases[f"table of the name {name!r:.30}"] = Case(
            ["align", given, "-r", given, "--worst", "1"], before=_named(name)
        )
    return cases


CASES = _variables() | _cases()


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Run one command in odd surroundings."""
    name, case = rng.choice(list(CASES.items()))
    yield tried(name, case, folder)


def tried(name: str, case: Case, folder: Path) -> str | None:
    """Return what is wrong with how a command ended."""
    case.before(folder)
    variables = {key: value for key, value in (os.environ | case.variables).items() if value is not None}
    # bash keeps file names that are no UTF-8 as they are, and closes streams.
    script = f'"$@" {case.behind}'
    try:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", script, "bash", *TERTIUM, *case.arguments],
            cwd=folder, env=variables, capture_output=True, timeout=_PATIENCE, check=False, stdin=-3,
            preexec_fn=_less_memory,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{name}: no end in {_PATIENCE} s"
    ending = Ending(done.returncode, done.stdout, done.stderr or b"(nothing)")
    return fault(ending, name, case.ends)


def _less_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

"""Attack tertium from outside, and count what fell.

    python -m tools.attack                 some minutes; prints a table
    python -m tools.attack --hours 2       as long as that, with new random cases all the time
    python -m tools.attack --write         puts the table into docs/attack.md as well

Whatever is given or happens, there are two outcomes: an answer, or a message that says what to do. Anything else is a
fault: a traceback, a signal, a wrong exit code, half a file, a file left behind, an interrupt that is not answered.
`tools/sanitize.sh` runs the kernels under sanitizers; its hours are counted there.
"""

import argparse
import gzip
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "attack.md"
TERTIUM = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
PATIENCE = 120  # seconds that a case may take on a busy machine
ANSWERED = 5.0  # seconds of the wall clock until an interrupt is, likewise; alone on a machine 0.2

LINES: dict[str, Callable[[random.Random], bytes]] = {
    "random bytes": lambda rng: rng.randbytes(rng.choice([1, 50, 4000])),
    "random bytes of few kinds": lambda rng: bytes(rng.choices(b"\n\x00\xffab \t,\"'{}<>\x1f\x8b", k=2000)),
    "marks and separators": lambda rng: "".join(rng.choices("﻿\n\r\u2028\u0085\v a\t", k=300)).encode(),
    "escapes and formulas": lambda rng: "".join(
        rng.choices(["\x1b[31m", "\x1b]0;x\x07", "=1+1", "@x", "\n", " "], k=99)
    ).encode(),
    "odd characters": lambda rng: "".join(rng.choices("\ufffe\U0010ffff\u202eﷺẞ́é中😀\n ", k=400)).encode(),
    "one word, again and again": lambda rng: b"a " * rng.choice([100, 2000]),
    "two words, at random": lambda rng: " ".join(rng.choices("ab", k=rng.choice([50, 300]))).encode(),
    "one endless line": lambda rng: b"x" * 2_000_000,
    "nothing": lambda rng: b"",
    "empty lines": lambda rng: b"\n" * 5000,
    "a damaged archive": lambda rng: _damaged(gzip.compress(b"one two three\n" * 50), rng),
    "rows of uneven width": lambda rng: b"a\tb\n" + b"".join(b"x\t" * rng.randint(0, 4) + b"y\n" for _ in range(9)),
}
DOORS = {
    "plain": ("h.txt", "r.txt", ""),
    "compressed": ("h.gz", "r.gz", ""),
    "tsv": ("h.tsv", "r.tsv", ":1"),
    "csv": ("h.csv", "r.csv", ":1"),
    "jsonl": ("h.jsonl", "r.jsonl", ":a"),
    "xml": ("h.xml", "r.xml", ""),
    "parquet": ("h.parquet", "r.parquet", ":a"),
    "tmx": ("h.tmx", "r.tmx", ":en"),
    "xliff": ("h.xlf", "r.xlf", ":target"),
    "sheet": ("h.xlsx", "r.ods", ":a"),
}
METRICS = ["bleu", "chrf++", "nist", "wer:substitution=levenshtein", "per", "cder", "ter", "terp", "meteor"]
FILES = ["north.txt", "south.txt", "-r", "reference.a.txt"]
WRITING = {
    "score": ["score", *FILES, "-m", "ter", "--level", "segment", "--format", "tsv", "--output", "out"],
    "align": ["align", "north.txt", "-r", "reference.a.txt", "--output", "out"],
    "compare": ["compare", *FILES, "-m", "bleu", "--format", "json", "--output", "out"],
    "plot": ["compare", *FILES, "-m", "bleu", "--plot", "out.svg"],
    "report": ["compare", *FILES, "-m", "bleu", "--report", "out.html"],
    "correlate": ["correlate", *FILES, "-m", "bleu", "--judgments", "judgments.tsv", "--output", "out"],
    "rank": ["rank", *FILES, "-m", "bleu", "-m", "chrf", "--judgments", "judgments.tsv", "--output", "out"],
    "judgments": ["judgments", "aggregate", "judgments.tsv", "--output", "out"],
    "cache": ["score", *FILES, "-m", "terp:paraphrases=table.tsv", "--output", "out"],
}
# In a process of its own: draws settings and scores with them, and prints what neither gave rows nor was refused.
SETTINGS = """
import json, random, sys, time
import numpy as np
from tertium.errors import TertiumError
from tertium.metrics import METRICS
from tertium.metrics.settings import settings_of
rng, until, tried, faults = random.Random(int(sys.argv[1])), time.monotonic() + float(sys.argv[2]), 0, []
WILD = [None, True, -1, 0, 1, 2.5, 1e-300, 1e300, float("inf"), float("nan"), 2**31 - 1, 2**32, 2**63, 10**400, "",
        "none", "\\x00", "\\ud800", "a" * 5000, "1+2", "/no/such", b"x", (), (1, 1), {"x": 1}, object(), [1]]
TEXTS = ["the cat sat on the mat", "", "b a c d e f g", "\\u0928\\u0926\\u0940 x"]
def drawn(one):
    if rng.random() < 0.3:
        return rng.choice(WILD)
    if one.choices:
        return rng.choice(list(one.choices))
    if one.whole or one.number:
        low, high = one.whole or one.number
        value = rng.choice([low, high, low + (high - low) * rng.random() ** 8])
        return int(value) if one.whole and abs(value) < 1e300 else value
    return one.default
while time.monotonic() < until:
    metric = rng.choice(METRICS)
    declared = settings_of(metric)
    given = {name: drawn(declared[name]) for name in rng.sample(list(declared), min(len(declared), rng.randint(1, 4)))}
    tried += 1
    print(json.dumps([metric.name, repr(given)[:300]]), file=sys.stderr, flush=True)
    try:
        made = metric(**given)
        made = made if made.is_fitted else made.fitted_to(TEXTS)
        if not made.takes_tokens:
            made.score(made.statistics(TEXTS, TEXTS[::-1], threads=1))
    except TertiumError:
        pass
    except Exception as error:
        faults.append(f"{metric.name} {given!r:.200}: {error!r:.100}")
print(json.dumps([tried, faults]))
"""


@dataclass
class Count:
    """How many cases of a kind were tried, and what went wrong."""

    tried: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, fault: str | None) -> None:
        """Note a case."""
        self.tried += 1
        if fault:
            self.faults.append(fault)
            print(f"FAULT {fault}", file=sys.stderr)


def main() -> None:
    """Attack for as long as asked, in turn by every kind, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    counts = {name: Count() for name in ATTACKS}
    until = time.monotonic() + 3600 * options.hours
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TERTIUM_CACHE"] = f"{folder}/cache"
        while time.monotonic() < until or not all(count.tried for count in counts.values()):
            for name, attack in ATTACKS.items():
                for fault in attack(rng, Path(folder)):
                    counts[name].add(fault)
    table = _table(counts, options.hours, options.seed)
    print(table)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition("<!-- attack -->\n")
        PAGE.write_text(f"{before}<!-- attack -->\n{table}<!-- end -->\n\n{rest.partition('<!-- end -->')[2].lstrip()}")
    sys.exit(any(count.faults for count in counts.values()))


def _table(counts: dict[str, Count], hours: float, seed: int) -> str:
    rows = [f"| {name} | {count.tried:,} | {len(count.faults):,} |" for name, count in counts.items()]
    command = f"`python -m tools.attack --hours {hours:g} --seed {seed}`"
    return "\n".join([f"Made by {command}.", "", "| attack | cases | faults |", "|---|---:|---:|", *rows]) + "\n"


def _texts(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Hostile input by every door, for one command and one metric each."""
    door, (ours, theirs, column) = rng.choice(list(DOORS.items()))
    for kind, made in rng.sample(list(LINES.items()), 4):
        (folder / ours).write_bytes(made(rng))
        (folder / theirs).write_bytes(rng.choice([made, LINES["two words, at random"]])(rng))
        arguments = [ours + column, "-r", theirs + column, "-m", rng.choice(METRICS)]
        command = rng.choice(["score", "align", "compare"])
        if command == "compare":
            arguments.insert(0, f"other={ours}{column}")
        yield _fault(_run([command, *arguments], folder), f"{command} {door}, {kind}")


def _settings(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Random settings, scored; 5 seconds of them."""
    seed = rng.randrange(1 << 30)
    arguments = [sys.executable, "-W", "ignore", "-c", SETTINGS, str(seed), "5"]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=folder, timeout=PATIENCE)
    if done.returncode:
        yield f"settings: exit {done.returncode} at {done.stderr[-600:].strip().splitlines()[-1:]}"
        return
    tried, faults = json.loads(done.stdout)
    yield from faults
    yield from [None] * (tried - len(faults))


def _kills(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Kill each command that writes; what stood there must stand there, or the new file whole, and nothing else."""
    for name, arguments in WRITING.items():
        place = _example(folder)
        output = place / arguments[-1]
        output.write_text("before")
        known = {path.name for path in place.iterdir()}
        process = subprocess.Popen([*TERTIUM, *arguments], cwd=place, stdout=-3, stderr=-3)
        time.sleep(rng.random() * 1.5)
        process.kill()
        process.wait()
        yield _half(name, output, {path.name for path in place.iterdir()} - known)


def _full(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """The disk is full, in effect: no file may grow beyond some bytes."""
    for name, arguments in WRITING.items():
        place = _example(folder)
        output = place / arguments[-1]
        output.write_text("before")
        known = {path.name for path in place.iterdir()}
        most = rng.choice([0, 100, 1000])
        done = _run(arguments, place, lambda most=most: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        fault = _fault(done, f"full disk, {name}")
        yield fault or _half(name, output, {path.name for path in place.iterdir()} - known)


def _changes(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Files are cut short or rewritten while they are read."""
    for cut in (True, False):
        file = folder / "changing.txt"
        file.write_bytes(b"some words of a line that is read\n" * 400_000)
        arguments = ["score", "changing.txt", "-r", "changing.txt", "-m", "chrf", "-m", "bleu"]
        with subprocess.Popen([*TERTIUM, *arguments], cwd=folder, stdout=-3, stderr=-1) as process:
            time.sleep(0.3 + rng.random())
            if cut:
                os.truncate(file, rng.randrange(1000))
            else:
                with open(file, "r+b") as changed:
                    changed.write(rng.randbytes(1_000_000))
            _, errors = process.communicate(timeout=PATIENCE)
        yield _verdict(process.returncode, errors, "cut short" if cut else "rewritten")


def _interrupts(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Ctrl-C while a long segment is scored."""
    for name in ("h", "r"):
        (folder / f"{name}.txt").write_text(" ".join(rng.choices("abcd", k=1500)))
    metric = rng.choice(["ter", "terp", "meteor:version=2005", "per:substitution=levenshtein"])
    arguments = [*TERTIUM, "score", "h.txt", "-r", "r.txt", "-m", metric]
    environment = os.environ | {"TERTIUM_BUDGET": "inf"}
    with subprocess.Popen(arguments, cwd=folder, stdout=-3, stderr=-1, env=environment) as process:
        time.sleep(1.5 + rng.random())
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            errors = b""
    late = time.monotonic() - began > ANSWERED
    ends = (0, 1, 130, -signal.SIGINT)  # the last where Python had not begun yet
    yield f"interrupt, {metric}: not answered" if late else _verdict(process.returncode, errors, metric, ends)


def _example(folder: Path) -> Path:
    place = folder / "example"
    shutil.rmtree(place, ignore_errors=True)
    with as_file(files("tertium") / "data" / "demo") as bundled:
        shutil.copytree(bundled, place)
    (place / "table.tsv").write_text("phrase_ref\tphrase_hyp\tprob\na\tthe\t0.5\n")
    return place


def _run(arguments: list[str], folder: Path, limit: Callable[[], None] | None = None) -> tuple[int, bytes]:
    """Return how a command ended and what it said; -1000 if it did not end."""
    try:
        done = subprocess.run(
            [*TERTIUM, *arguments], cwd=folder, stdout=-3, stderr=-1, timeout=PATIENCE, preexec_fn=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return -1000, b""
    return done.returncode, done.stderr


def _fault(done: tuple[int, bytes], what: str) -> str | None:
    return _verdict(*done, what)


def _verdict(code: int, errors: bytes, what: str, allowed: tuple[int, ...] = (0, 1, 2)) -> str | None:
    if code in allowed and b"Traceback" not in errors:
        return None
    return f"{what}: exit {code}, {errors[-300:]!r}"


def _half(name: str, output: Path, left: set[str]) -> str | None:
    left = {file for file in left if not file.endswith(".lock")}
    if left:
        return f"{name}: left {sorted(left)}"
    size = output.stat().st_size if output.exists() else -1
    if size == 6:  # what stood there before
        return None
    return None if size > 50 else f"{name}: {size} bytes in place of the output"


def _damaged(archive: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(archive))
    return archive[:place] + rng.randbytes(1) + archive[place + 1 : rng.choice([None, -3])]


ATTACKS = {
    "hostile input, by kind and door": _texts,
    "settings at random": _settings,
    "kill -9 while a file is written": _kills,
    "full disk while a file is written": _full,
    "files changed while they are read": _changes,
    "interrupts": _interrupts,
}

if __name__ == "__main__":
    main()

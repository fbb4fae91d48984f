"""Ctrl-C at a random moment of what takes long: answered within 0.2 s, with exit code 130 and nothing else.

On a busy machine the wall clock says little, so what counts is the processor's time between the signal and the end, of
all threads together, and ending itself.
"""

import os
import random
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from tools.attack.commands import Ending, command, fault, started, within_limits

ANSWERED = 0.5  # seconds of the processor: 0.2 of each of two threads, and Python's own end
FOR_EVER = 60.0  # seconds of the wall clock
ENDS = (0, 1, 130)
COMMANDS: dict[str, list[str]] = {
    **{
        f"score {metric}": ["score", "long.h", "-r", "long.r", "-m", metric]
        for metric in ("ter", "ter:variant=thesis", "terp", "meteor", "meteor:version=2005", "cder", "wer",
                       "wer:substitution=levenshtein", "per:substitution=levenshtein", "chrf++", "bleu")
    },
    "score many": ["score", "many.h", "-r", "many.r", "-m", "ter", "-m", "meteor", "-m", "terp"],
    "score segments": ["score", "many.h", "-r", "many.r", "-m", "chrf", "--level", "segment"],
    "confidence": ["score", "many.h", "-r", "many.r", "-m", "chrf", "--confidence", "--samples", "1000000"],
    "compare": ["compare", "many.h", "x=many.r", "-r", "many.r", "-m", "bleu", "--samples", "5000000"],
    "align": ["align", "many.h", "-r", "many.r", "-m", "ter"],
    "pairwise": ["pairwise", "many.h", "many.r", "-m", "ter"],
    "mbr": ["mbr", "lists.txt", "-m", "ter"],
    "best": ["best", "lists.txt", "-r", "many.r", "-m", "ter"],
    "resegment": ["resegment", "stream.h", "-r", "many.r"],
    "orange": ["orange", "lists.txt", "-r", "many.r", "-r", "many.h", "-m", "ter"],
    "paraphrases": ["paraphrases", "extract", "--bitext", "many.h", "many.r", "--links", "many.links",
                    "--output", "p.tsv"],
}  # fmt: skip


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Interrupt one long command."""
    place = _filled(folder / "long")
    name, line = rng.choice(list(COMMANDS.items()))
    said = place / "said"

    def limit() -> None:
        within_limits()
        os.environ["TERTIUM_BUDGET"] = "inf"

    with open(said, "wb") as errors, open(os.devnull, "w") as nothing:
        process = started(command(line), place, output=nothing.fileno(), errors=errors.fileno(), limit=limit)
    time.sleep(0.2 + 3 * rng.random() ** 2)
    before, began = _used(process), time.monotonic()
    os.kill(process, signal.SIGINT)
    while (found := os.wait4(process, os.WNOHANG))[0] == 0:
        time.sleep(0.01)
        if time.monotonic() - began > FOR_EVER:
            os.kill(process, signal.SIGKILL)
    used = found[2].ru_utime + found[2].ru_stime
    code = os.waitstatus_to_exitcode(found[1])
    if code == -signal.SIGKILL or (code == 130 and before is not None and used - before > ANSWERED):
        yield f"interrupt, {name}: {used - (before or 0):.2f} s of the processor until it was answered, exit {code}"
    else:
        yield fault(Ending(code, b"", said.read_bytes()), f"interrupt, {name}", ENDS)


def _used(process: int) -> float | None:
    """Return the processor's time of a process so far, or None if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime  # no /proc: what ended children took
    if fields[0] == "Z":
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _filled(place: Path) -> Path:
    if place.is_dir():
        return place
    place.mkdir()
    rng = random.Random(1)
    for side in "hr":
        (place / f"long.{side}").write_text(" ".join(rng.choices("abcd", k=1500)) + "\n")
        lines = [" ".join(f"w{int(rng.paretovariate(0.7)) % 3000}" for _ in range(25)) for _ in range(4000)]
        (place / f"many.{side}").write_text("\n".join(lines) + "\n")
        (place / f"stream.{side}").write_text(" ".join(lines) + "\n")
    (place / "many.links").write_text("".join(" ".join(f"{i}-{i}" for i in range(25)) + "\n" for _ in range(4000)))
    candidates = [
        "".join(f"{i} ||| {' '.join(rng.choices('abcdefgh', k=20))} ||| 0\n" for _ in range(8)) for i in range(4000)
    ]
    (place / "lists.txt").write_text("".join(candidates))
    return place

"""Attack tertium from outside, and count what fell.

    python -m tools.attack                 some minutes; prints a table
    python -m tools.attack --hours 2       as long as that, with new random cases all the time
    python -m tools.attack --write         puts the table into docs/attack.md as well
    python -m tools.attack --sanitized build/sanitize/packages --hours 1
                                           the kernels of a build with sanitizers (tools/sanitize.sh makes one)

Whatever is given or happens, there are two outcomes: an answer, or a message that says what to do. Anything else is a
fault: a traceback, a signal, a wrong exit code, half a file, a file left behind, an interrupt that is not answered.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.attack import changing, inputs, interrupts, objects, options, settings, surroundings, writing
from tools.attack.commands import import_everything
from tools.attack.example import LINES, fill
from tools.attack.kernels import attack_build

PAGE = Path(__file__).parents[2] / "docs" / "attack.md"

Attack = Callable[[random.Random, Path], Iterator[str | None]]
ATTACKS: dict[str, Attack] = {
    f"hostile input, {len(LINES)} command lines": inputs.attack,
    "nonsense for options": options.attack,
    f"odd surroundings, of {len(surroundings.CASES)} kinds": surroundings.attack,
    "objects in Python": objects.attack,
    "settings at random": settings.attack,
    f"kill -9, {len(writing.WRITING)} lines that write": writing.kills,
    f"full disk, {len(writing.WRITING)} lines that write": writing.full_disks,
    "files changed while they are read": changing.attack,
    f"interrupts, {len(interrupts.COMMANDS)} long runs": interrupts.attack,
}
TURN = 10.0  # seconds that an attack has at a time


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
            print(f"FAULT {fault}", file=sys.stderr, flush=True)


def main() -> None:
    """Attack for as long as asked, in turn by every kind, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="WORD", default="", help="attacks whose name has this word")
    parser.add_argument("--sanitized", metavar="FOLDER", help="attack the kernels of this build")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    given = parser.parse_args()
    if given.sanitized:
        tried, found = attack_build(given.sanitized, given.hours, given.seed)
        counts = {
            name: Count(number, [one for one in found if one.startswith(f"{name}, ")]) for name, number in tried.items()
        }
    else:
        counts = _attacked({name: one for name, one in ATTACKS.items() if given.only in name}, given.hours, given.seed)
    build = " --sanitized BUILD" if given.sanitized else ""
    command = f"python -m tools.attack{build} --hours {given.hours:g} --seed {given.seed}"
    table = _table(counts, command, "kernel" if given.sanitized else "attack")
    print(table)
    if given.write:
        _write(table, "sanitized" if given.sanitized else "attack")
    sys.exit(any(count.faults for count in counts.values()))


def _attacked(attacks: dict[str, Attack], hours: float, seed: int) -> dict[str, Count]:
    rng = random.Random(seed)
    counts = {name: Count() for name in attacks}
    until = time.monotonic() + 3600 * hours
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "example"
        folder.mkdir()
        os.environ |= {"TERTIUM_CACHE": str(folder / "cache"), "HOME": scratch, "SACREBLEU": f"{scratch}/sets"}
        import_everything()
        fill(folder)
        try:
            while time.monotonic() < until or not all(count.tried for count in counts.values()):
                for name, attack in attacks.items():
                    turn = time.monotonic() + TURN
                    while time.monotonic() < turn:
                        for fault in attack(rng, folder):
                            counts[name].add(fault)
        finally:
            writing.release(folder)
    return counts


def _table(counts: dict[str, Count], command: str, first: str) -> str:
    rows = [f"| {name} | {count.tried:,} | {len(count.faults):,} |" for name, count in counts.items()]
    return "\n".join([f"Made by `{command}`.", "", f"| {first} | cases | faults |", "|---|---:|---:|", *rows]) + "\n"


def _write(table: str, mark: str) -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    behind = rest.partition("<!-- end -->")[2]
    PAGE.write_text(f"{before}<!-- {mark} -->\n{table}<!-- end -->{behind}", encoding="utf-8")


if __name__ == "__main__":
    main()

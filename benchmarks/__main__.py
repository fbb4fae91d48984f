"""Measure every metric beside the program it replaces, and fail if a row fell behind: `make bench`.

    python -m benchmarks                 all contests; writes benchmarks/results.json if none fell behind
    python -m benchmarks --only ter      one group of them
    python -m benchmarks --accept        writes in any case
    python -m benchmarks hostile …       another question, with its own options

`python -m benchmarks.results` then writes the README's tables, `python -m benchmarks.growth` the pictures of growth.
"""

import argparse
import os
import sys
import time
from importlib import import_module
from typing import Any

from benchmarks.measure import busy, machine, print_table, processor
from benchmarks.race import Row, held
from benchmarks.results import RESULTS, fallen, last_rows, record, seconds, times


def main(arguments: list[str]) -> None:
    if arguments and not arguments[0].startswith("-"):
        import_module(f"benchmarks.{arguments[0]}").main(arguments[1:])
        return
    from benchmarks.contests import ALONE, GROUPS, contests

    groups = [*GROUPS, *ALONE]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=groups, default=groups, help="groups of contests")
    parser.add_argument("--accept", action="store_true", help="record the rows even if some fell behind")
    options = parser.parse_args(arguments)
    about, disturbed = machine(), bool(busy())
    begin, worked = time.perf_counter(), time.process_time()
    rows = []
    for contest in contests(options.only):
        rows.append(held(contest))
        print(f"{contest.name}: {times(rows[-1].ratio)} {contest.peer}", file=sys.stderr, flush=True)
    waited = 1 - (time.process_time() - worked) / (time.perf_counter() - begin)
    disturbed = disturbed or bool(busy())
    before = last_rows(processor())
    print_table("Contests", ["what", "tertium", "the other", "ratio", "recorded"], _cells(rows, before), [about])
    print(
        f"\nFor {waited:.0%} of the time this process waited, for other programs it had started or for the processor."
    )
    judged = [row for row in rows if not (row.on_the_wall and disturbed)]
    if len(judged) < len(rows):
        print(f"\n{busy() or 'The machine was busy.'} Rows by the wall clock are neither judged nor recorded.")
    behind = fallen(judged, before)
    if behind and not options.accept:
        raise SystemExit("\n".join(["", "Fell behind by a quarter or more:", *behind, "--accept records it so."]))
    record(judged, processor(), machine=about, load_after=round(os.getloadavg()[0], 1))
    print(f"\nWritten to {RESULTS}.")


def _cells(rows: list[Row], last: dict[str, dict[str, Any]]) -> list[list[str]]:
    return [
        [f"{row.name}: {row.peer}", seconds(row.ours), seconds(row.theirs), times(row.ratio),
         times(last[row.name]["ratio"]) if row.name in last else ""]
        for row in rows
    ]  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])

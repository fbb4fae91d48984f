"""How long does one wait for a small answer?"""

import argparse

from benchmarks.measure import TERTIUM, best_run, busy, machine, print_table
from benchmarks.texts import files


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args(arguments)
    hypothesis, reference, _ = files(2_000)
    commands = {
        "tertium --version": [TERTIUM, "--version"],
        "tertium score, 2,000 segments": [TERTIUM, "score", str(hypothesis), "-r", str(reference)],
    }
    rows = []
    for name, command in commands.items():
        best_run(command, 1)  # bytecode, page cache
        rows.append([name, f"{best_run(command, options.repeats).wall:.3f} s"])
    print_table(
        f"From the command to its answer, wall clock, best of {options.repeats}",
        ["command", "time"],
        rows,
        [note for note in [machine(), busy()] if note],
    )


if __name__ == "__main__":
    main()

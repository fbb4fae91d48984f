"""How long does `tertium score -m bleu` take on two large files, next to counting their words?

Both files lie in the page cache; two threads; `wc -lw` reads the same files in the same locale. Memory is the
peak of the process, in which those pages of the text count that it holds mapped.
"""

import argparse

from benchmarks.measure import TERTIUM, Run, best_run, busy, machine, print_table
from benchmarks.texts import files


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    hypothesis, reference, origin = files(options.lines)
    text = hypothesis.stat().st_size + reference.stat().st_size
    paths = [str(hypothesis), str(reference)]
    best_run(["cat", *paths, "/dev/null"], 1)  # into the page cache
    commands = {
        "wc -lw": ["wc", "-lw", *paths],
        "tertium score -m bleu": [TERTIUM, "score", paths[0], "-r", paths[1], "-m", "bleu", "--threads", "2"],
        "... with one thread": [TERTIUM, "score", paths[0], "-r", paths[1], "-m", "bleu", "--threads", "1"],
        "tertium score -m chrf": [TERTIUM, "score", paths[0], "-r", paths[1], "-m", "chrf", "--threads", "2"],
    }
    fastest: dict[str, Run] = {}
    for _ in range(options.repeats):  # in turns, so that a slow spell of the machine hits all
        for name, command in commands.items():
            result = best_run(command, 1, LC_ALL="C.UTF-8")
            fastest[name] = min(result, fastest.get(name, result), key=lambda one: one.wall)
    rows = [
        [name, f"{one.wall:.2f} s", f"{one.processor:.2f} s", f"{options.lines / one.wall:,.0f}/s",
         f"{one.peak_bytes / 1e6:,.0f} MB"]
        for name, one in fastest.items()
    ]  # fmt: skip
    print_table(
        f"Corpus scores of two files with {options.lines:,} lines each, {text / 1e6:,.0f} MB ({origin})",
        ["command", "wall", "processor", "lines of each", "peak memory"],
        rows,
        [note for note in [machine(), busy()] if note],
    )


if __name__ == "__main__":
    main()

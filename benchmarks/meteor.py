"""How fast is METEOR, beside its own program and NLTK?

METEOR's program is timed on all pairs and on a few, and the difference counts: starting and loading is left out. It
needs Java and the jar (TERTIUM_METEOR, or an installed pycocoevalcap). NLTK is timed on a few pairs, if it is here and
has WordNet.
"""

import argparse
import shutil
import sys
import time
from pathlib import Path

from benchmarks.measure import best_run, least, machine, print_table, run
from benchmarks.texts import CACHE, Pairs, pairs, write_lines
from tertium import METEOR
from tertium.text.lexicon import meteor_files

MODULES = ("exact", "stem", "synonym")
_FEW = 2000
_FIRST_USE = (
    "import time; from tertium import METEOR; import tertium.text.lexicon; begin = time.perf_counter(); "
    "METEOR(modules=('exact', 'stem', 'synonym')).statistics(['dogs ran'], ['a dog runs']); "
    "print(time.perf_counter() - begin)"
)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=20_000)
    options = parser.parse_args(arguments)
    some = pairs(options.pairs)
    ours = _per_second(METEOR(modules=MODULES), some)
    rows = [["tertium, exact+stem+synonym, 1 thread", f"{ours:,.0f}", "1"]]
    for modules in (("exact",), ("exact", "stem")):
        speed = _per_second(METEOR(modules=modules), some)
        rows.append([f"tertium, {'+'.join(modules)}, 1 thread", f"{speed:,.0f}", f"{ours / speed:.2f}"])
    early = _per_second(METEOR(version="2005"), some)
    rows.append(["tertium, version=2005, 1 thread", f"{early:,.0f}", f"{ours / early:.2f}"])
    for name, speed in (("METEOR 1.5", _original(some)), ("NLTK meteor_score", _nltk(some))):
        rows.append([name, f"{speed:,.0f}", f"{ours / speed:.1f}"] if speed else [name, "not here", ""])
    print_table(
        f"METEOR, {len(some):,} pairs ({some.origin}), pairs per second",
        ["program", "pairs/s", "times slower"],
        rows,
        [machine()],
    )
    _print_first_use()


def _per_second(metric: METEOR, some: Pairs) -> float:
    def count() -> None:
        metric.statistics(some.hypotheses, some.references, threads=1)

    count()  # from here on all words are known
    return len(some) / least(count, repeats=3)


def program() -> list[str] | None:
    """Return the command that runs METEOR's own program, where it and Java are at hand."""
    found = meteor_files()
    place = found.root if found else Path()
    jars = sorted(place.glob("meteor*.jar")) if place.is_dir() else [place]
    if not jars or not jars[0].is_file() or not shutil.which("java"):
        return None
    return ["java", "-Xmx2G", "-jar", str(jars[0])]


def rate_of(call: list[str], some: Pairs) -> float:
    """Return the program's pairs a second once it is warm: the time for all of them less that for the first few."""
    CACHE.mkdir(exist_ok=True)
    paths = CACHE / "meteor-hypothesis.txt", CACHE / "meteor-reference.txt"
    times = []
    for size in (_FEW, len(some)):
        write_lines(paths[0], some.hypotheses[:size])
        write_lines(paths[1], some.references[:size])
        command = [*call, *map(str, paths), "-l", "en", "-norm", "-q", "-m", " ".join(MODULES)]
        times.append(best_run(command, 1).processor)
    return (len(some) - _FEW) / (times[1] - times[0])


def _original(some: Pairs) -> float | None:
    call = program()
    return None if call is None or len(some) <= _FEW else rate_of(call, some)


def _nltk(some: Pairs) -> float | None:
    try:
        from nltk.translate.meteor_score import meteor_score

        metric = METEOR(modules=MODULES)
        words = [
            (metric.words(h), metric.words(r)) for h, r in zip(some.hypotheses[:200], some.references, strict=False)
        ]
        meteor_score([["dog"]], ["dogs"])
    except (ImportError, LookupError):
        return None
    begin = time.process_time()
    for ours, theirs in words:
        meteor_score([theirs], ours)
    return len(words) / (time.process_time() - begin)


def _print_first_use() -> None:
    folder = str(CACHE / "lexicon")
    shutil.rmtree(folder, ignore_errors=True)
    times = [float(run([sys.executable, "-c", _FIRST_USE], TERTIUM_CACHE=folder).output) for _ in range(3)]
    rows = [["first", f"{times[0]:.2f} s"], ["later", f"{1000 * min(times[1:]):.0f} ms"]]
    print_table("The English lexicon, and one pair scored", ["use", "time"], rows)


if __name__ == "__main__":
    main()

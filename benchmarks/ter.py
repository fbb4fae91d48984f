"""How fast is TER, next to sacreBLEU, by the length of the reference? And how long do very long segments take?

One thread, processor time, the shortest of several repetitions, in one process, from Python lists to rows. sacreBLEU
is timed once per segment range, on the same texts; the edits of both must be the same. sacreBLEU needs most of its time
for few long segments, so that one ratio for all lengths would say little.
"""

import argparse
import random
from itertools import pairwise

import numpy as np

from benchmarks.measure import TERTIUM, least, machine, print_table, run
from benchmarks.texts import CACHE, Pairs, pairs, write_lines
from tertium import TER

_LENGTHS = (1, 11, 21, 31, 46, 65, 1_000)  # tokens of the reference; upper ends are not included
_GOALS = [(1, 21), (21, 46), (46, 1_000)]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=2_000)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--long", type=int, default=5_000, help="words of the very long segments; 0 for none")
    options = parser.parse_args(arguments)
    texts = pairs(20_000)
    chosen = random.Random(7).sample(range(len(texts)), min(options.segments, len(texts)))
    some = texts.chosen(chosen)
    ranges = [*pairwise(_LENGTHS), *_GOALS, (0, 10**9)]
    print_table(
        f"TER from Python lists, {len(some):,} segments ({some.origin}), one thread, processor time",
        ["reference tokens", "segments", "sacreBLEU us", "tertium us", "ratio", "variant=tercom us", "same edits"],
        _by_length(some, ranges, options.repeats),
        [machine()],
    )
    if options.long:
        print_table(
            f"One pair of segments with {options.long:,} words each, one thread",
            ["pair", "variant", "seconds", "peak memory"],
            [_long(kind, variant, options.long) for kind in _PAIRS for variant in ("tercom", "sacrebleu")],
        )


def _by_length(texts: Pairs, ranges: list[tuple[int, int]], repeats: int) -> list[list[str]]:
    from sacrebleu.metrics import TER as PeerTER

    sizes = [len(text.split()) for text in texts.references]
    times: dict[int, float] = {}
    edits: dict[int, float] = {}
    for index, (hypothesis, reference) in enumerate(zip(texts.hypotheses, texts.references, strict=True)):
        found: list[list[float]] = []

        def work(hypothesis: str = hypothesis, reference: str = reference, found: list[list[float]] = found) -> None:
            found[:] = PeerTER()._extract_corpus_statistics([hypothesis], [[reference]])

        times[index] = least(work, repeats=1)
        edits[index] = found[0][0]
    rows = []
    for low, high in ranges:
        chosen = [index for index, size in enumerate(sizes) if low <= size < high]
        if not chosen:
            continue
        hypotheses, references = ([side[k] for k in chosen] for side in (texts.hypotheses, texts.references))
        ours = TER(variant="sacrebleu")
        same = ours.statistics(hypotheses, references)[:, 5].tolist() == [edits[k] for k in chosen]
        mine = {
            variant: _time(TER(variant=variant), hypotheses, references, repeats) / len(chosen)
            for variant in ("sacrebleu", "tercom")
        }
        theirs = sum(times[k] for k in chosen) / len(chosen)
        name = "all" if low == 0 else f"{low} to {high - 1}" if high < 1_000 else f"{low} and more"
        rows.append(
            [name, f"{len(chosen):,}", f"{1e6 * theirs:,.0f}", f"{1e6 * mine['sacrebleu']:.2f}",
             f"{theirs / mine['sacrebleu']:,.0f}x", f"{1e6 * mine['tercom']:.2f}", "yes" if same else "NO"]
        )  # fmt: skip
    return rows


def _time(metric: TER, hypotheses: list[str], references: list[str], repeats: int) -> float:
    # Often enough for the clock, and not so often that few segments are known by heart.
    times = max(1, 2_000 // len(hypotheses))
    many = hypotheses * times, references * times
    return least(lambda: metric.statistics(*many, threads=1), repeats=repeats) / times


def _related(words: int, rng: np.random.Generator) -> tuple[list[str], list[str]]:
    reference = [f"w{rank}" for rank in rng.zipf(1.3, words).clip(max=9_999)]
    hypothesis = [word if rng.random() < 0.7 else f"w{rng.integers(9_999)}" for word in reference]
    for _ in range(words // 50):
        start, target, length = rng.integers(words - 12), rng.integers(words - 12), int(rng.integers(1, 12))
        block = hypothesis[start : start + length]
        del hypothesis[start : start + length]
        hypothesis[target:target] = block
    return hypothesis, reference


def _unrelated(words: int, rng: np.random.Generator) -> tuple[list[str], list[str]]:
    sides = rng.zipf(1.3, (2, words)).clip(max=9_999)
    return [f"w{rank}" for rank in sides[0]], [f"w{rank}" for rank in sides[1]]


_PAIRS = {"a translation with 2 % of its words moved": _related, "two unrelated texts": _unrelated}


def _long(kind: str, variant: str, words: int) -> list[str]:
    CACHE.mkdir(exist_ok=True)
    paths = CACHE / "long.hypothesis.txt", CACHE / "long.reference.txt"
    for path, side in zip(paths, _PAIRS[kind](words, np.random.default_rng(words)), strict=True):
        write_lines(path, [" ".join(side)])
    metric = f"ter:variant={variant}"
    done = run([TERTIUM, "score", str(paths[0]), "-r", str(paths[1]), "-m", metric, "--threads", "1", "--quiet"])
    if done.exit_code != 0:
        raise SystemExit(done.errors)
    return [kind, variant, f"{done.processor:.1f}", f"{done.peak_bytes / 1e6:,.0f} MB"]


if __name__ == "__main__":
    main()

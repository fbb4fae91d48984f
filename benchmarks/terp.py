"""How fast is TERp with stems, synonyms and a large paraphrase table, next to the original's rate?

One thread, processor time, warm (the table compiled, words looked up), from Python lists to rows; the shortest of
several repetitions. The original is a Java program that has to be found by hand, so its rate is a number given on the
command line: 39 segments a second were measured on texts like these, with stems and synonyms, no table, start
included.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from benchmarks.measure import least, machine, print_table
from benchmarks.texts import Pairs, pairs
from tertium import TERp
from tertium.text.lexicon.phrases import write_index

_WORDS = (1, 1, 1, 2, 2, 3, 4)  # how long phrases are


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=2_000)
    parser.add_argument("--entries", type=int, default=1_000_000, help="of the table")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--original", type=float, default=39, help="segments a second of the original")
    options = parser.parse_args(arguments)
    texts = pairs(max(20_000, options.segments))
    chosen = random.Random(7).sample(range(len(texts)), min(options.segments, len(texts)))
    some = texts.chosen(chosen)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.index"
        start = process_time()
        write_index(table, entries(texts, options.entries))
        compiled = process_time() - start
        metrics = {
            "ter": TERp(costs="ter"),
            "terp-a, no synonyms": TERp(synonyms=False),
            "terp-a": TERp(),
            f"terp-a, {options.entries:,} paraphrases": TERp(paraphrases=table),
            f"terp-h, {options.entries:,} paraphrases": TERp(costs="terp-h", paraphrases=table),
        }
        rows = [_row(name, metric, some, options) for name, metric in metrics.items()]
    print_table(
        f"TERp from Python lists, {len(some):,} segments ({some.origin}), one thread, processor time",
        ["settings", "us a segment", "segments a second", "times the original", "phrases used", "shifts"],
        rows,
        [machine(), f"the table was compiled in {compiled:.0f} s of processor time"],
    )


def _row(name: str, metric: TERp, texts: Pairs, options: argparse.Namespace) -> list[str]:
    rows = metric.statistics(texts.hypotheses, texts.references, threads=1)
    parts = metric.parts(rows.sum(axis=0))
    seconds = least(lambda: metric.statistics(texts.hypotheses, texts.references, threads=1), repeats=options.repeats)
    rate = len(texts) / seconds
    return [
        name,
        f"{1e6 / rate:.0f}",
        f"{rate:,.0f}",
        f"{rate / options.original:,.0f}",
        f"{int(parts['phrases']):,}",
        f"{int(parts['shifts']):,}",
    ]


def entries(texts: Pairs, count: int) -> Iterator[tuple[str, str, float]]:
    """Yield phrases of the references with others: most made up, as a table knows more words than a text has.

    Of twenty, one is a pair of phrases that occur, so that a segment has a few paraphrases that may be used.
    """
    rng = random.Random(3)
    ours = [text.lower().split() for text in texts.hypotheses]
    theirs = [text.lower().split() for text in texts.references]
    for number in range(count):
        phrase = _phrase(rng, theirs[rng.randrange(len(theirs))], rng.random())
        paraphrase = _phrase(rng, ours[rng.randrange(len(ours))], rng.random())
        if number % 20:
            paraphrase += f" w{rng.randrange(100_000)}"
        if phrase and paraphrase and phrase != paraphrase:
            yield phrase, paraphrase, round(10 ** -(3 * rng.random()), 6)


def _phrase(rng: random.Random, words: list[str], place: float) -> str:
    start = int(place * len(words))
    return " ".join(words[start : start + rng.choice(_WORDS)])


if __name__ == "__main__":
    main()

"""How long do 10,000 trials of a randomization test and 1,000 bootstrap replicates take, next to sacreBLEU?

BLEU of two systems, one thread, processor time, in one process. Both get statistics that are counted already: of
sacreBLEU's time, what a run with one sample takes is left out. The p-values must be the same.
"""

import argparse
import os
from collections.abc import Callable
from typing import Any

from benchmarks.measure import least, machine, print_table
from benchmarks.texts import pairs
from tertium import BLEU, CHRF, TER, Scores, compare, score
from tertium.significance import like_sacrebleu

SEED = 12345


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5, help="of sacreBLEU; ours is repeated ten times as often")
    options = parser.parse_args(arguments)
    systems, references, origin = systems_of(options.segments)
    scores = score({"BLEU": BLEU()}, systems, references)
    rows = [
        _against_peer(name, short, samples, scores, systems, references, options.repeats)
        for name, short, samples in (("randomization", "ar", 10_000), ("bootstrap", "bs", 1000))
    ]
    print_table(
        f"Tests of two systems by BLEU, {len(references):,} segments ({origin}), one thread, processor time",
        ["test", "samples", "tertium", "sacreBLEU", "ratio", "same p-value"],
        rows,
        [machine()],
    )
    print_table(
        f"All pairs of 10 systems, {len(references):,} segments, 10,000 trials, one thread, processor time",
        ["metrics", "scoring", "tests", "ratio"],
        [_all_pairs(systems, references)],
    )


def systems_of(segments: int) -> tuple[dict[str, list[str]], list[str], str]:
    """Return two systems that differ as close ones do, and their references."""
    texts = pairs(segments)
    count = min(segments, len(texts))
    references = texts.references[:count]
    first = texts.hypotheses[:count]
    # The second system has the first's words without some.
    second = [" ".join(word for k, word in enumerate(text.split(" ")) if (i + k) % 23) for i, text in enumerate(first)]
    return {"first": first, "second": second}, references, texts.origin


def test_of(scores: Scores, name: str, samples: int) -> Callable[[], float | None]:
    """Return our test, which gives a p-value."""
    return lambda: like_sacrebleu(scores, test=name, samples=samples, seed=SEED, threads=1)[1].p_value


def peer_of(
    short: str, samples: int, systems: dict[str, list[str]], references: list[str]
) -> Callable[[], float | None]:
    """Return sacreBLEU's test of the same systems; with one sample it takes the time of all but the test."""
    from sacrebleu.metrics import BLEU as PeerBLEU
    from sacrebleu.significance import PairedTest

    def test() -> float | None:
        os.environ["SACREBLEU_SEED"] = str(SEED)
        metrics = {"BLEU": PeerBLEU(references=[references])}
        found: Any = PairedTest(list(systems.items()), metrics, None, test_type=short, n_samples=samples)()
        return found[1]["BLEU"][1].p_value  # type: ignore[no-any-return]

    return test


def _against_peer(
    name: str, short: str, samples: int, scores: Scores, systems: dict[str, list[str]], references: list[str],
    repeats: int,
) -> list[str]:  # fmt: skip
    ours, theirs, nothing = (
        test_of(scores, name, samples),
        *(peer_of(short, count, systems, references) for count in (samples, 1)),
    )
    mine = least(ours, repeats=10 * repeats)
    taken = least(theirs, repeats=repeats) - least(nothing, repeats=repeats)
    mine = min(mine, least(ours, repeats=10 * repeats))
    same = "yes" if ours() == theirs() else f"NO: {ours()} and {theirs()}"
    return [name, f"{samples:,}", f"{1e3 * mine:.1f} ms", f"{1e3 * taken:,.0f} ms", f"{taken / mine:.0f}x", same]


def _all_pairs(systems: dict[str, list[str]], references: list[str]) -> list[str]:
    metrics = [BLEU(), CHRF(), TER()]
    many = {f"{name}{k}": texts[k:] + texts[:k] for k in range(5) for name, texts in systems.items()}
    scores = score(metrics, many, references)
    scoring = least(lambda: score(metrics, many, references, threads=1), repeats=5)
    tests = least(lambda: compare(scores, all_pairs=True, threads=1), repeats=3)
    return ["BLEU, chrF, TER", f"{1e3 * scoring:.0f} ms", f"{1e3 * tests:.0f} ms", f"{tests / scoring:.1f}"]


if __name__ == "__main__":
    main()

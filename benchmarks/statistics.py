"""How fast are the rows of BLEU, chrF and chrF++ made from Python lists, next to sacreBLEU?

One thread, processor time, the shortest of several repetitions, in one process. sacreBLEU gets a fresh object each
time, so that nothing it remembers helps it. The integers of both must be the same.
"""

import argparse
import time
from typing import Any

import numpy as np

from benchmarks.measure import busy, least, machine, print_table
from benchmarks.texts import Pairs, pairs
from tertium import BLEU, CHRF, Metric


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3, help="of sacreBLEU; ours is repeated ten times as often")
    options = parser.parse_args(arguments)
    texts = pairs(options.segments)
    rows = [_against_peer(*case, texts, options.repeats) for case in _cases()]
    print_table(
        f"Statistics from Python lists, {len(texts):,} segments ({texts.origin}), one thread, processor time",
        ["metric", "tertium", "sacreBLEU", "ratio", "us per segment", "same integers"],
        rows,
        [machine()],
    )
    rows = [_with_threads(name, metric, texts) for name, metric, _ in _cases()]
    print_table(
        "Two threads against one, time on the wall clock",
        ["metric", "one thread", "two threads", "ratio"],
        rows,
        [note for note in [busy()] if note],
    )


def _cases() -> list[tuple[str, Metric, Any]]:
    from sacrebleu import metrics as peer

    return [
        ("BLEU", BLEU(), peer.BLEU),
        ("chrF", CHRF(), peer.CHRF),
        ("chrF++", CHRF(word_order=2), lambda: peer.CHRF(word_order=2)),
    ]


def _against_peer(name: str, metric: Metric, peer: Any, texts: Pairs, repeats: int) -> list[str]:
    hypotheses, references = texts.hypotheses, texts.references
    mine = metric.statistics(hypotheses, references, threads=1)
    theirs = np.array(peer()._extract_corpus_statistics(hypotheses, [references]), dtype=np.float64)
    if mine.shape != theirs.shape or not (mine == theirs).all():
        first = np.flatnonzero((mine != theirs).any(axis=1))[0] if mine.shape == theirs.shape else "the shape"
        raise SystemExit(f"{name}: the statistics differ from sacreBLEU's, first at {first}.")
    # Half of ours before the peer and half after, so that a slow spell of the machine hits both.
    ours = least(lambda: metric.statistics(hypotheses, references, threads=1), repeats=5 * repeats)
    other = least(lambda: peer()._extract_corpus_statistics(hypotheses, [references]), repeats=repeats)
    ours = min(ours, least(lambda: metric.statistics(hypotheses, references, threads=1), repeats=5 * repeats))
    count = len(hypotheses)
    return [name, f"{count / ours:,.0f}/s", f"{count / other:,.0f}/s", f"{other / ours:.0f}x",
            f"{1e6 * ours / count:.2f}", "yes"]  # fmt: skip


def _with_threads(name: str, metric: Metric, texts: Pairs) -> list[str]:
    hypotheses, references = texts.hypotheses * 5, texts.references * 5
    one, two = float("inf"), float("inf")
    for _ in range(8):  # in turns, so that a slow spell of the machine hits both
        one = min(one, _wall(metric, hypotheses, references, 1))
        two = min(two, _wall(metric, hypotheses, references, 2))
    return [name, f"{len(hypotheses) / one:,.0f}/s", f"{len(hypotheses) / two:,.0f}/s", f"{one / two:.2f}x"]


def _wall(metric: Metric, hypotheses: list[str], references: list[str], threads: int) -> float:
    return least(lambda: metric.statistics(hypotheses, references, threads=threads), repeats=1, clock=time.perf_counter)


if __name__ == "__main__":
    main()

"""How long do coefficients take, next to scipy's Kendall, and a whole table next to the metrics in it?

Processor time, in one process. The table has 14 systems, three levels, five coefficients and intervals from 1,000
bootstrap replicates each. Tie calibration is quoted in pairs per second; mt-metrics-eval's rate, measured elsewhere on
two cores like these, is 154,000 to 200,000.
"""

import argparse
import time

import numpy as np

import tertium
from benchmarks.measure import least, machine, print_table
from benchmarks.texts import pairs
from tertium.judgments import Judgments
from tertium.meta import coefficient, correlate

METRICS = (
    "bleu:effective_order=true", "bleu-s", "chrf", "chrf++", "ter", "ter:variant=sacrebleu", "wer", "per", "cder",
    "cder:direction=maximum",
)  # fmt: skip
METHODS = ["pearson", "spearman", "kendall-b", "kendall-like", "pairwise-accuracy"]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    print_table(
        f"Kendall's tau-b, {options.points:,} points, processor time",
        ["scores", "tertium, with interval", "scipy", "ratio"],
        [_kendall(options.points, options.repeats, decimals) for decimals in (None, 1)],
        [machine()],
    )
    print_table(
        "Tie calibration, processor time", ["groups", "pairs", "tertium", "pairs/s"], _calibration(options.repeats)
    )
    print_table(
        f"14 systems x {options.segments:,} segments x {len(METRICS)} metrics, processor time",
        ["metrics", "table", "ratio", "figures"],
        [_table(options.segments)],
    )


def _kendall(points: int, repeats: int, decimals: int | None) -> list[str]:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(0)
    x = rng.normal(size=points)
    y = 0.5 * x + rng.normal(size=points)
    if decimals is not None:
        x, y = x.round(decimals + 1), y.round(decimals)
    ours = least(lambda: coefficient(x, y, "kendall-b"), repeats=repeats)
    theirs = least(lambda: kendalltau(x, y), repeats=repeats)
    return ["no ties" if decimals is None else "many ties", f"{ours:.3f} s", f"{theirs:.3f} s", f"{theirs / ours:.1f}"]


def _calibration(repeats: int) -> list[list[str]]:
    rows = []
    for name, shape, group in (("by item", (14, 10_989), "item"), ("none", (1, 1415), "none")):
        rng = np.random.default_rng(1)
        metric = rng.normal(size=shape)
        human = (0.5 * metric + rng.normal(size=shape)).round()
        count = 91 * shape[1] if group == "item" else shape[1] * (shape[1] - 1) // 2

        def calibrated(metric=metric, human=human, group=group):
            return coefficient(metric, human, "acc-eq", group, interval="none")

        taken = least(calibrated, repeats=repeats)
        rows.append([name, f"{count:,}", f"{taken:.3f} s", f"{count / taken / 1e6:.1f} M"])
    return rows


def _table(segments: int) -> list[str]:
    texts = pairs(segments)
    references = [texts.references[i % len(texts)] for i in range(segments)]
    hypotheses = [texts.hypotheses[i % len(texts)].split(" ") for i in range(segments)]
    systems = {
        f"s{k}": [
            " ".join(w for j, w in enumerate(words) if (i * 7 + j) % (12 + k)) for i, words in enumerate(hypotheses)
        ]
        for k in range(14)
    }
    begin = time.process_time()
    scores = tertium.score(
        [tertium.parse_metric(text) for text in METRICS], systems, references,
        documents=[f"d{i // 20}" for i in range(segments)],
    )  # fmt: skip
    scoring = time.process_time() - begin
    rng = np.random.default_rng(2)
    judgments = Judgments.of(
        system=[name for name in systems for _ in range(segments)],
        segment=[i + 1 for _ in systems for i in range(segments)],
        score=np.concatenate(
            [scores.segments[name]["chrf"] + 20 * rng.normal(size=segments) for name in systems]
        ).round(),
    )
    begin = time.process_time()
    found = correlate(scores, judgments, ["segment", "document", "system"], METHODS, interval="bootstrap")
    taken = time.process_time() - begin
    return [f"{scoring:.2f} s", f"{taken:.2f} s", f"{taken / scoring:.1f}", str(len(found))]


if __name__ == "__main__":
    main()

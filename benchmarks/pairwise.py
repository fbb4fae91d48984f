"""How fast are matrices of scores, decoding and rewards, next to fastchrf, sacreBLEU and a loop over statistics?

One thread, processor time, the shortest of several repetitions, in one process. The texts are samples of one sentence:
a file given by --samples (one per line), or generated ones. Values must be equal.
"""

import argparse
import random
from pathlib import Path

import numpy as np

import tertium
from benchmarks.measure import least, machine, print_table
from tertium import BLEU, CHRF, TER, WER, Metric


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=Path, help="samples of one sentence, one per line")
    parser.add_argument("--peer-samples", type=int, default=64, help="how many of them the slow peers see")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    texts = options.samples.read_text(encoding="utf-8").splitlines() if options.samples else _generated(1024)
    few = texts[: options.peer_samples]
    rows = [
        _row("chrF", CHRF(), texts, "fastchrf", _fastchrf(few), few, options.repeats),
        _row("BLEU", BLEU(effective_order=True), texts, "sacreBLEU", _sacrebleu(few), few, options.repeats),
        *(_row(m.name, m, texts[:256], "statistics", _loop(m, few), few, options.repeats) for m in (TER(), WER())),
    ]
    print_table(
        f"Every pair of {len(texts):,} samples, one thread, processor time",
        ["metric", "peer", "peer ns/pair", "tertium ns/pair", "ratio", "equal"],
        rows,
        [machine()],
    )
    reward = tertium.rewards.reward("chrf", threads=1)
    batch = (texts * 512)[:512]
    seconds = least(lambda: reward.scores(batch, batch[::-1]), repeats=10)
    print(f"\nA reward call on 512 samples: {1000 * seconds:.2f} ms")


def _row(
    label: str, metric: Metric, texts: list[str], peer: str, theirs: "tuple[float, np.ndarray] | None", few: list[str],
    repeats: int,
) -> list[str]:  # fmt: skip
    seconds = least(lambda: tertium.pairwise(metric, texts, texts, threads=1), repeats=repeats)
    ours = 1e9 * seconds / len(texts) ** 2
    if theirs is None:
        return [label, f"{peer} (not installed)", "", f"{ours:,.0f}", "", ""]
    same = np.allclose(tertium.pairwise(metric, few, few), theirs[1], rtol=0, atol=1e-9)
    return [label, peer, f"{theirs[0]:,.0f}", f"{ours:,.0f}", f"{theirs[0] / ours:,.1f}x", "yes" if same else "NO"]


def _fastchrf(texts: list[str]) -> "tuple[float, np.ndarray] | None":
    try:
        import fastchrf
    except ImportError:
        return None
    seconds = least(lambda: fastchrf.pairwise_chrf([texts], [texts]), repeats=2)
    return 1e9 * seconds / len(texts) ** 2, np.array(fastchrf.pairwise_chrf([texts], [texts])[0])


def _sacrebleu(texts: list[str]) -> "tuple[float, np.ndarray] | None":
    try:
        from sacrebleu.metrics import BLEU as PeerBLEU
    except ImportError:
        return None
    peer = PeerBLEU(effective_order=True)
    found = np.empty((len(texts), len(texts)))

    def work() -> None:
        for i, hypothesis in enumerate(texts):
            for j, reference in enumerate(texts):
                found[i, j] = peer.sentence_score(hypothesis, [reference]).score

    return 1e9 * least(work, repeats=1) / len(texts) ** 2, found


def _loop(metric: Metric, texts: list[str]) -> "tuple[float, np.ndarray]":
    """Score as one would without a matrix: each hypothesis, repeated, against all references."""
    found: list[np.ndarray] = []

    def work() -> None:
        found[:] = [metric.score(metric.statistics([text] * len(texts), texts, threads=1)) for text in texts]

    return 1e9 * least(work, repeats=3) / len(texts) ** 2, np.array(found)


def _generated(count: int) -> list[str]:
    rng = random.Random(5)
    words = [f"w{rng.randrange(400)}" for _ in range(30)]
    return [" ".join(f"v{rng.randrange(400)}" if rng.random() < 0.3 else word for word in words) for _ in range(count)]


if __name__ == "__main__":
    main()

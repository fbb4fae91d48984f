"""What becomes of input that nobody would call a test set?"""

import argparse
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import TERTIUM, Run, busy, machine, print_table, run
from benchmarks.texts import SEED, pairs

METRICS = ["bleu", "chrf", "nist", "wer", "wer:substitution=levenshtein", "per", "per:substitution=levenshtein", "cder",
           "ter", "ter:variant=thesis", "terp", "meteor", "meteor:version=2005"]  # fmt: skip
WORDS = {
    "one word": lambda rng: "a",
    "two words": lambda rng: rng.choice("ab"),
    "skewed": lambda rng: f"w{int(rng.paretovariate(0.7)) % 5000}",
    "ordinary": None,
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="*", default=[100, 1000, 10_000], help="words of a segment")
    parser.add_argument("--metrics", nargs="*", default=METRICS)
    options = parser.parse_args(arguments)
    _odd_files()
    _long_segments(options.metrics, options.lengths)


def _long_segments(metrics: list[str], lengths: list[int]) -> None:
    """Time and memory against length: nothing may bend upwards past its budget."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in WORDS:
            for length in lengths:
                for number, name in enumerate(("hypothesis", "reference")):
                    (Path(folder) / name).write_text(_segment(kind, length, number) + "\n", encoding="utf-8")
                for metric in metrics:
                    command = [TERTIUM, "score", "hypothesis", "-r", "reference", "-m", metric, "--format", "tsv"]
                    result = run(command, folder=folder)
                    outcome = "answered" if result.exit_code == 0 else _outcome(result)
                    cost = [f"{result.processor:.2f} s", f"{result.peak_bytes / 1e6:,.0f} MB"]
                    rows.append([kind, f"{length:,}", metric, *cost, outcome])
    print_table(
        "One long segment",
        ["text", "words", "metric", "processor", "peak memory", "outcome"],
        rows,
        [note for note in [machine(), busy()] if note],
    )


def _segment(kind: str, length: int, number: int) -> str:
    draw = WORDS[kind]
    if draw is None:
        texts = pairs(length)  # more words than are needed
        return " ".join(" ".join(texts.references if number else texts.hypotheses).split()[:length])
    rng = random.Random(SEED + number)
    return " ".join(draw(rng) for _ in range(length))


def _odd_files() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in _inputs(Path(folder)):
            command = [TERTIUM, "score", "hypothesis", "-r", "reference", "-m", "bleu", "-m", "chrf"]
            result = run(command, folder=folder)
            rows.append([name, f"{result.wall:.2f} s", f"{result.peak_bytes / 1e6:,.0f} MB", _outcome(result)])
    print_table(
        "Hostile input, BLEU and chrF",
        ["input", "wall", "peak memory", "outcome"],
        rows,
        [note for note in [machine(), busy()] if note],
    )


def _inputs(folder: Path) -> Iterator[str]:
    """Write one pair of files after another, and say what they hold."""
    texts = pairs(19_000)
    contents = {
        "one line of 1 MB, words": (_one_megabyte(texts.hypotheses), _one_megabyte(texts.references)),
        "one line of 1 MB, no blank": (b"ab" * 500_000, b"ba" * 499_999 + b"c"),
        "one line of 1 MB, punctuation": (b".,-" * 333_333, b"-.," * 333_333),
        "10 million empty lines": (b"\n" * 10_000_000, b"\n" * 10_000_000),
        "1 MB of random bytes": (random.Random(SEED).randbytes(1_000_000), b"a\n"),
        "no byte at all": (b"", b""),
    }
    for name, (hypothesis, reference) in contents.items():
        (folder / "hypothesis").write_bytes(hypothesis)
        (folder / "reference").write_bytes(reference)
        yield name


def _one_megabyte(texts: list[str]) -> bytes:
    return " ".join(texts).encode()[:1_000_000].decode(errors="ignore").encode() + b"\n"


def _outcome(result: Run) -> str:
    if result.exit_code == 0:
        bleu, chrf = result.output.splitlines()[2].split()[1:]
        return f"BLEU {bleu}, chrF {chrf}"
    message = (result.errors.strip().splitlines() or [""])[-1].removeprefix("tertium: ")
    return f"{'refused' if result.exit_code == 1 else f'exit {result.exit_code}'}: {message[:60]}..."


if __name__ == "__main__":
    main()

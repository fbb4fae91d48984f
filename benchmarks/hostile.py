"""What becomes of input that nobody would call a test set?"""

import argparse
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import TERTIUM, Run, busy, machine, print_table, run
from benchmarks.texts import SEED, pairs


def main(arguments: list[str] | None = None) -> None:
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
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

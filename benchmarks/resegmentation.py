"""Which method restores segments, how fast, and how long a recording may be.

    python benchmarks/resegmentation.py FOLDER      # with data/wmt22.en-de/{ref.A,hyp.SYSTEM}.txt and so on
    python benchmarks/resegmentation.py --speed     # made-up streams of 7,700 and 100,000 words, one thread

Restoring: outputs of each system, the first 800 segments, are joined in groups of 20 and cut again; the share of
segments that come back exactly, blanks not counted, as the mean over systems. Speed is CPU time.
"""

import random
import resource
import sys
import time
import unicodedata
from pathlib import Path

from tertium.resegmentation import resegment

SETS = ("en-de", "en-zh", "ja-en")
METHODS = (("soft", None), ("chars", None), ("mwer", "13a"), ("mwer", None))


def lines(path: Path, most: int = 800) -> list[str]:
    """Return the first lines of a file."""
    return path.read_text(encoding="utf-8").split("\n")[:most]


def bare(text: str) -> str:
    """Return a text in small letters, without punctuation."""
    kept = (" " if unicodedata.category(letter)[0] == "P" else letter for letter in text.lower())
    return " ".join("".join(kept).split())


def restored(folder: Path, pair: str, method: str, tokenize: str | None, *, stripped: bool = False) -> float:
    """Return the mean over systems of the share of segments that come back, in percent."""
    where = folder / "data" / f"wmt22.{pair}"
    joint = "" if pair.endswith(("zh", "ja")) else " "
    shares = []
    for path in sorted(where.glob("hyp.*.txt")):
        references, hypotheses = lines(where / "ref.A.txt"), lines(path)
        if stripped:
            references, hypotheses = list(map(bare, references)), list(map(bare, hypotheses))
        documents = [str(place // 20) for place in range(len(references))]
        joined = [joint.join(hypotheses[place : place + 20]) for place in range(0, len(hypotheses), 20)]
        found = resegment(joined, references, documents, method, tokenize=tokenize, threads=1)
        same = sum("".join(a.split()) == "".join(b.split()) for a, b in zip(found.lines, hypotheses, strict=True))
        shares.append(100 * same / len(references))
    return sum(shares) / len(shares)


def stream(words: int, seed: int = 1) -> tuple[str, list[str]]:
    """Return a noisy copy of made-up references, whose words repeat as those of a language do, and the references."""
    generator = random.Random(seed)
    known = [
        "".join(generator.choice("abcdefghiklmnoprstuvw") for _ in range(generator.randint(2, 10)))
        for _ in range(15_000)
    ]
    references = []
    while len(references) * 16 < words:
        chosen = [known[min(int(generator.paretovariate(0.8)), len(known)) - 1] for _ in range(15)]
        references.append(f"{' '.join(chosen).capitalize()} end.")
    said = [word for one in references for word in one.split() if generator.random() > 0.1]
    said = [generator.choice(known) if generator.random() < 0.2 else word for word in said]
    return " ".join(said), references


def main() -> None:
    """Print the tables."""
    if "--speed" in sys.argv:
        for words in (7_700, 100_000):
            text, references = stream(words)
            for method in ("soft", "mwer"):
                begin = time.process_time()
                found = resegment(text, references, method=method, threads=1)
                took = time.process_time() - begin
                most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(
                    f"{method}: {words:,} words, {len(found):,} segments: {took:.3f} s, at most {most:.0f} MB",
                    flush=True,
                )
        return
    folder = Path(sys.argv[1])
    print("method", *SETS, "en-de bare", "ja-en bare", sep="\t")
    for method, tokenize in METHODS:
        shares = [restored(folder, pair, method, tokenize) for pair in SETS]
        shares += [restored(folder, pair, method, tokenize, stripped=True) for pair in ("en-de", "ja-en")]
        print(f"{method} {tokenize or ''}".strip(), *(f"{share:.2f}" for share in shares), sep="\t", flush=True)


if __name__ == "__main__":
    main()

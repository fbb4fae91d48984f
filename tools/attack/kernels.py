"""The kernels with random texts, one after the other for equal times; meant for a build with sanitizers.

    python -m tools.attack --sanitized build/sanitize/packages --hours 1

A sanitizer ends the process at the first bad access or overflow, and says where.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

TURN = 0.5  # seconds of the processor that a kernel has at a time
_WORDS = ["a", "b", "c", "the", "cat", "cats", "sat", "3.5", "don't", "&amp;", "中", "国", "é", "e\u0301", "😀",
          "ẞ", "İ", "ﬁ", "．", "\u0928\u0926\u0940",
          "\u2028", "\x0b", "-", ".", ",", "x" * 70, "\U0010ffff", "\u00a0", "A.B.", "(", "'s", "$5"]  # fmt: skip


def text(rng: random.Random, most: int = 200) -> str:
    """Return a text of few or many words, often of a length around a power of two, where blocks and masks end."""
    length = rng.choice([0, 1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 50, 62, 63, 64, 65, 100, 127, 128, 129, 192, 256, 1000])
    words = rng.sample(_WORDS, rng.choice([1, 2, 3, 8, len(_WORDS)]))
    return rng.choice([" ", " ", "", "  "]).join(rng.choices(words, k=min(length, most)))


def near(base: str, rng: random.Random) -> str:
    """Return a text that is like another: some words moved, left out or replaced."""
    words = base.split(" ")
    for _ in range(rng.randint(0, 6)):
        start = rng.randrange(len(words) + 1)
        part = words[start : start + rng.choice([1, 2, 3, 10])]
        del words[start : start + len(part)]
        place = rng.randrange(len(words) + 1)
        words[place:place] = rng.choice([part, part, part, [], [rng.choice(_WORDS)]])
    return " ".join(words)


def pairs(rng: random.Random, count: int, most: int = 200) -> tuple[list[str], list[list[str]]]:
    """Return hypotheses and one to three references each."""
    hypotheses = [text(rng, most) for _ in range(count)]
    references = [
        [rng.choice([near, lambda base, rng: text(rng, most)])(one, rng) for _ in range(rng.randint(1, 3))]
        for one in hypotheses
    ]
    return hypotheses, references


def _metric(spec: str, most: int = 200) -> Callable[[random.Random], object]:
    def call(rng: random.Random) -> object:
        from tertium import parse_metric

        metric = parse_metric(spec.replace("RANDOM", rng.choice(["none", "13a", "intl", "zh", "char", "space"])))
        hypotheses, references = pairs(rng, rng.choice([1, 3, 9]), most)
        if not metric.is_fitted:
            metric = metric.fitted_to(references)
        return metric.score(metric.statistics(hypotheses, references, threads=rng.choice([1, 2])))

    return call


def _aligned(spec: str) -> Callable[[random.Random], object]:
    def call(rng: random.Random) -> object:
        import tertium

        base = text(rng, 150)
        return tertium.align(tertium.parse_metric(spec), base, near(base, rng))

    return call


def _pairwise(spec: str) -> Callable[[random.Random], object]:
    def call(rng: random.Random) -> object:
        import tertium

        ours, theirs = ([text(rng, 40) for _ in range(rng.randint(1, 9))] for _ in range(2))
        return tertium.pairwise(tertium.parse_metric(spec), ours, theirs, threads=rng.choice([1, 2]))

    return call


def _lines(rng: random.Random) -> object:
    from tertium import _native

    data = "\n".join(text(rng, 30) for _ in range(rng.randint(0, 20))).encode()
    if rng.random() < 0.5:
        data = bytes(byte ^ (1 << rng.randrange(8)) if rng.random() < 0.01 else byte for byte in data)
    reader = _native.LineReader(data)
    while (taken := reader.take(rng.randint(1, 5))) is not None and len(taken):
        pass
    return _native.first_invalid_utf8(data)


def _text_rules(rng: random.Random) -> object:
    from tertium import _native
    from tertium.text import tokenizer

    given = "".join(
        chr(rng.choice([rng.randrange(128), rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)]))
        for _ in range(rng.randint(0, 90))
    )
    for form in ("nfc", "nfkc"):
        _native.normalize(given, form)
    name = rng.choice(["13a", "intl", "char", "zh", "none", "space", "blank", "mteval", "mteval-intl", "thesis"])
    return _native.lower(given), tokenizer(name, lowercase=rng.random() < 0.5)(given)


def _arrow(rng: random.Random) -> object:
    import pyarrow as pa

    import tertium

    rows = rng.randint(1, 30)
    ours, theirs = (
        pa.array(
            [text(rng, 20) for _ in range(rows + 5)], rng.choice([pa.string(), pa.large_string(), pa.string_view()])
        )
        for _ in range(2)
    )
    first = rng.randint(0, 5)
    return tertium.score("chrf", ours.slice(first, rows), theirs.slice(first, rows))


def _draws(rng: random.Random) -> object:
    import tertium

    hypotheses, references = pairs(rng, rng.randint(2, 12), 20)
    both = {"a": hypotheses, "b": [near(one, rng) for one in hypotheses]}
    scores = tertium.score(rng.choice(["bleu", "chrf", "ter"]), both, references)
    tertium.confidence(scores, samples=rng.randint(100, 300), method=rng.choice(["percentile", "bca"]), threads=2)
    return tertium.compare(
        scores, samples=rng.randint(10, 300), test=rng.choice(["randomization", "bootstrap"]), threads=2
    )


def _coefficients(rng: random.Random) -> object:
    import tertium

    count = rng.randint(2, 60)
    ours, theirs = (
        [rng.choice([rng.random(), float(rng.randrange(4)), 1e100, -1e-300]) for _ in range(count)] for _ in range(2)
    )
    method = rng.choice(
        [
            "pearson",
            "spearman",
            "kendall-a",
            "kendall-b",
            "kendall-c",
            "acc-23",
            "acc-eq",
            "kendall-23",
            "wmt14",
            "pairwise-accuracy",
        ]
    )
    return tertium.meta.coefficient(ours, theirs, method=method)


def _cuts(rng: random.Random) -> object:
    import tertium

    references = [text(rng, 30) or "x" for _ in range(rng.randint(1, 12))]
    return tertium.resegment(
        " ".join(near(one, rng) for one in references) or "x",
        references,
        method=rng.choice(["soft", "mwer", "chars", "length"]),
    )


def _phrases(rng: random.Random) -> object:
    from tertium import _native

    compiler = _native.PhraseCompiler(rng.choice(["tsv", "meteor", "terp", "moses", "ppdb"]))
    lines = [
        rng.choice(["a\tb\t0.5", "a ||| b ||| 0.5", "0.5", "a b", "P <p>a</p> <p>b c</p> 0.1", text(rng, 9)])
        for _ in range(20)
    ]
    compiler.read(_native.flat_texts(lines, "lines"))
    return compiler.end()


def _long(rng: random.Random) -> object:
    from tertium import parse_metric

    metric = parse_metric(
        rng.choice(["bleu:tokenize=none", "chrf++", "wer:tokenize=none", "cder:tokenize=none", "per:tokenize=none"])
    )
    base = " ".join(rng.choices(_WORDS, k=rng.choice([1023, 1024, 1025, 2047, 4097])))
    return metric.statistics([base], [near(base, rng)])


ALIGNED = ["ter", "terp", "wer", "cder", "meteor", "ter:variant=thesis,beam=20"]
KERNELS: dict[str, Callable[[random.Random], Any]] = {
    "BLEU": _metric("bleu:tokenize=RANDOM"),
    "NIST": _metric("nist"),
    "chrF": _metric("chrf++"),
    "WER": _metric("wer:tokenize=RANDOM"),
    "WER, levenshtein": _metric("wer:substitution=levenshtein", 60),
    "PER": _metric("per"),
    "PER, levenshtein": _metric("per:substitution=levenshtein", 60),
    "CDER": _metric("cder:direction=maximum,penalty=miscoverage"),
    "CDER, levenshtein": _metric("cder:substitution=levenshtein,tokenize=RANDOM", 60),
    "TER, tercom": _metric("ter"),
    "TER, sacreBLEU": _metric("ter:variant=sacrebleu,normalized=true,asian_support=true"),
    "TER, thesis": _metric("ter:variant=thesis", 40),
    "TERp": _metric("terp", 33),
    "METEOR": _metric("meteor"),
    "METEOR 2005": _metric("meteor:version=2005", 33),
    "long texts": _long,
    "alignments": lambda rng: _aligned(rng.choice(ALIGNED))(rng),
    "matrices": lambda rng: _pairwise(rng.choice(["bleu", "chrf", "chrf++", "wer", "ter"]))(rng),
    "lines": _lines,
    "Unicode and tokenizers": _text_rules,
    "Arrow": _arrow,
    "random draws": _draws,
    "coefficients": _coefficients,
    "segment cuts": _cuts,
    "paraphrase tables": _phrases,
}  # fmt: skip


def attack_build(packages: str, hours: float, seed: int) -> tuple[dict[str, int], list[str]]:
    """Give each kernel of a build its turns until the time is over; return how many cases each had, and faults."""
    tried, faults = dict.fromkeys(KERNELS, 0), []
    until = time.monotonic() + 3600 * hours
    while (left := until - time.monotonic()) > 0:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "tools.attack.kernels", str(seed), str(left)],
            env=os.environ | _sanitizers(packages), capture_output=True, text=True, check=False,
        )  # fmt: skip
        turns = [json.loads(line) for line in done.stdout.splitlines()]
        for name, cases in turns:
            tried[name] += cases
        if done.returncode:
            name = list(KERNELS)[len(turns) % len(KERNELS)]
            faults.append(f"{name}, seed {seed}: exit {done.returncode}, {done.stderr[-3000:]}")
            print(f"FAULT {faults[-1]}", file=sys.stderr, flush=True)
        seed += 1
    return tried, faults


def _sanitizers(packages: str) -> dict[str, str]:
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libstdc++.so")
    ]
    return {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONPATH": f"{Path(packages).resolve()}{os.pathsep}{os.getcwd()}",
    }


def _turns(seed: int, seconds: float) -> None:
    """Let the kernels have their turns, and print after each how many cases it had."""
    from tertium.errors import TertiumError

    rng, until = random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < until:
        for name, kernel in KERNELS.items():
            end, cases = time.process_time() + TURN, 0
            while time.process_time() < end:
                with suppress(TertiumError):
                    kernel(rng)
                cases += 1
            print(json.dumps([name, cases]), flush=True)


if __name__ == "__main__":
    _turns(int(sys.argv[1]), float(sys.argv[2]))

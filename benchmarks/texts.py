"""Texts to measure on: English-like pairs made from a seed, or WMT22 translations if they are at hand.

The made-up pairs have what matters for speed: the lengths of news sentences with their long tail, few frequent
words and many rare ones, punctuation, numbers, some typographic quotes, and hypotheses that share words and
phrases with their references about as often as real translations do (BLEU in the twenties).

With TERTIUM_ORACLE set to a directory that holds data/wmt22.zh-en and data/wmt22.ja-en (hyp.SYSTEM.txt and
ref.A.txt in each), those systems' English translations are used instead.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import numpy as np

SEED = 20_021
CACHE = Path(__file__).parents[1] / ".benchmarks"

_WORDS = 30_000
_ONSETS = ["b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "sh", "th"]
_VOWELS = ["a", "e", "i", "o", "u", "a", "e", "i", "o", "u", "ea", "ou"]
_ENDINGS = ["", "", "", "n", "r", "s", "t", "l", "d", "st", "ng"]


@dataclass(frozen=True)
class Pairs:
    """Hypotheses, one reference each, and what to call them in a table."""

    hypotheses: list[str]
    references: list[str]
    origin: str

    def __len__(self) -> int:
        return len(self.hypotheses)

    def chosen(self, places: Sequence[int]) -> "Pairs":
        """Return the pairs at some places."""
        return Pairs([self.hypotheses[k] for k in places], [self.references[k] for k in places], self.origin)


def sets(count: int) -> Iterator[tuple[Pairs, str]]:
    """Yield the generated pairs and, if they are at hand, real ones, with what tells their rows apart."""
    yield generated(count), ""
    if oracle := os.environ.get("TERTIUM_ORACLE"):
        yield _real(Path(oracle), count), " (WMT22)"


def pairs(count: int, *, seed: int = SEED) -> Pairs:
    """Return about `count` pairs: real ones, as many as there are, or generated ones, exactly as many."""
    oracle = os.environ.get("TERTIUM_ORACLE")
    if oracle:
        return _real(Path(oracle), count)
    return generated(count, seed=seed)


def files(lines: int) -> tuple[Path, Path, str]:
    """Return a hypothesis and a reference file of that many lines, made once and kept in .benchmarks/."""
    some = pairs(min(lines, 100_000))
    folder = CACHE / f"{some.origin.replace(' ', '-')}-{lines}"
    paths = folder / "hypothesis.txt", folder / "reference.txt"
    if not all(path.exists() for path in paths):
        folder.mkdir(parents=True, exist_ok=True)
        for path, texts in zip(paths, (some.hypotheses, some.references), strict=True):
            write_lines(path, islice(cycle(texts), lines))
    return (*paths, some.origin)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file that appears only when all of it is written."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in lines)
    part.replace(path)


def _real(oracle: Path, count: int) -> Pairs:
    hypotheses: list[str] = []
    references: list[str] = []
    for name in ("wmt22.zh-en", "wmt22.ja-en"):
        folder = oracle / "data" / name
        reference = _lines(folder / "ref.A.txt")
        for path in sorted(folder.glob("hyp.*.txt")):
            hypotheses += _lines(path)
            references += reference
    if not hypotheses or len(hypotheses) != len(references):
        raise SystemExit(f"TERTIUM_ORACLE={oracle} has no data/wmt22.zh-en and data/wmt22.ja-en to measure on.")
    return Pairs(hypotheses[:count], references[:count], "WMT22 into English")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def generated(count: int, *, seed: int = SEED) -> Pairs:
    """Return pairs made from a seed."""
    rng = np.random.default_rng(seed)
    vocabulary = _vocabulary(rng)
    ranks = np.arange(1, _WORDS + 1)
    weights = 1 / (ranks + 0.8)
    chances = np.cumsum(weights / weights.sum())
    lengths = np.clip(np.exp(rng.normal(2.66, 0.84, count)).astype(int), 1, 250)

    def draw(size: int) -> list[str]:
        return [vocabulary[rank] for rank in np.searchsorted(chances, rng.random(size))]

    hypotheses, references = [], []
    words = _Supply(draw)
    for length in lengths.tolist():
        reference = words.take(length)
        references.append(_sentence(reference, rng))
        hypotheses.append(_sentence(_translated(reference, words, rng), rng))
    return Pairs(hypotheses, references, "generated English")


class _Supply:
    """Words from a distribution, drawn many at a time because that is quicker."""

    def __init__(self, draw: Callable[[int], list[str]]) -> None:
        self._draw = draw
        self._stock: list[str] = []

    def take(self, count: int) -> list[str]:
        if len(self._stock) < count:
            self._stock = self._draw(100_000)
        taken = self._stock[-count:] if count else []
        del self._stock[len(self._stock) - count :]
        return taken


def _vocabulary(rng: np.random.Generator) -> list[str]:
    """Return different made-up words, the frequent ones short."""
    words: dict[str, None] = {}
    while len(words) < _WORDS:
        # From one syllable for the most frequent to three or four: the mean over running text is close to 5 letters.
        syllables = 1 + int(rng.poisson(0.20 * np.log10(len(words) + 1) ** 1.35))
        parts = [str(rng.choice(_ONSETS)) + str(rng.choice(_VOWELS)) for _ in range(syllables)]
        words["".join(parts)[rng.random() < 0.1 :] + str(rng.choice(_ENDINGS))] = None
    return list(words)


def _translated(reference: Sequence[str], words: _Supply, rng: np.random.Generator) -> list[str]:
    """Copy runs of the reference and rewrite what lies between; now and then move a run elsewhere."""
    runs: list[list[str]] = []
    at = 0
    while at < len(reference):
        copied = int(rng.geometric(0.26))
        runs.append(list(reference[at : at + copied]))
        at += copied
        if at < len(reference):
            replaced = int(rng.geometric(0.38))
            runs.append(words.take(max(0, min(replaced, len(reference) - at) + int(rng.integers(-1, 2)))))
            at += replaced
    if len(runs) > 2 and rng.random() < 0.4:
        moved = runs.pop(int(rng.integers(len(runs))))
        runs.insert(int(rng.integers(len(runs) + 1)), moved)
    return [word for run in runs for word in run]


def _sentence(words: Sequence[str], rng: np.random.Generator) -> str:
    """Add capitals, punctuation, numbers and quotes."""
    words = list(words) or ["no"]
    dice = rng.random(len(words))
    for i in np.flatnonzero(dice < 0.075).tolist():
        words[i] += ","
    for i in np.flatnonzero(dice > 0.985).tolist():
        words[i] = (f"{int(dice[i] * 1e6) % 2100}", f"{dice[i] * 10:.1f}", "10,000", "5-6")[i % 4]
    words[0] = words[0][:1].upper() + words[0][1:]
    style = rng.random()
    if style < 0.09:
        words[0], words[-1] = "“" + words[0], words[-1] + "”"
    elif style < 0.17:
        at = int(rng.integers(len(words)))
        words[at] = f'"{words[at]}"' if style < 0.13 else f"{words[at]}'s"
    return " ".join(words).rstrip(",") + (".", ".", ".", ".", "?", "!", "")[int(rng.integers(7))]

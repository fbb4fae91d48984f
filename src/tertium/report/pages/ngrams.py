"""Which n-grams of the references each system gets, and how well it does on rare and on frequent words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.text import Tokenizer

ORDERS = (1, 2, 3, 4)
_SHIFT = 32
_SHARE, _OFTEN = 0.004, 5  # of all words, and how often at least: what a word has that is everywhere
_BUCKETS = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 99), (100, 999), (1000, None))

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class NGram:
    """An n-gram, how often references have it (of several, the one with most), and how often systems get it."""

    words: str
    order: int
    wanted: int
    matched: tuple[int, ...]  # by system
    common: bool = False  # nothing but punctuation and words that are everywhere


@dataclass(frozen=True)
class Frequencies:
    """How well systems do on words by how often the references have them: F1 in percent, None without words."""

    groups: tuple[str, ...]
    words: tuple[int, ...]  # running words of the references in each group
    scores: dict[str, tuple[float | None, ...]]


def matched_ngrams(
    systems: Mapping[str, Sequence[Sequence[str]]],
    references: Sequence[Sequence[str]],
    tokenizer: Tokenizer,
    *,
    most: int = 15,
) -> tuple[list[NGram], Frequencies]:
    """Return, for every pair of systems and order, the n-grams of which one gets most more than the other.

    `systems[name]` are the texts of each run. A match is BLEU's: per segment, an n-gram counts at most as often as the
    reference that has it most often.
    """
    words = _Words(tokenizer)
    theirs = words.tokens([text for group in references for text in group])
    sizes = [len(group) for group in references]
    group_of = np.repeat(np.arange(len(references)), sizes)
    ours = {name: [words.tokens(texts) for texts in runs] for name, runs in systems.items()}
    found: list[NGram] = []
    everywhere: set[int] = set()
    frequencies = Frequencies((), (), {})
    for order in ORDERS:
        keys = _Keys()
        wanted = _most_per_segment(theirs, group_of, order, keys)
        given = {name: [_counted(texts, None, order, keys) for texts in runs] for name, runs in ours.items()}
        by_system = {name: [_clipped(run, wanted) for run in runs] for name, runs in given.items()}
        totals = _sums([wanted], keys.size)
        matched = np.array([_sums(runs, keys.size) / len(runs) for runs in by_system.values()])
        if order == 1:
            everywhere = _everywhere(totals, keys, words.known)
        common = np.array([set(ngram) <= everywhere for ngram in keys.ngrams], bool)
        found += _differing(order, keys, totals, matched, words.known, common, most)
        if order == 1:
            frequencies = _by_frequency(totals, matched, {n: _sums(r, keys.size) / len(r) for n, r in given.items()})
    return found, frequencies


class _Words:
    """Numbers for words, given as they come."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._numbers: dict[str, int] = {}

    @property
    def known(self) -> list[str]:
        return list(self._numbers)

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        numbers = self._numbers
        return [[numbers.setdefault(token, len(numbers)) for token in self._tokenizer(text)] for text in texts]


class _Keys:
    """Numbers for n-grams of one order."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, ...], int] = {}

    @property
    def size(self) -> int:
        return len(self._numbers)

    @property
    def ngrams(self) -> list[tuple[int, ...]]:
        return list(self._numbers)

    def of(self, tokens: Sequence[int], order: int) -> list[int]:
        numbers = self._numbers
        return [numbers.setdefault(ngram, len(numbers)) for ngram in zip(*(tokens[k:] for k in range(order)))]  # noqa: B905


@dataclass(frozen=True)
class _Counts:
    """How often n-grams occur in segments: sorted places, segment << 32 | n-gram, and counts."""

    places: Integers
    counts: Integers


def _counted(texts: Sequence[Sequence[int]], segments: Any, order: int, keys: _Keys) -> _Counts:
    numbers = np.fromiter((key for text in texts for key in keys.of(text, order)), np.int64)
    sizes = [max(len(text) - order + 1, 0) for text in texts]
    where = np.repeat(np.arange(len(texts)) if segments is None else segments, sizes).astype(np.int64)
    places, counts = np.unique(where << _SHIFT | numbers, return_counts=True)
    return _Counts(places, counts)


def _most_per_segment(texts: Sequence[Sequence[int]], group_of: Any, order: int, keys: _Keys) -> _Counts:
    """Count n-grams text by text, and keep the largest count of each segment's texts."""
    single = _counted(texts, None, order, keys)
    text, key = single.places >> _SHIFT, single.places & (1 << _SHIFT) - 1
    places, inverse = np.unique(group_of.astype(np.int64)[text] << _SHIFT | key, return_inverse=True)
    counts = np.zeros(len(places), np.int64)
    np.maximum.at(counts, inverse, single.counts)
    return _Counts(places, counts)


def _clipped(ours: _Counts, wanted: _Counts) -> _Counts:
    places, mine, theirs = np.intersect1d(ours.places, wanted.places, assume_unique=True, return_indices=True)
    return _Counts(places, np.minimum(ours.counts[mine], wanted.counts[theirs]))


def _sums(parts: Sequence[_Counts], size: int) -> Any:
    """Return how often each n-gram is counted, over all segments."""
    total = np.zeros(size)
    for part in parts:
        np.add.at(total, part.places & (1 << _SHIFT) - 1, part.counts)
    return total


def _everywhere(wanted: Any, keys: _Keys, words: Sequence[str]) -> set[int]:
    """Return the words that say little by themselves in any language: very frequent ones, and what has no letter."""
    enough = max(_OFTEN, _SHARE * float(wanted.sum()))
    numbers = [word for (word,) in keys.ngrams]
    often = {word for word, count in zip(numbers, wanted.tolist(), strict=True) if count >= enough}
    return often | {word for word in numbers if not any(letter.isalnum() for letter in words[word])}


def _differing(
    order: int, keys: _Keys, wanted: Any, matched: Any, words: Sequence[str], common: Any, most: int
) -> list[NGram]:
    chosen: set[int] = set()
    for one, two in combinations(range(len(matched)), 2):
        for difference in (matched[two] - matched[one], np.where(common, 0, matched[two] - matched[one])):
            ends = np.argsort(difference, kind="stable")
            chosen.update(int(k) for k in (*ends[:most], *ends[-most:]) if difference[k] != 0)
    ngrams = keys.ngrams
    rounded = np.rint(matched).astype(int)
    return [
        NGram(
            " ".join(words[word] for word in ngrams[k]), order, int(wanted[k]), tuple(rounded[:, k].tolist()),
            bool(common[k]),
        )
        for k in sorted(chosen)
    ]  # fmt: skip


def _by_frequency(wanted: Any, matched: Any, given: Mapping[str, Any]) -> Frequencies:
    groups: list[str] = []
    words: list[int] = []
    scores: dict[str, list[float]] = {name: [] for name in given}
    for low, high in _BUCKETS:
        inside = (wanted >= low) & (wanted <= (np.inf if high is None else high))
        total = int(wanted[inside].sum())
        if total == 0:
            continue
        groups.append(f"{low}" if low == high else f"{low}+" if high is None else f"{low}–{high}")
        words.append(total)
        for index, (name, all_given) in enumerate(given.items()):
            written = float(all_given[inside].sum())
            scores[name].append(200 * float(matched[index][inside].sum()) / (total + written))
    return Frequencies(tuple(groups), tuple(words), {name: tuple(values) for name, values in scores.items()})

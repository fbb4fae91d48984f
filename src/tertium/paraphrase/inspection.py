"""What a paraphrase table holds: counts by length and probability, kinds of pairs, samples."""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tertium.results import Result

# Which kind a pair is: the first that fits. A person can tell finer kinds apart; a program only these.
KINDS = ("equal after stemming", "one side contains the other", "one word differs", "rest")
BOUNDS = (1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.2, 0.5, 1.0)

Entry = tuple[str, str, float]
Stem = Callable[[list[str]], list[str]]


@dataclass(frozen=True)
class Contents(Result):
    """What a table holds."""

    entries: int
    phrases: int
    lengths: dict[str, int]  # "2-3": phrases of two words with paraphrases of three
    probabilities: dict[str, int]  # "0.01": at least that, less than the next
    kinds: dict[str, int]
    samples: dict[str, list[Entry]]  # of each kind


def contents(entries: Iterable[Entry], stem: Stem, *, samples: int = 20, seed: int = 1) -> Contents:
    """Go through a table once. Samples are drawn evenly from each kind, the same for the same seed."""
    lengths: Counter[tuple[int, int]] = Counter()
    probabilities: Counter[float] = Counter()
    kinds: Counter[str] = Counter()
    drawn: dict[str, list[tuple[float, Entry]]] = {kind: [] for kind in KINDS}
    draw = random.Random(seed)
    phrases = 0
    previous = None
    stems: dict[str, str] = {}

    def stemmed(words: list[str]) -> list[str]:
        new = [word for word in words if word not in stems]
        if new:
            stems.update(zip(new, stem(new), strict=True))
        return [stems[word] for word in words]

    for entry in entries:
        phrase, paraphrase, probability = entry
        phrases += phrase != previous
        previous = phrase
        ours, theirs = phrase.split(), paraphrase.split()
        lengths[len(ours), len(theirs)] += 1
        probabilities[max((bound for bound in BOUNDS if bound <= probability), default=0.0)] += 1
        kind = _kind(ours, theirs, stemmed)
        kinds[kind] += 1
        # The entries with the largest of as many random numbers are an even sample.
        ticket = draw.random()
        heap = drawn[kind]
        if len(heap) < samples:
            heapq.heappush(heap, (ticket, entry))
        elif samples and ticket > heap[0][0]:
            heapq.heapreplace(heap, (ticket, entry))
    return Contents(
        entries=sum(kinds.values()), phrases=phrases,
        lengths={f"{a}-{b}": count for (a, b), count in sorted(lengths.items())},
        probabilities={f"{bound:g}": count for bound, count in sorted(probabilities.items())},
        kinds={kind: kinds[kind] for kind in KINDS},
        samples={kind: sorted(entry for _, entry in drawn[kind]) for kind in KINDS},
    )  # fmt: skip


def _kind(ours: list[str], theirs: list[str], stemmed: Callable[[list[str]], list[str]]) -> str:
    if len(ours) == len(theirs) and stemmed(ours) == stemmed(theirs):
        return KINDS[0]
    short, long = sorted((ours, theirs), key=len)
    if any(long[start : start + len(short)] == short for start in range(len(long) - len(short) + 1)):
        return KINDS[1]
    if len(ours) == len(theirs) > 1 and sum(a != b for a, b in zip(ours, theirs, strict=True)) == 1:
        return KINDS[2]
    return KINDS[3]

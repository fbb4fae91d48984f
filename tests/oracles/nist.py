"""NIST by the book: all n-grams of all references in one counter, the score step by step."""

import math
from collections import Counter
from collections.abc import Sequence

from oracles.bleu import ngrams

Words = Sequence[str]
Counts = Counter[tuple[str, ...]]


def counted(references: Sequence[Sequence[Words]], order: int) -> tuple[Counts, int]:
    """Count the n-grams of all references of all segments, and their words."""
    counts: Counts = Counter()
    for group in references:
        for reference in group:
            for n in range(1, order + 1):
                counts += ngrams(reference, n)
    return counts, sum(len(reference) for group in references for reference in group)


def information(ngram: tuple[str, ...], counts: Counts, words: int, *, zero_prefix: bool) -> float:
    """Return -log2 of how often the n-gram follows its first n-1 words; what was never seen counts as seen once."""
    prefix = ngram[:-1]
    is_first = not prefix or (zero_prefix and prefix == ("0",))
    before = words if is_first else max(counts[prefix], 1)
    return -math.log(max(counts[ngram], 1) / before) / math.log(2) if before else 0.0


def row(
    hypothesis: Words, references: Sequence[Words], order: int, counts: Counts, words: int, *, zero_prefix: bool
) -> list[float]:
    """Return lengths, information per order, totals per order."""
    sums, totals = [], []
    for n in range(1, order + 1):
        allowed: Counts = Counter()
        for reference in references:
            allowed |= ngrams(reference, n)
        matched = ngrams(hypothesis, n) & allowed
        sums.append(sum(count * information(g, counts, words, zero_prefix=zero_prefix) for g, count in matched.items()))
        totals.append(max(0, len(hypothesis) - n + 1))
    average = sum(map(len, references)) / len(references)
    return [len(hypothesis), average, *sums, *totals]


def score(totals: Sequence[float], order: int) -> float:
    """Return NIST: a sum over orders, times a factor for being short."""
    ours, theirs, *rest = totals
    if ours == 0 or theirs == 0:
        return 0.0
    beta = -math.log(0.5) / math.log(1.5) ** 2
    factor = 1.0 if ours >= theirs else math.exp(-beta * math.log(ours / theirs) ** 2)
    return factor * sum(rest[n] / max(rest[order + n], 1) for n in range(order))

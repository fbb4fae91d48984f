"""BLEU by the book: n-grams in counters, the score step by step."""

import math
from collections import Counter
from collections.abc import Sequence

Words = Sequence[str]


def ngrams(words: Words, n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def matches(hypothesis: Words, references: Sequence[Words], n: int) -> int:
    """Count n-grams, each at most as often as the reference that has most of it."""
    allowed: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        allowed |= ngrams(reference, n)
    return (ngrams(hypothesis, n) & allowed).total()


def reference_length(hypothesis: Words, references: Sequence[Words], rule: str) -> float:
    """Return the effective length; the shorter of two that are equally close."""
    lengths = [len(reference) for reference in references]
    if rule == "average":
        return sum(lengths) / len(lengths)
    if rule == "shortest":
        return min(lengths)
    return min(lengths, key=lambda length: (abs(length - len(hypothesis)), length))


def bounded(words: Words, n: int, boundaries: str, symbols: str) -> list[str]:
    """Put symbols around a sentence that has words, for n-grams of two and more."""
    count = 0 if n == 1 or not words else 1 if symbols == "1" else n - 1
    before = ["<begin of sentence>"] * count if boundaries in ("initial", "both") else []
    after = ["<end of sentence>"] * count if boundaries in ("final", "both") else []
    return [*before, *words, *after]


def row(
    hypothesis: Words,
    references: Sequence[Words],
    orders: Sequence[int] = (1, 2, 3, 4),
    *,
    length: str = "closest",
    boundaries: str = "none",
    symbols: str = "n-1",
) -> list[float]:
    """Return lengths, matches per order, totals per order."""
    found, totals = [], []
    for n in orders:
        ours = bounded(hypothesis, n, boundaries, symbols)
        found.append(matches(ours, [bounded(one, n, boundaries, symbols) for one in references], n))
        totals.append(max(0, len(ours) - n + 1))
    return [len(hypothesis), reference_length(hypothesis, references, length), *found, *totals]


def score(
    totals: Sequence[float],
    orders: Sequence[int],
    *,
    smoothing: str = "exp",
    value: float | None = None,
    effective_order: bool = False,
    weights: Sequence[float] | None = None,
    mean: str = "geometric",
) -> float:
    """Return BLEU in percent."""
    ours, theirs, *rest = totals
    found, counts = rest[: len(orders)], rest[len(orders) :]
    penalty = 1.0 if ours >= theirs else math.exp(1 - theirs / ours) if ours > 0 else 0.0
    if smoothing == "mteval":
        precisions, used = _mteval(found, counts), [True] * len(orders)
        penalty = penalty if ours > 0 else 0.0
    else:
        if not any(found):
            return 0.0
        precisions, used = _smoothed(found, counts, orders, smoothing, value)
    shares = list(weights or [1.0] * len(orders))
    if effective_order:
        shares = [share if there else 0.0 for share, there in zip(shares, used, strict=True)]
    return 100 * penalty * _mean(precisions, shares, mean)


def _smoothed(
    found: Sequence[float], counts: Sequence[float], orders: Sequence[int], smoothing: str, value: float | None
) -> tuple[list[float], list[bool]]:
    precisions, used, halvings = [], [], 1.0
    for n, match, total in zip(orders, found, counts, strict=True):
        if smoothing == "add-k" and n > 1:
            match, total = match + value, total + value
        used.append(total > 0)
        if total == 0:
            precisions.append(0.0)
        elif match > 0:
            precisions.append(match / total)
        elif smoothing == "exp":
            halvings *= 2
            precisions.append(1 / (halvings * total))
        else:
            precisions.append(value / total if smoothing == "floor" else 0.0)
    return precisions, used


def _mteval(found: Sequence[float], counts: Sequence[float]) -> list[float]:
    precisions, zeros = [], 0
    for match, total in zip(found, counts, strict=True):
        if total == 0:
            precisions.append(1.0)
        elif match > 0:
            precisions.append(match / total)
        else:
            zeros += 1
            precisions.append(1 / (2**zeros * total))
    return precisions


def _mean(precisions: Sequence[float], shares: Sequence[float], mean: str) -> float:
    pairs = [(p, share) for p, share in zip(precisions, shares, strict=True) if share > 0]
    whole = sum(share for _, share in pairs)
    if not pairs:
        return 0.0
    if mean == "arithmetic":
        return sum(share * p for p, share in pairs) / whole
    if any(p == 0 for p, _ in pairs):
        return 0.0
    return math.exp(sum(share * math.log(p) for p, share in pairs) / whole)

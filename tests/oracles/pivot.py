"""Paraphrases by pivoting, written down as the formulas have it. Slow, and holds everything in memory."""

from collections import Counter, defaultdict


def phrase_pairs(text, pivot, links, longest):
    """Return every pair of spans of which each link has both ends inside or both outside, and at least one inside."""
    found = []
    for a in range(len(text)):
        for b in range(a + 1, min(a + longest, len(text)) + 1):
            for c in range(len(pivot)):
                for d in range(c + 1, min(c + longest, len(pivot)) + 1):
                    inside = [(a <= i < b, c <= j < d) for i, j in links]
                    if (True, True) in inside and all(x == y for x, y in inside):
                        found.append((tuple(text[a:b]), tuple(pivot[c:d])))
    return found


def probabilities(counts):
    """Return p(pivot | phrase) and p(phrase | pivot) as relative frequencies."""
    phrases, pivots = Counter(), Counter()
    for (phrase, pivot), count in counts.items():
        phrases[phrase] += count
        pivots[pivot] += count
    return {pair: (count / phrases[pair[0]], count / pivots[pair[1]]) for pair, count in counts.items()}


def paraphrases(tables, weights):
    """Return {(a, b): p(b | a)}: the weighted mean over tables of the sum over pivots of p(f | a) p(b | f)."""
    result = defaultdict(float)
    for table, weight in zip(tables, weights, strict=True):
        by_pivot = defaultdict(list)
        for (phrase, pivot), (given_phrase, given_pivot) in table.items():
            by_pivot[pivot].append((phrase, given_phrase, given_pivot))
        for members in by_pivot.values():
            for a, pivot_given_a, _ in members:
                for b, _, b_given_pivot in members:
                    if a != b:
                        result[a, b] += weight / sum(weights) * pivot_given_a * b_given_pivot
    return dict(result)

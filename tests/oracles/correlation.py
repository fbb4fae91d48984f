"""Textbook versions of what the meta-evaluation kernels count: every pair is looked at, every replicate is made."""

import math
from itertools import combinations


def sign(number):
    return (number > 0) - (number < 0)


def pair_counts(metric, human, weights=None, epsilon=0.0):
    """Concordant, discordant, tied in human only, in metric only, in both; a point makes no pair with itself."""
    counts = [0.0] * 5
    weights = weights or [1] * len(metric)
    for i, j in combinations(range(len(metric)), 2):
        difference = metric[i] - metric[j]
        ours, theirs = 0 if abs(difference) <= epsilon else sign(difference), sign(human[i] - human[j])
        if ours == 0 and theirs == 0:
            kind = 4
        elif ours == 0:
            kind = 3
        elif theirs == 0:
            kind = 2
        else:
            kind = 0 if ours == theirs else 1
        counts[kind] += weights[i] * weights[j]
    return counts


def gap_counts(human, metric, threshold, weights=None):
    """Of pairs whose human scores differ enough: ordered the same way, the other way, not at all."""
    counts = [0.0] * 3
    weights = weights or [1] * len(metric)
    for i, j in combinations(range(len(metric)), 2):
        people = human[i] - human[j]
        if people == 0 or abs(people) < threshold:
            continue
        product = sign(people) * sign(metric[i] - metric[j])
        counts[{1: 0, -1: 1, 0: 2}[product]] += weights[i] * weights[j]
    return counts


def from_counts(method, counts, size, distinct):
    """The coefficients, as their definitions have them; None where there is nothing to divide by."""
    c, d, th, tm, thm = counts
    n = c + d + th + tm + thm
    above, below = {
        "kendall-a": (c - d, n),
        "kendall-b": (c - d, math.sqrt((n - th - thm) * (n - tm - thm))),
        "kendall-c": (2 * (c - d), size**2 * (distinct - 1) / distinct),
        "kendall-23": (c + thm - d - th - tm, n),
        "acc-23": (c + thm, n),
        "wmt12": (c - d - tm, c + d + tm),
        "wmt13": (c - d, c + d),
        "wmt14": (c - d, c + d + tm),
        "agreement": (c, c + d + tm),
    }[method]
    return above / below if below else None


def ranks(values):
    """From 1; equal values share the mean of their ranks."""
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]


def pearson(x, y):
    n = len(x)
    mean_x, mean_y = sum(x) / n, sum(y) / n
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    xx, yy = sum((a - mean_x) ** 2 for a in x), sum((b - mean_y) ** 2 for b in y)
    return xy / math.sqrt(xx * yy) if len(set(x)) > 1 and len(set(y)) > 1 else None


def of_differences(groups):
    """Pearson's coefficient of all differences within groups, each pair in both orders."""
    pairs = [(i, j, m, h) for m, h in groups for i in range(len(m)) for j in range(len(m)) if i != j]
    return pearson([m[i] - m[j] for i, j, m, _ in pairs], [h[i] - h[j] for i, j, _, h in pairs]) if pairs else None


def best_tie_threshold(groups):
    """Try 0 and every difference: (threshold, accuracy) of the smallest that is best, exactly."""
    from fractions import Fraction

    groups = [group for group in groups if len(group[0]) > 1]
    candidates = sorted({0.0, *(abs(a - b) for metric, _ in groups for a, b in combinations(metric, 2))})
    best = None
    for epsilon in candidates:
        total = Fraction(0)
        for metric, human in groups:
            counts = pair_counts(metric, human, epsilon=epsilon)
            total += Fraction(int(counts[0] + counts[4]), int(sum(counts)))
        if best is None or total > best[1]:
            best = (epsilon, total)
    return best[0], float(best[1] / len(groups))


def top_ranks(values):
    """From the best, 1; equal values share the best of their ranks."""
    return [sum(other > value for other in values) + 1 for value in values]


def system_means(matrix, human):
    """Of each system (row), the mean of what was judged."""
    judged = [[value for value, known in zip(row, people, strict=True) if known == known]
              for row, people in zip(matrix, human, strict=True)]  # fmt: skip
    return [sum(row) / len(row) for row in judged]


def of_points(method, metric, human, threshold):
    """A coefficient of plain points, by its definition; None where it is undefined."""
    if method == "pearson":
        return pearson(metric, human)
    if method == "pearson-pdp":
        return of_differences([(metric, human)])
    if method == "spearman":
        return pearson(ranks(metric), ranks(human))
    if method == "spearman-top":
        return pearson(top_ranks(metric), top_ranks(human))
    if method == "acc-eq":
        return best_tie_threshold([(metric, human)])[1]
    if method == "kendall-like":
        same, against, tied = gap_counts(human, metric, threshold)
        return (same - against - tied) / (same + against + tied) if same + against + tied else 0.0
    distinct = min(len(set(metric)), len(set(human)))
    return from_counts(method, pair_counts(metric, human), len(metric), distinct)


POOLED = ("wmt12", "wmt13", "wmt14", "agreement")


def of_groups(method, groups, threshold):
    """A coefficient of groups, each (metric, human): pooled pairs, or the mean of what is defined."""
    groups = [group for group in groups if len(group[0]) > 1]
    if method == "acc-eq":
        return best_tie_threshold(groups)[1]
    if method == "pearson-pdp":
        return of_differences(groups)
    if method == "kendall-like":
        counts = [sum(column) for column in zip(*(gap_counts(h, m, threshold) for m, h in groups), strict=True)]
        return (counts[0] - counts[1] - counts[2]) / sum(counts) if sum(counts) else 0.0
    if method in POOLED:
        counts = [sum(column) for column in zip(*(pair_counts(m, h) for m, h in groups), strict=True)]
        return from_counts(method, counts, 1, 1)
    values = [value for m, h in groups if (value := of_points(method, m, h, threshold)) is not None]
    return sum(values) / len(values) if values else None


def soft_pairwise_accuracy(metric, human, flips):
    """1 minus the mean difference of p-values, each the share of sign flips that favour the first of two systems."""

    def p_value(scores, i, j):
        both = [k for k in range(len(human[i])) if human[i][k] == human[i][k] and human[j][k] == human[j][k]]
        apart = {k: scores[i][k] - scores[j][k] for k in both}
        real = sum(apart.values())
        return sum(sum(row[k] * apart[k] for k in both) >= real - 1e-9 for row in flips) / len(flips)

    pairs = list(combinations(range(len(human)), 2))
    return 1 - sum(abs(p_value(metric, *pair) - p_value(human, *pair)) for pair in pairs) / len(pairs)

"""Agreement by the textbook: pair by pair, category by category."""

import math
from collections import Counter
from itertools import permutations


def cohen(first, second, distance=lambda a, b: float(a != b)):
    """Cohen's kappa from all cells of the table."""
    n = len(first)
    observed = sum(distance(a, b) for a, b in zip(first, second, strict=True)) / n
    expected = sum(distance(a, b) for a in first for b in second) / n**2
    if expected == 0:
        return 1.0 if observed == 0 else 0.0
    return 1 - observed / expected


def fleiss(units):
    """Fleiss' kappa: the mean share of agreeing pairs, against the squared shares of categories."""
    units = [unit for unit in units if len(unit) > 1]
    observed = sum(
        sum(a == b for a, b in permutations(unit, 2)) / (len(unit) * (len(unit) - 1)) for unit in units
    ) / len(units)
    counts = Counter(value for unit in units for value in unit)
    total = sum(counts.values())
    expected = sum((count / total) ** 2 for count in counts.values())
    if math.isclose(expected, 1):
        return 1.0 if math.isclose(observed, 1) else 0.0
    return (observed - expected) / (1 - expected)


def alpha(units, metric):
    """Krippendorff's alpha from the coincidence matrix."""
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in units for value in unit})
    coincidences = Counter()
    for unit in units:
        for a, b in permutations(unit, 2):
            coincidences[a, b] += 1 / (len(unit) - 1)
    margins = {value: sum(coincidences[value, other] for other in values) for value in values}
    n = sum(margins.values())

    def difference(a, b):
        if metric == "nominal":
            return float(a != b)
        if metric == "interval":
            return (a - b) ** 2
        if metric == "ratio":
            return 0.0 if a == b else ((a - b) / (a + b)) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(margins[value] for value in values if low <= value <= high)
        return (between - (margins[a] + margins[b]) / 2) ** 2 if a != b else 0.0

    observed = sum(count * difference(a, b) for (a, b), count in coincidences.items()) / n
    expected = sum(margins[a] * margins[b] * difference(a, b) for a in values for b in values) / (n * (n - 1))
    return math.nan if expected == 0 else 1 - observed / expected

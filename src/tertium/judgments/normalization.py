"""Making raters comparable: some are strict, some are kind, some use only half of the scale."""

from dataclasses import replace

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgments.labels import Floats, Ints, groups
from tertium.judgments.naming import renamed_kinds
from tertium.judgments.table import Judgments, Warn

METHODS = {"z": "-z", "shift": "-shifted", "rank": "-rank"}  # and what they add to a kind's name


def normalized(
    judgments: Judgments,
    *,
    method: str = "z",
    middle: float = 3,
    population: bool = False,
    warn: Warn = lambda message: None,
) -> Judgments:
    """Return the judgments as they would be if raters were alike, each kind called `KIND-z`, `-shifted` or `-rank`.

    `z`: (x - mean) / standard deviation over all of a rater's judgments of a kind (n - 1 in the denominator, n with
    `population`); 0 for a rater with one judgment or without any variation, who is counted in a warning. `shift`:
    x + (middle - mean), Koehn and Monz (2006). `rank`: (average rank - 1/2) / n within the rater.
    """
    if method not in METHODS:
        raise UnknownNameError.of("normalization", method, METHODS)
    if not len(judgments):
        raise InputError("There are no scores to normalize.")
    raters = groups(judgments.kind.codes, judgments.rater.codes)
    if (judgments.rater.codes < 0).any():
        missing = int((judgments.rater.codes < 0).sum())
        warn(f"{missing:,} judgments name no rater; they are normalized together, as if one person had made them.")
    first, inverse = raters
    if method == "rank":
        score = _ranks(judgments.score, inverse)
    else:
        means, deviations = _moments(judgments.score, inverse, len(first), 0 if population else 1)
        if method == "shift":
            score = judgments.score + (middle - means)[inverse]
        else:
            _tell(judgments, first, inverse, deviations, warn)
            flat = deviations == 0
            score = np.where(
                flat[inverse], 0.0, (judgments.score - means[inverse]) / np.where(flat, 1, deviations)[inverse]
            )
    return renamed_kinds(replace(judgments, score=score), lambda kind: kind + METHODS[method])


def _moments(scores: Floats, inverse: Ints, count: int, taken: int) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each group; deviation 0 where all are equal or there is only one."""
    sizes = np.bincount(inverse, minlength=count)
    means = np.bincount(inverse, scores, minlength=count) / sizes
    squares = np.bincount(inverse, (scores - means[inverse]) ** 2, minlength=count)
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, inverse, scores)
    np.maximum.at(high, inverse, scores)
    deviations = np.sqrt(squares / np.maximum(sizes - taken, 1))
    # Equal scores may leave a rounding error behind, which must not be taken for variation.
    return means, np.where((low == high) | (sizes < 2), 0.0, deviations)


def _tell(judgments: Judgments, first: Ints, inverse: Ints, deviations: Floats, warn: Warn) -> None:
    sizes = np.bincount(inverse, minlength=len(first))
    for what, which in (
        ("have only one judgment", sizes == 1),
        ("gave all items the same score", (deviations == 0) & (sizes > 1)),
    ):
        names = [judgments.rater.names[code] for code in judgments.rater.codes[first[which]] if code >= 0]
        if names:
            listed = ", ".join(list(dict.fromkeys(names))[:5]) + (" …" if len(names) > 5 else "")
            warn(f"{len(names):,} raters {what} ({listed}): {int(sizes[which].sum()):,} scores become 0.")


def _ranks(scores: Floats, inverse: Ints) -> Floats:
    """Return average ranks within groups, as shares: (rank - 1/2) / n."""
    order = np.lexsort((scores, inverse))
    sorted_groups, sorted_scores = inverse[order], scores[order]
    sizes = np.bincount(inverse)
    starts = np.cumsum(sizes) - sizes
    changes = np.ones(len(scores), bool)
    changes[1:] = (sorted_groups[1:] != sorted_groups[:-1]) | (sorted_scores[1:] != sorted_scores[:-1])
    runs = np.cumsum(changes) - 1
    begins = np.flatnonzero(changes)
    ends = np.append(begins[1:], len(scores))
    middles = ((begins + ends) / 2)[runs] - starts[sorted_groups]  # 0-based, so that 1/2 is taken off already
    ranks = np.empty(len(scores))
    ranks[order] = middles / sizes[sorted_groups]
    return ranks


normalised = normalized  # as it was spelt first

"""Segmentations by trying all of them."""

from itertools import combinations_with_replacement


def edit_distance(one, two):
    """Return the fewest insertions, deletions and substitutions."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, b in enumerate(two, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def fewest_edits(hypothesis, references):
    """Return the least sum of edits over all ways to cut; of several references the nearest counts."""
    cuts = combinations_with_replacement(range(len(hypothesis) + 1), len(references) - 1)
    return min(edits(hypothesis, references, [0, *inner, len(hypothesis)]) for inner in cuts)


def edits(hypothesis, references, cuts):
    """Return the edits of a segmentation: cuts[s] and cuts[s + 1] are the ends of piece s."""
    return sum(
        min(edit_distance(hypothesis[cuts[s] : cuts[s + 1]], reference) for reference in group)
        for s, group in enumerate(references)
    )

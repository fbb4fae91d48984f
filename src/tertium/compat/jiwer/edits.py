"""Which words stand for which: the fewest edits, and of several ways to have the fewest the one that jiwer shows.

A column of the edit-distance table is kept as two whole numbers whose bits say where the table goes up and where it
goes down by one, which is all it ever does (Myers 1999, Hyyrö 2003). Python's numbers have as many bits as the
reference has words, so a column costs a dozen operations however long the reference is. The way back needs only the
bits: for the reference "a b" and the hypothesis "b" the last column is 1 1, up at the first word and level at the
second, so "b" stands for "b" and "a" is missing.
"""

from collections.abc import Sequence

Chunk = tuple[str, int, int, int, int]  # kind, reference [start, end), hypothesis [start, end)


def alignment(reference: Sequence[str], hypothesis: Sequence[str]) -> list[Chunk]:
    """Return runs of equal, substituted, inserted and deleted words, in order."""
    begin, most = 0, min(len(reference), len(hypothesis))
    while begin < most and reference[begin] == hypothesis[begin]:
        begin += 1
    end = 0
    while end < most - begin and reference[-1 - end] == hypothesis[-1 - end]:
        end += 1
    middle = _steps(reference[begin : len(reference) - end], hypothesis[begin : len(hypothesis) - end])
    return _runs(["equal"] * begin + middle + ["equal"] * end)


def _steps(reference: Sequence[str], hypothesis: Sequence[str]) -> list[str]:
    """Go back from the end of both. Where ways are equally short: a deletion, else a pair, else an insertion."""
    columns = _columns(reference, hypothesis)
    steps: list[str] = []
    i, j = len(reference), len(hypothesis)
    while i and j:
        bit = 1 << (i - 1)
        if columns[j][0] & bit:
            steps.append("delete")
            i -= 1
        elif columns[j - 1][1] & bit:
            steps.append("insert")
            j -= 1
        else:
            i, j = i - 1, j - 1
            steps.append("equal" if reference[i] == hypothesis[j] else "substitute")
    return ["delete"] * i + ["insert"] * j + steps[::-1]


def _columns(reference: Sequence[str], hypothesis: Sequence[str]) -> list[tuple[int, int]]:
    """Return per hypothesis position where the table goes up and where down along the reference."""
    places: dict[str, int] = {}
    for index, word in enumerate(reference):
        places[word] = places.get(word, 0) | 1 << index
    every = (1 << len(reference)) - 1
    up, down = every, 0
    columns = [(up, down)]
    for word in hypothesis:
        same = places.get(word, 0)
        level = (((same & up) + up) ^ up) | same | down  # no dearer than one word back on both sides
        right = down | (every & ~(level | up))  # dearer than one word back in the hypothesis
        left = up & level
        right = (right << 1 | 1) & every
        left = left << 1 & every
        up, down = left | (every & ~(level | right)), right & level
        columns.append((up, down))
    return columns


def _runs(steps: Sequence[str]) -> list[Chunk]:
    """Join neighbouring steps of one kind."""
    runs: list[Chunk] = []
    i = j = index = 0
    while index < len(steps):
        kind, begin = steps[index], index
        while index < len(steps) and steps[index] == kind:
            index += 1
        length = index - begin
        to_i, to_j = i + length * (kind != "insert"), j + length * (kind != "delete")
        runs.append((kind, i, to_i, j, to_j))
        i, j = to_i, to_j
    return runs

"""WER, PER, CDER and the long-jump distance by the book: whole numbers, or fractions where costs depend on letters."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

Words = Sequence[str]
Number = int | Fraction
Cost = Callable[[str, str], Number]
Step = tuple[str, int, int, int, int, Number]


# --- costs of taking one word for another ---------------------------------------------------------------------


def exact(a: str, b: str) -> int:
    """Return 0 for equal words, else 1."""
    return int(a != b)


@cache
def _edits_and_matches(a: str, b: str) -> tuple[int, int]:
    """Return the fewest edits, and of all ways with so few the most matches."""
    best = {(i, 0): (i, 0) for i in range(len(a) + 1)} | {(0, j): (j, 0) for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            edits, matches = best[i - 1, j - 1]
            ways = [(edits, -matches - 1) if same else (edits + 1, -matches)]
            ways += [(best[before][0] + 1, -best[before][1]) for before in ((i - 1, j), (i, j - 1))]
            edits, matches = min(ways)
            best[i, j] = edits, -matches
    return best[len(a), len(b)]


def levenshtein(a: str, b: str) -> Fraction:
    """Return edits over steps of the longest alignment with fewest edits."""
    edits, matches = _edits_and_matches(a, b)
    return Fraction(edits, edits + matches) if edits else 0


def gld(a: str, b: str) -> Fraction:
    """Return the generalized Levenshtein distance."""
    edits, _ = _edits_and_matches(a, b)
    return Fraction(2 * edits, len(a) + len(b) + edits) if edits else 0


def prefix(a: str, b: str) -> Fraction:
    """Return what is not a common beginning, over the mean length."""
    if a == b:
        return 0
    common = 0
    while common < min(len(a), len(b)) and a[common] == b[common]:
        common += 1
    return 1 - Fraction(2 * common, len(a) + len(b))


COSTS: dict[str, Cost] = {"exact": exact, "levenshtein": levenshtein, "gld": gld, "prefix": prefix}


# --- WER ------------------------------------------------------------------------------------------------------


def edit_table(hypothesis: Words, reference: Words, cost: Cost = exact) -> list[list[Number]]:
    """Return D[i][j], the distance of the first i and the first j words."""
    table = [[i + j for j in range(len(reference) + 1)] for i in range(len(hypothesis) + 1)]
    for i, word in enumerate(hypothesis, 1):
        for j, other in enumerate(reference, 1):
            table[i][j] = min(table[i - 1][j - 1] + cost(word, other), table[i - 1][j] + 1, table[i][j - 1] + 1)
    return table


def edit_counts(hypothesis: Words, reference: Words, cost: Cost = exact) -> tuple[int, int, int, int, Number]:
    """Return matches, substitutions, insertions, deletions (in jiwer's choice of alignment) and the distance."""
    matches = 0
    hypothesis, reference = list(hypothesis), list(reference)
    while hypothesis and reference and hypothesis[0] == reference[0]:
        matches += 1
        hypothesis, reference = hypothesis[1:], reference[1:]
    while hypothesis and reference and hypothesis[-1] == reference[-1]:
        matches += 1
        hypothesis, reference = hypothesis[:-1], reference[:-1]
    table = edit_table(hypothesis, reference, cost)
    i, j = len(hypothesis), len(reference)
    substitutions = insertions = deletions = 0
    while i > 0 and j > 0:
        here, diagonal = table[i][j], table[i - 1][j - 1] + cost(hypothesis[i - 1], reference[j - 1])
        inserts = here == table[i - 1][j] + 1
        if here == table[i][j - 1] + 1:
            deletions, j = deletions + 1, j - 1
        elif inserts and (table[i - 1][j] == table[i - 1][j - 1] - 1 or here != diagonal):
            insertions, i = insertions + 1, i - 1
        else:
            i, j = i - 1, j - 1
            if hypothesis[i] == reference[j]:
                matches += 1
            else:
                substitutions += 1
    return matches, substitutions, insertions + i, deletions + j, table[-1][-1]


# --- PER ------------------------------------------------------------------------------------------------------


def bag_matches(hypothesis: Words, reference: Words) -> int:
    """Return how many words find a partner."""
    return (Counter(hypothesis) & Counter(reference)).total()


def assignment(hypothesis: Words, reference: Words, cost: Cost) -> Number:
    """Return the cheapest of all assignments, words left over costing 1; for a handful of words."""
    few, many = sorted((list(hypothesis), list(reference)), key=len)
    swapped = len(hypothesis) > len(reference)
    ways = (
        sum((cost(b, a) if swapped else cost(a, b) for a, b in zip(few, chosen, strict=True)), 0)
        for chosen in permutations(many, len(few))
    )
    return min(ways) + len(many) - len(few)


# --- CDER -----------------------------------------------------------------------------------------------------


def move_table(free: Words, fixed: Words, cost: Cost = exact) -> tuple[list[list[Number]], list[list[Number]]]:
    """Return per row the cost of each place, and the same before jumps."""
    rows = [[min(i, 1) for i in range(len(free) + 1)]]
    before_jumps = [list(range(len(free) + 1))]
    for word in fixed:
        last = rows[-1]
        walked = [last[0] + 1]
        for i, other in enumerate(free, 1):
            walked.append(min(last[i - 1] + cost(other, word), last[i] + 1, walked[i - 1] + 1))
        before_jumps.append(walked)
        rows.append([min(value, 1 + min(walked)) for value in walked])
    return rows, before_jumps


def move_path(free: Words, fixed: Words, cost: Cost = exact) -> list[Step]:
    """Return the steps of the canonical path from the first to the last; names as for forward CDER."""
    rows, before_jumps = move_table(free, fixed, cost)
    i, row = len(free), len(fixed)
    steps: list[Step] = []
    while i > 0 or row > 0:
        here, least = rows[row][i], min(rows[row])
        if i > 0 and row > 0 and here == rows[row - 1][i - 1] + cost(free[i - 1], fixed[row - 1]):
            i, row = i - 1, row - 1
            kind = "match" if free[i] == fixed[row] else "substitution"
            steps.append((kind, i, i + 1, row, row + 1, cost(free[i], fixed[row])))
        elif i > 0 and here == before_jumps[row][i - 1] + 1:
            i -= 1
            steps.append(("insertion", i, i + 1, row, row, 1))
        elif here == least + 1:
            source = min((k for k, value in enumerate(rows[row]) if value == least), key=lambda k: (abs(k - i), k))
            steps.append(("jump", source, i, row, row, 1))
            i = source
        else:
            row -= 1
            steps.append(("deletion", i, i, row, row + 1, 1))
    return steps[::-1]


def miscoverage(free: Words, steps: Sequence[Step]) -> int:
    """Return words left out plus words used again."""
    covered = Counter(start for kind, start, *_ in steps if kind in ("match", "substitution", "insertion"))
    return sum(abs(1 - covered[i]) for i in range(len(free)))


def cder(
    hypothesis: Words, reference: Words, cost: Cost = exact, direction: str = "forward", penalty: str = "none"
) -> tuple[Number, Number]:
    """Return the distance and the penalty."""
    if direction == "maximum":
        both = [cder(hypothesis, reference, cost, one, penalty) for one in ("forward", "reversed")]
        return max(both, key=sum)
    if direction == "reversed":
        return cder(reference, hypothesis, lambda a, b: cost(b, a), "forward", penalty)
    distance = move_table(hypothesis, reference, cost)[0][-1][-1]
    length = max(len(hypothesis) - len(reference), 0)
    if penalty == "none" or penalty == "length":
        return distance, length if penalty == "length" else 0
    misses = miscoverage(hypothesis, move_path(hypothesis, reference, cost))
    return distance, misses if penalty == "miscoverage" else Fraction(length + misses, 2)


# --- long jumps -----------------------------------------------------------------------------------------------


def long_jump(hypothesis: Words, reference: Words, cost: Cost = exact) -> Number:
    """Return the fewest edits and jumps that cover every word of both sides once, by Dijkstra's search."""
    end = (len(reference), len(hypothesis), (1 << len(hypothesis)) - 1)
    open_states = {(0, 0, 0): 0}
    done = set()
    while True:
        state = min(open_states, key=lambda one: open_states[one])
        paid = open_states.pop(state)
        if state == end:
            return paid
        done.add(state)
        row, i, mask = state
        onward = [((row, k, mask), 1) for k in range(len(hypothesis) + 1)]
        if row < len(reference):
            onward.append(((row + 1, i, mask), 1))
        if i < len(hypothesis) and not mask >> i & 1:
            onward.append(((row, i + 1, mask | 1 << i), 1))
            if row < len(reference):
                onward.append(((row + 1, i + 1, mask | 1 << i), cost(hypothesis[i], reference[row])))
        for target, more in onward:
            if target not in done and paid + more < open_states.get(target, paid + more + 1):
                open_states[target] = paid + more


# --- rates ----------------------------------------------------------------------------------------------------


def rate(edits: Number, length: Number) -> Number:
    """Return edits over length; with nothing to divide by, any edit is a full error."""
    return Fraction(edits) / length if length else int(edits > 0)

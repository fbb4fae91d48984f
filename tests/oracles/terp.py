"""TERp, slowly: word edits, stems, synonyms, phrase substitutions and greedy shifts, each from its definition.

Tables are dictionaries filled cell by cell, every shifted hypothesis is compared from scratch, and phrases are looked
up by their words. Nothing here is shared with the kernel.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

COSTS = ("match", "insertion", "deletion", "substitution", "stem", "synonym", "shift", "w1", "w2", "w3", "w4")
_INFINITE = 999999


def _never(one, other):
    return False


@dataclass(frozen=True)
class Rules:
    """All that a comparison depends on."""

    costs: Mapping[str, float]
    beam: float = 20
    max_shift_size: int = 10
    max_shift_distance: float = 50
    constraint: str = "exact"
    same_stem: Callable[[str, str], bool] = _never
    synonyms: Callable[[str, str], bool] = _never
    same_number: Callable[[str, str], bool] = _never
    stop_words: frozenset[str] = frozenset()
    phrases: Mapping[tuple[str, ...], Mapping[tuple[str, ...], tuple[float, ...]]] = field(default_factory=dict)
    phrase_function: str = "std"
    phrase_minimum: float = 0.0
    phrase_maximum: float = math.inf


@dataclass(frozen=True)
class Phrase:
    """A phrase pair with what it costs, and the four sums of which the cost is made."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    cost: float
    sums: tuple[float, float, float, float]


@dataclass(frozen=True)
class Step:
    """One operation of an alignment; i and j are what it takes from reference and hypothesis."""

    kind: str  # ' ' S T Y P I D
    i: int
    j: int
    phrase: Phrase | None = None


@dataclass(frozen=True)
class Result:
    """What one hypothesis costs against one reference, and how."""

    counts: Mapping[str, int]  # by the letter of the operation
    shifts: int
    shifted_words: int
    edits: float
    phrase_cost: float
    phrase_sums: tuple[float, float, float, float]
    steps: tuple[Step, ...]
    shifted: tuple[str, ...]
    moves: tuple[tuple[int, int, int, int], ...]  # start, end (included), reference place, newloc


def score_pair(hypothesis, reference, rules):
    """Return the result for two lists of words."""
    phrases = applicable_phrases(hypothesis, reference, rules)
    words, moves = list(hypothesis), []
    while True:
        distance, steps = edit_distance(words, reference, rules, phrases)
        best = best_shift(words, reference, distance, steps, rules, phrases)
        if best is None:
            break
        start, end, _, newloc = best
        words = shifted(words, start, end, newloc)
        moves.append(best)
    used = [step.phrase for step in steps if step.phrase]
    return Result(
        counts={kind: sum(step.kind == kind for step in steps) for kind in " IDSTYP"},
        shifts=len(moves),
        shifted_words=sum(end - start + 1 for start, end, _, _ in moves),
        edits=distance + sum(rules.costs["shift"] for _ in moves),
        phrase_cost=sum(phrase.cost for phrase in used),
        phrase_sums=tuple(sum(phrase.sums[k] for phrase in used) for k in range(4)),
        steps=tuple(steps),
        shifted=tuple(words),
        moves=tuple(moves),
    )


# --- phrases --------------------------------------------------------------------------------------------------


def applicable_phrases(hypothesis, reference, rules):
    """Return by reference phrase the pairs that could be used somewhere in this segment."""
    available = set(hypothesis)
    found = {}
    for start in range(len(reference)):
        for end in range(start + 1, len(reference) + 1):
            ours = tuple(reference[start:end])
            if ours in found or ours not in rules.phrases:
                continue
            pairs = [
                costed_phrase(ours, theirs, probabilities, rules)
                for theirs, probabilities in rules.phrases[ours].items()
                if theirs and theirs != ours and available.issuperset(theirs)
            ]
            found[ours] = sorted(pairs, key=lambda pair: (len(pair.hypothesis), pair.hypothesis))
    return found


def costed_phrase(reference, hypothesis, probabilities, rules):
    """Return the pair at the probability that makes it cheapest, the last of equals."""
    edits = score_pair(hypothesis, reference, replace(rules, phrases={})).edits
    costs = rules.costs
    best = None
    for probability in probabilities:
        if rules.phrase_function == "table":
            sums, cost = (1.0, 0.0, 0.0, 0.0), probability
        else:
            if rules.phrase_function == "no-edits":
                sums = (1.0, math.log10(probability), probability, 0.0)
            elif rules.phrase_function == "inverse":
                rest = 1 - probability
                sums = (1.0, edits * math.log10(rest) if rest > 0 else -math.inf, edits * rest, edits)
            else:
                sums = (1.0, edits * math.log10(probability), edits * probability, edits)
            cost = sum(costs[f"w{k + 1}"] * sums[k] for k in range(4))
        cost = min(max(cost, rules.phrase_minimum), rules.phrase_maximum)
        if best is None or cost <= best.cost:
            best = Phrase(reference, hypothesis, cost, sums)
    return best


# --- word alignment -------------------------------------------------------------------------------------------


def equal(one, other, rules):
    """Tell whether two words count as the same word."""
    return one == other or rules.same_number(one, other)


def edit_distance(words, reference, rules, phrases):
    """Return the distance inside the beam, and the steps."""
    costs, h, r = rules.costs, len(words), len(reference)
    cells = {(0, 0): (0.0, None)}
    first, last, best_before = 0, 0, _INFINITE

    def offer(i, j, cost, step):
        if (i, j) not in cells or cost < cells[i, j][0]:
            cells[i, j] = (cost, step)
            return True
        return False

    for j in range(h + 1):
        best, survivors = _INFINITE, []
        i = first
        if j == h:
            i, last = 0, r
        while i <= last:
            cost = cells.get((i, j), (None,))[0]
            if cost is not None and not (j < h and cost > best_before + rules.beam):
                survivors.append(i)
                if i < r and j < h:
                    if equal(words[j], reference[i], rules):
                        ways = [(" ", "match")]
                    else:
                        ways = [("S", "substitution")]
                        if rules.same_stem(words[j], reference[i]):
                            ways.append(("T", "stem"))
                        if rules.synonyms(words[j], reference[i]):
                            ways.append(("Y", "synonym"))
                    for letter, kind in ways:
                        across = cost + costs[kind]
                        if offer(i + 1, j + 1, across, Step(letter, 1, 1)) or letter == " ":
                            best = min(best, across)
                    for length in range(1, r - i + 1):
                        for pair in phrases.get(tuple(reference[i : i + length]), ()):
                            if tuple(words[j : j + len(pair.hypothesis)]) == pair.hypothesis:
                                step = Step("P", length, len(pair.hypothesis), pair)
                                offer(i + length, j + len(pair.hypothesis), cost + pair.cost, step)
                if j < h:
                    offer(i, j + 1, cost + costs["insertion"], Step("I", 0, 1))
                if i < r and offer(i + 1, j, cost + costs["deletion"], Step("D", 1, 0)) and i >= last:
                    last = i + 1
            i += 1
        if j < h:
            first, last, best_before = survivors[0], survivors[-1] + 1, best
    i, j, steps = r, h, []
    while (i, j) != (0, 0):
        step = cells[i, j][1]
        steps.append(step)
        i, j = i - step.i, j - step.j
    return cells[r, h][0], steps[::-1]


def places(steps, h, r):
    """Return errors on both sides, and for each word its place on the other side."""
    hypothesis_errors, reference_errors = [False] * h, [False] * r
    of_reference, of_hypothesis = [-1] * r, [-1] * h
    i = j = 0
    for step in steps:
        for k in range(i, i + step.i):
            reference_errors[k] = step.kind != " "
            of_reference[k] = j - 1 if step.kind == "D" else j
        for k in range(j, j + step.j):
            hypothesis_errors[k] = step.kind != " "
            of_hypothesis[k] = i - 1 if step.kind == "I" else i
        i, j = i + step.i, j + step.j
    return hypothesis_errors, reference_errors, of_reference, of_hypothesis


# --- shifts ---------------------------------------------------------------------------------------------------


def best_shift(words, reference, distance, steps, rules, phrases):
    """Return the shift to make as (start, end, reference place, newloc), or None."""
    buckets = candidates(words, reference, steps, rules, phrases)
    best, best_cost, best_distance = None, 0.0, distance
    for size in range(rules.max_shift_size + 1, 0, -1):
        limit = 2 * size
        for (start, end, newloc), place in sorted(buckets.get(size, {}).items()):
            fixed = distance - (best_cost + best_distance)
            if fixed > limit or (best_cost != 0 and fixed == limit):
                return best
            there = edit_distance(shifted(words, start, end, newloc), reference, rules, phrases)[0]
            gain = (best_distance + best_cost) - (there + rules.costs["shift"])
            # A shift that changes nothing is never made, even if shifts cost nothing.
            if there < distance and (gain > 0 or (best is None and gain == 0)):
                best, best_cost, best_distance = (start, end, place, newloc), rules.costs["shift"], there
    return best


def candidates(words, reference, steps, rules, phrases):
    """Return by size the shifts to try, each with the reference place that it was first aimed at."""
    buckets = {}
    if rules.constraint == "noshift":
        return buckets
    h, r = len(words), len(reference)
    hypothesis_errors, reference_errors, of_reference, of_hypothesis = places(steps, h, r)

    def matches(hypothesis_word, reference_word):
        if equal(hypothesis_word, reference_word, rules):
            return True
        relaxed = rules.constraint in ("relax", "relax_nophrase")
        return relaxed and (
            rules.same_stem(hypothesis_word, reference_word) or rules.synonyms(hypothesis_word, reference_word)
        )

    def emit(start, end, m, k):
        if end - start + 1 > rules.max_shift_size:
            return
        if not any(hypothesis_errors[start : end + 1]) or not any(reference_errors[m : k + 1]):
            return
        if rules.stop_words.issuperset(words[start : end + 1]) or rules.stop_words.issuperset(reference[m : k + 1]):
            return
        if start <= of_reference[m] <= end or abs(of_reference[m] - start) > rules.max_shift_distance:
            return
        size = min(max(end - start + 1, k - m + 1), rules.max_shift_size + 1)
        for off in range(-1, end - start + 1):
            if off == -1 and m == 0:
                newloc = -1
            elif m + off >= r:
                continue
            else:
                newloc = of_reference[m + off]
                if newloc == start or (off != 0 and newloc == of_reference[m]):
                    continue
            buckets.setdefault(size, {}).setdefault((start, end, newloc), m + off)

    def extend(start, m, j, i, mismatches):
        if j >= h or i >= r or j - start >= rules.max_shift_size:
            return
        if matches(words[j], reference[i]):
            emit(start, j, m, i)
            extend(start, m, j + 1, i + 1, mismatches)
        elif rules.constraint == "allow_mismatch" and mismatches < 1:
            extend(start, m, j + 1, i + 1, mismatches + 1)
        if rules.constraint == "relax" and visible(j, i):
            for length in range(1, r - i + 1):
                for pair in phrases.get(tuple(reference[i : i + length]), ()):
                    if tuple(words[j : j + len(pair.hypothesis)]) == pair.hypothesis:
                        extend(start, m, j + len(pair.hypothesis), i + length, mismatches)

    def visible(j, i):
        low, high = max(0, j - rules.max_shift_distance), min(h - 1, j + rules.max_shift_distance)
        return of_hypothesis[int(low)] <= i <= of_hypothesis[int(high)]

    for m in range(r):
        for start in range(h):
            extend(start, m, start, m, 0)
    return buckets


def shifted(words, start, end, newloc):
    """Return the words with a block moved."""
    block, rest = words[start : end + 1], words[:start] + words[end + 1 :]
    if newloc < start:
        place = newloc + 1
    elif newloc > end:
        place = newloc + 1 - len(block)
    else:  # inside itself: to the right, over as many words
        place = newloc
    return rest[:place] + block + rest[place:]


# --- text -----------------------------------------------------------------------------------------------------

_NUMBERS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
        "billion".split(),
        [*map(str, range(20)), *map(str, range(20, 100, 10)), "100", "1000", "1000000", "1000000000"],
        strict=True,
    )
)
_BLANKS = " \t\n\x0b\f\r"


def tokens(
    text,
    normalized=True,
    case_sensitive=False,
    new_normalization=False,
    no_punct=False,
    normalize_numbers=False,
    equivalences=(),
):
    """Return the words of a text as TERp sees them; `equivalences` are lists of phrases that mean the first."""
    text = squeezed(text)
    if not case_sensitive:
        text = text.lower()
    if normalized:
        text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, character)
        text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
        text = re.sub(r"'s(?= |$)", " 's", text)
        text = re.sub(r" ([^ .,]+)([.,])(?= )", r"\1 \2 ", text)  # loses a blank, of which there are mostly three
        text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    if new_normalization:
        text = re.sub(r"\B-\B", " ", text)
        text = re.sub(r"'s(?= |$)", " 's", text)
        text = re.sub(r"s'(?= |$)", "s 's", text)
    if no_punct:
        text = re.sub(r'[.,?:;!"()]', "", text)
    words = squeezed(text).split(" ")
    if normalize_numbers:
        words = [number(word) or word for word in words]
    for meaning, *others in equivalences:
        for other in others:
            words = replaced(words, other.split(), meaning.split())
    return [word for word in words if word]


def squeezed(text):
    """Return the text with single blanks, none at the ends."""
    return re.sub(f"[{_BLANKS}]+", " ", text.strip(_BLANKS))


def number(word):
    """Return the digits that a word means, or None if it is no number."""
    bare = re.sub(r"[-,.$%]", "", word)
    return bare if re.fullmatch("[0-9]+", bare) else _NUMBERS.get(bare)


def replaced(words, old, new):
    """Return the words with every occurrence of `old` replaced."""
    result, at = [], 0
    while at < len(words):
        if old and words[at : at + len(old)] == old:
            result += new
            at += len(old)
        else:
            result.append(words[at])
            at += 1
    return result

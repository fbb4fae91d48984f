"""Translation edit rate, slowly: the greedy search for shifts of tercom, of sacreBLEU and of the definition.

Tables are filled cell by cell and every shifted hypothesis is compared from scratch. Nothing here is shared with
the kernel: positions are tercom's (`newloc`, after which a block goes), not the kernel's moves.
"""

import math
import re
from dataclasses import dataclass

INFINITY = math.inf


@dataclass(frozen=True)
class Rules:
    """What the variants differ in; the defaults are tercom's."""

    variant: str = "tercom"
    beam: float = 20
    max_shift_size: float = 10
    max_shift_distance: float = 50
    max_candidates: float = INFINITY
    insertion: float = 1
    deletion: float = 1
    substitution: float = 1
    shift: float = 1
    match: float = 0


TERCOM = Rules()
SACREBLEU = Rules(variant="sacrebleu", beam=25, max_candidates=1000)
THESIS = Rules(variant="thesis", beam=INFINITY, max_shift_size=INFINITY, max_shift_distance=INFINITY)


@dataclass(frozen=True)
class Result:
    """What one hypothesis costs against one reference, and how."""

    insertions: int
    deletions: int
    substitutions: int
    shifts: int
    shifted_words: int
    edits: float
    operations: str  # ' ' S I D, on the hypothesis after all shifts
    shifted: tuple[str, ...]
    moves: tuple[tuple[int, int, int], ...]  # (start, end, newloc), both ends included


def score_pair(hypothesis, reference, rules=TERCOM):
    """Return the result for two lists of words."""
    words, moves, checked = list(hypothesis), [], 0
    while True:
        distance, operations = edit_distance(words, reference, rules)
        best, checked = best_shift(words, reference, distance, operations, rules, checked)
        if best is None:
            break
        start, end, newloc = best
        words = shifted(words, start, end, newloc, rules)
        moves.append(best)
    counts = {kind: operations.count(kind) for kind in "IDS"}
    if rules.variant == "tercom" and not (hypothesis and reference):
        distance = len(operations)  # whatever edits cost
    return Result(
        insertions=counts["I"],
        deletions=counts["D"],
        substitutions=counts["S"],
        shifts=len(moves),
        shifted_words=sum(end - start + 1 for start, end, _ in moves),
        edits=distance + rules.shift * len(moves),
        operations=operations,
        shifted=tuple(words),
        moves=tuple(moves),
    )


def edit_distance(words, reference, rules):
    """Return the distance inside the beam, and the operations; of equals, diagonal before I before D."""
    if rules.variant == "sacrebleu":
        cells = _diagonal_beam(words, reference, rules)
    else:
        cells = _score_beam(words, reference, rules)
    i, j = len(reference), len(words)
    distance, operations = cells[i, j][0], []
    while (i, j) != (0, 0):
        kind = cells[i, j][1]
        operations.append(kind)
        i, j = i - (kind != "I"), j - (kind != "D")
    return distance, "".join(reversed(operations))


def _score_beam(words, reference, rules):
    """A column per hypothesis word; a cell that is much dearer than the best way into its column is left alone."""
    cells = {(0, 0): (0, "")}
    first, last, best_before = 0, 0, 999999

    def offer(cell, cost, kind):
        if cell not in cells or cost < cells[cell][0]:
            cells[cell] = (cost, kind)
            return True
        return False

    for j in range(len(words) + 1):
        best, survivors = 999999, []
        i = first
        while i <= last:
            cost = cells.get((i, j), (None,))[0]
            if cost is not None and not (j < len(words) and cost > best_before + rules.beam):
                survivors.append(i)
                if i < len(reference) and j < len(words):
                    same = words[j] == reference[i]
                    across = cost + (rules.match if same else rules.substitution)
                    if offer((i + 1, j + 1), across, " " if same else "S") or same:
                        best = min(best, across)
                if j < len(words):
                    offer((i, j + 1), cost + rules.insertion, "I")
                if i < len(reference) and offer((i + 1, j), cost + rules.deletion, "D") and i >= last:
                    last = i + 1
            i += 1
        first, last, best_before = survivors[0], survivors[-1] + 1, best
    return cells


def _diagonal_beam(words, reference, rules):
    """A row per hypothesis word, of which only cells near the diagonal are filled."""
    cells = {(i, 0): (i * rules.deletion, "D" if i else "") for i in range(len(reference) + 1)}
    ratio = len(reference) / len(words) if words else 1
    width = math.ceil(ratio / 2 + rules.beam) if rules.beam < ratio / 2 else rules.beam
    for j in range(1, len(words) + 1):
        middle = math.floor(j * ratio)
        low = max(0, middle - width)
        high = len(reference) + 1 if j == len(words) else min(len(reference) + 1, middle + width)
        for i in range(int(low), int(high)):
            same = i > 0 and words[j - 1] == reference[i - 1]
            offers = [(cells.get((i, j - 1), (INFINITY,))[0] + rules.insertion, "I")]
            if i > 0:
                across = cells.get((i - 1, j - 1), (INFINITY,))[0]
                offers.insert(0, (across + (rules.match if same else rules.substitution), " " if same else "S"))
                offers.append((cells.get((i - 1, j), (INFINITY,))[0] + rules.deletion, "D"))
            cells[i, j] = min(offers, key=lambda offer: offer[0])
    return cells


def aligned(operations):
    """Return which words are in error on both sides, and for each reference word a place in the hypothesis."""
    hypothesis_errors, reference_errors, places, unaligned = [], [], [], []
    place = -1
    for kind in operations:
        if kind != "D":
            place += 1
            hypothesis_errors.append(kind != " ")
        if kind != "I":
            places.append(place)
            reference_errors.append(kind != " ")
            unaligned.append(kind == "D")
    return hypothesis_errors, reference_errors, places, unaligned


def best_shift(words, reference, distance, operations, rules, checked):
    """Return the shift to make, or None, and how many candidates were looked at so far."""
    hypothesis_errors, reference_errors, places, unaligned = aligned(operations)
    buckets = {}
    for start in range(len(words)):
        for m in range(len(reference)):
            length = 0
            while (
                length < rules.max_shift_size
                and start + length < len(words)
                and m + length < len(reference)
                and words[start + length] == reference[m + length]
            ):
                length += 1
                end = start + length - 1
                if not any(hypothesis_errors[start : end + 1]) or not any(reference_errors[m : m + length]):
                    continue
                if rules.variant == "thesis":
                    target = _thesis_target(start, end, places[m], unaligned[m], len(words))
                    if target is not None:
                        buckets.setdefault(length, []).append((start, end, target))
                    continue
                from_place = m if rules.variant == "sacrebleu" else places[m]
                if start <= places[m] <= end or abs(from_place - start) > rules.max_shift_distance:
                    continue
                before = None
                for off in range(-1, length):
                    newloc = -1 if m + off == -1 else places[m + off]
                    if rules.variant == "sacrebleu":
                        if newloc == before:
                            continue
                        before = newloc
                    elif not (off == -1 and m == 0) and (newloc == start or (off != 0 and newloc == places[m])):
                        continue
                    buckets.setdefault(length, []).append((start, end, newloc))
                    checked += 1
    if rules.variant == "sacrebleu":
        return _best_by_rank(words, reference, distance, buckets, rules, checked), checked
    return _best_by_buckets(words, reference, distance, buckets, rules), checked


def _best_by_rank(words, reference, distance, buckets, rules, checked):
    if checked >= rules.max_candidates:
        return None  # the best of this round is thrown away
    best = None
    for length, bucket in buckets.items():
        for start, end, newloc in bucket:
            gain = distance - edit_distance(shifted(words, start, end, newloc, rules), reference, rules)[0]
            rank = (gain, length, -start, -newloc)
            if gain > 0 and gain >= rules.shift and (best is None or rank > best[0]):
                best = rank, (start, end, newloc)
    return best and best[1]


def _best_by_buckets(words, reference, distance, buckets, rules):
    best, best_cost, best_distance = None, 0, distance
    for length in sorted(buckets, reverse=True):
        limit = 2 * length
        for start, end, newloc in buckets[length]:
            fixed = distance - (best_cost + best_distance)
            if rules.variant == "tercom" and (fixed > limit or (best_cost != 0 and fixed == limit)):
                return best
            there = edit_distance(shifted(words, start, end, newloc, rules), reference, rules)[0]
            gain = (best_distance + best_cost) - (there + rules.shift)
            # A shift that changes nothing is never made, even if shifts cost nothing.
            if there < distance and (gain > 0 or (best is None and gain == 0)):
                best, best_cost, best_distance = (start, end, newloc), rules.shift, there
    return best


def _thesis_target(start, end, place, unaligned, length):
    """The block begins where r_j is aligned; if r_j is not, it goes after the last word before it."""
    if unaligned:
        return None if start <= place <= end else place
    if place == start:
        return None
    if place < start:
        return place - 1
    return min(place + (end - start), length - 1)


def shifted(words, start, end, newloc, rules):
    """Return the words with a block moved."""
    block, rest = words[start : end + 1], words[:start] + words[end + 1 :]
    if newloc < start:
        place = newloc + 1
    elif newloc > end:
        place = newloc + 1 - len(block)
    else:  # inside itself: to the right, over as many words
        place = newloc + (1 if rules.variant == "sacrebleu" else 0)
    return rest[:place] + block + rest[place:]


# --- text -----------------------------------------------------------------------------------------------------

_CJK = "\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f"
_ASIAN_MARKS = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
)


def tokens(text, variant="tercom", normalized=False, no_punct=False, asian_support=False, case_sensitive=False):
    """Return the words of a text as the program of that name sees them."""
    if variant == "sacrebleu":
        return _sacrebleu_tokens(text, normalized, no_punct, asian_support, case_sensitive)
    text = text.strip(" \t\n\x0b\f\r")
    if not text:
        return []
    if not case_sensitive:
        text = text.lower()
    if normalized:
        text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        text = _western(text)
        if asian_support:
            text = re.sub(f"([{_CJK}\u3200-\u32ff])", r" \1 ", text)
            for script in ("\u3040-\u309f", "\u30a0-\u30ff", "\u31f0-\u31ff"):
                text = re.sub(f"([{script}]+)", r" \1 ", text)
            text = re.sub(f"([{_ASIAN_MARKS}])", r" \1 ", text)
        text = re.sub(r"[ \t\n\x0b\f\r]+", " ", text).strip(" ")
    if no_punct:
        text = re.sub(r'[.,?:;!"()]', "", text)
        if asian_support:
            text = re.sub(f"[{_ASIAN_MARKS}]", "", text)
    return _java_split(text)


def _java_split(text):
    """Java's split at blanks: an empty piece before a leading blank stays, those at the end go."""
    pieces = re.split(r"[ \t\n\x0b\f\r]+", text)
    if len(pieces) == 1:
        return pieces
    while pieces and not pieces[-1]:
        pieces.pop()
    return pieces


def _western(text):
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
    text = text.replace("'s ", " 's ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text)


def _sacrebleu_tokens(text, normalized, no_punct, asian_support, case_sensitive):
    if not case_sensitive:
        text = text.lower()
    if normalized:
        text = _western(text.replace("\n-", "").replace("\n", " "))
        if asian_support:
            text = re.sub(f"([{_CJK}])", r" \1 ", text)
            text = re.sub("([\u3200-\u3f22])", r" \1 ", text)
            text = re.sub(f"([{_ASIAN_MARKS}])", r" \1 ", text)
    if no_punct:
        text = re.sub(r'[.,?:;!"()]', "", text)
        if asian_support:
            text = re.sub(f"[{_ASIAN_MARKS}]", "", text)
    return text.split()

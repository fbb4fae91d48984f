"""METEOR by its definitions, with nothing done to make it quick."""

import re
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

MODULES = ("exact", "stem", "synonym", "paraphrase")


class Match(NamedTuple):
    module: str
    hyp: int
    hyp_words: int
    ref: int
    ref_words: int


# --- METEOR 1.5: a beam over the reference ----------------------------------------------------------------------------


def proposals(hypothesis, reference, *, stem=None, ids=None, phrases=None):
    """Return all matches, module by module."""
    pairs = [(i, j) for j in range(len(reference)) for i in range(len(hypothesis))]
    other = [(i, j) for i, j in pairs if hypothesis[i] != reference[j]]
    found = [Match("exact", i, 1, j, 1) for i, j in pairs if hypothesis[i] == reference[j]]
    if list(hypothesis) == list(reference):
        return found
    if stem:
        found += [Match("stem", i, 1, j, 1) for i, j in other if stem(hypothesis[i]) == stem(reference[j])]
    if ids:
        found += [Match("synonym", i, 1, j, 1) for i, j in other if ids(hypothesis[i]) & ids(reference[j])]
    for swapped in (False, True) if phrases else ():
        ours, theirs = (reference, hypothesis) if swapped else (hypothesis, reference)
        for j, m in spans(theirs):
            for paraphrase in phrases.get(tuple(theirs[j : j + m]), ()):  # in the table's order
                for i, n in spans(ours):
                    if tuple(ours[i : i + n]) == paraphrase:
                        found.append(Match("paraphrase", *((j, m, i, n) if swapped else (i, n, j, m))))
    return found


def spans(words):
    return [(start, size) for start in range(len(words)) for size in range(1, len(words) - start + 1)]


@dataclass(frozen=True)
class Path:
    ours: int = 0
    theirs: int = 0
    chunks: int = 0
    distance: int = 0
    last_end: int = -1
    next: int = 0
    matches: tuple[Match, ...] = ()

    @property
    def key(self):
        return (-(self.ours + self.theirs), self.chunks, self.distance)

    def uses(self, match):
        taken = {i for one in self.matches for i in range(one.hyp, one.hyp + one.hyp_words)}
        return any(i in taken for i in range(match.hyp, match.hyp + match.hyp_words))

    def with_match(self, match):
        weight = 1 if match.module == "exact" else 0.5
        breaks = self.last_end != -1 and match.hyp != self.last_end
        return replace(
            self,
            ours=int(self.ours + match.hyp_words * weight),
            theirs=int(self.theirs + match.ref_words * weight),
            chunks=self.chunks + breaks,
            last_end=match.hyp + match.hyp_words,
            next=match.ref + match.ref_words,
            matches=(*self.matches, match),
        )

    def without_match(self):
        return replace(self, chunks=self.chunks + (self.last_end != -1), last_end=-1)


def beam_alignment(hypothesis, reference, beam=40, **modules):
    """Return the matches that METEOR 1.5 chooses, in the reference's order."""
    every = proposals(hypothesis, reference, **modules)
    at = [[match for match in every if match.ref == j] for j in range(len(reference))]

    def alone(match):
        mine = [
            sum(m.hyp <= i < m.hyp + m.hyp_words for m in every) for i in range(match.hyp, match.hyp + match.hyp_words)
        ]
        theirs = [
            sum(m.ref <= j < m.ref + m.ref_words for m in every) for j in range(match.ref, match.ref + match.ref_words)
        ]
        return set(mine + theirs) == {1}

    paths = [Path()]
    for j in range(len(reference)):
        following = []
        for path in sorted(paths, key=lambda path: path.key)[:beam]:
            if path.next > j:
                following.append(path)
            elif len(at[j]) == 1 and alone(at[j][0]):
                match = at[j][0]
                following.append(replace(path, distance=path.distance + abs(j - match.hyp)).with_match(match))
            else:
                for match in at[j]:
                    if not path.uses(match):
                        following.append(path.with_match(match))
                        path = replace(path, distance=path.distance + abs(j - match.hyp))
                following.append(path.without_match())
        paths = following
    closed = [path.without_match() for path in sorted(paths, key=lambda path: path.key)[:beam]]
    return list(min(closed, key=lambda path: path.key).matches)


def chunks(matches):
    ordered = sorted(matches, key=lambda match: match.ref)
    joined = sum((a.hyp + a.hyp_words, a.ref + a.ref_words) == (b.hyp, b.ref) for a, b in pairwise(ordered))
    return len(ordered) - joined


# --- 2005: the largest mapping with the fewest crosses ----------------------------------------------------------------


def best_mapping(pairs):
    """Return the pairs of the best one-to-one mapping, by trying all of them."""
    ours, theirs = sorted({i for i, _ in pairs}), sorted({j for _, j in pairs})
    allowed = set(pairs)
    for size in range(min(len(ours), len(theirs)), 0, -1):
        mappings = [
            tuple(zip(chosen, order, strict=True))
            for chosen in combinations(ours, size)
            for order in permutations(theirs, size)
            if all(pair in allowed for pair in zip(chosen, order, strict=True))
        ]
        if mappings:
            return min(mappings, key=lambda mapping: (crosses(mapping), runs(mapping), mapping))
    return ()


def crosses(mapping):
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(mapping, 2))


def runs(mapping):
    return len(mapping) - sum((i + 1, j + 1) in mapping for i, j in mapping)


def staged_mapping(hypothesis, reference, tests):
    """Return the pairs of all stages; each stage maps words that are still free."""
    mapped = []
    for test in tests:
        free = [
            (i, j)
            for i in range(len(hypothesis))
            for j in range(len(reference))
            if i not in {a for a, _ in mapped} and j not in {b for _, b in mapped}
        ]
        mapped += best_mapping([(i, j) for i, j in free if test(hypothesis[i], reference[j])])
    return sorted(mapped)


# --- the normalizer, as a chain of regular expressions ----------------------------------------------------------------

_LETTER = "A-Za-zÀ-ÖØ-öø-ž\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
_SIGN = _LETTER + "0-9"


def normalized(text, language="en", *, punctuation=True, prefixes=(), number_prefixes=()):
    """Return the words of a text as METEOR's -norm makes them, before lower-casing."""
    text = re.sub(rf"([^{_SIGN}\s.'`,\-‘’])", r" \1 ", f" {text} ", flags=re.ASCII)
    text = re.sub(r"(\.\.+)", r" \1 ", text)
    for before, after in (("[^0-9]", "[^0-9]"), ("[0-9]", "[^0-9]"), ("[^0-9]", "[0-9]")):
        text = re.sub(f"({before}),({after})", r"\1 , \2", text)
    text = re.sub("[`‘’]", "'", text)
    text = re.sub("[“”]|''", ' " ', text)
    text = re.sub("–|--", "-", text)
    text = re.sub(rf"([{_SIGN}.])-([{_SIGN}])", r"\1 \2", text)
    for before, after, written in _APOSTROPHES.get(language, ()):
        text = re.sub(f"({before})'({after})", rf"\1{written}\2", text)
    if language not in _APOSTROPHES:
        text = text.replace("'", " ' ")
    words = text.split()
    for at, word in enumerate(words):
        stem, following = word[:-1], words[at + 1] if at + 1 < len(words) else ""
        if not word.endswith(".") or not stem.strip("."):
            continue
        if "." in stem and re.search(f"[{_LETTER}]", stem):
            words[at] = word.replace(".", "")
        elif not (
            stem in prefixes
            or re.match("[a-z]", following)
            or (stem in number_prefixes and re.match("[0-9]", following))
        ):
            words[at] = f"{stem} ."
    text = " ".join(words)
    return (text if punctuation else re.sub(f"[^{_SIGN}]", " ", text)).split()


_OTHER = f"[^{_LETTER}]"
_APOSTROPHES = {
    "en": (
        (_OTHER, _OTHER, " ' "),
        (f"[^{_SIGN}]", f"[{_LETTER}]", " ' "),
        (f"[{_LETTER}]", _OTHER, " ' "),
        (f"[{_LETTER}]", f"[{_LETTER}]", " '"),
        ("[0-9]", "s", " '"),
    ),
    "fr": (
        (_OTHER, _OTHER, " ' "),
        (_OTHER, f"[{_LETTER}]", " ' "),
        (f"[{_LETTER}]", _OTHER, " ' "),
        (f"[{_LETTER}]", f"[{_LETTER}]", "' "),
    ),
}

"""Texts for generated tests: lengths where blocks and machine words end, and references that resemble hypotheses."""

import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

Item = TypeVar("Item")


def sequence(alphabet: Sequence[Item], length: int, seed: int) -> list[Item]:
    """Return items of which some are common and most are rare, as words are."""
    rng = random.Random(seed)
    return [alphabet[int(len(alphabet) * rng.random() ** 2)] for _ in range(length)]


def edited(items: Sequence[Item], alphabet: Sequence[Item], edits: int, length: int, seed: int) -> list[Item]:
    """Return a copy with some items changed, blocks moved and repeated, cut or filled up to the length."""
    rng = random.Random(seed)
    copy = list(items)
    for _ in range(edits):
        place = rng.randrange(len(copy) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            copy.insert(place, rng.choice(alphabet))
        elif kind == 1:
            del copy[place : place + 1 + rng.randrange(3)]
        elif kind == 2:
            block = copy[place : place + 1 + rng.randrange(9)]
            del copy[place : place + len(block)]
            target = rng.randrange(len(copy) + 1)
            copy[target:target] = block
        else:
            copy[place:place] = copy[place : place + 1 + rng.randrange(9)]
    filling = sequence(alphabet, max(0, length - len(copy)), seed)
    return (copy + filling)[:length]


@st.composite
def alike(
    draw: st.DrawFn, alphabets: Sequence[Sequence[Item]], lengths: st.SearchStrategy[int], most_references: int = 3
) -> tuple[list[Item], list[list[Item]]]:
    """Draw a hypothesis and its references: some of them edited copies of it, some unrelated."""
    alphabet = draw(st.sampled_from(alphabets))
    seeds = st.integers(0, 2**32)
    hypothesis = sequence(alphabet, draw(lengths), draw(seeds))
    references = []
    for _ in range(draw(st.integers(1, most_references))):
        if draw(st.booleans()):
            references.append(edited(hypothesis, alphabet, draw(st.integers(0, 12)), draw(lengths), draw(seeds)))
        else:
            references.append(sequence(alphabet, draw(lengths), draw(seeds)))
    return hypothesis, references

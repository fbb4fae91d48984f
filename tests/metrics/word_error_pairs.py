"""Generated pairs of word lists for the tests of WER, PER and CDER."""

import random

from oracles.generated import edited, sequence

LETTERS = list("abcdefghijkl")
# Words that share letters, so that costs by letters have much to tell apart.
SPELT = ["a", "ab", "abc", "abd", "abcd", "acbd", "bcd", "dcba", "xabc", "usual", "unusual", "überall", "über", "数据",
         "数", "🙂", "🙂🙃", "🙃a", "antidisestablishmentarianism-and-more-of-it", "antidisestablishment"]  # fmt: skip
LENGTHS = [0, 1, 2, 3, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130]


def short_pairs(
    count: int, seed: int, alphabet: list[str] = LETTERS, longest: int = 12
) -> list[tuple[list[str], list[str]]]:
    """Return pairs of up to twelve words: unrelated ones of few words, and edited copies."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        words = alphabet[: rng.choice([2, 3, 5, len(alphabet)])] if alphabet is LETTERS else alphabet
        hypothesis = [rng.choice(words) for _ in range(rng.randint(0, longest))]
        if rng.random() < 0.5:
            reference = edited(hypothesis, words, rng.randint(0, 4), rng.randint(0, longest), rng.randrange(2**32))
        else:
            reference = [rng.choice(words) for _ in range(rng.randint(0, longest))]
        pairs.append((hypothesis, reference))
    return pairs


def long_pairs(count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """Return pairs whose lengths lie around the ends of machine words."""
    rng = random.Random(seed)
    pairs = []
    for number in range(count):
        words = [f"w{n}" for n in range(rng.choice([2, 6, 40, 400]))]
        ours, theirs = rng.choice(LENGTHS), rng.choice(LENGTHS)
        hypothesis = sequence(words, ours, rng.randrange(2**32))
        if number % 3:
            reference = edited(hypothesis, words, rng.randint(0, 12), theirs, rng.randrange(2**32))
        else:
            reference = sequence(words, theirs, rng.randrange(2**32))
        pairs.append((hypothesis, reference))
    return pairs


def shapes(pairs: list[tuple[list[str], list[str]]]) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Return hypotheses and references as metrics on lists of tokens take them."""
    return [hypothesis for hypothesis, _ in pairs], [[reference] for _, reference in pairs]

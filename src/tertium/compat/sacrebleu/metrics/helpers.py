"""Counting n-grams, for those who build on sacreBLEU's own counters. The metrics here count natively."""

from collections import Counter
from collections.abc import Sequence


def extract_word_ngrams(tokens: Sequence[str], n: int) -> "Counter[str]":
    """Return how often each n-gram of n words occurs, words joined by blanks."""
    return Counter(" ".join(tokens[k : k + n]) for k in range(len(tokens) - n + 1))


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> "tuple[Counter[tuple[str, ...]], int]":
    """Return how often each n-gram of these orders occurs, as tuples of words, and the number of words."""
    words = line.split()
    ngrams: Counter[tuple[str, ...]] = Counter()
    for n in range(min_order, max_order + 1):
        ngrams.update(tuple(words[k : k + n]) for k in range(len(words) - n + 1))
    return ngrams, len(words)


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> "Counter[str]":
    """Return how often each n-gram of n characters occurs."""
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[k : k + n] for k in range(len(text) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> "list[Counter[str]]":
    """Return the character n-grams of each order from 1 on."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]

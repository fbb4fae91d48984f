"""A paraphrase table by the book: a dictionary of lists."""

from collections import defaultdict
from collections.abc import Iterable


def table(entries: Iterable[tuple[str, str, float]]) -> dict[str, list[tuple[str, float]]]:
    """Return the paraphrases of each phrase: fewer words first, then by spelling, then the likelier first."""
    found: dict[str, set[tuple[str, float]]] = defaultdict(set)
    for phrase, paraphrase, probability in entries:
        found[" ".join(phrase.split())].add((" ".join(paraphrase.split()), probability))

    def order(entry: tuple[str, float]) -> tuple[object, ...]:
        words = entry[0].split()
        return len(words), [word.encode() for word in words], -entry[1]

    return {phrase: sorted(entries, key=order) for phrase, entries in found.items()}


def entries_of_spans(table: dict[str, list[tuple[str, float]]], words: list[str]) -> int:
    """Return how many entries all spans of a text have together."""
    spans = (" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
    return sum(len(table.get(span, ())) for span in spans)

"""chrF and chrF++ by the book."""

import string
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

TINY = 1e-16


def characters(text: str, *, whitespace: bool) -> str:
    """Return what character n-grams are taken from."""
    return text if whitespace else "".join(text.split())


def words(text: str) -> list[str]:
    """Split off one punctuation mark per word: the last character if it is one, else the first."""
    result = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            result += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            result += [word[0], word[1:]]
        else:
            result.append(word)
    return result


def row(
    hypothesis: str,
    references: Sequence[str],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> list[int]:
    """Return the triples of the first of those references that score best."""
    settings = {"char_order": char_order, "word_order": word_order, "lowercase": lowercase, "whitespace": whitespace}
    rows = [triples(hypothesis, reference, **settings) for reference in references]
    return max(rows, key=lambda one: score(one, beta=beta, eps_smoothing=eps_smoothing))


def triples(
    hypothesis: str, reference: str, *, char_order: int, word_order: int, lowercase: bool, whitespace: bool
) -> list[int]:
    """Return, per order, n-grams of the hypothesis, of the reference, and common ones."""
    if lowercase:
        hypothesis, reference = hypothesis.lower(), reference.lower()
    ours, theirs = (characters(text, whitespace=whitespace) for text in (hypothesis, reference))
    result = []
    for n in range(1, char_order + 1):
        result += _triple(ours, theirs, n)
    for n in range(1, word_order + 1):
        result += _triple(words(hypothesis), words(reference), n)
    return result


def score(triples: Sequence[float], *, beta: float = 2, eps_smoothing: bool = False) -> float:
    """Return chrF in percent."""
    factor = beta**2
    orders = [triples[k : k + 3] for k in range(0, len(triples), 3)]
    precisions = [common / ours if ours else TINY for ours, _, common in orders]
    recalls = [common / theirs if theirs else TINY for _, theirs, common in orders]
    if eps_smoothing:
        return 100 * _sum(_f(p, r, factor, TINY) for p, r in zip(precisions, recalls, strict=True)) / len(orders)
    used = [k for k, (ours, theirs, _) in enumerate(orders) if ours and theirs]
    if not used:
        return 0.0
    precision = _sum(precisions[k] for k in used) / len(used)
    recall = _sum(recalls[k] for k in used) / len(used)
    return 100 * _f(precision, recall, factor, 0.0)


def _f(precision: float, recall: float, factor: float, otherwise: float) -> float:
    below = factor * precision + recall
    return (1 + factor) * precision * recall / below if below > 0 else otherwise


def _sum(values: Iterable[float]) -> float:
    """Add up one after the other, which newer Pythons' `sum` does more exactly than anybody else."""
    return reduce(add, values, 0.0)


def _triple(ours: Sequence[str], theirs: Sequence[str], n: int) -> list[int]:
    counts, wanted = _ngrams(ours, n), _ngrams(theirs, n)
    return [counts.total() if wanted else 0, wanted.total(), (counts & wanted).total()]


def _ngrams(items: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))

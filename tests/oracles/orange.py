"""ORANGE by the book: score every text, sort, look for the references."""

from collections.abc import Callable, Sequence

Score = Callable[[str, list[str]], float]


def rank(score: float, others: Sequence[float], ties: str) -> float:
    """Return the place of a score, the higher the better."""
    first = 1 + sum(other > score for other in others)
    last = first + sum(other == score for other in others)
    return {"optimistic": first, "average": (first + last) / 2, "pessimistic": last}[ties]


def ratio(
    score: Score, candidates: Sequence[str], references: Sequence[str], *, oracle: str, ties: str, leave_one_out: str
) -> float:
    """Return the rank of the references, divided by the length of the list."""
    others = [[*references[:k], *references[k + 1 :]] for k in range(len(references))]
    theirs = [score(reference, rest) for reference, rest in zip(references, others, strict=True)]
    if leave_one_out == "full":
        ours = [score(text, list(references)) for text in candidates]
    else:
        ours = [round(sum(score(text, rest) for rest in others) / len(others), 9) for text in candidates]
    wanted = [sum(theirs) / len(theirs)] if oracle == "mean" else theirs
    ranks = [rank(round(one, 9), [round(other, 9) for other in ours], ties) for one in wanted]
    return sum(ranks) / len(ranks) / (len(candidates) + 1)

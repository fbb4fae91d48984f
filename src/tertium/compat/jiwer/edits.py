"""Which words stand for which: the fewest edits, and of several ways to have the fewest the one that jiwer shows."""

from collections.abc import Sequence

from tertium import _native
from tertium.errors import InputError

Chunk = tuple[str, int, int, int, int]  # kind, reference [start, end), hypothesis [start, end)
KINDS = ("equal", "substitute", "insert", "delete")  # in the core's order


def alignments(references: Sequence[list[str]], hypotheses: Sequence[list[str]]) -> list[list[Chunk]]:
    """Return runs of equal, substituted, inserted and deleted words, in order, for each sentence."""
    theirs, ours = _tokens(references, "reference"), _tokens(hypotheses, "hypothesis")
    found = _native.wer_runs(ours, theirs, threads=1)
    return [[(KINDS[kind], a, b, c, d) for kind, a, b, c, d in runs] for runs in found]


def _tokens(sentences: Sequence[list[str]], name: str) -> _native.TokenTexts:
    try:
        return _native.tokens_of_lists(list(sentences), range(len(sentences) + 1))
    except UnicodeEncodeError as error:
        raise InputError(
            f"A {name} holds half a character, {error.object[error.start]!r}, which is no text. Decode its source with "
            "the right encoding."
        ) from None

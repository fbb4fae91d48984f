"""The edits between two lists of words, as sacreBLEU's TER counts them, and what a trace of edits aligns."""

from collections.abc import Sequence

from tertium import _native
from tertium.metrics import TER

_METRIC = TER(variant="sacrebleu")
_AS_TRACE = str.maketrans("IDS", "dis")  # a trace tells of the way from the reference to the hypothesis, reversed


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """Return the number of edits, shifts among them, and the number of words in the reference."""
    edits, _, _ = _native.ter_alignment(list(words_hyp), list(words_ref), _METRIC.search)
    return int(edits), len(words_ref)


class BeamEditDistance:
    """Edits without shifts against one reference."""

    def __init__(self, words_ref: Sequence[str]) -> None:
        self._reference = list(words_ref)

    def __call__(self, words_hyp: Sequence[str]) -> tuple[int, str]:
        """Return the number of edits and their trace: a blank for a match, s, i or d for an edit."""
        letters = _METRIC.operations_without_shifts(words_hyp, self._reference)
        return sum(letter != " " for letter in letters), letters.translate(_AS_TRACE)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """Return what a trace aligns (places of one side to places of the other), and which words of each side err.

    An i steps on in the second side alone; a d in the first, whose word then stands at the last place of the second.
    """
    aligned: dict[int, int] = {}
    first: list[int] = []
    second: list[int] = []
    for letter in trace:
        wrong = int(letter != " ")
        if letter != "d":
            second.append(wrong)
        if letter != "i":
            aligned[len(first)] = len(second) - 1
            first.append(wrong)
    return aligned, first, second

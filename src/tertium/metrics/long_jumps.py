"""The long-jump distance, which CDER relaxes: both sides are covered exactly once."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from tertium import _native
from tertium.errors import InputError
from tertium.metrics.cder import CDER
from tertium.metrics.wer import WER
from tertium.metrics.word_errors import SubstitutionCost
from tertium.results import Result


@dataclass(frozen=True)
class LongJump(Result):
    """The distance lies between `low` and `high`; for short segments both are the distance itself."""

    low: float
    high: float
    hypothesis_length: int
    reference_length: int

    @property
    def exact(self) -> bool:
        """Whether the distance is known."""
        return self.low == self.high

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self) | {"exact": self.exact}


def long_jump(
    hypothesis: str,
    reference: str,
    *,
    tokenize: str | Callable[[str], list[str]] = "13a",
    lowercase: bool = False,
    substitution: str | SubstitutionCost = "exact",
    unicode: str = "none",
) -> LongJump:
    """Return the fewest edits and jumps when every word of both sides is covered once (Leusch et al. 2006).

    To find it is NP-hard. Up to about 20 words on the shorter side it is searched for; beyond that, bounds are given:
    max(CDER forward, CDER reversed, difference of lengths) and min(WER, CDER + miscoverage), all as edits.
    """
    if not isinstance(hypothesis, str) or not isinstance(reference, str):
        raise InputError("long_jump takes one hypothesis and one reference, both strings.")
    settings: dict[str, Any] = {
        "tokenize": tokenize, "lowercase": lowercase, "substitution": substitution, "unicode": unicode
    }  # fmt: skip
    wer = WER(**settings)
    split = wer.tokenizer
    if split is None:
        raise InputError("long_jump takes texts: choose a tokenizer other than 'tokens'.")
    ours, theirs = wer.segments([hypothesis], [reference])
    lengths = [len(split(text)) for text in (hypothesis, reference)]
    sides = wer.tokens_of(ours), wer.tokens_of(theirs)
    exact = _native.long_jump_distance(*sides, **wer.cost_arguments(*sides))
    if exact is not None:
        return LongJump(exact, exact, *lengths)

    def edits(metric: WER | CDER) -> float:
        return float(metric.parts(metric.statistics([hypothesis], [reference], threads=1)[0])["edits"])

    miscovered = CDER(**settings, penalty="miscoverage")
    row = miscovered.statistics([hypothesis], [reference], threads=1)[0]
    reversed_edits = edits(CDER(**settings, direction="reversed"))
    low = max(float(row[0]), reversed_edits, float(abs(lengths[0] - lengths[1])))
    return LongJump(low, min(edits(wer), float(row[0] + row[2])), *lengths)

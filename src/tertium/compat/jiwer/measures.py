"""One rate at a time."""

from collections.abc import Callable
from typing import Any, Protocol

from tertium.compat.jiwer.process import Sentences, Transform, process_characters, process_words
from tertium.compat.jiwer.transformations import cer_default, wer_default


class _Rate(Protocol):
    def __call__(
        self,
        reference: Sentences,
        hypothesis: Sentences,
        reference_transform: Transform = ...,
        hypothesis_transform: Transform = ...,
    ) -> float: ...


def _rate(name: str, says: str, process: Callable[..., Any] = process_words, usual: Transform = wer_default) -> _Rate:
    """Return the function that gives one of the rates."""

    def rate(
        reference: Sentences,
        hypothesis: Sentences,
        reference_transform: Transform = usual,
        hypothesis_transform: Transform = usual,
    ) -> float:
        found: float = getattr(process(reference, hypothesis, reference_transform, hypothesis_transform), name)
        return found

    rate.__name__ = rate.__qualname__ = name
    rate.__doc__ = says
    return rate


wer = _rate("wer", "Return the word error rate: edits per reference word.")
mer = _rate("mer", "Return the match error rate: the share of edits among all pairs and single words.")
wip = _rate("wip", "Return the word information preserved: precision times recall.")
wil = _rate("wil", "Return the word information lost: one minus what is preserved.")
cer = _rate("cer", "Return the character error rate: edits per reference character.", process_characters, cer_default)

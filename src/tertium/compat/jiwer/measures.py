"""One rate at a time."""

from tertium.compat.jiwer.process import Sentences, Transform, process_characters, process_words
from tertium.compat.jiwer.transformations import cer_default, wer_default


def wer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word error rate: edits per reference word."""
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).wer


def mer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the match error rate: the share of edits among all pairs and single words."""
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).mer


def wip(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information preserved: precision times recall."""
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).wip


def wil(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information lost: one minus what is preserved."""
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).wil


def cer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Return the character error rate: edits per reference character."""
    return process_characters(reference, hypothesis, reference_transform, hypothesis_transform).cer

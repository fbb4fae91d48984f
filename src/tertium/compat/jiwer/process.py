"""Counts and alignments of words or characters, with the rates that follow from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.compat.jiwer import edits
from tertium.compat.jiwer.transformations import cer_default, wer_default
from tertium.errors import InputError

Transform = Callable[[Any], Any]
Sentences = str | list[str]


@dataclass
class AlignmentChunk:
    """A run of words of one kind: reference [start, end) against hypothesis [start, end)."""

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type == "replace":  # as difflib and RapidFuzz call it
            self.type = "substitute"
        if self.type not in edits.KINDS:
            raise InputError(f"An alignment chunk is {', '.join(edits.KINDS)}, not '{self.type}'.")
        if self.ref_start_idx > self.ref_end_idx or self.hyp_start_idx > self.hyp_end_idx:
            raise InputError(f"An alignment chunk must not end before it starts: {self}.")


@dataclass
class WordOutput:
    """Words, how they are aligned, and the rates."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """Characters, how they are aligned, and the rate."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Align words, and return counts and rates of all sentences together."""
    references = _prepared(reference, reference_transform, "reference")
    hypotheses = _prepared(hypothesis, hypothesis_transform, "hypothesis")
    alignments, (hits, substitutions, insertions, deletions) = _aligned(references, hypotheses)
    errors = substitutions + insertions + deletions
    ours, theirs = hits + substitutions + insertions, hits + substitutions + deletions
    wer: float
    mer: float
    wip: float
    if theirs == 0:  # nothing to divide by: every inserted word is a whole error
        wer, mer, wip = insertions, int(insertions > 0), int(insertions == 0)
    else:
        wer, mer = errors / theirs, errors / (hits + errors)
        wip = (hits / theirs) * (hits / ours) if ours else 0
    return WordOutput(
        references, hypotheses, alignments, wer, mer, 1 - wip, wip, hits, substitutions, insertions, deletions
    )


def process_characters(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Align characters, and return counts and the rate of all sentences together."""
    output = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    return CharacterOutput(
        output.references,
        output.hypotheses,
        output.alignments,
        output.wer,
        output.hits,
        output.substitutions,
        output.insertions,
        output.deletions,
    )


def _prepared(sentences: Sentences, transform: Transform, name: str) -> list[list[str]]:
    if isinstance(sentences, str):
        sentences = [sentences]
    words = transform(sentences)
    if not isinstance(words, list) or not all(isinstance(item, list) for item in words):
        raise InputError(
            f"The {name}'s transform must end in lists of words or characters (ReduceToListOfListOfWords, "
            f"ReduceToListOfListOfChars), but returned {words!r:.60}."
        )
    if any(set(map(type, item)) - {str} for item in words):
        raise InputError(f"The {name}'s transform returned something that is not a string among the words.")
    return words


def _aligned(
    references: Sequence[list[str]], hypotheses: Sequence[list[str]]
) -> tuple[list[list[AlignmentChunk]], tuple[int, ...]]:
    """Return the alignment of each sentence, and how many words of each kind there are in all."""
    if len(references) != len(hypotheses):
        raise InputError(
            f"There are {len(references):,} references, but {len(hypotheses):,} hypotheses. Give one hypothesis per "
            "reference, or use the contiguous transforms, which join all sentences."
        )
    alignments = []
    counts = dict.fromkeys(edits.KINDS, 0)
    for chunks in edits.alignments(references, hypotheses):
        for kind, ref_start, ref_end, hyp_start, hyp_end in chunks:
            counts[kind] += max(ref_end - ref_start, hyp_end - hyp_start)
        alignments.append([AlignmentChunk(*chunk) for chunk in chunks])
    return alignments, tuple(counts.values())

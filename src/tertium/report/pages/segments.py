"""The segments that a page shows one by one: texts, scores, and how each hypothesis is aligned with its reference."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import compress

import numpy as np

from tertium.metrics import TER
from tertium.metrics.alignment import Alignment
from tertium.metrics.base import Floats, Metric
from tertium.report.pages import markings as marks
from tertium.report.pages.markings import Marking, Markings
from tertium.scoring.scores import Scores
from tertium.text.tokenizers import mostly_unspaced

MOST_BYTES = 4_500_000  # of texts on a page, which most often are packed to about 2 MB
MOST_PACKED = 2_000_000  # of texts and alignments; a page holds them in base64, four letters for three bytes
MOST_SEGMENTS = 20_000
_LETTERS = {"match": "m", "substitution": "s", "insertion": "i", "deletion": "d", "jump": "j"}


@dataclass(frozen=True)
class Texts:
    """What was compared: of each system the texts of its runs, the references of each segment, sources if known.

    `markings` are the errors that people or metrics marked in the texts (of several runs, the first).
    """

    systems: dict[str, list[list[str]]]
    references: list[list[str]]
    sources: list[str] | None = None
    markings: Markings = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many runs each system has."""
        return max(map(len, self.systems.values()))


@dataclass(frozen=True)
class Aligned:
    """An alignment, short enough to be kept for thousands of segments.

    `letters` has one letter per operation: m(atch), s(ubstitution), i(nsertion), d(eletion). `shifts` are
    (start, end, target). Tokens are None where they are the words of the text, which is most often so.
    """

    reference: int
    letters: str
    shifts: tuple[tuple[int, int, int], ...]
    hypothesis_tokens: tuple[str, ...] | None
    reference_tokens: tuple[str, ...] | None


@dataclass(frozen=True)
class Segment:
    """One segment of all systems (of several runs, the first)."""

    number: int  # from 1
    document: int | None
    length: int  # words of the first reference
    source: str | None
    references: tuple[str, ...]
    hypotheses: tuple[str, ...]  # by system
    alignments: tuple[Aligned, ...]
    markings: tuple[Sequence[Marking], ...]  # by system


def shown_segments(texts: Texts, scores: Scores, values: Mapping[str, Mapping[str, Floats]]) -> list[Segment]:
    """Return the segments that fit on a page, in their order: all, or those on which the systems differ most."""
    metric = aligner(texts, list(scores.metrics.values()))
    kept = chosen(texts, values)
    segments = [_segment(k, texts, scores, metric) for k in kept]
    packed = _packed_size(segments)
    if packed > MOST_PACKED:
        fitting = set(chosen(texts, values, sum(_size(texts, k) for k in kept) * MOST_PACKED // packed))
        segments = [one for one in segments if one.number - 1 in fitting]
    return segments


def _segment(k: int, texts: Texts, scores: Scores, metric: TER) -> Segment:
    group = texts.references[k]
    hypotheses = tuple(runs[0][k] for runs in texts.systems.values())
    return Segment(
        k + 1,
        None if scores.document_positions is None else int(scores.document_positions[k]),
        len(group[0].split()),
        None if texts.sources is None else texts.sources[k],
        tuple(group),
        hypotheses,
        tuple(_aligned(metric.align(text, group), text, group) for text in hypotheses),
        tuple(texts.markings.get((system, k + 1), ()) for system in texts.systems),
    )


def _packed_size(segments: Sequence[Segment]) -> int:
    return len(compress(json.dumps(as_data(segments, []), ensure_ascii=False).encode()))


def aligner(texts: Texts, metrics: Sequence[Metric]) -> TER:
    """Return the TER that aligns the texts: the one asked for, or its defaults; by character where blanks are rare."""
    if mostly_unspaced("".join(group[0] for group in texts.references[:200])):
        return TER(normalized=True, asian_support=True)
    return next((metric for metric in metrics if isinstance(metric, TER)), TER())


def chosen(texts: Texts, values: Mapping[str, Mapping[str, Floats]], most: int | None = None) -> list[int]:
    """Return which segments are shown: as many as fit, those first on which systems differ most by all metrics."""
    most = MOST_BYTES if most is None else most
    order = np.argsort(-_spread(values), kind="stable").tolist()
    kept: list[int] = []
    size = 0
    for k in order[:MOST_SEGMENTS]:
        size += _size(texts, k)
        if size > most and kept:
            break
        kept.append(k)
    return sorted(kept)


def _size(texts: Texts, k: int) -> int:
    shown = [*texts.references[k], *(runs[0][k] for runs in texts.systems.values())]
    shown += [texts.sources[k]] if texts.sources is not None else []
    return sum(len(text.encode()) + 12 for text in shown)


def _spread(values: Mapping[str, Mapping[str, Floats]]) -> Floats:
    """Return how far systems are apart on each segment, in standard deviations, added up over metrics."""
    systems = list(values.values())
    total: Floats = np.zeros(len(next(iter(systems[0].values()))))
    for label in systems[0]:
        by_system = np.array([scores[label] for scores in systems])
        deviation = float(by_system.std())
        total += np.ptp(by_system, axis=0) / deviation if deviation > 0 else 0
    return total


def _aligned(alignment: Alignment, hypothesis: str, references: Sequence[str]) -> Aligned:
    return Aligned(
        alignment.reference_index,
        "".join(_LETTERS.get(op.kind, "s") for op in alignment.operations),
        tuple((shift.start, shift.end, shift.target) for shift in alignment.shifts),
        _unlike(alignment.hypothesis, hypothesis),
        _unlike(alignment.reference, references[alignment.reference_index]),
    )


def _unlike(tokens: tuple[str, ...], text: str) -> tuple[str, ...] | None:
    """Return tokens, unless they are the words between a text's blanks, in whatever case."""
    words = text.split(" ")
    same = len(words) == len(tokens) and all(w.lower() == t.lower() for w, t in zip(words, tokens, strict=True))
    return None if same else tokens


def as_data(segments: Sequence[Segment], scores: list[list[list[float]]]) -> dict[str, Any]:
    """Return the segments column by column, as the script on the page reads them."""
    return {
        "number": [one.number for one in segments],
        "document": [one.document for one in segments] if segments and segments[0].document is not None else None,
        "length": [one.length for one in segments],
        "source": [one.source for one in segments] if segments and segments[0].source is not None else None,
        "references": [one.references for one in segments],
        "hypotheses": [one.hypotheses for one in segments],
        "alignments": [[_short(aligned) for aligned in one.alignments] for one in segments],
        "scores": scores,
        "markings": _markings(segments),
    }


def _markings(segments: Sequence[Segment]) -> list[Any] | None:
    if not any(any(one.markings) for one in segments):
        return None
    return [
        [
            [marks.as_data(marking, hypothesis, one.source) for marking in markings]
            for markings, hypothesis in zip(one.markings, one.hypotheses, strict=True)
        ]
        for one in segments
    ]


def _short(aligned: Aligned) -> list[Any]:
    fields = [
        aligned.reference,
        _counted(aligned.letters),
        aligned.shifts,
        aligned.hypothesis_tokens,
        aligned.reference_tokens,
    ]
    while fields[-1] in (None, ()):
        fields.pop()
    return fields


def _counted(letters: str) -> str:
    """Return runs of a letter as a number and the letter: mmmsd is 3msd."""
    parts, k = [], 0
    while k < len(letters):
        end = k
        while end < len(letters) and letters[end] == letters[k]:
            end += 1
        parts.append(f"{end - k if end - k > 1 else ''}{letters[k]}")
        k = end
    return "".join(parts)

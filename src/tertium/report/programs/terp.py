"""TERp's reports, made from alignments: its files .pra, .sum, .ter and .counts, and NIST's .scr files.

Words are printed as TERp sees them. Everything here is text in, text out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tertium.metrics.base import Floats
from tertium.metrics.terp.metric import TERp, TerpTracks

FORMATS = ("pra", "sum", "ter", "counts", "seg.scr", "doc.scr", "sys.scr")

_COUNTS = ("insertions", "deletions", "substitutions", "stems", "synonyms", "phrases", "shifts", "shifted_words")
_NAMES = ("Ins", "Del", "Sub", "Stem", "Syn", "Phrs", "Shft", "WdSh")
_FEATURES = (
    "matches",
    "insertions",
    "deletions",
    "substitutions",
    "stems",
    "synonyms",
    "shifts",
    "phrases",
    "phrase_logs",
    "phrase_probabilities",
    "phrase_edits",
)  # what each cost is multiplied with, in the order of terp_costs.COSTS


class SegmentId(NamedTuple):
    """Where a segment comes from, as NIST's files name it."""

    system: str
    document: str
    segment: str

    def __str__(self) -> str:
        return f"[{self.system}][{self.document}][{self.segment}]"


@dataclass(frozen=True)
class ReportedSegment:
    """A segment's id and its alignment."""

    id: SegmentId
    tracks: TerpTracks = field(repr=False)


def report(kind: str, metric: TERp, segments: Iterable[ReportedSegment], *, test_set: str = "set") -> Iterator[str]:
    """Return one of the reports, piece by piece."""
    if kind == "pra":
        for one in segments:
            yield _pra(metric, one)
    elif kind == "sum":
        yield from _summary(metric, segments)
    elif kind == "ter":
        for one in segments:
            yield _ter(metric, one)
    elif kind == "counts":
        for one in segments:
            yield f"{one.id} {' '.join(f'{value:.10g}' for value in features(metric, one.tracks.row))}\n"
    else:
        yield from _scores(kind, metric, segments, test_set)


def features(metric: TERp, row: Floats) -> list[float]:
    """Return what each of the eleven costs is multiplied with in a segment's score, in their order."""
    named = dict(zip(metric.columns, row.tolist(), strict=True))
    length = named["reference_length"]
    return [named[name] / length if length > 0 else named[name] for name in _FEATURES]


def word_costs(metric: TERp, tracks: TerpTracks) -> tuple[list[float], float]:
    """Return what each hypothesis word costs, in the order of the text, and what missing words cost.

    The cost of a shift is spread over the words that it moves, the cost of a phrase over its words.
    """
    alignment = tracks.alignment
    order, costs, missing = list(range(len(alignment.hypothesis))), [0.0] * len(alignment.hypothesis), 0.0
    for shift in alignment.shifts:
        for place in order[shift.start : shift.end]:
            costs[place] += metric.costs_by_name["shift"] / len(shift.words)
        order = shift.applied(order)
    for step in alignment.operations:
        words = order[step.hyp_start : step.hyp_end]
        if not words:
            missing += step.cost
        for place in words:
            costs[place] += step.cost / len(words)
    return costs, missing


def _pra(metric: TERp, one: ReportedSegment) -> str:
    tracks, alignment = one.tracks, one.tracks.alignment
    costs, missing = word_costs(metric, tracks)
    lines = [
        f"Sentence ID: {one.id}",
        f"Original Ref: {' '.join(alignment.reference)}",
        f"Original Hyp: {' '.join(alignment.hypothesis)}",
        f"Hyp After Shift: {' '.join(alignment.shifted)}",
        f"Alignment: ({tracks.operations})",
        f"HypWord Costs: {' '.join(f'{cost:.3f}' for cost in costs)}",
        f"Other Costs: {missing:.3f}",
        f"Hyp Locations: {' '.join(map(str, tracks.alignment.order))}",
        f"NumShifts: {len(alignment.shifts)}",
    ]
    for shift, (aim, place) in zip(alignment.shifts, tracks.aims, strict=True):
        theirs = " ".join(alignment.reference[max(aim, 0) : max(aim, 0) + len(shift.words)])
        lines.append(f"  [{shift.start}, {shift.end - 1}, {aim}/{place}] ({' '.join(shift.words)}) -> ({theirs})")
    phrases = [step for step in alignment.operations if step.kind == "phrase"]
    lines.append(f"NumPhraseSubstitutions: {len(phrases)}")
    for step, probability in zip(phrases, tracks.probabilities, strict=True):
        theirs = " ".join(alignment.reference[step.ref_start : step.ref_end])
        ours = " ".join(alignment.shifted[step.hyp_start : step.hyp_end])
        lines.append(f"  ({theirs}) -> ({ours}) cost: {step.cost:.6f} original: {probability:g}")
    length = float(tracks.row[-1])
    lines.append(f"Score: {alignment.score / 100:.6f} ({tracks.edits:.6f} / {length:.6f})")
    return "\n".join(lines) + "\n\n"


def _summary(metric: TERp, segments: Iterable[ReportedSegment]) -> Iterator[str]:
    heading = " | ".join(f"{name:>4}" for name in _NAMES)
    yield f"{'Sent Id':<19} | {heading} | {'NumEr':>8} | {'NumWd':>8} | {'TERp':>8}\n"
    yield "-" * (19 + 7 * len(_NAMES) + 33) + "\n"
    total = np.zeros(len(metric.columns))
    for one in segments:
        yield _summary_line(metric, str(one.id), one.tracks.row, one.tracks.alignment.score)
        total = total + one.tracks.row
    yield "-" * (19 + 7 * len(_NAMES) + 33) + "\n"
    edits, length = float(metric.parts(total)["edits"]), float(total[-1])
    yield _summary_line(metric, "TOTAL", total, 100 * (edits / length if length > 0 else float(edits > 0)))


def _summary_line(metric: TERp, name: str, row: Floats, score: float) -> str:
    parts = metric.parts(row)
    counts = " | ".join(f"{int(parts[kind]):>4}" for kind in _COUNTS)
    edits, length = float(parts["edits"]), float(parts["reference_length"])
    return f"{name:<19} | {counts} | {edits:8.3f} | {length:8.3f} | {score:8.3f}\n"


def _ter(metric: TERp, one: ReportedSegment) -> str:
    costs, missing = word_costs(metric, one.tracks)
    length = float(one.tracks.row[-1])
    cells = [
        one.id.system,
        str(one.id),
        str(len(costs)),
        ":".join(f"{cost:.2f}" for cost in costs),
        *(f"{value:.2f}" for value in (missing, one.tracks.edits, length, one.tracks.alignment.score / 100)),
    ]
    return "\t".join(cells) + "\n"


def _scores(kind: str, metric: TERp, segments: Iterable[ReportedSegment], test_set: str) -> Iterator[str]:
    """Return NIST's scores by segment, document or system; totals are of uncapped edits, then capped themselves."""
    sums: dict[tuple[str, ...], Floats] = {}
    for one in segments:
        key = {"seg.scr": tuple(one.id), "doc.scr": one.id[:2], "sys.scr": one.id[:1]}[kind]
        sums[key] = sums.get(key, np.zeros(len(metric.columns))) + one.tracks.row
    for key, row in sums.items():
        yield "\t".join([test_set, *key, f"{float(metric.score(row)) / 100:.10g}", f"{float(row[-1]):.10g}"]) + "\n"

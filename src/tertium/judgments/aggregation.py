"""From raters to segments, documents and systems: scores with what they rest on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import UnknownNameError
from tertium.judgments.labels import Floats
from tertium.judgments.table import LEVELS, Judgments
from tertium.metrics.base import thread_count
from tertium.results import Result
from tertium.significance.sampling import SEED, bootstrap_totals, check_samples, check_seed, check_share, state_of
from tertium.text import tokenizer


@dataclass(frozen=True)
class Aggregate(Result):
    """A score of a segment, document or system, and how many segments and judgments it rests on.

    `low` and `high` bound a system's mean over other segments of this kind (bootstrap); None at other levels.
    """

    system: str
    kind: str
    level: str
    document: str | None
    segment: int | str | None
    score: float
    low: float | None
    high: float | None
    segments: int
    judgments: float


def token_lengths(references: Sequence[Sequence[str]], *, tokenize: str = "13a") -> Floats:
    """Return the number of tokens of each segment's references, their mean if there are several."""
    split = tokenizer(tokenize)
    return np.array([sum(len(split(text)) for text in group) / len(group) for group in references], np.float64)


def aggregates(
    judgments: Judgments,
    *,
    level: str = "system",
    kinds: Sequence[str] | None = None,
    lengths: Floats | None = None,
    documents: Sequence[str] | None = None,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[Aggregate, ...]:
    """Return the scores of one level; what was not judged is left out.

    A segment's score is the mean over raters (each rater's repeated judgments averaged first), a document's or a
    system's the mean over its judged segments, weighted by `lengths` if they are given. Judgments that were given to
    whole documents or systems are taken as they are. Where judgments have weights, each counts by its own in all of
    these means, and a segment by the sum of its judgments' weights.
    """
    if level not in LEVELS:
        raise UnknownNameError.of("level", level, LEVELS)
    check_samples(samples, least=0)
    check_share("confidence", confidence)
    check_seed(seed)
    found: list[Aggregate] = []
    for kind in kinds or judgments.kinds:
        ours = judgments.of_kind(kind)
        if level == "segment":
            found += _segments(ours, kind)
        elif level == "document":
            found += _documents(ours, kind, lengths, documents)
        else:
            found += _systems(ours, kind, lengths, samples, confidence, state_of(seed), thread_count(threads))
    return tuple(found)


def _segments(ours: Judgments, kind: str) -> list[Aggregate]:
    means = ours[ours.segment > 0].averaged_over_raters()
    rows = zip(
        means.system.texts(), means.document.texts(), means.segment_names(), means.score.tolist(),
        means.count.tolist(), strict=True,
    )  # fmt: skip
    return [
        Aggregate(str(system), kind, "segment", document, segment, score, None, None, 1, count)
        for system, document, segment, score, count in rows
    ]


def _documents(ours: Judgments, kind: str, lengths: Floats | None, documents: Sequence[str] | None) -> list[Aggregate]:
    order = ours.document_order(documents)
    scores = ours.document_scores(kind, documents=documents, lengths=lengths)
    whole = (ours.level == 1).any()
    means = ours[ours.level == (1 if whole else 0)].averaged_over_raters()
    if whole or documents is None:
        at = means.document.recoded(order)
    else:
        places = {name: place for place, name in enumerate(order)}
        at = np.array([places[name] for name in documents], np.int32)[means.segment - 1]
    cells = means.system.codes.astype(np.int64) * len(order) + at
    there = at >= 0
    size = len(ours.systems) * len(order)
    segments = np.bincount(cells[there], minlength=size).reshape(-1, len(order))
    counts = np.bincount(cells[there], means.count[there], minlength=size).reshape(-1, len(order))
    found = []
    for system, values in scores.items():
        row = means.system.code(system)
        for place, value in enumerate(values.tolist()):
            if np.isfinite(value):
                number = 0 if whole else int(segments[row, place])
                judged = float(counts[row, place])
                found.append(Aggregate(system, kind, "document", order[place], None, value, None, None, number, judged))
    return found


def _systems(
    ours: Judgments, kind: str, lengths: Floats | None, samples: int, confidence: float, state: list[int], threads: int
) -> list[Aggregate]:
    scores = ours.system_scores(kind, lengths=lengths)
    has_segments = not (ours.level == 2).any() and (ours.level == 0).any()
    level = 2 if (ours.level == 2).any() else int(ours.level.min())
    means = ours[ours.level == level].averaged_over_raters()
    weights = means.weights(lengths if level == 0 else None)
    found = []
    for system, score in scores.items():
        mine = means.system.codes == means.system.code(system)
        if not np.isfinite(score) or not mine.any():
            continue
        low = high = None
        if has_segments and samples and mine.sum() > 1:
            rows = np.ascontiguousarray(np.column_stack([means.score[mine] * weights[mine], weights[mine]]))
            sums = np.concatenate([block.T for block in bootstrap_totals(rows, state, samples, threads)])
            sums = sums[sums[:, 1] > 0]
            tail = (1 - confidence) / 2
            low, high = (float(x) for x in np.quantile(sums[:, 0] / sums[:, 1], [tail, 1 - tail]))
        number = int(mine.sum()) if level == 0 else 0
        found.append(
            Aggregate(system, kind, "system", None, None, score, low, high, number, float(means.count[mine].sum()))
        )
    return found

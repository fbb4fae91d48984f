"""What the page of `tertium compare` shows, as plain data computed from scores, tests and texts."""

import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium import __version__
from tertium.metrics import BLEU
from tertium.metrics.base import Floats
from tertium.metrics.names import title
from tertium.report.pages.ngrams import Frequencies, NGram, matched_ngrams
from tertium.report.pages.segments import Segment, Texts, aligner, shown_segments
from tertium.scoring.scores import Scores
from tertium.significance import Comparisons, Rank
from tertium.text import Tokenizer, tokenizer
from tertium.text.canonical import Canonical
from tertium.text.tokenizers import mostly_unspaced

BySegment = Mapping[str, Mapping[str, Floats]]  # by system and metric, one score per segment

_LENGTHS = (10, 20, 30, 40, 50, 60)
_CHARACTERS = (20, 40, 60, 80, 100, 120)  # where words are not set apart
_BINS = 24
_COUNTED = 20_000  # segments whose n-grams are counted; of more, every so-manieth


@dataclass(frozen=True)
class Shown:
    """A metric, and how its numbers are written."""

    label: str
    title: str  # the label as people write it
    signature: str
    higher_is_better: bool
    decimals: int
    note: str = ""  # what to know of its segment scores


@dataclass(frozen=True)
class Place:
    """A system's corpus score, with its interval and, where systems are ranked, its cluster and places."""

    system: str
    series: int  # which colour and marker it has on the page
    score: float
    low: float | None
    high: float | None
    mark: str  # ↑ if it is significantly better than the baseline, ↓ if worse
    rank: Rank | None


@dataclass(frozen=True)
class Distribution:
    """Segment scores of one metric: counts per system between common edges, and quartiles."""

    edges: tuple[float, ...]
    counts: dict[str, tuple[int, ...]]
    quartiles: dict[str, tuple[float, float, float]]


@dataclass(frozen=True)
class Groups:
    """Scores by groups of segments (documents, lengths): by metric and system, one per group."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    scores: dict[str, dict[str, tuple[float, ...]]]


@dataclass(frozen=True)
class Contents:
    """Everything on the page."""

    compared: Comparisons
    metrics: tuple[Shown, ...]
    overview: dict[str, tuple[Place, ...]]  # by metric, best first
    distributions: dict[str, Distribution]
    lengths: Groups
    length_unit: str
    documents: Groups | None
    ngrams: tuple[NGram, ...]
    frequencies: Frequencies
    counted: int  # segments whose n-grams were counted
    segments: tuple[Segment, ...]
    segment_scores: BySegment  # of all segments
    aligned_by: str  # a signature
    runs: int
    versions: tuple[tuple[str, str], ...]
    command: str

    @property
    def scores(self) -> Scores:
        """What all of it is computed from."""
        return self.compared.scores


def contents(
    compared: Comparisons,
    texts: Texts,
    *,
    ranks: Mapping[str, Sequence[Rank]] | None = None,
    command: str = "",
    notes: Mapping[str, str] | None = None,
) -> Contents:
    """Return what the page shows. `ranks` may come from another comparison, of all pairs; `notes` are of metrics."""
    scores = compared.scores
    ranks = ranks or compared.ranks
    counted = list(range(0, scores.segment_count, -(-scores.segment_count // _COUNTED)))
    ngrams, frequencies = matched_ngrams(
        {name: [[run[k] for k in counted] for run in runs] for name, runs in texts.systems.items()},
        [texts.references[k] for k in counted],
        _splitter(texts, scores),
    )
    unspaced = _unspaced(texts)
    values = scores.segments
    return Contents(
        compared=compared,
        metrics=tuple(_shown(scores, label, values, (notes or {}).get(label, "")) for label in scores.metrics),
        overview={label: overview(compared, label, ranks.get(label, ())) for label in scores.metrics},
        distributions={label: _distribution(scores, label, values) for label in scores.metrics},
        lengths=_by_length(texts, scores, unspaced),
        length_unit="characters" if unspaced else "words",
        documents=None if scores.document_names is None else _by_document(scores),
        ngrams=tuple(ngrams),
        frequencies=frequencies,
        counted=len(counted),
        segments=tuple(shown_segments(texts, scores, values)),
        segment_scores=values,
        aligned_by=aligner(texts, list(scores.metrics.values())).signature(),
        runs=texts.runs,
        versions=(("tertium", __version__), ("Python", platform.python_version()), ("NumPy", np.__version__)),
        command=command,
    )


def decimals_for(values: Sequence[float]) -> int:
    """Return how many decimals tell such numbers apart: 2 for percentages, 4 for numbers up to 1."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return 2 if largest > 5 or largest == 0 else min(8, 3 - math.floor(math.log10(largest)))


def _shown(scores: Scores, label: str, segments: BySegment, note: str) -> Shown:
    values = np.concatenate([segments[system][label] for system in scores.systems])
    metric = scores.metrics[label]
    decimals = decimals_for(values.tolist())
    return Shown(label, title(label), scores.signatures[label], metric.higher_is_better, decimals, note)


def _unspaced(texts: Texts) -> bool:
    return mostly_unspaced("".join(group[0] for group in texts.references[:200]))


def _splitter(texts: Texts, scores: Scores) -> Tokenizer:
    """Return what splits words for n-grams: BLEU's tokenizer if it was asked for."""
    if _unspaced(texts):
        return tokenizer("char")
    found = next((metric.tokenizer for metric in scores.metrics.values() if isinstance(metric, BLEU)), None)
    found = found.tokenizer if isinstance(found, Canonical) else found  # the words themselves, not their stems
    return found or tokenizer("13a")


def overview(compared: Comparisons, label: str, ranks: Sequence[Rank]) -> tuple[Place, ...]:
    """Return the systems' scores by one metric, best first."""
    systems = list(compared.scores.systems)
    of_rank = {rank.system: rank for rank in ranks}
    one_baseline = len({one.baseline for one in compared.comparisons}) == 1
    tested = [one for one in compared.comparisons if one.metric == label and one_baseline]
    marks = {one.system: compared.direction(one) for one in tested}
    intervals = {one.system: one for one in compared.intervals if one.metric == label}
    places = [
        Place(
            system, k, intervals[system].score, intervals[system].low, intervals[system].high, marks.get(system, ""),
            of_rank.get(system),
        )
        for k, system in enumerate(systems)
    ]  # fmt: skip
    sign = -1 if compared.scores.metrics[label].higher_is_better else 1
    return tuple(sorted(places, key=lambda place: (sign * place.score, place.system)))


def _distribution(scores: Scores, label: str, segments: BySegment) -> Distribution:
    by_system = {system: segments[system][label] for system in scores.systems}
    everything = np.concatenate(list(by_system.values()))
    low, high = float(everything.min()), float(np.quantile(everything, 0.995))
    if low >= 0 and high > 5:
        low = 0.0
        high = 100.0 if float(everything.max()) <= 100.0 + 1e-9 else max(high, 100.0)
    if not high > low:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, _BINS + 1)
    return Distribution(
        tuple(edges.tolist()),
        # Very large error rates go into the last bin rather than make all others narrow.
        {s: tuple(np.histogram(np.clip(v, low, high), edges)[0].tolist()) for s, v in by_system.items()},
        {s: tuple(np.quantile(v, [0.25, 0.5, 0.75]).tolist()) for s, v in by_system.items()},
    )


def _by_length(texts: Texts, scores: Scores, unspaced: bool) -> Groups:
    bounds = _CHARACTERS if unspaced else _LENGTHS
    lengths = np.array([len(group[0]) if unspaced else len(group[0].split()) for group in texts.references])
    group_of = np.searchsorted(bounds, lengths, side="right")
    names = [f"<{bounds[0]}", *(f"{a}–{b - 1}" for a, b in pairwise(bounds)), f"{bounds[-1]}+"]
    rows = scores.rows
    used = [k for k in range(len(names)) if (group_of == k).any()]
    return Groups(
        tuple(names[k] for k in used),
        tuple(int((group_of == k).sum()) for k in used),
        {
            label: {
                system: tuple(float(metric.score(rows[system][label][group_of == k].sum(axis=0))) for k in used)
                for system in scores.systems
            }
            for label, metric in scores.metrics.items()
        },
    )


def _by_document(scores: Scores) -> Groups:
    return Groups(
        scores.document_names or (),
        scores.document_sizes,
        {
            label: {s: tuple(metric.score(scores.document_totals[s][label]).tolist()) for s in scores.systems}
            for label, metric in scores.metrics.items()
        },
    )

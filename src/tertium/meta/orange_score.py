"""ORANGE: does a metric rank what people wrote above what machines wrote? It needs no human judgment."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.imported import Imported
from tertium.metrics.names import labels, title
from tertium.results import Result, Shown, Table, interval, number
from tertium.scoring.loop import fitted
from tertium.scoring.scores import Scores, Tally
from tertium.significance import Comparison, compare, confidence
from tertium.significance.sampling import SEED

ORACLES = ("mean", "each")
TIES = ("average", "optimistic", "pessimistic")
LEAVE_ONE_OUT = ("matched", "full")
_BLOCK = 16_384  # pairs of texts that are scored at once
_ROUNDING = 1e-9  # scores that differ by less, relative to their size, are ties

Lists = Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Orange(Result):
    """How a metric ranks references among machine translations: `value` is the mean of `ratios`, lower is better.

    `oracle_scores` are the references' scores (their means, by `oracle="each"` too), `ranks` their places among
    `candidates` translations, `ratios` the ranks divided by candidates + 1.
    """

    metric: str
    signature: str
    higher_is_better: bool
    value: float
    low: float | None
    high: float | None
    n: int
    candidates: tuple[int, ...]
    references: tuple[int, ...]
    oracle_scores: Floats
    ranks: Floats
    ratios: Floats

    def to_dict(self) -> dict[str, Any]:
        """Return the value, its interval and the number of sentences."""
        return {"metric": self.metric, "value": self.value, "low": self.low, "high": self.high, "n": self.n}


@dataclass(frozen=True, eq=False, repr=False)
class Oranges(Shown):
    """ORANGE of several metrics on the same lists, and tests of every metric against the first."""

    by_metric: dict[str, Orange]
    comparisons: tuple[Comparison, ...]  # in which "systems" are metrics
    oracle: str
    ties: str
    leave_one_out: str
    samples: int
    seed: int

    def __getitem__(self, metric: str) -> Orange:
        if metric not in self.by_metric:
            raise UnknownNameError.of("metric", metric, self.by_metric)
        return self.by_metric[metric]

    def __iter__(self) -> Iterator[Orange]:
        return iter(self.by_metric.values())

    @property
    def signature(self) -> str:
        """What fixes the values, besides the metrics' own signatures."""
        return (
            f"orange:oracle={self.oracle},ties={self.ties},leave_one_out={self.leave_one_out},samples={self.samples},"
            f"seed={self.seed}|tertium={__version__}"
        )

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each metric."""
        return [one.to_dict() for one in self]

    def table(self) -> Table:
        """Return ORANGE of each metric."""
        rows = [[title(one.metric), number(one.value, 4), interval(one.low, one.high, 4)] for one in self]
        least = min(one.value for one in self)
        best = frozenset((i, 1) for i, one in enumerate(self) if one.value == least)
        return Table("References among translations", ["Metric", "ORANGE ↓", "Interval"], rows, [self.signature], best)

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium orange --format json` prints."""
        return {
            "tertium": __version__,
            "signature": self.signature,
            "metrics": [
                {"metric": one.metric, "signature": one.signature, "higher_is_better": one.higher_is_better}
                for one in self
            ],
            "orange": [one.to_dict() for one in self],
            "comparisons": [
                {
                    "metric": one.system,
                    "baseline": one.baseline,
                    "difference": one.difference,
                    "p_value": one.p_value,
                    "p_adjusted": one.p_adjusted,
                    "low": one.low,
                    "high": one.high,
                    "significant": one.significant,
                }
                for one in self.comparisons
            ],
        }


def orange(
    metrics: Iterable[Metric] | Mapping[str, Metric] | Metric,
    nbest: Lists,
    references: Sequence[Sequence[str | None]],
    *,
    oracle: str = "mean",
    ties: str = "average",
    leave_one_out: str = "matched",
    samples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda count: None,
) -> Oranges:
    """Return where metrics rank the references of each sentence among its machine translations (Lin and Och 2004).

    `nbest[i]` are the machine translations of sentence i, `references[i]` its references, of which there must be at
    least two: each is scored against the others, and (`leave_one_out="matched"`) every translation against the same
    others, in turn; with "full" translations are scored against all references, which favours them. `oracle="mean"`
    ranks the mean score of the references, "each" every one of them. A translation with the same score as the
    reference counts half ("average"), not at all ("optimistic") or whole ("pessimistic"). `progress` is told how many
    pairs of texts were scored.
    """
    for kind, value, known in (
        ("oracle", oracle, ORACLES),
        ("rule for ties", ties, TIES),
        ("way to leave one out", leave_one_out, LEAVE_ONE_OUT),
    ):
        if value not in known:
            raise UnknownNameError.of(kind, value, known)
    lists, groups = _checked(nbest, references)
    by_label = labels(metrics)
    for label, metric in by_label.items():
        if isinstance(metric, Imported) or metric.takes_tokens:
            raise InputError(f"{label} cannot score texts, which ORANGE needs. Give a metric on text, such as BLEU().")
    by_label = fitted(by_label, groups)
    found = {}
    done = 0
    for label, metric in by_label.items():
        scored = []
        for sentences in _blocks(lists, groups):
            scored += _scored(metric, lists, groups, sentences, leave_one_out == "full", thread_count(threads))
            done += sum(len(groups[i]) * (len(lists[i]) + 1) for i in sentences)
            progress(done)
        ranks = [_rank(ours, theirs, metric.higher_is_better, oracle, ties) for ours, theirs in scored]
        found[label] = np.array([float(np.mean(theirs)) for _, theirs in scored]), np.array(ranks, np.float64)
    return _summed(by_label, found, lists, groups, oracle, ties, leave_one_out, samples, seed, threads)


def _summed(
    metrics: Mapping[str, Metric], found: Mapping[str, tuple[Floats, Floats]], lists: Lists, groups: Lists,
    oracle: str, ties: str, leave_one_out: str, samples: int, seed: int, threads: int | None,
) -> Oranges:  # fmt: skip
    sizes = np.array([len(candidates) for candidates in lists])
    ratios = {label: ranks / (sizes + 1) for label, (_, ranks) in found.items()}
    scores = _as_scores(ratios)
    single = len(lists) < 2
    intervals = None if single else confidence(scores, samples=samples, seed=seed, threads=threads)
    comparisons: tuple[Comparison, ...] = ()
    if len(metrics) > 1 and not single:
        comparisons = compare(scores, samples=max(samples, 1000), seed=seed, threads=threads).comparisons
    by_metric = {}
    for label, metric in metrics.items():
        interval = None if intervals is None else intervals.of(label, "orange")
        by_metric[label] = Orange(
            metric=label,
            signature=metric.signature("var"),
            higher_is_better=metric.higher_is_better,
            value=float(ratios[label].mean()),
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
            n=len(lists),
            candidates=tuple(sizes.tolist()),
            references=tuple(len(group) for group in groups),
            oracle_scores=found[label][0],
            ranks=found[label][1],
            ratios=ratios[label],
        )
    return Oranges(by_metric, comparisons, oracle, ties, leave_one_out, samples, seed)


def _as_scores(ratios: Mapping[str, Floats]) -> Scores:
    """Return ratios as scores to be resampled: each metric is a system, and its ratios are averaged."""
    metric = Imported(name="orange", higher_is_better=False)
    tally = Tally({"orange": metric}, keep_rows=True)
    tally.add({label: {"orange": np.column_stack([one, np.ones(len(one))])} for label, one in ratios.items()})
    return tally.scores(named=True, reference_count="var")


def _blocks(lists: Lists, groups: Lists) -> Iterator[list[int]]:
    """Return numbers of sentences, so many at a time that they make up a block of pairs."""
    block: list[int] = []
    size = 0
    for i, (candidates, group) in enumerate(zip(lists, groups, strict=True)):
        block.append(i)
        size += len(group) * (len(candidates) + 1)
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _scored(
    metric: Metric, lists: Lists, groups: Lists, sentences: Sequence[int], full: bool, threads: int
) -> list[tuple[Floats, Floats]]:
    """Return, per sentence, the scores of its candidates and of its references."""
    hypotheses: list[str] = []
    references: list[Sequence[str]] = []
    for i in sentences:
        group = groups[i]
        for k, left_out in enumerate(group):
            others = [*group[:k], *group[k + 1 :]]
            hypotheses.append(left_out)
            references.append(others)
            if not full:
                hypotheses += lists[i]
                references += [others] * len(lists[i])
        if full:
            hypotheses += lists[i]
            references += [group] * len(lists[i])
    scores = np.asarray(metric.score(metric.statistics(hypotheses, references, threads=threads)))
    results, begin = [], 0
    for i in sentences:
        count, size = len(groups[i]), len(lists[i])
        if full:
            theirs, ours = scores[begin : begin + count], scores[begin + count : begin + count + size]
            begin += count + size
        else:
            table = scores[begin : begin + count * (size + 1)].reshape(count, size + 1)
            theirs, ours = table[:, 0], table[:, 1:].mean(axis=0)
            begin += count * (size + 1)
        results.append((ours, theirs))
    return results


def _rank(ours: Floats, theirs: Floats, higher_is_better: bool, oracle: str, ties: str) -> float:
    """Return the rank of the references' score among the candidates'; the mean of ranks for `each`."""
    wanted = [float(np.mean(theirs))] if oracle == "mean" else theirs.tolist()
    return float(np.mean([rank_of(score, ours, higher_is_better=higher_is_better, ties=ties) for score in wanted]))


def rank_of(score: float, others: Sequence[float] | Floats, *, higher_is_better: bool, ties: str = "average") -> float:
    """Return the place of a score among others: 1 + those strictly better, and of the ties none, half or all."""
    others = np.asarray(others, np.float64)
    same = np.abs(others - score) <= _ROUNDING * np.maximum(np.abs(others), abs(score))
    better = (others > score if higher_is_better else others < score) & ~same
    weight = {"optimistic": 0.0, "average": 0.5, "pessimistic": 1.0}[ties]
    return 1.0 + float(better.sum()) + weight * float(same.sum())


def _checked(nbest: Any, references: Any) -> tuple[list[list[str]], list[list[str]]]:
    if isinstance(nbest, str) or isinstance(references, str):
        raise InputError("nbest and references are lists of lists: per sentence its translations, and its references.")
    nbest, references = list(nbest), list(references)
    if len(nbest) != len(references):
        raise InputError(
            f"nbest has {len(nbest):,} lists, but references has {len(references):,}. Give one per sentence."
        )
    if not nbest:
        raise InputError("nbest and references are empty: there is no sentence to rank.")
    lists, groups = [], []
    for i, (candidates, group) in enumerate(zip(nbest, references, strict=True)):
        if isinstance(candidates, str) or not all(isinstance(text, str) for text in candidates):
            raise InputError(f"nbest[{i}] must be a list of strings, not {candidates!r:.60}.")
        if len(candidates) == 0:
            raise InputError(f"nbest[{i}] is empty. Leave the sentence out of nbest and references.")
        several = [] if isinstance(group, str) else [text for text in group if text is not None]
        if not all(isinstance(text, str) for text in several):
            raise InputError(f"references[{i}] must be a list of strings, not {group!r:.60}.")
        if len(several) < 2:
            held = "one reference" if isinstance(group, str) or several else "no reference"
            raise InputError(
                f"references[{i}] holds {held}, but "
                "ORANGE scores each reference against the others, so at least two are needed: against itself any "
                "reference would be perfect."
            )
        lists.append(list(candidates))
        groups.append(several)
    return lists, groups

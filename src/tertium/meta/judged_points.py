"""What a metric and people say of the same outputs, as points with intervals: the numbers behind a scatter plot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.judgments import Judgments
from tertium.meta.score_grid import Grid, GridSource, grids, parts_of, systems_of
from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Floats, thread_count
from tertium.metrics.imported import Imported
from tertium.scoring.imported_scores import ImportedScores
from tertium.scoring.scores import Scores
from tertium.significance.intervals import percentile
from tertium.significance.sampling import SEED, bootstrap_totals, replicate_scores, state_of

Between = tuple[float, float] | None

_PARTS = 10  # into which points are cut by their metric score
_LEAST = 10  # points of a part at least
_FEWEST = 4  # units to draw from for an interval


@dataclass(frozen=True)
class Mean:
    """A metric score and a human score that belong together, and where each may lie.

    At system level it is a system; else a part of all points, cut by metric score, of `count` points.
    """

    label: str
    metric: float
    human: float
    metric_interval: Between
    human_interval: Between
    count: int


@dataclass(frozen=True, eq=False)
class Cloud:
    """The points of one metric and one kind of judgment at one level, in the numbers that each uses.

    `points` is (n, 2): metric, human; empty at system level, where `means` has all there is. Where
    `metric_counts_errors` or `human_counts_errors`, lower is better.
    """

    metric: str
    kind: str
    level: str
    points: Floats
    means: tuple[Mean, ...]
    metric_counts_errors: bool
    human_counts_errors: bool


def clouds(
    scores: GridSource,
    judgments: Judgments,
    levels: Sequence[str] = ("segment", "system"),
    *,
    kinds: Sequence[str] | None = None,
    lengths: Floats | None = None,
    documents: Sequence[str] | None = None,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[Cloud, ...]:
    """Return a cloud for each level, kind of judgment and metric that has points there.

    Intervals are from a bootstrap over items: segments, or documents.
    """
    how = _Drawn(samples, confidence, seed, thread_count(threads))
    errors = {one["metric"] for one in scores.head()["metrics"] if not one["higher_is_better"]}
    count = parts_of(scores)[0].segment_count
    restricted = judgments.restricted(systems_of(scores), count, warn=lambda message: None)
    found = []
    for level in levels:
        named = None if kinds is None else [kind for kind in kinds if kind in judgments.kinds]
        if named == []:  # pairs of outputs are no points
            continue
        for grid in grids(scores, judgments, level, kinds=named, lengths=lengths, documents=documents,
                          segments_too=level == "system"):  # fmt: skip
            wrong = grid.kind in judgments.lower_is_better
            if "system" in restricted.levels(grid.kind):  # judged as a whole: segments do not say how sure that is
                grid = replace(grid, segment_human=np.empty((0, 0)))
            humans = how.systems(grid, lengths) if level == "system" else {}
            for label, values in grid.metrics.items():
                if level == "system":
                    points = np.empty((0, 2))
                    means = tuple(_systems(scores, grid, label, humans, how, lengths))
                else:
                    points, means = how.parts(values, grid.human)
                if len(points) or means:
                    found.append(_turned(Cloud(label, grid.kind, level, points, means, label in errors, wrong)))
    return tuple(found)


@dataclass(frozen=True)
class _Drawn:
    """How intervals are made."""

    samples: int
    confidence: float
    seed: int
    threads: int

    def between(self, replicates: Floats) -> Between:
        finite = replicates[np.isfinite(replicates)]
        return percentile(finite, self.confidence) if len(finite) > 1 else None

    def means(self, sums: Floats, counts: Floats) -> list[Between]:
        """Return the interval of each mean (column), whose items (rows) are drawn."""
        rows = np.ascontiguousarray(np.hstack([sums, counts]), np.float64)
        blocks = bootstrap_totals(rows, state_of(self.seed), self.samples, self.threads)
        totals = np.concatenate(list(blocks), axis=1)
        above, below = totals[: sums.shape[1]], totals[sums.shape[1] :]
        drawn = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
        return [self.between(one) for one in drawn]

    def systems(self, grid: Grid, lengths: Floats | None) -> dict[str, Between]:
        """Return the interval of each system's human score, if it is a mean of segments."""
        human = grid.segment_human
        if human.size == 0 or (~np.isnan(human)).sum(axis=1).max() < _FEWEST:
            return {}
        weights = np.where(np.isnan(human), 0.0, 1.0) * (1.0 if lengths is None else np.asarray(lengths, np.float64))
        found = self.means((np.nan_to_num(human) * weights).T, weights.T)
        return dict(zip(grid.systems, found, strict=True))

    def parts(self, values: Floats, human: Floats) -> tuple[Floats, tuple[Mean, ...]]:
        """Return points, and means of human scores in parts of about as many points, cut by the metric's score."""
        there = ~(np.isnan(values) | np.isnan(human))
        items = np.nonzero(there)[1]
        points = np.column_stack([values[there], human[there]])
        count = min(_PARTS, len(points) // _LEAST)
        if count < 2:
            return points, ()
        inner = np.unique(np.quantile(points[:, 0], np.linspace(0, 1, count + 1)[1:-1]))
        place = np.searchsorted(inner, points[:, 0], side="right")
        parts = [place == k for k in range(len(inner) + 1) if (place == k).any()]
        sums = _by_item(parts, items, points[:, 1], human.shape[1])
        counts = _by_item(parts, items, np.ones(len(points)), human.shape[1])
        between = self.means(sums, counts) if human.shape[1] >= _FEWEST else [None] * len(parts)
        means = []
        for k, part in enumerate(parts):
            metric, people = points[part].mean(axis=0).tolist()
            means.append(Mean(f"part {k + 1} of {len(parts)}", metric, people, None, between[k], int(part.sum())))
        return points, tuple(means)


def _by_item(parts: Sequence[Any], items: Any, values: Floats, count: int) -> Floats:
    """Return (items, parts): sums of the values of each item's points in each part."""
    sums = [np.bincount(items[part], weights=values[part], minlength=count) for part in parts]
    return np.stack(sums, axis=1).astype(np.float64)


def _systems(
    scores: GridSource, grid: Grid, label: str, humans: dict[str, Between], how: _Drawn, lengths: Floats | None
) -> Iterator[Mean]:
    """Yield a mean for each system that has both scores."""
    part = next(one for one in parts_of(scores) if label in (one.metrics if isinstance(one, Scores) else one.tables))
    values = grid.metrics[label][:, 0]
    judged = ~np.isnan(grid.segment_human) if grid.segment_human.size else None
    between = dict(_metric_intervals(part, grid.systems, label, judged, how, lengths))
    for k, system in enumerate(grid.systems):
        if not (np.isnan(values[k]) or np.isnan(grid.human[k, 0])):
            count = 1 if judged is None else int(judged[k].sum())
            yield Mean(
                system, float(values[k]), float(grid.human[k, 0]), between.get(system), humans.get(system), count
            )


def _metric_intervals(
    part: Scores | ImportedScores, systems: Sequence[str], label: str, judged: Any, how: _Drawn, lengths: Floats | None
) -> Iterator[tuple[str, Between]]:
    """Yield the interval of each system's score, where segments are known that it was made from."""
    for k, system in enumerate(systems):
        if isinstance(part, Scores):
            if system not in part.systems or part.kept_rows is None:
                continue
            metric, rows = part.metrics[label], part.kept_rows[system][label]
            sign = 1 if metric.higher_is_better else -1
        else:
            table = part.tables[label]
            if system in table.get("system", {}) or system not in table.get("segment", {}):
                continue  # a score of its own, of which nobody knows how it came about; or none
            sign = -1 if label in part.lower_is_better else 1
            values = table["segment"][system]
            metric, rows = Imported(name=label), np.column_stack([values, np.ones(len(values))])
        kept = np.asarray(~np.isnan(rows).any(axis=1) & (True if judged is None else judged[k]))
        if kept.sum() < _FEWEST:
            continue
        used = np.where(kept[:, None], rows, 0.0)
        if lengths is not None and isinstance(metric, Imported | Averaged):
            used = used * np.asarray(lengths, np.float64)[:, None]
        drawn = replicate_scores(metric, [used], state_of(how.seed), how.samples, how.threads)[0]
        yield system, how.between(sign * drawn)


def _turned(cloud: Cloud) -> Cloud:
    """Return scores as they count, errors as errors: grids have all of them negated."""
    across, up = (-1 if wrong else 1 for wrong in (cloud.metric_counts_errors, cloud.human_counts_errors))
    means = tuple(
        Mean(one.label, across * one.metric, up * one.human, _times(one.metric_interval, across),
             _times(one.human_interval, up), one.count)
        for one in cloud.means
    )  # fmt: skip
    points = cloud.points * [across, up]
    return Cloud(
        cloud.metric, cloud.kind, cloud.level, points, means, cloud.metric_counts_errors, cloud.human_counts_errors
    )


def _times(between: Between, sign: int) -> Between:
    if between is None or sign > 0:
        return between
    return -between[1], -between[0]

"""Metric scores and human scores side by side: systems x segments, systems x documents, or one score per system."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Floats, Metric
from tertium.metrics.imported import Imported
from tertium.scoring.imported_scores import ImportedScores
from tertium.scoring.scores import Scores

UNKNOWN = "?"  # the document of a segment whose document nobody knows


@dataclass(frozen=True, eq=False)
class ScoreSources:
    """Scores from several places, of the same segments: computed here, read from tables."""

    parts: tuple[Scores | ImportedScores, ...]

    @property
    def short_signatures(self) -> dict[str, str]:
        """What differs from the defaults in each metric that was computed here."""
        return {label: text for part in self.parts for label, text in part.short_signatures.items()}

    def head(self) -> dict[str, Any]:
        """Return what is known of all metrics."""
        return {"metrics": [metric for part in self.parts for metric in part.head()["metrics"]]}


GridSource = Scores | ImportedScores | ScoreSources


_NEAR = 0.01  # of the spread of systems: a score that is as near to what its segments make is made of them


@dataclass(frozen=True, eq=False)
class Behind:
    """The rows of segments behind the scores of systems: (systems, segments, columns); zeros where there is none."""

    metric: Metric
    rows: Floats
    there: Floats  # (systems, segments): 1 where a segment counts

    def scored(self, counts: Floats) -> Floats:
        """Return oriented scores (replicates, systems) where segments count so often: (replicates, segments)."""
        values = np.stack([self.metric.score(counts @ rows) for rows in self.rows], axis=-1)
        values = np.where(counts @ self.there.T > 0, values, np.nan)
        return values if self.metric.higher_is_better else -values

    def sums_to(self, scores: Floats) -> bool:
        """Whether scores of systems are what their segments make, up to rounding."""
        made = self.scored(np.ones((1, self.rows.shape[1])))[0]
        both = ~(np.isnan(made) | np.isnan(scores))
        reach = _NEAR * float(np.std(scores[both])) if both.any() else 0.0
        return bool(both.any() and (np.abs(made - scores)[both] <= reach + 1e-9).all())


@dataclass(frozen=True, eq=False)
class Grid:
    """Scores of systems (rows) for items (columns), higher being better on both sides; NaN where there is none."""

    kind: str
    level: str
    systems: tuple[str, ...]
    items: tuple[Any, ...]
    human: Floats
    metrics: dict[str, Floats]
    dropped: tuple[str, ...] = ()
    segment_human: Floats = field(default_factory=lambda: np.empty((0, 0)))  # behind system scores, where asked for
    segment_metrics: dict[str, Floats] = field(default_factory=dict)
    human_behind: Behind | None = None
    behind: dict[str, Behind] = field(default_factory=dict)
    lengths: Floats | None = None  # of the judged text behind each score, where lengths of segments are known

    def compared(self, *, by_segments: bool) -> tuple[Floats, dict[str, Floats]]:
        """Return the human side and the metrics: the points, or the segments behind systems."""
        return (self.segment_human, self.segment_metrics) if by_segments else (self.human, self.metrics)

    def weights(self) -> Floats:
        """Return how long the text behind each score is; a point without text weighs as little as can be."""
        if self.lengths is None:
            raise InputError("The lengths of segments are not known.")
        return np.maximum(self.lengths, 1e-12)


def matrix_grid(human: Floats, metrics: Mapping[str, Floats]) -> Grid:
    """Return plain scores, systems x items, as a grid of system means with the judged items behind them."""
    judged = (~np.isnan(human)).astype(np.float64)
    people, *ours = (
        Behind(Imported(name=name), np.stack([np.nan_to_num(values) * judged, judged], axis=-1), judged)
        for name, values in (("human", human), *metrics.items())
    )
    all_once = np.ones((1, human.shape[1]))
    behind = dict(zip(metrics, ours, strict=True))
    means = {name: one.scored(all_once).T for name, one in behind.items()}
    systems = tuple(str(k) for k in range(len(human)))
    return Grid(
        "human", "system", systems, (None,), people.scored(all_once).T, means, (), human,
        {name: np.where(np.isnan(human), np.nan, values) for name, values in metrics.items()}, people, behind,
    )  # fmt: skip


def parts_of(scores: GridSource) -> tuple[Scores | ImportedScores, ...]:
    """Return where scores come from, checked to be of the same segments."""
    parts = scores.parts if isinstance(scores, ScoreSources) else (scores,)
    if not parts or not all(isinstance(part, Scores | ImportedScores) for part in parts):
        raise InputError(f"correlate takes what tertium.score returns, not {type(scores).__name__}.")
    counts = {part.segment_count for part in parts}
    if len(counts) > 1:
        raise InputError(
            f"The scores are of {' and '.join(f'{n:,}' for n in sorted(counts))} segments: they must agree."
        )
    names = [name for part in parts for name in _labels(part)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"There are two metrics called '{name}'. Rename one.")
    return parts


def _labels(part: Scores | ImportedScores) -> list[str]:
    return list(part.metrics if isinstance(part, Scores) else part.tables)


def systems_of(scores: GridSource) -> tuple[str, ...]:
    """Return all systems that have scores."""
    names = tuple(dict.fromkeys(name for part in parts_of(scores) for name in part.systems))
    if names == ("",):
        raise InputError("The scores name no system, but judgments do. Score {'name': hypotheses}.")
    return names


def grids(
    scores: GridSource,
    judgments: Judgments,
    level: str,
    *,
    kinds: Sequence[str] | None = None,
    lengths: Floats | None = None,
    documents: Sequence[str] | None = None,
    segments_too: bool = False,
) -> Iterator[Grid]:
    """Yield a grid for each kind of judgment that has something to say at a level."""
    parts = parts_of(scores)
    count = parts[0].segment_count
    names = systems_of(scores)
    dropped: list[str] = []
    restricted = judgments.restricted(names, count, warn=dropped.append).oriented()
    for kind in kinds or judgments.kinds:
        if kind not in restricted.kinds and kind in judgments.kinds:
            dropped.append(f"No {kind} judgment is about a system that was given.")
    wanted = [kind for kind in kinds or restricted.kinds if kind in restricted.kinds]
    for kind in kinds or ():
        if kind not in judgments.kinds and kind != "preference":
            raise UnknownNameError.of("kind of judgment", kind, judgments.kinds or ["none"])
    for kind in wanted:
        ours = restricted.of_kind(kind)
        judged = {ours.systems[code] for code in np.unique(ours.system.codes).tolist()}
        there = tuple(name for name in names if name in judged)
        absent = [name for name in names if name not in there]
        said = [*dropped, *([f"There is no {kind} judgment of {', '.join(absent)}."] if absent else [])]
        ids = _document_ids(parts, ours, documents, count) if level == "document" else None
        maker = _Maker(ours, kind, there, count, lengths, ids)
        grid = maker.grid(level, parts, said, segments_too=segments_too)
        if grid is not None:
            yield grid


def segment_scores(scores: GridSource) -> dict[str, dict[str, Floats]]:
    """Return segment scores by metric and system, higher being better."""
    found: dict[str, dict[str, Floats]] = {}
    for part in parts_of(scores):
        for label in _labels(part):
            found[label] = {
                name: values for name in part.systems if (values := _segments(part, label, name)) is not None
            }
    return found


def _segments(part: Scores | ImportedScores, label: str, system: str) -> Floats | None:
    """Return the oriented segment scores of a system; None where there are none."""
    if isinstance(part, ImportedScores):
        values = part.tables[label].get("segment", {}).get(system)
        return None if values is None else -values if label in part.lower_is_better else np.asarray(values)
    if system not in part.systems:
        return None
    rows = _rows(part, system, label)
    metric = part.metrics[label]
    there: Any = ~np.isnan(rows).any(axis=1)
    values = np.where(there, metric.score(np.where(there[:, None], rows, 0.0)), np.nan)
    return values if metric.higher_is_better else -values


def _rows(part: Scores, system: str, label: str) -> Floats:
    if part.kept_rows is None:
        raise InputError("The rows were not kept, so there are no scores below the corpus. Score with tertium.score.")
    return part.kept_rows[system][label]


def _document_ids(
    parts: Sequence[Scores | ImportedScores], judgments: Judgments, documents: Sequence[str] | None, count: int
) -> list[str | None]:
    """Return the document of each segment: as given, as scored, or as the judgments have it."""
    if documents is not None:
        if len(documents) != count:
            raise InputError(f"documents has {len(documents):,} ids, but there are {count:,} segments.")
        if set(documents) == {UNKNOWN}:
            raise InputError("Document level needs document ids, but none is known.")
        return list(documents)
    for part in parts:
        if isinstance(part, Scores) and part.document_names is not None and part.document_positions is not None:
            return [part.document_names[place] for place in part.document_positions.tolist()]
        if isinstance(part, ImportedScores) and part.documents is not None:
            return list(part.documents)
    ids: list[str | None] = [None] * count
    for segment, code in zip(judgments.segment.tolist(), judgments.document.codes.tolist(), strict=True):
        if segment > 0 and code >= 0:
            ids[segment - 1] = judgments.document.names[code]
    if not any(ids):
        raise InputError(
            "Document level needs document ids: ", Argument("documents"), ", one per segment, or in the judgments."
        )
    return ids


@dataclass(frozen=True, eq=False)
class _Maker:
    """Makes grids of one kind of judgment."""

    judgments: Judgments
    kind: str
    systems: tuple[str, ...]
    count: int
    lengths: Floats | None
    documents: list[str | None] | None

    def grid(
        self, level: str, parts: Sequence[Scores | ImportedScores], dropped: list[str], *, segments_too: bool
    ) -> Grid | None:
        held = self.judgments.levels(self.kind)
        if not self.systems or (level == "segment" and "segment" not in held):
            return None
        if level == "document" and not {"segment", "document"} & set(held):
            return None
        by_segment: Floats | None = None
        if "segment" in held:
            found = self.judgments.segment_scores(self.kind, segments=self.count, systems=self.systems)
            by_segment = np.stack([found[name] for name in self.systems])
        items: tuple[Any, ...] = (None,)
        if level == "segment":
            assert by_segment is not None
            human, items = by_segment, tuple(range(1, self.count + 1))
        elif level == "document":
            human, items = self._human_documents()
        else:
            scores = self.judgments.system_scores(self.kind, lengths=self.lengths, systems=self.systems)
            human = np.array([[scores[name]] for name in self.systems])
        # What was judged as a whole is scored as a whole; what was judged segment by segment, on those segments.
        judged = None if (level in held and level != "segment") or by_segment is None else ~np.isnan(by_segment)
        metrics = {
            label: np.stack([self._level(part, label, k, level, judged, items) for k in range(len(self.systems))])
            for part in parts for label in _labels(part)
        }  # fmt: skip
        missing = int(np.isnan(human).sum())
        if missing and level != "system":
            dropped = [
                *dropped,
                f"{self.kind}: {missing:,} of {human.size:,} {level}s have no judgment and were left out.",
            ]
        needs_segments = segments_too and level == "system" and by_segment is not None
        return Grid(
            self.kind, level, self.systems, items, human, metrics, tuple(dropped),
            by_segment if needs_segments and by_segment is not None else np.empty((0, 0)),
            self._segment_metrics(parts) if needs_segments else {},
            self._human_behind(by_segment) if needs_segments and by_segment is not None else None,
            self._behind(parts, judged) if needs_segments else {},
            None if self.lengths is None else self._text_lengths(level, judged, items),
        )  # fmt: skip

    def _human_documents(self) -> tuple[Floats, tuple[str, ...]]:
        assert self.documents is not None
        known = [name if name is not None else "" for name in self.documents]
        order = self.judgments.document_order(known)
        found = self.judgments.document_scores(
            self.kind, documents=known, lengths=self.lengths, systems=self.systems
        )  # fmt: skip
        human = np.stack([found[name] for name in self.systems])
        named = [place for place, name in enumerate(order) if name]  # segments of no known document say nothing here
        return human[:, named], tuple(order[place] for place in named)

    def _segment_metrics(self, parts: Sequence[Scores | ImportedScores]) -> dict[str, Floats]:
        empty = np.full(self.count, np.nan)
        found: dict[str, Floats] = {}
        for part in parts:
            for label in _labels(part):
                each = [_segments(part, label, name) for name in self.systems]
                if any(one is not None for one in each):
                    found[label] = np.stack([empty if one is None else one for one in each])
        return found

    def _text_lengths(self, level: str, judged: Any, items: Sequence[Any]) -> Floats:
        """Return the length of the text of each item: of what was judged, or of all if it was judged as a whole."""
        every = np.broadcast_to(np.asarray(self.lengths, np.float64), (len(self.systems), self.count))
        if level == "segment":
            return np.array(every)
        place = self._places(level, items)
        every = every if judged is None else every * judged
        return np.stack([np.bincount(place[place >= 0], row[place >= 0], minlength=len(items)) for row in every])

    def _places(self, level: str, items: Sequence[Any]) -> Any:
        """Return for each segment in which item it is, -1 for none."""
        if level == "system":
            return np.zeros(self.count, np.int64)
        assert self.documents is not None
        at = {name: i for i, name in enumerate(items)}
        return np.array([at.get(name, -1) for name in self.documents], np.int64)

    def _human_behind(self, by_segment: Floats) -> Behind:
        judged = ~np.isnan(by_segment)
        weights = judged * (1.0 if self.lengths is None else np.asarray(self.lengths, np.float64))
        rows = np.stack([np.nan_to_num(by_segment) * weights, weights], axis=-1)
        return Behind(Imported(name=self.kind), rows, judged.astype(np.float64))

    def _behind(self, parts: Sequence[Scores | ImportedScores], judged: Any) -> dict[str, Behind]:
        found: dict[str, Behind] = {}
        for part in parts:
            for label in _labels(part):
                used = [self._used_rows(part, label, k, judged) for k in range(len(self.systems))]
                each = [one for one in used if one is not None]
                if len(each) == len(used):
                    there = np.stack([kept for _, _, kept in each]).astype(np.float64)
                    found[label] = Behind(each[0][0], np.stack([rows for _, rows, _ in each]), there)
        return found

    def _used_rows(
        self, part: Scores | ImportedScores, label: str, k: int, judged: Any
    ) -> tuple[Metric, Floats, Any] | None:
        """Return a metric, a system's rows (zeros where they do not count), and which count; None if there is none."""
        system = self.systems[k]
        if isinstance(part, Scores):
            if system not in part.systems:
                return None
            metric, rows = part.metrics[label], _rows(part, system, label)
        else:  # a table of segments alone: their mean
            segments = _segments(part, label, system)
            if segments is None:
                return None
            metric, rows = Imported(name=label), np.column_stack([segments, np.ones(len(segments))])
        there: Any = ~np.isnan(rows).any(axis=1)
        kept = there if judged is None else there & judged[k]
        used = np.where(kept[:, None], rows, 0.0)
        if self.lengths is not None and isinstance(metric, Imported | Averaged):
            used = used * np.asarray(self.lengths, np.float64)[:, None]
        return metric, used, kept

    def _level(
        self, part: Scores | ImportedScores, label: str, k: int, level: str, judged: Any, items: Sequence[Any]
    ) -> Floats:
        """Return one system's scores by one metric at a level, oriented."""
        if isinstance(part, ImportedScores):
            given = part.tables[label].get(level, {}).get(self.systems[k])
            if given is not None:
                return -given if label in part.lower_is_better else np.asarray(given)
        empty = np.full(len(items), np.nan)
        if level == "segment":
            segments = _segments(part, label, self.systems[k])
            return empty if segments is None else segments
        found = self._used_rows(part, label, k, judged)
        if found is None:
            return empty
        metric, used, kept = found
        place = self._places(level, items)
        inside = place >= 0
        totals = [np.bincount(place[inside], column[inside], minlength=len(items)) for column in used.T]
        sizes = np.bincount(place[inside & kept], minlength=len(items))
        values = np.where(sizes > 0, metric.score(np.stack(totals, axis=-1).astype(np.float64)), np.nan)
        return values if metric.higher_is_better else -values

"""Human judgments as one tidy table, and the scores it holds for segments, documents and systems."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tertium.corpus.segments import MOST_SEGMENTS
from tertium.errors import Argument, InputError, MissingExtraError, UnknownNameError
from tertium.judgments import segment_ids as ids
from tertium.judgments.details import Details
from tertium.judgments.labels import Floats, Ints, Labels, group_means, groups
from tertium.judgments.preferences import Preferences
from tertium.results import Result

LEVELS = ("segment", "document", "system")
FIELDS = ("system", "document", "segment", "rater", "kind", "score", "count")

Warn = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Judgments(Result):
    """A row per judgment.

    `segment` counts from 1, as lines do; 0 is a judgment of a whole document or, without a document, of a system.
    `count` is how many judgments a row stands for. `lower_is_better` are the kinds that count errors. Pairs that
    were judged against each other are in `preferences`; rows that do not count (degraded outputs, tutorials …) are
    `marked` and never pooled with the others. `segment_ids` is what segments 1, 2, … are called where a file does not
    know lines. `details` are times and marked spans, where there are any. `weight`, where there is one, is how much a
    judgment counts in means: 1 divided by the probability with which it was drawn.
    """

    system: Labels
    document: Labels
    segment: Ints
    rater: Labels
    kind: Labels
    score: Floats
    count: Floats
    lower_is_better: frozenset[str] = frozenset()
    preferences: Preferences = field(default_factory=Preferences.empty)
    marked: "Marked | None" = None
    segment_ids: ids.Names = None
    details: Details | None = None
    weight: Floats | None = None

    @classmethod
    def of(
        cls,
        *,
        system: Sequence[str],
        score: Sequence[float] | Floats,
        segment: Sequence[int] | Ints | None = None,
        document: Sequence[str | None] | None = None,
        rater: Sequence[str | None] | None = None,
        kind: Sequence[str] | str = "score",
        count: Sequence[float] | Floats | None = None,
        lower_is_better: Collection[str] = (),
        segment_ids: Sequence[str] | None = None,
        details: Details | None = None,
        weight: Sequence[float] | Floats | None = None,
    ) -> "Judgments":
        """Make judgments of plain columns; those that are not given say nothing."""
        rows = len(system)
        values = np.asarray(score, np.float64)
        numbers = np.zeros(rows, np.int64) if segment is None else np.asarray(segment, np.int64)
        counts = np.ones(rows) if count is None else np.asarray(count, np.float64)
        weights = None if weight is None else np.asarray(weight, np.float64)
        columns = {"score": values, "segment": numbers, "count": counts, "document": document, "rater": rater,
                   "details": details, "weight": weights}  # fmt: skip
        for name, column in columns.items():
            if column is not None and len(column) != rows:
                raise InputError(f"{name} has {len(column):,} rows, but system has {rows:,}.")
        if not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"score[{bad}] is {values[bad]}, but a finite number was expected. Leave the row out.")
        if rows and numbers.min() < 0:
            raise InputError("segment counts from 1 (0: a whole document or system), but there is a negative one.")
        if rows and not counts.min() > 0:
            raise InputError("count is how many judgments a row stands for, so it cannot be 0 or less.")
        if weights is not None and not (np.isfinite(weights) & (weights > 0)).all():
            raise InputError("weight is how much a judgment counts, so it must be a finite number above 0.")
        return cls(
            system=Labels.of(system),
            document=Labels.of(document) if document is not None else Labels.constant(None, rows),
            segment=numbers,
            rater=Labels.of(rater) if rater is not None else Labels.constant(None, rows),
            kind=Labels.constant(kind, rows) if isinstance(kind, str) else Labels.of(kind),
            score=values,
            count=counts,
            lower_is_better=frozenset(lower_is_better),
            segment_ids=None if segment_ids is None else tuple(segment_ids),
            details=details,
            weight=weights,
        )

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, rows: Any) -> "Judgments":
        """Return some of the rows, in the same order; preferences and marked rows stay."""
        return replace(
            self,
            system=self.system[rows],
            document=self.document[rows],
            segment=self.segment[rows],
            rater=self.rater[rows],
            kind=self.kind[rows],
            score=self.score[rows],
            count=self.count[rows],
            details=self.details and self.details[rows],
            weight=None if self.weight is None else self.weight[rows],
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of scores, in order of first appearance."""
        return self.kind.names

    @property
    def systems(self) -> tuple[str, ...]:
        """The judged systems, in order of first appearance."""
        return self.system.names

    @property
    def level(self) -> Ints:
        """For each row the index into `LEVELS`: what it is a judgment of."""
        return np.where(self.segment > 0, 0, np.where(self.document.codes >= 0, 1, 2))

    def levels(self, kind: str) -> tuple[str, ...]:
        """Return which levels the table itself holds for a kind."""
        found = np.bincount(self.of_kind(kind).level, minlength=3)
        return tuple(level for level, count in zip(LEVELS, found, strict=True) if count)

    def of_kind(self, kind: str) -> "Judgments":
        """Return the rows of one kind."""
        if kind not in self.kinds:
            raise UnknownNameError.of("kind of judgment", kind, self.kinds or ["none"])
        return self if len(self.kinds) == 1 else self[self.kind.codes == self.kind.code(kind)]

    def marked_as(self, mark: str) -> "Judgments":
        """Return the rows that do not count for this reason."""
        if self.marked is None:
            return self[:0]
        return self.marked.judgments[self.marked.mark.codes == self.marked.mark.code(mark)]

    def with_marked(self, others: "Judgments", mark: Labels | str) -> "Judgments":
        """Return the same judgments and, beside them, others that do not count, with the reason."""
        new = Marked(others, Labels.constant(mark, len(others)) if isinstance(mark, str) else mark)
        return replace(self, marked=Marked.joined([*([self.marked] if self.marked else []), new]))

    def oriented(self) -> "Judgments":
        """Return the same judgments with those that count errors negated, so that higher is better for all."""
        if not self.lower_is_better:
            return self
        wrong = np.array([kind in self.lower_is_better for kind in self.kinds], bool)
        negated = wrong[self.kind.codes] if len(self) else np.zeros(0, bool)
        return replace(self, score=np.where(negated, 0 - self.score, self.score), lower_is_better=frozenset())

    def check(self, systems: Collection[str], segments: int, documents: Collection[str] | None = None) -> None:
        """Refuse judgments of systems, segments or documents that are not there."""
        for name in self.systems:
            if name not in systems:
                count = int((self.system.codes == self.system.code(name)).sum())
                raise InputError(
                    f"{count:,} judgments are about the system '{name}', which was not given. Given: "
                    f"{', '.join(list(systems)[:12])}. Name the files as the judgments do: {name}=FILE."
                )
        self._check_segments(segments)
        if documents is not None:
            for name in self.document.names:
                if name not in documents:
                    raise InputError(f"There are judgments about the document '{name}', which is not among the ids.")

    def restricted(self, systems: Collection[str], segments: int, *, warn: Warn = lambda message: None) -> "Judgments":
        """Return the judgments of these systems; others are left out and counted. Refuse segments beyond the last."""
        self._check_segments(segments)
        wanted = np.array([name in set(systems) for name in self.systems], bool)
        kept = wanted[self.system.codes] if len(self) else np.zeros(0, bool)
        if not kept.all():
            others = [name for name in self.systems if name not in set(systems)]
            warn(
                f"{int((~kept).sum()):,} of {len(self):,} judgments are about systems that were not given "
                f"({', '.join(others[:12])}{' …' if len(others) > 12 else ''}); they were left out."
            )
        pairs = self.preferences
        if len(pairs):
            pairs = pairs.restricted(list(systems), segments, warn=warn)
        return replace(self[kept], preferences=pairs)

    def _check_segments(self, segments: int) -> None:
        ids.refuse_names(self.segment_ids, "The judgments")
        beyond = np.flatnonzero(self.segment > segments)
        if len(beyond):
            row = int(beyond[0])
            raise InputError(
                f"{len(beyond):,} of {len(self):,} judgments are about segments that are not there, such as "
                f"{self.systems[self.system.codes[row]]}'s segment {self.segment[row]:,}: there are only {segments:,}. "
                "Segments are numbered through the whole test set, from 1."
            )

    def segment_scores(
        self, kind: str, *, segments: int | None = None, systems: Sequence[str] | None = None
    ) -> dict[str, Floats]:
        """Return a score per segment for each system, in the order of segments; NaN where there is no judgment.

        Repeated judgments of a rater are averaged first, then those of different raters.
        """
        ours = self.of_kind(kind)
        ours = ours[ours.segment > 0]
        names = list(ours.systems if systems is None else systems)
        length = int(ours.segment.max()) if segments is None and len(ours) else segments or 0
        if length > MOST_SEGMENTS:
            raise InputError(
                f"Segment {length:,} is beyond the {MOST_SEGMENTS:,} that fit in memory. Is it a line number?"
            )
        if segments is not None:
            ours._check_segments(segments)
        table = np.full((len(names), length), np.nan)
        means = ours.averaged_over_raters()
        places = means.system.recoded(names)
        kept = places >= 0
        table[places[kept], means.segment[kept] - 1] = means.score[kept]
        return dict(zip(names, table, strict=True))

    def document_order(self, documents: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return the documents in order of first appearance: in the test set if given, else in the table."""
        return tuple(dict.fromkeys(documents)) if documents is not None else self.document.names

    def document_scores(
        self,
        kind: str,
        *,
        documents: Sequence[str] | None = None,
        lengths: Floats | None = None,
        systems: Sequence[str] | None = None,
    ) -> dict[str, Floats]:
        """Return a score per document for each system, in the order of `document_order`; NaN where there is none.

        `documents` is the id of each segment. A document's score is the mean of its judged segments, weighted by
        `lengths` if they are given, unless documents were judged themselves.
        """
        ours = self.of_kind(kind)
        order = self.document_order(documents)
        if not order:
            raise InputError(
                f"There are no document scores of {kind}: the judgments name no documents. Give ",
                Argument("documents"),
                ", one id per segment.",
            )
        names = list(ours.systems if systems is None else systems)
        whole = ours[ours.level == 1]
        if len(whole):
            means = whole.averaged_over_raters()
            at = means.document.recoded(order).astype(np.int64)
            values, weights = means.score, means.weights()
        else:
            means = ours[ours.segment > 0].averaged_over_raters()
            at, values = _documents_of(means, documents, order), means.score
            weights = means.weights(lengths)
        return _laid_out(names, means.system.recoded(names), at, len(order), values, weights)

    def system_scores(
        self, kind: str, *, lengths: Floats | None = None, systems: Sequence[str] | None = None
    ) -> dict[str, float]:
        """Return a score for each system; NaN where there is none.

        It is what the table says of whole systems; if it says nothing, the mean of the judged segments, weighted by
        `lengths` if they are given; if there are none, the mean of the judged documents.
        """
        ours = self.of_kind(kind)
        names = list(ours.systems if systems is None else systems)
        level = 2 if (ours.level == 2).any() else int(ours.level.min()) if len(ours) else 0
        means = ours[ours.level == level].averaged_over_raters()
        weights = means.weights(lengths if level == 0 else None)
        at = np.zeros(len(means), np.int64)
        scores = _laid_out(names, means.system.recoded(names), at, 1, means.score, weights)
        return {name: float(values[0]) for name, values in scores.items()}

    def score_pairs(self, kind: str, *, minimum: float = 0) -> Preferences:
        """Return the preferences that segment scores imply, for each pair of systems on each segment.

        Scores that differ by less than `minimum` say nothing, and the pair is left out (25 for WMT's daRR); without a
        minimum, equal scores are a tie.
        """
        if minimum < 0:
            raise InputError(f"minimum is a difference of scores, so it cannot be {minimum}.")
        ours = self.of_kind(kind).oriented()
        means = ours[ours.segment > 0].averaged_over_raters()
        segments, places = np.unique(means.segment, return_inverse=True)
        table = np.full((len(means.systems), len(segments)), np.nan)
        table[means.system.codes, places] = means.score
        first, second = np.triu_indices(len(table), 1)
        parts = []
        for one, two in zip(first.tolist(), second.tolist(), strict=True):
            difference = table[one] - table[two]
            wanted = np.isfinite(difference) & ((np.abs(difference) >= minimum) if minimum else True)
            at = np.flatnonzero(wanted)
            parts.append((np.full(len(at), one), np.full(len(at), two), segments[at], np.sign(difference[at])))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0)] * 4
        rows = len(columns[0])
        return Preferences(
            means.systems,
            columns[0].astype(np.int32),
            columns[1].astype(np.int32),
            columns[2].astype(np.int64),
            columns[3].astype(np.int8),
            Labels.constant(None, rows),
            Labels.constant(None, rows),
        )

    def weights(self, lengths: Floats | None = None) -> Floats:
        """Return how much each row counts: the length of its segment (1 without lengths) times its own weight."""
        own = np.ones(len(self)) if self.weight is None else self.weight
        if lengths is None:
            return own
        lengths = np.asarray(lengths, np.float64)
        if not np.isfinite(lengths).all() or (lengths < 0).any():
            raise InputError("lengths must be numbers of tokens, one per segment, none of them negative or NaN.")
        self._check_segments(len(lengths))
        return np.asarray(lengths[self.segment - 1] * own, np.float64)

    def averaged_over_raters(self) -> "Judgments":
        """Return one row per system, item and kind: repeated judgments of a rater averaged, then those of raters."""
        return self._grouped(by_rater=True)._grouped(by_rater=False)

    def averaged_within_raters(self) -> "Judgments":
        """Return one row per system, item, kind and rater."""
        return self._grouped(by_rater=True)

    def _grouped(self, *, by_rater: bool) -> "Judgments":
        columns: list[Any] = [self.kind.codes, self.system.codes, self.segment]
        # A segment belongs to one document, whether or not every row says so.
        columns.append(np.where(self.segment > 0, -1, self.document.codes))
        if by_rater:
            columns.append(self.rater.codes)
        first, inverse = groups(*columns)
        if len(first) == len(self):
            return self if by_rater else replace(self, rater=Labels.constant(None, len(self)))
        weights = (self.count if by_rater else np.ones(len(self))) * self.weights()
        means = group_means(self.score, weights, inverse, len(first))
        # What was drawn more often has the weight of all its draws, as the mean over draws asks for.
        drawn = (
            None if self.weight is None else np.bincount(inverse, self.weight, minlength=len(first)).astype(np.float64)
        )
        merged = replace(
            replace(self, details=None)[first],
            score=means,
            count=np.bincount(inverse, self.count, minlength=len(first)).astype(np.float64),
            weight=drawn,
        )
        return merged if by_rater else replace(merged, rater=Labels.constant(None, len(first)))

    def records(self, *, marked: bool = False) -> Iterator[dict[str, Any]]:
        """Return the rows as a tidy file holds them; with `marked`, those that do not count follow, with the reason."""
        yield from ({**record, "mark": None} for record in self._records()) if marked else self._records()
        if marked and self.marked is not None:
            marks = self.marked.mark.texts()
            for record, mark in zip(self.marked.judgments._records(), marks, strict=True):
                yield {**record, "mark": mark}

    def _records(self) -> Iterator[dict[str, Any]]:
        columns: dict[str, Sequence[Any]] = {
            "system": self.system.texts(),
            "document": self.document.texts(),
            "segment": self.segment_names(),
            "rater": self.rater.texts(),
            "kind": self.kind.texts(),
            "score": self.score.tolist(),
            "count": [int(count) if count == int(count) else count for count in self.count.tolist()],
        }
        if self.weight is not None:
            columns["weight"] = self.weight.tolist()
        if self.lower_is_better:
            columns["lower_is_better"] = [kind in self.lower_is_better for kind in columns["kind"]]
        if self.details is not None:
            columns |= self.details.columns()
        for values in zip(*columns.values(), strict=True):
            yield dict(zip(columns, values, strict=True))

    def segment_names(self) -> list[int | str | None]:
        """Return what each row's segment is called: its number, or its name where it has one; None if there is none."""
        return ids.called(self.segment, self.segment_ids)

    def fields(self, *, marked: bool = False) -> tuple[str, ...]:
        """Return the columns that a tidy file needs: those that hold anything, besides the usual ones."""
        errors = ("lower_is_better",) if self.lower_is_better else ()
        tables = [self, *([self.marked.judgments] if marked and self.marked is not None else [])]
        weight = ("weight",) if any(table.weight is not None for table in tables) else ()
        details = dict.fromkeys(name for table in tables if table.details is not None for name in table.details.fields)
        return (*FIELDS, *weight, *errors, *details, *(("mark",) if marked else ()))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {"judgments": list(self.records()), "lower_is_better": sorted(self.lower_is_better)}

    def rows_of_frame(self) -> Iterable[dict[str, Any]]:
        """Return a row for each judgment."""
        return self.records()

    def to_arrow(self) -> Any:
        """Return the rows as an Arrow table."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("to_arrow needs pyarrow: pip install pyarrow.") from None
        return pyarrow.Table.from_pylist(list(self.records()))

    @staticmethod
    def joined(parts: "Sequence[Judgments]") -> "Judgments":
        """Put judgments one below the other."""
        if not parts:
            return Judgments.of(system=[], score=[])
        if len(parts) == 1:
            return parts[0]
        segment, segment_ids = ids.joined([(part.segment, part.segment_ids) for part in parts])
        has_details = any(part.details is not None for part in parts)
        has_weight = any(part.weight is not None for part in parts)
        return Judgments(
            system=Labels.joined([part.system for part in parts]),
            document=Labels.joined([part.document for part in parts]),
            segment=segment,
            rater=Labels.joined([part.rater for part in parts]),
            kind=Labels.joined([part.kind for part in parts]),
            score=np.concatenate([part.score for part in parts]),
            count=np.concatenate([part.count for part in parts]),
            lower_is_better=frozenset().union(*(part.lower_is_better for part in parts)),
            preferences=Preferences.joined([part.preferences for part in parts]),
            marked=Marked.joined([part.marked for part in parts if part.marked is not None]),
            segment_ids=segment_ids,
            details=Details.joined([part.details or Details.of(len(part)) for part in parts]) if has_details else None,
            weight=np.concatenate([part.weights() for part in parts]) if has_weight else None,
        )


@dataclass(frozen=True, eq=False)
class Marked:
    """Judgments that do not count, each with the reason: `degraded`, `reference` …"""

    judgments: Judgments
    mark: Labels

    @staticmethod
    def joined(parts: "Sequence[Marked]") -> "Marked | None":
        """Put marked judgments one below the other."""
        if not parts:
            return None
        return Marked(
            Judgments.joined([part.judgments for part in parts]), Labels.joined([part.mark for part in parts])
        )


def _documents_of(means: Judgments, documents: Sequence[str] | None, order: Sequence[str]) -> Ints:
    if documents is None:
        return means.document.recoded(order).astype(np.int64)
    means._check_segments(len(documents))
    return Labels.of(documents).codes[means.segment - 1].astype(np.int64)


def _laid_out(
    names: Sequence[str], systems: Any, at: Any, width: int, values: Floats, weights: Floats
) -> dict[str, Floats]:
    """Return weighted means by system and place; NaN where nothing has weight."""
    kept = (systems >= 0) & (at >= 0)
    cells = systems[kept].astype(np.int64) * width + at[kept]
    size = len(names) * width
    sums = np.bincount(cells, values[kept] * weights[kept], minlength=size)
    total = np.bincount(cells, weights[kept], minlength=size)
    means = np.divide(sums, total, out=np.full(size, np.nan), where=total > 0)
    return dict(zip(names, means.reshape(len(names), width), strict=True))

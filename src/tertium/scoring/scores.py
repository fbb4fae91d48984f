"""What scoring gives: rows, and the scores of segments, documents and the whole corpus that they add up to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import Argument, InputError, MissingExtraError, UnknownNameError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.names import heading
from tertium.results import Shown, Table, pandas_frame, polars_frame

LEVELS = ("corpus", "document", "segment")
_RECORDS = 8192  # records that are made at once

Record = dict[str, Any]
FIELDS = ("system", "metric", "level", "document", "segment", "score", "low", "high", "segments", "references")
Positions = np.ndarray[Any, np.dtype[np.intp]]


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Shown):
    """The scores of one or several systems by one or several metrics.

    Without system names, `corpus["bleu"]` is a number; with them, `corpus["online-a"]["bleu"]` is.
    """

    metrics: dict[str, Metric]
    named: bool
    segment_count: int
    reference_count: int | str
    totals: dict[str, dict[str, Floats]]
    kept_rows: dict[str, dict[str, Floats]] | None = None
    document_names: tuple[str, ...] | None = None
    document_totals: dict[str, dict[str, Floats]] = field(default_factory=dict)
    document_sizes: tuple[int, ...] = ()
    resegmented: str | None = None  # how hypotheses were cut to segments, if they were
    document_positions: Positions | None = None  # of each segment's document among the names, if rows are kept
    system_sizes: dict[str, int] | None = None  # segments by system, where they are not all the same

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order they were given."""
        return tuple(self.totals)

    @property
    def corpus(self) -> dict[str, Any]:
        """One number per metric, for the whole corpus."""
        return self._by_system(lambda metric, system, label: float(metric.score(self.totals[system][label])))

    @property
    def segments(self) -> dict[str, Any]:
        """One array per metric, with a number per segment."""
        return self._by_system(lambda metric, system, label: metric.score(self._rows(system, label)))

    @property
    def documents(self) -> dict[str, Any]:
        """One number per metric and document."""
        if self.document_names is None:
            raise InputError("There are no document scores: give ", Argument("documents"), ", one id per segment.")
        names = self.document_names

        def score(metric: Metric, system: str, label: str) -> dict[str, float]:
            scores = metric.score(self.document_totals[system][label])
            return dict(zip(names, scores.tolist(), strict=True))

        return self._by_system(score)

    @property
    def rows(self) -> dict[str, Any]:
        """The statistics matrix per metric: (segments, columns)."""
        return self._by_system(lambda metric, system, label: self._rows(system, label))

    @property
    def signatures(self) -> dict[str, str]:
        """What fixes each metric's score, reproducible and reversible."""
        return {
            label: metric.signature(self.reference_count, self.resegmented) for label, metric in self.metrics.items()
        }

    def records(self, levels: Iterable[str] = LEVELS, *, parts: bool = False) -> Iterator[Record]:
        """Return tidy rows, one per system, metric, level and item."""
        for level in dict.fromkeys(levels):
            if level not in LEVELS:
                raise UnknownNameError.of("level", level, LEVELS)
            for system in self.systems:
                for label, metric in self.metrics.items():
                    yield from self._records(level, system, label, metric, parts)

    def merge(self, other: "Scores") -> "Scores":
        """Return the scores of these segments followed by those of another shard: same metrics, same systems."""
        if not isinstance(other, Scores) or self.metrics != other.metrics or self.systems != other.systems:
            raise InputError(
                "Only scores of the same systems by the same metrics, with the same settings, can be merged."
            )
        if (self.kept_rows is None) != (other.kept_rows is None) or (
            (self.document_names is None) != (other.document_names is None)
        ):
            raise InputError("Both shards, or neither, must have segment rows and documents to be merged.")
        if self.resegmented != other.resegmented:
            raise InputError("Only shards whose hypotheses were cut to segments in the same way can be merged.")
        tally = Tally(self.metrics, keep_rows=self.kept_rows is not None)
        for shard in (self, other):
            tally.add_scores(shard)
        same = self.reference_count == other.reference_count
        merged = tally.scores(named=self.named, reference_count=self.reference_count if same else "var")
        return replace(merged, resegmented=self.resegmented)

    def renamed(self, names: Mapping[str, str]) -> "Scores":
        """Return the same scores with other names for some of the systems."""

        def keyed(by_system: Mapping[str, Any]) -> dict[str, Any]:
            return {names.get(system, system): value for system, value in by_system.items()}

        return replace(
            self,
            totals=keyed(self.totals),
            kept_rows=None if self.kept_rows is None else keyed(self.kept_rows),
            document_totals=keyed(self.document_totals),
            system_sizes=None if self.system_sizes is None else keyed(self.system_sizes),
        )

    def to_dict(self, levels: Iterable[str] | None = None, *, parts: bool = False) -> dict[str, Any]:
        """Return what `tertium score --format json` prints; by default corpus and, if given, documents."""
        if levels is None:
            levels = ["corpus"] if self.document_names is None else ["corpus", "document"]
        return self.head() | {"scores": list(self.records(levels, parts=parts))}

    @property
    def short_signatures(self) -> dict[str, str]:
        """What differs from the defaults in each metric, on one line."""
        return {
            label: metric.short_signature(self.reference_count, self.resegmented)
            for label, metric in self.metrics.items()
        }

    def head(self) -> dict[str, Any]:
        """Return what `to_dict` holds besides the scores: the version, and the metrics with their signatures."""
        signatures = self.signatures
        metrics = [
            {"metric": label, "signature": signatures[label], "higher_is_better": metric.higher_is_better}
            for label, metric in self.metrics.items()
        ]
        return {"tertium": __version__, "metrics": metrics}

    def to_pandas(self, levels: Iterable[str] | None = None) -> Any:
        """Return the tidy rows as a pandas data frame."""
        return pandas_frame(self.records(self._levels(levels)))

    def to_polars(self, levels: Iterable[str] | None = None) -> Any:
        """Return the tidy rows as a Polars data frame."""
        return polars_frame(self.records(self._levels(levels)))

    def table(self) -> Table:
        """Return the corpus scores, systems by metrics."""
        values = [[float(m.score(self.totals[s][label])) for label, m in self.metrics.items()] for s in self.systems]
        best = set()
        for k, metric in enumerate(self.metrics.values()):
            column = [round(row[k], 2) for row in values]
            top = max(column) if metric.higher_is_better else min(column)
            best |= {(i, k + 1) for i, value in enumerate(column) if value == top and min(column) < max(column)}
        count = self.reference_count
        references = "a varying number of references" if count == "var" else f"{count} reference{'s' * (count != 1)}"
        heads = [heading(label, metric) for label, metric in self.metrics.items()]
        cells = [[f"{x:.2f}" for x in row] for row in values]
        if self.systems != ("",):
            heads, cells = ["System", *heads], [[s, *row] for s, row in zip(self.systems, cells, strict=True)]
        return Table(
            f"Scores of {self.segment_count:,} segment{'s' * (self.segment_count != 1)} against {references}",
            heads,
            cells,
            list(self.short_signatures.values()),
            frozenset(best),
            words=len(heads) - len(self.metrics),
        )

    def to_arrow(self, levels: Iterable[str] | None = None) -> Any:
        """Return the tidy rows as an Arrow table."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("to_arrow needs pyarrow: pip install pyarrow.") from None
        return pyarrow.Table.from_pylist(list(self.records(self._levels(levels))))

    def _levels(self, levels: Iterable[str] | None) -> list[str]:
        there = {"document": self.document_names is not None, "segment": self.kept_rows is not None}
        return list(levels) if levels is not None else [level for level in LEVELS if there.get(level, True)]

    def _rows(self, system: str, label: str) -> Floats:
        if self.kept_rows is None:
            raise InputError("The rows were not kept, so there are no segment scores.")
        return self.kept_rows[system][label]

    def _by_system(self, value: Any) -> dict[str, Any]:
        results = {
            system: {label: value(metric, system, label) for label, metric in self.metrics.items()}
            for system in self.systems
        }
        return results if self.named else results[self.systems[0]]

    def _records(self, level: str, system: str, label: str, metric: Metric, parts: bool) -> Iterator[Record]:
        sizes: tuple[int, ...] | None = None
        if level == "corpus":
            totals = self.totals[system][label][None, :]
            sizes = (self.segment_count if self.system_sizes is None else self.system_sizes[system],)
        elif level == "document":
            if self.document_names is None:
                raise InputError("There are no document scores: give document ids, one per segment.")
            totals, sizes = self.document_totals[system][label], self.document_sizes
        else:
            totals = self._rows(system, label)
        for begin in range(0, len(totals), _RECORDS):
            block = totals[begin : begin + _RECORDS]
            scores = metric.score(block).tolist()
            values = {name: value.tolist() for name, value in metric.parts(block).items()} if parts else {}
            for index, value in enumerate(scores):
                place = begin + index
                record: Record = {
                    "system": system or None,
                    "metric": label,
                    "level": level,
                    "document": (self.document_names or ())[place] if level == "document" else None,
                    "segment": place + 1 if level == "segment" else None,
                    "score": value,
                    "low": None,
                    "high": None,
                    "segments": sizes[place] if sizes else 1,
                    "references": self.reference_count,
                }
                if parts:
                    record["parts"] = {name: column[index] for name, column in values.items()}
                yield record


class Tally:
    """Adds up rows, block by block, into what `Scores` holds."""

    def __init__(self, metrics: Mapping[str, Metric], *, keep_rows: bool) -> None:
        self._metrics = dict(metrics)
        self._keep_rows = keep_rows
        self._count = 0
        self._totals: dict[str, dict[str, Floats]] = {}
        self._rows: dict[str, dict[str, list[Floats]]] = {}
        self._documents: dict[str, int] = {}  # the place of each among the names
        self._document_sizes: Counter[str] = Counter()
        self._document_totals: dict[str, dict[str, Floats]] = {}
        self._segment_documents: list[Positions] = []

    def add(self, rows: Mapping[str, Mapping[str, Floats]], *, documents: Sequence[str] | None = None) -> None:
        """Add the rows of further segments, with their document ids if there are any."""
        places = None
        if documents is not None:
            self._document_sizes.update(documents)
            places = self._places(documents)
            if self._keep_rows:
                self._segment_documents.append(places)
        for system, by_label in rows.items():
            for label, block in by_label.items():
                self._add(system, label, block.sum(axis=0), block, block, places)
        self._count += len(block)

    def add_scores(self, shard: Scores) -> None:
        """Add what another tally had added up."""
        places = None
        if shard.document_names is not None:
            self._document_sizes.update(dict(zip(shard.document_names, shard.document_sizes, strict=True)))
            places = self._places(shard.document_names)
            if self._keep_rows and shard.document_positions is not None:
                self._segment_documents.append(places[shard.document_positions])
        for system, by_label in shard.totals.items():
            for label, totals in by_label.items():
                kept = None if shard.kept_rows is None else shard.kept_rows[system][label]
                of_documents = None if places is None else shard.document_totals[system][label]
                self._add(system, label, totals, kept, of_documents, places)
        self._count += shard.segment_count

    def _places(self, documents: Sequence[str]) -> Positions:
        known = self._documents
        return np.array([known.setdefault(name, len(known)) for name in documents], np.intp)

    def _add(
        self,
        system: str,
        label: str,
        totals: Floats,
        rows: Floats | None,
        of_documents: Floats | None,
        places: Positions | None,
    ) -> None:
        """Add what one system has by one metric: in all, by segment, and by document at its place."""
        known = self._totals.setdefault(system, {})
        known[label] = known[label] + totals if label in known else totals
        if self._keep_rows and rows is not None:
            self._rows.setdefault(system, {}).setdefault(label, []).append(rows)
        if of_documents is not None and places is not None:
            sums = np.zeros((len(self._documents), len(totals)))
            by_label = self._document_totals.setdefault(system, {})
            if label in by_label:
                sums[: len(by_label[label])] = by_label[label]
            np.add.at(sums, places, of_documents)
            by_label[label] = sums

    def scores(self, *, named: bool, reference_count: int | str) -> Scores:
        """Return what was added up so far."""
        kept = None
        if self._keep_rows:
            kept = {s: {label: _stacked(blocks) for label, blocks in by.items()} for s, by in self._rows.items()}
        names = tuple(self._documents) or None
        return Scores(
            metrics=self._metrics,
            named=named,
            segment_count=self._count,
            reference_count=reference_count,
            totals=self._totals,
            kept_rows=kept,
            document_names=names,
            document_totals=self._document_totals,
            document_sizes=tuple(self._document_sizes[name] for name in names or ()),
            document_positions=np.concatenate(self._segment_documents) if self._segment_documents else None,
        )


def _stacked(blocks: list[Floats]) -> Floats:
    """Return the blocks as one matrix. Each is let go once it is copied, so that memory is not needed twice."""
    if len(blocks) == 1:
        return blocks[0]
    whole = np.empty((sum(map(len, blocks)), blocks[0].shape[1] if blocks else 0))
    end = len(whole)
    while blocks:
        block = blocks.pop()
        whole[end - len(block) : end] = block
        end -= len(block)
    blocks.append(whole)
    return whole

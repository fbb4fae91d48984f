"""Rows added up, block by block, into what scores are made of."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from tertium.metrics.base import Floats, Metric
from tertium.scoring.scores import Positions, Scores


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

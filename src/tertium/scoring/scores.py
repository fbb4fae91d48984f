"""Rows for systems and metrics, and the scores they add up to: segments, documents, the whole corpus."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from tertium import __version__, _native
from tertium.corpus import Segments, check_parallel, hypothesis_texts, is_arrow, reference_texts
from tertium.errors import Argument, InputError, MissingExtraError, UnknownNameError
from tertium.metrics.alignment import Alignment
from tertium.metrics.base import Floats, Metric, References, thread_count
from tertium.metrics.names import labels

LEVELS = ("corpus", "document", "segment")
_BLOCK = 16_384  # segments whose tokens are held at once, where several metrics or systems share them

_RECORDS = 8192  # records that are made at once

Record = dict[str, Any]
FIELDS = ("system", "metric", "level", "document", "segment", "score", "low", "high", "segments", "references")
Positions = np.ndarray[Any, np.dtype[np.intp]]


@dataclass(frozen=True, eq=False)
class Scores:
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
    document_positions: Positions | None = None  # of each segment's document among the names, if rows are kept

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
        return {label: metric.signature(self.reference_count) for label, metric in self.metrics.items()}

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
        tally = Tally(self.metrics, self.systems, keep_rows=self.kept_rows is not None)
        for shard in (self, other):
            tally.add_scores(shard)
        same = self.reference_count == other.reference_count
        return tally.scores(named=self.named, reference_count=self.reference_count if same else "var")

    def to_dict(self, levels: Iterable[str] | None = None, *, parts: bool = False) -> dict[str, Any]:
        """Return what `tertium score --format json` prints; by default corpus and, if given, documents."""
        if levels is None:
            levels = ["corpus"] if self.document_names is None else ["corpus", "document"]
        return self.head() | {"scores": list(self.records(levels, parts=parts))}

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
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("to_pandas needs pandas: pip install pandas.") from None
        return pandas.DataFrame(list(self.records(self._levels(levels))))

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
        if level == "corpus":
            totals = self.totals[system][label][None, :]
        elif level == "document":
            if self.document_names is None:
                raise InputError("There are no document scores: give document ids, one per segment.")
            totals = self.document_totals[system][label]
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
                    "segments": self._size(level, place),
                    "references": self.reference_count,
                }
                if parts:
                    record["parts"] = {name: column[index] for name, column in values.items()}
                yield record

    def _size(self, level: str, place: int) -> int:
        if level == "corpus":
            return self.segment_count
        return self.document_sizes[place] if level == "document" else 1


def score(
    metrics: Iterable[Metric] | Mapping[str, Metric] | Metric,
    hypotheses: Sequence[Any] | Mapping[str, Sequence[Any]],
    references: References | None = None,
    *,
    reference_sets: Sequence[Sequence[str | None]] | None = None,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
) -> Scores:
    """Score hypotheses against references.

    `references[i]` is a string or a list of strings for segment i, with None for a missing one. References that
    come set by set, as sacreBLEU takes them, are given as `reference_sets`.
    """
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"": hypotheses}
    if not systems:
        raise InputError("No system was given: hypotheses is empty.")
    by_label = labels(metrics)
    on_tokens = {metric.takes_tokens for metric in by_label.values()}
    if len(on_tokens) > 1:
        raise InputError("Metrics on tokens (tokenize='tokens') and metrics on text need a call each.")
    texts = _Texts(systems, references, reference_sets, on_tokens=on_tokens.pop())
    by_label = fitted(by_label, texts.borrowed_references)
    tally = Tally(by_label, list(systems), keep_rows=True)
    tally.add(texts.rows(by_label, thread_count(threads)), documents=_document_ids(documents, texts.count))
    return tally.scores(named=isinstance(hypotheses, Mapping), reference_count=texts.reference_count)


def fitted(metrics: Mapping[str, Metric], references: Any) -> dict[str, Metric]:
    """Return the metrics; those that have to learn something first have learnt it from these references."""
    return {label: m if m.is_fitted else m.fitted_to(references) for label, m in metrics.items()}


def align(metric: Metric, hypothesis: str, references: str | Sequence[str]) -> Alignment:
    """Return how a metric aligns one hypothesis with its reference, or with the one of several that counts."""
    if not isinstance(hypothesis, str):
        raise InputError(f"align takes one hypothesis, a string, not {hypothesis!r:.60}.")
    group = [references] if isinstance(references, str) else [text for text in references if text is not None]
    if not group or not all(isinstance(text, str) for text in group):
        raise InputError("align takes one reference or a list of them, each a string.")
    return metric.align(hypothesis, group)


class _Texts:
    """What `score` was given, checked: borrowed texts, and the lists themselves for metrics on tokens."""

    def __init__(self, systems: Mapping[str, Any], references: Any, reference_sets: Any, *, on_tokens: bool) -> None:
        first = next(iter(systems.values()))
        count = len(first) if hasattr(first, "__len__") and not isinstance(first, str) else -1
        self.systems = systems
        self.references = _per_segment(references, reference_sets, count)
        self.count = count
        self.reference_count: int | str = "var" if on_tokens else 1
        self._theirs: _native.Texts | None = None
        self._ours: dict[str, _native.Texts] = {}
        if not on_tokens:
            self._borrow()

    @property
    def borrowed_references(self) -> Any:
        """The references, as metrics learn from them."""
        return self.references if self._theirs is None else self._theirs

    def _borrow(self) -> None:
        self._theirs = reference_texts(self.references)
        self.count = len(self._theirs)
        if self.count == 0 and all(len(texts) == 0 for texts in self.systems.values()):
            raise InputError("hypotheses and references are empty: there is no segment to score.")
        self.reference_count = self._theirs.group_size or ("var" if self.count else 1)
        for system, texts in self.systems.items():
            self._ours[system] = hypothesis_texts(texts, f"hypotheses[{system!r}]" if system else "hypotheses")
            check_parallel(len(self._ours[system]), self.count, nested=self.references)

    def rows(self, metrics: Mapping[str, Metric], threads: int) -> dict[str, dict[str, Floats]]:
        """Return the rows of each system by each metric."""
        if self._theirs is None:
            return {
                system: {label: m.statistics(texts, self.references, threads=threads) for label, m in metrics.items()}
                for system, texts in self.systems.items()
            }
        blocks = []
        for begin in range(0, max(self.count, 1), _BLOCK):
            part = {system: texts.slice(begin, begin + _BLOCK) for system, texts in self._ours.items()}
            blocks.append(block_rows(metrics, part, self._theirs.slice(begin, begin + _BLOCK), threads))
        return {
            system: {label: np.vstack([block[system][label] for block in blocks]) for label in metrics}
            for system in self.systems
        }


class Tally:
    """Adds up rows, block by block, into what `Scores` holds."""

    def __init__(self, metrics: Mapping[str, Metric], systems: Sequence[str], *, keep_rows: bool) -> None:
        self._metrics = dict(metrics)
        self._totals = {
            system: {label: np.zeros(len(metric.columns)) for label, metric in metrics.items()} for system in systems
        }
        self._keep_rows = keep_rows
        self._rows: dict[str, dict[str, list[Floats]]] = {s: {label: [] for label in metrics} for s in systems}
        self._documents: dict[str, int] | None = None
        self._document_sizes: Counter[str] = Counter()
        self._document_totals: dict[str, dict[str, Floats]] = {s: {} for s in systems}
        self._segment_documents: list[Positions] = []
        self._count = 0

    def add(self, rows: Mapping[str, Mapping[str, Floats]], *, documents: Sequence[str] | None = None) -> None:
        """Add the rows of further segments, with their document ids if there are any."""
        positions = None if documents is None else self._positions(documents)
        if positions is not None and self._keep_rows:
            self._segment_documents.append(positions)
        for system, by_label in rows.items():
            for label, block in by_label.items():
                self._totals[system][label] += block.sum(axis=0)
                if self._keep_rows:
                    self._rows[system][label].append(block)
                if positions is not None:
                    self._add_documents(system, label, block, positions)
        self._count += len(block)

    def add_scores(self, shard: Scores) -> None:
        """Add what another tally had added up."""
        names = shard.document_names
        positions = None
        if names is not None:
            self._document_sizes.update(dict(zip(names, shard.document_sizes, strict=True)))
            positions = self._places(names)
            if self._keep_rows and shard.document_positions is not None:
                self._segment_documents.append(positions[shard.document_positions])
        for system in shard.systems:
            for label in shard.metrics:
                self._totals[system][label] += shard.totals[system][label]
                if self._keep_rows and shard.kept_rows is not None:
                    self._rows[system][label].append(shard.kept_rows[system][label])
                if positions is not None:
                    self._add_documents(system, label, shard.document_totals[system][label], positions)
        self._count += shard.segment_count

    def _positions(self, documents: Sequence[str]) -> Positions:
        self._document_sizes.update(documents)
        return self._places(documents)

    def _places(self, documents: Sequence[str]) -> Positions:
        known = self._documents = {} if self._documents is None else self._documents
        return np.array([known.setdefault(name, len(known)) for name in documents], np.intp)

    def _add_documents(self, system: str, label: str, block: Floats, positions: np.ndarray[Any, Any]) -> None:
        totals = np.zeros((len(self._documents or ()), block.shape[1]))
        before = self._document_totals[system].get(label)
        if before is not None:
            totals[: len(before)] = before
        np.add.at(totals, positions, block)
        self._document_totals[system][label] = totals

    def scores(self, *, named: bool, reference_count: int | str) -> Scores:
        """Return what was added up so far."""
        kept = None
        if self._keep_rows:
            kept = {s: {label: _stacked(blocks) for label, blocks in by.items()} for s, by in self._rows.items()}
        names = None if self._documents is None else tuple(self._documents)
        return Scores(
            metrics=self._metrics,
            named=named,
            segment_count=self._count,
            reference_count=reference_count,
            totals=self._totals,
            kept_rows=kept,
            document_names=names,
            document_totals=self._document_totals if names is not None else {},
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


def block_rows(
    metrics: Mapping[str, Metric],
    hypotheses: Mapping[str, _native.Texts],
    references: _native.Texts,
    threads: int,
) -> dict[str, dict[str, Floats]]:
    """Return the rows of each system by each metric; tokens that several need are made once."""
    by_tokenizer = Counter(metric.tokenizer for metric in metrics.values() if metric.tokenizer is not None)
    ours: set[Hashable] = {one for one, uses in by_tokenizer.items() if uses > 1}
    theirs = {one for one, uses in by_tokenizer.items() if uses * len(hypotheses) > 1}
    reference_side = Segments(references, stored=theirs, threads=threads)
    rows = {}
    for system, texts in hypotheses.items():
        side = Segments(texts, stored=ours, threads=threads)
        rows[system] = {label: metric.rows(side, reference_side, threads=threads) for label, metric in metrics.items()}
    return rows


def _per_segment(
    references: References | None, reference_sets: Sequence[Sequence[str | None]] | None, count: int
) -> Sequence[Any]:
    if (references is None) == (reference_sets is None):
        raise InputError("Give either references=, one item per segment, or reference_sets=, one list per set.")
    if reference_sets is not None:
        return _transposed(reference_sets, count)
    if isinstance(references, str):
        raise InputError("references is one string. Give one item per segment: [text].")
    if is_arrow(references):
        return cast(Sequence[Any], references)
    per_segment = list(cast(Sequence[Any], references))
    _refuse_ambiguous(per_segment, count)
    return per_segment


def _transposed(reference_sets: Sequence[Sequence[str | None]], count: int) -> list[list[str]]:
    sets = list(reference_sets)
    if isinstance(reference_sets, str) or any(isinstance(one, str) for one in sets):
        raise InputError("reference_sets must be a list of lists, one per reference set. Give [texts] for one set.")
    if not sets:
        raise InputError("reference_sets is empty. Give at least one list of references.")
    for index, one in enumerate(sets):
        if len(one) != count:
            raise InputError(
                f"reference_sets[{index}] has {len(one):,} texts, but there are {count:,} hypotheses. Each set has "
                "one text per segment, or None."
            )
    groups = [[text for text in group if text is not None] for group in zip(*sets, strict=True)]
    for index, group in enumerate(groups):
        if not group:
            raise InputError(f"Segment {index} has no reference: it is None in all {len(sets)} sets.")
    return groups


def _refuse_ambiguous(references: Sequence[Any], count: int) -> None:
    """A square of texts can be read by segments and by sets; where that matters, only its owner knows."""
    square = (
        count > 1
        and len(references) == count
        and all(isinstance(group, list | tuple) and len(group) == count for group in references)
        and all(isinstance(text, str | None) for group in references for text in group)
    )
    if not square:
        return
    for i in range(count):
        for j in range(i):
            if references[i][j] != references[j][i]:
                raise InputError(
                    f"references is {count} lists of {count} texts for {count} hypotheses: they can be read per "
                    f"segment or per reference set, and the readings first differ at references[{j}][{i}]. Pass them "
                    "as reference_sets= (one list per set) to say which is meant."
                )


def _document_ids(documents: Sequence[str] | None, count: int) -> list[str] | None:
    if documents is None:
        return None
    documents = documents if isinstance(documents, str) else list(documents)
    if isinstance(documents, str) or len(documents) != count:
        size = "is one string" if isinstance(documents, str) else f"has {len(documents):,} ids"
        raise InputError(f"documents {size}, but there are {count:,} segments. Give one id per segment.")
    return [str(name) for name in documents]

"""Batches of a table, scored: the one function under Polars, DuckDB, Spark and whatever else speaks Arrow.

A batch is anything that pyarrow takes for a table: a record batch, a table, a data frame. What comes out has a row for
each row that went in; where the hypothesis is null, or no reference is there, it is null.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError, MissingExtraError, SegmentError, UnknownNameError
from tertium.metrics import parse_metric
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.metrics.names import metric_text

_BLOCK = 8192  # rows that are counted and scored before the next are


@dataclass(frozen=True)
class Counted:
    """The rows of a batch, and which of them stand for no segment."""

    rows: Floats
    missing: list[int]

    @property
    def present(self) -> Any:
        """Which rows stand for a segment."""
        found = np.ones(len(self.rows), bool)
        found[self.missing] = False
        return found


def statistics(
    batch: Any,
    metric: Metric | str,
    *,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = ("ref",),
    threads: int | None = None,
) -> Any:
    """Return a record batch with the metric's columns: the statistics of each row, or nulls.

    `references` are one or more columns, of strings or of lists of strings; where some are null, the others count.
    """
    pyarrow = _pyarrow()
    metric = metric_of(metric)
    counted = rows_of(batch, metric, hypothesis=hypothesis, references=references, threads=threads)
    mask = ~counted.present if counted.missing else None
    columns = [pyarrow.array(np.ascontiguousarray(column), mask=mask) for column in counted.rows.T]
    return pyarrow.record_batch(columns, names=list(metric.columns))


def score(
    batch: Any,
    metric: Metric | str,
    *,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = ("ref",),
    threads: int | None = None,
) -> Any:
    """Return an array with the score of each row as a sentence, or null."""
    pyarrow = _pyarrow()
    metric = metric_of(metric)
    counted = rows_of(batch, metric, hypothesis=hypothesis, references=references, threads=threads)
    return pyarrow.array(metric.score(counted.rows), mask=~counted.present if counted.missing else None)


def rows_of(
    batch: Any,
    metric: Metric,
    *,
    hypothesis: str,
    references: str | Sequence[str],
    threads: int | None = None,
) -> Counted:
    """Return the statistics of a batch as a matrix; rows without a segment are those of empty texts."""
    names = [references] if isinstance(references, str) else list(references)
    if not names:
        raise InputError("references names no column. Give at least one.")
    ours = _native.arrow_texts_or_none(column_of(batch, hypothesis), hypothesis, False)
    theirs = [_native.arrow_texts_or_none(column_of(batch, name), name, True) for name in names]
    return counted_rows(ours, theirs, metric, threads=thread_count(threads))


def counted_rows(
    ours: _native.Texts, theirs: Sequence[_native.Texts], metric: Metric, *, threads: int, before: int = 0
) -> Counted:
    """Return the statistics of texts, of which some may be missing; `before` is how many rows came earlier."""
    check_countable(metric)
    ours, references, missing = paired(ours, theirs)
    try:
        rows = metric.rows(Segments(ours), Segments(references), threads=threads)
    except SegmentError as error:
        raise error.after(before) from None
    return Counted(rows, missing)


def paired(ours: _native.Texts, theirs: Sequence[_native.Texts]) -> tuple[_native.Texts, _native.Texts, list[int]]:
    """Return hypotheses and references with empty texts where one is missing, and the places of those."""
    references = theirs[0] if len(theirs) == 1 else _native.zipped_texts(list(theirs))
    missing = sorted({*ours.missing(), *references.missing()})
    return (ours.filled(), references.filled(), missing) if missing else (ours, references, missing)


def row_blocks(
    ours: _native.Texts, references: _native.Texts, metric: Metric, *, threads: int
) -> Iterator[tuple[int, Floats]]:
    """Return the rows of many texts in blocks that stay in the cache, each with the place where it begins."""
    size = _BLOCK * threads
    for begin in range(0, len(references), size):
        end = begin + size
        try:
            block = Segments(ours.slice(begin, end)), Segments(references.slice(begin, end))
            yield begin, metric.rows(*block, threads=threads)
        except SegmentError as error:
            raise error.after(begin) from None


def check_countable(metric: Metric) -> None:
    """Refuse a metric that cannot count a batch by itself."""
    if metric.takes_tokens:
        raise InputError("Metrics on tokens (tokenize='tokens') take lists; columns hold texts. Use tokenize='blank'.")
    if not metric.is_fitted:
        raise InputError(
            f"{metric.name} has to learn from all references first: metric.fitted_to(table['ref']). "
            "(tertium.spark.score does so by itself.)"
        )


def column_of(batch: Any, name: str) -> Any:
    """Return a column of a batch by its name."""
    if hasattr(batch, "column_names") and hasattr(batch, "column"):
        names = list(batch.column_names)
    elif hasattr(batch, "schema") and hasattr(batch.schema, "names"):
        names = list(batch.schema.names)
    else:
        names = list(getattr(batch, "columns", ()))
    if name not in names:
        raise UnknownNameError.of("column", name, [str(one) for one in names] or ["none"])
    return batch.column(name) if hasattr(batch, "column") else batch[name]


def metric_of(metric: Metric | str) -> Metric:
    """Return a metric that was given as one, or as a text."""
    if isinstance(metric, str):
        return parse_metric(metric)
    if not isinstance(metric, Metric):
        raise InputError(f"{metric!r} is no metric. Give an object such as CHRF(), or a text such as 'chrf'.")
    return metric


@lru_cache(maxsize=64)
def cached_metric(text: str) -> Metric:
    """Return the metric of a text; engines hand over texts, many times the same."""
    return parse_metric(text)


def portable_text(metric: Metric) -> str:
    """Return the text that brings a metric back in another process; refuse one that no text can bring back."""
    text = metric_text(metric)
    if cached_metric(text) != metric:
        raise InputError(f"{metric!r} cannot be told by a text ({text}), so it cannot be handed to another process.")
    return text


def sentence_metric(name: str) -> Metric:
    """Return a metric for single sentences: BLEU counts the orders they have."""
    return parse_metric("bleu:effective_order=true" if name == "bleu" else name)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("tertium.arrow needs a package: pip install 'tertium[arrow]'.") from None
    return pyarrow

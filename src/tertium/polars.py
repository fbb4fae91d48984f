"""Expressions for Polars: scores and statistics of columns, eager, lazy or streaming, without a Python string.

    frame.with_columns(tertium.polars.chrf("hyp", "ref"))
    rows = tertium.polars.statistics("hyp", "ref", metric="bleu")
    frame.group_by("system").agg(tertium.polars.total(rows, metric="bleu"))

The core is a plugin of Polars by itself (native/bindings/polars.cpp). An expression holds the text of its metric, so a
lazy frame can be sent elsewhere.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.arrow import (
    cached_metric,
    check_countable,
    metric_of,
    paired,
    portable_text,
    row_blocks,
    sentence_metric,
)
from tertium.errors import InputError, MissingExtraError
from tertium.metrics.base import Metric, thread_count

if TYPE_CHECKING:
    import polars

_COUNT = "__count"  # of rows that are not null, beside their sums
Column = Any  # a column's name, or an expression


def statistics(hypothesis: Column, *references: Column, metric: Metric | str) -> "polars.Expr":
    """Return an expression of structs: the statistics of each row, null where a text is."""
    one = metric_of(metric)
    return _expression("statistics", hypothesis, references, one, ",".join(one.columns))


def score(hypothesis: Column, *references: Column, metric: Metric | str) -> "polars.Expr":
    """Return an expression of numbers: the score of each row as a sentence, null where a text is."""
    return _expression("score", hypothesis, references, metric_of(metric), "")


def bleu(hypothesis: Column, *references: Column) -> "polars.Expr":
    """Return an expression of sentence BLEU, with the orders that each sentence has (`effective_order`)."""
    return score(hypothesis, *references, metric=sentence_metric("bleu"))


def chrf(hypothesis: Column, *references: Column) -> "polars.Expr":
    """Return an expression of sentence chrF."""
    return score(hypothesis, *references, metric="chrf")


def ter(hypothesis: Column, *references: Column) -> "polars.Expr":
    """Return an expression of sentence TER."""
    return score(hypothesis, *references, metric="ter")


def total(rows: "str | polars.Expr", *, metric: Metric | str) -> "polars.Expr":
    """Return an expression that adds up statistics and scores the sum: the corpus score, in `select` or `agg`.

    `rows` is a column of structs, or the expression that makes it. Where all of them are null, so is the score.
    """
    pl = _polars()
    one = metric_of(metric)
    column = pl.col(rows) if isinstance(rows, str) else rows
    there = column.struct.field(one.columns[0]).count().alias(_COUNT)
    sums = pl.struct([column.struct.field(name).sum() for name in one.columns] + [there])

    def scored(series: Any) -> Any:
        frame = series.struct.unnest()
        some = frame[_COUNT].to_numpy() > 0  # a sum of nothing would score as the best of errors
        values = np.full(len(some), np.nan)
        values[some] = one.score(frame.drop(_COUNT).to_numpy()[some])
        return pl.Series(series.name, values, pl.Float64).fill_nan(None)

    scores: polars.Expr = sums.map_batches(scored, return_dtype=pl.Float64, is_elementwise=True)
    return scores.alias(one.name)


def corpus(
    frame: Any,
    metrics: Sequence[Metric | str] | Metric | str,
    *,
    hypothesis: Column = "hyp",
    references: str | Sequence[Column] = ("ref",),
    by: str | Sequence[str] = (),
) -> Any:
    """Return a frame with the corpus score of each group by each metric, lazily if the frame is lazy.

    `segments` counts the rows that were scored, `nulls` those left out because a text is null.
    """
    pl = _polars()
    from tertium.metrics.names import labels

    by_label = labels(metrics)
    names = [references] if isinstance(references, str) else list(references)
    groups = [by] if isinstance(by, str) else list(by)
    made = {f"__rows_{k}": statistics(hypothesis, *names, metric=one) for k, one in enumerate(by_label.values())}
    first = next(iter(made))
    scores = [
        total(column, metric=one).alias(label) for column, (label, one) in zip(made, by_label.items(), strict=True)
    ]
    present = pl.col(first).is_not_null()
    counts = [present.sum().alias("segments"), present.not_().sum().alias("nulls")]
    rows = frame.with_columns(**made)
    if not groups:
        return rows.select(*scores, *counts)
    return rows.group_by(groups, maintain_order=True).agg(*scores, *counts)


def _expression(
    function: str, hypothesis: Column, references: Sequence[Column], metric: Metric, columns: str
) -> "polars.Expr":
    if not references:
        raise InputError("No column of references was given: chrf('hyp', 'ref').")
    check_countable(metric)
    if any("," in column for column in metric.columns):
        raise InputError(f"{metric.name} has a column with a comma in its name, which Polars cannot be told.")
    pl = _polars()
    arguments = [pl.col(one) if isinstance(one, str) else one for one in (hypothesis, *references)]
    literal = pl.lit(portable_text(metric)).alias(columns)
    expression: polars.Expr = pl.plugins.register_plugin_function(
        plugin_path=_native.__file__,
        function_name=function,
        args=[*arguments, literal],
        is_elementwise=True,
        use_abs_path=True,
    )
    return expression.alias(metric.name)


def plugin_values(texts: Sequence[_native.Texts], metric: str, rows: bool, one_thread: bool) -> tuple[Any, list[int]]:
    """Return what the plugin fills its result from: (columns, rows) of numbers, and the rows that are null."""
    one = cached_metric(metric)
    ours, references, missing = paired(texts[0], texts[1:])
    values = np.empty((len(one.columns) if rows else 1, len(references)))
    for begin, block in row_blocks(ours, references, one, threads=1 if one_thread else thread_count(None)):
        values[:, begin : begin + len(block)] = block.T if rows else one.score(block)
    return values, missing


def _polars() -> Any:
    try:
        import polars
    except ImportError:
        raise MissingExtraError("tertium.polars needs a package: pip install 'tertium[polars]'.") from None
    return polars

"""Functions for DuckDB: scores and statistics of columns in SQL, without a Python string.

tertium.duckdb.register(connection)
SELECT chrf(hyp, ref) FROM pairs
SELECT system, bleu_total(bleu_rows(hyp, ref)) FROM pairs GROUP BY system
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tertium import _native
from tertium.arrow import check_countable, counted_rows, metric_of, sentence_metric
from tertium.errors import InputError, MissingExtraError
from tertium.metrics.base import Metric, thread_count

DEFAULT: Mapping[str, str] = {"bleu": "bleu", "chrf": "chrf", "ter": "ter"}


def register(connection: Any, metrics: Mapping[str, Metric | str] = DEFAULT, *, threads: int = 1) -> None:
    """Give a connection three functions for each metric, under the name it stands for.

    | function | gives |
    |---|---|
    | `chrf(hyp, ref, …)` | the score of the row as a sentence |
    | `chrf_rows(hyp, ref, …)` | its statistics, a struct |
    | `chrf_total(rows)` | an aggregate: the score of all rows together |

    A reference may be a text or a list of texts; there may be several. Where the hypothesis is null, or all references
    are, so is the result, and totals leave it out. `threads` is for each of DuckDB's own threads.
    """
    duckdb = _duckdb()
    thread_count(threads)
    for name, given in metrics.items():
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
            raise InputError(
                f"'{name}' is no name that a function of SQL can have: use letters, digits and underscores."
            )
        metric = metric_of(given)
        check_countable(metric)
        single = sentence_metric("bleu") if given == "bleu" else metric
        struct = duckdb.struct_type(dict.fromkeys(metric.columns, "DOUBLE"))
        _create(connection, name, _scores(single, threads), "DOUBLE")
        _create(connection, f"{name}_rows", _rows(metric, threads), struct)
        _create(connection, f"{name}_of", _score_of(metric), "DOUBLE", [struct])
        sums = ", ".join(f"'{column}': sum(rows.{column})" for column in metric.columns)
        connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_total(rows) AS {name}_of({{{sums}}})")


def _create(
    connection: Any, name: str, function: Callable[..., Any], gives: Any, takes: list[Any] | None = None
) -> None:
    error = _duckdb().Error
    try:
        connection.create_function(name, function, takes, gives, type="arrow", null_handling="special")
    except error as refused:
        if "already" not in str(refused):
            raise
        connection.remove_function(name)
        connection.create_function(name, function, takes, gives, type="arrow", null_handling="special")


def _counted(metric: Metric, threads: int, columns: tuple[Any, ...]) -> Any:
    if len(columns) < 2:
        raise InputError(f"{metric.name} takes a hypothesis and one or more references: {metric.name}(hyp, ref).")
    ours = _native.arrow_texts_or_none(columns[0], "hypothesis", False)
    theirs = [_native.arrow_texts_or_none(column, f"reference {k}", True) for k, column in enumerate(columns[1:], 1)]
    return counted_rows(ours, theirs, metric, threads=threads)


def _scores(metric: Metric, threads: int) -> Callable[..., Any]:
    def scores(*columns: Any) -> Any:
        counted = _counted(metric, threads, columns)
        return _numbers(metric.score(counted.rows), ~counted.present if counted.missing else None)

    return scores


def _rows(metric: Metric, threads: int) -> Callable[..., Any]:
    def rows(*columns: Any) -> Any:
        import pyarrow

        counted = _counted(metric, threads, columns)
        mask = ~counted.present if counted.missing else None
        values = [_numbers(np.ascontiguousarray(column), mask) for column in counted.rows.T]
        missing = None if mask is None else pyarrow.array(mask)
        return pyarrow.StructArray.from_arrays(values, names=list(metric.columns), mask=missing)

    return rows


def _score_of(metric: Metric) -> Callable[..., Any]:
    def score_of(sums: Any) -> Any:
        whole = sums.combine_chunks() if hasattr(sums, "combine_chunks") else sums
        columns = whole.flatten()
        missing = np.asarray(columns[0].is_null())  # a sum of nothing
        totals = np.stack([column.fill_null(0).to_numpy(zero_copy_only=False) for column in columns], axis=1)
        return _numbers(np.asarray(metric.score(totals), np.float64), missing if missing.any() else None)

    return score_of


def _numbers(values: Any, mask: Any) -> Any:
    import pyarrow

    return pyarrow.array(values, pyarrow.float64(), mask=mask)


def _duckdb() -> Any:
    try:
        import duckdb
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingExtraError("tertium.duckdb needs packages: pip install 'tertium[duckdb]'.") from None
    return duckdb

"""Scores on a Spark cluster: a data frame in, scores with intervals out, in one pass.

    tertium.spark.score(df, ["bleu", "chrf"], hypothesis="hyp", references=["ref"], by=["system"], confidence=True)
    tertium.spark.statistics(df, "chrf", keep=["id"])

Executors count batches in Arrow's form (`mapInArrow`), each partition into sums of its own; only sums travel. Spark
keeps what a task gives if the task ends well, and once, so retries and speculation count no row twice. tertium must be
installed where the executors are.
"""

import os
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.arrow import check_countable, counted_rows, metric_of, portable_text
from tertium.errors import Argument, InputError, MissingExtraError, TertiumError, UnknownNameError
from tertium.metrics import parse_metric
from tertium.metrics.base import Floats, Metric
from tertium.metrics.names import Metrics, labels
from tertium.scoring.scores import Scores
from tertium.shards.row_files import groups
from tertium.significance.comparison import Comparisons
from tertium.significance.intervals import Confidence
from tertium.significance.keyed import (
    KeyedSums,
    Keys,
    compare_sums,
    confidence_of,
    numbered_keys,
    scores_of,
    text_keys,
)
from tertium.significance.sampling import SEED, check_samples, check_seed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from tertium.shards.scoring import Shards

_CHUNK = 128  # replicates whose sums travel together
_SEPARATOR = " / "  # between the values of several columns that name a group
_SUMS = "system string, label string, part int, numbers binary, mark long"
_HEAD = 4  # numbers before the totals: segments, nulls, references and their squares


@dataclass(frozen=True, eq=False)
class ClusterScores(Scores):
    """Scores of groups, with what a cluster knows besides: intervals, nulls, and what tests need."""

    confidence: Confidence | None = None
    nulls: int = 0  # rows without a hypothesis or a reference, which were left out
    sums: dict[str, KeyedSums] | None = None
    has_ids: bool = False

    def compare(self, *, baseline: str | None = None, correction: str = "holm", level: float = 0.05) -> Comparisons:
        """Test every group against the baseline (by default the first), segment by segment."""
        if self.confidence is None or self.sums is None:
            raise InputError("Tests need replicates: call score with confidence=True.")
        return compare_sums(self.sums, self.metrics, scores=self, baseline=baseline, correction=correction, level=level)


def score(
    df: "DataFrame",
    metrics: Metrics,
    *,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = ("ref",),
    by: str | Sequence[str] = (),
    id: str | None = None,
    confidence: bool = False,
    samples: int = 1000,
    seed: int = SEED,
) -> ClusterScores:
    """Return the scores of each group of `by` (one or more columns, such as the system), or of all rows.

    With `confidence`, replicates of the bootstrap are drawn on the way, with weights from the column `id`. Without one,
    rows are known by their references: those with equal ones are drawn together, in all groups. A row with a null for
    the hypothesis, or for all references, is left out and counted in `nulls`.
    """
    by_label = labels(metrics)
    names = [references] if isinstance(references, str) else list(references)
    of_group = [by] if isinstance(by, str) else list(by)
    _check_columns(df, hypothesis, names, [*of_group, *([id] if id is not None else [])])
    fitted = _fitted(df, by_label, names)
    from pyspark.sql import functions as F

    system = F.concat_ws(_SEPARATOR, *(F.coalesce(F.col(c).cast("string"), F.lit("null")) for c in of_group))
    chosen = df.select(
        (system if of_group else F.lit("")).alias("system"),
        F.col(hypothesis).alias("hyp"),
        *(F.col(name).alias(f"ref{k}") for k, name in enumerate(names)),
        *([F.col(id).cast("string").alias("id")] if id is not None else []),
    )
    task = _Task.of(chosen, fitted, len(names), "texts" if id is None else "id", samples if confidence else 0, seed)
    return _scored(chosen, task, fitted, named=bool(of_group), has_ids=id is not None)


def statistics(
    df: "DataFrame",
    metric: Metric | str,
    *,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = ("ref",),
    keep: str | Sequence[str] = (),
) -> "DataFrame":
    """Return a data frame with the columns of `keep`, the statistics of each row, and its score as a sentence.

    Where the hypothesis is null, or all references are, so are the numbers.
    """
    one = metric_of(metric)
    names = [references] if isinstance(references, str) else list(references)
    kept = [keep] if isinstance(keep, str) else list(keep)
    _check_columns(df, hypothesis, names, kept)
    taken = {*one.columns, "score"} & set(kept)
    if taken:
        raise InputError(f"'{sorted(taken)[0]}' is a column of {one.name}: call the one that is kept otherwise.")
    one = _fitted(df, {one.name: one}, names)[one.name]
    check_countable(one)
    from pyspark.sql import functions as F
    from pyspark.sql.types import DoubleType, StructField, StructType

    fields = [df.schema[name] for name in kept]
    numbers = [StructField(name, DoubleType()) for name in (*one.columns, "score")]
    chosen = df.select(
        *kept, F.col(hypothesis).alias("__hyp"), *(F.col(n).alias(f"__ref{k}") for k, n in enumerate(names))
    )
    rows = _Rows(_portable({one.name: one}), len(kept), len(names))
    return chosen.mapInArrow(rows, StructType([*fields, *numbers]))


def score_patterns(
    shards: "Shards", metrics: Mapping[str, Metric], *, master: str | None, samples: int, seed: int
) -> ClusterScores:
    """Score shards of Parquet on a cluster, as `tertium score … --engine spark` does; ids are those of local runs."""
    first = next(iter(shards.systems.values()))
    for pattern in shards.patterns:
        if pattern.paths != first.paths or pattern.column is None:
            raise InputError(
                "On Spark, hypotheses and references are columns of the same Parquet files: 'shards/*.parquet:hyp' "
                f"-r 'shards/*.parquet:ref'. {pattern.text} is none of them."
            )
    with session(master) as spark:
        from pyspark.sql import functions as F

        df = spark.read.parquet(*(os.path.abspath(path) for path in first.paths))
        columns = [pattern.column or "" for pattern in shards.patterns]
        named = [name for name in (shards.by, shards.ids) if name is not None]
        _check_columns(df, columns[0], columns[1:], named)
        theirs = [pattern.column or "" for pattern in shards.references]
        fitted = _fitted(df, metrics, theirs)
        sides = [F.col(name).alias(f"ref{k}") for k, name in enumerate(theirs)]
        if shards.ids is not None:
            naming = [F.col(shards.ids).cast("string").alias("id")]
        else:
            naming = [F.col("_metadata.file_path").alias("shard"), F.col("_metadata.row_index").alias("place")]
        parts = [
            df.select(
                (F.lit(system) if shards.by is None else F.col(shards.by).cast("string")).alias("system"),
                F.col(pattern.column or "").alias("hyp"),
                *sides,
                *naming,
            )
            for system, pattern in shards.systems.items()
        ]
        chosen = parts[0]
        for part in parts[1:]:
            chosen = chosen.unionByName(part)
        known = {os.path.basename(path): name for path, name in zip(first.paths, first.names, strict=True)}
        if shards.ids is None and len(known) < len(first.paths):
            raise InputError(
                "Two shards have the same name in different folders. Name segments by a column: ", Argument("id"), "."
            )
        kind = "row" if shards.ids is None else "id"
        task = _Task.of(chosen, fitted, len(theirs), kind, samples, seed, known)
        return _scored(chosen, task, fitted, named=True, has_ids=shards.ids is not None)


@contextmanager
def session(master: str | None = None) -> Iterator[Any]:
    """Give the session that is there, or a new one that ends with the block."""
    _pyspark()
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("tertium").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    if master is None and "SPARK_MASTER" not in os.environ and "MASTER" not in os.environ:
        master = "local[*]"
    if master is not None:
        builder = builder.master(master)
    if master is not None and master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
    try:
        spark = builder.getOrCreate()
    except Exception as error:
        raise InputError(
            f"Spark could not be started ({_first_line(error)}). Is Java 17 or newer there? Is ",
            Argument("master"),
            " right?",
        ) from None
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


# --- on the driver ------------------------------------------------------------------------------------------


def _scored(
    chosen: "DataFrame", task: "_Task", metrics: dict[str, Metric], *, named: bool, has_ids: bool
) -> ClusterScores:
    """Have partitions count, add up what they found, and score the sums."""
    partial = chosen.mapInArrow(task, _SUMS)
    with _told():
        found = partial.groupBy("system", "label", "part").applyInArrow(_added, _SUMS).collect()
    by_system: dict[str, KeyedSums] = {}
    references: set[int | str] = set()
    nulls = 0
    widths = {label: len(metric.columns) for label, metric in metrics.items()}
    first = next(iter(metrics))
    for row in sorted(found, key=lambda row: (row.system, row.label, row.part)):
        sums = by_system.get(row.system)
        if sums is None:
            sums = by_system[row.system] = KeyedSums(widths, samples=task.samples, seed=task.seed)
        numbers = np.frombuffer(row.numbers, np.float64)
        if row.part == 0:
            sums.totals[row.label] = numbers[_HEAD:].copy()
            if row.label == first:
                sums.count, sums.mark = int(numbers[0]), row.mark % (1 << 64)
                nulls += int(numbers[1])
                references |= {_common(*numbers[[0, 2, 3]])} if numbers[0] else set()
        else:
            block = numbers.reshape(widths[row.label], -1)
            begin = (row.part - 1) * _CHUNK
            sums.replicates[row.label][:, begin : begin + block.shape[1]] = block
    by_system = {system: sums for system, sums in by_system.items() if sums.count}
    if not by_system:
        raise InputError("There is no row that can be scored: the data frame is empty, or all texts are null.")
    count = next(iter(references)) if len(references) == 1 else "var"
    scores = scores_of(by_system, metrics, reference_count=count, named=named)
    return ClusterScores(
        **{name: getattr(scores, name) for name in scores.__dataclass_fields__},
        confidence=confidence_of(by_system, metrics) if task.samples else None,
        nulls=nulls,
        sums=by_system,
        has_ids=has_ids,
    )


def _common(count: float, references: float, squares: float) -> int | str:
    """Return how many references each segment has, from their sum and the sum of their squares."""
    return int(references / count) if references * references == count * squares else "var"


def _added(table: Any) -> Any:
    """Add up what partitions found of one system, metric and part."""
    import pyarrow

    numbers = np.sum([np.frombuffer(one, np.float64) for one in table.column("numbers").to_pylist()], axis=0)
    mark = table.column("mark").to_numpy().view(np.uint64).sum(dtype=np.uint64).view(np.int64)
    first = [table.column(name)[:1].combine_chunks() for name in ("system", "label", "part")]
    return pyarrow.Table.from_arrays(
        [*first, pyarrow.array([numbers.tobytes()], pyarrow.binary()), pyarrow.array([int(mark)], pyarrow.int64())],
        names=["system", "label", "part", "numbers", "mark"],
    )


def _fitted(df: "DataFrame", metrics: Mapping[str, Metric], references: Sequence[str]) -> dict[str, Metric]:
    """Return the metrics; those that learn from all references have their texts counted on the cluster first."""
    if all(metric.is_fitted for metric in metrics.values()):
        return dict(metrics)
    from pyspark.sql import functions as F

    kinds = dict(df.dtypes)
    lists = [F.col(n) if kinds[n].startswith("array") else F.array(F.col(n)) for n in references]
    texts = F.array_compact(F.flatten(F.array(*(F.coalesce(one, F.array().cast("array<string>")) for one in lists))))
    with _told():
        counted = df.select(texts.alias("texts")).where(F.size("texts") > 0).groupBy("texts").count().toArrow()
    often = np.repeat(np.arange(counted.num_rows), counted.column("count").to_numpy())
    column = counted.column("texts").take(often)
    return {label: one if one.is_fitted else one.fitted_to(column) for label, one in metrics.items()}


def _check_columns(df: "DataFrame", hypothesis: str, references: Sequence[str], others: Sequence[str]) -> None:
    _pyspark()
    if not hasattr(df, "mapInArrow"):
        raise InputError(f"A data frame of Spark was expected, not a {type(df).__name__}.")
    if not references:
        raise InputError("references names no column. Give at least one.")
    kinds = dict(df.dtypes)
    for name in (hypothesis, *references, *others):
        if name not in kinds:
            raise UnknownNameError.of("column", name, kinds)
    for name in (hypothesis, *references):
        fits = ("string",) if name == hypothesis else ("string", "array<string>")
        if kinds[name] not in fits:
            raise InputError(
                f"{name} is a column of {kinds[name]}, but {' or '.join(fits)} was expected. Cast it first."
            )


@contextmanager
def _told() -> Iterator[None]:
    """Raise what an executor refused as what it is, not as a traceback of Java's."""
    try:
        yield
    except TertiumError:
        raise
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines()]
        for line in lines:
            name, colon, message = line.partition(": ")
            if colon and name in ("tertium.errors.InputError", "tertium.errors.SegmentError"):
                raise InputError(f"On the cluster: {message}") from None
            if line.startswith("ModuleNotFoundError: No module named 'tertium'"):
                raise InputError("tertium is not installed where the executors are. Install it there too.") from None
        raise


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _pyspark() -> None:
    try:
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "tertium.spark needs packages: pip install 'tertium[spark]'. Java 17 is needed too."
        ) from None


# --- on the executors ---------------------------------------------------------------------------------------


def _portable(metrics: Mapping[str, Metric]) -> dict[str, str | bytes]:
    """Return metrics as they travel: by their texts; one that has learnt something with what it learnt."""
    return {
        label: pickle.dumps(metric) if metric.learnt else portable_text(metric) for label, metric in metrics.items()
    }


@dataclass(frozen=True)
class _Counting:
    """What executors know; metrics are made anew in each process, once."""

    metrics: dict[str, str | bytes]

    @cached_property
    def made(self) -> dict[str, Metric]:
        return {k: parse_metric(one) if isinstance(one, str) else pickle.loads(one) for k, one in self.metrics.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "made"}


@dataclass(frozen=True)
class _Rows(_Counting):
    """Makes batches of statistics: columns that are kept, then numbers."""

    kept: int
    references: int

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        (metric,) = self.made.values()
        before = 0
        for batch in batches:
            ours, theirs = _texts(batch, self.kept, self.references)
            counted = counted_rows(ours, theirs, metric, threads=1, before=before)
            mask = ~counted.present if counted.missing else None
            values = [np.ascontiguousarray(column) for column in (*counted.rows.T, metric.score(counted.rows))]
            arrays = [pyarrow.array(column, pyarrow.float64(), mask=mask) for column in values]
            names = [*batch.schema.names[: self.kept], *metric.columns, "score"]
            yield pyarrow.record_batch([*batch.columns[: self.kept], *arrays], names=names)
            before += batch.num_rows


@dataclass(frozen=True)
class _Task(_Counting):
    """Makes the sums of a partition: `ids` is "id" or "texts", or "row" for a shard and a place in it."""

    references: int
    ids: str
    samples: int
    seed: int
    names: dict[str, str]

    @staticmethod
    def of(
        chosen: "DataFrame", metrics: Mapping[str, Metric], references: int, ids: str, samples: int, seed: int,
        names: dict[str, str] | None = None,
    ) -> "_Task":  # fmt: skip
        """Check what was asked for."""
        for metric in metrics.values():
            check_countable(metric)
        if samples:
            check_samples(samples, least=2)
        return _Task(_portable(metrics), references, ids, samples, check_seed(seed), names or {})

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        metrics = self.made
        widths = {label: len(metric.columns) for label, metric in metrics.items()}
        found: dict[str, tuple[KeyedSums, Floats]] = {}
        before = 0
        for batch in batches:
            ours, theirs = _texts(batch, 1, self.references)
            references = theirs[0] if len(theirs) == 1 else _native.zipped_texts(theirs)
            counted = {k: counted_rows(ours, [references], m, threads=1, before=before) for k, m in metrics.items()}
            present = next(iter(counted.values())).present
            keys = self._keys(batch, references)
            sizes = np.diff(np.asarray(references.offsets)).astype(np.float64)
            systems = _native.arrow_texts(batch.column(0), "system", False)
            for system, places in groups(systems):
                sums, head = found.setdefault(
                    system, (KeyedSums(widths, samples=self.samples, seed=self.seed), np.zeros(_HEAD))
                )
                chosen = places[present[places]]
                sums.add({label: one.rows[chosen] for label, one in counted.items()}, keys[chosen], threads=1)
                head += [len(chosen), len(places) - len(chosen), sizes[chosen].sum(), (sizes[chosen] ** 2).sum()]
            before += batch.num_rows
        for system, (sums, head) in found.items():
            yield from self._records(system, sums, head)

    def _keys(self, batch: Any, references: _native.Texts) -> Keys:
        if self.ids == "texts":
            return text_keys(references)
        place = 2 + self.references
        if self.ids == "id":
            return text_keys(_native.arrow_texts(batch.column(place), "id", False))
        numbers = batch.column(place + 1).to_numpy() + 1
        keys = np.empty(batch.num_rows, np.uint64)
        from urllib.parse import unquote

        for path, chosen in groups(_native.arrow_texts(batch.column(place), "shard", False)):
            file = path.rpartition("/")[2]
            keys[chosen] = numbered_keys(self.names.get(file) or self.names[unquote(file)], numbers[chosen])
        return keys

    def _records(self, system: str, sums: KeyedSums, head: Floats) -> Iterator[Any]:
        import pyarrow

        rows: list[tuple[str, int, Any]] = []
        for label, totals in sums.totals.items():
            rows.append((label, 0, np.concatenate([head, totals])))
            if self.samples:
                replicates = sums.replicates[label]
                for part, begin in enumerate(range(0, self.samples, _CHUNK), 1):
                    rows.append((label, part, np.ascontiguousarray(replicates[:, begin : begin + _CHUNK])))
        mark = int(np.uint64(sums.mark).view(np.int64))
        yield pyarrow.record_batch(
            [
                pyarrow.array([system] * len(rows), pyarrow.string()),
                pyarrow.array([label for label, _, _ in rows], pyarrow.string()),
                pyarrow.array([part for _, part, _ in rows], pyarrow.int32()),
                pyarrow.array([numbers.tobytes() for _, _, numbers in rows], pyarrow.binary()),
                pyarrow.array([mark if part == 0 else 0 for _, part, _ in rows], pyarrow.int64()),
            ],
            names=["system", "label", "part", "numbers", "mark"],
        )


def _texts(batch: Any, first: int, references: int) -> tuple[_native.Texts, list[_native.Texts]]:
    names = batch.schema.names
    ours = _native.arrow_texts_or_none(batch.column(first), names[first], False)
    sides = range(first + 1, first + 1 + references)
    return ours, [_native.arrow_texts_or_none(batch.column(k), names[k], True) for k in sides]

"""Rows on disk: what a machine has counted, one Parquet file, which says by itself what it holds.

A row has the system, what the segment is called (an id, or the shard and the row in it), and the statistics of each
metric, `bleu.totals_1` and so on. What else must be known to merge files stands in the file's metadata under `tertium`:
signatures, the number of references, which shards were read, and which share of the work this was.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

import numpy as np

from tertium import __version__, _native
from tertium.errors import InputError, MissingExtraError
from tertium.files.reading import legible, unreadable
from tertium.files.writing import new_file, unwritable
from tertium.metrics import parse_metric
from tertium.metrics.base import Floats, Metric
from tertium.significance.keyed import Keys, numbered_keys, text_keys

_KEY = b"tertium"
_FORMAT = 1
_BATCH = 1 << 16


@dataclass(frozen=True)
class Label:
    """A metric as a file of rows has it."""

    metric: str
    signature: str
    columns: list[str]


@dataclass(frozen=True)
class Contents:
    """What a file of rows holds."""

    metrics: list[Label]
    references: int | str
    sources: list[str]  # shards that were read, by the names that segments are called by
    segments: int
    nulls: int  # segments without a hypothesis or a reference, which have no row
    ids: str  # the column that segments are called by, or "row" for their place in the shard
    shared_ids: bool  # whether the same id means the same segment for every system
    share: list[int] | None  # [2, 10] for the second of ten machines
    format: int = _FORMAT
    tertium: str = __version__


class RowWriter:
    """Writes rows block by block; the file appears when all is written, or not at all."""

    def __init__(self, path: str, metrics: Mapping[str, Metric], *, ids: str) -> None:
        pyarrow, parquet = _pyarrow()
        self.path = path
        self._arrow = pyarrow
        self._metrics = dict(metrics)
        self._ids = ids
        naming = (
            [("shard", pyarrow.dictionary(pyarrow.int32(), pyarrow.string())), ("segment", pyarrow.int64())]
            if ids == "row"
            else [("id", pyarrow.string())]
        )
        values = [(name, pyarrow.float64()) for name in _columns(metrics)]
        system = ("system", pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
        self._schema = pyarrow.schema([system, *naming, *values])
        self._held = ExitStack()
        try:
            self._file = self._held.enter_context(new_file(path))
        except OSError as error:
            raise unwritable(path, error) from None
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd")

    def add(self, system: str, rows: Mapping[str, Floats], names: Any, numbers: Any) -> None:
        """Add rows of a system: `names` is the shard and `numbers` rows in it, or `names` are ids, in Arrow's form."""
        arrow = self._arrow
        count = len(next(iter(rows.values())))
        naming = [_repeated(arrow, names, count), arrow.array(numbers)] if self._ids == "row" else [names]
        values = [
            arrow.array(np.ascontiguousarray(block[:, k])) for block in rows.values() for k in range(block.shape[1])
        ]
        try:
            self._writer.write_table(
                arrow.Table.from_arrays([_repeated(arrow, system, count), *naming, *values], schema=self._schema)
            )
        except OSError as error:
            raise unwritable(self.path, error) from None

    def finish(self, contents: Contents) -> None:
        """Write what the file holds, and give it its name."""
        self._writer.add_key_value_metadata({_KEY: json.dumps(asdict(contents)).encode()})
        try:
            self._writer.close()
            self._held.close()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def __enter__(self) -> "RowWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            with suppress(OSError):
                self._writer.close()  # into a file that will have no name
            self._held.__exit__(kind, error, trace)


def labels_of(metrics: Mapping[str, Metric], references: int | str) -> list[Label]:
    """Return the metrics as a file of rows has them."""
    return [Label(label, one.signature(references), list(one.columns)) for label, one in metrics.items()]


def read_contents(path: str) -> Contents:
    """Return what a file of rows says it holds."""
    pyarrow, parquet = _pyarrow()
    try:
        found = (parquet.read_metadata(pyarrow.OSFile(os.fsencode(path))).metadata or {}).get(_KEY)
    except FileNotFoundError:
        raise InputError(f"{path} cannot be read: no such file or directory.") from None
    except OSError as error:
        raise unreadable(path, error) from None
    except pyarrow.ArrowException as error:
        raise InputError(f"{path} is no Parquet file that can be read ({str(error).splitlines()[0]}).") from None
    if found is None:
        raise InputError(f"{path} holds no rows of tertium's: `tertium score` writes those where it is asked for rows.")
    try:
        told = json.loads(found)
        if told.get("format") != _FORMAT:
            raise InputError(
                f"{path} was written by tertium {told.get('tertium')}, whose rows this version does not know. Write "
                "them with this one."
            )
        return Contents(**(told | {"metrics": [Label(**one) for one in told["metrics"]]}))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is damaged: what it says of its rows cannot be read ({error}).") from None


def metrics_in(path: str, contents: Contents) -> dict[str, Metric]:
    """Return the metrics that rows were counted by, as far as scoring rows needs them."""
    metrics = {}
    for one in contents.metrics:
        text, bar, tail = one.signature.partition("|")
        kept = [item for item in text.split(",") if "information=" not in item]  # scoring rows needs none of it
        metrics[one.metric] = parse_metric(",".join(kept) + bar + tail)
        if list(metrics[one.metric].columns) != one.columns:
            raise InputError(
                f"{path} has other columns for {one.metric} than this version counts. Write the rows with this version."
            )
    return metrics


@dataclass(frozen=True)
class RowBlock:
    """Some rows of a file, of one system."""

    system: str
    keys: Keys
    rows: dict[str, Floats]


def read_rows(path: str, contents: Contents) -> Iterator[RowBlock]:
    """Return the rows, block by block and system by system."""
    pyarrow, parquet = _pyarrow()
    try:
        file = parquet.ParquetFile(pyarrow.OSFile(os.fsencode(path)), page_checksum_verification=True)
        for batch in file.iter_batches(batch_size=_BATCH):
            yield from _blocks(legible(path), contents, batch)
    except OSError as error:
        raise unreadable(path, error) from None
    except (pyarrow.ArrowException, KeyError) as error:
        raise InputError(f"{path} broke off while it was read ({str(error).splitlines()[0]}).") from None


def _blocks(path: str, contents: Contents, batch: Any) -> Iterator[RowBlock]:
    keys = _keys(path, contents, batch)
    rows: dict[str, Floats] = {}
    for one in contents.metrics:
        columns = [batch.column(f"{one.metric}.{name}") for name in one.columns]
        if any(column.null_count for column in columns):
            raise InputError(f"{path} has rows without numbers: it was changed by another program.")
        rows[one.metric] = np.stack([column.to_numpy() for column in columns], axis=1)
        if not np.isfinite(rows[one.metric]).all():
            raise InputError(f"{path} holds nan or inf among the numbers of {one.metric}: it was changed or damaged.")
    for system, chosen in groups(_native.arrow_texts(batch.column("system"), f"{path}:system", False)):
        whole = len(chosen) == len(keys)
        yield RowBlock(
            system, keys if whole else keys[chosen], rows if whole else {k: v[chosen] for k, v in rows.items()}
        )


def _keys(path: str, contents: Contents, batch: Any) -> Keys:
    if contents.ids != "row":
        return text_keys(_native.arrow_texts(batch.column("id"), f"{path}:id", False))
    numbers = batch.column("segment").to_numpy()
    keys = np.empty(len(numbers), np.uint64)
    for shard, chosen in groups(_native.arrow_texts(batch.column("shard"), f"{path}:shard", False)):
        keys[chosen] = numbered_keys(shard, numbers[chosen])
    return keys


def groups(texts: _native.Texts) -> Iterator[tuple[str, Any]]:
    """Return each different text with the places where it stands, in the order in which they first occur."""
    keys = text_keys(texts)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    for group in np.argsort(first, kind="stable"):
        yield texts[int(first[group])][0], np.flatnonzero(inverse == group)


def _columns(metrics: Mapping[str, Metric]) -> Sequence[str]:
    return [f"{label}.{column}" for label, metric in metrics.items() for column in metric.columns]


def _repeated(arrow: Any, text: str, count: int) -> Any:
    return arrow.DictionaryArray.from_arrays(np.zeros(count, np.int32), arrow.array([text], arrow.string()))


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("Files of rows need a package: pip install 'tertium[arrow]'.") from None
    return pyarrow, parquet

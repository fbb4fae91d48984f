"""Scores of shards: one shard after the other, block by block; nothing grows with the corpus but what is asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus.formats import open_references, open_systems
from tertium.corpus.parallel import mismatch
from tertium.corpus.readers import TextFile
from tertium.errors import InputError, SegmentError
from tertium.files.lines import Warn
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.scoring.loop import block_rows, fitted
from tertium.shards.patterns import Pattern, check_together
from tertium.shards.row_files import Contents, RowWriter, groups, labels_of
from tertium.significance.keyed import KeyedSums, numbered_keys, text_keys

_BLOCK = 32_768


@dataclass(frozen=True)
class Shards:
    """What is to be scored: patterns whose shards belong together, and columns that say of whom and what a row is.

    `by` is a column whose values are systems, each with rows of its own; `ids` one whose values call segments by a name
    that all systems share. `share` is (2, 10) for the second of ten machines, each of which takes every tenth shard.
    """

    systems: Mapping[str, Pattern]
    references: Sequence[Pattern]
    by: str | None = None
    ids: str | None = None
    kind: str | None = None
    share: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.by is not None and len(self.systems) > 1:
            raise InputError(
                "With a column that names the systems there is one column of hypotheses, but several were given."
            )

    @property
    def patterns(self) -> list[Pattern]:
        """All sides."""
        return [*self.systems.values(), *self.references]

    def numbers(self) -> list[int]:
        """Return which of the shards are this machine's."""
        count = check_together(self.patterns)
        if self.share is None:
            return list(range(count))
        mine, machines = self.share
        if count < machines:
            raise InputError(f"There are {count:,} shards, so {machines} machines cannot each have one.")
        return list(range(mine - 1, count, machines))

    def name(self, shard: int) -> str:
        """Return what a shard is called, wherever it is."""
        return self.references[0].names[shard]


@dataclass
class Sharded:
    """What was found: sums by system, and what must be told."""

    metrics: dict[str, Metric]
    sums: dict[str, KeyedSums] = field(default_factory=dict)
    reference_counts: set[int | str] = field(default_factory=set)
    sources: list[str] = field(default_factory=list)
    segments: int = 0
    nulls: int = 0
    first_null: str = ""

    @property
    def reference_count(self) -> int | str:
        """How many references each segment has, or "var"."""
        return next(iter(self.reference_counts)) if len(self.reference_counts) == 1 else "var"


@dataclass(frozen=True)
class _Block:
    hypotheses: dict[str, _native.Texts]
    references: _native.Texts
    by: _native.Texts | None
    ids: _native.Texts | None
    missing: list[int]


def score_shards(
    shards: Shards,
    metrics: Mapping[str, Metric],
    *,
    samples: int = 0,
    seed: int,
    rows: str | None = None,
    threads: int | None = None,
    warn: Warn,
    progress: Callable[[int], None] = lambda segments: None,
    looked_at: Callable[[_native.Texts], None] = lambda references: None,
) -> Sharded:
    """Score all shards; `samples` replicates are drawn on the way, and `rows` is a file that gets the statistics.

    Rows with a null are left out, and counted. A metric that learns from all references first holds them all. The first
    references are shown to `looked_at`.
    """
    threads = thread_count(threads)
    numbers = shards.numbers()
    known = (
        fitted(metrics, _all_references(shards, warn)) if not all(m.is_fitted for m in metrics.values()) else metrics
    )
    found = Sharded(dict(known))
    widths = {label: len(metric.columns) for label, metric in known.items()}
    how = shards.ids or "row"
    writer = None if rows is None else RowWriter(rows, known, ids=how)
    try:
        for shard in numbers:
            name = shards.name(shard)
            found.sources.append(name)
            before = 0
            for block in _blocks(shards, shard, warn):
                if found.segments == 0 and before == 0:
                    looked_at(block.references)
                try:
                    by_system = block_rows(known, block.hypotheses, block.references, threads)
                except SegmentError as error:
                    raise InputError(f"{shards.references[0].paths[shard]}: {error.after(before)}") from None
                count = len(block.references)
                present = np.ones(count, bool)
                present[block.missing] = False
                if block.missing:
                    found.first_null = found.first_null or f"row {before + block.missing[0] + 1:,} of {name}"
                    found.nulls += len(block.missing)
                if len(block.missing) < count:
                    found.reference_counts.add(_group_size(block))
                places = np.arange(before + 1, before + count + 1, dtype=np.int64)
                keys = numbered_keys(name, places) if block.ids is None else text_keys(block.ids)
                for system, of_system, chosen in _parts(by_system, block, present):
                    if not system and shards.by is not None:
                        raise InputError(
                            f"{name}, row {places[chosen[0]]:,}: {shards.by} is empty, but the name of a system was "
                            "expected. Name it, or leave the row out."
                        )
                    sums = found.sums.get(system)
                    if sums is None:
                        sums = found.sums[system] = KeyedSums(widths, samples=samples, seed=seed)
                    picked = {label: values[chosen] for label, values in of_system.items()}
                    sums.add(picked, keys[chosen], threads=threads)
                    if writer is not None:
                        called = name if block.ids is None else _strings(block.ids, chosen)
                        writer.add(system, picked, called, places[chosen])
                before += count
                progress(found.segments + before)
            found.segments += before
        if found.segments == 0 or not found.sums:
            raise InputError(f"{shards.patterns[0].text} and its references hold no segment that can be scored.")
        if writer is not None:
            writer.finish(
                Contents(
                    metrics=labels_of(known, found.reference_count), references=found.reference_count,
                    sources=found.sources, segments=found.segments, nulls=found.nulls, ids=how,
                    shared_ids=shards.ids is not None or shards.by is None,
                    share=None if shards.share is None else list(shards.share),
                )
            )  # fmt: skip
    except BaseException as error:
        if writer is not None:
            writer.__exit__(type(error), error, error.__traceback__)
        raise
    return found


def _parts(
    by_system: dict[str, dict[str, Floats]], block: _Block, present: Any
) -> Iterator[tuple[str, dict[str, Floats], Any]]:
    """Return each system's rows with the places of those that count."""
    if block.by is None:
        for system, rows in by_system.items():
            yield system, rows, np.flatnonzero(present)
        return
    (rows,) = by_system.values()
    for system, places in groups(block.by):
        chosen = places[present[places]]
        if len(chosen):
            yield system, rows, chosen


def _group_size(block: _Block) -> int | str:
    if not block.missing:
        return block.references.group_size or "var"
    lost = set(block.missing)
    sizes = {len(block.references[i]) for i in range(len(block.references)) if i not in lost}
    return next(iter(sizes)) if len(sizes) == 1 else "var"


def _blocks(shards: Shards, shard: int, warn: Warn) -> Iterator[_Block]:
    """Read one shard of each side, side by side."""
    ours = {system: _opened(pattern.argument(shard), shards.kind, warn) for system, pattern in shards.systems.items()}
    theirs = [_opened(pattern.argument(shard), shards.kind, warn) for pattern in shards.references]
    leader = next(iter(shards.systems.values()))
    named = [None if column is None else _column(leader, column, shard, warn) for column in (shards.by, shards.ids)]
    files = [*ours.values(), *theirs, *(file for file in named if file is not None)]
    for file in (*ours.values(), *theirs):
        file.keeps_nulls = True
    while True:
        parts = [file.take(_BLOCK) for file in files]
        if len({len(part) for part in parts}) > 1:
            raise InputError(mismatch(files))
        if len(parts[0]) == 0:
            return
        taken = dict(zip(ours, parts, strict=False))
        sides = parts[len(ours) : len(ours) + len(theirs)]
        references = sides[0] if len(sides) == 1 else _native.zipped_texts(sides)
        rest = iter(parts[len(ours) + len(theirs) :])
        by, ids = (None if file is None else next(rest) for file in named)
        missing = sorted({place for texts in (*taken.values(), references) for place in texts.missing()})
        if missing:
            taken = {system: texts.filled() for system, texts in taken.items()}
            references = references.filled()
        for system, texts in taken.items():
            if texts.group_size != 1:
                raise InputError(
                    f"{ours[system].name} has segments with several texts, but one hypothesis is expected."
                )
        yield _Block(taken, references, by, ids, missing)


def _opened(argument: str, kind: str | None, warn: Warn) -> TextFile:
    found = open_systems(argument, kind=kind, warn=warn)
    file = next(iter(found.values()))
    if len(found) > 1 or file.ids is not None:
        raise InputError(f"{argument} names its segments itself; shards are read by their order. Give texts or tables.")
    return file


def _column(pattern: Pattern, column: str, shard: int, warn: Warn) -> TextFile:
    if pattern.column is None:
        raise InputError(
            f"{pattern.text} is no table, so it has no column '{column}'. Give tables, such as 'shards/*.parquet:hyp'."
        )
    return open_references(pattern.beside(column, shard), kind=None, warn=warn)[0]


def _all_references(shards: Shards, warn: Warn) -> _native.Texts:
    """Return the references of all shards, also of those that other machines score: what is learnt must be the same."""
    whole = Shards(shards.systems, shards.references, kind=shards.kind)
    parts = []
    for shard in whole.numbers():
        for block in _blocks(whole, shard, lambda message: None):
            parts.append(block.references)
    return _native.joined_texts(parts)


def _strings(texts: _native.Texts, chosen: Any) -> Any:
    import pyarrow

    return pyarrow.array([texts[int(place)][0] for place in chosen], pyarrow.string())

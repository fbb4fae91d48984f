"""Rows that many machines wrote, put together: scores, intervals and tests of the whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium.errors import Argument, InputError
from tertium.metrics.base import Metric, thread_count
from tertium.shards.patterns import missing_numbers
from tertium.shards.row_files import Contents, metrics_in, read_contents, read_rows
from tertium.significance.keyed import KeyedSums, Keys


@dataclass(frozen=True)
class Merged:
    """The sums of all files."""

    metrics: dict[str, Metric]
    sums: dict[str, KeyedSums]
    reference_count: int | str
    segments: int
    nulls: int
    shared_ids: bool


def merge_rows(paths: Sequence[str], *, samples: int = 0, seed: int, threads: int | None = None) -> Merged:
    """Add up the rows of files; refuse those that do not belong together, overlap, or are not all there."""
    if len(set(paths)) < len(paths):
        raise InputError("A file of rows was given twice.")
    contents = {path: read_contents(path) for path in paths}
    _check_alike(contents)
    _check_complete(contents)
    first = next(iter(contents.values()))
    metrics = metrics_in(next(iter(contents)), first)
    widths = {label: len(metric.columns) for label, metric in metrics.items()}
    threads = thread_count(threads)
    sums: dict[str, KeyedSums] = {}
    seen: dict[str, list[tuple[str, Keys]]] = {}
    for path, told in contents.items():
        for block in read_rows(path, told):
            if block.system not in sums:
                sums[block.system] = KeyedSums(widths, samples=samples, seed=seed)
            sums[block.system].add(block.rows, block.keys, threads=threads)
            seen.setdefault(block.system, []).append((path, block.keys))
    for system, blocks in seen.items():
        _check_different(system, blocks)
    if not sums:
        raise InputError("There is no row in these files.")
    counts = {one.references for one in contents.values()}
    return Merged(
        metrics,
        sums,
        counts.pop() if len(counts) == 1 else "var",
        sum(one.segments for one in contents.values()),
        sum(one.nulls for one in contents.values()),
        all(one.shared_ids for one in contents.values()),
    )


def _check_alike(contents: dict[str, Contents]) -> None:
    path, first = next(iter(contents.items()))
    for other, told in contents.items():
        ours = {one.metric: _without_references(one.signature) for one in first.metrics}
        theirs = {one.metric: _without_references(one.signature) for one in told.metrics}
        if list(ours) != list(theirs):
            raise InputError(
                f"{path} has rows of {', '.join(ours)}, but {other} of {', '.join(theirs)}. Merge rows of "
                "the same metrics."
            )
        for label, signature in ours.items():
            if signature != theirs[label]:
                raise InputError(
                    f"{path} and {other} have rows of different metrics called {label}:\n  {signature}\n"
                    f"  {theirs[label]}\n"
                    "Rows can be added only if all settings are the same"
                    + (
                        ". NIST must learn from all references: give each machine a share of one pattern, "
                        "not a pattern for each machine."
                        if "information=" in signature
                        else "; `tertium explain` says how two signatures differ."
                    )
                )
        if (first.ids, first.share and first.share[1]) != (told.ids, told.share and told.share[1]):
            raise InputError(
                f"{path} calls segments by {_called(first)}, but {other} by {_called(told)}. Write all rows the "
                "same way."
            )


def _check_complete(contents: dict[str, Contents]) -> None:
    owners: dict[str, str] = {}
    for path, told in contents.items():
        for source in told.sources if told.ids == "row" else ():
            if source in owners:
                raise InputError(
                    f"{owners[source]} and {path} both hold the rows of {source}: they would count twice. Leave one "
                    "out; or if two shards have the same name, name segments by a column (",
                    Argument("id"),
                    ").",
                )
            owners[source] = path
    first = next(iter(contents.values()))
    if first.share is not None:
        shares = {told.share[0]: path for path, told in contents.items() if told.share is not None}
        if len(shares) < len(contents):
            twice = sorted(told.share[0] for told in contents.values() if told.share is not None)
            again = next(a for a, b in pairwise(twice) if a == b)
            raise InputError(f"Two files hold the share {again}/{first.share[1]}: its rows would count twice.")
        lost = sorted(set(range(1, first.share[1] + 1)) - set(shares))
        if lost:
            told_lost = ", ".join(f"{number}/{first.share[1]}" for number in lost[:5])
            raise InputError(
                f"Not all rows are here: of {first.share[1]} shares, {len(lost)} are missing ({told_lost}"
                f"{', …' if len(lost) > 5 else ''}). Give the rows of every share."
            )
    missing = missing_numbers([source for told in contents.values() for source in told.sources])
    if missing:
        raise InputError(
            f"Not all rows are here: {len(missing)} of the shards that count themselves are missing ({missing[0]}"
            f"{', …' if len(missing) > 1 else ''}). Score them too, and give their rows."
        )


def _check_different(system: str, blocks: list[tuple[str, Keys]]) -> None:
    """Refuse a segment that is there twice: it would count twice."""
    keys = np.concatenate([block for _, block in blocks])
    ordered = np.sort(keys)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return
    where = [(path, int(np.flatnonzero(block == twice[0])[0])) for path, block in blocks if (block == twice[0]).any()]
    files = list(dict.fromkeys(path for path, _ in where))
    whose = f" of '{system}'" if system else ""
    raise InputError(
        f"{len(twice):,} segments{whose} are there twice, with the same id: the first in {' and '.join(files)}. Each "
        "segment of a system must have one row."
    )


def _called(contents: Contents) -> str:
    share = "" if contents.share is None else f", as one of {contents.share[1]} shares"
    return ("their row in the shard" if contents.ids == "row" else f"the column '{contents.ids}'") + share


def _without_references(signature: str) -> str:
    """Return a signature without the number of references, which may vary from shard to shard."""
    return "|".join(part for part in signature.split("|") if not part.startswith("refs="))

"""Shards as they are named on the command line: patterns, a column of systems, a share of the work."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.inputs import Inputs, metrics_for, warn_of_odd_text
from tertium.cli.arguments.options import options
from tertium.cli.output.progress import Progress, warner
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.scoring.scores import Scores
    from tertium.shards.patterns import Pattern
    from tertium.shards.scoring import Shards
    from tertium.significance import Confidence


@dataclass(frozen=True)
class Sharding:
    """What was said of shards."""

    by: str | None
    ids: str | None
    rows: str | None
    share: str | None
    engine: str
    master: str | None

    def is_asked_for(self, inputs: Inputs) -> bool:
        """Whether shards are scored: a name is a pattern, or an option makes sense only then."""
        from tertium.corpus.formats import split_name

        names = [*(split_name(argument)[1] for argument in inputs.systems), *inputs.references]
        said = any(one is not None for one in (self.by, self.ids, self.rows, self.share))
        if said or self.engine != "local" or not any(map(has_magic, names)):
            return said or self.engine != "local"
        from tertium.shards.patterns import is_pattern

        return any(map(is_pattern, names))


sharding_options = options(
    click.option("--by", metavar="COLUMN", help="A column of HYP's table that names each row's system."),
    click.option("--id", "ids", metavar="COLUMN", help="A column of HYP's table that names each row's segment."),
    click.option("--rows", metavar="FILE", help="Also write the statistics of each segment, for `tertium merge`."),
    click.option("--shard", "share", metavar="K/N", help="Score every N-th shard from the K-th on: one of N machines."),
    click.option("--engine", type=click.Choice(("local", "spark")), default="local", show_default=True,
                 help="Where shards are scored: here, or on a Spark cluster."),
    click.option("--master", metavar="URL", help="Of the Spark cluster (default: as configured, or local[*])."),
)  # fmt: skip


def score_sharded(inputs: Inputs, sharding: Sharding, *, samples: int, seed: int) -> "tuple[Scores, Confidence | None]":
    """Score shards, here or on a cluster, with intervals if there are samples."""
    from tertium.corpus.parallel import Block
    from tertium.shards.scoring import Shards, score_shards
    from tertium.significance.keyed import confidence_of, scores_of

    if inputs.documents is not None:
        raise InputError(
            "Shards have no --documents. Name the column of documents as --by, to have scores by document."
        )
    warn = warner(inputs.quiet)
    metrics = metrics_for(inputs)
    shards = Shards(
        _systems(inputs.systems), _references(inputs), by=sharding.by, ids=sharding.ids, kind=inputs.kind,
        share=_share(sharding.share),
    )  # fmt: skip
    _check_rows(sharding.rows, shards)
    if sharding.engine == "spark":
        return _on_spark(shards, metrics, sharding, samples, seed, warn)
    if sharding.master is not None:
        raise InputError("--master is a Spark cluster's: add --engine spark.")
    progress = Progress(inputs.quiet)
    found = score_shards(
        shards, metrics, samples=samples, seed=seed, rows=sharding.rows, threads=inputs.threads, warn=warn,
        progress=lambda segments: progress.say(f"{segments:,} segments scored"),
        looked_at=lambda references: warn_of_odd_text(Block({}, references, None), metrics, warn),
    )  # fmt: skip
    progress.clear()
    warn_of_nulls(found.nulls, f"the first is {found.first_null}", warn)
    scores = scores_of(found.sums, found.metrics, reference_count=found.reference_count)
    return scores, confidence_of(found.sums, found.metrics) if samples else None


def warn_of_nulls(nulls: int, first: str, warn: Any) -> None:
    """Say how many segments were left out."""
    if nulls:
        what = "1 segment has" if nulls == 1 else f"{nulls:,} segments have"
        warn(f"{what} a null for a text and no score: {first}. Null is not an empty text, which would score.")


def _on_spark(
    shards: Any, metrics: Any, sharding: Sharding, samples: int, seed: int, warn: Any
) -> "tuple[Scores, Confidence | None]":
    from tertium.spark import score_patterns

    if sharding.rows is not None or sharding.share is not None:
        raise InputError("--rows and --shard are for machines that work alone; Spark deals out the work by itself.")
    found = score_patterns(shards, metrics, master=sharding.master, samples=samples, seed=seed)
    warn_of_nulls(found.nulls, "they were left out", warn)
    return found, found.confidence


def _check_rows(rows: str | None, shards: "Shards") -> None:
    if rows is not None and Path(rows).exists():
        for path in (path for pattern in shards.patterns for path in pattern.paths):
            if Path(path).samefile(rows):
                raise InputError(f"{rows} cannot be written: the command reads it. Give the rows another name.")


def _systems(arguments: Sequence[str]) -> "dict[str, Pattern]":
    from tertium.corpus.formats import split_name
    from tertium.files.reading import legible
    from tertium.shards.patterns import found

    systems: dict[str, Pattern] = {}
    for argument in arguments:
        name, text = split_name(argument)
        pattern = found(text)
        called = name or pattern.column or legible(_called(text))
        if called in systems:
            raise InputError(f"Two systems are called '{called}'. Name them: NAME=PATTERN.")
        systems[called] = pattern
    return systems


def _called(text: str) -> str:
    """Return what shards without a column are called by: the last name without a wildcard."""
    plain = [part for part in Path(text).parts if not has_magic(part)]
    return Path(plain[-1]).stem if plain else text


def _references(inputs: Inputs) -> "list[Pattern]":
    from tertium.shards.patterns import found

    if inputs.refs_dir is not None or not inputs.references:
        raise InputError("Shards need their references by -r PATTERN, once per reference.")
    return [found(text) for text in inputs.references]


def _share(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise InputError(f"--shard is written K/N, such as 3/10 for the third of ten, not '{text}'.")
    return int(match[1]), int(match[2])

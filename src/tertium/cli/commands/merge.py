"""`tertium merge`: rows that many machines wrote, put together."""

from typing import TYPE_CHECKING

import click

from tertium.cli.arguments.options import (
    SIGNATURES,
    THREADS,
    decimals_option,
    output_options,
    samples_option,
    seed_option,
)
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import check_output, emit, wants_color
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.shards.merging import Merged


@click.command("merge")
@click.argument("files", nargs=-1, required=True, metavar="ROWS...")
@click.option("--confidence", is_flag=True, help="Also 95 % bootstrap intervals.")
@click.option("--compare", is_flag=True, help="Also test every system against the first, segment by segment.")
@click.option("--baseline", metavar="SYSTEM", help="The system that others are compared with (default: the first).")
@click.option("--parts", is_flag=True, help="Also what scores are made of: precisions, penalties, lengths …")
@samples_option()
@seed_option("Of the bootstrap.")
@THREADS
@decimals_option()
@SIGNATURES
@output_options
def command(
    files: tuple[str, ...], confidence: bool, compare: bool, baseline: str | None, parts: bool, samples: int, seed: int,
    threads: int | None, decimals: int, signed: str, style: str, output: str | None, quiet: bool, no_color: bool,
) -> None:  # fmt: skip
    """Merge rows that `tertium score --rows` wrote, on this machine or on many.

    Rows are added up, so scores are those of all segments together. Files with other metrics or settings are
    refused, as are segments that are there twice and shards that are missing.

    \b
    Examples:
      tertium merge rows-*.parquet
      tertium merge rows-*.parquet --confidence
      tertium merge rows-*.parquet --compare --baseline production --format json
    """
    from tertium.cli.arguments.sharded import warn_of_nulls
    from tertium.cli.output import compare_tables, score_tables
    from tertium.shards.merging import merge_rows
    from tertium.significance.keyed import compare_sums, confidence_of, scores_of
    from tertium.significance.sampling import check_samples

    check_output(output)
    if baseline is not None and not compare:
        raise InputError("--baseline says what is compared with what: add --compare.")
    if compare and parts:
        raise InputError("--parts and --compare make different tables: leave one out.")
    check_samples(samples, least=2)
    merged = merge_rows(_paths(files), samples=samples if confidence or compare else 0, seed=seed, threads=threads)
    warn_of_nulls(merged.nulls, "they were left out when the rows were written", warner(quiet))
    scores = scores_of(merged.sums, merged.metrics, reference_count=merged.reference_count)
    if compare:
        _check_ids(merged)
        compared = compare_sums(merged.sums, merged.metrics, scores=scores, baseline=baseline)
        emit(compare_tables.rendered(compared, style, decimals, signed), output)
        return
    found = confidence_of(merged.sums, merged.metrics) if confidence else None
    color = wants_color(no_color, output)
    emit(score_tables.rendered(scores, ("corpus",), parts, style, decimals, found, color, signed), output)


def _paths(files: tuple[str, ...]) -> list[str]:
    from tertium.shards.patterns import found

    return [path for text in files for path in found(text).paths]


def _check_ids(merged: "Merged") -> None:
    if not merged.shared_ids and len(merged.sums) > 1:
        raise InputError(
            "The systems are rows of one table (--by), and nothing says which rows are of the same segment. Write the "
            "rows with --id COLUMN, a column that names segments."
        )

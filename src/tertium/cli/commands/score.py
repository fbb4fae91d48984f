"""`tertium score`: systems against references."""

from typing import Any

import click

from tertium.cli.arguments.inputs import Inputs, input_options, scored, warn_of_short_segments
from tertium.cli.arguments.options import (
    SIGNATURES,
    Choice,
    decimals_option,
    output_options,
    samples_option,
    seed_option,
)
from tertium.cli.arguments.sharded import Sharding, score_sharded, sharding_options
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.score_tables import rendered
from tertium.cli.output.writing import check_output, emit, wants_color
from tertium.errors import InputError


@click.command("score")
@input_options(required=False)
@click.option("--level", "levels", multiple=True, metavar="LEVEL",
              type=Choice("tertium.scoring.scores:LEVELS", also={"system": "corpus"}),
              help="corpus, document or segment; repeat for more (default: corpus).")  # fmt: skip
@click.option("--parts", is_flag=True, help="Also what scores are made of: precisions, penalties, lengths …")
@decimals_option()
@click.option("--confidence", is_flag=True, help="Also 95 % bootstrap intervals of corpus and document scores.")
@click.option("--interval", type=Choice("tertium.significance.intervals:METHODS"), default="percentile",
              help="Kind of intervals (default: percentile).")  # fmt: skip
@samples_option()
@seed_option("Of the bootstrap.")
@sharding_options
@SIGNATURES
@output_options
def command(
    levels: tuple[str, ...], parts: bool, confidence: bool, interval: str, samples: int, seed: int, style: str,
    output: str | None, decimals: int, quiet: bool, no_color: bool, signed: str, by: str | None, ids: str | None,
    rows: str | None, share: str | None, engine: str, master: str | None,
    **inputs: Any,
) -> None:  # fmt: skip
    """Score systems against references.

    HYP and REF hold one segment per line (plain, .gz, .xz, .zst, or - for standard input), or are a column of a
    table (FILE.tsv:COLUMN, also .csv, .jsonl, .parquet, .xlsx, .ods), of a translation memory (FILE.tmx:LANGUAGE) or of
    XLIFF (FILE.xlf:target), WMT XML, NIST SGML or tercom's trans. A system is named by
    its file's stem or as NAME=FILE. A quoted pattern stands for shards, which are read one after another.

    \b
    Examples:
      tertium score system.txt -r reference.txt
      tertium score system.txt -t wmt22 -l en-de
      tertium score a.txt b.txt -r ref1.txt -r ref2.txt -m bleu:tokenize=intl -m chrf++
      tertium score a.txt --refs-dir references/ --documents docs.txt --level document
      tertium score results.tsv:system -r results.tsv:reference --level segment --format tsv
      tertium score a.txt b.txt -r reference.txt --confidence --interval bca
      tertium score job.xlf:alternative -r job.xlf:edited -m ter
      tertium score 'shards/*.parquet:hyp' -r 'shards/*.parquet:ref' --by system --rows rows.parquet
      zcat a.txt.gz | tertium score mine=- -r reference.txt --parts --format json
    """
    from tertium.cli.arguments.files import shown_names

    levels = levels or ("corpus",)
    if not inputs["systems"] and inputs["test_set"] is None:
        raise click.UsageError("Missing argument 'HYP...'.")
    check_output(output)
    if confidence or samples < 2:  # what it takes to resample is loaded only then
        from tertium.significance.sampling import check_samples

        check_samples(samples, least=2)
    threads = inputs["threads"]
    given, sharding = Inputs(**inputs, quiet=quiet), Sharding(by, ids, rows, share, engine, master)
    if sharding.is_asked_for(given):
        if levels != ("corpus",):
            raise InputError(
                "Shards are scored as a corpus. For segments write --rows FILE; for documents give --by COLUMN."
            )
        if interval != "percentile":
            raise InputError("Intervals of shards are percentiles: bca needs all rows at once. Leave out --interval.")
        check_output(rows)
        scores, found = score_sharded(given, sharding, samples=samples if confidence else 0, seed=seed)
        color = wants_color(no_color, output)
        emit(rendered(scores, levels, parts, style, decimals, found, color, signed), output)
        return
    scores = scored(
        given,
        keep_rows=confidence or "segment" in levels,
        need_documents="document" in levels,
    )
    if "segment" in levels:
        warn_of_short_segments(scores, warner(quiet))
    found = None
    if confidence:
        from tertium.significance import confidence as intervals_of

        told = Progress(quiet)
        found = intervals_of(scores, samples=samples, method=interval, seed=seed, threads=threads, progress=told.say)
    names = shown_names(scores.systems, inputs["systems"])
    emit(rendered(scores, levels, parts, style, decimals, found, wants_color(no_color, output), signed, names), output)

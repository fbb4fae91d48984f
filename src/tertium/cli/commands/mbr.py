"""`tertium mbr`: of many translations of a sentence, the one that agrees best with all the others."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.decoding import in_blocks, language_option, metric_option, one_metric, nbest_form_option
from tertium.cli.arguments.options import OUTPUT, QUIET, THREADS, Choice
from tertium.cli.output.decoding_lines import Told, records
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.decoding import Choice as Chosen

_BLOCK = 256  # sentences that are decoded at once


@click.command("mbr")
@click.argument("nbest", metavar="NBEST")
@click.option("--references", metavar="FILE", help="Lists to compare with (default: the candidates themselves).")
@metric_option("chrf")
@language_option
@click.option("--method", type=Choice("tertium.decoding.mbr:METHODS"), default="exact", show_default=True,
              help="Every pair, references as one, that and then the best exactly, or surely losing ones left out.")
@click.option("--keep", type=click.IntRange(1), default=20, show_default=True,
              help="How many aggregate-to-fine compares exactly.")
@click.option("--weights", metavar="FILE", help="Probabilities of the references, a line per sentence.")
@click.option("--log-weights", metavar="FILE", help="The same as logarithms.")
@click.option("--exclude-self", is_flag=True, help="Do not compare a candidate with itself.")
@click.option("--seed", type=int, help="Draw among equal candidates (default: the first wins).")
@click.option("--nbest", "most", type=click.IntRange(1), default=1, show_default=True, metavar="K",
              help="Print the best K of each sentence.")
@nbest_form_option
@THREADS
@click.option("--format", "style", type=click.Choice(["text", "jsonl", "tsv"]), default="text",
              help="Texts alone, or with expected scores and margins (default: text).")
@OUTPUT
@QUIET
def command(
    nbest: str, references: str | None, metric: str, language: str | None, method: str, keep: int, weights: str | None,
    log_weights: str | None, exclude_self: bool, seed: int | None, most: int, form: str, threads: int | None,
    style: str, output: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Choose, for each sentence, the translation with the best expected score against all the others.

    NBEST holds the candidates of each sentence: "number ||| text ||| …" (Marian, Moses), tab-separated lines (t2t),
    N lines per sentence (lines:N), or JSON lines {"id": 0, "candidates": ["…", "…"]}; plain or compressed.

    \b
    Examples:
      tertium mbr samples.txt > decoded.txt
      tertium mbr samples.txt -m bleu:effective_order=true --method aggregate-to-fine
      tertium mbr samples.jsonl --log-weights logprobs.txt --format jsonl
      tertium mbr samples.txt --nbest-format lines:64 --nbest 3 --format tsv
    """
    from tertium.decoding import mbr_batch

    if weights is not None and log_weights is not None:
        raise InputError("Give --weights or --log-weights, not both.")
    check_output(output)
    warn = warner(quiet)
    chosen = one_metric(metric, language)
    told = Told()
    progress = Progress(quiet)

    def lines() -> Iterator[str]:
        sides: Sequence[str | None] = (references, weights or log_weights)
        for block in in_blocks(nbest, form, sides, _BLOCK, warn):
            choices = mbr_batch(
                chosen, block.candidates, block.references,
                weights=block.shares(logarithms=log_weights is not None), method=method, keep=keep,
                exclude_self=exclude_self, seed=seed, threads=threads,
            )  # fmt: skip
            progress.say(f"{block.end:,} sentences decoded")
            for identity, candidates, choice in zip(block.identities, block.candidates, choices, strict=True):
                told.add(choice)
                yield from records(identity, candidates, choice, most, style)

    emit(lines(), output)
    progress.clear()
    told.say(chosen, warn)

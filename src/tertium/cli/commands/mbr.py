"""`tertium mbr`: of many translations of a sentence, the one that agrees best with all the others."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments.decoding import (
    FORM,
    LANGUAGE,
    metric_option,
    one_metric,
    read_lists,
    share_of_lists,
    tell_signature,
)
from tertium.cli.arguments.options import OUTPUT, QUIET, THREADS, Choice, format_option
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
@LANGUAGE
@click.option(
    "--method",
    type=Choice("tertium.decoding.mbr:METHODS"),
    default="exact",
    show_default=True,
    help="Every pair; all references as one; that, then the best exactly; or sure losers left out.",
)
@click.option(
    "--keep", type=click.IntRange(1), default=20, show_default=True, help="How many aggregate-to-fine compares exactly."
)
@click.option("--weights", metavar="FILE", help="Probabilities of the references, a line per sentence.")
@click.option("--log-weights", metavar="FILE", help="The same as logarithms.")
@click.option("--exclude-self", is_flag=True, help="Do not compare a candidate with itself.")
@click.option("--seed", type=int, help="Draw among equal candidates (default: the first wins).")
@click.option(
    "--nbest",
    "most",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="K",
    help="Print the best K of each sentence.",
)
@FORM
@THREADS
@format_option(click.Choice(["text", "jsonl", "tsv"]), "text", "Texts alone, or with expected scores and margins")
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
      tertium mbr samples.txt -m bleu --method aggregate-to-fine
      tertium mbr samples.jsonl --log-weights logprobs.txt --format jsonl
      tertium mbr samples.txt --nbest-format lines:64 --nbest 3 --format tsv
    """
    from tertium.decoding import mbr_batch
    from tertium.decoding.mbr import probabilities

    if weights is not None and log_weights is not None:
        raise InputError("Give --weights or --log-weights, not both.")
    check_output(output)
    warn = warner(quiet)
    chosen_by = one_metric(metric, language)
    progress = Progress(quiet)
    share = share_of_lists(nbest, progress.wanted)
    count = doubtful = 0

    def lines() -> Iterator[str]:
        nonlocal count, doubtful
        for lists in read_lists(nbest, form, references, weights or log_weights, _BLOCK, warn):
            shares = lists.weights
            if log_weights is not None and shares is not None:
                shares = [probabilities(one).tolist() for one in shares]
            choices = mbr_batch(
                chosen_by, lists.candidates, lists.references, weights=shares, method=method, keep=keep,
                exclude_self=exclude_self, seed=seed, threads=threads,
            )  # fmt: skip
            count += len(choices)
            doubtful += sum(choice.low is not None and choice.low <= 0 for choice in choices)
            progress.say(f"{count:,} sentences decoded", share(lists.candidates))
            for identity, texts, choice in zip(lists.identities, lists.candidates, choices, strict=True):
                yield from _printed(identity, texts, choice, most, style)

    emit(lines(), output)
    progress.clear()
    if style == "tsv":
        tell_signature(chosen_by, quiet)
    if doubtful:
        warn(
            f"In {doubtful:,} of {count:,} sentences the winner is not clearly better than the second (its margin's "
            "95 % interval holds 0): more samples would tell."
        )
    warn(f"What {chosen_by.name} chose looks better by {chosen_by.name} than it is: evaluate it with another metric.")


def _printed(identity: int | str, texts: Sequence[str], choice: "Chosen", most: int, style: str) -> Iterator[str]:
    for rank, index in enumerate(choice.ranking[:most], 1):
        expected = float(choice.scores[index])
        if style == "text":
            yield f"{texts[index]}\n"
        elif style == "tsv":
            yield f"{identity}\t{rank}\t{index}\t{expected!r}\t{texts[index]}\n"
        else:
            first = choice.to_dict() if rank == 1 else {}
            record = {"id": identity, "rank": rank, "index": index, "text": texts[index], "expected": expected}
            yield json.dumps(record | first, ensure_ascii=False) + "\n"

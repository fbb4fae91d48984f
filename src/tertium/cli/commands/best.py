"""`tertium best`: the best of n translations against a true reference."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments.decoding import FORM, LANGUAGE, metric_option, one_metric, share_of_lists, tell_signature
from tertium.cli.arguments.options import OUTPUT, QUIET, THREADS, format_option
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.decoding.best import Best
    from tertium.files.lines import Warn

_BLOCK = 8192  # sentences that are scored at once


@click.command("best")
@click.argument("nbest", metavar="NBEST")
@click.option("-r", "--reference", "references", multiple=True, metavar="REF", help="A reference; repeat for more.")
@metric_option("chrf")
@LANGUAGE
@click.option("--worst", is_flag=True, help="The worst instead of the best.")
@click.option("--with-scores", is_flag=True, help="The same as --format tsv.")
@FORM
@THREADS
@format_option(click.Choice(["text", "jsonl", "tsv"]), "text", "Texts alone, or with their scores before them")
@OUTPUT
@QUIET
def command(
    nbest: str, references: Sequence[str], metric: str, language: str | None, worst: bool, with_scores: bool, form: str,
    threads: int | None, style: str, output: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Print, for each sentence, the candidate of NBEST that scores best against its reference.

    This is what distillation keeps of a teacher's n-best lists, and how good a perfect choice would be. Line i of each
    REF belongs to sentence i. An empty candidate never wins against one that is not.

    \b
    Examples:
      tertium best nbest.txt.gz -r target.txt -m chrf --output best.txt
      tertium best nbest.txt -r target.txt -m bleu --with-scores
      tertium best samples.txt -r target.txt --nbest-format lines:8
    """
    from tertium.decoding import best_of

    check_output(output)
    style = "tsv" if with_scores and style == "text" else style
    if not references:
        raise InputError("No reference was given. Add -r FILE.")
    if [nbest, *references].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    warn = warner(quiet)
    chosen_by = one_metric(metric, language)
    signature = chosen_by.signature(len(references))
    progress = Progress(quiet)
    share = share_of_lists(nbest, progress.wanted)

    def lines() -> Iterator[str]:
        done = 0
        for candidates, theirs in _side_by_side(nbest, form, references, warn):
            found = best_of(chosen_by, candidates, theirs, worst=worst, threads=threads)
            for number, (texts, best) in enumerate(zip(candidates, found, strict=True), done):
                yield _printed(number, texts[best.index], best, style, signature)
            done += len(found)
            progress.say(f"{done:,} sentences", share(candidates))

    if not chosen_by.is_fitted:
        raise InputError(f"{chosen_by.name} learns from all references first, which a stream of lists cannot give.")
    emit(lines(), output)
    progress.clear()
    if style == "tsv":
        tell_signature(chosen_by, quiet)


def _printed(number: int, text: str, best: "Best", style: str, signature: str) -> str:
    if style == "jsonl":
        record = {"id": number, "index": best.index, "text": text, "score": best.score, "signature": signature}
        return json.dumps(record, ensure_ascii=False) + "\n"
    return f"{best.score!r}\t{text}\n" if style == "tsv" else f"{text}\n"


def _side_by_side(
    nbest: str, form: str, references: Sequence[str], warn: "Warn"
) -> Iterator[tuple[list[list[str]], list[list[str]]]]:
    """Return candidates and references of so many sentences at a time."""
    from tertium.corpus.nbest import nbest_lists
    from tertium.files.lines import Lines

    lists = nbest_lists(nbest, form, warn=warn)
    lines = [iter(Lines(path, warn=warn)) for path in references]
    done = 0
    while block := list(islice(lists, _BLOCK)):
        for place, (identity, _) in enumerate(block):
            if isinstance(identity, int) and identity != done + place:
                raise InputError(
                    f"{nbest} goes on with sentence {identity} where {done + place} was expected (counted from 0). "
                    "Each sentence of the references needs its candidates."
                )
        sides = [list(islice(side, len(block))) for side in lines]
        for path, side in zip(references, sides, strict=True):
            if len(side) < len(block):
                raise InputError(
                    f"{path} has {done + len(side):,} lines, but {nbest} has candidates for more sentences. Give one "
                    "line per sentence, in the same order."
                )
        done += len(block)
        yield [texts for _, texts in block], [list(group) for group in zip(*sides, strict=True)]
    for path, side_left in zip(references, lines, strict=True):
        if next(side_left, None) is not None:
            raise InputError(
                f"{path} has more than {done:,} lines, but {nbest} has candidates for {done:,} sentences. Give one "
                "line per sentence, in the same order."
            )

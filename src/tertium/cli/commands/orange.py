"""`tertium orange`: do metrics rank references above machine translations?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.inputs import parsed_metrics
from tertium.cli.arguments.options import (
    SIGNATURES,
    THREADS,
    Choice,
    decimals_option,
    output_options,
    samples_option,
    seed_option,
)
from tertium.cli.output.orange_tables import rendered
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.score_tables import listed
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.files.lines import Warn

DEFAULT_METRICS = ("bleu-s", "chrf", "ter")


@click.command("orange")
@click.argument("nbest", metavar="NBEST")
@click.option("-r", "--reference", "references", multiple=True, metavar="REF", help="A reference; at least two.")
@click.option("--refs-dir", metavar="DIR", help="A directory in which every file is a reference.")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC",
              help=f"[NAME=]metric[:key=value,…]; repeatable (default: {', '.join(DEFAULT_METRICS)}).")  # fmt: skip
@click.option(
    "-l", "--language", metavar="LANG", help="Target language or pair (ja, zh-Hant, en-de): sets what -m leaves open."
)
@click.option("--oracle", type=Choice("tertium.meta.orange_score:ORACLES"), default="mean",
              help="Rank the mean score of the references, or each and average (default: mean).")  # fmt: skip
@click.option(
    "--ties",
    type=Choice("tertium.meta.orange_score:TIES"),
    default="average",
    help="Translations with the reference's score count half, not at all, or whole (default: average).",
)
@click.option(
    "--leave-one-out",
    type=Choice("tertium.meta.orange_score:LEAVE_ONE_OUT"),
    default="matched",
    help="Score translations against what each reference is scored against, or against all (default: matched).",
)
@click.option("--level", "levels", multiple=True, type=Choice("corpus", "segment", also={"system": "corpus"}),
              metavar="LEVEL", help="corpus or segment; repeat for more (default: corpus).")  # fmt: skip
@samples_option("Bootstrap replicates, and trials of tests.")
@seed_option()
@THREADS
@decimals_option(4)
@SIGNATURES
@output_options
def command(
    nbest: str, references: Sequence[str], refs_dir: str | None, metrics: Sequence[str], language: str | None,
    oracle: str, ties: str, leave_one_out: str, levels: Sequence[str], samples: int, seed: int, threads: int | None,
    decimals: int, signed: str, style: str, output: str | None, quiet: bool, no_color: bool,
) -> None:  # fmt: skip
    """Rank references among n-best lists: the better a metric, the nearer to the top they come.

    NBEST holds machine translations of each sentence, one per line: Moses' "number ||| text ||| …", numbered from 0,
    or JSON lines {"id": 0, "text": "…"} or {"candidates": ["…", "…"]}. Line i of each REF is a reference of sentence i.
    ORANGE is the mean rank of the references, divided by the length of the list: from 1/(N+1), always first, to 1,
    always last; half is chance.

    \b
    Examples:
      tertium orange nbest.txt -r ref1.txt -r ref2.txt
      tertium orange nbest.gz --refs-dir references/ -m bleu-s -m chrf++ -m ter --ties pessimistic
      tertium orange nbest.jsonl -r ref1.txt -r ref2.txt --level segment --format tsv
    """
    from tertium.meta import orange

    check_output(output)
    warn = warner(quiet)
    by_label = parsed_metrics(metrics or DEFAULT_METRICS, language, warn)
    sentences, lists, groups = _read(nbest, references, refs_dir, warn)
    progress = Progress(quiet)
    found = orange(
        by_label, lists, groups, oracle=oracle, ties=ties, leave_one_out=leave_one_out, samples=samples, seed=seed,
        threads=threads, progress=lambda count: progress.say(f"{count:,} segments scored", count / len(lists)),
    )  # fmt: skip
    progress.clear()
    told = None
    if signed != "none":
        short = {name: one.short_signature("var") for name, one in by_label.items()}
        told = listed(short if signed == "short" else {one.metric: one.signature for one in found})
    emit(rendered(found, sentences, levels or ("corpus",), style, decimals, told), output)


def _read(
    nbest: str, references: Sequence[str], refs_dir: str | None, warn: "Warn"
) -> tuple[list[int], list[list[str]], list[list[str]]]:
    """Return the numbers of the sentences that have translations, these, and their references."""
    from tertium.cli.arguments.files import files_in
    from tertium.corpus.formats import open_references
    from tertium.corpus.nbest import read_nbest

    paths = [*references, *files_in(refs_dir)]
    if not paths:
        raise InputError("No reference was given. Add -r FILE, at least twice, or --refs-dir DIR.")
    if [nbest, *paths].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    sides = [(file.name, _texts(file)) for path in paths for file in open_references(path, kind=None, warn=warn)]
    count = len(sides[0][1])
    for name, texts in sides:
        if len(texts) != count:
            raise InputError(
                f"{sides[0][0]} has {count:,} segments, but {name} has {len(texts):,}. Give files with one sentence "
                "per line, in the same order."
            )
    groups = [[text for _, texts in sides for text in texts[i]] for i in range(count)]
    lists = read_nbest(nbest, warn=warn)
    beyond = [number for number in lists if number >= count]
    if beyond:
        hint = (
            " Are its sentences numbered from 1? They must be from 0." if beyond == [count] and 0 not in lists else ""
        )
        raise InputError(
            f"{nbest} has translations of sentence {beyond[0]} (counted from 0), but {sides[0][0]} has only {count:,} "
            f"lines.{hint}"
        )
    numbers = [number for number in range(count) if lists.get(number)]
    if len(numbers) < count:
        first = next(number for number in range(count) if not lists.get(number))
        warn(
            f"{nbest} has no translation of {count - len(numbers):,} of {count:,} sentences, the first of them {first} "
            "(counted from 0); they were left out."
        )
    for number in numbers:
        if len(groups[number]) < 2:
            raise InputError(
                f"Sentence {number} (counted from 0) has one reference, but ORANGE scores each against the others, so "
                "at least two are needed. Add -r FILE."
            )
    return numbers, [lists[number] for number in numbers], [groups[number] for number in numbers]


def _texts(file: Any) -> list[list[str]]:
    texts: list[list[str]] = []
    while len(block := file.take(1 << 15)):
        texts += [block[i] for i in range(len(block))]
    return texts

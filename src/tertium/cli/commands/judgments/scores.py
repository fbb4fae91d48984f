"""`tertium judgments aggregate` and `hter`: scores of segments, documents and systems."""

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.judgment_files import (
    SCALE,
    Files,
    document_ids,
    emit_tidy,
    file_options,
    read,
    shown,
    texts_of,
    tidy_output,
    whole_or_not,
)
from tertium.cli.arguments.metric_assisted import TakesSeveral, shown_assisted, with_metric
from tertium.cli.arguments.options import THREADS, Choice, decimals_option, output_options, samples_option, seed_option
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments


@click.command("aggregate", short_help="Add judgments up to segments, documents, systems.", cls=TakesSeveral)
@file_options
@click.option("--level", type=Choice("tertium.judgments.table:LEVELS", also={"corpus": "system"}), default="system",
              show_default=True, help="What to give scores to.")  # fmt: skip
@click.option("-r", "--reference", "references", multiple=True, metavar="REF",
              help="Weigh segments by the length of this reference; repeat for the mean length of more.")  # fmt: skip
@click.option("--tokenize", default="13a", show_default=True, help="What splits references into words.")
@click.option("--comprehensible", is_flag=True, help="Also the share of judgments from the threshold of --scale on.")
@SCALE
@click.option("--threshold", type=float, help="From which score on a text is understood (default: middle of --scale).")
@click.option("--clusters", is_flag=True, help="Rank systems in clusters that chance does not tell apart instead.")
@click.option("--like", type=Choice("tertium.judgments.rank_rules:RULES"), default="tertium", show_default=True,
              help="Whose rule of clusters: ours, or a shared task's.")  # fmt: skip
@click.option("--with-metric", "metric", metavar="METRIC",
              help="Also use a metric's scores of all segments: --systems and -r say of which texts.")  # fmt: skip
@click.option("--systems", multiple=True, metavar="HYP...",
              help="Outputs of the systems, for --with-metric; named as the judgments name them.")  # fmt: skip
@click.option("--scores", "imported", multiple=True, metavar="[NAME=]FILE[:COLUMN]",
              help="Instead of --with-metric: scores of another program.")  # fmt: skip
@samples_option()
@seed_option("Of the bootstrap.")
@decimals_option()
@output_options
def aggregate(
    style: str, output: str | None, quiet: bool, no_color: bool, decimals: int, level: str,
    references: tuple[str, ...], tokenize: str, comprehensible: bool, scale: str | None, threshold: float | None,
    clusters: bool, like: str, metric: str | None, systems: tuple[str, ...], imported: tuple[str, ...], samples: int,
    seed: int, **files: Any,
) -> None:  # fmt: skip
    """Add judgments up: from raters to segments, documents and systems.

    \b
    Examples:
      tertium judgments aggregate judgments.tsv
      tertium judgments aggregate judgments.tsv --level document -r reference.txt --format tsv
      tertium judgments aggregate fluency.tsv --comprehensible --scale 1-5
      tertium judgments aggregate da-z.tsv --clusters
      tertium judgments aggregate ad-deen-good-stnd-redup.csv --clusters --like wmt22 --format json
      tertium judgments aggregate part.tsv --with-metric chrf --systems a.txt b.txt -r reference.txt
    """
    check_output(output)
    wanted = Files(**files, quiet=quiet)
    judgments = read(wanted)
    if metric is not None or imported or systems:
        if clusters or comprehensible or level != "system":
            raise InputError("With a metric, means of systems are estimated: leave out --level and --clusters.")
        means = with_metric(judgments, metric, systems, references, imported, document_ids(wanted), quiet)
        emit(shown_assisted(style, means, decimals), output)
        return
    if clusters:
        _clusters(judgments, like, style, output, decimals)
        return
    if comprehensible:
        _comprehensible(judgments, scale, threshold, style, output, decimals)
        return
    from tertium.judgments import aggregates

    lengths = _lengths(references, tokenize, quiet)
    found = aggregates(
        judgments, level=level, lengths=lengths, documents=document_ids(wanted), samples=samples, seed=seed
    )
    if not found:
        raise InputError(f"There is no score of a {level} in these judgments.")
    columns = ("system", "kind", "level", "document", "segment", "score", "low", "high", "segments", "judgments")
    rows = [one.to_dict() | {"judgments": whole_or_not(one.judgments)} for one in found]
    emit(shown(style, rows, key="scores", columns=columns, texts=4, decimals=decimals), output)


def _lengths(references: tuple[str, ...], tokenize: str, quiet: bool) -> Any:
    if not references:
        return None
    from tertium.judgments import token_lengths

    sides = [texts_of(path, quiet) for path in references]
    if len({len(side) for side in sides}) > 1:
        sizes = ", ".join(f"{path} {len(side):,}" for path, side in zip(references, sides, strict=True))
        raise InputError(f"The references have different numbers of segments: {sizes}.")
    groups = [[text for group in segment for text in group] for segment in zip(*sides, strict=True)]
    return token_lengths(groups, tokenize=tokenize)


def _comprehensible(
    judgments: "Judgments", scale: str | None, threshold: float | None, style: str, output: str | None, decimals: int
) -> None:
    from tertium.judgments import Scale, comprehensibility, fluency

    if scale is None:
        raise InputError("--comprehensible needs the scale that was used: --scale 0-4, 1-5 or 1-7.")
    limits = Scale.parsed(scale, threshold)
    rows = []
    for kind in judgments.kinds:
        understood = comprehensibility(judgments, kind, scale=limits)
        means = fluency(judgments, kind, scale=limits)
        rows += [
            {"system": system, "kind": kind, "scale": limits.name, "threshold": limits.threshold,
             "comprehensibility": share, "mean": means[system]}
            for system, share in understood.items()
        ]  # fmt: skip
    columns = ("system", "kind", "scale", "threshold", "comprehensibility", "mean")
    emit(shown(style, rows, key="scores", columns=columns, texts=3, decimals=decimals), output)


def _clusters(judgments: "Judgments", like: str, style: str, output: str | None, decimals: int) -> None:
    from tertium.judgments import ranks

    found = [ranks(judgments, kind, like=like) for kind in judgments.kinds]
    rows = [rank.to_dict() for one in found for rank in one.ranks]
    columns = ("system", "kind", "score", "cluster", "start", "end", "wins", "losses", "best", "worst")
    head = {"like": like, "comparisons": [test for one in found for test in one.comparisons()]}
    text = shown(style, rows, key="ranks", columns=columns, texts=2, decimals=decimals, head=head)
    emit(text if style != "table" else f"{text}\nLike {like}: {found[0].rule.says}; p < 0.05.\n", output)


@click.command("hter", short_help="Score outputs against their own post-edits.")
@click.argument("systems", nargs=-1, required=True, metavar="HYP...")
@click.option("-p", "--post-edit", "post_edits", multiple=True, required=True, metavar="[NAME=]FILE",
              help="Post-edits of a system, by name or in the order of HYP; repeat a name for more.")  # fmt: skip
@click.option("-r", "--reference", "references", multiple=True, metavar="REF",
              help="An untargeted reference, whose length TER is divided by; repeat for more.")  # fmt: skip
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="[NAME=]metric[:key=value,…] (default: ter)."
)
@click.option("--documents", metavar="IDS", help="A file with one document id per segment.")
@THREADS
@tidy_output
def hter(
    systems: tuple[str, ...], post_edits: tuple[str, ...], references: tuple[str, ...], metrics: tuple[str, ...],
    documents: str | None, threads: int | None, style: str, output: str | None, quiet: bool, decimals: int,
) -> None:  # fmt: skip
    """Score outputs against their own post-edits: HTER, HBLEU, HMETEOR.

    The result is a tidy table with a row per segment, document and system.

    \b
    Examples:
      tertium judgments hter a.txt b.txt -p a=a.edited.txt -p b=b.edited.txt --output hter.tsv
      tertium judgments hter a.txt -p a.edited.txt -r reference.txt
      tertium judgments hter a.txt -p a.edited.txt -m bleu -m ter
    """
    from tertium.cli.arguments.post_edits import human_targeted_files

    check_output(output)
    found = human_targeted_files(systems, post_edits, references, metrics or ("ter",), documents, threads, quiet)
    emit_tidy(found, style, output, decimals, quiet)

"""`tertium judgments agreement` and `raters`: how far people agree, and who does not fit."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.judgment_files import Files, file_options, read, shown
from tertium.cli.arguments.options import Choice, decimals_option, output_options, samples_option, seed_option
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import RECORDS, check_output, emit

if TYPE_CHECKING:
    from tertium.judgments import Agreement, Judgments


@click.command("agreement", short_help="Measure how far raters agree.")
@file_options
@click.option("--measure", "measures", multiple=True, metavar="MEASURE",
              help="fleiss, cohen, cohen-linear, cohen-quadratic, alpha-nominal|ordinal|interval|ratio, "
              "icc-1|2|3|1k|2k|3k, span-f1, span-alpha; repeat for more (default: by the number of different "
              "scores).")  # fmt: skip
@click.option("--within", is_flag=True, help="How far each rater agrees with what they said before.")
@click.option("--chance", type=Choice("tertium.judgments.raters.kappas:CHANCES"), default="marginal", show_default=True,
              help="Of rankings: chance agreement by how often outcomes occur, or 1/3.")  # fmt: skip
@samples_option()
@seed_option("Of the bootstrap.")
@decimals_option()
@output_options
def agreement(
    style: str, output: str | None, quiet: bool, no_color: bool, decimals: int, measures: tuple[str, ...],
    within: bool, chance: str, samples: int, seed: int, **files: Any,
) -> None:  # fmt: skip
    """Measure how far raters agree beyond chance, with 95 % intervals.

    \b
    Examples:
      tertium judgments agreement judgments.tsv
      tertium judgments agreement judgments.tsv --measure cohen-quadratic --measure icc-2
      tertium judgments agreement rankings.csv --pair German-English --chance uniform
      tertium judgments agreement esa.csv --tasks batches.json --measure span-f1 --measure span-alpha
    """
    from tertium.judgments import agreement as measured
    from tertium.judgments import preference_agreement

    check_output(output)
    judgments = read(Files(**files, quiet=quiet))
    _warn_of_single(judgments, warner(quiet))
    found = list(measured(judgments, measures=measures or None, within=within, samples=samples, seed=seed))
    if len(judgments.preferences):
        found.append(
            preference_agreement(judgments.preferences, within=within, chance=chance, samples=samples, seed=seed)
        )
    columns: tuple[str, ...] = (
        "measure",
        "kind",
        "first",
        "second",
        "band",
        "value",
        "low",
        "high",
        "units",
        "raters",
        "judgments",
    )
    rows = [one.to_dict() for one in found]
    if style in RECORDS:
        columns = (*columns, "note")
    text = shown(style, rows, key="agreement", columns=columns, texts=5, decimals=decimals)
    emit(text if style != "table" else f"{text}{_notes(found)}", output)


def _warn_of_single(judgments: "Judgments", warn: Callable[[str], None]) -> None:
    """Name the raters who judged once: their agreement with others rests on one item."""
    codes = judgments.rater.codes
    names = [name for code, name in enumerate(judgments.rater.names) if int((codes == code).sum()) == 1]
    if names:
        listed = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
        warn(
            f"{len(names):,} raters have only one judgment ({listed}): it hardly tells how far they agree with others."
        )


def _notes(found: "list[Agreement]") -> str:
    """Say below the table what there is to say about some of its lines."""
    notes: dict[str, list[str]] = {}
    for one in found:
        if one.note:
            notes.setdefault(one.note, []).append(one.measure)
    lines = [f"{', '.join(dict.fromkeys(measures))}: {note}.\n" for note, measures in notes.items()]
    return "\n" + "".join(lines) if lines else ""


@click.command("raters", short_help="Show who does not fit the other raters.")
@file_options
@click.option("--limit", type=float, default=3.0, show_default=True,
              help="Robust standard deviations from the other raters that are odd.")  # fmt: skip
@click.option("--outliers", is_flag=True, help="Only raters of whom something is odd.")
@decimals_option()
@output_options
def raters(
    style: str, output: str | None, quiet: bool, no_color: bool, decimals: int, limit: float, outliers: bool,
    **files: Any,
) -> None:  # fmt: skip
    """Show how raters used the scale, and who does not fit the others.

    Of WMT's single assessments and of Appraise's exports, the scores of degraded outputs are tested too.

    \b
    Examples:
      tertium judgments raters judgments.tsv
      tertium judgments raters appraise.csv --outliers
    """
    from tertium.judgments import raters_of

    check_output(output)
    found = raters_of(read(Files(**files, quiet=quiet)), limit=limit)
    columns = ("rater", "kind", "judgments", "mean", "deviation", "shared", "difference", "correlation", "repeats",
               "repeat_difference", "repeat_p", "degraded", "degraded_p", "flags")  # fmt: skip
    rows = [one.to_dict() | {"flags": ", ".join(one.flags)} for one in found if one.flags or not outliers]
    emit(shown(style, rows, key="raters", columns=columns, texts=2, decimals=decimals), output)

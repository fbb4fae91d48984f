"""`tertium judgments import`, `info`, `normalize`, `pairs`, `forms`: tables of judgments, read and made comparable."""

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.judgment_files import (
    SCALE,
    Files,
    emit_tidy,
    file_options,
    read,
    shown,
    tidy_output,
    whole_or_not,
)
from tertium.cli.arguments.options import Choice, decimals_option, output_options
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments


@click.command("import", short_help="Turn any file of judgments into a tidy table.")
@file_options
@SCALE
@click.option("--combine", type=click.Choice(["mean", "sum"]), help="Add adequacy and fluency up as a further kind.")
@click.option("--marked", is_flag=True, help="Write the rows that do not count, too, with the reason in a column mark.")
@tidy_output
def import_(
    style: str, output: str | None, quiet: bool, decimals: int, scale: str | None, combine: str | None, marked: bool,
    **files: Any,
) -> None:  # fmt: skip
    """Turn any file of judgments into a tidy table.

    \b
    Examples:
      tertium judgments import ad-seg-scores-ja-en.csv --strip-numbers --output judgments.tsv
      tertium judgments import mqm.tsv --mqm-weights 'major:10 minor:1' --format jsonl
      tertium judgments import wmt22/ --pair en-de --kind mqm
      tertium judgments import ratings.csv --scale 1-5 --combine mean
      tertium judgments import appraise.csv --pair eng-deu --tasks batches.json --marked --format jsonl
    """
    check_output(output)
    judgments = read(Files(**files, quiet=quiet))
    if scale is not None:
        from tertium.judgments import Scale

        Scale.parsed(scale).check(judgments)
    if combine is not None:
        from tertium.judgments import combined

        judgments = combined(judgments, how=combine)
    emit_tidy(judgments, style, output, decimals, quiet, marked=marked)


@click.command("info", short_help="Say what a file of judgments holds.")
@file_options
@decimals_option()
@output_options
def info(style: str, output: str | None, quiet: bool, no_color: bool, decimals: int, **files: Any) -> None:
    """Say what a file of judgments holds.

    \b
    Examples:
      tertium judgments info judgments.tsv
      tertium judgments info wmt22/ --pair en-de
    """
    check_output(output)
    judgments = read(Files(**files, quiet=quiet))
    columns = ("kind", "level", "higher_is_better", "judgments", "systems", "documents", "segments", "raters",
               "minimum", "mean", "maximum", "distinct", "spans", "seconds")  # fmt: skip
    emit(shown(style, _summary(judgments), key="kinds", columns=columns, texts=3, decimals=decimals), output)


def _summary(judgments: "Judgments") -> list[dict[str, Any]]:
    import numpy as np

    rows = []
    for kind in judgments.kinds:
        for level in judgments.levels(kind):
            ours = judgments.of_kind(kind)
            ours = ours[ours.level == ("segment", "document", "system").index(level)]
            rows.append(
                {
                    "kind": kind,
                    "level": level,
                    "higher_is_better": kind not in judgments.lower_is_better,
                    "judgments": whole_or_not(float(ours.count.sum())),
                    "systems": len(ours.systems),
                    "documents": len(ours.document.names),
                    "segments": len(np.unique(ours.segment)) if level == "segment" else None,
                    "raters": len(ours.rater.names),
                    "minimum": float(ours.score.min()),
                    "mean": float(ours.score.mean()),
                    "maximum": float(ours.score.max()),
                    "distinct": len(np.unique(ours.score)),
                    "spans": len(ours.details.spans) or None if ours.details is not None else None,
                    "seconds": _median_seconds(ours),
                }
            )
    pairs = judgments.preferences
    if len(pairs):
        rows.append(
            {"kind": "preference", "level": "segment", "judgments": len(pairs), "systems": len(pairs.system),
             "segments": len(np.unique(pairs.segment)), "raters": len(pairs.rater.names)}
        )  # fmt: skip
    return rows


def _median_seconds(judgments: "Judgments") -> float | None:
    """Return how long a judgment took, in the middle: the time at work if that was measured, else from start to end."""
    import numpy as np

    if judgments.details is None:
        return None
    known = judgments.details
    seconds = np.where(np.isfinite(known.seconds), known.seconds, known.ended - known.started)
    return float(np.median(seconds[np.isfinite(seconds)])) if np.isfinite(seconds).any() else None


@click.command("normalize", short_help="Make raters comparable.")
@file_options
@click.option("--method", type=Choice("tertium.judgments.normalization:METHODS"), default="z", show_default=True,
              help="z-scores, means moved to the middle, or ranks; of each rater.")  # fmt: skip
@click.option("--middle", type=float, default=3.0, show_default=True, help="Where shift moves each rater's mean.")
@click.option("--population", is_flag=True, help="z with n, not n - 1, in the standard deviation.")
@tidy_output
def normalize(
    style: str, output: str | None, quiet: bool, decimals: int, method: str, middle: float, population: bool,
    **files: Any,
) -> None:  # fmt: skip
    """Make raters comparable: each kind becomes KIND-z, KIND-shifted or KIND-rank.

    \b
    Examples:
      tertium judgments normalize judgments.tsv --output z.tsv
      tertium judgments normalize judgments.tsv --method shift --middle 3
    """
    from tertium.judgments import normalized

    check_output(output)
    judgments = read(Files(**files, quiet=quiet))
    found = normalized(judgments, method=method, middle=middle, population=population, warn=warner(quiet))
    emit_tidy(found, style, output, decimals, quiet)


@click.command("pairs", short_help="Turn segment scores into preferences.")
@file_options
@click.option("--minimum", type=float, default=0.0, show_default=True,
              help="Leave out pairs whose scores differ by less (25 for WMT's daRR).")  # fmt: skip
@tidy_output
def pairs(style: str, output: str | None, quiet: bool, decimals: int, minimum: float, **files: Any) -> None:
    """Turn segment scores into pairwise preferences.

    \b
    Examples:
      tertium judgments pairs da.tsv --minimum 25 --output pairs.tsv
    """
    from tertium.judgments.preferences import FIELDS, Preferences

    check_output(output)
    judgments = read(Files(**files, quiet=quiet))
    if len(judgments.kinds) > 1:
        raise InputError(f"There are several kinds of judgments: {', '.join(judgments.kinds)}. Choose one: --kind.")
    parts = [judgments.preferences]
    if judgments.kinds:
        parts.append(judgments.score_pairs(judgments.kinds[0], minimum=minimum))
    found = Preferences.joined(parts)
    if not len(found):
        raise InputError("No two systems have scores of the same segment that differ enough.")
    emit(shown(style, found.records(), key="preferences", columns=FIELDS, texts=6, decimals=decimals), output)


@click.command("forms", short_help="Say which layouts of files are read.")
@output_options
def forms(style: str, output: str | None, quiet: bool, no_color: bool) -> None:
    """Say which layouts of files are read: the names that --form and --judgments-format take.

    \b
    Examples:
      tertium judgments forms
    """
    from tertium.judgments import FORMS

    check_output(output)
    rows = [{"form": form.name, "holds": form.holds} for form in FORMS]
    emit(shown(style, rows, key="forms", columns=("form", "holds"), texts=2, decimals=2), output)

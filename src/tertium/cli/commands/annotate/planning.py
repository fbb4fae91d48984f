"""`tertium annotate plan`: how many segments, documents and raters a study needs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.imported import with_imported
from tertium.cli.arguments.inputs import Inputs, input_options, scored
from tertium.cli.arguments.options import decimals_option, imported_options, output_options, seed_option
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import RECORDS, check_output, emit, records_as, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments
    from tertium.judgments.planning import StudyPlan

_MOST = 1e9  # times as small as what is shown now: less is a slip of the keyboard


@click.command("plan", short_help="Say how many segments, documents and raters find a difference.")
@input_options(required=False, metavar="[HYP]...")
@click.option("--judgments", "judged_files", multiple=True, metavar="FILE", help="A pilot: judgments of some segments.")
@click.option("--judgments-format", "form", metavar="FORM", help="What FILE is (default: by its content).")
@click.option("--kind", "judged_kind", metavar="KIND", help="The kind of judgment, if there are several.")
@click.option("--difference", type=float, required=True, help="The difference between two systems to be found.")
@click.option("--power", type=float, default=0.8, show_default=True, help="With which probability.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of the two-sided test.")
@click.option("--raters", "most_raters", type=click.IntRange(1, 20), default=3, show_default=True,
              help="Judgments of each output, at most.")  # fmt: skip
@click.option("--segments-per-document", type=float, help="Of the study (default: as in the pilot).")
@click.option("--same-rater", is_flag=True, help="One rater judges both systems side by side.")
@imported_options()
@seed_option("Of the bootstrap behind rows.")
@decimals_option()
@output_options
def plan(
    judged_files: Sequence[str], form: str | None, judged_kind: str | None, difference: float, power: float,
    alpha: float, most_raters: int, segments_per_document: float | None, same_rater: bool, imported: Sequence[str],
    lower_is_better: Sequence[str], higher_is_better: Sequence[str], seed: int, style: str, output: str | None,
    decimals: int, quiet: bool, no_color: bool, **inputs: Any,
) -> None:  # fmt: skip
    """Say how large a study must be to find a difference, from a pilot; or a test set, from rows of metrics.

    \b
    Examples:
      tertium annotate plan --judgments pilot.tsv --difference 2 --power 0.8
      tertium annotate plan --judgments pilot.tsv --difference 2 --raters 2 --segments-per-document 5
      tertium annotate plan a.txt b.txt -r ref.txt -m chrf --difference 0.5 --documents ids.txt
    """
    check_output(output)
    if judged_files:
        if inputs["systems"] or imported:
            raise InputError("Plan from --judgments, or from HYP… and --scores, but not from both at once.")
        from tertium.judgments.components import components_of
        from tertium.judgments.planning import planned

        found = planned(
            components_of(_pilot(judged_files, form, inputs["documents"], quiet), judged_kind), difference,
            power=power, level=alpha, segments_per_document=segments_per_document, most_raters=most_raters,
            same_rater=same_rater,
        )  # fmt: skip
        emit(_told(found, style, decimals), output)
        return
    if not inputs["systems"] and not imported:
        raise InputError("There is nothing to plan from: add --judgments FILE, or HYP… -r REF, or --scores FILE.")
    emit(
        _by_rows(Inputs(**inputs, quiet=quiet), imported, lower_is_better, higher_is_better, difference, power, alpha,
                 seed, style, decimals),
        output,
    )  # fmt: skip


def _pilot(paths: Sequence[str], form: str | None, documents: str | None, quiet: bool) -> "Judgments":
    from tertium.cli.arguments.judgment_files import texts_of
    from tertium.judgments import Judgments, read_judgments

    ids = None if documents is None else [group[0] for group in texts_of(documents, quiet)]
    parts = [
        read_judgments(path, form=form, documents=ids, within_documents=False, warn=warner(quiet)) for path in paths
    ]
    return Judgments.joined(parts) if len(parts) > 1 else parts[0]


_PARTS = {
    "system": "systems",
    "document": "documents",
    "segment": "segments",
    "rater": "raters",
    "system_document": "a system on a document",
    "system_segment": "a system on a segment",
    "error": "error",
}


def _told(found: "StudyPlan", style: str, decimals: int) -> Any:
    from tertium import __version__

    if style in RECORDS:
        whole = found.to_dict()
        rows = whole.pop("needs")
        return records_as(style, rows, head={"tertium": __version__} | whole, key="needs")
    judged, total = found.judged, found.judged.components.total
    varies = [
        [_PARTS[name], "-" if value is None else f"{value:.{decimals}f}",
         "-" if value is None or not total else f"{100 * value / total:.0f} %"]
        for name, value in judged.components.to_dict().items()
    ]  # fmt: skip
    needs = [
        [str(one.raters), f"{one.segments:,}", f"{one.documents:,}", f"{one.judgments:,}",
         "-" if one.detectable is None else f"{one.detectable:.{decimals}f}"]
        for one in found.needs
    ]  # fmt: skip
    parts = [
        table(style, [f"{judged.kind} varies by", "Variance", "Share"], varies, best=set()),
        table(style, ["Raters", "Segments", "Documents", "Judgments per system", "Detectable here"],
              needs, best=set()),
    ]  # fmt: skip
    return "\n".join([*parts, _sentences(found, decimals)])


def _sentences(found: "StudyPlan", decimals: int) -> str:
    judged, cheapest = found.judged, found.cheapest
    lines = [
        f"To find a difference of {found.difference:g} {judged.kind} points between two systems with "
        f"{100 * found.power:g} % (two-sided, {100 * found.level:g} %):",
        f"{cheapest.segments:,} segments in {cheapest.documents:,} documents, by {cheapest.raters} "
        f"rater{'' if cheapest.raters == 1 else 's'} each, take the fewest judgments.",
    ]
    if len(found.needs) > 1:
        one, two = found.needs[:2]
        saved = 1 - two.segments / one.segments
        lines.append(
            f"More raters or more segments? A second rater of each output saves {100 * saved:.0f} % of the segments "
            f"and costs {100 * (two.judgments / one.judgments - 1):.0f} % more judgments"
            f"{'' if two.judgments > one.judgments else ', so it pays'}."
        )
    if found.one_by_one < found.needs[0].segments:
        lines.append(
            f"Segments of one document are judged alike: from documents of their own, {found.one_by_one:,} segments "
            "would do."
        )
    lines.append(
        f"The pilot: {judged.judgments:,} judgments of {judged.systems} systems, {judged.segments:,} segments, "
        f"{judged.documents or 'no'} documents, {judged.raters or 'no'} raters."
    )
    if found.detectable is not None:
        lines.append(
            f'It shows differences of {found.detectable:.{decimals}f} itself; "detectable here" is with all of its '
            "segments judged for every system."
        )
    if judged.segments < 50 or 0 < judged.documents < 10:
        lines.append("Note: a pilot this small says little about variances; plan with a margin.")
    if found.assumed:
        lines.append(
            "Note: every output was judged once, so what is particular to an output cannot be told from error; half "
            "each is assumed."
        )
    if judged.raters == 0:
        lines.append("Note: no raters are named, so what is due to them is in the other parts.")
    return "\n".join(lines) + "\n"


def _by_rows(
    given: Inputs, imported: Sequence[str], lower: Sequence[str], higher: Sequence[str], difference: float,
    power: float, alpha: float, seed: int, style: str, decimals: int,
) -> Any:  # fmt: skip
    """Say how many segments, and documents if they are known, show a difference by each metric."""
    import math

    from tertium import __version__
    from tertium.significance import compare, detectable_difference
    from tertium.significance.sampling import check_share

    check_share("--power", power)
    if not 0 < difference < math.inf:
        raise InputError(f"The difference to be found must be above 0, not {difference:g}.")
    computed = scored(given, keep_rows=True) if given.systems else None
    scores = with_imported(computed, imported, lower, higher, documents=given.documents, quiet=given.quiet)
    units = ["segment"] if scores.document_names is None else ["segment", "document"]
    rows: list[dict[str, Any]] = []
    for unit in units:
        count = scores.segment_count if unit == "segment" else len(scores.document_names or ())
        for one in compare(scores, unit=unit, samples=100, seed=seed, level=alpha, threads=given.threads).comparisons:
            shows = detectable_difference(one.standard_error, level=alpha, power=power)
            if shows is not None and not shows / difference < _MOST:
                raise InputError(
                    f"A difference of {difference:g} is too small: no test set is large enough to show it."
                )
            needed = None if shows is None else max(2, math.ceil(count * (shows / difference) ** 2))
            rows.append(
                {"system": one.system, "baseline": one.baseline, "metric": one.metric, "unit": unit, "count": count,
                 "standard_error": one.standard_error, "detectable": shows, "needed": needed}
            )  # fmt: skip
    head = {"tertium": __version__, "difference": difference, "power": power, "level": alpha}
    if style in RECORDS:
        return records_as(style, rows, head=head, key="needs")
    cells = [
        [row["system"], row["baseline"], row["metric"], f"{row['unit']}s", f"{row['count']:,}",
         "-" if row["detectable"] is None else f"{row['detectable']:.{decimals}f}",
         "-" if row["needed"] is None else f"{row['needed']:,}"]
        for row in rows
    ]  # fmt: skip
    header = ["System", "Against", "Metric", "Of", "Here", "Detectable", f"Needed for {difference:g}"]
    return table(style, header, cells, best=set(), texts=4)


ACTIONS = (plan,)

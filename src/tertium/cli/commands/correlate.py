"""`tertium correlate`: does a metric agree with people?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.judged_inputs import GROUPS, LEVELS, METHODS, JudgedInputs, parts_options, read, read_parts
from tertium.cli.arguments.options import (
    SIGNATURES,
    Choice,
    ChoiceOption,
    decimals_option,
    output_options,
    samples_option,
    seed_option,
)
from tertium.cli.output.correlate_tables import LAYOUTS, rendered, rendered_parts
from tertium.cli.output.pictures import check_pictures, draw, picture_options
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.score_tables import signatures
from tertium.cli.output.writing import emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta import Correlations


@click.command("correlate")
@parts_options
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="A kind of judgment (default: all there are).")
@click.option("--level", "levels", multiple=True, type=LEVELS, help="Repeatable (default: segment).")
@click.option("--method", "methods", multiple=True, type=METHODS, metavar="NAME", cls=ChoiceOption,
              help="Repeatable (default: pearson): {}.")  # fmt: skip
@click.option("--group", "groups", multiple=True, type=GROUPS,
              help="All scores together, by item or by system (default: none; acc-eq: item).")  # fmt: skip
@click.option("--threshold", type=float, default=25.0, show_default=True,
              help="kendall-like: the least difference of human scores.")  # fmt: skip
@click.option("--sample-rate", type=float, default=1.0, help="acc-eq: the share of pairs to calibrate on (default: 1).")
@click.option("--undefined", type=Choice("tertium.meta.coefficients.base:UNDEFINED"), default="drop",
              help="Groups whose coefficient is undefined (default: drop).")  # fmt: skip
@click.option("--interval", type=Choice("tertium.meta.intervals:INTERVALS"), default="auto",
              help="How intervals are made (default: Fisher's where it holds, else a bootstrap).")  # fmt: skip
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Intervals are of 1 minus this.")
@samples_option()
@seed_option()
@click.option("--unit", type=Choice("tertium.meta.coefficients.points:UNITS"),
              help="What is drawn (default: segments or documents; at system level, systems).")  # fmt: skip
@click.option("--weighted", is_flag=True,
              help="pearson, with --weights length: points weigh as much as they are long, too.")  # fmt: skip
@click.option("--layout", type=click.Choice(LAYOUTS), default="plain",
              help="Of tables: as in the TERp paper (terp) or the CDER paper (cder).")  # fmt: skip
@click.option("--thresholds", is_flag=True,
              help="Instead: how large differences of systems must be for people to agree with a metric.")  # fmt: skip
@picture_options(
    "Write a page with tables and charts, in one file.",
    "Draw coefficients, and metrics over people's scores: .svg or .png.",
)
@decimals_option(3)
@SIGNATURES
@output_options
def command(
    kinds: Sequence[str], levels: Sequence[str], methods: Sequence[str], groups: Sequence[str], threshold: float,
    sample_rate: float, undefined: str, interval: str, alpha: float, samples: int, seed: int, unit: str | None,
    weighted: bool, layout: str, thresholds: bool, report: str | None, plot: str | None, decimals: int,
    style: str, output: str | None, quiet: bool, no_color: bool, signed: str, by_domain: bool, **judged: Any,
) -> None:  # fmt: skip
    """Correlate metrics with human judgments, with an interval on every figure.

    HYP… are systems, named as the judgments name them (NAME=FILE); or a test set's FOLDER in mt-metrics-eval's layout
    and a language pair. Error rates are turned round. What has no judgment is left out and counted.

    \b
    Examples:
      tertium correlate a.txt b.txt c.txt -r reference.txt --judgments human.tsv
      tertium correlate hyp/*.txt -r ref.txt --judgments da.csv -m bleu -m chrf --level segment --level system
      tertium correlate --scores comet.tsv --judgments mqm.tsv --method kendall-b --method acc-eq --group item
      tertium correlate -t wmt23.mqm -l en-de --level system --method pairwise-accuracy
      tertium correlate wmt21.news en-de --level system --method soft-pairwise-accuracy
      tertium correlate wmt23 en-de zh-en --by-domain --metrics BLEU,COMET --outliers synthetic_ref
      tertium correlate hyp/*.txt -r ref.txt --judgments da.csv --level segment --level system --report page.html
      tertium correlate hyp/*.txt -r ref.txt --judgments da.csv -m bleu -m chrf --thresholds
    """
    from tertium.meta.correlation import correlate
    from tertium.significance.sampling import check_samples, check_seed, check_share

    check_pictures(output, report, plot)
    if weighted and (judged["weights"] != "length" or set(methods) - {"pearson"}):
        raise InputError("--weighted is for --method pearson and needs --weights length.")
    threads = judged["threads"]
    progress = Progress(quiet)
    check_seed(seed)  # before files are read and scored, which may take a while
    check_samples(samples)
    check_share("--alpha", alpha)
    asked, kind = JudgedInputs.of(judged, quiet=quiet).with_evaluation_data()
    kinds = kinds or ((kind,) if kind else ())
    asked = replace(asked, kinds=kinds)
    if thresholds:
        if levels or methods or groups or report or plot or by_domain:
            raise InputError(
                "--thresholds is about pairs of systems: leave out --level, --method, --group, --by-domain, --report "
                "and --plot."
            )
        from tertium.cli.output.threshold_tables import rendered as rendered_thresholds
        from tertium.meta.thresholds import thresholds as fit

        judged_systems = read(asked, by_segment=False)
        curves = fit(
            judged_systems.scores, judged_systems.judgments, kind=kinds or None, samples=samples,
            confidence=1 - alpha, seed=seed, lengths=judged_systems.lengths, warn=warner(quiet),
        )  # fmt: skip
        emit(rendered_thresholds(curves, style, decimals), output)
        return
    parts = read_parts(asked, by_segment=not levels or "segment" in levels, by_domain=by_domain)
    if len(parts) > 1 and (report or plot or layout != "plain"):
        raise InputError("--report, --plot and --layout are for one test set: name one language pair, without domains.")
    warn = warner(quiet)
    by_part: dict[str, Correlations] = {}
    for name, given in parts.items():
        by_part[name] = joined(
            [
                correlate(
                    given.scores, given.judgments, levels or ("segment",), names, grouping, kind=kinds or None,
                    threshold=threshold, sample_rate=sample_rate, interval=interval, confidence=1 - alpha,
                    samples=samples, seed=seed, unit=unit, lengths=given.lengths, weighted=weighted,
                    documents=given.documents, undefined=undefined, threads=threads, progress=progress.say,
                )
                for names, grouping in together(methods or ("pearson",), groups)
            ]
        )  # fmt: skip
    if len(parts) > 1:
        progress.clear()
        for name, one in by_part.items():
            for message in one.dropped:
                warn(f"{name}: {message}")
            warn_of_notes(one, warn, name)
        emit(rendered_parts(by_part, style, decimals, signatures(given.scores, signed)), output)
        return
    (given,), (found,) = parts.values(), by_part.values()
    if report is not None or plot is not None:
        from tertium.meta.judged_points import clouds
        from tertium.report.pages.judging_charts import correlate_plot
        from tertium.report.pages.judging_pages import correlate_page

        progress.say("points")
        seen = clouds(
            given.scores, given.judgments, levels or ("segment",), kinds=kinds or None, lengths=given.lengths,
            documents=given.documents, samples=samples, confidence=1 - alpha, seed=seed, threads=threads,
        )  # fmt: skip
        draw(
            report, plot, page=lambda command: correlate_page(found, seen, command),
            picture=lambda: correlate_plot(found, seen),
        )  # fmt: skip
    progress.clear()
    for message in found.dropped:
        warn(message)
    warn_of_notes(found, warn)
    emit(rendered(found, style, layout, decimals, signatures(given.scores, signed)), output)


def together(methods: Sequence[str], groups: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Each method has its usual grouping unless the user says otherwise: by item for acc-eq, none for others."""
    from tertium.meta.coefficients import method_of

    if groups:
        return [(list(methods), list(groups))]
    usual = {name: method_of(name).usual_group for name in methods}
    by_group = [(group, [name for name in methods if usual[name] == group]) for group in sorted(set(usual.values()))]
    return [(names, [group]) for group, names in reversed(by_group)]


def joined(results: Sequence[Any]) -> Any:
    """Put coefficients that were made one after the other into one result."""
    correlations = tuple(one for result in results for one in result.correlations)
    dropped = tuple(dict.fromkeys(message for result in results for message in result.dropped))
    return replace(results[0], correlations=correlations, dropped=dropped)


def warn_of_notes(found: Any, warn: Any, part: str = "") -> None:
    """Say once what concerns several metrics."""
    from tertium.meta.correlation import WEIGHTED

    by_note: dict[tuple[str, str], list[str]] = {}
    for one in found:
        if one.note and one.note != WEIGHTED:
            words = (part, one.kind, one.level, one.method, one.group)
            where = " ".join(word for word in words if word not in ("", "none"))
            by_note.setdefault((where, one.note), []).append(one.metric)
    for (where, note), metrics in by_note.items():
        warn(f"{', '.join(metrics)} ({where}): {note}.")

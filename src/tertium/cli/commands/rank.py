"""`tertium rank`: which metric agrees with people best, and which of them chance does not tell apart?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.judged_inputs import (
    GROUPS,
    LEVELS,
    METHODS,
    JudgedInputs,
    parts_options,
    read_parts,
)
from tertium.cli.arguments.options import (
    SIGNATURES,
    Choice,
    ChoiceOption,
    decimals_option,
    output_options,
    samples_option,
    seed_option,
)
from tertium.cli.commands.correlate import joined, together, warn_of_notes
from tertium.cli.output.correlate_tables import rendered_averages, rendered_ranks, rendered_tasks
from tertium.cli.output.pictures import check_pictures, draw, picture_options
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.score_tables import signatures
from tertium.cli.output.writing import emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta import TaskAverages
    from tertium.meta.judged_points import Cloud
    from tertium.meta.score_grid import GridSource


@click.command("rank")
@parts_options
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="The kind of judgment, if there are several.")
@click.option("--level", "levels", multiple=True, type=LEVELS, help="(default: segment)")
@click.option("--method", "methods", multiple=True, type=METHODS, metavar="NAME", cls=ChoiceOption,
              help="(default: pearson) {}.")  # fmt: skip
@click.option("--group", type=GROUPS, help="(default: none; acc-eq: item)")
@click.option("--test", type=Choice("tertium.meta.comparison:TESTS"),
              help="Of two metrics (default: two-sided; with --like, perm-both).")  # fmt: skip
@samples_option("Trials or replicates.")
@seed_option()
@click.option("--correction", type=Choice("none", "tertium.significance.corrections:CORRECTIONS"), default="none",
              help="For the number of tests (default: none).")  # fmt: skip
@click.option("--alpha", type=float, default=0.05, show_default=True, help="p-values up to this are significant.")
@click.option("--no-plus-one", is_flag=True, help="Leave the real labelling out of p, as mt-metrics-eval does.")
@click.option("--stop-early", is_flag=True, help="Give up a test that is clear (p below 0.02 or above 0.5).")
@click.option("--threshold", type=float, default=25.0, show_default=True,
              help="kendall-like: the least difference of human scores.")  # fmt: skip
@click.option("--unit", type=Choice("tertium.meta.coefficients.points:UNITS"),
              help="What a bootstrap draws (default: segments or documents; at system level, systems).")  # fmt: skip
@click.option("--like", type=Choice("tertium.meta.tasks:TASKS"),
              help="Test, and open ranks, as WMT's metrics tasks do.")  # fmt: skip
@click.option(
    "--average", is_flag=True, help="Average ranks over all levels, methods and kinds, as the TERp paper does."
)
@click.option(
    "--tasks", type=Choice("tertium.meta.tasks:TASKS"),
    help="Average over the tasks of WMT's metrics task; of a FOLDER with one or more language pairs.",
)  # fmt: skip
@picture_options(
    "Write a page with ranks, tests and charts, in one file.",
    "Draw ranks, tests, and metrics over people's scores: .svg or .png.",
)
@decimals_option(3)
@SIGNATURES
@output_options
def command(
    kinds: Sequence[str], levels: Sequence[str], methods: Sequence[str], group: str | None, test: str | None,
    samples: int, seed: int, correction: str, alpha: float, no_plus_one: bool, stop_early: bool, threshold: float,
    unit: str | None, like: str | None, average: bool, tasks: str | None, report: str | None, plot: str | None,
    decimals: int, style: str, output: str | None, quiet: bool, no_color: bool, signed: str, by_domain: bool,
    **judged: Any,
) -> None:  # fmt: skip
    """Rank metrics by their agreement with human judgments.

    Each pair of metrics is tested on the same points. A rank ends where every metric above is significantly better
    than every metric below. The test is two-sided and swaps whole items; WMT's tasks (--like) pick the side after
    looking. With --average, no test is made: the ranks in many conditions are averaged.

    \b
    Examples:
      tertium rank hyp/*.txt -r reference.txt --judgments human.tsv -m bleu -m chrf -m ter
      tertium rank --scores all.tsv --judgments mqm.tsv --method acc-eq --group item
      tertium rank --scores all.tsv --judgments mqm.tsv --level system --method pairwise-accuracy
      tertium rank -t wmt23.mqm -l en-de --method acc-eq --group item
      tertium rank wmt21.news en-de --average --level segment --level system --method pearson --method spearman
      tertium rank wmt24 en-de en-es ja-zh --tasks wmt24 --kind mqm
      tertium rank wmt23 en-de he-en --reference-of he-en=refB --outliers en-de=synthetic_ref --metrics BLEU,COMET
      tertium rank --scores all.tsv --judgments mqm.tsv --report page.html --plot ranks.svg
    """
    from tertium import __version__
    from tertium.meta import average_ranks, correlate, rank_metrics, task_averages
    from tertium.meta.coefficients import method_of
    from tertium.meta.task_sets import alike
    from tertium.significance.sampling import check_samples, check_seed, check_share

    check_pictures(output, report, plot)
    progress, warn = Progress(quiet), warner(quiet)
    check_seed(seed)  # before files are read and scored, which may take a while
    check_samples(samples, least=1)
    check_share("--alpha", alpha)
    one_kind_of = "segment" if tasks is None and not average and (not levels or levels == ("segment",)) else None
    asked, kind = JudgedInputs.of(judged, quiet=quiet).with_evaluation_data()
    kinds = kinds or ((kind,) if kind else ())
    asked = replace(asked, kinds=kinds, one_kind_of=one_kind_of)
    threads = asked.inputs.threads
    if tasks is not None and (average or levels or methods or group or len(kinds) > 1 or asked.weights != "none"):
        raise InputError(
            "--tasks says what is averaged: leave out --average, --level, --method, --group and --weights, and "
            "name one --kind at most."
        )
    if not average and max(len(kinds), len(levels), len(methods)) > 1:
        raise InputError("Metrics are ranked in one condition: one --kind, --level, --method; or --average over many.")
    method = methods[0] if methods else "pearson"
    if tasks is None and not average and method_of(method).of_systems and tuple(levels) != ("system",):
        raise InputError(f"{method} compares systems: use --level system.")
    if len(asked.inputs.metrics) == 1 and not asked.imported and asked.folder is None:
        raise InputError("There is only one metric. Give at least two to compare: -m bleu -m chrf, or --scores FILE.")
    by_segment = tasks is not None or not levels or "segment" in levels
    parts = read_parts(asked, by_segment=by_segment, by_domain=by_domain, for_tasks=tasks is not None)
    level, grouping = levels[0] if levels else "segment", group or method_of(method).usual_group
    if tasks is not None or len(parts) > 1:
        if average or asked.weights != "none":
            raise InputError("--average and --weights are for one test set: name one language pair, without domains.")
        if no_plus_one or stop_early:
            raise InputError(
                "Averages over tasks are tested with all trials: leave out --no-plus-one and --stop-early."
            )
        averaged = task_averages(
            {name: (part.scores, part.judgments) for name, part in parts.items()},
            tasks or alike(list(parts), level, method, grouping), kind=kinds[0] if kinds else None,
            test=test or (None if like else "two-sided"), like=like, samples=samples, seed=seed,
            correction=correction, alpha=alpha, threads=threads, progress=progress.say,
        )  # fmt: skip
        progress.clear()
        for message in averaged.dropped:
            warn(message)
        scores = next(iter(parts.values())).scores
        if report is not None or plot is not None:
            _draw_averages(averaged, scores, report, plot)
        told = signatures(scores, signed)
        emit(rendered_tasks(averaged, scores.head()["metrics"], style, decimals, told), output)
        return
    (given,) = parts.values()
    head = {"tertium": __version__, "metrics": given.scores.head()["metrics"]}
    told = signatures(given.scores, signed)

    def seen(which: Sequence[str], of_kinds: Sequence[str] | None) -> "Sequence[Cloud]":
        from tertium.meta.judged_points import clouds

        progress.say("points")
        return clouds(
            given.scores, given.judgments, which, kinds=of_kinds, lengths=given.lengths, documents=given.documents,
            samples=max(samples, 2), confidence=1 - alpha, seed=seed, threads=threads,
        )  # fmt: skip

    if average:
        found = joined(
            [
                correlate(
                    given.scores, given.judgments, levels or ("segment", "system"), names, grouping,
                    kind=kinds or None, lengths=given.lengths, documents=given.documents, interval=interval,
                    samples=samples, seed=seed, unit=unit, threshold=threshold, confidence=1 - alpha,
                    threads=threads, progress=progress.say,
                )
                for names, grouping, interval in _conditions(methods or ("pearson", "spearman"), group)
            ]
        )  # fmt: skip
        averages = average_ranks(found)
        if report is not None or plot is not None:
            from tertium.report.pages.judging_charts import averages_plot
            from tertium.report.pages.judging_pages import averages_page

            points = seen(levels or ("segment", "system"), kinds or None)
            draw(
                report, plot, page=lambda command: averages_page(averages, found, points, command),
                picture=lambda: averages_plot(averages, found, points),
            )  # fmt: skip
        progress.clear()
        for message in found.dropped:
            warn(message)
        warn_of_notes(found, warn)
        emit(rendered_averages(averages, head, style, decimals, told), output)
        return
    asked_for = {"test": test, "plus_one": False if no_plus_one else None, "stop_early": stop_early or None}
    how: dict[str, Any] = {name: value for name, value in asked_for.items() if value is not None}
    ranks = rank_metrics(
        given.scores, given.judgments, level, method, grouping, **how, kind=kinds[0] if kinds else None, like=like,
        samples=samples, seed=seed, correction=correction, alpha=alpha, threshold=threshold, unit=unit,
        lengths=given.lengths, documents=given.documents, threads=threads, progress=progress.say,
    )  # fmt: skip
    if report is not None or plot is not None:
        from tertium.meta.score_grid import systems_of
        from tertium.report.pages.judging_charts import rank_plot
        from tertium.report.pages.judging_pages import rank_page

        compared, metrics = ranks.comparisons, given.scores.head()["metrics"]
        points = seen([compared.level or "segment"], None if compared.kind is None else [compared.kind])
        draw(
            report, plot, page=lambda command: rank_page(ranks, points, metrics, systems_of(given.scores), command),
            picture=lambda: rank_plot(ranks, points),
        )  # fmt: skip
    progress.clear()
    for message in ranks.comparisons.dropped:
        warn(message)
    emit(rendered_ranks(ranks, head, style, decimals, told), output)


def _draw_averages(averaged: "TaskAverages", scores: "GridSource", report: str | None, plot: str | None) -> None:
    from tertium.meta.score_grid import systems_of
    from tertium.report.pages.judging_charts import rank_plot
    from tertium.report.pages.judging_pages import rank_page

    ranks = averaged.ranks
    if ranks is None:
        raise InputError("There is only one metric with a value in every task, so there is nothing to draw.")
    metrics, systems = scores.head()["metrics"], systems_of(scores)
    draw(
        report, plot, page=lambda command: rank_page(ranks, (), metrics, systems, command),
        picture=lambda: rank_plot(ranks, ()),
    )  # fmt: skip


def _conditions(methods: Sequence[str], group: str | None) -> list[tuple[list[str], list[str], str]]:
    """Return methods, groups and kinds of intervals that go together: Fisher's where the TERp paper has it."""
    from tertium.meta.coefficients import method_of

    found = []
    for names, grouping in together(methods, [group] if group else []):
        plain = [name for name in names if method_of(name).has_formula and grouping == ["none"]]
        others = [name for name in names if name not in plain]
        found += [(some, grouping, how) for some, how in ((plain, "fisher"), (others, "auto")) if some]
    return found

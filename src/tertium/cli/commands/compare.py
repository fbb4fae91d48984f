"""`tertium compare`: is one system better than another?"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.imported import with_imported
from tertium.cli.arguments.inputs import Inputs, input_options, metrics_for, read_blocks, short_segments
from tertium.cli.arguments.judged_inputs import judgment_options
from tertium.cli.arguments.options import (
    SIGNATURES,
    Choice,
    decimals_option,
    imported_options,
    output_options,
    seed_option,
)
from tertium.cli.output.compare_tables import rendered
from tertium.cli.output.pictures import check_pictures, draw, picture_options
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import emit
from tertium.errors import InputError
from tertium.files.lines import Warn

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.judgments import Judgments
    from tertium.report.pages.markings import Markings
    from tertium.report.pages.segments import Texts
    from tertium.scoring.scores import Scores


@click.command("compare")
@input_options(required=False)
@click.option("--baseline", metavar="NAME", help="The system that others are compared with (default: the first).")
@click.option("--all-pairs", is_flag=True, help="Compare every pair, and rank the systems in clusters.")
@click.option("--test", type=Choice("tertium.significance.comparison:TESTS"), default="randomization",
              help="Which test (default: randomization).")  # fmt: skip
@click.option("--samples", type=int, help="Trials or replicates (default: 10,000; bootstrap like sacrebleu: 1,000).")
@seed_option()
@click.option("--unit", type=Choice("tertium.significance.units:UNITS"),
              help="What is swapped or drawn as a whole (default: segment; with --resegment, document).")  # fmt: skip
@click.option("--alternative", type=Choice("tertium.significance.comparison:ALTERNATIVES"), default="two-sided",
              help="Which differences count (default: two-sided).")  # fmt: skip
@click.option("--correction", type=Choice("tertium.significance.corrections:CORRECTIONS"), default="holm",
              help="For the number of tests by each metric (default: holm).")  # fmt: skip
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Adjusted p-values up to this are significant."
)
@click.option("--interval", type=Choice("tertium.significance.intervals:METHODS"), default="percentile",
              help="Kind of bootstrap intervals (default: percentile).")  # fmt: skip
@click.option("--like", type=Choice("tertium.significance.comparison:LIKE"), help="Count as that program does.")
@click.option("--perceptible", is_flag=True,
              help="Also in how many of 100 such pairs people agree with the metric (Kocmi et al. 2024).")  # fmt: skip
@imported_options()
@click.option("--source", metavar="FILE", help="The source texts, which the report shows.")
@judgment_options(": the report shows the errors that are marked in them")
@picture_options(
    "Write a page that shows where systems differ, in one file.",
    "Draw scores and differences with their intervals: .svg or .png.",
)
@decimals_option()
@SIGNATURES
@output_options
def command(
    baseline: str | None, all_pairs: bool, test: str, samples: int | None, seed: int, unit: str | None,
    alternative: str, correction: str, alpha: float, interval: str, like: str | None, perceptible: bool,
    imported: Sequence[str], lower_is_better: Sequence[str], higher_is_better: Sequence[str], source: str | None,
    judged_files: Sequence[str], form: str | None, report: str | None, plot: str | None, style: str,
    output: str | None, decimals: int, quiet: bool, no_color: bool, signed: str, **inputs: Any,
) -> None:  # fmt: skip
    """Score systems, and test whether their differences may be chance.

    Every system is compared with the first. The same NAME= given twice is two runs of that system.
    Without HYP, systems are compared by --scores alone.

    \b
    Examples:
      tertium compare baseline.txt mine.txt -r reference.txt
      tertium compare a.txt b.txt -t wmt22 -l en-de
      tertium compare a.txt b.txt c.txt -r reference.txt --all-pairs --documents docs.txt --unit document
      tertium compare base=b1.txt base=b2.txt mine=m1.txt mine=m2.txt -r reference.txt
      tertium compare a.txt b.txt -r reference.txt --scores comet.tsv --format latex
      tertium compare --scores comet.json
      tertium compare a.txt b.txt -r reference.txt -m bleu -m chrf --perceptible
      tertium compare a.txt b.txt -r reference.txt --source source.txt --report page.html --plot scores.svg
      tertium compare a.txt b.txt -r reference.txt --scores xcomet.json --judgments mqm.tsv --report page.html
    """
    from tertium.cli.arguments.files import shown_names
    from tertium.cli.arguments.judged_inputs import judgments_in
    from tertium.scoring.loop import score_blocks
    from tertium.significance import compare
    from tertium.significance.sampling import check_samples, check_seed, check_share

    check_pictures(output, report, plot)
    for option, given_one in (("--source", source), ("--judgments", judged_files)):
        if given_one and report is None:
            warner(quiet)(f"{option} is shown by a report only: add --report FILE.html.")
    inputs["systems"], runs = _named_runs(inputs["systems"])
    if samples is None:
        samples = 1000 if (like, test) == ("sacrebleu", "bootstrap") else 10_000
    check_seed(seed)  # before files are read, which may take a while
    check_samples(samples, least=2)
    check_share("--alpha, the level", alpha)
    threads = inputs["threads"]
    given = Inputs(**inputs, quiet=quiet, source=source)
    judged = judgments_in(judged_files, form, given, warner(quiet)) if judged_files and report is not None else None
    shown: list[Block] = []
    computed = None
    if given.systems or given.test_set is not None:
        metrics = metrics_for(given)
        blocks = read_blocks(given, metrics)
        shown = list(blocks) if report is not None else []
        computed = score_blocks(metrics, shown or blocks, threads=threads)
        if like == "sacrebleu":
            _warn_of_other_ter(computed, warner(quiet))
    elif given.metrics or given.references or report is not None:
        raise InputError("Without HYP… there are no texts, so -m, -r and --report have nothing to work on.")
    scores = with_imported(
        computed, imported, lower_is_better, higher_is_better, documents=given.documents, quiet=quiet
    )
    by_system = _runs(scores.systems, runs) if runs else None
    ranked = compare(
        scores, baseline=baseline, test=test, samples=samples, seed=seed, unit=unit, correction=correction,
        alternative=alternative, all_pairs=all_pairs, ranks=report is not None, level=alpha, method=interval, like=like,
        runs=by_system, threads=threads, progress=Progress(quiet).say,
    )  # fmt: skip
    if perceptible:
        from tertium.significance.perceptible import with_perceptible

        ranked = with_perceptible(ranked)
    compared = ranked if all_pairs else replace(ranked, ranks={})  # ranks are of the report, unless asked for
    names = shown_names(scores.systems, given.systems)
    if report is not None or plot is not None:
        from tertium.report.pages.comparison import compare_page, comparison_plot
        from tertium.report.pages.contents import contents

        def page(command: str) -> str:
            notes = short_segments(compared.scores)
            for note in notes.values():
                warner(quiet)(note)
            named = by_system or {system: [system] for system in scores.systems}
            markings = _markings(named, imported, judged, scores.segment_count, warner(quiet))
            texts = _texts(shown, {names.get(system, system): runs for system, runs in named.items()})
            texts = replace(texts, markings={(names.get(system, system), k): m for (system, k), m in markings.items()})
            ranks = ranked.renamed(names).ranks
            return compare_page(contents(compared.renamed(names), texts, ranks=ranks, command=command, notes=notes))

        draw(report, plot, page=page, picture=lambda: comparison_plot(compared.renamed(names)))
    emit(rendered(compared, style, decimals, signed, names), output)


def _warn_of_other_ter(scores: "Scores", warn: Callable[[str], None]) -> None:
    """Say that a p-value cannot be sacreBLEU's where the scores are not."""
    for label, metric in scores.metrics.items():
        if metric.name == "ter" and getattr(metric, "variant", "sacrebleu") != "sacrebleu":
            warn(f"{label} is not sacreBLEU's TER, so its p-value is not either: say -m ter:variant=sacrebleu.")


def _texts(blocks: "Sequence[Block]", runs: dict[str, list[str]]) -> "Texts":
    """Return what was scored, as the report takes it."""
    from tertium.report.pages.segments import Texts

    return Texts(
        {
            system: [[block.hypotheses[name][i][0] for block in blocks for i in range(len(block))] for name in names]
            for system, names in runs.items()
        },
        [block.references[i] for block in blocks for i in range(len(block))],
        None if blocks[0].sources is None else [text for block in blocks for text in block.sources or ()],
    )


def _markings(
    runs: dict[str, list[str]], imported: Sequence[str], judged: "Judgments | None", segments: int, warn: Warn
) -> "Markings":
    """Return the errors that other programs and people marked, by the names that the report has for systems."""
    from tertium.report.pages import markings
    from tertium.scoring.score_files import read_scores

    system_of = {names[0]: system for system, names in runs.items()} | {system: system for system in runs}
    found = markings.of_scores(one for argument in imported for one in read_scores(argument))
    if judged is not None:
        found = markings.joined(found, markings.of_judgments(judged, list(system_of), segments, warn))
    return {(system_of[name], segment): each for (name, segment), each in found.items() if name in system_of}


def _named_runs(systems: Sequence[str]) -> tuple[tuple[str, ...], dict[str, list[str]]]:
    """Give each run of a system a name of its own: NAME#1, NAME#2, …"""
    names = [name.partition("=")[0] if "=" in name else None for name in systems]
    often = {name for name, count in Counter(names).items() if name and count > 1}
    runs: dict[str, list[str]] = {}
    given = []
    for name, argument in zip(names, systems, strict=True):
        if name is None or name not in often:
            given.append(argument)
            continue
        numbered = runs.setdefault(name, [])
        numbered.append(f"{name}#{len(numbered) + 1}")
        given.append(f"{numbered[-1]}={argument.partition('=')[2]}")
    return tuple(given), runs


def _runs(systems: Sequence[str], runs: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return which of the systems are runs of one, in the order they were given."""
    system_of = {run: system for system, numbered in runs.items() for run in numbered}
    return {system_of.get(name, name): runs.get(system_of.get(name, name), [name]) for name in systems}

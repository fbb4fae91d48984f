"""`tertium tune`: settings of a metric fitted to judgments, and what that is worth on judgments not seen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.inputs import parsed_metrics
from tertium.cli.arguments.judged_inputs import GROUPS, LEVELS, METHODS, JudgedInputs, judged_options
from tertium.cli.arguments.options import OUTPUT, QUIET, SIGNATURES, Choice, format_option, samples_option, seed_option
from tertium.cli.arguments.tunable import Tunable
from tertium.cli.output.pictures import check_pictures, draw, picture_options
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import check_output, emit, prose, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta.tuning.tune import Tuning
    from tertium.metrics.base import Metric


@click.command("tune")
@judged_options
@click.option(
    "--kind", "judged_kind", metavar="KIND", help="The kind of judgment to agree with (if there are several)."
)
@click.option("--level", type=LEVELS, default="segment", show_default=True, help="Whose scores agree.")
@click.option("--method", type=METHODS, metavar="NAME", default="pearson", show_default=True,
              help="The coefficient to raise; `tertium correlate --help` lists them.")  # fmt: skip
@click.option("--group", type=GROUPS, default="none", show_default=True, help="As in correlate.")
@click.option(
    "--free",
    multiple=True,
    metavar="NAME",
    help="A setting that may move; repeat, or join with commas (default: all that act on fixed rows).",
)
@click.option("--bounds", multiple=True, metavar="NAME=LOW:HIGH", help="How far a setting may go.")
@click.option("--search", type=Choice("tertium.meta.tuning.searches:SEARCHES"), default="hill-climb", show_default=True,
              help="How to look for better values.")  # fmt: skip
@click.option("--step", type=float, default=0.05, show_default=True, help="Of a grid.")
@click.option("--restarts", type=click.IntRange(0, 1000), default=1, show_default=True, help="Of the hill climb.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=1, show_default=True,
              help="More than one: align again with the values found, and tune again.")  # fmt: skip
@click.option("--folds", type=int, default=5, show_default=True, help="Parts, each held out once.")
@click.option("--split", type=Choice("tertium.meta.tuning.tune:SPLITS"),
              help="What stays together (default: documents where they are known).")  # fmt: skip
@samples_option("Bootstrap replicates of the gain.")
@seed_option("Of folds, restarts and draws.")
@click.option("--save", type=click.Path(), help="Write the tuned metric to this .toml or .json, if it is better.")
@click.option("--save-anyway", is_flag=True, help="Write it even if it is not.")
@click.option("--state", type=click.Path(), help="Keep finished folds in this file, to go on after a stop.")
@picture_options("Write a page with the settings, the evidence and the search.",
                 "Draw the search and each setting's effect (.svg or .png).")  # fmt: skip
@SIGNATURES
@format_option(click.Choice(["table", "json"]))
@OUTPUT
@QUIET
def command(
    judged_kind: str | None, free: Sequence[str], bounds: Sequence[str], split: str | None, save: str | None,
    save_anyway: bool, report: str | None, plot: str | None, style: str, output: str | None, quiet: bool,
    signed: str, **options: Any,
) -> None:  # fmt: skip
    """Look for settings of a metric that agree with people better, and test them on held-out judgments.

    Segments of one document never stand on both sides of a split. The gain is called real only if its whole 95 %
    interval, on held-out data, lies above 0; only then is the tuned metric saved.

    \b
    Examples:
      tertium tune hyp/*.txt -r ref.txt --judgments da.tsv --documents docs.txt -m terp --save mine.toml
      tertium tune hyp/*.txt -r ref.txt --judgments da.tsv -m meteor --free alpha,gamma --search grid
      tertium tune a.txt b.txt -r ref.txt --judgments da.tsv -m cder+per --split segment
      tertium score new.txt -r ref.txt -m terp:costs=mine.toml
    """
    import json

    from tertium.meta.tuning.tune import tune

    if output is not None and output.endswith(".toml"):  # a result is no TOML, a tuned metric is
        save, output = save or output, None
    check_pictures(output, report, plot)
    check_output(save)
    if save is not None and not save.endswith((".toml", ".json")):
        raise InputError(f"{save}: a tuned metric is saved as .toml or .json.")
    if options["imported"]:
        raise InputError("Scores of other programs have no settings to tune: leave out --scores.")
    asked = ("level", "method", "group", "search", "step", "restarts", "rounds", "folds", "samples", "seed", "state")
    names = {name: options.pop(name) for name in asked}
    given, of_kind = JudgedInputs.of(options, quiet=quiet).with_evaluation_data()
    inputs = given.inputs
    if len(inputs.metrics) != 1:
        raise InputError("tune takes one metric: give -m once, such as -m terp.")
    (metric,) = parsed_metrics(inputs.metrics, inputs.language, warner(quiet)).values()
    found = Tunable(given)
    line = Progress(quiet)
    first = found.rows(metric)  # tells the documents
    if split is None:
        split = "document" if found.documents else "segment"
    cached = {metric.signature(): first}
    try:
        result = tune(
            metric, lambda one: cached.get(one.signature()) or found.rows(one), found.judgments, free=_names(free),
            bounds=_bounds(bounds), kind=judged_kind or of_kind, split=split, documents=found.documents,
            lengths=found.lengths, threads=inputs.threads, progress=line.say, **names,
        )  # fmt: skip
    finally:
        line.clear()
    _warn(result, warner(quiet), save, save_anyway)
    if save is not None and (result.better or save_anyway):
        result.save(save)
    if report is not None or plot is not None:
        from tertium.report.pages.tuning import tuning_page, tuning_plot

        draw(report, plot, page=lambda command: tuning_page(result, command), picture=lambda: tuning_plot(result))
    if style == "json":
        emit(json.dumps(result.to_dict(), ensure_ascii=False, indent=1) + "\n", output)
    else:
        emit(_text(result, save if result.better or save_anyway else None, metric, signed), output)
    if result.interrupted:
        raise KeyboardInterrupt


def _names(free: Sequence[str]) -> list[str] | None:
    return [name for text in free for name in text.split(",") if name] if free else None


def _bounds(texts: Sequence[str]) -> dict[str, tuple[float, float]]:
    found = {}
    for text in texts:
        name, equals, span = text.partition("=")
        low, colon, high = span.partition(":")
        try:
            found[name] = (float(low), float(high))
        except ValueError:
            raise InputError(f"--bounds {text}: bounds look like alpha=0.5:0.9.") from None
        if not equals or not colon:
            raise InputError(f"--bounds {text}: bounds look like alpha=0.5:0.9.")
    return found


def _warn(result: "Tuning", warn: Any, save: str | None, save_anyway: bool) -> None:
    if result.interrupted:
        warn("The search was stopped; what it had found so far is shown, but there is no evidence for it yet.")
    elif result.low != result.low:
        warn(
            f"There are too few {result.split}s for an interval of the gain: each of the {len(result.folds)} folds "
            f"needs 4 or more. Take fewer folds{', or --split segment' * (result.split != 'segment')}."
        )
    elif not result.better:
        told = "" if save is None or save_anyway else f" {save} was not written."
        what = "The tuned metric does worse on held-out data" if result.high < 0 else "The gain is within noise"
        warn(f"{what}: its 95 % interval is {result.low:+.4f} to {result.high:+.4f}.{told}")


def _text(result: "Tuning", saved: str | None, start: "Metric", signed: str) -> str:
    from tertium.cli.output.score_tables import broken

    rows = []
    for name in result.values_before:
        before, after = result.values_before[name], result.values.get(name, result.values_before[name])
        folds = [fold.values.get(name, before) for fold in result.folds]
        rows.append([name, _number(before), _number(after), " ".join(_number(value) for value in folds)])
    shown = table("table", ["Setting", "Before", "Tuned", "In each fold"], rows, best=set(), texts=1)
    what = f"{result.method} with {result.kind} ({result.level}s, {result.judged:,} judgments)"
    agreement = [
        ["tuned on", f"{result.tuned_on_before:.4f}", f"{result.tuned_on:.4f}", ""],
        ["held out", f"{result.held_out_before:.4f}", f"{result.held_out:.4f}",
         f"{result.gain:+.4f}" + ("" if result.low != result.low else f" [{result.low:+.4f}, {result.high:+.4f}]")],
    ]  # fmt: skip
    evidence = table("table", ["", "Before", "Tuned", "Gain"], agreement, best=set(), texts=1)
    p = "" if result.p_value is None else f"PERM-INPUTS on held-out scores: p = {result.p_value:.4f}.\n"
    verdict = "The tuned metric agrees better." if result.better else "No evidence that the tuned metric is better."
    by = f"{len(result.folds)} folds by {result.split}, {result.search}, seed {result.seed}."
    end = f"\nSaved to {saved}.\n" if saved else "\n"
    told = ""
    if signed != "none":
        metrics = {"before": start, "tuned": result.metric}
        named = {name: one.short_signature() if signed == "short" else one.signature() for name, one in metrics.items()}
        told = "\n" + "".join(broken(f"{name}: ", text) for name, text in named.items())
    return f"{shown}\n{what}:\n{evidence}\n{p}{prose(f'{verdict} {by}{end}')}{told}"


def _number(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"

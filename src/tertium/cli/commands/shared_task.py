"""`tertium shared-task`: the tables that the findings of a shared task print, and a log of what is not in them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tertium.cli.arguments.chosen import Chosen, chosen_options
from tertium.cli.arguments.inputs import Inputs
from tertium.cli.arguments.judged_inputs import JudgedInputs, read_parts
from tertium.cli.arguments.options import QUIET, THREADS, Choice, decimals_option, samples_option, seed_option
from tertium.cli.output.progress import Progress, warner
from tertium.errors import InputError


@click.command("shared-task")
@click.argument("folder")
@click.argument("pairs", nargs=-1, metavar="[PAIR]...")
@click.option("--out", required=True, metavar="FOLDER", help="Where the tables go; it is made if it is not there.")
@click.option("--kind", metavar="KIND", help="The kind of judgment, if there are several.")
@click.option("--tasks", type=Choice("tertium.meta.task_sets:TASKS"),
              help="What metrics are ranked by (default: those of the folder's year, else wmt24).")  # fmt: skip
@click.option("-m", "--metric", "metrics", multiple=True, metavar="NAME", help="Compute a metric, too; repeatable.")
@chosen_options
@click.option("--by-domain", is_flag=True, help="Each domain by itself, as if it were a language pair.")
@click.option("--people-like", type=Choice("tertium.judgments.rank_rules:RULES"), default="tertium", show_default=True,
              help="Whose rule for clusters of systems.")  # fmt: skip
@click.option("--like", type=Choice("tertium.meta.task_sets:TASKS"),
              help="Test metrics, and open ranks, as WMT's metrics tasks do.")  # fmt: skip
@click.option(
    "--lower-is-better", multiple=True, metavar="NAME", help="A metric or kind of judgment that counts errors."
)
@samples_option("Trials and replicates.")
@seed_option()
@click.option("--correction", type=Choice("none", "tertium.significance.corrections:CORRECTIONS"), default="none",
              help="For the number of tests (default: none).")  # fmt: skip
@click.option("--alpha", type=float, default=0.05, show_default=True, help="p-values up to this are significant.")
@decimals_option(3)
@THREADS
@QUIET
def command(
    folder: str, pairs: Sequence[str], out: str, kind: str | None, tasks: str | None, metrics: Sequence[str],
    by_domain: bool, people_like: str, like: str | None, lower_is_better: Sequence[str], samples: int, seed: int,
    correction: str, alpha: float, decimals: int, threads: int | None, quiet: bool, **chosen: Any,
) -> None:  # fmt: skip
    """Write the tables of a findings paper: systems ranked by people, metrics ranked in each task and on average.

    FOLDER is a test set in mt-metrics-eval's layout; without PAIR, all its language pairs that were judged are taken.
    Each table comes as LaTeX and CSV, all of them on one page, index.html, and left-out.txt says what is in none.

    \b
    Examples:
      tertium shared-task wmt24 --out tables --kind mqm
      tertium shared-task wmt23 en-de he-en zh-en --out tables --kind mqm --like wmt23 --people-like wmt22
      tertium shared-task mytask --out tables --kind esa --by-domain --metrics @primary.txt -m chrf
    """
    from tertium.meta.findings import TestSet, findings
    from tertium.meta.task_sets import TASKS

    target = _checked(out)
    progress, warn = Progress(quiet), warner(quiet)
    log: dict[str, None] = {}
    picked = any(chosen[name] for name in ("only_systems", "outliers", "humans"))
    named = list(dict.fromkeys(pairs)) or _judged_pairs(folder, log)
    inputs = Inputs(
        systems=[folder, *named], references=(), refs_dir=None, metrics=metrics, documents=None, kind=None,
        language=None, threads=threads, quiet=quiet,
    )  # fmt: skip
    asked = JudgedInputs(
        inputs, judged_files=(), form=None, imported=(), lower_is_better=lower_is_better, higher_is_better=(),
        weights="none", chosen=Chosen.of(chosen), tell=lambda message: log.setdefault(str(message)),
    )  # fmt: skip
    if asked.folder is None:
        raise InputError(f"{folder} is no folder. Give a test set in mt-metrics-eval's layout.")
    progress.say("reading")
    parts = read_parts(asked, by_segment=False, by_domain=by_domain, for_tasks=True)
    year = Path(folder).resolve().name
    chosen_tasks = tasks or (year if year in TASKS else "wmt24")
    if tasks is None:
        log.setdefault(f"Tasks: those of {chosen_tasks}, as nothing else was asked for.")
    found = findings(
        {name: TestSet(one.scores, one.judgments, None if by_domain else one.domains) for name, one in parts.items()},
        chosen_tasks, kind=kind, people_like=people_like, like=like, samples=samples, seed=seed,
        correction=correction, alpha=alpha, threads=threads, progress=progress.say,
    )  # fmt: skip
    log |= dict.fromkeys(found.left_out)
    if picked:
        log.setdefault("People's rankings of systems have all that were judged, whatever was chosen for metrics.")
    of_ours = [one for one in next(iter(parts.values())).scores.head()["metrics"] if one["signature"] is not None]
    files = _written(target, found, list(log), of_ours, decimals)
    progress.clear()
    if others := sorted({file.name for file in target.iterdir()} - files):
        warn(f"{target} also has {len(others):,} files that this run did not write, such as {others[0]}: they may be "
             "of an earlier one.")  # fmt: skip
    warn(f"{len(log):,} remarks on what was left out are in {target / 'left-out.txt'}.")
    click.echo(f"{len(files)} files in {target}: open {target / 'index.html'}.")


def _checked(out: str) -> Path:
    """Refuse, before any work is done, what cannot be a folder."""
    from tertium.report.pages.page import check_installed

    check_installed()
    target = Path(out)
    if target.exists() and not target.is_dir():
        raise InputError(f"{out} is a file, but --out names a folder.")
    if not target.parent.is_dir():
        raise InputError(f"{out} cannot be made: there is no directory {target.parent}.")
    return target


def _judged_pairs(folder: str, log: dict[str, None]) -> list[str]:
    """Return the language pairs that people judged; others are told of."""
    from tertium.judgments import language_pairs

    every = language_pairs(folder)
    files = [file.name for file in (Path(folder) / "human-scores").glob("*.score")]
    judged = [pair for pair in every if any(name.startswith(f"{pair}.") for name in files)]
    for pair in every:
        if pair not in judged:
            log.setdefault(f"{pair}: nobody judged it; it was left out.")
    if not judged:
        raise InputError(f"{folder}/human-scores has no judgments of its language pairs: {', '.join(every) or 'none'}.")
    return judged


def _written(
    target: Path, found: Any, log: Sequence[str], metrics: Sequence[dict[str, Any]], decimals: int
) -> set[str]:
    """Write all files, once everything is known; return their names."""
    from tertium.cli.output.findings_sheets import sheets
    from tertium.cli.output.pictures import command_line
    from tertium.files.writing import write_whole
    from tertium.report.pages.findings import findings_page

    tables = list(sheets(found, decimals))
    titles: dict[str, str] = {}
    for sheet in tables:
        if (other := titles.setdefault(sheet.name.casefold(), sheet.title)) != sheet.title:
            raise InputError(f"'{other}' and '{sheet.title}' would be one file, {sheet.name}. Rename a domain.")
    contents = {f"{sheet.name}.tex": sheet.latex() for sheet in tables}
    contents |= {f"{sheet.name}.csv": sheet.csv() for sheet in tables}
    contents["left-out.txt"] = "".join(f"{message}\n" for message in log) or "Nothing was left out.\n"
    contents["index.html"] = findings_page(found, tables, log, metrics, command_line())
    try:
        target.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{target} cannot be made: {(error.strerror or str(error)).lower()}.") from None
    for name, text in contents.items():
        write_whole(target / name, text)
    return set(contents)

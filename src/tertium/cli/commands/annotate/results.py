"""What comes out of a study: how it is going, and exports."""

from pathlib import Path
from typing import Any

import click

from tertium.cli.arguments.options import decimals_option, output_options
from tertium.cli.output.writing import check_output, emit, table
from tertium.errors import InputError


@click.command("status", short_help="Progress, time, checks, agreement, ranks.")
@click.argument("study", type=click.Path())
@decimals_option()
@output_options
def status(study: str, style: str, output: str | None, quiet: bool, no_color: bool, decimals: int) -> None:
    """Say how a study is going, also while it is served.

    \b
    Examples:
      tertium annotate status study.db
      tertium annotate status study.db --format json
    """
    import json

    from tertium import __version__
    from tertium.annotate.status import status_of
    from tertium.annotate.study import Study

    check_output(output)
    found = status_of(Study.opened(study))
    if style in ("json", "jsonl"):
        indent = 1 if style == "json" else None
        emit(json.dumps({"tertium": __version__, **found.to_dict()}, ensure_ascii=False, indent=indent) + "\n", output)
        return
    if style in ("tsv", "csv"):
        from tertium.cli.output.writing import records_as

        rows = [vars(worker) for worker in found.workers]
        emit(records_as(style, rows, head={}, key="workers", columns=list(rows[0]) if rows else ["annotator"]), output)
        return
    emit(_told(found, style, decimals), output)


def _told(found: Any, style: str, decimals: int) -> str:
    head = (
        f"{found.title or 'Study'}: {found.protocol}{', closed' if found.closed else ''}; "
        f"{found.screens_done:,} of {found.screens_given:,} screens done, {found.judgments:,} judgments.\n\n"
    )
    people = [
        [worker.name or worker.annotator, f"{worker.done}/{worker.given}", str(worker.judgments),
         f"{worker.active_minutes:.1f}", "" if worker.mean is None else f"{worker.mean:.{decimals}f}",
         f"{worker.passed}/{worker.checks}" if worker.checks else "", "" if worker.passes else "fails checks"]
        for worker in found.workers
    ]  # fmt: skip
    header = ["Annotator", "Screens", "Judgments", "Minutes", "Mean", "Checks", ""]
    text = head + table(style, header, people, best=set())
    if found.standings:
        rows = [
            [one.system, f"{one.score:.{decimals}f}",
             "" if one.low is None else f"{one.low:.{decimals}f}–{one.high:.{decimals}f}", str(one.screens)]
            for one in found.standings
        ]  # fmt: skip
        text += "\n" + table(style, ["System", found.kind, "95 %, any time", "Screens"], rows, best=set())
        text += f"\n{found.method}\n"
    called = {worker.annotator: worker.name or worker.annotator for worker in found.workers}
    values = [one for one in found.agreements if one["value"] is not None]
    if values:
        rows = [
            [one["measure"], one["kind"], called.get(one["first"], ""), called.get(one["second"], ""),
             f"{one['value']:.{decimals}f}", str(one["units"])]
            for one in values
        ]  # fmt: skip
        header = ["Agreement", "Kind", "First", "Second", "Value", "Items"]
        text += "\n" + table(style, header, rows, best=set(), texts=4)
    elif found.judgments:
        text += "\nNobody judged the same output, so agreement cannot be told (--overlap, --judgments-per-item).\n"
    if found.disagreements:
        rows = [
            [one.system, one.document, str(one.segment), f"{called[one.first]}: {one.first_score:g}",
             f"{called[one.second]}: {one.second_score:g}"]
            for one in found.disagreements[:10]
        ]  # fmt: skip
        header = ["Far apart", "Document", "Segment", "First", "Second"]
        text += "\n" + table(style, header, rows, best=set(), texts=5)
    return text


@click.command("export", short_help="Write the answers in one of many forms.")
@click.argument("study", type=click.Path())
@click.option("--form", default="tidy", show_default=True, help="tidy, spans, pearmut, appraise, wmt, marot, mtme.")
@click.option("--names", is_flag=True, help="Call annotators by name, not by their codes.")
@click.option("--output", type=click.Path(), help="A file; a folder for forms of several files.")
def export(study: str, form: str, names: bool, output: str | None) -> None:
    """Write the answers of finished screens, also while the study is served.

    \b
    Examples:
      tertium annotate export study.db --form tidy --output judgments.tsv
      tertium annotate export study.db --form spans
      tertium annotate export study.db --form mtme --output study/
    """
    from tertium.annotate.exchange.forms import form_named
    from tertium.annotate.study import Study

    opened = Study.opened(study)
    chosen = form_named(form)
    if not chosen.suits(opened):
        raise InputError(f"The answers of {opened.protocol.name} cannot be said in the form {form}.")
    if not chosen.has_texts and not opened.has_finished():
        raise InputError(f"{study} holds no finished screen yet, so there is nothing to write.")
    files = chosen.written(opened, names=names)
    if len(files) == 1:
        check_output(output)
        emit(next(iter(files.values())), output)
        return
    if output is None:
        raise InputError(f"The form {form} has several files ({', '.join(files)}). Name a folder: --output DIR.")
    folder = Path(output)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{output} exists already and is not empty. Name a new folder.")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        emit(text, str(path))
    click.echo(f"{len(files)} files are in {output}.")


@click.command("report", short_help="Results and every segment as one page.")
@click.argument("study", type=click.Path())
@click.option("--output", type=click.Path(), required=True, help="The HTML file.")
@click.option("--names", is_flag=True, help="Call annotators by name, not by their codes.")
def report(study: str, output: str, names: bool) -> None:
    """Write one read-only HTML file: results with intervals, rank clusters, agreement, everybody's spans.

    \b
    Examples:
      tertium annotate report study.db --output report.html
    """
    from tertium.annotate.report import report_of
    from tertium.annotate.study import Study

    check_output(output)
    emit(report_of(Study.opened(study), names=names), output)


@click.command("page", short_help="Somebody's whole task as one file, no server.")
@click.argument("study", type=click.Path())
@click.option("--annotator", required=True, help="Whose list: a code such as A01, or a name.")
@click.option("--output", type=click.Path(), required=True, help="The HTML file.")
def page(study: str, annotator: str, output: str) -> None:
    """Write one offline HTML file that holds somebody's task and hands back a result file.

    \b
    Examples:
      tertium annotate page study.db --annotator A01 --output A01.html
    """
    from tertium.annotate.offline import page_of
    from tertium.annotate.study import Study

    check_output(output)
    if Path(output).exists():
        raise InputError(f"{output} exists already. Name a new file.")
    emit(page_of(Study.opened(study), annotator), output)
    click.echo(
        f"{output} is made. What it hands back is taken in by: tertium annotate collect {study} RESULT", err=True
    )


@click.command("collect", short_help="Take in the results of offline pages.")
@click.argument("study", type=click.Path())
@click.argument("results", nargs=-1, required=True, metavar="RESULT...")
def collect(study: str, results: tuple[str, ...]) -> None:
    """Take in result files of offline pages; checks are judged now. A file taken in twice changes nothing.

    \b
    Examples:
      tertium annotate collect study.db A01.result.json A02.result.json
    """
    from tertium.annotate.offline import collect as take
    from tertium.annotate.study import Study

    opened = Study.opened(study)
    for path in results:
        code, new, done = take(opened, path)
        click.echo(f"{path}: {code}, {new:,} answers taken, {done:,} screens finished.")


ACTIONS = (status, export, report, page, collect)

"""The options --report and --plot: pages and pictures of what a command found."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import options
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.report.drawing.svg import Drawing


def picture_options(page: str, picture: str) -> Callable[[Any], Any]:
    """Add --report and --plot, with words for what they show."""
    return options(
        click.option("--report", metavar="FILE.html", callback=_page_of, help=page),
        click.option("--plot", metavar="FILE", help=picture),
    )


def _page_of(context: click.Context, parameter: click.Parameter, report: str | None) -> str | None:
    """Return the file of the page: what --report names, or an --output that ends in .html, unless --format is given."""
    output = context.params.get("output")
    if report is not None or not _is_page(context, output):
        return report
    context.params["output"] = None
    return output


def _is_page(context: click.Context, output: str | None) -> bool:
    named = context.get_parameter_source("style") is click.core.ParameterSource.COMMANDLINE
    return output is not None and not named and Path(output).suffix.lower() == ".html"


def check_pictures(output: str | None, report: str | None, plot: str | None) -> None:
    """Refuse, before any work is done, files that cannot be written, and pages and pictures that cannot be made."""
    files = [file for file in (output, report, plot) if file is not None]
    for file in files:
        check_output(file)
    if len(set(files)) < len(files):
        raise click.UsageError("--output, --report and --plot must name different files.")
    if _is_page(click.get_current_context(), output):
        raise click.UsageError(f"--report {report} and --output {output} are both pages. Leave one out.")
    page = Path(report or "page.html")
    # A forgotten name would otherwise cost the first system's file: --report a.txt b.txt c.txt
    if page.suffix.lower() not in (".html", ".htm") and (page.is_file() or not page.exists()):
        raise InputError(f"{report} must end in .html, for --report writes a page.")
    if report is not None:
        from tertium.report.pages.page import check_installed

        check_installed()
    if plot is not None:
        from tertium.report.drawing.plots import check_plot

        check_plot(plot)


def draw(report: str | None, plot: str | None, *, page: Callable[[str], str], picture: "Callable[[], Drawing]") -> None:
    """Write what was asked for: the picture, and the page, which is given the command line."""
    if plot is not None:
        from tertium.report.drawing.plots import in_format

        emit(in_format(picture(), plot), plot)
    if report is not None:
        emit(page(command_line()), report)


def command_line() -> str:
    """Return the command line, as it can be typed again."""
    from tertium.files.reading import legible

    return shlex.join(["tertium", *map(legible, sys.argv[1:])])

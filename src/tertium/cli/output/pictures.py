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
        click.option("--report", metavar="FILE.html", help=page), click.option("--plot", metavar="FILE", help=picture)
    )


def check_pictures(output: str | None, report: str | None, plot: str | None) -> None:
    """Refuse, before any work is done, files that cannot be written, and pages and pictures that cannot be made."""
    files = [file for file in (output, report, plot) if file is not None]
    for file in files:
        check_output(file)
    if len(set(files)) < len(files):
        raise click.UsageError("--output, --report and --plot must name different files.")
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
    return shlex.join(["tertium", *sys.argv[1:]])

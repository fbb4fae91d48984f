"""Options that several commands have."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("table", "json", "jsonl", "tsv", "csv", "markdown", "latex")


def output_options(command: Command) -> Command:
    """Add --format, --output, --quiet and --no-color."""
    options = [
        click.option("--format", "style", type=click.Choice(FORMATS), default="table", help="How to print results."),
        click.option("--output", type=click.Path(), help="Write to this file, whole or not at all."),
        click.option("--quiet", is_flag=True, help="No progress, no warnings."),
        click.option("--no-color", is_flag=True, help="No colours (they are only used on a terminal)."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def decimals_option(command: Command) -> Command:
    """Add --decimals, for commands whose tables hold numbers."""
    option = click.option("--decimals", type=click.IntRange(0, 15), default=2, show_default=True, help="In tables.")
    return option(command)

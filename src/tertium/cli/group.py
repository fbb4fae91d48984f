"""What `tertium` says without a subcommand: help, version, and that a name is not known."""

from importlib import import_module
from typing import Any

import click

from tertium import __version__
from tertium.cli.main import COMMANDS, SETTINGS


class _LazyGroup(click.Group):
    """Imports a command's file when the command is used, so that the others cost nothing."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS or name == "sacrebleu":  # which is no command of click's
            return None
        command: click.Command = import_module(f"tertium.cli.commands.{name}").command
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message} Commands: {', '.join(COMMANDS)}.", context) from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="tertium", message="%(prog)s %(version)s")
def tertium() -> None:
    """Tell how good a translation is, how sure one can be, and how far the number can be trusted.

    \b
    Examples:
      tertium demo
      tertium score system.txt -r reference.txt
      tertium score a.txt b.txt -r ref1.txt -r ref2.txt -m bleu -m chrf++ --level segment --format tsv
      tertium compare a.txt b.txt -r reference.txt
    """

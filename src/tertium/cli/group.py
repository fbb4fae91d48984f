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


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    if context.params.get("verbose"):  # read first, being eager
        from tertium.cli.about import about

        click.echo(about(), nl=False)
    else:
        click.echo(f"tertium {__version__}")
    context.exit()


@click.group(cls=_LazyGroup, context_settings=SETTINGS)
@click.option("--version", is_flag=True, expose_value=False, callback=_show_version, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, is_eager=True, help="With --version: processor, extras, folders, too.")
def tertium(verbose: bool) -> None:
    """Tell how good a translation is, how sure one can be, and how far the number can be trusted.

    \b
    Examples:
      tertium demo
      tertium score system.txt -r reference.txt
      tertium score a.txt b.txt -r ref1.txt -r ref2.txt -m bleu -m chrf++ --level segment --format tsv
      tertium compare a.txt b.txt -r reference.txt
    """

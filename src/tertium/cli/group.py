"""What `tertium` says without a subcommand: help, version, and that a name is not known."""

from importlib import import_module
from typing import Any

import click

from tertium import __version__
from tertium.cli.main import COMMANDS, SETTINGS

# What a person wants, and the commands for it. A command that is not listed stands at the end.
PURPOSES = {
    "Begin": "demo help",
    "Score and look": "score align metrics explain sacrebleu",
    "Decide": "compare gate",
    "Collect judgments": "annotate judgments",
    "Judge metrics": "correlate rank tune orange shared-task",
    "Decode and train": "mbr best pairwise",
    "Data": "testsets resegment latency merge resources paraphrases",
}


class _LazyGroup(click.Group):
    """Imports a command's file when the command is used, so that the others cost nothing."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS or name == "sacrebleu":  # which is no command of click's
            return None
        command: click.Command = import_module(f"tertium.cli.commands.{name.replace('-', '_')}").command
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message} Commands: {', '.join(COMMANDS)}.", context) from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        listed = {title: [name for name in names.split() if name in COMMANDS] for title, names in PURPOSES.items()}
        listed["More"] = [name for name in COMMANDS if not any(name in names for names in listed.values())]
        width = max(map(len, COMMANDS))
        formatter.write("\n")
        for title, names in listed.items():
            lines = [f"  {name:<{width}}  {COMMANDS[name]}\n" for name in names]
            formatter.write("".join([f"{title}\n", *lines]) if names else "")


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    if context.params.get("verbose"):  # read first, being eager
        from tertium.about import about

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
      tertium score system.txt -r reference.txt
      tertium help significance
    """

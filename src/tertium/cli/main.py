"""The command `tertium`: finds the subcommand, turns errors into messages and exit codes."""

import sys
from importlib import import_module
from typing import Any

import click

from tertium import __version__
from tertium.cli.output.messages import told
from tertium.errors import TertiumError

_COMMANDS = {
    "score": "Score systems against references.",
    "align": "Show which words moved, were inserted, deleted, substituted.",
    "compare": "Test whether systems differ by more than chance.",
    "correlate": "Correlate metrics with human judgments.",
    "rank": "Rank metrics by how well they agree with people.",
    "judgments": "Read human judgments, and measure how far raters agree.",
    "tune": "Fit a metric's settings to human judgments, with held-out evidence.",
    "paraphrases": "Make paraphrase tables from bitexts; look into them, convert them.",
    "orange": "Rank references among n-best lists, to judge metrics.",
    "metrics": "Show the metrics there are, with their settings.",
    "resources": "Show stems, synonyms, paraphrase tables: what is here, what provides the rest.",
    "explain": "Say what a signature means, or how two differ.",
    "sacrebleu": "Score with sacreBLEU's options and output.",
    "demo": "Run the main job on a small bundled example.",
}


class _LazyGroup(click.Group):
    """Imports a command's file when the command is used, so that the others cost nothing."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"tertium.cli.commands.{name}").command
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message} Commands: {', '.join(_COMMANDS)}.", context) from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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


def main() -> None:
    """Run the command line; exit 1 for what the user can put right, 2 for a malformed call, 130 for Ctrl-C."""
    try:
        tertium.main(prog_name="tertium", standalone_mode=False)
    except TertiumError as error:
        _leave(f"tertium: {told(error.message)}", 1)
    except click.UsageError as error:
        error.show()
        _leave(None, error.exit_code)
    except click.ClickException as error:
        _leave(f"tertium: {error.format_message()}", 1)
    except (KeyboardInterrupt, click.Abort):
        _leave("tertium: interrupted", 130)


def _leave(message: str | None, code: int) -> None:
    if message:
        print(message, file=sys.stderr)
    sys.exit(code)

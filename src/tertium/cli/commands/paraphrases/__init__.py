"""`tertium paraphrases`: tables made from bitexts, looked into, converted."""

import click

from tertium.cli.commands.paraphrases.extract import extract_command
from tertium.cli.commands.paraphrases.tables import convert_command, info_command, lookup_command, sample_command


@click.group(
    "paraphrases",
    commands=[extract_command, info_command, lookup_command, sample_command, convert_command],
)
def command() -> None:
    """Make paraphrase tables from bitexts; look into them, convert them.

    METEOR and TERp take such a table: -m terp:paraphrases=FILE, -m meteor:paraphrases=FILE.

    \b
    Examples:
      tertium paraphrases extract --bitext text.en text.de --links links.txt --output en.gz
      tertium paraphrases info en.gz
      tertium paraphrases lookup en.gz "as well as"
    """

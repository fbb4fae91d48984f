"""`tertium annotate`: the page that collects human judgments, one file per group of actions."""

import click

from tertium.cli.commands.annotate import choosing, making, people, planning, results, serving


@click.group("annotate")
def command() -> None:
    """Collect human judgments on a page, and get data that nobody has to repair.

    A study is one file: the texts, who judges what, and every answer. It is made by `new`, served by `serve`, and read
    by every command that takes judgments.

    \b
    Examples:
      tertium annotate demo
      tertium annotate new study.db --protocol esa --source src.txt a.txt b.txt --annotators 2
      tertium annotate serve study.db
      tertium annotate status study.db
      tertium judgments aggregate study.db
    """


for action in (
    *planning.ACTIONS,
    *choosing.ACTIONS,
    *making.ACTIONS,
    *serving.ACTIONS,
    *people.ACTIONS,
    *results.ACTIONS,
):
    command.add_command(action)

"""Annotators: adding one, erasing one."""

from contextlib import closing

import click


@click.command("add-annotator", short_help="Add a person, and print the link.")
@click.argument("study", type=click.Path())
@click.option("--name", help="What exports with --names call them.")
@click.option("--url", metavar="URL", default="http://localhost:8001", show_default=True, help="What links begin with.")
def add(study: str, name: str | None, url: str) -> None:
    """Add a person, also while the study is served; with fixed lists they get what has the fewest judgments.

    \b
    Examples:
      tertium annotate add-annotator study.db --name Jana
    """
    from tertium.annotate.people import add_person
    from tertium.annotate.serving.running import base_of
    from tertium.annotate.study import Study

    base = base_of(url)
    code, link = add_person(Study.opened(study), name)
    click.echo(f"{name or code}  {base}{link}")


@click.command("forget", short_help="Erase a person and everything they said.")
@click.argument("study", type=click.Path())
@click.argument("annotator")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(study: str, annotator: str, yes: bool) -> None:
    """Erase a person: name, link, answers, log; also from the free space of the file. Backups are yours to erase.

    \b
    Examples:
      tertium annotate forget study.db A03
    """
    from tertium.annotate.people import forget_person, found_person
    from tertium.annotate.study import Study

    opened = Study.opened(study)
    with closing(opened.reader()) as db:
        found_person(db, annotator)
    question = f"Erase {annotator} and everything they said from {study}? This cannot be undone."
    if not yes and not click.confirm(question):
        click.echo("Nobody was erased.")
        return
    count = forget_person(opened, annotator)
    click.echo(f"{annotator} is erased, with {count:,} answers.")


ACTIONS = (add, forget)

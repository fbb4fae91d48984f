"""Serving a study, its links, and closing it."""

import time

import click

from tertium.cli.commands.annotate.making import said_at_once
from tertium.cli.output.writing import check_output
from tertium.errors import InputError


@click.command("serve", short_help="Serve a study; print everybody's link.")
@click.argument("study", type=click.Path())
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 is any.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Which port (default: a free one from 8001).")
@click.option("--url", metavar="URL", help="What links begin with, where a proxy stands before it.")
@click.option("--proxy-headers", is_flag=True, help="Trust the addresses that a proxy on this machine reports.")
def serve_(study: str, host: str, port: int, url: str | None, proxy_headers: bool) -> None:
    """Serve a study until Ctrl-C, and print one link per annotator and the organiser's.

    \b
    Examples:
      tertium annotate serve study.db
      tertium annotate serve study.db --port 8001 --url https://eval.example.org --proxy-headers
    """
    from tertium.annotate.serving.running import serve

    serve(study, host=host, port=port, url=url, proxy=proxy_headers, say=said_at_once)


@click.command("links", short_help="Print everybody's link again, or make new ones.")
@click.argument("study", type=click.Path())
@click.option("--url", metavar="URL", default="http://localhost:8001", show_default=True, help="What links begin with.")
@click.option("--renew", is_flag=True, help="Make new links; the old ones end.")
@click.option("--format", "style", type=click.Choice(["table", "tsv"]), default="table", help="tsv for mail merge.")
def links_(study: str, url: str, renew: bool, style: str) -> None:
    """Print everybody's link again, or make new ones.

    \b
    Examples:
      tertium annotate links study.db --url https://eval.example.org
      tertium annotate links study.db --renew
    """
    from tertium.annotate.serving.running import base_of, links
    from tertium.annotate.study import Study, keys
    from tertium.annotate.study.file import transaction

    base = base_of(url)
    opened = Study.opened(study)
    if renew:
        db = opened.writer()
        try:
            with transaction(db):
                keys.renew(db, opened.path)
        finally:
            db.close()
        opened = Study.opened(study)
    found = links(opened, base)
    if style == "tsv":
        click.echo("name\tlink")
    width = max(len(name) for name, _ in found)
    for name, link in found:
        click.echo(f"{name}\t{link}" if style == "tsv" else f"{name.ljust(width)}  {link}")


@click.command("close", short_help="Take no more answers.")
@click.argument("study", type=click.Path())
@click.option("--reopen", is_flag=True, help="Take answers again.")
def close(study: str, reopen: bool) -> None:
    """Close a study: everything stays readable, nothing more is taken; a server need not be stopped for it.

    \b
    Examples:
      tertium annotate close study.db
      tertium annotate close study.db --reopen
    """
    from tertium.annotate.study import Study
    from tertium.annotate.study.file import set_meta, transaction

    db = Study.opened(study).writer()
    try:
        with transaction(db):
            set_meta(db, "closed", None if reopen else time.time())
    finally:
        db.close()
    click.echo(f"{study} is {'open again' if reopen else 'closed'}.")


@click.command("backup", short_help="Copy a study, also while it is served.")
@click.argument("study", type=click.Path())
@click.argument("copy", type=click.Path())
def backup(study: str, copy: str) -> None:
    """Copy a study into a new file, whole and consistent, also while it is served.

    The key of the links is not copied: put `study.db.key` aside yourself, or make new links for the copy.

    \b
    Examples:
      tertium annotate backup study.db study-2026-11-17.db
    """
    import os
    import sqlite3
    from contextlib import closing
    from pathlib import Path

    from tertium.annotate.study import Study
    from tertium.files.writing import new_file

    if Path(copy).exists():
        raise InputError(f"{copy} exists already. Name a new file.")
    check_output(copy)
    db = Study.opened(study).reader()
    try:
        with closing(sqlite3.connect(":memory:")) as held, new_file(copy) as file:
            db.backup(held)
            data = bytearray(held.serialize())
            data[18:20] = b"\1\1"  # a file on its own, without a log of later changes beside it
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), 0o600)
            file.write(data)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{copy} cannot be written: {error}.") from None
    finally:
        db.close()
    click.echo(f"{copy} holds {study} as it is now.")


ACTIONS = (serve_, links_, close, backup)

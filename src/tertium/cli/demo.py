"""`tertium demo`: the main job on a small bundled example."""

import shlex
from importlib.resources import as_file, files

import click


@click.command("demo")
@click.option("--keep", metavar="DIR", help="Also copy the example files to this new directory.")
def command(keep: str | None) -> None:
    """Score two small systems against two references, and say what to try next.

    \b
    Examples:
      tertium demo
      tertium demo --keep example
    """
    from tertium.cli.score import command as score

    with as_file(files("tertium") / "data" / "demo") as folder:
        if keep is not None:
            _copy(folder, keep)
        shown = keep or "DEMO"
        call = "{0}/north.txt {0}/south.txt -r {0}/reference.a.txt -r {0}/reference.b.txt --documents {0}/documents.txt"
        levels = "--level corpus --level document"
        click.echo(f"$ tertium score {call.format(shown)} \\\n      {levels}\n")
        score.main([*shlex.split(call.format(shlex.quote(str(folder)))), *levels.split()], standalone_mode=False)
        click.echo(
            "\nTwo systems, two references, three documents in three scripts (English, Ukrainian, Hindi).\n"
            "A star marks the better system. Try next:\n"
            "  tertium demo --keep example     keeps these files, so that you can run the line above\n"
            "  tertium metrics                 what can be asked for with -m\n"
            "  tertium score --help            levels, formats, several references"
        )


def _copy(folder: object, keep: str) -> None:
    import shutil
    from pathlib import Path

    from tertium.errors import InputError

    if Path(keep).exists():
        raise InputError(f"{keep} exists already. Name a directory that does not.")
    try:
        shutil.copytree(str(folder), keep)
    except OSError as error:
        raise InputError(f"{keep} cannot be written: {(error.strerror or str(error)).lower()}.") from None

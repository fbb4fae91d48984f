"""`tertium demo`: the main job on a small bundled example."""

import shlex
from importlib.resources import as_file, files

import click

_CALL = (
    "{0}/north.txt {0}/south.txt",
    "-r {0}/reference.a.txt -r {0}/reference.b.txt",
    "--documents {0}/documents.txt --level corpus --level document",
)
_KEEP = "  tertium demo --keep example   keep these files, to run the line above yourself\n"
_KEPT = """\
  tertium compare {0}/north.txt {0}/south.txt -r {0}/reference.a.txt
                                may the difference be chance?
"""


@click.command("demo")
@click.option("--keep", metavar="DIR", help="Also copy the example files to this new directory.")
def command(keep: str | None) -> None:
    """Score two small systems against two references, and say what to try next.

    \b
    Examples:
      tertium demo
      tertium demo --keep example
    """
    from tertium.cli.commands.score import command as score

    with as_file(files("tertium") / "data" / "demo") as folder:
        if keep is not None:
            _copy(folder, keep)
        shown = keep or "DEMO"
        lines = " \\\n      ".join(_CALL).format(shown)
        click.echo(f"$ tertium score {lines}\n")
        score.main(shlex.split(" ".join(_CALL).format(shlex.quote(str(folder)))), standalone_mode=False)
        click.echo(
            "\nTwo systems, two references, three documents (English, Ukrainian, Hindi). A star\n"
            "marks the better system; the last lines say how each score was made. Next:\n"
            f"{_KEEP if keep is None else _KEPT.format(shlex.quote(keep))}"
            "  tertium metrics               what can be asked for with -m\n"
            "  tertium score --help          levels, formats, several references"
        )


def _copy(folder: object, keep: str) -> None:
    import shutil
    from pathlib import Path

    from tertium.errors import InputError

    if Path(keep).exists():
        raise InputError(f"{keep} exists already. Name a directory that does not.")
    try:
        shutil.copytree(str(folder), keep)
    except OSError as error:  # of several files, copytree says all in one
        shutil.rmtree(keep, ignore_errors=True)
        raise InputError(f"{keep} cannot be written: {(error.strerror or str(error)).lower()}.") from None

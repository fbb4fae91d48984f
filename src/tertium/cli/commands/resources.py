"""`tertium resources`: stems, synonyms, paraphrase tables, function words, segmenters: what is here and what is not."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import QUIET, output_options
from tertium.cli.output.writing import RECORDS, check_output, emit, records_as, table
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.text.lexicon import PhraseTable, Synonyms

_KINDS = ("synonyms", "paraphrases")


@click.group("resources", invoke_without_command=True)
@click.option("--missing", is_flag=True, help="Only what is not here.")
@output_options
@click.pass_context
def command(context: click.Context, missing: bool, style: str, output: str | None, quiet: bool, no_color: bool) -> None:
    """Show stems, synonyms, paraphrase tables, function words and segmenters: what is here, what provides the rest.

    \b
    Examples:
      tertium resources
      tertium resources add paraphrases news my-table.tsv
      tertium resources build
      tertium resources info wordnet
      tertium resources get flores200
    """
    if context.invoked_subcommand:
        return
    from tertium.text.lexicon.cache import cache_directory
    from tertium.text.lexicon.inventory import inventory

    check_output(output)
    rows = [row.to_dict() for row in inventory() if not (missing and row.here)]
    if style in RECORDS:
        emit(records_as(style, rows, head={"cache": str(cache_directory())}, key="resources"), output)
        return
    cells = [
        [row["kind"], row["name"], "yes" if row["here"] else "no", row["where"] if row["here"] else row["provided_by"]]
        for row in _shortened(rows)
    ]
    text = table(style, ["kind", "name", "here", "where, or what provides it"], cells, best=set(), texts=4)
    emit(text if style != "table" else f"{text}\nCompiled files are kept in {cache_directory()}\n", output)


def _shortened(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put the many stemmers of one package into one line."""
    stemmers = [row for row in rows if row["kind"] == "stems" and row["here"]]
    others = [row for row in rows if row not in stemmers]
    if not stemmers:
        return others
    names = f"{len(stemmers)} algorithms"
    return [stemmers[0] | {"name": names, "where": f"PyStemmer: {', '.join(row['name'] for row in stemmers)}"}, *others]


@command.command("add")
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("name")
@click.argument("path", type=click.Path(path_type=Path))
def add_command(kind: str, name: str, path: Path) -> None:
    """Give a file of synonyms or paraphrases a NAME that metrics take, and compile it.

    \b
    Examples:
      tertium resources add paraphrases news my-table.tsv
      tertium resources add synonyms hindi all.hindi
    """
    from tertium.text.lexicon.resources import add

    if not path.exists():
        raise InputError(f"{path} does not exist.")
    if name in ("wordnet", "meteor", "none", "default") or set(name) & set(":@/\\,+=|") or not name.strip():
        raise InputError(f"'{name}' cannot be a resource's name: it has another meaning. Choose another.")
    opened = _opened(kind, str(path))  # what cannot be read is not added
    add(kind, name, path)
    click.echo(f"{name}: {kind}, {_size(opened)}, {opened.hash}")


@command.command("get")
@click.argument("name")
@QUIET
def get_command(name: str, quiet: bool) -> None:
    """Fetch the SentencePiece model of a tokenizer: flores101, flores200 or spBLEU-1K.

    It comes over https, is checked where its checksum is known (flores200), and is kept where sacreBLEU keeps it.

    \b
    Examples:
      tertium resources get flores200
    """
    from tertium.cli.output.progress import Progress
    from tertium.text.models import REMOTES, fetch_model
    from tertium.text.tokenizers import model_mark

    progress = Progress(quiet)
    path = fetch_model(name, say=progress.say)
    progress.clear()
    checked = "its checksum is right" if REMOTES[name].checksum else "for which no checksum is known"
    click.echo(f"{path}: {model_mark(f'spm:{path}').partition('@')[2]}, {checked}")


@command.command("build")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def build_command(names: tuple[str, ...]) -> None:
    """Compile resources into the cache now rather than when they are first used: all that are here, or those named."""
    from tertium.text.lexicon.inventory import inventory

    here = [row for row in inventory() if row.kind in _KINDS and row.here]
    for name in names:
        if name not in [row.name for row in here]:
            raise UnknownNameError.of("resource that is here", name, [row.name for row in here])
    for row in here:
        if not names or row.name in names:
            begin = time.perf_counter()
            opened = _opened(row.kind, row.name)
            seconds = time.perf_counter() - begin
            click.echo(f"{row.name}: {row.kind}, {_size(opened)}, {seconds:.1f} s")


@command.command("info")
@click.argument("name")
@click.option("--kind", type=click.Choice(_KINDS), help="If the name could be either.")
@click.option("--format", "style", type=click.Choice(("table", "json")), default="table", help="How to print it.")
def info_command(name: str, kind: str | None, style: str) -> None:
    """Say what a resource, by NAME or file, holds, and check that its compiled form is whole."""
    import json

    facts = _facts(name, kind)
    if style == "json":
        click.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    width = max(map(len, facts))
    for key, value in facts.items():
        shown = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else value
        click.echo(f"{key:<{width}}  {'yes' if value is True else 'no' if value is False else shown}")


def _facts(name: str, kind: str | None) -> dict[str, Any]:
    from tertium.text.lexicon.resources import added

    if kind is None:
        known = [each for each in _KINDS if name in added(each)]
        kind = known[0] if known else "synonyms" if name in ("wordnet", "meteor") else None
    errors = []
    for each in (kind,) if kind else ("paraphrases", "synonyms"):
        try:
            return _opened(each, name).facts()
        except InputError as error:
            errors.append(error)
    raise errors[0]


def _opened(kind: str, name: str) -> "PhraseTable | Synonyms":
    from tertium.text.lexicon import PhraseTable, Synonyms

    return PhraseTable.open(name) if kind == "paraphrases" else Synonyms.open(name)


def _size(opened: "PhraseTable | Synonyms") -> str:
    return f"{len(opened):,} entries"

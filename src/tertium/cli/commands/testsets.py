"""`tertium testsets`: test sets by name: which there are, what is here, how to get the rest."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tertium.cli.arguments.options import QUIET, output_options
from tertium.cli.output.progress import Progress
from tertium.cli.output.writing import RECORDS, check_output, emit, records_as, table
from tertium.errors import InputError

_PAIR = click.option("-l", "--language", "pair", metavar="PAIR", help="A language pair, such as en-de.")


@click.group("testsets")
def command() -> None:
    """List, fetch and add test sets, which other commands take by name: -t wmt22 -l en-de.

    Names and texts are sacreBLEU's, and so is the folder they are kept in (SACREBLEU, or ~/.sacrebleu): what one
    program has fetched, the other finds. Proxies are those of the usual variables; TERTIUM_MIRROR names a server or
    folder with the same files.

    \b
    Examples:
      tertium testsets list -l en-de
      tertium testsets info wmt22
      tertium testsets get wmt22 -l en-de
      tertium score system.txt -t wmt22 -l en-de
    """


@command.command("list")
@_PAIR
@click.option("--here", is_flag=True, help="Only what need not be fetched.")
@output_options
def list_command(pair: str | None, here: bool, style: str, output: str | None, quiet: bool, no_color: bool) -> None:
    """Show the test sets, how many language pairs each has, and how many of them are here.

    \b
    Examples:
      tertium testsets list
      tertium testsets list -l de-en --here
    """
    from tertium.corpus.named.catalogue import named_sets
    from tertium.corpus.named.own import own_sets
    from tertium.corpus.named.store import is_fetched

    check_output(output)
    rows: list[dict[str, Any]] = []
    for one in named_sets().values():
        pairs = [each for each in one.pairs.values() if pair in (None, each.name)]
        fetched = [each.name for each in pairs if is_fetched(one, each)]
        if fetched or (pairs and not here):
            rows.append({"name": one.name, "pairs": [each.name for each in pairs], "here": fetched, "title": one.title})
    for name, own in own_sets().items():
        names = [each for each in own if pair in (None, each)]
        if names:
            rows.append({"name": name, "pairs": names, "here": names, "title": "Your own"})
    if style in RECORDS:
        emit(records_as(style, rows, head={}, key="testsets"), output)
        return
    cells = [[row["name"], str(len(row["pairs"])), str(len(row["here"])), row["title"]] for row in rows]
    emit(table(style, ["name", "pairs", "here", "what it is"], cells, best=set(), texts=4), output)


@command.command("info")
@click.argument("name")
@_PAIR
@click.option("--format", "style", type=click.Choice(("table", "json")), default="table", help="How to print it.")
def info_command(name: str, pair: str | None, style: str) -> None:
    """Say what a test set is: its language pairs, addresses, checksums, folder and paper. Nothing is fetched.

    \b
    Examples:
      tertium testsets info wmt22
      tertium testsets info wmt22 -l en-de
    """
    import json

    facts = _facts(name, pair)
    if style == "json":
        click.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    width = max(map(len, facts))
    for key, value in facts.items():
        lines = value if isinstance(value, list) else str(value).split("\n")
        for line in lines or ["none"]:
            click.echo(f"{key:<{width}}  {line}".rstrip())
            key = ""


def _facts(name: str, pair: str | None) -> dict[str, Any]:
    from tertium.corpus.named.catalogue import named_set
    from tertium.corpus.named.conversion import field_names
    from tertium.corpus.named.own import own_pair, own_sets
    from tertium.corpus.named.store import field_path, folder_of, is_fetched

    if name in own_sets():
        if pair is None:
            return {"name": name, "what": "Your own", "pairs": ", ".join(own_sets()[name])}
        own = own_pair(name, pair)
        facts = {"name": name, "pair": pair, "references": list(own.references), "source": own.source}
        return {**facts, "documents": own.documents}
    one = named_set(name)
    facts = {"name": one.name, "what": one.title}
    if pair is None:
        facts["pairs"] = ", ".join(one.pairs)
        facts["here"] = ", ".join(each.name for each in one.pairs.values() if is_fetched(one, each)) or "none"
    else:
        found = one.pair(pair)
        fields = field_names(one, found)
        facts |= {"pair": pair, "here": "yes" if is_fetched(one, found) else "no", "fields": ", ".join(fields)}
        facts["paths"] = [str(field_path(one, found, field)) for field in fields]
    facts["folder"] = str(folder_of(one))
    facts["addresses"] = [f"{remote.address} (MD5 {remote.checksum})" for remote in one.remotes]
    return {**facts, "citation": one.citation}


@command.command("get")
@click.argument("name")
@click.option("-l", "--language", "pairs", metavar="PAIR", multiple=True,
              help="A language pair; repeat for more (default: all).")  # fmt: skip
@QUIET
def get_command(name: str, pairs: Sequence[str], quiet: bool) -> None:
    """Fetch a test set, whole or not at all. What a broken connection left is gone on with.

    \b
    Examples:
      tertium testsets get wmt22 -l en-de -l de-en
      tertium testsets get wmt20/tworefs
      tertium testsets get mt-metrics-eval
    """
    from tertium.corpus.named.catalogue import named_set
    from tertium.corpus.named.store import field_lines, folder_of

    progress = Progress(quiet)
    if name == "mt-metrics-eval":
        from tertium.judgments.evaluation_data import evaluation_sets, fetch_evaluation_data

        root = fetch_evaluation_data(say=progress.say)
        progress.clear()
        click.echo(f"{', '.join(evaluation_sets())}\nin {root}")
        return
    one = named_set(name)
    counts = {}
    for pair in [one.pair(each) for each in pairs] or one.pairs.values():
        counts[pair.name] = len(field_lines(one, pair, "src", say=progress.say))
    progress.clear()
    for each, count in counts.items():
        click.echo(f"{one.name} {each}: {count:,} segments")
    click.echo(f"in {folder_of(one)}")


@command.command("path")
@click.argument("name")
@_PAIR
@click.argument("field", default="ref")
@QUIET
def path_command(name: str, pair: str | None, field: str, quiet: bool) -> None:
    """Print the path of a FIELD of a test set: src, ref (the default), docid … It is fetched if it is not here.

    \b
    Examples:
      tertium testsets path wmt22 -l en-de src
      head -3 "$(tertium testsets path wmt20 -l de-en)"
    """
    from tertium.corpus.named.catalogue import named_set, named_sets
    from tertium.corpus.named.own import own_pair, own_sets
    from tertium.corpus.named.store import all_fields, counted_references, field_path, provide
    from tertium.errors import UnknownNameError

    own = own_sets()
    if name in own and name not in named_sets():
        files = own_pair(name, pair)
        known = {"ref": files.references, "src": (files.source,), "docid": (files.documents,)}
        if not any(known.get(field, ())):
            raise UnknownNameError.of(f"field of {name} {pair}", field, [one for one in known if any(known[one])])
        click.echo("\n".join(str(path) for path in known[field]))
        return
    one, progress = named_set(name, own), Progress(quiet)
    found = one.pair(pair)
    provide(one, found, say=progress.say)
    names = counted_references(one, found) if field == "ref" else [field]
    progress.clear()
    for each in names:
        path = field_path(one, found, each)
        if not path.is_file():
            raise UnknownNameError.of(f"field of {name} {pair}", each, all_fields(one, found, say=progress.say))
        click.echo(str(path))


@command.command("add")
@click.argument("name")
@click.argument("archives", nargs=-1, metavar="[FILE]...")
@_PAIR
@click.option("-r", "--reference", "references", multiple=True, metavar="REF", help="A reference; repeat for more.")
@click.option("--source", metavar="FILE", help="The source texts.")
@click.option("--documents", metavar="FILE", help="A file with one document id per segment.")
def add_command(
    name: str, archives: Sequence[str], pair: str | None, references: Sequence[str], source: str | None,
    documents: str | None,
) -> None:  # fmt: skip
    """Take an archive that was fetched elsewhere, or give files of your own a NAME that -t takes.

    An archive of a known test set is told by its checksum and copied. Your own files stay where they are.

    \b
    Examples:
      tertium testsets add wmt22 ~/Downloads/v1.1.tar.gz
      tertium testsets add mine -l en-de -r reference.txt --source source.txt
    """
    from tertium.corpus.named.catalogue import named_set
    from tertium.corpus.named.store import folder_of, put

    if archives:
        if references or source or documents or pair:
            raise InputError(
                "An archive brings all pairs of a known test set: leave out -l, -r, --source, --documents."
            )
        one = named_set(name)
        for archive in archives:
            if not Path(archive).is_file():
                raise InputError(f"{archive} is no file.")
            remote = put(one, Path(archive), say=lambda what: None)
            click.echo(f"{name}: {remote.name} is in {folder_of(one) / 'raw'}")
        return
    _add_own(name, pair, references, source, documents)


def _add_own(name: str, pair: str | None, references: Sequence[str], source: str | None, documents: str | None) -> None:
    from tertium.corpus.named.loading import load
    from tertium.corpus.named.own import OwnPair, add_own

    if pair is None or not references:
        raise InputError(f"To add {name}, give its archive, or files of your own: -l PAIR -r REFERENCE.")
    files = OwnPair(tuple(map(_absolute, references)), source and _absolute(source), documents and _absolute(documents))
    loaded = load(name, pair, own=files)
    add_own(name, pair, files)
    click.echo(f"{name} {pair}: {len(loaded):,} segments, {len(references)} references")


def _absolute(argument: str) -> str:
    from tertium.corpus.formats import split_column

    path, column = split_column(argument)
    return str(Path(path).resolve()) + (f":{column}" if column else "")

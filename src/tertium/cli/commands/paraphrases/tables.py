"""`tertium paraphrases info`, `lookup`, `sample` and `convert`: tables looked into and converted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tertium.cli.arguments.options import Choice, output_options
from tertium.cli.output.progress import Progress
from tertium.cli.output.writing import RECORDS, check_output, emit, records_as, table


@click.command("info")
@click.argument("path", metavar="TABLE")
@click.option("-l", "--language", default="en", show_default=True, help="Whose stems tell which pairs are equal.")
@click.option("--samples", type=click.IntRange(0), default=20, show_default=True, help="Of each kind of pair.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the samples.")
@output_options
def info_command(
    path: str, language: str, samples: int, seed: int, style: str, output: str | None, quiet: bool, no_color: bool
) -> None:
    """Count a table's entries by length, probability and kind, with samples of each kind.

    Only kinds that a program can tell apart are counted; whether the rest mean the same is for people to say.

    \b
    Examples:
      tertium paraphrases info en.gz
      tertium paraphrases info en.gz --samples 5 -l de --format json
    """
    from tertium.paraphrase.inspection import contents
    from tertium.text.languages import target_language
    from tertium.text.lexicon import PhraseTable, stem_words

    check_output(output)
    code = target_language(language).code
    opened = PhraseTable.open(path)
    line = Progress(quiet)
    try:
        found = contents(_watched(opened, line), lambda words: stem_words(code, words), samples=samples, seed=seed)
    finally:
        line.clear()
    groups = {"words": found.lengths, "probability": found.probabilities, "kind": found.kinds}
    rows: list[dict[str, Any]] = [
        {"by": name, "value": value, "entries": count, "share": count / max(found.entries, 1)}
        for name, counts in groups.items()
        for value, count in counts.items()
    ]
    if style == "json":
        import json

        emit(json.dumps({"table": opened.mark, **found.to_dict()}, ensure_ascii=False, indent=1) + "\n", output)
    elif style in ("jsonl", "tsv", "csv"):
        emit(records_as(style, rows, head={}, key="counts"), output)
    else:
        cells = [[row["by"], row["value"], f"{row['entries']:,}", f"{100 * row['share']:.1f}"] for row in rows]
        shown = table(style, ["by", "value", "entries", "%"], cells, best=set(), texts=2)
        if style == "table":
            shown = f"{opened.mark}: {found.entries:,} entries for {found.phrases:,} phrases\n\n{shown}"
            shown += "".join(_samples(kind, entries) for kind, entries in found.samples.items())
        emit(shown, output)


def _samples(kind: str, entries: list[tuple[str, str, float]]) -> str:
    return f"\n{kind}\n" + "".join(f"  {p:<8.3g}  {a}  ->  {b}\n" for a, b, p in entries) if entries else ""


def _watched(entries: Any, line: Progress) -> Iterator[tuple[str, str, float]]:
    for number, entry in enumerate(entries):
        if number % 50_000 == 0:
            line.say(f"{number:,} entries read")
        yield entry


@click.command("lookup")
@click.argument("path", metavar="TABLE")
@click.argument("phrases", nargs=-1, required=True, metavar="PHRASE...")
@output_options
def lookup_command(
    path: str, phrases: tuple[str, ...], style: str, output: str | None, quiet: bool, no_color: bool
) -> None:
    """Show the paraphrases of phrases, most probable first.

    \b
    Examples:
      tertium paraphrases lookup en.gz "as well as" again
      tertium paraphrases lookup meteor:en "in front of" --format json
    """
    from tertium.text.lexicon import PhraseTable

    check_output(output)
    opened = PhraseTable.open(path)
    rows: list[dict[str, Any]] = [
        {"phrase": " ".join(phrase.split()), "paraphrase": other, "probability": probability}
        for phrase in phrases
        for other, probability in sorted(opened.paraphrases(phrase), key=lambda found: (-found[1], found[0]))
    ]
    if not rows and style not in RECORDS:
        emit(f"{opened.mark} has no paraphrases of {', '.join(map(repr, phrases))}.\n", output)
        return
    emit(_entries(rows, opened.mark, style), output)


def _entries(rows: list[dict[str, Any]], mark: str, style: str) -> str | Iterator[str]:
    columns = ["phrase", "paraphrase", "probability"]
    if style in RECORDS:
        return records_as(style, rows, head={"table": mark}, key="paraphrases", columns=columns)
    cells = [[row["phrase"], row["paraphrase"], f"{row['probability']:.4g}"] for row in rows]
    return table(style, columns, cells, best=set(), texts=2)


@click.command("sample")
@click.argument("path", metavar="TABLE")
@click.option("-n", "count", type=click.IntRange(1), default=20, show_default=True, help="Entries to draw.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed draws the same entries.")
@output_options
def sample_command(
    path: str, count: int, seed: int, style: str, output: str | None, quiet: bool, no_color: bool
) -> None:
    """Draw entries evenly from the whole table, for a person to judge.

    \b
    Examples:
      tertium paraphrases sample en.gz -n 100 --seed 7 --format tsv --output to-judge.tsv
    """
    import random

    from tertium.text.lexicon import PhraseTable

    check_output(output)
    opened = PhraseTable.open(path)
    line = Progress(quiet)
    draw = random.Random(seed)
    drawn: list[tuple[str, str, float]] = []
    try:
        for number, entry in enumerate(_watched(opened, line)):
            if number < count:
                drawn.append(entry)
            elif (place := draw.randrange(number + 1)) < count:
                drawn[place] = entry
    finally:
        line.clear()
    rows: list[dict[str, Any]] = [{"phrase": a, "paraphrase": b, "probability": p} for a, b, p in sorted(drawn)]
    emit(_entries(rows, opened.mark, style), output)


@click.command("convert")
@click.argument("path", metavar="TABLE")
@click.argument("output", metavar="OUTPUT", type=click.Path())
@click.option("--layout", type=Choice("tertium.paraphrase.writing:LAYOUTS"),
              help="Of the new table, where the name does not tell.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress.")
def convert_command(path: str, output: str, layout: str | None, quiet: bool) -> None:
    """Write a table in another layout: .tsv, .gz (METEOR's), .terp or .index.

    \b
    Examples:
      tertium paraphrases convert paraphrase-en.gz en.index
      tertium paraphrases convert phrases.terp phrases.tsv
    """
    from tertium.paraphrase.writing import checked_layout, write_table
    from tertium.text.lexicon import PhraseTable

    check_output(output)
    checked = checked_layout(layout, Path(output))
    line = Progress(quiet)
    try:
        count = write_table(_watched(PhraseTable.open(path), line), Path(output), checked)
    finally:
        line.clear()
    emit(f"{output}: {count:,} entries\n", None)

"""`tertium paraphrases`: tables made from bitexts, looked into, converted."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import QUIET, Choice, output_options
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import check_output, emit, records_as, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.paraphrase import Report
    from tertium.paraphrase.sources import Source

_MEANINGS = {
    "floor": "less probable than the floor",
    "same": "equal but for case",
    "punctuation": "equal but for punctuation, or nothing else",
    "numbers": "equal but for numbers, or nothing else",
    "function_words": "function words only",
    "stems": "equal once stemmed",
    "top": "beyond the most probable of a phrase",
}


@click.group("paraphrases")
def command() -> None:
    """Make paraphrase tables from bitexts; look into them, convert them.

    METEOR and TERp take such a table: -m terp:paraphrases=FILE, -m meteor:paraphrases=FILE.

    \b
    Examples:
      tertium paraphrases extract --bitext text.en text.de --links links.txt --output en.gz
      tertium paraphrases info en.gz
      tertium paraphrases lookup en.gz "as well as"
    """


@command.command("extract")
@click.option(
    "--bitext",
    "bitexts",
    nargs=2,
    multiple=True,
    metavar="TEXT PIVOT",
    type=click.Path(),
    help="Sentences of the language that gets paraphrases, and their translations; repeat for more.",
)
@click.option(
    "--links",
    multiple=True,
    type=click.Path(),
    help="Word alignments of each bitext, i-j with TEXT's position first; without them words are aligned "
    "here (pip install 'tertium[align]').",
)
@click.option(
    "--table", "tables", multiple=True, type=click.Path(), help="A phrase table in Moses' layout; repeat for more."
)
@click.option(
    "--side",
    type=click.Choice(("target", "source")),
    default="target",
    show_default=True,
    help="The side of phrase tables that gets paraphrases.",
)
@click.option(
    "--weight",
    "weights",
    type=float,
    multiple=True,
    help="How much each bitext, then each table, counts (default: all the same).",
)
@click.option("--inverse", is_flag=True, help="In links PIVOT's position comes first.")
@click.option("--skip-empty", is_flag=True, help="Pass over lines of which one side is empty.")
@click.option("--lowercase", is_flag=True, help="Lower-case bitexts first.")
@click.option("--tokenize", default="13a", show_default=True, help="How to split TEXT, without --links.")
@click.option("--pivot-tokenize", default="13a", show_default=True, help="How to split PIVOT, without --links.")
@click.option("--max-length", type=int, default=5, show_default=True, help="Words of a phrase at most.")
@click.option("--min-probability", type=float, default=1e-4, show_default=True, help="Leave out what is less probable.")
@click.option("--top", type=int, help="Keep this many paraphrases of a phrase.")
@click.option("--keep-same", is_flag=True, help="Keep pairs that are equal but for case.")
@click.option("--keep-punctuation", is_flag=True, help="Keep pairs that are equal but for punctuation.")
@click.option("--drop-numbers", is_flag=True, help="Leave out pairs that are equal but for numbers, or only numbers.")
@click.option("--drop-function-words", metavar="LANGUAGE", help="Leave out phrases of nothing but function words.")
@click.option("--drop-stems", metavar="LANGUAGE", help="Leave out pairs that are equal once stemmed.")
@click.option("--output", required=True, type=click.Path(), help="The table: .tsv, .gz (METEOR's), .terp or .index.")
@click.option(
    "--layout", type=Choice("tertium.paraphrase.writing:LAYOUTS"), help="Of the table, where the name does not tell."
)
@click.option("--work-dir", type=click.Path(), help="For intermediate files (default: OUTPUT.work).")
@click.option("--memory", type=click.IntRange(16), default=512, show_default=True, help="Megabytes to sort in.")
@click.option("--threads", type=click.IntRange(1), help="Default: all cores.")
@click.option("--format", "style", type=click.Choice(("table", "json")), default="table", help="Of the report.")
@QUIET
def extract_command(
    output: str, layout: str | None, work_dir: str | None, memory: int, threads: int | None, style: str, quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Make a table by pivoting: p(b|a) is the sum over translations f of p(f|a) p(b|f).

    Phrases are cut out along the word alignment; probabilities are relative frequencies. Everything that does not fit
    into memory is sorted on disk, and a run that was stopped goes on where it was when it is called again.

    \b
    Examples:
      tertium paraphrases extract --bitext text.en text.de --links links.txt --output en.gz
      tertium paraphrases extract --bitext text.en text.de --output en.tsv --top 50 --drop-stems en
      tertium paraphrases extract --bitext a.en a.fr --links a.links --bitext b.en b.ar --links b.links \\
          --weight 2 --weight 1 --output en.index
      tertium paraphrases extract --table phrase-table.gz --min-probability 0.01 --output en.terp
    """
    import json

    from tertium.metrics.base import thread_count
    from tertium.paraphrase import Extraction, Filters, extract

    check_output(output)
    filters = Filters(
        floor=options["min_probability"], same=not options["keep_same"], punctuation=not options["keep_punctuation"],
        numbers=options["drop_numbers"], function_words=options["drop_function_words"], stems=options["drop_stems"],
        top=options["top"],
    )  # fmt: skip
    line = Progress(quiet)
    try:
        report = extract(
            _sources(options), output, Extraction(options["max_length"], filters), layout=layout,
            threads=thread_count(threads), memory=memory << 20, work_dir=work_dir, warn=warner(quiet),
            progress=lambda step, done, total: line.say(_said(step, done, total)),
        )  # fmt: skip
    finally:
        line.clear()
    if style == "json":
        emit(json.dumps({"output": output, **report.to_dict()}, ensure_ascii=False, indent=1) + "\n", None)
    else:
        emit(_report(report, output), None)


def _said(step: str, done: int, total: int | None) -> str:
    if total:
        return f"{step}: {100 * done // total} %"
    return f"{step}: {done:,} lines" if done else step


def _sources(options: dict[str, Any]) -> "list[Source]":
    from tertium.paraphrase import AlignedBitext, Bitext, PivotTable

    bitexts, links, tables, weights = (options[name] for name in ("bitexts", "links", "tables", "weights"))
    if links and len(links) != len(bitexts):
        raise InputError(
            f"There are {len(bitexts)} bitexts but {len(links)} files of links. Give --links once for each --bitext, "
            "in the same order, or not at all."
        )
    count = len(bitexts) + len(tables)
    if weights and len(weights) != count:
        raise InputError(f"There are {count} sources but {len(weights)} weights. Give --weight once for each.")
    weights = weights or (1.0,) * count
    found: list[Source] = []
    shared = {name: options[name] for name in ("skip_empty", "lowercase")}
    for index, (text, pivot) in enumerate(bitexts):
        if links:
            found.append(
                AlignedBitext(text, pivot, links[index], weight=weights[index], inverse=options["inverse"], **shared)
            )
        else:
            splitting = {name: options[name] for name in ("tokenize", "pivot_tokenize")}
            found.append(Bitext(text, pivot, weight=weights[index], **shared, **splitting))
    found += [
        PivotTable(path, weight=weight, side=options["side"])
        for path, weight in zip(tables, weights[len(bitexts) :], strict=True)
    ]
    return found


def _report(report: "Report", output: str) -> str:
    rows = []
    for source in report.sources:
        rows.append([f"read from {source['files'][0]}", f"{source['lines']:,}", "lines"])
        if source["skipped"]:
            rows.append(["", f"{source['skipped']:,}", "lines with an empty side passed over"])
        if source["too_long"]:
            rows.append(["", f"{source['too_long']:,}", "phrases too long"])
        rows.append(["", f"{source['pairs']:,}", "phrase pairs"])
    rows += [
        ["found", f"{report.phrases:,}", "phrases"],
        ["", f"{report.pivots:,}", "pivots"],
        ["", f"{report.shared_pivots:,}", "pivots with two phrases or more"],
    ]
    told = "left out"
    for name, count in report.dropped.items():
        if count:
            rows.append([told, f"{count:,}", _MEANINGS[name]])
            told = ""
    rows.append([f"written to {output}", f"{report.kept:,}", "paraphrases"])
    first = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows)
    return "".join(f"{a:<{first}}  {b:>{second}}  {c}\n" for a, b, c in rows)


@command.command("info")
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
    from tertium.text.lexicon import PhraseTable, stem_words

    check_output(output)
    opened = PhraseTable.open(path)
    line = Progress(quiet)
    try:
        found = contents(_watched(opened, line), lambda words: stem_words(language, words), samples=samples, seed=seed)
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


@command.command("lookup")
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
    if style in ("json", "jsonl", "tsv", "csv"):
        emit(records_as(style, rows, head={"table": opened.mark}, key="paraphrases",
                        columns=["phrase", "paraphrase", "probability"]), output)  # fmt: skip
        return
    if not rows:
        emit(f"{opened.mark} has no paraphrases of {', '.join(map(repr, phrases))}.\n", output)
        return
    cells = [[row["phrase"], row["paraphrase"], f"{row['probability']:.4g}"] for row in rows]
    emit(table(style, ["phrase", "paraphrase", "probability"], cells, best=set(), texts=2), output)


@command.command("sample")
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
    if style in ("json", "jsonl", "tsv", "csv"):
        emit(records_as(style, rows, head={"table": opened.mark}, key="paraphrases",
                        columns=["phrase", "paraphrase", "probability"]), output)  # fmt: skip
        return
    cells = [[row["phrase"], row["paraphrase"], f"{row['probability']:.4g}"] for row in rows]
    emit(table(style, ["phrase", "paraphrase", "probability"], cells, best=set(), texts=2), output)


@command.command("convert")
@click.argument("path", metavar="TABLE")
@click.argument("output", metavar="OUTPUT", type=click.Path())
@click.option(
    "--layout",
    type=Choice("tertium.paraphrase.writing:LAYOUTS"),
    help="Of the new table, where the name does not tell.",
)
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

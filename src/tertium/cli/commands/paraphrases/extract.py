"""`tertium paraphrases extract`: a table made from bitexts."""

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import QUIET, Choice
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import check_output, emit
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


@click.command("extract")
@click.option(
    "--bitext",
    "bitexts",
    nargs=2,
    multiple=True,
    metavar="TEXT PIVOT",
    type=click.Path(),
    help="Sentences of the language that gets paraphrases, and their translations; repeat for more.",
)
@click.option("--links", multiple=True, type=click.Path(),
              help="Word alignments of each bitext, i-j with TEXT's position first; without them words are aligned "
              "here (pip install 'tertium[align]').")  # fmt: skip
@click.option(
    "--table", "tables", multiple=True, type=click.Path(), help="A phrase table in Moses' layout; repeat for more."
)
@click.option("--side", type=click.Choice(("target", "source")), default="target", show_default=True,
              help="The side of phrase tables that gets paraphrases.")  # fmt: skip
@click.option("--weight", "weights", type=float, multiple=True,
              help="How much each bitext, then each table, counts (default: all the same).")  # fmt: skip
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
            progress=lambda step, done, total: line.say(_said(step, done, total), done / total if total else None),
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

"""`tertium align`: which words moved, were inserted, deleted, substituted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tertium.cli.arguments.inputs import Inputs, input_options, parsed_metrics, read_blocks
from tertium.cli.arguments.options import NO_COLOR, OUTPUT, QUIET, SIGNATURES, Choice, format_option
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import check_output, emit, records_as, wants_color
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.report.pages.alignments import Shown

_OWN = ("table", "json", "jsonl", "html")
_PROGRAMS = ("tertium.report.programs.tercom:FORMATS", "tertium.report.programs.terp:FORMATS")


@click.command("align")
@input_options(required=False, metrics="one of wer, cder, ter, terp, meteor (default: ter)")
@click.option(
    "--segment", "segments", type=click.IntRange(1), multiple=True, help="Only this segment; repeat for more."
)
@click.option("--worst", type=click.IntRange(1), help="Only the N segments that score worst (in the first system).")
@click.option("--text", "pair", nargs=2, metavar="HYP REF", help="Align these two texts, and no files.")
@format_option(Choice(*_OWN, *_PROGRAMS), says="Text, records, a page, or the files of tercom and TERp")
@OUTPUT
@click.option("--width", type=click.IntRange(20), help="Columns of text (default: the window's).")
@SIGNATURES
@QUIET
@NO_COLOR
def command(
    segments: tuple[int, ...], worst: int | None, pair: tuple[str, str] | None, style: str, output: str | None,
    width: int | None, quiet: bool, no_color: bool, signed: str, **options: Any,
) -> None:  # fmt: skip
    """Show how a metric aligns hypotheses with references, word by word.

    In text, the reference stands above the hypothesis after all shifts: S is a substitution, I an extra word, D a
    missing word, J a jump; stem, syn and para are matches of TERp and METEOR that are not exact.

    \b
    Examples:
      tertium align --text "in the morning the boat leaves" "the boat leaves in the morning"
      tertium align a.txt -t wmt20 -l de-en --worst 5
      tertium align system.txt -r reference.txt --worst 20
      tertium align a.txt b.txt -r reference.txt --segment 7 -m wer
      tertium align a.txt -r reference.txt -m cder --format html --output alignments.html
      tertium align a.txt -r reference.txt -m ter:normalized=true --format pra --output a.pra
      tertium align a.txt -r reference.txt -m terp:paraphrases=table.tsv --segment 7
      tertium align --text "the dogs ran" "a dog was running" -m meteor:modules=exact+stem+synonym
    """
    from tertium.report.pages.alignments import as_html, as_text

    check_output(output)
    inputs = Inputs(**options, quiet=quiet)
    metric = _metric(inputs)
    if pair is not None:
        if inputs.systems or inputs.references:
            raise InputError("--text aligns two texts; leave out the files.")
        texts: Iterator[_Text] = iter([_Text("", 1, pair[0], [pair[1]])])
    else:
        if not inputs.systems and inputs.test_set is None:
            raise click.UsageError("Missing argument 'HYP...', or --text HYP REF.")
        texts = _begun(_texts(metric, inputs, segments, worst))
    if style not in _OWN:
        emit(_as_program(style, metric, inputs, texts), output)
        return
    items: Iterator[Shown] = (_shown(metric, text) for text in texts)
    if style in ("table", "html"):
        items = _briefly_named(items, inputs)
    if style == "table":
        drawn = as_text(items, color=wants_color(no_color, output), width=width)
        told = () if signed == "none" else (_signature(metric, signed),)
        emit(chain(drawn, told), output)
    elif style == "html":
        emit(as_html(items, "" if signed == "none" else metric.signature()), output)
    else:
        head = {"metric": inputs.metrics[0] if inputs.metrics else "ter", "signature": metric.signature()}
        row = {"signature": head["signature"]} if style == "jsonl" and signed != "none" else {}
        rows = ({"system": i.system or None, "segment": i.segment, **i.alignment.to_dict(), **row} for i in items)
        emit(records_as(style, rows, head=head, key="alignments"), output)


def _metric(inputs: Inputs) -> "Metric":
    if len(inputs.metrics) > 1:
        raise InputError(f"align shows one metric at a time, but -m was given {len(inputs.metrics)} times.")
    (metric,) = parsed_metrics(inputs.metrics or ("ter",), inputs.language, warner(inputs.quiet)).values()
    return metric


def _signature(metric: "Metric", form: str) -> str:
    from tertium.cli.output.score_tables import broken

    return broken("", metric.short_signature() if form == "short" else metric.signature())


def _briefly_named(items: "Iterator[Shown]", inputs: Inputs) -> "Iterator[Shown]":
    """Return the alignments under the names that tables for people have for systems."""
    from tertium.cli.arguments.files import shown_names, stems

    names = shown_names(stems(inputs.systems), inputs.systems)
    return (replace(item, system=names.get(item.system, item.system)) for item in items)


class _Text(NamedTuple):
    """One segment of one system, to be aligned."""

    system: str
    segment: int
    hypothesis: str
    references: Sequence[str]
    document: str = ""


def _shown(metric: "Metric", text: _Text) -> "Shown":
    from tertium.report.pages.alignments import Shown
    from tertium.scoring.loop import align

    return Shown(text.system, text.segment, align(metric, text.hypothesis, text.references))


def _as_program(style: str, metric: "Metric", inputs: Inputs, texts: Iterator[_Text]) -> Iterator[str]:
    """Return a report as tercom or TERp writes it."""
    from tertium.metrics import TER, TERp
    from tertium.report.programs import tercom, terp

    if isinstance(metric, TERp) and style in terp.FORMATS:
        ids = ((terp.SegmentId(t.system or "system", t.document or "document", str(t.segment)), t) for t in texts)
        found = (terp.ReportedSegment(id_, metric.tracks(text.hypothesis, text.references)) for id_, text in ids)
        return terp.report(style, metric, found)
    if not isinstance(metric, TER) or style not in tercom.FORMATS:
        name, option = ("TER", "ter") if style in tercom.FORMATS else ("TERp", "terp")
        raise InputError(f"--format {style} is a report on {name}, not on {metric.name}. Choose -m {option}.")
    if len(inputs.systems) > 1:
        raise InputError(f"--format {style} is a report on one system, but {len(inputs.systems)} were given.")
    origin = tercom.Origin(
        ", ".join(inputs.systems), inputs.test_set or ", ".join(inputs.references), metric.case_sensitive
    )
    segments = (tercom.reported(metric, str(text.segment), text.hypothesis, text.references) for text in texts)
    return tercom.report(style, segments, origin)


def _texts(metric: "Metric", inputs: Inputs, segments: Sequence[int], worst: int | None) -> Iterator[_Text]:
    """Find the segments that were asked for, or all."""
    if not metric.aligns:
        raise metric.no_alignment()
    blocks = list(read_blocks(inputs, {metric.name: metric}))
    count = sum(map(len, blocks))
    wanted = list(segments) or list(range(1, count + 1))
    for number in wanted:
        if number > count:
            raise InputError(f"There is no segment {number:,}: the files have {count:,}.")
    if worst is not None:
        from tertium.scoring.loop import score_blocks

        first = next(iter(blocks[0].hypotheses))
        rows = score_blocks({"": metric}, (block.of_system(first) for block in blocks), threads=inputs.threads).rows
        scores = metric.score(rows[first][""]).tolist()
        wanted.sort(key=lambda number: -scores[number - 1] if not metric.higher_is_better else scores[number - 1])
        wanted = wanted[:worst]
    for number in wanted:
        block, index = _find(blocks, number - 1)
        for system, texts in block.hypotheses.items():
            document = block.documents[index] if block.documents else ""
            yield _Text(system, number, texts[index][0], block.references[index], document)


def _begun(texts: Iterator[_Text]) -> Iterator[_Text]:
    """Read the files now, so that nothing is written if they are refused."""
    return chain([first] if (first := next(texts, None)) else [], texts)


def _find(blocks: Sequence[Any], index: int) -> tuple[Any, int]:
    for block in blocks:
        if index < len(block):
            return block, index
        index -= len(block)
    raise AssertionError("the segment was checked to exist")

"""`tertium score`: systems against references."""

import re
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.files import named_systems, reference_files
from tertium.cli.options import output_options, threads_option
from tertium.cli.output import emit, records_as, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.scoring import Scores

_DEFAULT_METRICS = ("bleu", "chrf")
_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # by target language; 13a for all others
_SPLIT_ON_BLANKS = ("13a", "intl", "none", "space", "mteval-intl", "thesis")
_BLOCK = 32_768


@click.command("score")
@click.argument("systems", nargs=-1, required=True, metavar="HYP...")
@click.option(
    "-r", "--reference", "references", multiple=True, metavar="REF", help="A reference file; repeat for more."
)
@click.option("--refs-dir", metavar="DIR", help="A directory in which every file is a reference.")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="name[:key=value,…]; repeat for more.")
@click.option("--level", "levels", multiple=True, type=click.Choice(["corpus", "document", "segment"]),
              help="What to score; repeat for more (default: corpus).")  # fmt: skip
@click.option("--documents", metavar="FILE", help="A file with one document id per segment.")
@click.option("--parts", is_flag=True, help="Also what scores are made of: precisions, penalties, lengths …")
@click.option("-l", "--language", metavar="LANG", help="Target language: picks the tokenizer (zh, ja, ko).")
@threads_option
@output_options
def command(
    systems: tuple[str, ...], references: tuple[str, ...], refs_dir: str | None, metrics: tuple[str, ...],
    levels: tuple[str, ...], documents: str | None, parts: bool, language: str | None, threads: int | None,
    style: str, output: str | None, decimals: int, quiet: bool, no_color: bool,
) -> None:  # fmt: skip
    """Score systems against references, one segment per line.

    HYP is a text file, gzip of one, or - for standard input; a system is named by the file's stem or as NAME=FILE.

    \b
    Examples:
      tertium score system.txt -r reference.txt
      tertium score a.txt b.txt -r ref1.txt -r ref2.txt -m bleu:tokenize=intl -m chrf++
      tertium score a.txt --refs-dir references/ --documents docs.txt --level document
      tertium score a.txt -r reference.txt --level segment --parts --format tsv
      zcat a.txt.gz | tertium score mine=- -r reference.txt --format json
    """
    files = named_systems(systems)
    reference_paths = reference_files(references, refs_dir)
    if [*files.values(), *reference_paths, documents].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    levels = levels or ("corpus",)
    if "document" in levels and documents is None:
        raise InputError("--level document needs document ids: add --documents FILE, with one id per segment.")
    warn = _silent if quiet else _warn
    chosen = _metrics(metrics or _DEFAULT_METRICS, language)
    scores = _score(chosen, files, reference_paths, documents, "segment" in levels, threads, warn, quiet)
    if "segment" in levels:
        _warn_of_short_segments(scores, warn)
    emit(_rendered(scores, levels, parts, style, decimals), output)


def _metrics(texts: Sequence[str], language: str | None) -> "dict[str, Metric]":
    from tertium.metrics import parse_metric

    metrics: dict[str, Metric] = {}
    for text in dict.fromkeys(texts):
        metric: Any = parse_metric(text)
        if language is not None and hasattr(metric, "tokenize") and "tokenize=" not in text:
            metric = replace(metric, tokenize=_TOKENIZERS.get(language.split("-")[0].lower(), "13a"))
        metrics[text] = metric
    return metrics


def _score(
    metrics: "dict[str, Metric]", systems: dict[str, str], references: Sequence[str], documents: str | None,
    keep_rows: bool, threads: int | None, warn: Any, quiet: bool,
) -> "Scores":  # fmt: skip
    from tertium.corpus.parallel import parallel_blocks
    from tertium.metrics.base import thread_count
    from tertium.scoring import Tally, block_rows

    tally = Tally(metrics, list(systems), keep_rows=keep_rows)
    progress = _Progress(quiet)
    count = 0
    for block in parallel_blocks(systems, references, documents, size=_BLOCK, warn=warn):
        if count == 0:
            _warn_of_unspaced_text(block, metrics, warn)
        rows = block_rows(metrics, block.hypotheses, block.references, thread_count(threads))
        tally.add(rows, documents=block.documents)
        count += len(block)
        progress.show(count)
    progress.clear()
    return tally.scores(named=True, reference_count=len(references))


class _Progress:
    """A line on the terminal that says how far long work has come."""

    def __init__(self, quiet: bool) -> None:
        self._shown = False
        self._wanted = not quiet and sys.stderr.isatty()
        self._next = time.monotonic() + 1.0

    def show(self, count: int) -> None:
        now = time.monotonic()
        if self._wanted and now >= self._next:
            sys.stderr.write(f"\r{count:,} segments scored")
            sys.stderr.flush()
            self._shown, self._next = True, now + 0.2

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")


def _warn(message: str) -> None:
    print(f"tertium: warning: {message}", file=sys.stderr)


def _silent(message: str) -> None:
    pass


def _warn_of_unspaced_text(block: Any, metrics: "dict[str, Metric]", warn: Any) -> None:
    on_blanks = [text for text, metric in metrics.items() if getattr(metric, "tokenize", None) in _SPLIT_ON_BLANKS]
    if not on_blanks:
        return
    sample = "".join(block.references[i][0] for i in range(min(len(block), 200)))
    unspaced = sum(_is_unspaced(character) for character in sample)
    if unspaced * 2 > len(sample):
        warn(
            f"The text is mostly Han, kana or Thai, but {', '.join(on_blanks)} splits words at blanks. Give the target "
            "language (-l zh, -l ja) or a tokenizer, such as bleu:tokenize=zh or bleu:tokenize=char."
        )


def _is_unspaced(character: str) -> bool:
    code = ord(character)
    return (
        0x0E00 <= code <= 0x0E7F or 0x3040 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0x20000 <= code <= 0x3FFFF
    )


def _warn_of_short_segments(scores: "Scores", warn: Any) -> None:
    for label, metric in scores.metrics.items():
        if getattr(metric, "effective_order", None) is not False:
            continue
        highest = metric.columns.index(f"totals_{max(metric.orders)}")  # type: ignore[attr-defined]
        short = max(int((rows[label][:, highest] == 0).sum()) for rows in (scores.kept_rows or {}).values())
        if short:
            warn(
                f"{label}: {short:,} segments are shorter than {max(metric.orders)} tokens and score 0 "  # type: ignore[attr-defined]
                "whatever they say. For segment scores add effective_order=true."
            )


def _rendered(scores: "Scores", levels: Sequence[str], parts: bool, style: str, decimals: int) -> str:
    if style in ("json", "jsonl", "tsv", "csv"):
        records = list(scores.records(levels, parts=parts))
        return records_as(style, records, lambda: scores.to_dict(levels, parts=parts))
    tables = [_table(scores, level, style, decimals) for level in levels]
    if parts:
        tables += [_parts_table(scores, level, label, style, decimals) for level in levels for label in scores.metrics]
    if style == "table":
        tables.append(_signatures(scores))
    return "\n".join(tables)


def _table(scores: "Scores", level: str, style: str, decimals: int) -> str:
    """Systems by metrics; below the corpus, documents or segments by metrics for each system."""
    labels = list(scores.metrics)
    items: dict[tuple[str, ...], dict[str, float]] = {}
    for record in scores.records([level]):
        item = record["document"] if level == "document" else record["segment"]
        key = (record["system"],) if level == "corpus" else (record["system"], str(item))
        items.setdefault(key, {})[record["metric"]] = record["score"]
    header = ["System"] if level == "corpus" else ["System", level.capitalize()]
    rows = [[*key, *(f"{values[label]:.{decimals}f}" for label in labels)] for key, values in items.items()]
    best = _best(scores, rows) if level == "corpus" and len(rows) > 1 else set()
    return table(style, [*header, *labels], rows, best=best, texts=len(header))


def _best(scores: "Scores", rows: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Mark the best of each column, by what is printed, unless all are equal."""
    marked = set()
    for column, metric in enumerate(scores.metrics.values(), start=1):
        values = [float(row[column]) for row in rows]
        best = max(values) if metric.higher_is_better else min(values)
        if min(values) < max(values):
            marked |= {(index, column) for index, value in enumerate(values) if value == best}
    return marked


def _parts_table(scores: "Scores", level: str, label: str, style: str, decimals: int) -> str:
    records = [record for record in scores.records([level], parts=True) if record["metric"] == label]
    if level == "corpus":  # few columns, many parts: one part per line reads better
        names = list(records[0]["parts"])
        rows = [[name, *(_number(record["parts"][name], decimals) for record in records)] for name in names]
        return table(style, [label, *(record["system"] for record in records)], rows, best=set())
    names = list(records[0]["parts"])
    header = ["System", level.capitalize(), *names]
    rows = [
        [record["system"], str(record["document"] or record["segment"]),
         *(_number(record["parts"][name], decimals) for name in names)]
        for record in records
    ]  # fmt: skip
    return f"{label}\n" + table(style, header, rows, best=set(), texts=2)


def _number(value: float, decimals: int) -> str:
    return f"{int(value):,}" if value.is_integer() and abs(value) >= 10 else f"{value:.{decimals + 1}f}"


def _signatures(scores: "Scores") -> str:
    """One per line, broken after commas and bars where it is too wide; joined again, it is the signature."""
    lines = []
    for label, signature in scores.signatures.items():
        line = f"{label}: "
        for piece in re.findall(r"[^,|]+[,|]?", signature):
            if len(line) + len(piece) > 80:
                lines.append(line)
                line = "    "
            line += piece
        lines.append(line)
    return "\n".join(lines) + "\n"

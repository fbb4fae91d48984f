"""`tertium pairwise`: scores of every line of one file against every line of another, or of one file with itself."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.decoding import LANGUAGE, metric_option, one_metric, tell_signature
from tertium.cli.arguments.options import OUTPUT, QUIET, THREADS, format_option
from tertium.cli.output.progress import Progress, warner
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from tertium.metrics.base import Floats

_FORMATS = ("table", "json", "tsv", "npy", "parquet")


@click.command("pairwise")
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@metric_option("chrf")
@LANGUAGE
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="Show the most similar pairs.")
@format_option(click.Choice(_FORMATS), says="What stands out, or the whole matrix, a line per line of A")
@THREADS
@OUTPUT
@QUIET
def command(
    a: str, b: str | None, metric: str, language: str | None, top: int, style: str, threads: int | None,
    output: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Score every line of A as a hypothesis against every line of B as a reference.

    With one file its lines are scored against each other: low scores mean diverse texts, pairs at the top are near
    duplicates. The mean over pairs of different lines, with bleu, is self-BLEU.

    \b
    Examples:
      tertium pairwise train.txt test.txt --top 20
      tertium pairwise samples.txt -m bleu
      tertium pairwise samples.txt -m chrf --format npy --output matrix.npy
      tertium pairwise a.txt b.txt --format tsv > matrix.tsv
    """
    from tertium.files.lines import Lines
    from tertium.scoring.pairwise import pairwise_blocks

    check_output(output)
    if style in ("npy", "parquet") and output is None:
        raise InputError(f"--format {style} is for programs: add --output FILE.")
    if a == "-" and b == "-":
        raise InputError("Standard input (-) can be only one of the files.")
    warn = warner(quiet)
    chosen = one_metric(metric, language)
    ours = list(Lines(a, warn=warn))
    theirs = ours if b is None else list(Lines(b, warn=warn))
    for path, texts in ((a, ours), (b or a, theirs)):
        if not texts:
            raise InputError(f"{path} is empty: there is nothing to compare.")
    progress = Progress(quiet)

    def blocks() -> "Iterator[tuple[int, Floats]]":
        for begin, scores in pairwise_blocks(chosen, ours, theirs, threads=threads):
            yield begin, scores
            done = begin + len(scores)
            progress.say(f"{done * len(theirs):,} of {len(ours) * len(theirs):,} pairs", done / len(ours))

    if style == "tsv":
        emit(_rows(blocks()), output)
    elif style == "npy":
        emit(_array(blocks(), (len(ours), len(theirs))), output)  # type: ignore[arg-type]  # pieces of bytes
    elif style == "parquet":
        _parquet(blocks(), str(output))
    else:
        found = _summary(blocks(), chosen.higher_is_better, top, itself=b is None)
        found |= {"metric": metric, "signature": chosen.signature(1), "lines": [len(ours), len(theirs)]}
        text = json.dumps(found) + "\n" if style == "json" else _told(found, ours, theirs, chosen.short_signature(1))
        emit(text, output)
    progress.clear()
    if style in ("tsv", "npy", "parquet"):
        tell_signature(chosen, quiet)


def _rows(blocks: "Iterator[tuple[int, Floats]]") -> Iterator[str]:
    for _, scores in blocks:
        for row in scores.tolist():
            yield "\t".join(map(repr, row)) + "\n"


def _array(blocks: "Iterator[tuple[int, Floats]]", shape: tuple[int, int]) -> Iterator[bytes]:
    """Return the bytes of a NumPy file, block by block."""
    import io

    import numpy as np

    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": shape})
    yield header.getvalue()
    for _, scores in blocks:
        yield np.ascontiguousarray(scores, "<f8").tobytes()


def _parquet(blocks: "Iterator[tuple[int, Floats]]", output: str) -> None:
    """Write a row per pair: both line numbers, counted from 1, and the score."""
    import numpy as np

    from tertium.files.writing import new_file, unwritable

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet needs pyarrow: pip install 'tertium[arrow]'.") from None
    schema = pyarrow.schema([("a", "uint32"), ("b", "uint32"), ("score", "float64")])
    try:
        with new_file(output) as file, pyarrow.parquet.ParquetWriter(file, schema) as writer:
            for begin, scores in blocks:
                first = np.repeat(np.arange(begin + 1, begin + len(scores) + 1, dtype=np.uint32), scores.shape[1])
                second = np.tile(np.arange(1, scores.shape[1] + 1, dtype=np.uint32), len(scores))
                writer.write_table(pyarrow.table([first, second, scores.ravel()], schema=schema))
    except OSError as error:
        raise unwritable(output, error) from None


def _summary(blocks: "Iterator[tuple[int, Floats]]", upwards: bool, top: int, *, itself: bool) -> dict[str, Any]:
    """Return the mean over pairs, and the pairs that are most alike; a line is not compared with itself."""
    import numpy as np

    total, count = 0.0, 0
    best: list[tuple[float, int, int]] = []
    for begin, scores in blocks:
        keys = scores if upwards else -scores
        if itself:
            places = np.arange(len(scores))
            total -= float(scores[places, begin + places].sum())
            count -= len(scores)
            keys = np.where(
                np.tri(scores.shape[0], scores.shape[1], begin, dtype=bool), -np.inf, keys
            )  # each pair once
        total += float(scores.sum())
        count += scores.size
        most = min(top, keys.size)
        if most:
            places = np.argpartition(-keys, most - 1, axis=None)[:most]
            found = [divmod(int(place), scores.shape[1]) for place in places]
            best += [(float(keys[i, j]), begin + i, j) for i, j in found if np.isfinite(keys[i, j])]
            best = sorted(best, key=lambda one: (-one[0], one[1], one[2]))[:top]
    pairs = [{"a": i + 1, "b": j + 1, "score": key if upwards else -key} for key, i, j in best]
    return {"mean": total / count if count else None, "pairs": count, "most_similar": pairs}


def _told(found: dict[str, Any], ours: list[str], theirs: list[str], signature: str) -> str:
    from tertium.cli.output.score_tables import broken

    mean = "–" if found["mean"] is None else f"{found['mean']:.2f}"
    lines = [f"{found['metric']}: mean {mean} over {found['pairs']:,} pairs"]
    if found["most_similar"]:
        lines += ["", "The most similar:"]
    for one in found["most_similar"]:
        lines.append(f"  {one['score']:6.2f}  {one['a']:>6,}  {ours[one['a'] - 1]:.60}")
        lines.append(f"          {one['b']:>6,}  {theirs[one['b'] - 1]:.60}")
    return "\n".join([*lines, "", broken("", signature)])

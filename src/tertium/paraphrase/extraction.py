"""From bitexts and phrase tables to a paraphrase table, on disk where memory would not do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tertium import _native
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.paraphrase.alignment import Bitext
from tertium.paraphrase.filters import NAMES, Filters
from tertium.paraphrase.sources import AlignedBitext, PairSource, Source
from tertium.paraphrase.workspace import Workspace
from tertium.paraphrase.writing import HEADER, checked_layout, new_table
from tertium.results import Result

LONGEST = 10

_PHRASES = 1 << 11  # phrases whose paraphrases are written at once
_WORDS = 1 << 16  # words handed over at once

Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True)
class Extraction:
    """How to extract: what changes the table, and nothing else."""

    longest: int = 5  # words of a phrase, on either side
    filters: Filters = field(default_factory=Filters)

    def __post_init__(self) -> None:
        if not 1 <= self.longest <= LONGEST:
            raise InputError(f"Phrases may have 1 to {LONGEST} words, not {self.longest!r}.")


@dataclass(frozen=True)
class Report(Result):
    """What was read, found, left out and kept."""

    sources: list[dict[str, Any]]  # per source: lines, pairs, ...
    phrases: int  # distinct, on the side that gets paraphrases
    pivots: int  # distinct phrases of the other languages
    shared_pivots: int  # with at least two phrases
    dropped: dict[str, int]  # pairs, by the filter that left them out
    kept: int


def extract(
    sources: Sequence[Source], output: str | Path, extraction: Extraction | None = None, *, layout: str | None = None,
    threads: int = 1, memory: int = 1 << 29, work_dir: str | Path | None = None, warn: Warn = lambda message: None,
    progress: Progress = lambda step, done, total: None,
) -> Report:  # fmt: skip
    """Write a paraphrase table, whole or not at all.

    Several sources are averaged by their weights: p(b|a) is the weighted mean of each source's. A killed run goes on
    where it was if it is called again in the same way; `memory` bounds what sorting holds, in bytes.
    """
    extraction = extraction or Extraction()
    output = Path(output)
    layout = checked_layout(layout, output)
    _check(sources, output)
    extraction.filters.forms([])  # a language that is not known is refused before the work, not after it
    folder = Path(work_dir) if work_dir is not None else output.with_name(output.name + ".work")
    purpose = {"longest": extraction.longest, "sources": [_identity(source) for source in sources]}
    with Workspace(folder, purpose) as workspace:
        words = _native.WordNumbers()
        ready = [_aligned(source, index, workspace, warn, progress) for index, source in enumerate(sources)]
        counts = [
            _sorted_pairs(source, index, workspace, words, extraction, threads, memory, warn, progress)
            for index, source in enumerate(ready)
        ]
        for found, source in zip(counts, sources, strict=True):
            found["files"] = list(source.files)
        progress("finding shared pivots", 0, None)
        pivot = _native.Pivot(
            words, paths=[str(workspace.path(f"pairs-{index}")) for index in range(len(sources))],
            counted=[source.counted for source in ready], weights=[source.weight for source in ready],
            prefix=str(workspace.path("merge-")), longest=extraction.longest, memory=memory, threads=threads,
        )  # fmt: skip
        with new_table(output, layout) as file:
            report = _write(pivot, words, extraction.filters, layout, file, threads, progress)
        workspace.remove()
    if not report.kept:
        warn(f"{output} has no paraphrases: no two phrases that share a pivot passed the filters.")
    return Report(
        counts, pivot.all_phrases, pivot.all_pivots, pivot.shared_pivots,
        {name: getattr(report, name) for name in NAMES}, report.kept,
    )  # fmt: skip


def _check(sources: Sequence[Source], output: Path) -> None:
    if not sources:
        raise InputError("Nothing to extract from: give a bitext with alignments, or a phrase table.")
    for source in sources:
        weight = source.weight
        if not 0 < weight < float("inf"):
            raise InputError(f"The weight of {source.files[0]} must be a number above 0, not {weight!r}.")
        for path in source.files:
            if output.exists() and Path(path).exists() and output.samefile(path):
                raise InputError(f"{path} is read, so the table cannot be written there. Give it another name.")


def _identity(source: Source) -> dict[str, Any]:
    for path in source.files:
        if not Path(path).is_file():
            raise InputError(
                f"{path} is no file. Bitexts and tables are read from files, so that a run can be taken up again."
            )
    return source.identity()


def _aligned(source: Source, index: int, workspace: Workspace, warn: Warn, progress: Progress) -> PairSource:
    """Return a source with word alignments, made now or by an earlier run."""
    if isinstance(source, PairSource):
        return source
    assert isinstance(source, Bitext)
    step = f"aligned-{index}"
    finished = workspace.result(step)
    if finished is None:
        bitext = source.aligned(
            workspace.path(step), warn=warn, done=lambda lines: progress(f"aligning {source.text}", lines, None)
        )
        workspace.finish(step, vars(bitext))
        return bitext
    return AlignedBitext(**finished | {"weight": source.weight})


def _sorted_pairs(
    source: PairSource, index: int, workspace: Workspace, words: _native.WordNumbers, extraction: Extraction,
    threads: int, memory: int, warn: Warn, progress: Progress,
) -> dict[str, Any]:  # fmt: skip
    """Make the sorted file of one source, unless an earlier run did; words are numbered on from the sources before."""
    step = f"source-{index}"
    finished = workspace.result(step)
    if finished is not None:
        _number_again(words, workspace.path(f"words-{index}"))
        return dict(finished)
    known = len(words)
    name = source.files[0]
    pairs = _native.PivotSource(
        words, prefix=str(workspace.path("run-")), longest=extraction.longest, memory=memory, threads=threads,
        counted=source.counted,
    )  # fmt: skip
    source.fill(pairs, warn=warn, done=lambda lines: progress(f"reading {name}", lines, None))
    if not pairs.counts["lines"]:
        raise InputError(f"{name} is empty: there is nothing to extract from.")
    progress(f"sorting the pairs of {name}", 0, None)
    twice = pairs.finish(str(workspace.path(f"pairs-{index}")))
    if twice:
        raise InputError(f"{name} has a phrase with the same translation twice: '{twice}'. Is it two tables in one?")
    with open(workspace.path(f"words-{index}"), "w", encoding="utf-8", newline="\n") as file:
        for start in range(known, len(words), _WORDS):
            file.writelines(f"{word}\n" for word in words.words(start, start + _WORDS))
    counts = {"files": [], "weight": source.weight, **pairs.counts}
    workspace.finish(step, counts)
    return counts


def _number_again(words: _native.WordNumbers, path: Path) -> None:
    with open(path, encoding="utf-8", newline="\n") as file:
        while block := file.readlines(1 << 20):
            words.add(_native.flat_texts([word.rstrip("\n") for word in block], "words"))


def _write(
    pivot: _native.Pivot, words: _native.WordNumbers, filters: Filters, layout: str, file: IO[bytes], threads: int,
    progress: Progress,
) -> _native.PivotReport:  # fmt: skip
    pivot.filter(filters.forms(words.words(0, len(words))), filters.native(), threads)
    report = _native.PivotReport()
    written = "table" if layout == "index" else layout
    if layout in ("table", "index"):
        file.write(HEADER)
    for start in range(0, len(pivot), _PHRASES):
        progress("finding paraphrases", start, len(pivot))
        file.write(pivot.lines(start, start + _PHRASES, written, report, threads))
    return report

"""Alignments and errors as text."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tertium.compat.jiwer.process import AlignmentChunk, CharacterOutput, WordOutput
from tertium.errors import InputError

Output = WordOutput | CharacterOutput
_LETTERS = {"equal": "", "substitute": "S", "insert": "I", "delete": "D"}


def visualize_alignment(
    output: Output, show_measures: bool = True, skip_correct: bool = True, line_width: int | None = None
) -> str:
    """Return each sentence in three lines, reference, hypothesis and what was edited, then a summary."""
    between = " " if isinstance(output, WordOutput) else ""
    parts = []
    for number, (reference, hypothesis, chunks) in enumerate(
        zip(output.references, output.hypotheses, output.alignments, strict=True), 1
    ):
        if skip_correct and all(chunk.type == "equal" for chunk in chunks):
            continue
        cells = list(_cells(reference, hypothesis, chunks))
        blocks = [_block(line, between) for line in _wrapped(cells, between, line_width)]
        parts.append(f"=== SENTENCE {number} ===\n\n" + "\n".join(blocks))
    if show_measures:
        parts.append(_summary(output))
    return "\n".join(parts)


def _cells(reference: list[str], hypothesis: list[str], chunks: list[AlignmentChunk]) -> Iterator[tuple[str, str, str]]:
    """Return what stands below each other, equally wide: reference word, hypothesis word, edit."""
    for chunk in chunks:
        ours = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        theirs = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        for k in range(max(len(ours), len(theirs))):
            pair = theirs[k] if theirs else "*", ours[k] if ours else "*"
            width = max(map(len, pair))
            # As in jiwer, a word that really is "*" looks like a missing one; the letter below tells.
            upper, lower = ("*" * width if word == "*" else word.rjust(width) for word in pair)
            yield upper, lower, _LETTERS[chunk.type].rjust(width)


def _wrapped(
    cells: list[tuple[str, str, str]], between: str, line_width: int | None
) -> Iterator[list[tuple[str, str, str]]]:
    line: list[tuple[str, str, str]] = []
    margin = used = len("REF: ") - len(between)
    for cell in cells:
        width = len(between) + len(cell[0])
        if line_width is not None and used + width > line_width:
            yield line
            line, used = [], margin
        line.append(cell)
        used += width
    yield line


def _block(cells: list[tuple[str, str, str]], between: str) -> str:
    heads = [head if between else f"{head} " for head in ("REF:", "HYP:", "    ")]
    lines = [head + "".join(between + cell[k] for cell in cells) for k, head in enumerate(heads)]
    return "\n".join(lines) + "\n"


def _summary(output: Output) -> str:
    names = ("mer", "wil", "wip", "wer") if isinstance(output, WordOutput) else ("cer",)
    rates = "".join(f"{name}={getattr(output, name) * 100:.2f}%\n" for name in names)
    return (
        f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
        f"substitutions={output.substitutions} deletions={output.deletions} "
        f"insertions={output.insertions} hits={output.hits}\n\n{rates}"
    )


def collect_error_counts(output: Output) -> tuple[Counter[tuple[str, str]], Counter[str], Counter[str]]:
    """Return how often what was substituted, by (reference, hypothesis), inserted, and deleted."""
    between = " " if isinstance(output, WordOutput) else ""
    substitutions: Counter[tuple[str, str]] = Counter()
    insertions: Counter[str] = Counter()
    deletions: Counter[str] = Counter()
    for reference, hypothesis, chunks in zip(output.references, output.hypotheses, output.alignments, strict=True):
        for chunk in chunks:
            theirs = between.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            ours = between.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[theirs, ours] += 1
            elif chunk.type == "insert":
                insertions[ours] += 1
            elif chunk.type == "delete":
                deletions[theirs] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """Return the errors by kind, the most frequent first."""
    if top_k is not None and top_k < 1:
        raise InputError(f"top_k must be at least 1, not {top_k!r}.")
    substitutions, insertions, deletions = collect_error_counts(output)
    shown = ""
    if show_substitutions:
        shown += _section("SUBSTITUTIONS", substitutions, top_k)
    if show_insertions:
        shown += _section("INSERTIONS", {(word,): count for word, count in insertions.items()}, top_k)
    if show_deletions:
        shown += _section("DELETIONS", {(word,): count for word, count in deletions.items()}, top_k)
    return shown.rstrip("\n")


def _section(title: str, counts: Mapping[Any, int], top_k: int | None) -> str:
    if not counts:
        return f"=== {title} ===\nnone\n"
    ranked = sorted(counts.items(), key=lambda item: -item[1])[:top_k]
    width = max(len(word) for words, _ in ranked for word in words)
    lines = [f"{' --> '.join(word.ljust(width) for word in words)} = {count}x\n" for words, count in ranked]
    return f"=== {title} ===\n{''.join(lines)}\n"

"""Hypotheses that are cut to the reference's segments before anything else is done with them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tertium.cli.arguments.options import Choice, options
from tertium.cli.output.progress import working
from tertium.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tertium.corpus.parallel import Block
    from tertium.corpus.readers import TextFile
    from tertium.files.lines import Warn

resegment_options = options(
    click.option("--resegment", type=Choice("tertium.resegmentation:CHOICES"), metavar="METHOD",
                 help="Cut HYP to the reference's segments first: soft, mwer, chars, length, or as another program "
                 "does. HYP then has a line per document, or any lines without --documents."),
    click.option("--hyp-documents", metavar="FILE",
                 help="With --resegment: a document id per line of HYP, which then may have several lines each."),
)  # fmt: skip


class Resegmented(NamedTuple):
    """Files that fit each other line by line, and how that came about."""

    systems: "dict[str, TextFile]"
    references: "list[TextFile]"
    documents: "TextFile | None"
    how: str

    def marked(self, blocks: "Iterator[Block]") -> "Iterator[Block]":
        """Return the blocks, which say how their segments were made."""
        return (replace(block, resegmented=self.how) for block in blocks)


def resegmented(
    systems: "dict[str, TextFile]",
    references: "Sequence[TextFile]",
    documents: "TextFile | None",
    *,
    method: str,
    hyp_documents: str | None,
    language: str | None,
    threads: int | None,
    warn: "Warn",
    quiet: bool,
) -> Resegmented:
    """Read everything, and cut each system's lines to the segments of the references."""
    from tertium.corpus.named.loading import HeldLines
    from tertium.resegmentation import resegment

    if any(file.ids is not None for file in (*systems.values(), *references)):
        raise InputError(
            "--resegment takes files with one text per line; XML, SGML and trans have segments of their own."
        )
    theirs = [texts_of(file) for file in references]
    counts = [len(one) for one in theirs]
    if len(set(counts)) > 1:
        raise InputError(
            f"The references have {' and '.join(f'{count:,}' for count in counts)} lines. Give references with the "
            "same segments: hypotheses are cut to them."
        )
    groups = [[text for one in theirs for text in one[i]] for i in range(counts[0])]
    names = None if documents is None else [group[0] for group in texts_of(documents)]
    of_lines = None
    if hyp_documents is not None:
        of_lines = first_texts(hyp_documents, warn)
    held: dict[str, TextFile] = {}
    how = method
    for system, file in systems.items():
        lines = [group[0] for group in texts_of(file)]
        try:
            with working(f"Cutting {file.name} to {counts[0]:,} segments", quiet):
                found = resegment(
                    lines, groups, names, method, hypothesis_documents=of_lines, language=language, threads=threads
                )
        except InputError as error:
            raise InputError(f"{file.name}: ", error.message) from None
        how = found.settings
        held[system] = HeldLines(file.name, list(found.lines))
        if found.doubtful:
            inner = len(found) - len(set(found.documents or ("",)))
            warn(f"{file.name}: {found.doubtful:,} of {inner:,} cuts are doubtful (confidence below 0.5).")
    if names is None and counts[0] > 1:
        warn(
            "All lines were cut as one stream, so errors of segments depend on each other. With --documents FILE, "
            "score and compare draw whole documents."
        )
    return Resegmented(
        held,
        [HeldLines(file.name, one) for file, one in zip(references, theirs, strict=True)],
        None if names is None else HeldLines("documents", names),
        how,
    )


def first_texts(path: str, warn: "Warn") -> list[str]:
    """Return the lines of a file, or of a column of a table."""
    from tertium.corpus.formats import open_references

    return [group[0] for group in texts_of(open_references(path, kind=None, warn=warn)[0])]


def texts_of(file: "TextFile") -> list[list[str]]:
    """Return all texts of a file, in groups."""
    found: list[Any] = []
    while len(block := file.take(1 << 15)):
        found += [block[i] for i in range(len(block))]
    return found

"""Which lines of a hypothesis belong to which segments: by document, or all to all."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import Argument, InputError


@dataclass(frozen=True)
class Document:
    """Lines [first, last) of the hypothesis, for segments [first, last) of the reference."""

    name: str
    lines: tuple[int, int]
    segments: tuple[int, int]


def matched_documents(
    lines: int, segments: int, documents: Sequence[str] | None, line_documents: Sequence[str] | None
) -> list[Document]:
    """Return the documents in the order of the reference; all is one document if none are named."""
    if documents is None:
        if line_documents is not None:
            raise InputError(
                "The hypothesis has document ids, but the references have none: give ", Argument("documents"), ", too."
            )
        return [Document("", (0, lines), (0, segments))]
    if len(documents) != segments:
        raise InputError(
            f"There are {len(documents):,} document ids for {segments:,} reference segments. Give one id for each, in "
            "the same order."
        )
    theirs = _runs(documents, "reference")
    if line_documents is None:
        if lines != len(theirs):
            raise InputError(
                f"The hypothesis has {_lines(lines)}, but there are {len(theirs):,} documents. Give one line for each "
                "document, in the same order, or say which document each line is of: ",
                Argument("hypothesis_documents"),
                ".",
            )
        return [Document(name, (i, i + 1), span) for i, (name, span) in enumerate(theirs.items())]
    if len(line_documents) != lines:
        raise InputError(
            f"There are {len(line_documents):,} document ids for the {_lines(lines)} of the hypothesis. Give one for "
            "each."
        )
    ours = _runs(line_documents, "hypothesis")
    for one, other, which in ((ours, theirs, "references"), (theirs, ours, "hypothesis")):
        for name in one:
            if name not in other:
                raise InputError(f"Document '{name}' is not in the {which}: give the same documents on both sides.")
    return [Document(name, ours[name], span) for name, span in theirs.items()]


def _runs(ids: Sequence[str], what: str) -> dict[str, tuple[int, int]]:
    """Return where each document begins and ends; refuse one whose lines do not stand together."""
    found: dict[str, tuple[int, int]] = {}
    begin = 0
    for place, name in enumerate(ids):
        if place and name == ids[place - 1]:
            continue
        if place:
            found[ids[place - 1]] = (begin, place)
        if name in found:
            raise InputError(
                f"Document '{name}' of the {what} ends at line {found[name][1]:,} and comes again at line "
                f"{place + 1:,}. Put the lines of a document together."
            )
        begin = place
    if ids:
        found[ids[-1]] = (begin, len(ids))
    return found


def _lines(count: int) -> str:
    return f"{count:,} line{'' if count == 1 else 's'}"

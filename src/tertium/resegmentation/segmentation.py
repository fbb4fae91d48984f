"""A hypothesis cut to the segments of its references."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from tertium import __version__, _native
from tertium.corpus import hypothesis_texts, reference_texts
from tertium.corpus.segments import in_order
from tertium.errors import Argument, InputError, SegmentError
from tertium.metrics.base import thread_count
from tertium.resegmentation.documents import Document, matched_documents
from tertium.resegmentation.length import cuts_by_length
from tertium.resegmentation.methods import LIKE, SCALE, Method, method_named
from tertium.resegmentation.programs import cut_as
from tertium.resegmentation.units import Units, one_line
from tertium.results import Result
from tertium.text import tokenizer
from tertium.text.languages import target_language
from tertium.text.tokenizers import model_mark

DOUBTFUL = 0.5  # cuts below this confidence are


@dataclass(frozen=True)
class Segmentation(Result):
    """A line for each reference segment, cut from the hypothesis as it was given.

    `boundaries[i]` says which characters of the hypothesis (its lines joined by line feeds) are piece i, from the first
    up to the one after the last: pieces put together are the input. Lines are pieces without the blanks at their ends.
    `confidence[i]` is how sure the cut at the end of line i is, from 0 to 1; the end of a document is sure. There is
    none where cuts are made as another program makes them.
    """

    lines: tuple[str, ...]
    boundaries: tuple[tuple[int, int], ...]
    cost: float
    confidence: tuple[float, ...] | None
    documents: tuple[str, ...] | None = field(repr=False)  # of each line
    method: str
    tokenize: str
    text: str = field(repr=False)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The pieces of the hypothesis, with every character of it."""
        return tuple(self.text[begin:end] for begin, end in self.boundaries)

    @property
    def doubtful(self) -> int:
        """How many cuts may well be wrong."""
        return sum(one < DOUBTFUL for one in self.confidence or ())

    @property
    def settings(self) -> str:
        """The method and the tokens it took, as metrics' signatures have them."""
        return f"{self.method}/{self.tokenize}"

    @property
    def signature(self) -> str:
        """What fixes the cuts."""
        return f"resegment={self.settings}|unicode={_native.unicode_version}|tertium={__version__}"

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each line."""
        documents, confidence = self.documents or (), self.confidence or ()
        return [
            {
                "line": line,
                "begin": begin,
                "end": end,
                "confidence": confidence[i] if confidence else None,
                "document": documents[i] if documents else None,
            }
            for i, (line, (begin, end)) in enumerate(zip(self.lines, self.boundaries, strict=True))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {key: value for key, value in asdict(self).items() if key != "text"} | {"signature": self.signature}


def resegment(
    hypothesis: str | Sequence[str],
    references: Sequence[Any],
    documents: Sequence[str] | None = None,
    method: str = "soft",
    *,
    hypothesis_documents: Sequence[str] | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    threads: int | None = None,
) -> Segmentation:
    """Cut a hypothesis so that its pieces fit the reference segments.

    The hypothesis is a text or a list of lines. `references[i]` is a string or a list of strings for segment i, and
    `documents[i]` the document it is of. Each line of the hypothesis then is one document, unless
    `hypothesis_documents` says of each line which document it is of; without documents all lines are one stream.
    """
    if language is not None:
        target_language(language)  # which refuses what it does not know
    given = hypothesis_texts([hypothesis] if isinstance(hypothesis, str) else hypothesis, "hypothesis")
    lines = [given[i][0] for i in range(len(given))]
    theirs = reference_texts([references] if isinstance(references, str) else references)
    if len(theirs) == 0:
        raise InputError("There is no reference segment that the hypothesis could be cut for.")
    found = matched_documents(
        len(lines), len(theirs), _ids(documents, "documents"), _ids(hypothesis_documents, "hypothesis_documents")
    )
    if tokenize is not None and not isinstance(tokenize, str):
        raise InputError(f"tokenize is the name of a tokenizer, not {tokenize!r}.")
    named = documents is not None
    if method == "length":
        if tokenize is not None:
            raise InputError("Cuts by length take no tokens: leave out ", Argument("tokenize"), ".")
        return _by_length(lines, theirs, found, named=named)
    if method in LIKE:
        cuts, tokens = cut_as(method, lines, theirs, found, tokenize, language)
        return _cut(
            lines, found, [one.ends for one in cuts], cost=sum(one.cost for one in cuts), confidence=None,
            method=method, tokenize=signed(tokens), named=named, begins=[one.begin for one in cuts],
        )  # fmt: skip
    how = method_named(method)
    return aligned(lines, theirs, found, how, how.tokenize if tokenize is None else tokenize, threads, named=named)


def _ids(documents: Any, name: str) -> list[str] | None:
    """Return document ids as a list, whatever sequence or column they come in."""
    if documents is None:
        return None
    if isinstance(documents, str):
        raise InputError(f"{name} is one string, but a list of document ids was expected.")
    return [str(one) for one in in_order(documents, name)]


def aligned(
    lines: Sequence[str],
    references: _native.Texts,
    documents: Sequence[Document],
    method: Method,
    tokenize: str,
    threads: int | None,
    *,
    named: bool,
) -> Segmentation:
    """Cut lines by aligning their tokens with those of the references."""
    units = [Units("\n".join(lines[slice(*document.lines)])) for document in documents]
    ends = np.concatenate([[0], np.cumsum([len(one.texts) for one in units])]).tolist()
    spans = [(ends[i], ends[i + 1], document.segments[0], document.segments[1]) for i, document in enumerate(documents)]
    line_ends = np.concatenate([[], *(_line_ends(one) for one in units)]).astype(np.uint8)
    split = tokenizer(tokenize)
    count = len(references)
    places, chosen = np.empty(count, np.int64), np.empty(count, np.int64)
    confidences, costs = np.empty(count), np.empty(len(documents))
    apart = _native.grouped_texts([[Units(text).apart for text in references[i]] for i in range(count)], "references")
    words = _native.flat_texts([text for one in units for text in one.texts], "hypothesis")
    try:
        _native.segment_cuts(
            split.tokens(words), line_ends, split.tokens(apart), spans, method.settings, thread_count(threads), places,
            confidences, chosen, costs,
        )  # fmt: skip
    except SegmentError as error:
        name = documents[error.segment].name
        which = f"Document '{name}'" if name else "The hypothesis"
        raise InputError(f"{which} {error.what}") from None
    piece_ends = []
    for i, (document, one) in enumerate(zip(documents, units, strict=True)):
        inner = (places[segment] - ends[i] for segment in range(document.segments[0], document.segments[1] - 1))
        piece_ends.append([*(one.starts[place] if place else 0 for place in inner), len(one.text)])
    return _cut(
        lines, documents, piece_ends, cost=float(costs.sum()) / SCALE, confidence=confidences.tolist(),
        method=method.name, tokenize=signed(tokenize), named=named,
    )  # fmt: skip


def _by_length(
    lines: Sequence[str], references: _native.Texts, documents: Sequence[Document], *, named: bool
) -> Segmentation:
    """Cut lines by the lengths of the references; of several, by their mean."""
    found = []
    for document in documents:
        groups = [references[segment] for segment in range(*document.segments)]
        lengths = [sum(len("".join(text.split())) for text in group) / len(group) for group in groups]
        found.append(cuts_by_length("\n".join(lines[slice(*document.lines)]), lengths))
    return _cut(
        lines, documents, [one.ends for one in found], cost=sum(one.cost for one in found),
        confidence=[sure for one in found for sure in one.confidence], method="length", tokenize="none", named=named,
    )  # fmt: skip


def _cut(
    lines: Sequence[str], documents: Sequence[Document], ends: Sequence[Sequence[int]], *, cost: float,
    confidence: Sequence[float] | None, method: str, tokenize: str, named: bool, begins: Sequence[int] | None = None,
) -> Segmentation:  # fmt: skip
    """Cut each document's text where its pieces end; documents come in the order of the references."""
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    boundaries: list[tuple[int, int]] = []
    for document, places, first in zip(documents, ends, begins or [0] * len(documents), strict=True):
        shift = starts[document.lines[0]]
        boundaries += [(shift + begin, shift + end) for begin, end in pairwise([first, *places])]
    text = "\n".join(lines)
    return Segmentation(
        lines=tuple(one_line(text[begin:end]) for begin, end in boundaries),
        boundaries=tuple(boundaries),
        cost=cost,
        confidence=None if confidence is None else tuple(round(sure, 4) for sure in confidence),
        documents=tuple(one.name for one in documents for _ in range(*one.segments)) if named else None,
        method=method,
        tokenize=tokenize,
        text=text,
    )


def signed(tokenize: str) -> str:
    """Return a tokenizer's name as signatures have it: a model by its file's name and hash."""
    return model_mark(tokenize) if tokenize.startswith("spm:") else tokenize


def _line_ends(units: Units) -> list[bool]:
    """Return of each unit whether a line ends behind it."""
    if "\n" not in units.text:
        return [False] * len(units.texts)
    starts = units.starts
    return ["\n" in units.text[begin:end] for begin, end in pairwise(starts)]

"""A hypothesis cut to the segments of its references."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tertium import __version__, _native
from tertium.corpus import hypothesis_texts, reference_texts
from tertium.errors import InputError, SegmentError
from tertium.resegmentation.documents import Document, matched_documents
from tertium.resegmentation.methods import SCALE, Method, method_named
from tertium.resegmentation.units import Units, one_line
from tertium.text import tokenizer
from tertium.text.languages import target_language

DOUBTFUL = 0.5  # cuts below this confidence are


@dataclass(frozen=True)
class Segmentation:
    """A line for each reference segment, cut from the hypothesis as it was given.

    `boundaries[i]` says which characters of the hypothesis (its lines joined by line feeds) are piece i, from the first up
    to the one after the last: pieces put together are the input. Lines are pieces without the blanks at their ends.
    `confidence[i]` is how sure the cut at the end of line i is, from 0 to 1; the end of a document is sure.
    """

    lines: tuple[str, ...]
    boundaries: tuple[tuple[int, int], ...]
    cost: float
    confidence: tuple[float, ...]
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
        return sum(one < DOUBTFUL for one in self.confidence)

    @property
    def signature(self) -> str:
        """What fixes the cuts."""
        return f"{self.method}:tokenize={self.tokenize}|tertium={__version__}"

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
    `documents[i]` the document it is of. Each line of the hypothesis then is one document, unless `hypothesis_documents`
    says of each line which document it is of; without documents all lines are one stream.
    """
    if language is not None:
        target_language(language)  # which refuses what it does not know
    lines = [hypothesis] if isinstance(hypothesis, str) else list(hypothesis)
    hypothesis_texts(lines, "hypothesis")  # which refuses what is no text
    theirs = reference_texts([references] if isinstance(references, str) else references)
    if len(theirs) == 0:
        raise InputError("There is no reference segment that the hypothesis could be cut for.")
    found = matched_documents(len(lines), len(theirs), documents, hypothesis_documents)
    how = method_named(method)
    return aligned(lines, theirs, found, how, tokenize or how.tokenize, threads, named=documents is not None)


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
    from tertium.metrics.base import thread_count

    units = [Units("\n".join(lines[slice(*document.lines)])) for document in documents]
    ends = np.concatenate([[0], np.cumsum([len(one.texts) for one in units])]).tolist()
    spans = [
        (ends[i], ends[i + 1], document.segments[0], document.segments[1]) for i, document in enumerate(documents)
    ]
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
    starts = np.concatenate([[0], np.cumsum([len(line) + 1 for line in lines])])
    boundaries: list[tuple[int, int]] = []
    for i, (document, one) in enumerate(zip(documents, units, strict=True)):
        shift = int(starts[document.lines[0]])
        before = 0
        for segment in range(*document.segments):
            last = segment + 1 == document.segments[1]
            place = len(one.text) if last else one.starts[places[segment] - ends[i]] if places[segment] > ends[i] else 0
            boundaries.append((shift + before, shift + place))
            before = place
    text = "\n".join(lines)
    return Segmentation(
        lines=tuple(one_line(text[begin:end]) for begin, end in boundaries),
        boundaries=tuple(boundaries),
        cost=float(costs.sum()) / SCALE,
        confidence=tuple(np.round(confidences, 4).tolist()),
        documents=tuple(d.name for d in documents for _ in range(*d.segments)) if named else None,
        method=method.name,
        tokenize=tokenize,
        text=text,
    )


def _line_ends(units: Units) -> list[bool]:
    """Return of each unit whether a line ends behind it."""
    if "\n" not in units.text:
        return [False] * len(units.texts)
    starts = units.starts
    return ["\n" in units.text[begin:end] for begin, end in zip(starts, starts[1:], strict=False)]

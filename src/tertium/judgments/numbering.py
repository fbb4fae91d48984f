"""Segment numbers that start anew in each document, turned into numbers through the whole test set."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Labels
from tertium.judgments.table import Judgments


def numbered_through(judgments: Judgments, documents: Sequence[str]) -> Judgments:
    """Return the same judgments with segments counted through the test set; `documents` is each segment's document."""
    text = Labels.of(documents)
    # Lines of each document, one document after the other, whether or not a document is contiguous.
    order = np.argsort(text.codes, kind="stable")
    sizes = np.bincount(text.codes[text.codes >= 0], minlength=len(text.names))
    starts = np.concatenate([[0], np.cumsum(sizes)]) + int((text.codes < 0).sum())
    ours = judgments.segment > 0
    at = judgments.document.recoded(text.names)
    unknown = np.flatnonzero(ours & (at < 0))
    if len(unknown):
        code = judgments.document.codes[unknown[0]]
        name = (
            f"the document '{judgments.document.names[code]}', which is not among the ids"
            if code >= 0
            else "no document"
        )
        raise InputError(f"A judgment of segment {judgments.segment[unknown[0]]:,} names {name}.")
    beyond = np.flatnonzero(ours & (judgments.segment > sizes[at]))
    if len(beyond):
        row = int(beyond[0])
        name = judgments.document.names[judgments.document.codes[row]]
        raise InputError(
            f"A judgment is about segment {judgments.segment[row]:,} of the document '{name}', which has "
            f"{sizes[at[row]]:,}."
        )
    lines = order[np.where(ours, starts[at] + judgments.segment - 1, 0)] + 1 if len(documents) else judgments.segment
    return replace(judgments, segment=np.where(ours, lines, 0).astype(np.int64))

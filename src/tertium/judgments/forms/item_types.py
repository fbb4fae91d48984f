"""Judgments by what was shown: outputs count, degraded copies, references and checks are marked."""

import re
from collections.abc import Sequence

import numpy as np

from tertium.corpus.records import Table
from tertium.errors import InputError
from tertium.judgments.forms.columns import numbers, tell_marked, tell_missing, tell_repeated
from tertium.judgments.labels import Ints, Labels
from tertium.judgments.segment_ids import Names
from tertium.judgments.table import Judgments, Warn

# What a file calls an item, and why it does not count. Repeats are second judgments of an item by the same rater.
MARKS = {
    "SYSTEM": None, "REPEAT": None, "TGT": None,
    "BAD_REF": "degraded", "BAD": "degraded", "REF": "reference", "CHK": "check",
}  # fmt: skip


def by_type(
    table: Table, types: Sequence[str], *, system: str, rater: str, segment: Ints, segment_ids: Names, kind: str,
    documents: Sequence[str] | None, warn: Warn,
) -> Judgments:  # fmt: skip
    """Keep judgments of outputs; those of other items are counted aloud and marked."""
    scores = numbers(table, "score")
    tell_missing(table, scores, warn)
    everything = Judgments(
        system=Labels.of(table.columns[system]),
        document=Labels.of(documents) if documents is not None else Labels.constant(None, len(table)),
        segment=segment,
        rater=Labels.of(table.column(rater)),
        kind=Labels.constant(kind, len(table)),
        score=scores,
        count=np.ones(len(table)),
        segment_ids=segment_ids,
    )
    plain = [re.sub(r"\..*", "", text.strip().upper()) for text in types]  # TGT.1 is a second pass over TGT
    there = np.isfinite(scores) & (everything.system.codes >= 0)
    mark = Labels.of([MARKS.get(text, f"other: {text}") for text in plain])
    judged = there & (mark.codes < 0)
    marked = there & (mark.codes >= 0)
    tell_marked(mark[marked], table.name, warn)
    if not judged.any():
        raise InputError(f"{table.name} holds no judgment of a system's output, only {', '.join(sorted(set(plain)))}.")
    # A second pass (REPEAT, TGT.1) is meant to repeat; the same item twice in one pass is not.
    passes = np.unique(np.asarray([text.strip().upper() for text in types]), return_inverse=True)[1].astype(np.int64)
    found = everything[judged]
    tell_repeated(found, table.name, warn, also=passes[judged])
    return found.with_marked(everything[marked], mark[marked]) if marked.any() else found

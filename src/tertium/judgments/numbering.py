"""Which line of the test set a judgment is about: told by document and place in it, or by name; and checked."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import Argument, InputError
from tertium.judgments.labels import Ints, Labels
from tertium.judgments.segment_ids import place_name
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


def names_of_places(documents: Sequence[str]) -> list[str]:
    """Return what each line is called by its document and its place in it."""
    counts: dict[str, int] = {}
    names = []
    for document in documents:
        counts[document] = counts.get(document, 0) + 1
        names.append(place_name(document, counts[document]))
    return names


def lines_of_names(judgments: Judgments, names: Sequence[str], what: str) -> Judgments:
    """Return the same judgments with lines in place of names; `names` is what each line is called.

    Rows that do not count lose their segment if they have no line, as a tutorial's have none.
    """
    places: dict[str, int] = {}
    for line, name in enumerate(names, 1):
        if places.setdefault(name, line) != line:
            raise InputError(f"{what} call two lines '{name}', {places[name]:,} and {line:,}. Names must differ.")
    called = judgments.segment_ids or ()
    lines = np.array([0, *(places.get(name, 0) for name in called)], np.int64)[judgments.segment]
    lost = (lines == 0) & (judgments.segment > 0)
    if lost.any():
        name = called[int(judgments.segment[np.argmax(lost)]) - 1]
        raise InputError(
            f"{int(lost.sum()):,} judgments are about segments such as '{name}', which {what} do not have."
        )
    marked = judgments.marked
    if marked is not None:
        others = marked.judgments
        there = np.array([0, *(places.get(name, 0) for name in others.segment_ids or ())], np.int64)[others.segment]
        marked = replace(marked, judgments=replace(others, segment=there, segment_ids=None))
    pairs = judgments.preferences
    if len(pairs) and pairs.segment_ids is not None:
        found = np.array([0, *(places.get(name, 0) for name in pairs.segment_ids)], np.int64)[pairs.segment]
        pairs = replace(pairs, segment=found, segment_ids=None)
    return replace(judgments, segment=lines, segment_ids=None, marked=marked, preferences=pairs)


def checked_against(judgments: Judgments, documents: Sequence[str], name: str) -> Judgments:
    """Refuse judgments that name another document for a segment than the test set has; return the others."""
    text = Labels.of(documents)
    says = judgments.document.recoded(text.names)
    ours = (judgments.segment > 0) & (judgments.document.codes >= 0)

    def wrong(shift: int) -> Ints:
        at = judgments.segment + shift - 1
        there = ours & (at >= 0) & (at < len(documents))
        same = np.zeros(len(ours), bool)
        same[there] = text.codes[at[there]] == says[there]
        return np.flatnonzero(ours & ~same)

    bad = wrong(0)
    if not len(bad):
        return judgments
    row = int(bad[0])
    segment = int(judgments.segment[row])
    has = f"'{documents[segment - 1]}'" if segment <= len(documents) else f"none: there are {len(documents):,} ids"
    said = judgments.document.names[judgments.document.codes[row]]
    shift = next((step for step in (1, -1, 2, -2) if not len(wrong(step))), None)
    hint: tuple[str | Argument, ...] = (" Are the ids those of this test set, in its order?",)
    if shift == 1:
        hint = (
            " All would fit one line later, so the file seems to count from 0: say ",
            Argument("first_segment", 0),
            ".",
        )
    elif shift is not None:
        hint = (f" All would fit {abs(shift)} line{'s' * (abs(shift) > 1)} {'later' if shift > 0 else 'earlier'}.",)
    raise InputError(
        f"{name}: {len(bad):,} of {int(ours.sum()):,} judgments name another document than the ids do, such as segment "
        f"{segment:,}, of '{said}' here and of {has} there.",
        *hint,
    )

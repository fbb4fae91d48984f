"""Judgments from a file, whatever its layout."""

import os
from collections.abc import Collection, Sequence
from dataclasses import replace

from tertium.errors import Argument, InputError, Message
from tertium.judgments.forms import Reading, form_named, form_of
from tertium.judgments.mqm_weights import MQMWeights
from tertium.judgments.table import Judgments, Warn

ERRORS = ("hter", "hterp", "hwer", "hper", "hcder")  # kinds known to count errors


def read_judgments(
    path: str | os.PathLike[str],
    *,
    form: str | None = None,
    lower_is_better: Collection[str] = (),
    weights: MQMWeights | None = None,
    first_segment: int = 1,
    documents: Sequence[str] | None = None,
    within_documents: bool = True,
    segment_ids: Sequence[str] | None = None,
    language_pair: str | None = None,
    tasks: str | None = None,
    warn: Warn = lambda message: None,
) -> Judgments:
    """Read judgments; the layout is told by the file's header and content unless `form` names it.

    `weights` are those of MQM errors; `first_segment` is what the file calls the first segment, 0 or 1. `documents` is
    each line's document: numbers count within documents, or are only checked against it if `within_documents` is
    false. `segment_ids` is what each line is called in a file that names segments. `language_pair` picks the rows of a
    file that has several. `tasks` is a file of what raters were shown (Appraise's batches).
    """
    path = os.fspath(path)
    layout = form_of(path) if form is None else form_named(form)
    reading = Reading(
        weights or MQMWeights(), first_segment, documents, within_documents, segment_ids, language_pair, tasks, warn
    )
    found = layout.read(path, reading)
    if not len(found) and not len(found.preferences):
        raise InputError(f"{path} holds no judgment.")
    return with_errors(found, lower_is_better, path, warn)


def with_errors(judgments: Judgments, lower_is_better: Collection[str], name: str, warn: Warn) -> Judgments:
    """Say which kinds count errors: those that were named, and those whose name says so."""
    for kind in lower_is_better:
        if kind not in judgments.kinds:
            raise InputError(f"{name} has no judgments of the kind '{kind}'. It has: {', '.join(judgments.kinds)}.")
    errors = {
        *judgments.lower_is_better,
        *lower_is_better,
        *(kind for kind in judgments.kinds if kind.lower() in ERRORS),
    }
    for kind in judgments.kinds:
        scores = judgments.score[judgments.kind.codes == judgments.kind.code(kind)]
        if kind.lower().startswith("mqm") and kind not in errors and len(scores) and scores.min() >= 0 < scores.max():
            said = (
                f"{name}: the {kind} scores are positive, so they look like counted errors, but are taken as they stand"
            )
            say = Argument("lower_is_better", kind)
            warn(Message(said, ": higher is better. Say ", say, " if they are errors."))
    return replace(judgments, lower_is_better=frozenset(errors))

"""Judgments of the rows of an Appraise export: scores, weighed errors, outputs that systems share, two side by side."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tertium.corpus.records import Table
from tertium.errors import InputError
from tertium.judgments.details import Details
from tertium.judgments.forms.appraise_items import BESIDE, Item, Marks, marks_of, segment_names, shown
from tertium.judgments.forms.appraise_tasks import Tasks
from tertium.judgments.forms.columns import numbers, segments, tell_marked, tell_missing, whole_numbers
from tertium.judgments.forms.form import Reading
from tertium.judgments.forms.span_json import Where, in_text, inclusive_span, listed
from tertium.judgments.labels import Floats, Ints, Labels
from tertium.judgments.preferences import Preferences
from tertium.judgments.segment_ids import Names, named
from tertium.judgments.spans import NOWHERE, Span
from tertium.judgments.table import Judgments, Warn


def answers(table: Table, tasks: Tasks, reading: Reading) -> Judgments:
    """Return the answers about one output each; rows that do not count are marked."""
    items = items_of(table, table.column("system"), reading)
    marks, segments = _placed(table, items, tasks, reading)
    everything = _rows(table, items, segments, ("system", "score", "mqm"), tasks, reading)
    tell_missing(table, everything.score, reading.warn)
    found = _apart(everything, Labels.of(marks), table.name, reading.warn)
    return _of_each_system(found, table.name, reading.warn)


def paired_answers(table: Table, tasks: Tasks, reading: Reading) -> Judgments:
    """Return the answers about two outputs side by side: a score for each, and which is preferred."""
    both = [f"{one}{BESIDE}{two}" for one, two in zip(table.column("system1"), table.column("system2"), strict=True)]
    items = items_of(table, both, reading)
    marks, segments = _placed(table, items, tasks, reading)
    one, two = (
        _rows(table, items, segments, (f"system{place}", f"score{place}", f"errors{place}"), tasks, reading)
        for place in "12"
    )
    mark = Labels.of(marks)
    found = Judgments.joined(
        [_apart(side, mark, table.name, warn) for side, warn in ((one, reading.warn), (two, _silent))]
    )
    kept = (mark.codes < 0) & np.isfinite(one.score) & np.isfinite(two.score) & (one.segment > 0)
    systems = Labels.joined([one.system, two.system])
    pairs = Preferences(
        system=systems.names,
        first=systems.codes[: len(table)][kept],
        second=systems.codes[len(table) :][kept],
        segment=one.segment[kept],
        outcome=np.sign(one.score - two.score)[kept].astype(np.int8),
        rater=one.rater[kept],
        document=one.document[kept],
        segment_ids=one.segment_ids,
    )
    return replace(found, preferences=pairs)


def _silent(message: str) -> None:
    """Say nothing, as it was said of the other output."""


def items_of(table: Table, systems: Sequence[str], reading: Reading) -> list[Item]:
    """Return what each row is about."""
    has_documents = "documentID" in table.columns
    _, ids = segments(table, "itemID", 0)
    if ids is not None:
        return _named_items(table, systems)
    found = whole_numbers(table, "itemID", 0 if has_documents else reading.first_segment)
    places = found - 1 if has_documents else found
    documents = table.columns.get("documentID", [""] * len(table))
    whole = table.columns.get("isCompleteDocument", ["False"] * len(table))
    types = table.column("itemType")
    columns = zip(table.column("username"), systems, documents, types, places.tolist(), whole, strict=True)
    return [
        Item(user, name, document, kind.strip().upper(), place, is_whole.strip().lower() == "true")
        for user, name, document, kind, place, is_whole in columns
    ]


def _named_items(table: Table, systems: Sequence[str]) -> list[Item]:
    """Return the items of a campaign that calls segments by name, as WMT25 did."""
    documents = table.columns.get("documentID", [""] * len(table))
    columns = zip(
        table.column("username"), systems, documents, table.column("itemType"), table.column("itemID"), strict=True
    )
    return [
        Item(user, system, document, kind.strip().upper(), 0, False, name.strip())
        for user, system, document, kind, name in columns
    ]


def _placed(table: Table, items: list[Item], tasks: Tasks, reading: Reading) -> tuple[Marks, tuple[Ints, Names]]:
    """Return which rows do not count, and which segment each is about."""
    ended = times_of(table, "end")
    marks = marks_of(items, np.where(np.isnan(ended), -np.inf, ended))
    if "documentID" in table.columns or any(item.id is not None for item in items):
        return marks, named(segment_names(items, marks, tasks, table.name, reading))
    return marks, (np.array([item.number for item in items], np.int64), None)


def times_of(table: Table, column: str) -> Floats:
    """Return when answers were begun or ended; nan where it is not known."""
    return numbers(table, column) if column in table.columns else np.full(len(table), np.nan)


def _rows(
    table: Table, items: list[Item], segments: tuple[Ints, Names], columns: tuple[str, str, str], tasks: Tasks,
    reading: Reading,
) -> Judgments:  # fmt: skip
    system, score, errors = columns
    texts = [None if task is None else task.text for task in shown(items, tasks, table.column(system))]
    spans, kinds, scores = told(table, texts, score, errors, reading)
    return Judgments(
        system=Labels.of(table.column(system)),
        document=Labels.of([item.of.name for item in items]),
        segment=segments[0],
        rater=Labels.of(table.column("username")),
        kind=Labels.of(kinds),
        score=scores,
        count=np.ones(len(table)),
        segment_ids=segments[1],
        details=Details.of(
            len(table), started=times_of(table, "start"), ended=times_of(table, "end"),
            length=[len(text or "") for text in texts], spans=spans,
        ),
    )  # fmt: skip


def told(
    table: Table, texts: Sequence[str | None], score: str, errors: str, reading: Reading
) -> tuple[list[list[Span]], list[str], Floats]:
    """Return what each row says of its output: marked errors, the kind of judgment, the score."""
    spans = [in_text(found, text) for found, text in zip(_spans(table, errors), texts, strict=True)]
    raters = Labels.of(table.column("username"))
    return spans, *_scores(table, numbers(table, score), raters, spans, reading)


def _spans(table: Table, column: str) -> list[list[Span]]:
    if column not in table.columns:
        return [[] for _ in range(len(table))]
    sources = table.columns.get("sourceErrors", [""] * len(table))
    found = []
    for row, (text, source) in enumerate(zip(table.columns[column], sources, strict=True)):
        where = partial(table.where, row)
        both = [_span(error, "target", where) for error in listed(text, where)]
        found.append([*both, *(_span(error, "source", where) for error in listed(source, where))])
    return found


def _span(error: dict[str, Any], side: str, where: Where) -> Span:
    """Return a span. Only what a person marked has a type, be it none; what was filled in beforehand ends sooner."""
    span = inclusive_span(error, where, side=side)
    if "error_type" in error or span.start == NOWHERE:
        return span
    return replace(span, end=max(span.end - 1, span.start + 1))


def _scores(
    table: Table, scores: Floats, raters: Labels, spans: list[list[Span]], reading: Reading
) -> tuple[list[str], Floats]:
    """Return what kind of judgment each row is, and its score. Who gave 0 throughout marked errors and no scores."""
    given = np.nan_to_num(scores)
    marked = any(spans)
    who = raters.codes.astype(np.int64) + 1  # 0: nobody is named
    zero = np.bincount(who, given != 0, minlength=len(raters.names) + 1) == 0
    typed = np.bincount(who, [any(s.category for s in row) for row in spans], minlength=len(raters.names) + 1) > 0
    is_mqm = marked & zero & (typed | bool(zero.all()))
    kinds = ["mqm" if is_mqm[code] else "ESA" if marked else "DA-raw" for code in who.tolist()]
    undecided = 0
    for row, kind in enumerate(kinds):
        if kind == "mqm":
            where = table.where(row)
            costs = [reading.weights.of(s.severity or "undecided", s.category or "", where) for s in spans[row]]
            scores[row] = 0.0 - sum(costs)
            undecided += sum(span.severity in (None, "undecided") for span in spans[row])
    if undecided:
        reading.warn(f"{table.name}: {undecided:,} marked errors have no severity; they weigh nothing.")
    return kinds, scores


def _apart(everything: Judgments, mark: Labels, name: str, warn: Warn) -> Judgments:
    there = np.isfinite(everything.score) & (everything.system.codes >= 0)
    kept, others = there & (mark.codes < 0), there & (mark.codes >= 0)
    if not kept.any():
        reasons = ", ".join(mark[others].names) or "rows without a score"
        raise InputError(f"{name} holds no judgment of a system's output that counts, only {reasons}.")
    tell_marked(mark[others], name, warn)
    return everything[kept].with_marked(everything[others], mark[others]) if others.any() else everything[kept]


def _of_each_system(judgments: Judgments, name: str, warn: Warn) -> Judgments:
    """Give the judgment of an output that several systems share (`Mill+River`) to each of them."""
    names = [systems_of(system) for system in judgments.systems]
    if all(len(group) == 1 for group in names):
        return judgments
    groups = [names[code] for code in judgments.system.codes.tolist()]
    rows = np.repeat(np.arange(len(judgments)), [len(group) for group in groups])
    shared = sum(len(group) > 1 for group in groups)
    warn(f"{name}: {shared:,} judgments are of outputs that several systems share; each counts for all of them.")
    return replace(judgments[rows], system=Labels.of([system for group in groups for system in group]))


def systems_of(system: str) -> list[str]:
    """Return the systems that share an output: Appraise joins their names by `+`."""
    parts = system.split("+")
    return parts if all(parts) else [system]  # a name that ends in + is a name

"""Pearmut's annotations: a row per document that a rater finished, with the items as they were shown."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from tertium.corpus.json_files import read_json, read_objects
from tertium.errors import InputError
from tertium.judgments.details import UNKNOWN, Details
from tertium.judgments.forms.columns import tell_marked
from tertium.judgments.forms.document_names import TUTORIAL
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.language_pairs import chosen_pair
from tertium.judgments.forms.span_json import in_text, inclusive_span, is_number, number_or_none
from tertium.judgments.labels import Labels
from tertium.judgments.segment_ids import named, place_name
from tertium.judgments.spans import Span
from tertium.judgments.table import Judgments, Warn

_RESET = "__RESET__"
_STAGES = {"welcome": "tutorial", "random": "check", "goodbye": "form"}  # items that are no part of the task
_LONGEST_PAUSE = 61.0  # seconds between two actions that count as work, as Pearmut's own sum has it


@dataclass(frozen=True)
class Row:
    """A document that a rater finished, with what they said of each of its items."""

    where: str
    user: str
    number: str  # which item of the rater's list
    items: list[Any]
    answers: list[Any]
    actions: list[Any]


@dataclass(frozen=True)
class Answer:
    """What a rater said of an output: which row and item it is in, and why it does not count, if there is a reason."""

    row: int
    item: int
    system: str
    segment: str
    document: str | None
    kind: str
    score: float | None
    mark: str | None
    spans: list[Span]
    length: int


class Pearmut(Form):
    """`annotations.json` ({campaign: rows}), or rows on lines of their own, as a server keeps them.

    A row that says __RESET__ takes back what that rater said before; a later row of a rater about an item replaces the
    earlier one. Both are marked, as are tutorials, attention checks and outputs with an expected answer.
    """

    name = "pearmut"
    holds = "Pearmut's annotations, annotations.json or JSON lines: user_id, item_i, item, annotation"

    def recognises(self, file: Glimpse) -> bool:
        """Whether rows have a user, an item and annotations."""
        if file.path.endswith(".json"):
            return '"user_id"' in file.head and '"annotation"' in file.head
        return file.kind == "jsonl" and {"user_id", "annotation"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read the scores and spans of a campaign."""
        rows, marks = rows_of(path, reading)
        answers = answers_of(rows, marks, reading)
        if not any(answer.mark is None for answer in answers):
            raise InputError(f"{path} holds no judgment that counts.")
        segment, segment_ids = named([answer.segment for answer in answers])
        times = [times_of(row.actions) for row in rows]
        sizes = Counter(answer.row for answer in answers)
        everything = Judgments.of(
            system=[answer.system for answer in answers],
            document=[answer.document for answer in answers],
            segment=segment,
            segment_ids=segment_ids,
            rater=[rows[answer.row].user for answer in answers],
            kind=[answer.kind for answer in answers],
            score=[answer.score or 0.0 for answer in answers],
            details=Details.of(
                len(answers),
                started=[times[answer.row][0] for answer in answers],
                ended=[times[answer.row][1] for answer in answers],
                seconds=[times[answer.row][2] / sizes[answer.row] for answer in answers],
                length=[answer.length for answer in answers],
                spans=[answer.spans for answer in answers],
            ),
        )
        mark = Labels.of([answer.mark for answer in answers])
        apart = mark.codes >= 0
        tell_marked(mark[apart], path, reading.warn)
        found = everything[~apart]
        return reading.placed(found.with_marked(everything[apart], mark[apart]) if apart.any() else found, path)


def rows_of(path: str, reading: Reading) -> tuple[list[Row], list[str | None]]:
    """Return the rows of a campaign, and why each does not count."""
    rows: list[Row] = []
    marks: list[str | None] = []
    latest: dict[tuple[str, str], int] = {}
    for where, record in _records(path, reading):
        user, number, answer = str(record.get("user_id")), str(record.get("item_i")), record.get("annotation")
        if answer == _RESET:
            for at, row in enumerate(rows):
                if row.user == user and marks[at] is None:
                    marks[at] = "reset"
            latest = {key: at for key, at in latest.items() if key[0] != user}
            continue
        items = record.get("item")
        if not isinstance(answer, list) or not isinstance(items, list) or len(items) != len(answer):
            raise InputError(f"{where}: the annotation is {answer!r:.40}, but one for each item was expected.")
        if not all(isinstance(item, dict) for item in items):
            raise InputError(f"{where}: the items are {items!r:.40}, but objects were expected.")
        if (user, number) in latest:
            marks[latest[user, number]] = "replaced"
        latest[user, number] = len(rows)
        actions = record.get("actions")
        rows.append(Row(where, user, number, items, answer, actions if isinstance(actions, list) else []))
        marks.append(_STAGES.get(number.partition("_")[0]) or _check(record))
    if not rows:
        raise InputError(f"{path} holds no annotation.")
    return rows, marks


def _check(record: dict[str, Any]) -> str | None:
    """Return what our own export of a study says of a row: that its outputs were degraded, or are references."""
    said = record.get("check")
    return next((kind for kind in ("degraded", "reference") if isinstance(said, list) and kind in said), None)


def campaigns_of(path: str, warn: Warn = lambda message: None) -> dict[str, Any]:
    """Return the rows of each campaign in `annotations.json`; there are none on lines of their own."""
    if not path.endswith(".json"):
        return {}
    found = read_json(path, warn=warn)
    campaigns = found if isinstance(found, dict) else {"": found}
    if not all(isinstance(rows, list) for rows in campaigns.values()):
        raise InputError(f"{path} is no object of campaigns, each a list of annotations.")
    return campaigns


def _records(path: str, reading: Reading) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.endswith(".json"):
        yield from read_objects(path, warn=reading.warn)
        return
    campaigns = campaigns_of(path, reading.warn)
    chosen = chosen_pair(path, list(campaigns), reading) or next(iter(campaigns), "")
    for number, row in enumerate(campaigns.get(chosen, []), 1):
        where = f"{path}, row {number:,}"
        if not isinstance(row, dict):
            raise InputError(f"{where} is {row!r:.40}, but an object was expected.")
        yield where, row


def raw_rows(path: str, reading: Reading) -> list[dict[str, Any]]:
    """Return the rows of a campaign as they stand, resets among them."""
    return [row for _, row in _records(path, reading)]


def answers_of(rows: Sequence[Row], marks: Sequence[str | None], reading: Reading) -> list[Answer]:
    """Return what was said of each output. Where errors were marked and nobody gave a score, they are weighed."""
    known: dict[tuple[str, ...], int] = {}
    found = [answer for number, row in enumerate(rows) for answer in _of_row(row, number, marks[number], known)]
    has_spans = any(answer.spans for answer in found)
    if has_spans and all(answer.score is None for answer in found if not answer.kind):
        return [_weighed(answer, rows[answer.row].where, reading) if not answer.kind else answer for answer in found]
    kind = "ESA" if has_spans else "DA-raw"
    return [replace(answer, kind=answer.kind or kind) for answer in found if answer.score is not None]


def _weighed(answer: Answer, where: str, reading: Reading) -> Answer:
    costs = [reading.weights.of(span.severity or "undecided", span.category or "", where) for span in answer.spans]
    return replace(answer, kind="mqm", score=0.0 - sum(costs))


def _of_row(row: Row, number: int, mark: str | None, known: dict[tuple[str, ...], int]) -> Iterator[Answer]:
    items = row.items
    sources = tuple(str(item.get("src", item.get("text", ""))) for item in items)
    names = _names(items, known.setdefault(sources, len(known) + 1))
    for at, (item, answer, (document, segment)) in enumerate(zip(items, row.answers, names, strict=True)):
        texts = item.get("tgt")
        if not isinstance(texts, dict) or not isinstance(answer, dict):
            continue  # a form, which asks about the rater
        for system, said in answer.items():
            if not isinstance(said, dict):
                raise InputError(f"{row.where}: what was said of {system} is {said!r:.40}, but an object was expected.")
            yield from _said(row.where, (number, at), system, said, texts.get(system), item, mark, document, segment)


def _said(
    where: str, at: tuple[int, int], system: str, said: dict[str, Any], text: Any, item: dict[str, Any],
    mark: str | None, document: str | None, segment: str,
) -> Iterator[Answer]:  # fmt: skip
    errors = said.get("error_spans") or []
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise InputError(f"{where}: the error_spans of {system} are {errors!r:.40}, but a list was expected.")
    shown = text if isinstance(text, str) else None
    spans = in_text([inclusive_span(error, partial(str, where), category="category") for error in errors], shown)
    reason = mark or _reason(system, item)
    sliders = said.get("sliders") or {}
    if not isinstance(sliders, dict):
        raise InputError(f"{where}: the sliders of {system} are {sliders!r:.40}, but an object was expected.")
    scores = {"": said.get("score"), **sliders}
    for slider, value in scores.items():
        score = number_or_none(value, f"{where}: a score of {system}")
        if not slider and score is not None and not 0 <= score <= 100:
            raise InputError(
                f"{where}: the score of {system} is {value!r:.40}, but Pearmut's scores lie between 0 and 100."
            )
        length = len(shown or "")
        yield Answer(*at, system, segment, document, slider, score, reason, [] if slider else spans, length)


def _reason(system: str, item: dict[str, Any]) -> str | None:
    """Return why an output of the task itself does not count: it is a tutorial's, or its answer is known beforehand."""
    if TUTORIAL.search(system) or TUTORIAL.search(str(item.get("item_id", ""))):
        return "tutorial"
    rules = item.get("validation")
    return "check" if isinstance(rules, dict) and rules.get(system) else None


def _names(items: Sequence[dict[str, Any]], number: int) -> list[tuple[str | None, str]]:
    """Return document and segment of each item: by its id, or else by the order in which documents come."""
    ids = [str(item["item_id"]) if item.get("item_id") not in (None, "") else "" for item in items]
    if not all(ids):
        return [(f"document {number}", place_name(f"document {number}", place)) for place in range(1, len(items) + 1)]
    if len(set(ids)) < len(ids):  # one id for the document
        return [(one, place_name(one, place)) for place, one in enumerate(ids, 1)]
    return [(one.rpartition("_#_")[0] or None, one) for one in ids]


def times_of(actions: Any) -> tuple[float, float, float]:
    """Return when a row was begun and ended, and the time at work."""
    times = sorted(
        float(action["time"]) for action in actions if isinstance(action, dict) and is_number(action.get("time"))
    )
    if not times:
        return UNKNOWN, UNKNOWN, UNKNOWN
    pauses = (later - earlier for earlier, later in pairwise(times))
    return times[0], times[-1], sum(min(pause, _LONGEST_PAUSE) for pause in pauses)

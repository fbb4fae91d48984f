"""Every answer of a study as one record: what exports are made of."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tertium.annotate.study.file import Study


@dataclass(frozen=True)
class Record:
    """One answer: who, about what, what, and when. `kind` is target, degraded, repeat, reference or tutorial."""

    annotator: str
    rater: str
    system: str | None
    kind: str
    document: str
    segment: int
    item: int
    screen: int
    place: int
    position: int
    source: str
    reference: str | None
    output: str
    answer: dict[str, Any]
    scores: dict[str, float]
    prefilled: list[dict[str, Any]]
    done: float | None
    opened: float | None
    updated: float
    active_ms: int
    extra: dict[str, Any]

    @property
    def spans(self) -> list[dict[str, Any]]:
        """The marked errors."""
        return self.answer.get("spans") or []


_RECORDS = """
SELECT answer.*, annotator.code, annotator.name, system.name AS system_name, output.kind, output.text, output.spans,
       item.segment, item.id AS item_id, item.source, item.reference, item.extra AS item_extra,
       document.name AS document, output.extra AS output_extra, cell.place, assignment.position, assignment.done,
       assignment.opened, assignment.active_ms
FROM answer JOIN assignment USING (annotator, screen)
JOIN annotator ON annotator.id = answer.annotator JOIN output ON output.id = answer.output
JOIN item ON item.id = output.item JOIN document ON document.id = item.document
JOIN cell ON cell.screen = answer.screen AND cell.output = answer.output
LEFT JOIN system ON system.id = output.system
ORDER BY item.segment, item.id, system.id, answer.annotator, answer.screen
"""


_GIVEN = "SELECT DISTINCT annotator, screen, output FROM event WHERE kind = 'save' AND output IS NOT NULL"


def records(study: Study, *, names: bool, finished: bool = True, ours: bool = False) -> Iterator[Record]:
    """Return the answers; people by their codes unless their names are asked for. `ours`: only those given here."""
    with closing(study.reader()) as db:
        given = {tuple(row) for row in db.execute(_GIVEN)} if ours else None
        for row in db.execute(_RECORDS).fetchall():
            if given is not None and (row["annotator"], row["screen"], row["output"]) not in given:
                continue
            if row["done"] is not None or not finished:
                yield _record(row, names)


def came_as(study: Study, form: str) -> bool:
    """Whether a study was made from other people's answers in this form, which are written back as they came."""
    return bool(study.meta.get("imported", {}).get("form") == form)


def codes_of(study: Study) -> dict[str, str]:
    """Return the code of everybody who has a name."""
    with closing(study.reader()) as db:
        return dict(map(tuple, db.execute("SELECT name, code FROM annotator WHERE name IS NOT NULL")))


def _record(row: sqlite3.Row, names: bool) -> Record:
    return Record(
        annotator=row["code"],
        rater=(row["name"] or row["code"]) if names else row["code"],
        system=row["system_name"],
        kind=row["kind"],
        document=row["document"],
        segment=row["segment"],
        item=row["item_id"],
        screen=row["screen"],
        place=row["place"],
        position=row["position"],
        source=row["source"],
        reference=row["reference"],
        output=row["text"],
        answer=json.loads(row["answer"]),
        scores=json.loads(row["scores"]),
        prefilled=json.loads(row["spans"] or "[]"),
        done=row["done"],
        opened=row["opened"],
        updated=row["updated"],
        active_ms=row["active_ms"],
        extra={**json.loads(row["item_extra"] or "{}"), **json.loads(row["output_extra"] or "{}")},
    )

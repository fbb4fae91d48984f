"""Answers that another program collected, put into a new study: rows as they came in the log, answers beside ours."""

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium.annotate.study.file import as_json
from tertium.annotate.study.tasks import add_screen, word_count

IMPORTED = "import"  # the kind of event that holds a row as it came


@dataclass(frozen=True)
class Said:
    """What somebody said of an output. `segment` is a line of the study's texts; None for an item beyond them.

    `kind` is target, or why the answer does not count; what shares `screen` was shown together. `twin` counts the
    times that a text beyond the study's stood on the screen before.
    """

    user: str
    screen: str
    segment: int | None
    document: str
    source: str
    system: str
    text: str
    kind: str
    answer: Mapping[str, Any]
    scores: Mapping[str, float]
    started: float | None = None
    ended: float | None = None
    active_ms: int = 0
    twin: int = 0


@dataclass(frozen=True)
class Results:
    """The rows of a file with whose they are, in order, and what they say. `head` is what stands before them."""

    form: str
    rows: Sequence[tuple[str, Any]]
    said: Sequence[Said]
    head: Any = None
    users: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "users", list(dict.fromkeys(user for user, _ in self.rows)))


def take_results(db: sqlite3.Connection, results: Results, people: Mapping[str, int]) -> None:
    """Store rows and answers. Each (user, screen) becomes a finished screen of that user's list."""
    now = time.time()
    for number, (user, row) in enumerate(results.rows, start=1):
        db.execute(
            "INSERT INTO event (annotator, client, at, kind, body) VALUES (?, ?, ?, ?, ?)",
            (people[user], f"import-{number}", now, IMPORTED, as_json(row, f"Row {number:,} of the answers")),
        )
    places = _Places(db)
    screens: dict[tuple[str, str], list[Said]] = {}
    for said in results.said:
        screens.setdefault((said.user, said.screen), []).append(said)
    positions: dict[str, int] = {}
    for (user, _), group in screens.items():
        positions[user] = positions.get(user, 0) + 1
        _store(db, places, people[user], positions[user], group, now)
    # A degraded copy is judged by the answer to what it was made from.
    db.execute(
        "UPDATE screen SET of_screen = (SELECT original.screen FROM answer own JOIN output ON output.id = own.output "
        "JOIN answer original ON original.annotator = own.annotator AND original.output = output.of_output "
        "WHERE own.screen = screen.id AND output.kind = 'degraded' LIMIT 1)"
    )


class _Places:
    """Where answers belong: items and outputs of the study, made where there are none."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.items = {row["segment"]: row["id"] for row in db.execute("SELECT id, segment FROM item")}
        self.systems = {row["name"]: row["id"] for row in db.execute("SELECT id, name FROM system")}
        self.targets = {
            (row["item"], row["system"]): (row["id"], row["text"])
            for row in db.execute("SELECT id, item, system, text FROM output")
        }
        self.beyond: dict[tuple[str, str, bool, int], int] = {}
        self.documents = {row["name"]: row["id"] for row in db.execute("SELECT id, name FROM document")}
        self.made: dict[tuple[object, ...], int] = {}

    def item(self, said: Said) -> int:
        """Return the item of a segment, or of a text that is no part of the study's."""
        if said.segment is not None:
            return int(self.items[said.segment])
        tutorial = said.kind == "tutorial"
        key = (said.document, said.source, tutorial, said.twin)
        if key not in self.beyond:
            kind = "tutorial" if tutorial else "real"
            name = f"{kind}\n{said.document}" if tutorial else said.document
            if name not in self.documents:
                self.documents[name] = _inserted(
                    self.db, "INSERT INTO document (name, kind) VALUES (?, ?)", (said.document, kind)
                )
            segment = 0 if tutorial else 1 + max(self.items, default=0)
            self.beyond[key] = _inserted(
                self.db, "INSERT INTO item (document, segment, source) VALUES (?, ?, ?)",
                (self.documents[name], segment, said.source),
            )  # fmt: skip
            if not tutorial:
                self.items[segment] = self.beyond[key]
        return self.beyond[key]

    def output(self, said: Said, item: int) -> int:
        """Return the output that was judged: the system's own, or what was made from it."""
        if said.kind == "tutorial":
            extra = json.dumps({"system": said.system}, ensure_ascii=False)
            return self._made(item, None, said, None, extra)
        if said.system not in self.systems:
            self.systems[said.system] = _inserted(self.db, "INSERT INTO system (name) VALUES (?)", (said.system,))
        system = self.systems[said.system]
        target = self.targets.get((item, system))
        if said.kind != "target":
            return self._made(item, system, said, target[0] if target else None, None)
        if target is None or target[1] != said.text:
            made = self._made(item, system, said, None, None)
            if target is None:
                self.targets[item, system] = (made, said.text)
            return made
        return int(target[0])

    def _made(self, item: int, system: int | None, said: Said, of: int | None, extra: str | None) -> int:
        key = (item, system, said.text, said.kind, extra)
        if key not in self.made:
            self.made[key] = _inserted(
                self.db,
                "INSERT INTO output (item, system, text, kind, of_output, extra) VALUES (?, ?, ?, ?, ?, ?)",
                (item, system, said.text, said.kind, of, extra),
            )
        return self.made[key]


def _store(
    db: sqlite3.Connection, places: _Places, person: int, position: int, group: Sequence[Said], now: float
) -> None:
    cells: dict[tuple[int, int], Said] = {}
    for said in group:
        item = places.item(said)
        cells[item, places.output(said, item)] = said  # what was said last holds
    task = db.execute("SELECT COALESCE(MAX(task), 0) + 1 FROM screen").fetchone()[0]
    document = db.execute("SELECT document FROM item WHERE id = ?", (next(iter(cells))[0],)).fetchone()[0]
    counts: dict[int, int] = {}
    shown = []
    for item, output in cells:
        shown.append((item, counts.get(item, 0), output))
        counts[item] = counts.get(item, 0) + 1
    kind = "real" if any(said.kind == "target" for said in group) else "imported"
    words = sum(word_count(said.text) for said in cells.values())
    screen = add_screen(db, task, 0, document, kind, None, words, shown)
    ended = max((said.ended for said in group if said.ended is not None), default=now)
    started = min((said.started for said in group if said.started is not None), default=None)
    active = sum(said.active_ms for said in cells.values())
    db.execute(
        "INSERT INTO assignment (annotator, position, screen, opened, done, active_ms) VALUES (?, ?, ?, ?, ?, ?)",
        (person, position, screen, started, ended, active),
    )
    for (_, output), said in cells.items():
        db.execute(
            "INSERT INTO answer VALUES (?, ?, ?, 1, ?, ?, ?)",
            (person, screen, output, json.dumps(said.answer, ensure_ascii=False),
             json.dumps(said.scores, ensure_ascii=False), said.ended or now),
        )  # fmt: skip


def imported_rows(db: sqlite3.Connection, *, names: bool) -> list[tuple[str, Any]]:
    """Return the rows of an imported file as they came, with whom they are to be called."""
    return [
        ((row["name"] or row["code"]) if names else row["code"], json.loads(row["body"]))
        for row in db.execute(
            "SELECT annotator.code, annotator.name, body FROM event JOIN annotator ON annotator.id = event.annotator "
            "WHERE kind = ? ORDER BY event.id",
            (IMPORTED,),
        )
    ]


def _inserted(db: sqlite3.Connection, command: str, values: Sequence[Any]) -> int:
    made = db.execute(command, values).lastrowid
    assert made is not None
    return made

"""What annotators send, taken in: each save once, on the version it was made from, checked, and nothing lost.

All functions run inside the writer's transaction.
"""

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.annotate.protocols import Refused, checked_answer
from tertium.annotate.study.draws import draw_next
from tertium.annotate.study.file import Study, get_meta
from tertium.annotate.study.keys import opaque
from tertium.annotate.study.screens import Screen, Screens
from tertium.annotate.study.timing import checked_trace, ticked

LEASE = 3600.0  # seconds that a screen of the pool is held for somebody
MOST_SAVES = 100  # in one request
_CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True)
class Person:
    """An annotator, as a token says."""

    id: int
    code: str


def save(db: sqlite3.Connection, study: Study, screens: Screens, who: Person, body: Any, now: float) -> list[Any]:
    """Take a batch of saves; return for each what became of it: saved, known, conflict or refused."""
    if not isinstance(body, Mapping) or not isinstance(body.get("saves"), list) or len(body["saves"]) > MOST_SAVES:
        raise Refused(f"saves is a list of at most {MOST_SAVES}")
    closed = _closed(db, who)
    return [_save_one(db, study, screens, who, entry, closed, now) for entry in body["saves"]]


def _closed(db: sqlite3.Connection, who: Person) -> bool:
    own = db.execute("SELECT closed FROM annotator WHERE id = ?", (who.id,)).fetchone()
    return own is None or own["closed"] is not None or get_meta(db, "closed") is not None


def _save_one(
    db: sqlite3.Connection, study: Study, screens: Screens, who: Person, entry: Any, closed: bool, now: float
) -> dict[str, Any]:
    client = entry.get("id") if isinstance(entry, Mapping) else None
    try:
        if not isinstance(client, str) or not _CLIENT_ID.fullmatch(client):
            raise Refused("every save has an id of its own, of 8 to 64 letters, digits, - and _")
        known = db.execute(
            "SELECT kind, output, screen FROM event WHERE annotator = ? AND client = ?", (who.id, client)
        ).fetchone()
        if known is not None:
            return {"id": client, "status": "known", **_current(db, who, known["screen"], known["output"])}
        assignment = _assignment(db, who, entry.get("screen"))
        screen = screens.get(db, assignment["screen"])
        output, cell = _output(study, screen, entry.get("output"))
        if closed:
            raise Refused("the study is closed")
        if assignment["done"] is not None and not study.meta["return"]:
            raise Refused("this screen is finished, and the study does not let anybody go back")
        answer = checked_answer(study.protocol.parts(assignment["phase"]), entry.get("answer"), cell)
    except Refused as refusal:
        return {"id": client, "status": "refused", "why": str(refusal)}
    trace = checked_trace(entry.get("trace"))
    current = db.execute(
        "SELECT version, answer FROM answer WHERE annotator = ? AND screen = ? AND output = ?",
        (who.id, screen.id, output),
    ).fetchone()
    version = current["version"] if current is not None else 0
    conflict = entry.get("base") != version and not (current is not None and json.loads(current["answer"]) == answer)
    note(db, who, client, screen.id, output, now, "conflict" if conflict else "save",
         {"answer": answer, "base": entry.get("base"), "session": entry.get("session"), "trace": trace})  # fmt: skip
    if conflict:  # kept in the log; the page asks which of the two holds
        return {"id": client, "status": "conflict", **_current(db, who, screen.id, output)}
    _store(db, study, screen, who, output, version + 1, answer, now)
    _tick(db, who, assignment, str(entry.get("session"))[:40], trace, now)
    _reopen_if_incomplete(db, study, screen, who, assignment)
    return {"id": client, "status": "saved", "version": version + 1}


def _store(
    db: sqlite3.Connection, study: Study, screen: Screen, who: Person, output: int, version: int, answer: Any,
    now: float,
) -> None:  # fmt: skip
    scores = study.protocol.scores(answer)
    row = next(row for row in screen.rows if any(cell.output == output for cell in row.cells))
    _put(db, who, screen.id, output, version, answer, scores, now)
    if study.protocol.name == "preference" and len(row.cells) == 2:
        # One question for two outputs: what favours the first by so much disfavours the second.
        other = row.cells[1].output
        mirrored = {key: -value if key == "preference" else value for key, value in answer.items() if key != "comment"}
        _put(db, who, screen.id, other, version, mirrored, study.protocol.scores(mirrored), now)


def _put(
    db: sqlite3.Connection, who: Person, screen: int, output: int, version: int, answer: Any, scores: Any, now: float
) -> None:
    db.execute(
        "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (annotator, screen, output) DO UPDATE SET "
        "version = excluded.version, answer = excluded.answer, scores = excluded.scores, updated = excluded.updated",
        (who.id, screen, output, version, dumped(answer), dumped(scores), now),
    )


def dumped(value: Any) -> str:
    """Return compact JSON; everything stays readable in the file."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def note(
    db: sqlite3.Connection, who: Person, client: str, screen: int | None, output: int | None, now: float, kind: str,
    body: Any,
) -> None:  # fmt: skip
    """Append to the log."""
    db.execute(
        "INSERT INTO event (annotator, client, screen, output, at, kind, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (who.id, client, screen, output, now, kind, dumped(body)),
    )


def _current(db: sqlite3.Connection, who: Person, screen: int | None, output: int | None) -> dict[str, Any]:
    row = db.execute(
        "SELECT version, answer FROM answer WHERE annotator = ? AND screen = ? AND output = ?", (who.id, screen, output)
    ).fetchone()
    return {"version": row["version"], "answer": json.loads(row["answer"])} if row else {"version": 0, "answer": {}}


def current_version(
    db: sqlite3.Connection, study: Study, screens: Screens, who: Person, position: Any, name: Any
) -> int:
    """Return the version of an answer that is stored now, 0 if there is none; refuse what is not theirs."""
    screen = screens.get(db, _assignment(db, who, position)["screen"])
    output, _ = _output(study, screen, name)
    return int(_current(db, who, screen.id, output)["version"])


def _assignment(db: sqlite3.Connection, who: Person, position: Any) -> sqlite3.Row:
    if not isinstance(position, int) or isinstance(position, bool) or not 0 < position < 2**31:
        raise Refused("screen is the number of a screen")
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM assignment WHERE annotator = ? AND position = ?", (who.id, position)
    ).fetchone()
    if row is None:
        raise Refused("there is no such screen")
    return row


def _output(study: Study, screen: Screen, name: Any) -> tuple[int, Any]:
    for output, (_, shown) in screen.cells().items():
        if opaque(study.secret, screen.id, output) == name:
            return output, shown
    raise Refused("there is no such output on this screen")


def _tick(
    db: sqlite3.Connection, who: Person, assignment: sqlite3.Row, session: str, trace: list[list[Any]], now: float
) -> None:
    clock = json.loads(assignment["clock"]) if assignment["clock"] else None
    clock, active = ticked(clock, session, trace)
    db.execute(
        "UPDATE assignment SET clock = ?, active_ms = active_ms + ?, "
        "leased_until = CASE WHEN leased_until IS NULL THEN NULL ELSE ? END WHERE annotator = ? AND position = ?",
        (dumped(clock), active, now + LEASE, who.id, assignment["position"]),
    )


def _answers(db: sqlite3.Connection, screen: Screen, who: Person) -> dict[int, Any]:
    rows = db.execute("SELECT output, answer FROM answer WHERE annotator = ? AND screen = ?", (who.id, screen.id))
    return {row["output"]: json.loads(row["answer"]) for row in rows}


def missing(study: Study, screen: Screen, answers: Mapping[int, Any], phase: int) -> list[dict[str, str]]:
    """Return what is still missing on a screen: outputs as the page calls them, and fields."""
    found = []
    for output in screen.cells():
        field = study.protocol.missing(answers.get(output, {}), phase)
        if field is not None:
            found.append({"output": opaque(study.secret, screen.id, output), "field": field})
    return found


def _reopen_if_incomplete(
    db: sqlite3.Connection, study: Study, screen: Screen, who: Person, assignment: sqlite3.Row
) -> None:
    if assignment["done"] is not None and missing(study, screen, _answers(db, screen, who), assignment["phase"]):
        db.execute(
            "UPDATE assignment SET done = NULL WHERE annotator = ? AND position = ?", (who.id, assignment["position"])
        )


def done(db: sqlite3.Connection, study: Study, screens: Screens, who: Person, body: Any, now: float) -> dict[str, Any]:
    """Finish a screen, or the phase it is in; say what is missing, or which screen comes next."""
    if not isinstance(body, Mapping):
        raise Refused("the body is an object")
    client = body.get("id")
    if not isinstance(client, str) or not _CLIENT_ID.fullmatch(client):
        raise Refused("every request has an id of its own, of 8 to 64 letters, digits, - and _")
    assignment = _assignment(db, who, body.get("screen"))
    screen = screens.get(db, assignment["screen"])
    known = db.execute("SELECT body FROM event WHERE annotator = ? AND client = ?", (who.id, client)).fetchone()
    if known is not None:
        return {"status": "known", "next": next_position(db, who)}
    if _closed(db, who):
        raise Refused("the study is closed")
    answers = _answers(db, screen, who)
    lacking = missing(study, screen, answers, assignment["phase"])
    if lacking:
        return {"status": "incomplete", "missing": lacking}
    note(db, who, client, screen.id, None, now, "done", {"phase": assignment["phase"]})
    _tick(db, who, assignment, str(body.get("session"))[:40], checked_trace(body.get("trace")), now)
    if assignment["phase"] + 1 < len(study.protocol.phases):
        db.execute(
            "UPDATE assignment SET phase = phase + 1 WHERE annotator = ? AND position = ?",
            (who.id, assignment["position"]),
        )
        return {"status": "phase", "next": assignment["position"]}
    db.execute(
        "UPDATE assignment SET done = ?, leased_until = NULL WHERE annotator = ? AND position = ?",
        (now, who.id, assignment["position"]),
    )
    following = next_position(db, who)
    if following is None:
        following = draw_next(db, study, who.id, now)
    if following is None:
        db.execute("UPDATE annotator SET finished = ? WHERE id = ? AND finished IS NULL", (now, who.id))
    return {"status": "done", "next": following, "feedback": _feedback(study, screen, answers)}


def next_position(db: sqlite3.Connection, who: Person) -> int | None:
    """Return the first screen that is not finished."""
    row = db.execute("SELECT MIN(position) FROM assignment WHERE annotator = ? AND done IS NULL", (who.id,)).fetchone()
    return None if row[0] is None else int(row[0])


def open_screen(db: sqlite3.Connection, study: Study, who: Person, position: int | None, now: float) -> int | None:
    """Return the position to show, drawing a screen if nothing is open; None when there is nothing left to do."""
    if position is None:
        position = next_position(db, who)
        if position is None and not _closed(db, who):
            position = draw_next(db, study, who.id, now)
    if position is not None:
        db.execute(
            "UPDATE assignment SET opened = ? WHERE annotator = ? AND position = ? AND opened IS NULL",
            (now, who.id, position),
        )
    return position


def _feedback(study: Study, screen: Screen, answers: Mapping[int, Any]) -> list[dict[str, Any]] | None:
    """Return what a tutorial screen expected, output by output, and whether it was met."""
    if screen.kind != "tutorial" or screen.expected is None:
        return None
    from tertium.annotate.tutorial import met

    found = []
    for (output, _), rule in zip(screen.cells().items(), screen.expected, strict=True):
        met_it = met(rule, answers.get(output, {}))
        found.append({"output": opaque(study.secret, screen.id, output), "met": met_it, "words": rule["words"]})
    return found

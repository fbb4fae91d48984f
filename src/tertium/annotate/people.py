"""People who join later, and people who leave and want to be forgotten."""

import os
import random
import sqlite3

from tertium.annotate.exchange.pearmut import called_otherwise
from tertium.annotate.study import keys
from tertium.annotate.study.building import Design, add_annotator, give_list
from tertium.annotate.study.draws import assigned
from tertium.annotate.study.file import Study, get_meta, set_meta, transaction
from tertium.errors import InputError, UnknownNameError


def add_person(study: Study, name: str | None) -> tuple[str, str]:
    """Add an annotator; return the code and the path of the link."""
    if name and not name.isprintable():
        raise InputError(f"A name is one line of visible characters, not {name!r}.")
    key = keys.read_key(study.path)
    db = study.writer()
    try:
        with transaction(db):
            if name and db.execute("SELECT 1 FROM annotator WHERE ? IN (name, code)", (name,)).fetchone():
                raise InputError(f"There is an annotator called '{name}' already.")
            person = add_annotator(db, key, name or None)
            tutorial = [row[0] for row in db.execute("SELECT id FROM screen WHERE kind = 'tutorial' ORDER BY id")]
            if tutorial:
                assigned(db, person, tutorial)
            if study.meta["assignment"] == "lists":
                rng = random.Random(os.urandom(8))
                design = Design(
                    study.protocol, [""],
                    control=study.meta["control"] if "degraded" in study.meta["check_kinds"] else 0.0,
                )  # fmt: skip
                give_list(db, person, _rarest_tasks(db, rng), design, rng)
        code = db.execute("SELECT code FROM annotator WHERE id = ?", (person,)).fetchone()[0]
    finally:
        db.close()
    return code, f"/a/{keys.annotator_token(key, person, 0)}"


def _rarest_tasks(db: sqlite3.Connection, rng: random.Random) -> list[int]:
    """Return as many tasks as others have, those with the fewest judges, each document once."""
    people = db.execute("SELECT COUNT(*) FROM annotator").fetchone()[0] - 1
    given = db.execute(
        "SELECT COUNT(*) FROM assignment JOIN screen ON screen.id = screen WHERE kind = 'real' AND part = 0"
    ).fetchone()[0]
    wanted = max(1, round(given / max(people, 1)))
    rows = db.execute(
        "SELECT task, document, (SELECT COUNT(*) FROM assignment WHERE assignment.screen = screen.id) AS judges "
        "FROM screen WHERE kind = 'real' AND part = 0"
    ).fetchall()
    rng.shuffle(rows)
    rows.sort(key=lambda row: row["judges"])
    seen: set[int] = set()
    chosen: list[int] = []
    for row in rows:
        if row["document"] not in seen and len(chosen) < wanted:
            seen.add(row["document"])
            chosen.append(row["task"])
    rng.shuffle(chosen)
    return chosen


def found_person(db: sqlite3.Connection, annotator: str) -> sqlite3.Row:
    """Return id, code and name of somebody, named by either."""
    rows = db.execute(
        "SELECT id, code, name FROM annotator WHERE code = ? OR name = ?", (annotator, annotator)
    ).fetchall()
    if len(rows) > 1:
        others = [row["name"] if row["code"] == annotator else row["code"] for row in rows]
        raise InputError(
            f"'{annotator}' is the code of one annotator and the name of another; nothing was done. "
            f"Say which: {' or '.join(str(other) for other in others)}."
        )
    if not rows:
        known = [one[0] for one in db.execute("SELECT code FROM annotator ORDER BY id")]
        raise UnknownNameError.of("annotator", annotator, known)
    found: sqlite3.Row = rows[0]
    return found


def forget_person(study: Study, annotator: str) -> int:
    """Erase somebody, named by code or name; return how many answers went with them."""
    db = study.writer()
    try:
        db.execute("PRAGMA secure_delete = ON")
        with transaction(db):
            person, code, name = found_person(db, annotator)
            extra = get_meta(db, "extra")
            if name and "pearmut" in extra:
                extra["pearmut"] = called_otherwise(extra["pearmut"], {name: code})
                set_meta(db, "extra", extra)
            count = db.execute("SELECT COUNT(*) FROM answer WHERE annotator = ?", (person,)).fetchone()[0]
            for name in ("answer", "event", "draw", "assignment"):
                db.execute(f"DELETE FROM {name} WHERE annotator = ?", (person,))
            # The empty row keeps the code from being given to somebody else.
            db.execute(
                "UPDATE annotator SET name = NULL, token = NULL, platform = '{}', closed = COALESCE(closed, created), "
                "finished = NULL WHERE id = ?",
                (person,),
            )
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        raise InputError(f"{study.path} could not be cleaned: {error}. Stop the server and say it again.") from None
    finally:
        db.close()
    return int(count)

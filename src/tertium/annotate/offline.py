"""A page without a server: one HTML file that holds somebody's task, and result files taken in again."""

import base64
import hashlib
import json
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from importlib.resources import files
from typing import Any

from tertium.annotate.people import found_person
from tertium.annotate.protocols import Refused
from tertium.annotate.study import keys, saving
from tertium.annotate.study.file import Study, transaction
from tertium.annotate.study.saving import Person
from tertium.annotate.study.screens import Screens
from tertium.annotate.words import words_of
from tertium.errors import InputError
from tertium.files.reading import whole_text

FORMAT = "tertium-result 1"
_SCRIPTS = ("text.js", "spans.js", "controls.js", "edit.js", "queue.js", "offline.js", "annotate.js")


def _asset(name: str) -> str:
    return (files("tertium.annotate.page") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def study_id(study: Study) -> str:
    """Return what ties a result to its study, without giving its secret away."""
    return hashlib.sha256(study.secret + b"study").hexdigest()[:24]


def page_of(study: Study, annotator: str) -> str:
    """Return the page with one annotator's whole list; its one script is allowed by its hash, and no address at all."""
    if study.meta["assignment"] != "lists":
        raise InputError("Only fixed lists fit into a file: screens of this study are drawn by the server.")
    with closing(study.reader()) as db:
        row = found_person(db, annotator)
        who = Person(row["id"], row["code"])
        rows = db.execute("SELECT screen FROM assignment WHERE annotator = ? ORDER BY position", (who.id,)).fetchall()
        known = Screens()
        screens = [_screen(study, known, db, row["screen"]) for row in rows]
    phases = [
        {"parts": [part.described() for part in phase.parts], "source": phase.source, "reference": phase.reference}
        for phase in study.protocol.phases
    ]
    meta = study.meta
    about = {
        "title": meta["title"], "protocol": meta["protocol"]["name"], "language": meta["language"],
        "words": words_of(meta["language"]), "instructions": meta["instructions"],
        "source_language": meta["source_language"], "target_language": meta["target_language"], "person": who.code,
        "return": True,
    }  # fmt: skip
    task = {"study": study_id(study), "person": who.code, "about": about, "phases": phases, "screens": screens}
    style, script = _asset("annotate.css"), "\n".join(_asset(name) for name in _SCRIPTS)
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; base-uri 'none'"
    data = json.dumps(task, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return (
        f'<!doctype html>\n<html lang="{meta["language"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>tertium</title>\n'
        f'<style>{style}</style>\n</head>\n<body>\n<div id="app"></div>\n'
        f'<script type="application/json" id="task">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def _screen(study: Study, known: Screens, db: sqlite3.Connection, number: int) -> dict[str, Any]:
    screen = known.get(db, number)
    rows = [
        {
            "source": row.source, "reference": row.reference, "instructions": row.instructions,
            "outputs": [
                {"id": keys.opaque(study.secret, screen.id, cell.output), "text": cell.text,
                 "answer": {"spans": list(cell.spans)} if cell.spans else {}}
                for cell in row.cells
            ],
        }
        for row in screen.rows
    ]  # fmt: skip
    before = [{"source": source, "outputs": outputs} for source, outputs in screen.before]
    return {"rows": rows, "before": before, "part": screen.part + 1, "of_parts": screen.parts}


def collect(study: Study, path: str) -> tuple[str, int, int]:
    """Take a result file in; return whose it is, how many answers were new, and how many screens are finished.

    Taking a file in twice changes nothing. Checks are judged from what is stored, as always.
    """
    result = _read(study, path)
    db = study.writer()
    try:
        row = db.execute("SELECT id, code FROM annotator WHERE code = ?", (str(result.get("person")),)).fetchone()
        if row is None:
            raise InputError(f"{path} is of {result.get('person')!r:.40}, but no annotator has this code.")
        who = Person(row["id"], row["code"])
        with transaction(db):
            new = _take(db, study, who, result, path)
            done = db.execute(
                "SELECT COUNT(*) FROM assignment WHERE annotator = ? AND done IS NOT NULL", (who.id,)
            ).fetchone()[0]
    finally:
        db.close()
    return who.code, new, done


def _read(study: Study, path: str) -> Mapping[str, Any]:
    text = whole_text(path)
    try:
        result = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no result of a page: it is no JSON ({error}).") from None
    if not isinstance(result, dict) or result.get("format") != FORMAT:
        raise InputError(f"{path} is no result of a page: it does not say {FORMAT}.")
    if result.get("study") != study_id(study):
        raise InputError(f"{path} belongs to another study.")
    if not isinstance(result.get("answers"), list) or not isinstance(result.get("done"), list):
        raise InputError(f"{path} is damaged: it has no lists of answers and finished screens.")
    return result


def _take(db: sqlite3.Connection, study: Study, who: Person, result: Mapping[str, Any], path: str) -> int:
    screens, now, new = Screens(), time.time(), 0
    answers: dict[Any, list[Any]] = {}
    for entry in result["answers"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("answer"), dict):
            raise InputError(f"{path} is damaged: an answer is no object.")
        answers.setdefault(entry.get("screen"), []).append(entry)
    for position, entries in answers.items():
        finished = position in result["done"]
        for phase in range(len(study.protocol.phases)):
            asked = {name for part in study.protocol.parts(phase) for name in part.fields} | {"comment"}
            for entry in entries:
                answer = {name: value for name, value in entry["answer"].items() if name in asked}
                unknown = set(entry["answer"]) - {f for p in study.protocol.phases for q in p.parts for f in q.fields}
                if unknown - {"comment"}:
                    raise InputError(f"{path}: nothing asked for {sorted(unknown)[0]!r}.")
                new += _take_one(db, study, screens, who, entry | {"answer": answer}, phase, now, path)
            if not finished:
                break
            row = db.execute(
                "SELECT phase, done FROM assignment WHERE annotator = ? AND position = ?", (who.id, position)
            ).fetchone()
            if row is not None and row["done"] is None and row["phase"] == phase:
                name = f"collect-{result['person']}-{position}-{phase}-{int(now)}"
                try:
                    said = saving.done(db, study, screens, who, {"id": name, "screen": position}, now)
                except Refused as refusal:
                    raise InputError(f"{path}, screen {position}: {refusal}.") from None
                if said["status"] == "incomplete":
                    raise InputError(f"{path} says that screen {position} is finished, but answers are missing.")
    return new


def _take_one(
    db: sqlite3.Connection, study: Study, screens: Screens, who: Person, entry: Mapping[str, Any], phase: int,
    now: float, path: str,
) -> int:  # fmt: skip
    # What was handed in takes the place of what was there before; the log keeps both.
    try:
        base = saving.current_version(db, study, screens, who, entry.get("screen"), entry.get("output"))
    except Refused as refusal:
        raise InputError(f"{path}, screen {entry.get('screen')}: {refusal}.") from None
    save = {**entry, "id": f"{entry.get('id')}-{phase}", "base": base}
    (said,) = saving.save(db, study, screens, who, {"saves": [save]}, now)
    if said["status"] == "refused":
        raise InputError(f"{path}, screen {entry.get('screen')}: {said['why']}.")
    return int(said["status"] == "saved")

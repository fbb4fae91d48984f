"""A study of `tertium annotate`: an SQLite file whose tables say who judged which output how.

The file is the whole contract. What counts are answers of finished screens about outputs of systems; checks
are marked and kept apart, tutorials left out.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.judgments.details import UNKNOWN, Details
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.preferences import Preferences
from tertium.judgments.spans import Span
from tertium.judgments.table import Judgments

FORMAT = "tertium-study 1"
_HEAD, _APPLICATION = b"SQLite format 3\x00", b"TERT"

_ANSWERS = """
SELECT answer.annotator, answer.screen, answer.scores, answer.answer, answer.updated, annotator.code AS rater,
       system.name AS system, item.id AS item, item.segment, item.source, document.name AS document,
       output.text AS output, output.kind AS kind, assignment.active_ms,
       assignment.opened, assignment.done, draw.probability,
       (SELECT COUNT(*) FROM cell WHERE cell.screen = answer.screen) AS outputs
FROM answer
JOIN assignment ON assignment.annotator = answer.annotator AND assignment.screen = answer.screen
JOIN annotator ON annotator.id = answer.annotator
JOIN output ON output.id = answer.output
JOIN item ON item.id = output.item
JOIN document ON document.id = item.document
LEFT JOIN system ON system.id = output.system
LEFT JOIN draw ON draw.annotator = answer.annotator AND draw.screen = answer.screen AND draw.system = output.system
WHERE assignment.done IS NOT NULL
ORDER BY item.segment, system.id, answer.annotator, answer.screen
"""


class Study(Form):
    """Judgments straight from a study's file, also while it is being served."""

    name = "study"
    holds = "a study of tertium annotate"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the first bytes are those of a study."""
        with open(file.path, "rb") as opened:
            head = opened.read(72)
        return head.startswith(_HEAD) and head[68:] == _APPLICATION

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read what counts; checks are marked and kept apart."""
        meta, rows, unfinished = _read(path)
        if unfinished:
            reading.warn(
                f"{path}: {unfinished:,} answers are on screens that nobody has finished yet; they were left out."
            )
        # What somebody judged again counts as a second judgment of theirs; pairs count once.
        kinds = ("target",) if meta["pairwise"] else ("target", "repeat")
        counted = [row for row in rows if row["kind"] in kinds and row["system"] is not None]
        if not counted:
            raise InputError(f"{path} holds no finished judgment yet.")
        if meta["assignment"] == "adaptive":
            reading.warn(
                f"{path}: better systems were shown more often. "
                + (
                    "Preferences are counted as they are."
                    if meta["pairwise"]
                    else "Means weight each judgment by the inverse of the probability with which it was drawn."
                )
            )
        found = _judgments(meta, counted)
        # Our own tutorials have no system; other programs' come with marks of their own.
        marks = dict.fromkeys(row["kind"] for row in rows if row["kind"] not in ("target", "repeat", "tutorial"))
        for kind in sorted(marks):
            others = [row for row in rows if row["kind"] == kind]
            if others and not meta["pairwise"]:
                found = found.with_marked(_judgments(meta, others), kind)
        return found


def _judgments(meta: dict[str, Any], rows: Sequence[sqlite3.Row]) -> Judgments:
    if meta["pairwise"]:
        return replace(Judgments.of(system=[], score=[]), preferences=_pairs(meta, rows))
    if meta["protocol"]["name"] == "post-edit":
        return _post_edits(meta, rows)
    flat = [(row, kind, score) for row in rows for kind, score in json.loads(row["scores"]).items()]
    return _table(meta, [row for row, _, _ in flat], [kind for _, kind, _ in flat], [score for _, _, score in flat])


def _read(path: str) -> tuple[dict[str, Any], list[sqlite3.Row], int]:
    try:
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as db:
            db.row_factory = sqlite3.Row
            _check(db)
            meta = {row["key"]: json.loads(row["value"]) for row in db.execute("SELECT key, value FROM meta")}
            if meta.get("format") != FORMAT:
                raise InputError(f"{path} is a study of another version of tertium: {meta.get('format')}.")
            rows = db.execute(_ANSWERS).fetchall()
            unfinished = db.execute(
                "SELECT COUNT(*) FROM answer JOIN assignment USING (annotator, screen) WHERE done IS NULL"
            ).fetchone()[0]
    except sqlite3.Error as error:
        raise InputError(f"{path} cannot be read as a study: {error}. Is it damaged? Restore a backup.") from None
    return meta, rows, unfinished


def _check(db: sqlite3.Connection) -> None:
    """Refuse a damaged file: pages that do not fit together, and texts that are no JSON."""
    (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise sqlite3.DatabaseError(said)
    for table, valid in (("meta", "json_valid(value)"), ("answer", "json_valid(scores) AND json_valid(answer)")):
        if db.execute(f"SELECT 1 FROM {table} WHERE NOT ({valid})").fetchone():
            raise sqlite3.DatabaseError(f"a text of {table} is no JSON")


def _table(meta: dict[str, Any], rows: Sequence[sqlite3.Row], kind: Any, score: Sequence[float]) -> Judgments:
    return Judgments.of(
        system=[row["system"] or "reference" for row in rows],
        score=score,
        segment=[row["segment"] for row in rows],
        document=[row["document"] for row in rows] if meta["documents"] else None,
        rater=[row["rater"] for row in rows],
        kind=kind,
        lower_is_better=meta["lower_is_better"] if rows else (),
        weight=[1 / (row["probability"] or 1) for row in rows] if meta["assignment"] == "adaptive" else None,
        details=Details.of(
            len(rows),
            started=[row["opened"] if row["opened"] is not None else UNKNOWN for row in rows],
            ended=[row["done"] for row in rows],
            # Time is measured for a screen; its outputs share it evenly.
            seconds=[row["active_ms"] / 1000 / max(row["outputs"], 1) for row in rows],
            length=[len(row["output"]) for row in rows],
            spans=[[_span(span) for span in json.loads(row["answer"]).get("spans") or []] for row in rows],
        ),
    )


def _span(span: dict[str, Any]) -> Span:
    fields = {name: span[name] for name in ("side", "severity", "category")}
    if span["side"] == "missing":
        return Span(**fields)
    return Span(span["start"], span["end"], text=span["text"], **fields)


def _pairs(meta: dict[str, Any], rows: Sequence[sqlite3.Row]) -> Preferences:
    """Return each two outputs that stood beside each other, as far as both were judged."""
    sign = -1 if meta["lower_is_better"] else 1
    beside: dict[tuple[int, int, int], list[sqlite3.Row]] = {}
    for row in rows:
        beside.setdefault((row["annotator"], row["screen"], row["item"]), []).append(row)
    found: list[tuple[str, str, int, int, str, str]] = []
    for group in beside.values():
        for one, two in combinations(group, 2):
            scores = [json.loads(row["scores"]).get(meta["kinds"][0]) for row in (one, two)]
            if None not in scores:
                gain = sign * (scores[0] - scores[1])
                outcome = (gain > 0) - (gain < 0)
                found.append((one["system"], two["system"], one["segment"], outcome, one["rater"], one["document"]))
    first, second, segment, outcome, rater, document = zip(*found, strict=True) if found else ([],) * 6
    return Preferences.of(
        first, second, list(segment), list(outcome), rater=rater, document=document if meta["documents"] else None
    )


def _post_edits(meta: dict[str, Any], rows: Sequence[sqlite3.Row]) -> Judgments:
    """Return HTER: TER of each output against its own post-edit. What was beyond repair counts as all wrong."""
    from tertium.metrics import TER

    metric = TER()
    edited = []
    for row in rows:
        answer = json.loads(row["answer"])
        if answer.get("flag") != "discarded":
            edited.append((row, answer.get("text") or row["output"]))
    thrown = [row for row in rows if json.loads(row["answer"]).get("flag") == "discarded"]
    scores = metric.score(metric.statistics([row["output"] for row, _ in edited], [[text] for _, text in edited]))
    values = [*scores.tolist(), *[100.0] * len(thrown)]
    return _table(meta, [*(row for row, _ in edited), *thrown], "hter", values)

"""Attention checks: degraded copies, repeats and references, made on the server and judged there.

A degraded copy has, in each sentence, a phrase replaced by one of equal length from another segment (the rule of
WMT's control items: longer segments lose more words). What an annotator receives never tells a check from the rest.
"""

import json
import random
import re
import sqlite3

from tertium.annotate.study.tasks import add_screen
from tertium.text.tokenizers import mostly_unspaced

KINDS = ("degraded", "repeat", "reference")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")


def phrase_length(words: int) -> int:
    """Return how many words are replaced in a sentence of this many."""
    for longest, length in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if words <= longest:
            return length
    return 6


def degraded(text: str, others: list[str], rng: random.Random) -> str:
    """Return a text with a phrase of every sentence replaced by words of other texts; never the same text."""
    parts = _SENTENCE.split(text)
    joiner = "" if mostly_unspaced(text) else " "
    worse = joiner.join(_degraded_sentence(part, others, rng) for part in parts if part)
    if worse == text or not worse:
        units = list(text) if mostly_unspaced(text) else text.split()
        worse = joiner.join(reversed(units)) if len(set(units)) > 1 else text + joiner + text
    return worse or "…"


def _degraded_sentence(sentence: str, others: list[str], rng: random.Random) -> str:
    unspaced = mostly_unspaced(sentence)
    units = list(sentence) if unspaced else sentence.split()
    joiner = "" if unspaced else " "
    length = phrase_length(len(units)) * (2 if unspaced else 1)
    length = min(length, len(units))
    donors = [words for other in others if len(words := (list(other) if unspaced else other.split())) >= length]
    if not donors or not units:
        return sentence
    start = rng.randint(1, len(units) - length - 1) if len(units) >= length + 2 else 0
    for _ in range(10):
        donor = rng.choice(donors)
        begin = rng.randint(0, len(donor) - length)
        phrase = donor[begin : begin + length]
        if phrase != units[start : start + length]:
            return joiner.join([*units[:start], *phrase, *units[start + length :]])
    return sentence


def make_check(db: sqlite3.Connection, task: int, kind: str, rng: random.Random) -> list[int]:
    """Make the screens of a check from those of a task: the same document, with one column made worse, or better, or
    nothing changed at all."""
    screens = db.execute("SELECT * FROM screen WHERE task = ? ORDER BY part", (task,)).fetchall()
    number = db.execute("SELECT MAX(task) + 1 FROM screen").fetchone()[0]
    places = db.execute("SELECT MAX(place) + 1 FROM cell WHERE screen = ?", (screens[0]["id"],)).fetchone()[0]
    changed = rng.randrange(places)
    order = list(range(places))
    rng.shuffle(order)
    others = [row[0] for row in db.execute(
        "SELECT text FROM output JOIN item ON item.id = output.item WHERE output.kind = 'target' "
        "AND item.document != ? ORDER BY RANDOM() LIMIT 200", (screens[0]["document"],))]  # fmt: skip
    made = []
    for screen in screens:
        cells = []
        for row in db.execute(
            "SELECT cell.item, place, output.*, item.reference FROM cell JOIN output ON output.id = cell.output "
            "JOIN item ON item.id = cell.item WHERE screen = ?", (screen["id"],)
        ).fetchall():  # fmt: skip
            own, text, system, spans = "repeat", row["text"], row["system"], row["spans"]
            if row["place"] == changed and kind == "degraded":
                own, text, spans = kind, degraded(text, others, rng), None
            elif row["place"] == changed and kind == "reference" and row["reference"] is not None:
                own, text, system, spans = kind, row["reference"], None, None
            copy = db.execute(
                "INSERT INTO output (item, system, text, kind, of_output, spans) VALUES (?, ?, ?, ?, ?, ?)",
                (row["item"], system, text, own, row["id"], spans),
            ).lastrowid
            assert copy is not None
            cells.append((row["item"], order[row["place"]], copy))
        made.append(
            add_screen(db, number, screen["part"], screen["document"], kind, screen["id"], screen["words"], cells)
        )
    return made


def judged(db: sqlite3.Connection, annotator: int, lower_is_better: tuple[str, ...]) -> dict[str, list[bool]]:
    """Return for each kind of check which ones an annotator passed, in order.

    A degraded copy passes if it got a lower score than the output it was made from, a reference if it got no lower
    one, a repeat if the two scores lie within 15 % of the scale that this annotator uses.
    """
    rows = db.execute(
        "SELECT output.kind, answer.scores AS scores, original.scores AS original FROM answer "
        "JOIN output ON output.id = answer.output JOIN screen ON screen.id = answer.screen "
        "JOIN assignment ON assignment.annotator = answer.annotator AND assignment.screen = answer.screen "
        "JOIN answer original ON original.annotator = answer.annotator AND original.output = output.of_output "
        "AND original.screen = screen.of_screen "
        "WHERE answer.annotator = ? AND screen.of_screen IS NOT NULL AND assignment.done IS NOT NULL "
        "ORDER BY assignment.position, answer.output",
        (annotator,),
    ).fetchall()
    used = [
        value
        for (text,) in db.execute("SELECT scores FROM answer WHERE annotator = ?", (annotator,))
        for value in json.loads(text).values()
    ]
    near = 0.15 * (max(used) - min(used)) if used else 0.0
    passed: dict[str, list[bool]] = {}
    for row in rows:
        now, then = json.loads(row["scores"]), json.loads(row["original"])
        for kind in now.keys() & then.keys():
            gain = (now[kind] - then[kind]) * (-1 if kind in lower_is_better else 1)
            if row["kind"] == "degraded":
                passed.setdefault("degraded", []).append(gain < 0)
            elif row["kind"] == "reference":
                passed.setdefault("reference", []).append(gain >= 0)
            else:
                passed.setdefault("repeat", []).append(abs(gain) <= near)
    return passed


def passes(checks: dict[str, list[bool]], *, share: float = 0.5) -> bool:
    """Whether an annotator passes: more than half of the degraded copies were noticed; without any, everybody does."""
    found = checks.get("degraded", [])
    return not found or sum(found) / len(found) > share

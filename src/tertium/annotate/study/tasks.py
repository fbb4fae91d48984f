"""Tasks: the screens that show a document with one or several systems' outputs, one screen after the other."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from tertium.text.tokenizers import mostly_unspaced


def make_task(db: sqlite3.Connection, document: int, systems: Sequence[int], per_screen: int) -> list[int]:
    """Make the screens that show these systems' outputs of a document, side by side in this order."""
    items = [row[0] for row in db.execute("SELECT id FROM item WHERE document = ? ORDER BY id", (document,))]
    task = db.execute("SELECT COALESCE(MAX(task), 0) + 1 FROM screen").fetchone()[0]
    screens = []
    for part, start in enumerate(range(0, len(items), per_screen)):
        cells: list[tuple[int, int, int]] = []
        words = 0
        for item in items[start : start + per_screen]:
            for place, system in enumerate(systems):
                output = db.execute(
                    "SELECT id, text FROM output WHERE item = ? AND system = ? AND kind = 'target'", (item, system)
                ).fetchone()
                cells.append((item, place, output["id"]))
                words += word_count(output["text"])
        screens.append(add_screen(db, task, part, document, "real", None, words, cells))
    return screens


def add_screen(
    db: sqlite3.Connection, task: int, part: int, document: int, kind: str, of_screen: int | None, words: int,
    cells: Sequence[tuple[int, int, int]], expected: Any = None,
) -> int:  # fmt: skip
    """Make one screen; cells are item, place, output."""
    made = db.execute(
        "INSERT INTO screen (task, part, document, kind, of_screen, words, expected) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (task, part, document, kind, of_screen, words, expected),
    )
    screen = made.lastrowid
    assert screen is not None
    db.executemany("INSERT INTO cell VALUES (?, ?, ?, ?)", [(screen, *cell) for cell in cells])
    return screen


def word_count(text: str) -> int:
    """Return how long a text is in words; two characters of an unspaced script are one."""
    return max(1, len(text) // 2 if mostly_unspaced(text) else len(text.split()))

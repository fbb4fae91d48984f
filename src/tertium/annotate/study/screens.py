"""A screen as it is shown: the segments of a document, and the outputs side by side."""

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from tertium.annotate.protocols import Shown


@dataclass(frozen=True)
class Cell:
    """One output at its place; `spans` are those filled in beforehand."""

    output: int
    text: str
    spans: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Row:
    """A segment with its outputs."""

    item: int
    source: str
    reference: str | None
    instructions: str | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Screen:
    """What one screen holds; it never changes once it is made."""

    id: int
    task: int
    part: int
    parts: int
    kind: str
    before: tuple[tuple[str, tuple[str, ...]], ...]  # the segments of earlier parts: source, outputs by place
    rows: tuple[Row, ...]
    expected: Any

    def cells(self) -> dict[int, tuple[Cell, Shown]]:
        """Return each output with what an answer about it is checked against."""
        return {
            cell.output: (cell, Shown(cell.text, row.source, len(row.cells))) for row in self.rows for cell in row.cells
        }


def read_screen(db: sqlite3.Connection, screen: int) -> Screen:
    """Read one screen."""
    own = db.execute("SELECT * FROM screen WHERE id = ?", (screen,)).fetchone()
    earlier = db.execute(
        "SELECT id FROM screen WHERE task = ? AND part < ? ORDER BY part", (own["task"], own["part"])
    ).fetchall()
    parts = db.execute("SELECT COUNT(*) FROM screen WHERE task = ?", (own["task"],)).fetchone()[0]
    before = tuple((row.source, tuple(cell.text for cell in row.cells)) for (one,) in earlier for row in _rows(db, one))
    expected = None if own["expected"] is None else json.loads(own["expected"])
    return Screen(screen, own["task"], own["part"], parts, own["kind"], before, _rows(db, screen), expected)


def _rows(db: sqlite3.Connection, screen: int) -> tuple[Row, ...]:
    found: dict[int, tuple[sqlite3.Row, list[Cell]]] = {}
    for row in db.execute(
        "SELECT item.id AS item, source, reference, item.extra, output.id AS output, output.text, output.spans "
        "FROM cell JOIN item ON item.id = cell.item JOIN output ON output.id = cell.output "
        "WHERE cell.screen = ? ORDER BY item.id, place",
        (screen,),
    ):
        spans = tuple(json.loads(row["spans"])) if row["spans"] else ()
        found.setdefault(row["item"], (row, []))[1].append(Cell(row["output"], row["text"], spans))
    return tuple(
        Row(item, row["source"], row["reference"], json.loads(row["extra"] or "{}").get("instructions"), tuple(cells))
        for item, (row, cells) in found.items()
    )


class Screens:
    """Screens that were read once; they never change, so they are kept."""

    MOST = 20_000

    def __init__(self) -> None:
        self._known: dict[int, Screen] = {}

    def get(self, db: sqlite3.Connection, screen: int) -> Screen:
        """Return a screen."""
        found = self._known.get(screen)
        if found is None:
            found = read_screen(db, screen)
            if len(self._known) >= self.MOST:
                self._known.clear()
            self._known[screen] = found
        return found

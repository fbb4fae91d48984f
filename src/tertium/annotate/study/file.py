"""Opening a study file: for readers, for one writer, and the settings in it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tertium.annotate.protocols import Protocol, parse_protocol
from tertium.annotate.study.schema import APPLICATION_ID, FORMAT, JSON_TEXTS
from tertium.errors import InputError

_MAGIC = b"SQLite format 3\x00"


def is_study(path: str) -> bool:
    """Tell a study from any other file by its first bytes."""
    try:
        with open(path, "rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(_MAGIC) and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


def connected(path: str | Path, *, write: bool = False) -> sqlite3.Connection:
    """Return a connection. Readers never block the writer, nor it them; a commit is on the disk when it returns."""
    name = Path(path)
    if name.is_dir():
        raise InputError(f"{path} is a directory, but a study was expected.")
    if not name.is_file():
        raise InputError(f"{path} does not exist. Make a study first: tertium annotate new {path} …")
    if not is_study(str(path)):
        raise InputError(f"{path} is not a study. `tertium annotate new STUDY.db …` makes one.")
    db = sqlite3.connect(name, timeout=5, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    try:
        db.execute("PRAGMA busy_timeout = 5000")
        if write:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        else:
            db.execute("PRAGMA query_only = ON")
        found = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    except sqlite3.DatabaseError as error:
        db.close()
        raise damaged(path, error) from None
    if found is None or json.loads(found[0]) != FORMAT:
        db.close()
        raise InputError(f"{path} is a study of another version of tertium ({found and found[0]}), not {FORMAT}.")
    return db


def damaged(path: str | Path, error: sqlite3.DatabaseError) -> InputError:
    """Return the error for a file that SQLite will not read."""
    return InputError(f"{path} cannot be read as a study: {error}. Is it damaged? Restore a backup.")


def _check(db: sqlite3.Connection) -> None:
    """Refuse a damaged file: pages that do not fit together, rows that point nowhere, and texts that are no JSON."""
    (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise sqlite3.DatabaseError(said)
    if nowhere := db.execute("PRAGMA foreign_key_check").fetchone():
        raise sqlite3.DatabaseError(f"a row of {nowhere[0]} belongs to none of {nowhere[2]}")
    for table, column in JSON_TEXTS:
        if db.execute(f"SELECT 1 FROM {table} WHERE {column} <> '' AND NOT json_valid({column})").fetchone():
            raise sqlite3.DatabaseError(f"{column} of {table} is no JSON")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Do all of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@dataclass(frozen=True)
class Study:
    """What is settled for a whole study. Everything that changes is asked of the file."""

    path: Path
    meta: dict[str, Any]

    @classmethod
    def opened(cls, path: str | Path) -> "Study":
        """Read the settings of a study."""
        db = connected(path)
        try:
            _check(db)
            return cls(Path(path), {row["key"]: json.loads(row["value"]) for row in db.execute("SELECT * FROM meta")})
        except sqlite3.DatabaseError as error:
            raise damaged(path, error) from None
        finally:
            db.close()

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol, with its settings."""
        name, settings = self.meta["protocol"]["name"], self.meta["protocol"]["settings"]
        return type(parse_protocol(name))(**settings)

    @cached_property
    def secret(self) -> bytes:
        """What opaque ids are made with; it never leaves the server."""
        return bytes.fromhex(self.meta["secret"])

    def has_finished(self) -> bool:
        """Whether anybody has finished a screen that counts."""
        with closing(self.reader()) as db:
            return bool(
                db.execute(
                    "SELECT EXISTS (SELECT 1 FROM assignment JOIN screen ON screen.id = screen "
                    "WHERE done IS NOT NULL AND kind != 'tutorial')"
                ).fetchone()[0]
            )

    def reader(self) -> sqlite3.Connection:
        """Return a connection that can only read."""
        return connected(self.path)

    def writer(self) -> sqlite3.Connection:
        """Return a connection that can write; close it."""
        return connected(self.path, write=True)


def set_meta(db: sqlite3.Connection, key: str, value: Any) -> None:
    """Store a setting."""
    db.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, as_json(value, key)),
    )


def as_json(value: Any, what: str) -> str:
    """Return a value as a study keeps it. JSON has no numbers beyond all others, though Python writes them."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise InputError(f"{what} holds NaN or Infinity, which are no numbers in JSON. Put it right there.") from None


def get_meta(db: sqlite3.Connection, key: str, default: Any = None) -> Any:
    """Return a setting as it is now."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return default if row is None else json.loads(row[0])

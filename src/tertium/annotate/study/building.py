"""Making a study: texts and people go in, screens and lists come out, in one new file."""

import glob
import json
import os
import random
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.annotate.protocols import Protocol
from tertium.annotate.study import checks, keys
from tertium.annotate.study.draws import assigned
from tertium.annotate.study.file import set_meta
from tertium.annotate.study.lists import Task, fixed_lists, with_checks
from tertium.annotate.study.results import Results, take_results
from tertium.annotate.study.schema import APPLICATION_ID, FORMAT, TABLES
from tertium.annotate.study.tasks import add_screen, make_task, word_count
from tertium.annotate.typologies import SHIPPED
from tertium.errors import Argument, InputError
from tertium.files.reading import whole_text
from tertium.files.systems import exchange
from tertium.files.writing import remove_stale

ASSIGNMENTS = ("lists", "pool", "adaptive")


@dataclass(frozen=True)
class Material:
    """The texts: a source per segment, each system's output of it, perhaps references, documents, spans beforehand."""

    sources: Sequence[str]
    systems: Mapping[str, Sequence[str]]
    references: Sequence[str | None] | None = None
    documents: Sequence[str] | None = None
    spans: Mapping[tuple[str, int], Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def check(self, protocol: Protocol) -> None:
        """Refuse what cannot be shown, before anything is written."""
        if not self.systems or not len(self.sources):
            raise InputError("A study needs sources and at least one system's outputs; there are none.")
        lengths = {f"the outputs of {name}": len(texts) for name, texts in self.systems.items()}
        if self.references is not None:
            lengths["the reference"] = len(self.references)
        if self.documents is not None:
            lengths["the documents"] = len(self.documents)
        for name, length in lengths.items():
            if length != len(self.sources):
                raise InputError(
                    f"The source has {len(self.sources):,} segments, but {name} {length:,}. Give files with one "
                    "segment per line, in the same order."
                )
        if protocol.needs_reference and self.references is None:
            raise InputError(f"{protocol.name} shows a reference: add -r FILE.")
        if len(self.systems) < protocol.outputs[0]:
            raise InputError(f"{protocol.name} compares outputs, so it needs {protocol.outputs[0]} systems or more.")
        for name, texts in self.systems.items():
            empty = [i + 1 for i, text in enumerate(texts) if not text.strip()]
            if len(empty) == len(texts):
                raise InputError(f"All outputs of {name} are empty.")


@dataclass(frozen=True)
class Design:
    """How the texts are judged and by whom."""

    protocol: Protocol
    annotators: Sequence[str]
    assignment: str = "lists"
    judgments_per_item: int = 1
    overlap: float = 0.0
    control: float = 0.0
    repeats: float = 0.0
    reference_checks: float = 0.0
    segments_per_screen: int = 10
    screens_per_annotator: int | None = None
    coldstart: int = 5
    same_document: bool = False
    may_return: bool = True
    title: str = ""
    instructions: str | None = None
    language: str = "en"
    source_language: str = ""
    target_language: str = ""
    tutorial: bool = False
    codes: tuple[str, str] | None = None
    seed: int = 0

    def check(self) -> None:
        """Refuse settings that contradict each other."""
        if self.assignment not in ASSIGNMENTS:
            raise InputError(f"assignment is one of {', '.join(ASSIGNMENTS)}, not '{self.assignment}'.")
        for name in ("overlap", "control", "repeats", "reference_checks"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is a share of the items, from 0 % to 100 %.")
        if self.control + self.repeats + self.reference_checks > 0.9:
            raise InputError("Checks would be more than nine tenths of what people see.")
        if self.judgments_per_item < 1 or self.segments_per_screen < 1:
            raise InputError("judgments per item and segments per screen are whole numbers from 1 on.")
        if self.assignment == "lists" and not self.annotators:
            people, pool = Argument("annotators"), Argument("assignment", "pool")
            raise InputError("Fixed lists need annotators: ", people, ", or ", pool, " with a public link.")
        if self.assignment == "lists" and self.screens_per_annotator is not None:
            limit, pool = Argument("screens_per_annotator"), Argument("assignment", "pool")
            raise InputError(limit, " is for screens that are drawn: leave it out, or say ", pool, ".")
        names = [name for name in self.annotators if name]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            raise InputError(f"Two annotators are called '{double}'.")


def check_study(material: Material, design: Design) -> None:
    """Refuse texts and settings that make no study."""
    material.check(design.protocol)
    design.check()
    if design.reference_checks and material.references is None:
        raise InputError(Argument("reference_checks"), " show a reference as an output: add -r FILE.")


def check_new(path: str | Path) -> None:
    """Refuse a file that is there already, or cannot be."""
    target = Path(path)
    if target.exists():
        raise InputError(f"{path} exists already. Name a new file; a study is never overwritten.")
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no directory {target.parent}.")


def create(
    path: str | Path, material: Material, design: Design, *, extra: Mapping[str, Any] | None = None,
    results: Results | None = None,
) -> bytes:  # fmt: skip
    """Write a new study and its key, whole or not at all; return the key.

    `extra` is kept with the study as it is (what an imported campaign said beyond what we use). With `results`, what
    their users have judged is their list, and nothing else is handed out.
    """
    check_study(material, design)
    check_new(path)
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.new")
    remove_stale(target.parent, f".{glob.escape(target.name)}.*.new*")
    try:
        db = sqlite3.connect(part, isolation_level=None)
        db.row_factory = sqlite3.Row
        try:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.executescript(TABLES)
            db.execute("BEGIN")
            key = keys.new_key(target)
            _fill(db, key, material, design, extra or {}, results)
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = DELETE")
        finally:
            db.close()
        part.chmod(0o600)  # texts, names and answers: nobody's business but the organiser's
        exchange(part, target)
    except (OSError, sqlite3.Error) as error:
        _clean(part, target)
        raise InputError(f"{path} cannot be written: {error}.") from None
    except UnicodeEncodeError as error:
        _clean(part, target)
        raise InputError(
            f"A text holds half a character (U+{ord(error.object[error.start]):04X}), which no file can hold: "
            f"…{error.object[max(0, error.start - 20) : error.start]!r}. Put it right where the text comes from."
        ) from None
    except BaseException:
        _clean(part, target)
        raise
    return key


def _clean(part: Path, target: Path) -> None:
    part.unlink(missing_ok=True)
    Path(str(part) + "-journal").unlink(missing_ok=True)
    if not target.exists():
        keys.key_path(target).unlink(missing_ok=True)


def _fill(
    db: sqlite3.Connection, key: bytes, material: Material, design: Design, extra: Mapping[str, Any],
    results: Results | None,
) -> None:  # fmt: skip
    rng = random.Random(f"study {design.seed}")
    columns = columns_of(design.protocol, len(material.systems))
    check_kinds = [
        kind
        for kind, share in zip(checks.KINDS, (design.control, design.repeats, design.reference_checks), strict=True)
        if share
    ]
    settings = design.protocol.settings()
    if settings.get("typology") not in (None, *SHIPPED) and not str(settings["typology"]).lstrip().startswith("{"):
        settings["typology"] = whole_text(settings["typology"])
    meta = {
        "format": FORMAT, "created": time.time(), "secret": os.urandom(32).hex(),
        "protocol": {"name": design.protocol.name, "settings": settings},
        "kinds": design.protocol.kinds, "lower_is_better": design.protocol.lower_is_better,
        "pairwise": design.protocol.pairwise, "columns": columns,
        "assignment": design.assignment, "judgments_per_item": design.judgments_per_item,
        "overlap": design.overlap, "control": design.control + design.repeats + design.reference_checks,
        "check_kinds": check_kinds, "segments_per_screen": design.segments_per_screen,
        "screens_per_annotator": design.screens_per_annotator, "coldstart": design.coldstart,
        "same_document": design.same_document, "return": design.may_return, "title": design.title,
        "instructions": design.instructions, "language": design.language,
        "source_language": design.source_language, "target_language": design.target_language,
        "documents": material.documents is not None, "tutorial": design.tutorial,
        "codes": design.codes or [_code(), _code()], "seed": design.seed, "extra": dict(extra),
    }  # fmt: skip
    for name, value in meta.items():
        set_meta(db, name, value)
    keys.store_hashes(db, key)
    documents = _texts(db, material)
    if results is not None:
        set_meta(db, "imported", {"form": results.form, "head": results.head})
        take_results(db, results, {user: add_annotator(db, key, user) for user in design.annotators})
        return
    tasks = []
    if design.assignment != "adaptive":
        tasks = _tasks(db, documents, list(range(1, len(material.systems) + 1)), columns, design, rng)
    people = [add_annotator(db, key, name or None) for name in design.annotators]
    tutorial = _tutorial(db, design) if design.tutorial else []
    for person in people:
        if tutorial:
            assigned(db, person, tutorial)
    if design.assignment == "lists":
        _hand_out(db, tasks, people, design, rng)


def _code() -> str:
    return os.urandom(4).hex().upper()


def _texts(db: sqlite3.Connection, material: Material) -> list[int]:
    db.executemany("INSERT INTO system (name) VALUES (?)", [(name,) for name in material.systems])
    names = material.documents or [str(number) for number in range(1, len(material.sources) + 1)]
    documents = {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}
    db.executemany("INSERT INTO document (id, name) VALUES (?, ?)", [(i, name) for name, i in documents.items()])
    for index, (source, name) in enumerate(zip(material.sources, names, strict=True)):
        reference = material.references[index] if material.references is not None else None
        db.execute(
            "INSERT INTO item (id, document, segment, source, reference) VALUES (?, ?, ?, ?, ?)",
            (index + 1, documents[name], index + 1, source, reference),
        )
        for system, (label, texts) in enumerate(material.systems.items(), start=1):
            spans = material.spans.get((label, index + 1))
            db.execute(
                "INSERT INTO output (item, system, text, spans) VALUES (?, ?, ?, ?)",
                (index + 1, system, texts[index], json.dumps(spans, ensure_ascii=False) if spans else None),
            )
    return list(documents.values())


def columns_of(protocol: Protocol, systems: int) -> int:
    """Return how many outputs stand side by side."""
    return int(min(getattr(protocol, "columns", protocol.outputs[0]), systems))


def system_groups(systems: Sequence[int], columns: int, rng: random.Random) -> list[list[int]]:
    """Return systems in groups of at most `columns`, in random order; a group that would be alone gets company."""
    order = list(systems)
    rng.shuffle(order)
    count = -(-len(order) // columns)
    groups = [order[i::count] for i in range(count)]
    for group in groups:
        if len(group) == 1 < columns <= len(order):
            group.append(rng.choice([other for other in order if other not in group]))
            rng.shuffle(group)
    return groups


def _tasks(
    db: sqlite3.Connection, documents: Sequence[int], systems: Sequence[int], columns: int, design: Design,
    rng: random.Random,
) -> list[Task]:  # fmt: skip
    found = []
    for document in documents:
        for group in system_groups(systems, columns, rng):
            screens = make_task(db, document, group, design.segments_per_screen)
            task, words = db.execute("SELECT task, words FROM screen WHERE id = ?", (screens[0],)).fetchone()
            words = sum(db.execute("SELECT words FROM screen WHERE id = ?", (one,)).fetchone()[0] for one in screens)
            found.append(Task(task, document, tuple(group), words))
    return found


def add_annotator(
    db: sqlite3.Connection, key: bytes, name: str | None, platform: Mapping[str, str] | None = None
) -> int:
    """Add a person; the code by which exports call them says nothing about who they are."""
    made = db.execute(
        "INSERT INTO annotator (code, name, created, platform) VALUES (?, ?, ?, ?)",
        (f"new-{os.urandom(8).hex()}", name, time.time(), json.dumps(dict(platform or {}))),
    ).lastrowid
    assert made is not None
    db.execute(
        "UPDATE annotator SET code = ?, token = ? WHERE id = ?",
        (f"A{made:02d}", keys.hashed(keys.annotator_token(key, made, 0)), made),
    )
    return made


def _hand_out(
    db: sqlite3.Connection, tasks: Sequence[Task], people: Sequence[int], design: Design, rng: random.Random
) -> None:
    lists = fixed_lists(
        tasks, len(people), judgments=design.judgments_per_item, overlap=design.overlap,
        same_document=design.same_document, rng=rng,
    )  # fmt: skip
    for person, own in zip(people, lists, strict=True):
        give_list(db, person, [task.id for task in own], design, rng)


def give_list(db: sqlite3.Connection, person: int, tasks: Sequence[int], design: Design, rng: random.Random) -> None:
    """Append tasks to an annotator's list, with checks among them."""
    shares = dict(zip(checks.KINDS, (design.control, design.repeats, design.reference_checks), strict=True))
    kinds = [
        kind for kind, share in shares.items() for _ in range(round(share * len(tasks) / (1 - sum(shares.values()))))
    ]
    after: dict[int, list[list[int]]] = {}
    for (place, gap), kind in zip(with_checks(len(tasks), len(kinds), rng), kinds, strict=False):
        after.setdefault(gap, []).append(checks.make_check(db, tasks[place], kind, rng))
    for place, task in enumerate(tasks, start=1):
        screens = [row[0] for row in db.execute("SELECT id FROM screen WHERE task = ? ORDER BY part", (task,))]
        assigned(db, person, screens)
        for check in after.get(place, []):
            assigned(db, person, check)


def _tutorial(db: sqlite3.Connection, design: Design) -> list[int]:
    from tertium.annotate.tutorial import steps

    made = []
    for step in steps(design.protocol, design.language):
        task = db.execute("SELECT COALESCE(MAX(task), 0) + 1 FROM screen").fetchone()[0]
        document = db.execute("INSERT INTO document (name, kind) VALUES ('tutorial', 'tutorial')").lastrowid
        cells = []
        for row, (source, outputs) in enumerate(step.rows):
            said = None if row else json.dumps({"instructions": step.words}, ensure_ascii=False)
            item = db.execute(
                "INSERT INTO item (document, segment, source, extra) VALUES (?, 0, ?, ?)", (document, source, said)
            ).lastrowid
            for place, text in enumerate(outputs):
                output = db.execute(
                    "INSERT INTO output (item, text, kind) VALUES (?, ?, 'tutorial')", (item, text)
                ).lastrowid
                assert item is not None
                assert output is not None
                cells.append((item, place, output))
        assert document is not None
        words = sum(word_count(text) for _, outputs in step.rows for text in outputs)
        expected = json.dumps(step.expected, ensure_ascii=False)
        made.append(add_screen(db, task, 0, document, "tutorial", None, words, cells, expected))
    return made

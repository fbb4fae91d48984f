"""What the rows of an Appraise export are about, which of them count, and which segment each is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tertium.errors import Argument, Message
from tertium.judgments.forms.appraise_tasks import Task, Tasks
from tertium.judgments.forms.document_names import TUTORIAL, DocumentName, parsed
from tertium.judgments.forms.form import Reading
from tertium.judgments.labels import Floats
from tertium.judgments.numbering import names_of_places
from tertium.judgments.segment_ids import place_name

_TYPES = {"TGT": None, "BAD": "degraded", "REF": "reference", "CHK": "check"}

BESIDE = "\n"  # between the systems of two outputs side by side

Marks = list[str | None]


@dataclass(frozen=True)
class Item:
    """An item of a task: who judged it, what it is, and its number in the task."""

    user: str
    system: str
    document: str  # as the export has it, with what campaigns write behind it
    type: str
    number: int
    is_whole: bool  # the score is the document's
    id: str | None = None  # what a campaign calls the segment, if it does not number them

    @cached_property
    def of(self) -> DocumentName:
        """The document, and why it does not count, if there is a reason."""
        found = parsed(self.document, self.system)
        return DocumentName(found.name, "tutorial") if self.id and TUTORIAL.search(self.id) else found

    @property
    def piece(self) -> tuple[str, str, str]:
        """The output of a document that a rater saw: its items are the document's segments, or some of them."""
        return self.user, self.document, self.system


def marks_of(items: Sequence[Item], ended: Floats) -> Marks:
    """Return why each row does not count. Of several answers to an item, the one that ended last does."""
    latest: dict[tuple[object, ...], int] = {}
    for row, item in enumerate(items):
        key = (*item.piece, item.type, item.number, item.id, item.is_whole)
        if key not in latest or ended[row] >= ended[latest[key]]:
            latest[key] = row
    last = set(latest.values())
    found: Marks = []
    for row, item in enumerate(items):
        plain = re.sub(r"\..*", "", item.type)  # TGT.1 is a second pass over TGT
        mark = item.of.mark or _TYPES.get(plain, f"other: {plain}")
        found.append(mark or (None if row in last else "replaced"))
    return found


def segment_names(items: Sequence[Item], marks: Marks, tasks: Tasks, name: str, reading: Reading) -> list[str | None]:
    """Return what each item's segment is called, document:place. Parts of documents may turn out to have no place.

    A document that was cut in two keeps its places if the tasks are known. Otherwise its segments are their own, and
    marked as unplaced if they have to be found among the lines of the test set.
    """
    numbered = _numbers_are_lines(items, marks)
    places = _lines(items, reading) if numbered else _ranks(items)
    wholes = {} if numbered else _lengths(items, reading)
    parts = {}
    found: list[str | None] = []
    lost = 0
    for row, (item, task) in enumerate(zip(items, shown(items, tasks), strict=True)):
        if item.is_whole or item.id is not None:
            found.append(None if item.is_whole else item.id)
        elif task is not None and task.place is not None:
            found.append(place_name(item.of.name, task.place))
        elif numbered or places[row][1] >= wholes.get(item.of.name, 0) or item.of.mark == "tutorial":
            found.append(place_name(item.of.name, places[row][0]))
        else:
            found.append(f"{item.of.name}:{places[row][0]}?{item.user}")
            if marks[row] is None:
                lost += 1
                parts[item.piece] = item
                if reading.documents is not None or reading.segment_ids is not None:
                    marks[row] = "unplaced"
    if lost:
        _tell_parts(name, lost, next(iter(parts.values())), len(parts), reading)
    return found


def shown(items: Sequence[Item], tasks: Tasks, systems: Sequence[str] | None = None) -> list[Task | None]:
    """Return what each rater saw, if the tasks are known; of two outputs that of `systems`, or the first."""
    names = [item.system.partition(BESIDE)[0] for item in items] if systems is None else systems
    runs = _neighbours(items)
    cache: dict[tuple[object, ...], Mapping[int, Task]] = {}
    found: list[Task | None] = []
    for item, system, run in zip(items, names, runs, strict=True):
        key = (item.document, system, run)
        if key not in cache:
            cache[key] = tasks.shown(item.document, system, run) if run else {}
        found.append(cache[key].get(item.number))
    return found


def _tell_parts(name: str, lost: int, item: Item, parts: int, reading: Reading) -> None:
    fate = (
        "do not count" if reading.documents is not None or reading.segment_ids is not None else "are their own segments"
    )
    reading.warn(
        Message(
            f"{name}: {lost:,} judgments are of {parts:,} parts of documents, such as {item.user}'s of "
            f"'{item.of.name}'. Which part is not known, so they {fate}. Give ",
            Argument("tasks"),
            " (Appraise's batches) to place them.",
        )
    )


def _numbers_are_lines(items: Sequence[Item], marks: Marks) -> bool:
    """Whether numbers are the test set's and not a task's: the same for every rater and system of a document."""
    homes: dict[int, str] = {}
    pieces: dict[str, dict[tuple[str, str, str], set[int]]] = {}
    for item, mark in zip(items, marks, strict=True):
        if item.is_whole or mark in ("tutorial", "incomplete", "duplicate"):
            continue
        if homes.setdefault(item.number, item.of.name) != item.of.name:
            return False
        pieces.setdefault(item.of.name, {}).setdefault(item.piece, set()).add(item.number)
    groups = (list(group.values()) for group in pieces.values())
    return all(not group[0].isdisjoint(other) for group in groups for other in group[1:])


def _lines(items: Sequence[Item], reading: Reading) -> list[tuple[int, int]]:
    """Return the place of each item in its document, from numbers that are lines, whatever the first is called."""
    judged = [item for item in items if not item.is_whole and item.of.mark != "tutorial"]
    if reading.documents is not None:
        documents = reading.documents
        for shift in (0, 1, -1):
            lines = [item.number + shift for item in judged]
            if all(0 < line <= len(documents) for line in lines) and all(
                documents[line - 1] == item.of.name for line, item in zip(lines, judged, strict=True)
            ):
                names = names_of_places(documents)
                at = {item.number: int(names[item.number + shift - 1].rpartition(":")[2]) for item in judged}
                return [(at.get(item.number, 1), 0) for item in items]
    first: dict[str, int] = {}
    for item in items:
        if not item.is_whole:
            first[item.of.name] = min(first.get(item.of.name, item.number), item.number)
    return [(item.number - first.get(item.of.name, 0) + 1, 0) for item in items]


def _ranks(items: Sequence[Item]) -> list[tuple[int, int]]:
    """Return the place of each item in its run of neighbouring numbers, and how long that run is."""
    runs = _neighbours(items)
    return [(item.number - run[0] + 1, len(run)) if run else (0, 0) for item, run in zip(items, runs, strict=True)]


def _neighbours(items: Sequence[Item]) -> list[tuple[int, ...]]:
    """Return the run of neighbouring numbers, of one rater and output, that each item is in."""
    numbers: dict[tuple[str, str, str], set[int]] = {}
    for item in items:
        if not item.is_whole:
            numbers.setdefault(item.piece, set()).add(item.number)
    at: dict[tuple[tuple[str, str, str], int], tuple[int, ...]] = {}
    for piece, found in numbers.items():
        run: list[int] = []
        for number in [*sorted(found), None]:
            if run and number != run[-1] + 1:
                at |= dict.fromkeys(((piece, one) for one in run), tuple(run))
                run = []
            if number is not None:
                run.append(number)
    return [at.get((item.piece, item.number), ()) for item in items]


def _lengths(items: Sequence[Item], reading: Reading) -> dict[str, int]:
    """Return how many segments each document has: in the test set, or else in the longest run."""
    found: dict[str, int] = {}
    if reading.documents is not None:
        for document in reading.documents:
            found[document] = found.get(document, 0) + 1
        return found
    for item, (_, length) in zip(items, _ranks(items), strict=True):
        found[item.of.name] = max(found.get(item.of.name, 0), length)
    return found

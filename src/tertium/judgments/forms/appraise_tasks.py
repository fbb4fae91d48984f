"""Appraise's batches: the JSON that tasks were made from, with the texts that raters saw."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tertium.corpus.json_files import read_json
from tertium.errors import InputError
from tertium.judgments.forms.document_names import parsed

Run = list[dict[str, Any]]  # items, one after the other

_NEEDED = ("documentID", "targetID", "itemID", "sourceText", "targetText")


@dataclass(frozen=True)
class Task:
    """An item as it was shown: its place in its document, if that can be told, source and output, and its type."""

    place: int | None
    text: str
    source: str = ""
    type: str = "TGT"


@dataclass(frozen=True)
class Tasks:
    """What was shown: for each document and system, as an export names them, runs of items by their numbers.

    `documents` are the sources of each document, by its own name.
    """

    runs: Mapping[tuple[str, str], Sequence[Mapping[int, Task]]]
    documents: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def shown(self, document: str, system: str, numbers: Collection[int]) -> Mapping[int, Task]:
        """Return the run of which a rater judged these numbers; parts in different tasks may share some of them."""
        fits = [run for run in self.runs.get((document, system), ()) if all(number in run for number in numbers)]
        return min(fits, key=len, default={})


def read_tasks(path: str) -> Tasks:
    """Read batches. A document is as long as its longest output; a part of it is found there by its sources."""
    outputs: dict[tuple[str, str], list[Run]] = {}
    for batch in _batches(path):
        for key, run in _runs(batch):
            outputs.setdefault(key, []).append(run)
    wholes: dict[str, list[str]] = {}
    for (document, system), runs in outputs.items():
        name = parsed(document, system).name
        wholes[name] = max(wholes.get(name, []), _sources(_merged(runs)), key=len)
    found = {}
    for (document, system), runs in outputs.items():
        starts = _starts(wholes[parsed(document, system).name], runs)
        found[document, system] = [_tasks(run, start) for run, start in zip(runs, starts, strict=True)]
    return Tasks(found, wholes)


def _tasks(run: Run, start: int | None) -> dict[int, Task]:
    return {
        int(item["itemID"]): Task(
            None if start is None else start + place,
            str(item["targetText"]),
            str(item["sourceText"]),
            str(item.get("itemType", "TGT")).upper(),
        )
        for place, item in enumerate(run, 1)
    }


def _starts(whole: list[str], runs: list[Run]) -> list[int | None]:
    """Return where each run begins in its document, None if that cannot be told.

    An output that was cut in two is put together before it is looked for, since single sentences may come twice.
    """
    if len(runs) > 1 and _sources(_merged(runs)) == whole:
        starts: list[int | None] = []
        for at, run in enumerate(runs):
            same = next((i for i, other in enumerate(runs[:at]) if _sources(other) == _sources(run)), None)
            starts.append(len(_merged(runs[:at])) if same is None else starts[same])
        return starts
    return [_start(whole, _sources(run)) for run in runs]


def _merged(runs: list[Run]) -> Run:
    """Put the parts of an output together that different tasks have; tasks that are given twice are no parts."""
    different = [run for at, run in enumerate(runs) if _sources(run) not in map(_sources, runs[:at])]
    return [item for run in different for item in run]


def _sources(run: Run) -> list[str]:
    return [str(item["sourceText"]) for item in run]


def _runs(batch: Run) -> Iterator[tuple[tuple[str, str], Run]]:
    """Return the outputs of documents in a task, each with its items in order."""
    items = [one for item in batch for one in _outputs(item)]

    def key(item: dict[str, Any]) -> tuple[str, str]:
        return str(item["documentID"]), str(item["targetID"])

    items.sort(key=lambda item: (*key(item), int(item["itemID"])))
    for name, group in groupby(items, key=key):
        yield name, list(group)


def _start(whole: list[str], part: list[str]) -> int | None:
    """Return where a part begins; None if it is not there or in several places."""
    fits = [at for at in range(len(whole) - len(part) + 1) if whole[at : at + len(part)] == part]
    return fits[0] if len(fits) == 1 else None


def _outputs(item: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an item, or those of several outputs side by side, as items of one output each."""
    targets = item.get("targets")
    if not isinstance(targets, list):
        return [item]
    shared = item | {"sourceText": item.get("segmentText")}
    return [shared | one for one in targets if isinstance(one, dict)]


def _fault(item: Any) -> str | None:
    """Return what is wrong with an item, None if nothing is."""
    if not isinstance(item, dict):
        return f"it is {item!r:.40}, but an object was expected"
    outputs = _outputs(item)
    if not outputs:
        return "it has no output"
    for output in outputs:
        for name in _NEEDED:
            value = output.get(name)
            if not isinstance(value, str | int | float) or isinstance(value, bool):
                return f"{name} is {json.dumps(value, ensure_ascii=False):.40}, but a text was expected"
        if not re.fullmatch(r"\s*\d{1,15}\s*", str(output["itemID"])):
            return f"itemID is {output['itemID']!r:.40}, but a whole number was expected"
    return None


def _batches(path: str) -> list[Run]:
    found = read_json(path, warn=lambda message: None)
    if not isinstance(found, list) or not found:
        raise InputError(f"{path} is no list of tasks, as Appraise's batches are.")
    for number, batch in enumerate(found, 1):
        items = batch.get("items") if isinstance(batch, dict) else None
        if not isinstance(items, list):
            raise InputError(f"{path}: task {number} has no list of items with {', '.join(_NEEDED)}.")
        for place, item in enumerate(items, 1):
            if fault := _fault(item):
                raise InputError(f"{path}: task {number}, item {place}: {fault}.")
    return [batch["items"] for batch in found]

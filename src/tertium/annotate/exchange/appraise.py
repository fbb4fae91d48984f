"""Appraise: batches of tasks and exports of scores, read and written."""

import csv
import io
import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import numpy as np

from tertium.annotate.exchange.answers import Record, came_as, records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.exchange.offsets import as_stored, to_inclusive
from tertium.annotate.study.building import Material
from tertium.annotate.study.file import Study
from tertium.annotate.study.results import Results, Said, imported_rows
from tertium.corpus.records import Table
from tertium.errors import InputError
from tertium.judgments.forms.appraise import appraise_table
from tertium.judgments.forms.appraise_answers import items_of, systems_of, times_of, told
from tertium.judgments.forms.appraise_items import marks_of, shown
from tertium.judgments.forms.appraise_tasks import read_tasks
from tertium.judgments.forms.document_names import parsed
from tertium.judgments.forms.form import Reading

Place = tuple[str, int]  # a document and the number of a segment in it

_TYPES = {"repeat": "CHK", "check": "CHK", "degraded": "BAD", "reference": "REF"}

_ENDINGS = {"degraded": "#bad", "repeat": "#dup", "duplicate": "#dup", "incomplete": "#incomplete"}


class Appraise(ExportForm):
    """Twelve columns without a header: user, system, item, type, languages, score, document, spans, times."""

    name = "appraise"
    holds = "Appraise's export of scores"

    def suits(self, study: Study) -> bool:
        """Whether each output has a score of its own."""
        return not study.protocol.pairwise and study.protocol.name != "post-edit"

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one CSV, and the batches if the study was made from some; checks and tutorials are marked as
        Appraise marks them."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        with closing(study.reader()) as db:
            for user, line in imported_rows(db, names=names) if came_as(study, self.name) else ():
                text.write(line if names else _called(line, user))
        for record in records(study, names=names, ours=came_as(study, self.name)):
            writer.writerow(_row(study, record))
        batches = study.meta["extra"].get("appraise")
        files = {"batches.json": json.dumps(batches, ensure_ascii=False, indent=2) + "\n"} if batches else {}
        return {"appraise.csv": text.getvalue(), **files}


def _called(line: str, user: str) -> str:
    """Return a line of an export with somebody called otherwise."""
    bare = line.rstrip("\r\n")
    (row,) = csv.reader([bare])
    text = io.StringIO()
    csv.writer(text, lineterminator=line[len(bare) :] or "\n").writerow([user, *row[1:]])
    return text.getvalue()


def _row(study: Study, record: Record) -> list[Any]:
    kind = study.protocol.kinds[0]
    document = record.document + _ENDINGS.get(record.kind, "")
    system = record.system or ("tutorial" if record.kind == "tutorial" else "reference")
    if record.kind == "tutorial":
        system, document = f"{study.meta['source_language']}{study.meta['target_language']}-tutorial", "tutorial"
    spans = [_span(span, record.output) for span in record.spans]
    return [
        record.rater, system, record.segment or record.item, _TYPES.get(record.kind, "TGT"),
        study.meta["source_language"] or "src", study.meta["target_language"] or "tgt",
        0 if kind == "mqm" else record.scores.get(kind, ""), document, "False",
        json.dumps(spans, ensure_ascii=False), f"{record.opened or record.updated:.3f}", f"{record.updated:.3f}",
    ]  # fmt: skip


def _span(span: Mapping[str, Any], text: str) -> dict[str, Any]:
    found = to_inclusive(span, text)
    category = found.pop("category")
    found["severity"] = found["severity"] or "undecided"
    found["error_type"] = None if category is None else category.split("/", 1)
    if span["side"] == "missing":
        found["start_i"] = found["end_i"] = "missing"
    return found


def read_batches(data: Any, path: str) -> tuple[Material, dict[str, Any]]:
    """Return the texts of Appraise's batches, each output of each segment once; the batches are kept as they are."""
    tasks = read_tasks(path)
    outputs: dict[str, dict[Place, str]] = {}
    references: dict[Place, str] = {}
    for (document, system), runs in tasks.runs.items():
        name = parsed(document, system)
        if name.mark in ("tutorial", "degraded"):
            continue
        for task in (task for run in runs for task in run.values() if task.place is not None):
            place = (name.name, int(task.place or 0))
            if task.type == "REF":
                references[place] = task.text
            elif task.type == "TGT":
                for one in systems_of(system):
                    outputs.setdefault(one, {}).setdefault(place, task.text)
    if not outputs:
        raise InputError(f"{path} holds no item of type TGT, so there is nothing to judge.")
    places = {
        (name, number): source
        for name, sources in tasks.documents.items()
        for number, source in enumerate(sources, start=1)
        if any((name, number) in texts for texts in outputs.values())
    }
    whole = [place for place in places if all(place in texts for texts in outputs.values())]
    if not whole:
        raise InputError(f"{path}: no segment has outputs of all systems ({', '.join(outputs)}).")
    material = Material(
        sources=[places[place] for place in whole],
        systems={name: [texts[place] for place in whole] for name, texts in outputs.items()},
        references=[references.get(place) for place in whole] if references else None,
        documents=[document for document, _ in whole],
    )
    about = data[0].get("task")
    about = about if isinstance(about, Mapping) else {}
    languages = {"source": str(about.get("sourceLanguage", "")), "target": str(about.get("targetLanguage", ""))}
    return material, {
        "appraise": data, "languages": languages, "left_out": len(places) - len(whole),
        "segments": {place: number for number, place in enumerate(whole, start=1)},
    }  # fmt: skip


def read_export(path: str, batches: str, segments: Mapping[Place, int]) -> tuple[Results, str]:
    """Return the answers of an export of scores, and the protocol that they were given by."""
    reading = Reading()
    table = appraise_table(path, reading.warn)
    if "system1" in table.columns:
        raise InputError(f"{path} compares two outputs; only exports of one output each can be taken into a study.")
    if "documentID" not in table.columns:
        raise InputError(
            f"{path} does not say of which document an answer is, so it cannot be taken into a study. The commands "
            "that take judgments read it as it is."
        )
    systems = table.column("system")
    items = items_of(table, systems, reading)
    started, ended = times_of(table, "start"), times_of(table, "end")
    marks = marks_of(items, np.where(np.isnan(ended), -np.inf, ended))
    tasks = shown(items, read_tasks(batches))
    lost = next((row for row, task in enumerate(tasks) if task is None), None)
    if lost is not None:
        raise InputError(
            f"{table.where(lost)}: {batches} has no item {items[lost].number} of {systems[lost]} in "
            f"{items[lost].document}. Give the batches that this export belongs to."
        )
    there = [task for task in tasks if task is not None]
    spans, kinds, scores = told(table, [task.text for task in there], "score", "mqm", reading)
    said = []
    twins: dict[tuple[str, ...], list[int]] = {}
    for row, (item, task) in enumerate(zip(items, there, strict=True)):
        if marks[row] == "replaced" or not np.isfinite(scores[row]):
            continue
        number = None if task.place is None else segments.get((item.of.name, task.place))
        same = twins.setdefault((*item.piece, task.source), [])
        if item.number not in same:
            same.append(item.number)
        answer: dict[str, Any] = {"spans": [as_stored(span, task.text, task.source) for span in spans[row]]}
        if kinds[row] != "mqm":
            answer["score"] = scores[row]
        for system in systems_of(item.system):
            said.append(
                Said(
                    item.user, f"{item.document} {item.system}", number, item.of.name, task.source, system, task.text,
                    marks[row] or "target", answer, {kinds[row]: float(scores[row])}, _known(started[row]),
                    _known(ended[row]), _active(started[row], ended[row]), same.index(item.number),
                )
            )  # fmt: skip
    return Results("appraise", _lines(path, table), said), _PROTOCOLS[kinds[0]]


_PROTOCOLS = {"ESA": "esa", "DA-raw": "da", "mqm": "mqm"}
_LONGEST = 600.0  # seconds that an item can take; who took longer was away


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _active(started: float, ended: float) -> int:
    spent = ended - started
    return int(1000 * spent) if 0 <= spent < _LONGEST else 0


def _lines(path: str, table: Table) -> list[tuple[str, Any]]:
    """Return the lines of an export as they stand, with whose they are."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = list(file)
    if len(lines) != len(table):
        raise InputError(f"{path} has a header or lines within fields; exports of Appraise have neither.")
    return list(zip(table.column("username"), lines, strict=True))

"""Pearmut: campaigns and annotations, read and written."""

import json
import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from tertium.annotate.exchange.answers import came_as, codes_of, records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.exchange.offsets import as_stored, from_inclusive, to_inclusive
from tertium.annotate.study.building import Material
from tertium.annotate.study.file import Study
from tertium.annotate.study.results import Results, Said, imported_rows
from tertium.errors import InputError
from tertium.judgments.forms.form import Reading
from tertium.judgments.forms.pearmut import answers_of, campaigns_of, raw_rows, rows_of, times_of
from tertium.judgments.forms.span_json import is_number

PROTOCOLS = {"DA": "da", "ESA": "esa", "cESA": "cesa", "MQM": "mqm"}
_ASSIGNMENTS = {"task-based": "lists", "single-stream": "pool", "dynamic": "adaptive"}


class Pearmut(ExportForm):
    """The campaign as it was imported, or made from the study, and its annotations."""

    name = "pearmut"
    holds = "a Pearmut campaign and its annotations"
    has_texts = True

    def suits(self, study: Study) -> bool:
        """Whether Pearmut has such a protocol."""
        return study.protocol.name in (*PROTOCOLS.values(), "esa-ai", "sqm")

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return campaign.json and annotations.json."""
        campaign = study.meta["extra"].get("pearmut") or _campaign(study)
        if not names:
            others = {
                user: f"user-{number}" for number, user in enumerate(users_of(campaign, str(study.path)), start=1)
            }
            campaign = called_otherwise(campaign, others | codes_of(study))
        rows = _rows_as_they_came(study, names) + _annotations(study, names)
        return {
            "campaign.json": json.dumps(campaign, ensure_ascii=False, indent=2) + "\n",
            "annotations.json": json.dumps({campaign["campaign_id"]: rows}, ensure_ascii=False, indent=1) + "\n",
        }


def _campaign(study: Study) -> dict[str, Any]:
    with closing(study.reader()) as db:
        documents: dict[str, list[dict[str, Any]]] = {}
        for item in db.execute(
            "SELECT item.*, document.name FROM item JOIN document ON document.id = item.document "
            "WHERE document.kind = 'real' ORDER BY item.id"
        ).fetchall():
            outputs = db.execute(
                "SELECT system.name, text, spans FROM output JOIN system ON system.id = output.system "
                "WHERE item = ? AND kind = 'target' ORDER BY system.id", (item["id"],)
            ).fetchall()  # fmt: skip
            entry = {
                "item_id": f"{item['name']}#{item['segment']}", "src": item["source"],
                "tgt": {row["name"]: row["text"] for row in outputs},
            }  # fmt: skip
            if item["reference"] is not None:
                entry["ref"] = item["reference"]
            spans = {
                row["name"]: [to_inclusive(span, row["text"]) for span in json.loads(row["spans"])]
                for row in outputs
                if row["spans"]
            }
            if spans:
                entry["error_spans"] = spans
            documents.setdefault(item["name"], []).append(entry)
        users = db.execute("SELECT COUNT(*) FROM annotator").fetchone()[0]
    protocol = {ours: theirs for theirs, ours in PROTOCOLS.items()}.get(study.protocol.name, "ESA")
    return {
        "campaign_id": study.meta["title"] or study.path.stem,
        "info": {"assignment": "single-stream", "protocol": protocol, "users": users},
        "data": list(documents.values()),
    }


def called_otherwise(campaign: Mapping[str, Any], codes: Mapping[str, str]) -> dict[str, Any]:
    """Return a campaign with the users that it lists, or has lists for, called by their codes."""
    info, data = dict(campaign["info"]), campaign["data"]
    if isinstance(info.get("users"), list):
        info["users"] = [
            user | {"user_id": codes.get(user["user_id"], user["user_id"])}
            if isinstance(user, dict)
            else codes.get(user, user)
            for user in info["users"]
        ]
    if isinstance(data, Mapping):
        data = {codes.get(user, user): task for user, task in data.items()}
    return {**campaign, "info": info, "data": data}


def users_of(campaign: Mapping[str, Any], path: str) -> list[str]:
    """Return whom a campaign names; a number of users has no names."""
    users, data = campaign["info"].get("users"), campaign["data"]
    if isinstance(users, list):
        found: list[Any] = [user.get("user_id") if isinstance(user, Mapping) else user for user in users]
    else:
        found = list(data) if isinstance(data, Mapping) else []
    if not all(isinstance(user, str) and user for user in found) or len(set(found)) < len(found):
        raise InputError(f"{path}: users are {found!r:.60}, but different names were expected.")
    return found


def _rows_as_they_came(study: Study, names: bool) -> list[dict[str, Any]]:
    if not came_as(study, "pearmut"):
        return []
    with closing(study.reader()) as db:
        return [row if names else row | {"user_id": user} for user, row in imported_rows(db, names=names)]


def _annotations(study: Study, names: bool) -> list[dict[str, Any]]:
    """Return a row per finished screen; checks are kept, and say what they are."""
    screens: dict[tuple[str, int], dict[int, list[Any]]] = {}
    for record in records(study, names=names, ours=came_as(study, "pearmut")):
        screens.setdefault((record.rater, record.position), {}).setdefault(record.item, []).append(record)
    rows = []
    for (rater, position), items in screens.items():
        shown, answers = [], []
        for own in items.values():
            own.sort(key=lambda record: record.place)
            called = {id(record): record.system or record.kind for record in own}
            first = own[0]
            shown.append({
                **{key: value for key, value in first.extra.items() if key == "item_id"},
                "src": first.source, "tgt": {called[id(record)]: record.output for record in own},
            })  # fmt: skip
            answers.append({
                called[id(record)]: {
                    "score": record.answer.get("score"),
                    "error_spans": [to_inclusive(span, record.output) for span in record.spans],
                    "textfield": record.answer.get("comment", ""),
                }
                for record in own
            })  # fmt: skip
        row = {"user_id": rater, "item_i": position - 1, "item": shown, "annotation": answers, "actions": []}
        kinds = {record.kind for own in items.values() for record in own} - {"target"}
        if kinds:
            row["check"] = sorted(kinds)
        rows.append(row)
    return rows


def read_campaign(data: Any, path: str) -> tuple[Material, dict[str, Any]]:
    """Return the texts of a campaign; the campaign itself is kept, so that it comes out as it went in."""
    campaign = data[0] if isinstance(data, list) and len(data) == 1 else data
    if isinstance(campaign, list):
        raise InputError(f"{path} holds {len(campaign)} campaigns. Give one at a time.")
    if not isinstance(campaign, Mapping) or not {"campaign_id", "info", "data"} <= set(campaign):
        raise InputError(f"{path} is no Pearmut campaign: an object with campaign_id, info and data is expected.")
    if not isinstance(campaign["info"], Mapping):
        raise InputError(f"{path}: info is {campaign['info']!r:.40}, but an object was expected.")
    protocol = campaign["info"].get("protocol", "ESA")
    if not isinstance(protocol, str) or protocol not in PROTOCOLS:
        raise InputError(f"{path}: the protocol {protocol} is not known. Known: {', '.join(PROTOCOLS)}.")
    documents = _documents(campaign)
    _check(documents, path)
    systems = list(dict.fromkeys(name for document in documents for item in document for name in item.get("tgt", {})))
    sources, references, names, spans = [], [], [], {}
    outputs: dict[str, list[str]] = {name: [] for name in systems}
    left_out = 0
    for number, document in enumerate(documents, start=1):
        for item in document:
            if not all(isinstance(item.get("tgt", {}).get(name), str) for name in systems):
                left_out += 1
                continue
            sources.append(str(item.get("src", "")))
            references.append(item.get("ref"))
            names.append(f"document {number}")
            for name in systems:
                outputs[name].append(item["tgt"][name])
                given = item.get("error_spans", {}).get(name)
                if given:
                    spans[name, len(sources)] = [from_inclusive(span, item["tgt"][name]) for span in given]
    if not sources:
        raise InputError(f"{path}: no item has outputs of all systems ({', '.join(systems) or 'there are none'}).")
    material = Material(sources, outputs, references if any(references) else None, names, spans)
    return material, {
        "pearmut": campaign, "protocol": PROTOCOLS[protocol], "left_out": left_out,
        "assignment": _ASSIGNMENTS.get(campaign["info"].get("assignment", ""), "lists"),
        "users": users_of(campaign, path) or campaign["info"].get("users"),
    }  # fmt: skip


def read_annotations(path: str, campaign: Mapping[str, Any], material: Material) -> Results:
    """Return what people said in a campaign. A reset and what was replaced stay in the log, and do not count."""
    name = str(campaign["campaign_id"])
    reading = Reading(language_pair=name if name in campaigns_of(path) else None)
    sliders = _sliders(campaign)
    rows, marks = rows_of(path, reading)
    numbers: dict[tuple[str, ...], int] = {}
    for number, source in enumerate(material.sources, start=1):
        numbers.setdefault((source, *(texts[number - 1] for texts in material.systems.values())), number)
    said: dict[tuple[int, int, str], Said] = {}
    for answer in answers_of(rows, marks, reading):
        if answer.mark in ("reset", "replaced") or answer.score is None:
            continue
        row, key = rows[answer.row], (answer.row, answer.item, answer.system)
        low, high = sliders.get(answer.kind, (-math.inf, math.inf))
        if not low <= answer.score <= high:
            raise InputError(
                f"{row.where}: {answer.kind} of {answer.system} is {answer.score:g}, but lies between {low:g} and "
                f"{high:g} in this campaign."
            )
        item = row.items[answer.item]
        source, text = str(item.get("src", item.get("text", ""))), item["tgt"].get(answer.system)
        if not all(isinstance(output, str) for output in (text, *item["tgt"].values())):
            raise InputError(f"{row.where}: outputs are {item['tgt']!r:.60}, but a text of each system was expected.")
        known = said.get(key)
        if known is not None:  # a further slider of the same output
            said[key] = replace(known, scores={**known.scores, answer.kind: answer.score})
            continue
        own = row.answers[answer.item][answer.system]
        started, ended, active = times_of(row.actions)
        stored = {"spans": [as_stored(span, text, source) for span in answer.spans]}
        stored |= {
            name: value
            for name, value in (("score", own.get("score")), ("comment", own.get("textfield")))
            if value not in (None, "")
        }
        said[key] = Said(
            row.user, f"{answer.row}", _segment(item, source, material, numbers), answer.document or source, source,
            answer.system, text, answer.mark or "target", stored, {answer.kind: answer.score}, _known(started),
            _known(ended), 0 if active != active else int(1000 * active / max(len(row.items), 1)),
        )  # fmt: skip
    return Results("pearmut", [(str(row.get("user_id")), row) for row in raw_rows(path, reading)], list(said.values()))


def _sliders(campaign: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the range of each slider that a campaign names."""
    sliders = campaign["info"].get("sliders") or []
    return {
        one["name"]: (one["min"], one["max"])
        for one in (sliders if isinstance(sliders, list) else [])
        if isinstance(one, Mapping) and isinstance(one.get("name"), str) and is_number(one.get("min"))
        and is_number(one.get("max"))
    }  # fmt: skip


def _segment(
    item: Mapping[str, Any], source: str, material: Material, numbers: Mapping[tuple[str, ...], int]
) -> int | None:
    """Return the segment that shows this source with these outputs, of which some may be left out."""
    shown = item["tgt"]
    whole = numbers.get((source, *(shown.get(name) for name in material.systems)))
    if whole is not None:
        return whole
    for number, text in enumerate(material.sources, start=1):
        own = {name: texts[number - 1] for name, texts in material.systems.items()}
        if text == source and all(own.get(name) == output for name, output in shown.items()):
            return number
    return None


def _known(value: float) -> float | None:
    return None if value != value else value


def _check(documents: Any, path: str) -> None:
    """Refuse what is no list of documents, each a list of items that hold texts by model."""
    if not isinstance(documents, list):
        raise InputError(f"{path}: data is {documents!r:.40}, but a list of documents was expected.")
    for number, document in enumerate(documents, start=1):
        if not isinstance(document, list) or not all(isinstance(item, Mapping) for item in document):
            raise InputError(f"{path}: document {number} is {document!r:.40}, but a list of items was expected.")
        for item in document:
            if not isinstance(item.get("ref"), str | None):
                raise InputError(
                    f"{path}: ref of an item in document {number} is {item['ref']!r:.40}, but a text was expected."
                )
            for name in ("tgt", "error_spans"):
                if not isinstance(item.get(name, {}), Mapping):
                    raise InputError(
                        f"{path}: {name} of an item in document {number} is {item[name]!r:.40}, but an object with a "
                        "value for each model was expected."
                    )
            for model, spans in item.get("error_spans", {}).items():
                if not isinstance(spans, list) or not all(isinstance(span, Mapping) for span in spans):
                    raise InputError(f"{path}: the error_spans of {model} in document {number} are no list of spans.")


def _documents(campaign: Mapping[str, Any]) -> Any:
    data = campaign["data"]
    if isinstance(data, Mapping):  # as Pearmut stores it once users are known
        data = list(data.values())
    # A task is a list of documents, which are lists of items.
    nested = isinstance(data, list) and all(
        isinstance(one, list) and all(isinstance(two, list) for two in one) for one in data
    )
    if campaign["info"].get("assignment", "task-based") == "task-based" and nested and any(data):
        seen = {json.dumps(document, sort_keys=True): document for task in data for document in task}
        return list(seen.values())
    return data

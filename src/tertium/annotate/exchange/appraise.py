"""Appraise: its export of scores written, its batches of tasks read."""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from tertium.annotate.exchange.answers import Record, records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.exchange.offsets import to_inclusive
from tertium.annotate.study.building import Material
from tertium.annotate.study.file import Study
from tertium.errors import InputError

_TYPES = {"target": "TGT", "repeat": "CHK", "degraded": "BAD", "reference": "REF", "tutorial": "TGT"}


class Appraise(ExportForm):
    """Twelve columns without a header: user, system, item, type, languages, score, document, spans, times."""

    name = "appraise"
    holds = "Appraise's export of scores"

    def suits(self, study: Study) -> bool:
        """Whether each output has a score of its own."""
        return not study.protocol.pairwise and study.protocol.name != "post-edit"

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one CSV; checks and tutorials are marked as Appraise marks them."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for record in records(study, names=names):
            writer.writerow(_row(study, record))
        return {"appraise.csv": text.getvalue()}


def _row(study: Study, record: Record) -> list[Any]:
    kind = study.protocol.kinds[0]
    document = record.document + ("#bad" if record.kind == "degraded" else "#dup" if record.kind == "repeat" else "")
    system = record.system or ("tutorial" if record.kind == "tutorial" else "reference")
    if record.kind == "tutorial":
        system, document = f"{study.meta['source_language']}{study.meta['target_language']}-tutorial", "tutorial"
    spans = [_span(span, record.output) for span in record.spans]
    return [
        record.rater, system, record.segment or record.item, _TYPES[record.kind],
        study.meta["source_language"] or "src", study.meta["target_language"] or "tgt",
        0 if kind == "mqm" else record.scores.get(kind, ""), document, "False",
        json.dumps(spans, ensure_ascii=False), f"{record.opened or record.updated:.3f}", f"{record.updated:.3f}",
    ]  # fmt: skip


def _span(span: Mapping[str, Any], text: str) -> dict[str, Any]:
    found = to_inclusive(span, text)
    category = found.pop("category")
    found["error_type"] = None if category is None else category.split("/", 1)
    if span["side"] == "missing":
        found["start_i"] = found["end_i"] = "missing"
    return found


def read_batches(data: Any, path: str) -> tuple[Material, dict[str, Any]]:
    """Return the texts of Appraise's batches, each output of each segment once; controls are made anew by us."""
    if not isinstance(data, list) or not all(isinstance(batch, Mapping) and "items" in batch for batch in data):
        raise InputError(f"{path} is no file of Appraise's batches: a list of objects with task and items is expected.")
    sources: dict[tuple[str, str], str] = {}
    outputs: dict[str, dict[tuple[str, str], str]] = {}
    references: dict[tuple[str, str], str] = {}
    for batch in data:
        for item in batch["items"]:
            _take(item, sources, outputs, references, path)
    if not outputs:
        raise InputError(f"{path} holds no item of type TGT, so there is nothing to judge.")
    whole = [key for key in sources if all(key in texts for texts in outputs.values())]
    if not whole:
        raise InputError(f"{path}: no segment has outputs of all systems ({', '.join(outputs)}).")
    material = Material(
        sources=[sources[key] for key in whole],
        systems={name: [texts[key] for key in whole] for name, texts in outputs.items()},
        references=[references.get(key) for key in whole] if references else None,
        documents=[document for document, _ in whole],
    )
    task = data[0].get("task", {})
    languages = {"source": task.get("sourceLanguage", ""), "target": task.get("targetLanguage", "")}
    return material, {"appraise": data, "languages": languages, "left_out": len(sources) - len(whole)}


def _take(
    item: Mapping[str, Any], sources: dict[tuple[str, str], str], outputs: dict[str, dict[tuple[str, str], str]],
    references: dict[tuple[str, str], str], path: str,
) -> None:  # fmt: skip
    try:
        document = str(item.get("documentID", item["itemID"])).partition("#")[0]
        key = (document, str(item.get("sourceID", "")) + ":" + str(item["itemID"]))
        source = item.get("sourceText", item.get("segmentText"))
        targets = item.get("targets") or [{"targetID": item["targetID"], "targetText": item["targetText"]}]
        kind = item.get("itemType", "TGT")
        if not isinstance(source, str) or "tutorial" in document:
            return
        key = (document, source)
        for target in targets:
            if kind == "REF":
                references[key] = target["targetText"]
            elif kind == "TGT":
                sources[key] = source
                for name in str(target["targetID"]).split("+"):
                    outputs.setdefault(name, {})[key] = target["targetText"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: an item has no {error}, which Appraise's batches have.") from None

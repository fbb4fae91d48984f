"""Marot's ten columns: a row per error, one `No-error` row for a clean segment; spans as places of tokens."""

import json
import re
from typing import Any

from tertium.annotate.exchange.answers import Record, records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.study.file import Study

COLUMNS = ["system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata"]
_TOKEN = re.compile(r"\s+|[^\s]+")


class Marot(ExportForm):
    """The table that Google's viewer and the published MQM data have."""

    name = "marot"
    holds = "MQM errors in Marot's ten columns"

    def suits(self, study: Study) -> bool:
        """Whether the protocol marks errors."""
        return any(hasattr(part, "severities") for phase in study.protocol.phases for part in phase.parts)

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one TSV with a header."""
        lines = ["\t".join(COLUMNS)]
        within: dict[str, dict[int, int]] = {}
        for record in records(study, names=names):
            if record.system is None or record.kind not in ("target", "repeat"):
                continue
            places = within.setdefault(record.document, {})
            number = places.setdefault(record.segment, len(places) + 1)
            spans: list[dict[str, Any] | None] = [*record.spans] or [None]
            for span in spans:
                lines.append("\t".join(_row(record, number, span)))
        return {"marot.tsv": "\n".join(lines) + "\n"}


def _row(record: Record, number: int, span: dict[str, Any] | None) -> list[str]:
    source, target, spans = record.source, record.output, {}
    if span is None:
        category = severity = "No-error"
    else:
        category = span["category"] or "Unspecified"
        if span["side"] == "missing":
            category = span["category"] or "Accuracy/Omission"
        severity = (span["severity"] or "Neutral").capitalize()
        start, end = span["start"], span["end"]
        if span["side"] == "target":
            target = f"{target[:start]}<v>{target[start:end]}</v>{target[end:]}"
            spans["target_spans"] = [_tokens_of(record.output, start, end)]
        elif span["side"] == "source":
            source = f"{source[:start]}<v>{source[start:end]}</v>{source[end:]}"
            spans["source_spans"] = [_tokens_of(record.source, start, end)]
    metadata = {
        **spans,
        "segment": {"source_tokens": _TOKEN.findall(record.source), "target_tokens": _TOKEN.findall(record.output)},
        "timestamp": int((record.done or 0) * 1000),
    }
    if span is not None:
        metadata["code_points"] = [span["start"], span["end"], span["side"]]
        if span.get("note"):
            metadata["note"] = span["note"]
    cells = [record.system or "", record.document, str(number), str(record.segment), record.rater, source, target]
    shown = [cell.replace("\t", " ").replace("\n", " ").replace("\r", " ") for cell in (*cells, category, severity)]
    return [*shown, json.dumps(metadata, ensure_ascii=False)]


def _tokens_of(text: str, start: int, end: int) -> list[int]:
    """Return the first and last token that a span touches."""
    touched = [i for i, found in enumerate(_TOKEN.finditer(text)) if found.start() < end and start < found.end()]
    return [touched[0], touched[-1]] if touched else [0, 0]

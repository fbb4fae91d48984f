"""Marked errors, a line of JSON each: code points, the end exclusive, and the text, so that a wrong offset shows."""

import json

from tertium.annotate.exchange.answers import records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.study.file import Study


class SpanLines(ExportForm):
    """One line per marked error."""

    name = "spans"
    holds = "marked errors, one per line of JSON"

    def suits(self, study: Study) -> bool:
        """Whether the protocol marks errors at all."""
        return any(hasattr(part, "severities") for phase in study.protocol.phases for part in phase.parts)

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one file of JSON lines."""
        lines = []
        for record in records(study, names=names):
            for span in record.spans if record.system is not None else []:
                line = {
                    "rater": record.rater, "system": record.system, "document": record.document,
                    "segment": record.segment, "start": span["start"], "end": span["end"], "side": span["side"],
                    "severity": span["severity"], "category": span["category"], "text": span["text"],
                }  # fmt: skip
                if span.get("note"):
                    line["note"] = span["note"]
                if record.kind != "target":
                    line["kind"] = record.kind
                lines.append(json.dumps(line, ensure_ascii=False))
        return {"spans.jsonl": "".join(line + "\n" for line in lines)}

"""WMT's unified JSON lines (WMT24 on): a line per segment with all systems' texts and everybody's scores and errors."""

import json
from typing import Any

from tertium.annotate.exchange.answers import records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.exchange.offsets import to_inclusive
from tertium.annotate.study.file import Study


class WMT(ExportForm):
    """`doc_id, src_text, tgt_text{system}, scores{system: [{score, annotator, errors, times, protocol}]}`."""

    name = "wmt"
    holds = "WMT's JSON lines, one per segment"

    def suits(self, study: Study) -> bool:
        """Whether each output has a score of its own."""
        return not study.protocol.pairwise and study.protocol.name != "post-edit"

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one file."""
        lines: dict[int, dict[str, Any]] = {}
        kind = study.protocol.kinds[0]
        for record in records(study, names=names):
            if record.system is None or record.kind not in ("target", "repeat"):
                continue
            languages = f"{study.meta['source_language'] or 'src'}-{study.meta['target_language'] or 'tgt'}"
            line = lines.setdefault(
                record.segment,
                {"doc_id": f"{languages}_#_study_#_{record.document}_#_{record.segment}", "src_text": record.source,
                 "tgt_text": {}, "scores": {}},
            )  # fmt: skip
            line["tgt_text"][record.system] = record.output
            line["scores"].setdefault(record.system, []).append({
                "score": record.scores.get(kind), "annotator": record.rater,
                "errors": [to_inclusive(span, record.output) for span in record.spans],
                "times": [record.opened, record.done], "protocol": kind,
            })  # fmt: skip
        return {
            "study.jsonl": "".join(json.dumps(line, ensure_ascii=False) + "\n" for _, line in sorted(lines.items()))
        }

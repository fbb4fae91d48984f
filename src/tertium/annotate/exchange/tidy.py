"""The tidy table: a row per judgment, as `tertium judgments` reads and writes it; pairs for rankings."""

import json

from tertium.annotate.exchange.answers import records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.study.file import Study
from tertium.judgments import read_judgments


class Tidy(ExportForm):
    """system, document, segment, rater, kind, score, count; or first, second, …, outcome."""

    name = "tidy"
    holds = "a table with a row per judgment"

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one TSV."""
        judgments = read_judgments(str(study.path))
        called = {record.annotator: record.rater for record in records(study, names=names)}
        pairs = judgments.preferences
        rows = list(pairs.records()) if len(pairs) else list(judgments.records())
        columns = list(rows[0]) if len(pairs) else list(judgments.fields())
        lines = ["\t".join(columns)]
        for row in rows:
            row = {**row, "rater": called.get(str(row["rater"]), row["rater"])}
            lines.append("\t".join(_cell(row.get(column)) for column in columns))
        return {"judgments.tsv": "\n".join(lines) + "\n"}


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    text = repr(value) if isinstance(value, float) else str(value)
    return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")

"""mt-metrics-eval's folder: sources, documents, outputs, and a human score per segment and system."""

import sqlite3
from contextlib import closing

from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.study.file import Study
from tertium.judgments import read_judgments


class MetricsEval(ExportForm):
    """`sources/`, `documents/`, `system-outputs/`, `references/`, `human-scores/`, as the toolkit reads them."""

    name = "mtme"
    holds = "a folder in mt-metrics-eval's layout"

    def suits(self, study: Study) -> bool:
        """Whether each output has a score of its own."""
        return not study.protocol.pairwise

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return the files of one language pair."""
        pair = f"{study.meta['source_language'] or 'src'}-{study.meta['target_language'] or 'tgt'}"
        with closing(study.reader()) as db:
            items = db.execute(
                "SELECT item.*, document.name FROM item JOIN document ON document.id = item.document "
                "WHERE document.kind = 'real' ORDER BY segment"
            ).fetchall()
            systems = [row["name"] for row in db.execute("SELECT name FROM system ORDER BY id")]
            outputs = {
                (row["segment"], row["system"]): row["text"]
                for row in db.execute(
                    "SELECT item.segment, system.name AS system, text FROM output JOIN item ON item.id = output.item "
                    "JOIN system ON system.id = output.system WHERE output.kind = 'target'"
                )
            }
        files = {
            f"sources/{pair}.txt": _lines([row["source"] for row in items]),
            f"documents/{pair}.docs": _lines([f"study\t{row['name']}" for row in items]),
        }
        if all(row["reference"] is not None for row in items):
            files[f"references/{pair}.refA.txt"] = _lines([row["reference"] for row in items])
        for system in systems:
            texts = [outputs.get((row["segment"], system), "") for row in items]
            files[f"system-outputs/{pair}/{system.replace('/', '_')}.txt"] = _lines(texts)
        return files | _scores(study, pair, systems, items)


def _scores(study: Study, pair: str, systems: list[str], items: list[sqlite3.Row]) -> dict[str, str]:
    judgments = read_judgments(str(study.path)).oriented()
    files = {}
    for kind in judgments.kinds:
        scores = judgments.segment_scores(kind, segments=len(items), systems=systems)
        rows = [
            f"{system}\t{'None' if value != value else repr(value)}"
            for system in systems
            for value in scores[system].tolist()
        ]
        means = judgments.system_scores(kind, systems=systems)
        files[f"human-scores/{pair}.{kind.lower()}.seg.score"] = "\n".join(rows) + "\n"
        files[f"human-scores/{pair}.{kind.lower()}.sys.score"] = (
            "\n".join(f"{system}\t{'None' if value != value else repr(value)}" for system, value in means.items())
            + "\n"
        )
    return files


def _lines(texts: list[str]) -> str:
    return "".join(" ".join(text.splitlines()) + "\n" for text in texts)

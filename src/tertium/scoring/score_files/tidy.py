"""Our own table: a line per score, with the columns system, segment (from 1), metric and score.

Without the column segment, scores are of whole systems.
"""

from tertium.corpus.records import read_table
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import number_in

_COLUMNS = ("system", "segment", "metric", "score")


class Tidy(ScoreForm):
    """TSV, or as the suffix says. What nothing else takes is taken for this."""

    name = "tidy"
    holds = f"a table with a header: {', '.join(_COLUMNS)}"
    takes_name = False

    def recognises(self, file: ScoreFile) -> bool:
        """Always: its errors say what was expected."""
        return True

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return a score per line."""
        path, kind = file.path, file.kind
        table = read_table(path, kind, warn=warn)
        missing = [name for name in _COLUMNS if name not in table.columns]
        of_systems = missing == ["segment"]
        if missing and not of_systems:
            raise InputError(
                f"{path} has the columns {', '.join(table.columns) or 'none'}, but {', '.join(missing)} "
                f"{'is' if len(missing) == 1 else 'are'} missing. Begin it with a header: {' '.join(_COLUMNS)}, "
                f"separated by {'commas' if kind == 'csv' else 'tabs'}; or name a column of numbers: {path}:COLUMN."
            )
        if not len(table):
            raise InputError(f"{path} holds no score below its header.")
        columns = {"segment": ["0"] * len(table)} | dict(table.columns)
        rows = zip(*(columns[name] for name in _COLUMNS), table.lines, strict=True)
        return [
            ImportedScore(
                system.strip(),
                0 if of_systems else segment_in(segment, f"{path}, line {line:,}"),
                metric.strip(),
                number_in(score.strip(), f"{path}, line {line:,}"),
                line,
            )
            for system, segment, metric, score, line in rows
        ]


def segment_in(text: str, where: str) -> int:
    """Return the number of a segment."""
    text = text.strip()
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"{where}: the segment is '{text}', but segments are numbered from 1, as lines are.")
    return int(text)

"""mt-metrics-eval's `METRIC.seg.score`: a line per segment, the system and its score, system by system."""

from pathlib import Path

from tertium.corpus.records import read_fields
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import number_in

_SUFFIX = ".seg.score"


class SegmentScores(ScoreForm):
    """Lines without a header; the file's name, or NAME=, is the metric."""

    name = "seg.score"
    holds = "mt-metrics-eval's METRIC.seg.score: a system and a score on each line"

    def recognises(self, file: ScoreFile) -> bool:
        """Whether it is called so."""
        return file.column is None and file.path.endswith(_SUFFIX)

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return the scores; None is missing."""
        metric = file.name or Path(file.path).name.removesuffix(_SUFFIX)
        seen: dict[str, int] = {}
        found = []
        for number, fields in read_fields(file.path, warn=warn, split=str.split):
            where = f"{file.path}, line {number:,}"
            if len(fields) != 2:
                raise InputError(f"{where} has {len(fields)} fields, but a system and a score were expected.")
            system, score = fields
            seen[system] = seen.get(system, 0) + 1
            if score != "None":
                found.append(ImportedScore(system, seen[system], metric, number_in(score, where), number))
        return found

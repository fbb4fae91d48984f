"""COMET's JSON, as `comet-score --to_json` writes it: a list of segments for each file of translations.

    {"north.txt": [{"src": "…", "mt": "…", "ref": "…", "COMET": 0.81}, …], "south.txt": […]}

xCOMET adds the spans it marked, with severities; they become a second metric, the sum of their weights.
"""

import re
from collections.abc import Iterable
from typing import Any

from tertium.corpus.formats import stem_of
from tertium.corpus.json_files import read_json
from tertium.errors import InputError, UnknownNameError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import number_in, weight_of

_SCORE = "COMET"


class Comet(ScoreForm):
    """One object of JSON: systems by file, segments in order."""

    name = "comet"
    holds = "COMET's --to_json: segments by file, with xCOMET's spans"

    def recognises(self, file: ScoreFile) -> bool:
        """Whether it is an object whose first value is a list of objects (or an empty one)."""
        if re.search(r"\.(jsonl|ndjson)(\.|$)", file.path):
            return False
        return re.match(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*(\{|\]\s*[,}])', file.start) is not None

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return the scores, and the weights of spans where there are any; NAME= is the metric."""
        field = file.column or _SCORE
        metric = file.name or field
        found = []
        for system, index, segment in segments_in(file.path, warn):
            where = f"{file.path}, segment {index:,} of {system}"
            if field not in segment:
                raise UnknownNameError.of(f"field of {where}", field, segment)
            found.append(ImportedScore(system, index, metric, number_in(segment[field], where), index))
            if isinstance(errors := segment.get("errors"), list):
                weight = weight_of(errors, where)
                found.append(ImportedScore(system, index, f"{metric}-errors", weight, index, errors=errors))
        return found


def segments_in(path: str, warn: Warn) -> Iterable[tuple[str, int, dict[str, Any]]]:
    """Return system, number from 1 and fields of every segment, system by system."""
    contents = read_json(path, warn=warn)
    stems = [stem_of(name) for name in contents]
    for name, stem in zip(contents, stems, strict=True):
        system = stem if stems.count(stem) == 1 else name
        if not isinstance(contents[name], list):
            raise InputError(f"{path}: '{name}' is no list, but the segments of a system were expected.")
        for index, segment in enumerate(contents[name], start=1):
            if not isinstance(segment, dict):
                raise InputError(f"{path}, segment {index:,} of {system} is {str(segment)[:40]}, not an object.")
            yield system, index, segment

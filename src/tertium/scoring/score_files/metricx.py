"""MetricX's JSON lines: source, hypothesis, reference and prediction; 0 to 25 errors, so lower is better.

Files made for its evaluation say system_id and segment_id (counted from 0), too.
"""

from tertium.corpus.json_files import read_objects
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import number_in

_METRIC = "MetricX"


class MetricX(ScoreForm):
    """A line per segment; NAME= is the system, unless the lines say it."""

    name = "metricx"
    holds = "MetricX's JSON lines, with predictions"

    def recognises(self, file: ScoreFile) -> bool:
        """Whether the first line has a hypothesis and a prediction."""
        return file.column in (None, "prediction") and {"hypothesis", "prediction"} <= set(file.record)

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return a score per line."""
        named = "system_id" in file.record
        numbered = "segment_id" in file.record
        if named and not numbered:
            raise InputError(
                f"{file.path} has a system_id, but no segment_id: which segments are these? Add it, from 0."
            )
        found = []
        for index, (where, line) in enumerate(read_objects(file.path, warn=warn), start=1):
            for key in ("prediction", *["system_id"] * named, *["segment_id"] * numbered):
                if key not in line:
                    raise InputError(f"{where} has no {key}, but the first line has.")
            segment = index
            if numbered:
                place = line["segment_id"]
                if not isinstance(place, int) or isinstance(place, bool) or place < 0:
                    raise InputError(f"{where}: segment_id is {place!r:.40}, but MetricX counts segments from 0.")
                segment = place + 1
            system = str(line["system_id"]) if named else file.system
            score = number_in(line["prediction"], where, "the prediction")
            found.append(ImportedScore(system, segment, _METRIC, score, index))
        if numbered and min(one.segment for one in found) > 1:
            warn(f"{file.path}: no segment_id is 0. MetricX counts from 0, so the first one is taken for line "
                 f"{min(one.segment for one in found):,}.")  # fmt: skip
        return found

"""WMT25's automatic scores, a file per system: documents on lines, each with a list of numbers per metric.

    {"language_pair": "en-is_IS", "domain": "news", "document_id": "…", "metric_scores": {"XCOMET-XL": [0.72, …], …}}

Paragraphs are numbered through, in the order of the lines. MetricX is turned round there: it is below 0, and higher is
better.
"""

from typing import Any

from tertium.corpus.json_files import read_objects
from tertium.errors import InputError, UnknownNameError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import number_in


class WMT25(ScoreForm):
    """A line per document; COLUMN is the language pair, NAME= the system."""

    name = "wmt25"
    holds = "WMT25's automatic scores: documents with metric_scores; FILE:en-cs_CZ takes a language pair"

    def recognises(self, file: ScoreFile) -> bool:
        """Whether the first line has scores by metric."""
        return "metric_scores" in file.record

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return a score per paragraph and metric, of one language pair."""
        documents = list(read_objects(file.path, warn=warn))
        pairs = list(dict.fromkeys(str(document.get("language_pair")) for _, document in documents))
        if file.column is not None and file.column not in pairs:
            raise UnknownNameError.of(f"language pair of {file.path}", file.column, pairs)
        if file.column is None and len(pairs) > 1:
            raise InputError(
                f"{file.path} has scores for {len(pairs)} language pairs. Name one: {file.path}:{pairs[0]}. It has: "
                f"{', '.join(pairs)}."
            )
        found: list[ImportedScore] = []
        segments = 0
        for number, (where, document) in enumerate(documents, start=1):
            if file.column in (None, str(document.get("language_pair"))):
                lists = _lists(document.get("metric_scores"), where)
                name = str(document.get("document_id", number))
                for metric, scores in lists.items():
                    found += [
                        ImportedScore(file.system, segments + k, metric, number_in(score, where), number, name)
                        for k, score in enumerate(scores, start=1)
                    ]
                segments += len(next(iter(lists.values())))
        return found


def _lists(scores: Any, where: str) -> dict[str, list[Any]]:
    """Return the lists of a document, if they are equally long."""
    if not isinstance(scores, dict) or not scores or not all(isinstance(one, list) for one in scores.values()):
        raise InputError(f"{where}: metric_scores must be an object with a list of numbers for each metric.")
    lengths = {metric: len(one) for metric, one in scores.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{count:,} of {metric}" for metric, count in lengths.items())
        raise InputError(f"{where}: a score per paragraph was expected, but there are {listed}.")
    return scores

"""Scores of whole systems, without texts: mt-metrics-eval's `METRIC.sys.score`, and what WMT's metrics tasks asked for.

A line of the former is a system and its score. A line of the latter is the metric, the language pair, the test set,
from 2020 on the reference, the system and its score; before, two words on the metric follow.
"""

import re
from pathlib import Path

from tertium.corpus.records import read_fields
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.numbers import number_in

_SUFFIX = re.compile(r"\.sys\.score(\.(gz|bz2|xz|zst))?$")
_PAIR = re.compile(r"[a-z]{2,3}(_\w+)?-[a-z]{2,3}(_\w+)?")
_REFERENCES = ("ref", "src", "newstest", "human")  # how the fourth word of six begins, which is no system


class SystemScores(ScoreForm):
    """Lines without a header; NAME= is the metric, FILE:en-de the language pair, where a file has several."""

    name = "sys.score"
    holds = "scores of systems: METRIC.sys.score of mt-metrics-eval, or of WMT's metrics tasks"

    def recognises(self, file: ScoreFile) -> bool:
        """Whether it is called so."""
        return _SUFFIX.search(file.path) is not None

    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Return a score per system; None is missing."""
        stem = _SUFFIX.sub("", Path(file.path).name)
        found: list[ImportedScore] = []
        pairs: dict[str, None] = {}
        for number, fields in read_fields(file.path, warn=warn, split=str.split):
            where = f"{file.path}, line {number:,}"
            metric, pair, system, score = _taken(fields, stem, where)
            pairs[pair] = None
            if score != "None" and file.column in (None, pair):
                found.append(ImportedScore(system, 0, file.name or metric, number_in(score, where), number))
        known = [pair for pair in pairs if pair]
        if file.column is None and len(known) > 1:
            raise InputError(
                f"{file.path} has scores of {', '.join(known)}. Say which language pair: {file.path}:{known[0]}."
            )
        if file.column is not None and file.column not in known:
            raise InputError(f"{file.path} has no scores of {file.column}, but of {', '.join(known) or 'one pair'}.")
        return found


def _taken(fields: list[str], stem: str, where: str) -> tuple[str, str, str, str]:
    """Return metric, language pair, system and score of a line."""
    if len(fields) == 2:
        return stem, "", fields[0], fields[1]
    if len(fields) >= 5 and _PAIR.fullmatch(fields[1]):
        metric, pair = fields[:2]
        of_2020 = len(fields) == 6 or fields[3].lower().startswith(_REFERENCES)
        rest = fields[4:] if of_2020 else fields[3:]
        return metric, pair, rest[0], rest[1]
    raise InputError(
        f"{where} has {len(fields)} fields, but a system and its score were expected; or metric, language pair, test "
        "set, reference, system and score."
    )

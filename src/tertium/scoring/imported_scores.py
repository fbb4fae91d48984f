"""Scores of other programs, joined to our own: COMET, a judge, a person."""

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.errors import InputError
from tertium.files.reading import whole
from tertium.metrics.base import Floats
from tertium.metrics.imported import Imported
from tertium.scoring.scores import Scores

_COLUMNS = ("system", "segment", "metric", "score")


@dataclass(frozen=True)
class ImportedScore:
    """A score, and where it was read."""

    system: str
    segment: int  # from 1
    metric: str
    score: float
    line: int


def read_scores(path: str) -> list[ImportedScore]:
    """Read a table with the columns system, segment (from 1), metric and score; TSV, or CSV by its suffix."""
    try:
        text = whole(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, byte {error.start + 1:,} is not UTF-8. Convert the file first.") from None
    is_csv = path.endswith(".csv")
    lines = text.split("\n")
    reader = csv.reader(
        lines, delimiter="," if is_csv else "\t", quoting=csv.QUOTE_MINIMAL if is_csv else csv.QUOTE_NONE
    )
    header = [name.strip() for name in next(reader, [])]
    missing = [name for name in _COLUMNS if name not in header]
    if missing:
        raise InputError(
            f"{path} has the columns {', '.join(header) or 'none'}, but {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing. Begin it with a header: {' '.join(_COLUMNS)}, "
            f"separated by {'commas' if is_csv else 'tabs'}."
        )
    places = [header.index(name) for name in _COLUMNS]
    scores = []
    for record in reader:
        if not record or record == [""]:
            continue
        where = f"{path}, line {reader.line_num:,}"
        if len(record) <= max(places):
            raise InputError(f"{where} has {len(record)} columns, but the header has {len(header)}.")
        system, segment, metric, score = (record[place].strip() for place in places)
        scores.append(ImportedScore(system, _whole(segment, where), metric, _number(score, where), reader.line_num))
    if not scores:
        raise InputError(f"{path} holds no score below its header.")
    return scores


def _whole(text: str, where: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"{where}: the segment is '{text}', but segments are numbered from 1, as lines are.")
    return int(text)


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(
            f"{where}: the score is '{text}', but a finite number was expected. Score that segment again, or leave the "
            "metric out."
        )
    return value


def joined(
    scores: Scores,
    imported: Iterable[ImportedScore],
    *,
    name: str = "the imported scores",
    lower_is_better: Sequence[str] = (),
    warn: Callable[[str], None] = lambda message: None,
) -> Scores:
    """Return scores with further metrics: every system must have a score of every one for every segment."""
    columns = _columns(scores, imported, name, warn)
    for metric in lower_is_better:
        if metric not in columns:
            raise InputError(f"{name} has no metric called '{metric}'. Known: {', '.join(columns)}.")
    metrics = dict(scores.metrics)
    totals = {system: dict(by) for system, by in scores.totals.items()}
    rows = {system: dict(by) for system, by in (scores.kept_rows or {}).items()}
    documents = {system: dict(by) for system, by in scores.document_totals.items()}
    for metric, by_system in columns.items():
        metrics[metric] = Imported(name=metric, higher_is_better=metric not in lower_is_better)
        for system, values in by_system.items():
            block = np.column_stack([values, np.ones(len(values))])
            rows[system][metric] = block
            totals[system][metric] = block.sum(axis=0)
            if scores.document_positions is not None:
                sums = np.zeros((len(scores.document_names or ()), 2))
                np.add.at(sums, scores.document_positions, block)
                documents[system][metric] = sums
    return replace(scores, metrics=metrics, totals=totals, kept_rows=rows, document_totals=documents)


def _columns(
    scores: Scores, imported: Iterable[ImportedScore], name: str, warn: Callable[[str], None]
) -> dict[str, dict[str, Floats]]:
    if scores.kept_rows is None:
        raise InputError("The rows were not kept, so no scores can be joined to them.")
    found: dict[str, dict[str, Floats]] = {}
    others: Counter[str] = Counter()
    for one in imported:
        if one.system not in scores.systems:
            others[one.system] += 1
            continue
        if one.metric in scores.metrics:
            raise InputError(f"{name} has a metric called '{one.metric}', but that is computed here too. Rename it.")
        if one.segment > scores.segment_count:
            raise InputError(
                f"{name}, line {one.line:,}: there is no segment {one.segment:,}, only {scores.segment_count:,}."
            )
        values = found.setdefault(one.metric, {}).setdefault(one.system, np.full(scores.segment_count, np.nan))
        if not np.isnan(values[one.segment - 1]):
            raise InputError(
                f"{name}, line {one.line:,}: a second {one.metric} score of system '{one.system}' for segment "
                f"{one.segment:,}."
            )
        values[one.segment - 1] = one.score
    if others:
        warn(f"{name} has scores of {', '.join(others)}, which is not compared; they were left out.")
    if not found:
        raise InputError(f"{name} has no score of {', '.join(scores.systems)}.")
    _check_complete(scores, found, name)
    return found


def _check_complete(scores: Scores, found: Mapping[str, Mapping[str, Floats]], name: str) -> None:
    for metric, by_system in found.items():
        for system in scores.systems:
            if system not in by_system:
                raise InputError(f"{name} has no {metric} score of system '{system}'. Add them, or leave {metric} out.")
            gaps = np.flatnonzero(np.isnan(by_system[system]))
            if len(gaps):
                raise InputError(
                    f"{name} has no {metric} score of system '{system}' for segment {gaps[0] + 1:,}"
                    f"{f' and {len(gaps) - 1:,} more' if len(gaps) > 1 else ''} of {scores.segment_count:,}. Systems "
                    "can be compared only on the same segments: add the scores."
                )

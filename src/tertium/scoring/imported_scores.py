"""Scores of other programs: COMET, a judge, a person. One table of them, for `compare`, `correlate` and `rank`."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.corpus.formats import kind_of
from tertium.corpus.records import read_table
from tertium.corpus.segments import MOST_SEGMENTS
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.metrics.base import Floats
from tertium.metrics.imported import Imported
from tertium.scoring.scores import Scores
from tertium.scoring.tally import Tally

_COLUMNS = ("system", "segment", "metric", "score")


@dataclass(frozen=True)
class ImportedScore:
    """A score, and where it was read."""

    system: str
    segment: int  # from 1
    metric: str
    score: float
    line: int


@dataclass(frozen=True, eq=False)
class ImportedScores:
    """Scores of other programs that come by level: `tables[metric][level][system]`, NaN where there is none."""

    systems: tuple[str, ...]
    segment_count: int
    tables: Mapping[str, Mapping[str, Mapping[str, Floats]]]
    lower_is_better: frozenset[str] = frozenset()
    documents: Sequence[str] | None = None

    @property
    def short_signatures(self) -> dict[str, str]:
        """Nothing is known of how other programs' scores were made."""
        return {}

    def head(self) -> dict[str, Any]:
        """Return what is known of the metrics."""
        return {
            "metrics": [
                {"metric": name, "signature": None, "higher_is_better": name not in self.lower_is_better}
                for name in self.tables
            ]
        }


def read_scores(path: str, *, warn: Warn = lambda message: None) -> list[ImportedScore]:
    """Read a table with the columns system, segment (from 1), metric and score; TSV, or as its suffix says."""
    kind = kind_of(path, "score")
    table = read_table(path, kind if kind in ("csv", "jsonl", "parquet") else "tsv", warn=warn)
    missing = [name for name in _COLUMNS if name not in table.columns]
    if missing:
        raise InputError(
            f"{path} has the columns {', '.join(table.columns) or 'none'}, but {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing. Begin it with a header: {' '.join(_COLUMNS)}, "
            f"separated by {'commas' if kind == 'csv' else 'tabs'}."
        )
    if not len(table):
        raise InputError(f"{path} holds no score below its header.")
    rows = zip(*(table.columns[name] for name in _COLUMNS), table.lines, strict=True)
    return [
        ImportedScore(
            system.strip(),
            _whole(segment.strip(), path, line),
            metric.strip(),
            _number(score.strip(), path, line),
            line,
        )
        for system, segment, metric, score, line in rows
    ]


def _whole(text: str, path: str, line: int) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise InputError(
            f"{path}, line {line:,}: the segment is '{text}', but segments are numbered from 1, as lines are."
        )
    return int(text)


def _number(text: str, path: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(
            f"{path}, line {line:,}: the score is '{text}', but a finite number was expected. Score that segment "
            "again, or leave the metric out."
        )
    return value


def arranged(
    imported: Iterable[ImportedScore],
    name: str,
    *,
    segments: int | None = None,
    at_least: int = 0,
    lower_is_better: Sequence[str] = (),
    systems: Sequence[str] | None = None,
    warn: Warn = lambda message: None,
) -> ImportedScores:
    """Arrange scores of other programs; a score that is missing is left out, not refused, for not all is judged.

    `segments` is how many there are, if that is known; else as many as the scores, or `at_least`, say.
    """
    scores = list(imported)
    count = segments if segments is not None else max(at_least, *(one.segment for one in scores))
    if count > MOST_SEGMENTS:
        raise InputError(
            f"{name} or the judgments speak of segment {count:,}, beyond the {MOST_SEGMENTS:,} that fit in memory."
        )
    tables: dict[str, dict[str, dict[str, Floats]]] = {}
    others: dict[str, int] = {}
    for one in scores:
        if systems is not None and one.system not in systems:
            others[one.system] = others.get(one.system, 0) + 1
            continue
        if one.segment > count:
            raise InputError(f"{name}, line {one.line:,}: there is no segment {one.segment:,}, only {count:,}.")
        by_system = tables.setdefault(one.metric, {"segment": {}})["segment"]
        if one.system not in by_system:
            by_system[one.system] = np.full(count, np.nan)
        values = by_system[one.system]
        if not np.isnan(values[one.segment - 1]):
            raise InputError(
                f"{name}, line {one.line:,}: a second {one.metric} score of system '{one.system}' for segment "
                f"{one.segment:,}."
            )
        values[one.segment - 1] = one.score
    if others:
        warn(f"{name} has {sum(others.values()):,} scores of {', '.join(others)}, which was not given; left out.")
    if not tables:
        raise InputError(f"{name} has no score of {', '.join(systems or ())}.")
    known = tuple(dict.fromkeys(system for by in tables.values() for system in by["segment"]))
    return ImportedScores(tuple(systems or known), count, tables, frozenset(lower_is_better))


def joined(scores: Scores, imported: ImportedScores, *, name: str = "the imported scores") -> Scores:
    """Return scores with further metrics: every system must have a score of every one for every segment."""
    if scores.kept_rows is None:
        raise InputError("The rows were not kept, so no scores can be joined to them.")
    for metric in imported.lower_is_better:
        if metric not in imported.tables:
            raise InputError(f"{name} has no metric called '{metric}'. Known: {', '.join(imported.tables)}.")
    metrics = dict(scores.metrics)
    further = Tally({}, keep_rows=True)
    rows: dict[str, dict[str, Floats]] = {system: {} for system in scores.systems}
    for metric, by_level in imported.tables.items():
        if metric in metrics:
            raise InputError(f"{name} has a metric called '{metric}', but that is computed here too. Rename it.")
        metrics[metric] = Imported(name=metric, higher_is_better=metric not in imported.lower_is_better)
        for system in scores.systems:
            values = _complete(by_level["segment"].get(system), metric, system, name)
            rows[system][metric] = np.column_stack([values, np.ones(len(values))])
    positions, names = scores.document_positions, scores.document_names
    documents = None if positions is None or names is None else [names[place] for place in positions.tolist()]
    further.add(rows, documents=documents)
    added = further.scores(named=scores.named, reference_count=scores.reference_count)

    def both(ours: Any, theirs: Any) -> dict[str, dict[str, Floats]]:
        return {system: {**by_label, **theirs[system]} for system, by_label in (ours or {}).items()}

    return replace(
        scores,
        metrics=metrics,
        totals=both(scores.totals, added.totals),
        kept_rows=both(scores.kept_rows, added.kept_rows),
        document_totals=both(scores.document_totals, added.document_totals),
    )


def _complete(values: Floats | None, metric: str, system: str, name: str) -> Floats:
    if values is None:
        raise InputError(f"{name} has no {metric} score of system '{system}'. Add them, or leave {metric} out.")
    gaps = np.flatnonzero(np.isnan(values))
    if len(gaps):
        raise InputError(
            f"{name} has no {metric} score of system '{system}' for segment {gaps[0] + 1:,}"
            f"{f' and {len(gaps) - 1:,} more' if len(gaps) > 1 else ''} of {len(values):,}. Systems can be compared "
            "only on the same segments: add the scores."
        )
    return values

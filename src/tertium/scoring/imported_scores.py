"""Scores of other programs: COMET, a judge, a person. One table of them, for `compare`, `correlate` and `rank`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.corpus.segments import MOST_SEGMENTS
from tertium.errors import Argument, InputError, Message
from tertium.files.lines import Warn
from tertium.metrics.base import Floats
from tertium.metrics.imported import Imported
from tertium.scoring.directions import counts_errors
from tertium.scoring.scores import Scores, Tally


@dataclass(frozen=True)
class ImportedScore:
    """A score, and where it was read."""

    system: str
    segment: int  # from 1; 0: of the whole system
    metric: str
    score: float
    line: int
    document: str | None = None
    errors: Sequence[Mapping[str, Any]] | None = None  # what was marked, if the score is what that weighs


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


def arranged(
    imported: Iterable[ImportedScore],
    name: str,
    *,
    segments: int | None = None,
    at_least: int = 0,
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    systems: Sequence[str] | None = None,
    warn: Warn = lambda message: None,
) -> ImportedScores:
    """Arrange scores of other programs; a score that is missing is left out, not refused, for not all is judged.

    `segments` is how many there are, if that is known; else as many as the scores, or `at_least`, say. Metrics that are
    known to count errors do so unless `higher_is_better` names them.
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
        level, size = ("segment", count) if one.segment else ("system", 1)
        by_system = tables.setdefault(one.metric, {}).setdefault(level, {})
        if one.system not in by_system:
            by_system[one.system] = np.full(size, np.nan)
        values, place = by_system[one.system], max(one.segment - 1, 0)
        if not np.isnan(values[place]):
            of = f" for segment {one.segment:,}" if one.segment else " as a whole (is a column 'segment' missing?)"
            raise InputError(f"{name}, line {one.line:,}: a second {one.metric} score of system '{one.system}'{of}.")
        values[place] = one.score
    if others:
        warn(f"{name} has {sum(others.values()):,} scores of {', '.join(others)}, which was not given; left out.")
    if not tables:
        raise InputError(
            f"{name} has no score of {', '.join(systems or ())}, but of {', '.join(others)}. Name systems as it does: "
            "NAME=FILE."
        )
    lower = _lower(tables, lower_is_better, higher_is_better, name, warn)
    documents: dict[int, str] = {}
    for one in scores:
        if one.document is not None and documents.setdefault(one.segment, one.document) != one.document:
            raise InputError(
                f"{name}, line {one.line:,}: segment {one.segment:,} of system '{one.system}' is of document "
                f"{one.document}, but elsewhere it is of {documents[one.segment]}. Put documents in the same order, "
                "with as many segments each."
            )
    named = [documents.get(k) for k in range(1, count + 1)]
    known = tuple(dict.fromkeys(system for by in tables.values() for some in by.values() for system in some))
    return ImportedScores(
        tuple(systems or known), count, tables, lower, None if None in named else [str(one) for one in named]
    )


def _lower(
    tables: Mapping[str, Mapping[str, Mapping[str, Floats]]],
    lower: Sequence[str],
    higher: Sequence[str],
    name: str,
    warn: Warn,
) -> frozenset[str]:
    """Return the metrics of which less is better: those named, and those known to count errors."""
    for metric in higher:
        if metric in lower:
            raise InputError(f"'{metric}' cannot be both lower is better and higher is better.")
        if metric not in tables:
            raise InputError(f"{name} has no metric called '{metric}'. Known: {', '.join(tables)}.")
    found = set(lower)
    for metric, by_level in tables.items():
        values = np.concatenate([values for by_system in by_level.values() for values in by_system.values()])
        if metric not in (*lower, *higher) and counts_errors(metric, values):
            say = Argument("higher_is_better", metric)
            told = f"{metric} counts errors, so lower is better. If the scores in {name} are turned round, say "
            warn(Message(told, say, "."))
            found.add(metric)
    return frozenset(found)


def scores_of(imported: ImportedScores, *, name: str = "the imported scores") -> Scores:
    """Return scores of nothing but other programs' metrics: systems are compared by them alone."""
    for metric in imported.lower_is_better:
        _check_known(metric, imported, name)
    metrics = {metric: _metric(metric, imported) for metric in imported.tables}
    tally = Tally(metrics, keep_rows=True)
    rows: dict[str, dict[str, Floats]] = {system: {} for system in imported.systems}
    for metric, by_level in imported.tables.items():
        for system in imported.systems:
            rows[system][metric] = _rows(by_level, metric, system, name)
    tally.add(rows, documents=imported.documents)
    return tally.scores(named=True, reference_count=0)


def _metric(name: str, imported: ImportedScores) -> Imported:
    return Imported(name=name, higher_is_better=name not in imported.lower_is_better)


def _rows(by_level: Mapping[str, Mapping[str, Floats]], metric: str, system: str, name: str) -> Floats:
    if "segment" not in by_level:
        raise InputError(
            f"{name} has {metric} scores of whole systems only. Systems are compared on segments: give scores of "
            f"segments, or leave {metric} out."
        )
    values = _complete(by_level["segment"].get(system), metric, system, name)
    return np.column_stack([values, np.ones(len(values))])


def _check_known(metric: str, imported: ImportedScores, name: str) -> None:
    if metric not in imported.tables:
        raise InputError(f"{name} has no metric called '{metric}'. Known: {', '.join(imported.tables)}.")


def joined(scores: Scores, imported: ImportedScores, *, name: str = "the imported scores") -> Scores:
    """Return scores with further metrics: every system must have a score of every one for every segment."""
    if scores.kept_rows is None:
        raise InputError("The rows were not kept, so no scores can be joined to them.")
    for metric in imported.lower_is_better:
        _check_known(metric, imported, name)
    metrics = dict(scores.metrics)
    further = Tally({}, keep_rows=True)
    rows: dict[str, dict[str, Floats]] = {system: {} for system in scores.systems}
    for metric, by_level in imported.tables.items():
        if metric in metrics:
            raise InputError(f"{name} has a metric called '{metric}', but that is computed here too. Rename it.")
        metrics[metric] = _metric(metric, imported)
        for system in scores.systems:
            rows[system][metric] = _rows(by_level, metric, system, name)
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

"""Scores of some systems, by some metrics, or of some segments: what is left out without deleting files."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import numpy as np

from tertium.judgments import Judgments
from tertium.meta.score_grid import GridSource, ScoreSources
from tertium.scoring.imported_scores import ImportedScores
from tertium.scoring.scores import Scores


def of_systems(scores: GridSource, kept: Collection[str]) -> GridSource:
    """Return the scores of some systems."""
    return _part_by_part(scores, lambda part: _of_systems(part, kept))


def of_metrics(scores: GridSource, kept: Collection[str]) -> GridSource | None:
    """Return the scores by some metrics; nothing where there is none."""
    parts = scores.parts if isinstance(scores, ScoreSources) else (scores,)
    found = [part for part in (_of_metrics(part, kept) for part in parts) if part is not None]
    if len(found) < 2:
        return found[0] if found else None
    return ScoreSources(tuple(found))


def of_segments(scores: GridSource, inside: Any, domain: int | None = None) -> GridSource:
    """Return the scores of the segments `inside` (a mask): others have none.

    Scores of whole systems are made of those segments; or, where a table has scores by domain, are those of the
    `domain` at this place.
    """
    return _part_by_part(scores, lambda part: _of_segments(part, inside, domain))


def judged_inside(judgments: Judgments, inside: Any) -> Judgments:
    """Return the judgments of segments `inside` (a mask); judgments of wholes are left out."""
    places = np.clip(judgments.segment - 1, 0, len(inside) - 1)
    return judgments[(judgments.segment > 0) & np.asarray(inside)[places]]


def _part_by_part(scores: GridSource, made: Callable[[Any], Any]) -> GridSource:
    if isinstance(scores, ScoreSources):
        return ScoreSources(tuple(made(part) for part in scores.parts))
    return made(scores)  # type: ignore[no-any-return]


def _of_systems(part: Scores | ImportedScores, kept: Collection[str]) -> Scores | ImportedScores:
    if isinstance(part, ImportedScores):
        return replace(part, systems=tuple(name for name in part.systems if name in kept))
    return replace(
        part,
        totals=_some(part.totals, kept),
        kept_rows=None if part.kept_rows is None else _some(part.kept_rows, kept),
        document_totals=_some(part.document_totals, kept),
    )


def _some(by_name: dict[str, Any], kept: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in by_name.items() if name in kept}


def _of_metrics(part: Scores | ImportedScores, kept: Collection[str]) -> Scores | ImportedScores | None:
    if isinstance(part, ImportedScores):
        tables = _some(dict(part.tables), kept)
        return replace(part, tables=tables, lower_is_better=part.lower_is_better & set(tables)) if tables else None
    metrics = _some(part.metrics, kept)
    if not metrics:
        return None
    each = {"totals": part.totals, "kept_rows": part.kept_rows, "document_totals": part.document_totals}
    fields = {
        field: None if by_system is None else {system: _some(found, kept) for system, found in by_system.items()}
        for field, by_system in each.items()
    }
    return replace(part, metrics=metrics, **fields)  # type: ignore[arg-type]  # None stays None


def _of_segments(part: Scores | ImportedScores, inside: Any, domain: int | None) -> Scores | ImportedScores:
    if isinstance(part, ImportedScores):
        tables = {}
        for metric, levels in part.tables.items():
            found = {"segment": {name: np.where(inside, one, np.nan) for name, one in levels["segment"].items()}
                     } if "segment" in levels else {}  # fmt: skip
            if domain is not None and "domain" in levels:
                found["system"] = {name: one[domain : domain + 1] for name, one in levels["domain"].items()}
            tables[metric] = found
        return replace(part, tables=tables)
    assert part.kept_rows is not None
    rows = {
        system: {label: np.where(inside[:, None], one, np.nan) for label, one in by_label.items()}
        for system, by_label in part.kept_rows.items()
    }
    return replace(part, kept_rows=rows)

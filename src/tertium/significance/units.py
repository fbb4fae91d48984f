"""What is drawn or swapped as a whole: a segment, or a document with all its segments."""

import numpy as np

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.metrics.base import Floats
from tertium.scoring.scores import Scores

UNITS = ("segment", "document")


def usual_unit(scores: Scores, unit: str | None) -> str:
    """Return the unit asked for; if none is, segments, or documents where segments were made by alignment.

    A cut that is wrong spoils both of its neighbours, so segments of a document that was cut do not err independently.
    """
    if unit is not None:
        return unit
    return "document" if scores.resegmented and len(scores.document_names or ()) > 1 else "segment"


def check_unit(scores: Scores, unit: str, *, least: int = 2) -> None:
    """Refuse scores that have too few units, or rows that are no numbers."""
    if unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    if unit == "document" and scores.document_names is None:
        raise InputError(
            Argument("unit", unit), " needs document ids: give ", Argument("documents"), ", one id per segment."
        )
    if scores.kept_rows is None:
        raise InputError("The rows were not kept, so nothing can be resampled. Score with tertium.score.")
    count = scores.segment_count if unit == "segment" else len(scores.document_names or ())
    if count < least:
        raise InputError(
            f"There {'is only one' if count == 1 else 'is no'} {unit}, but chance needs at least two: what one {unit} "
            "says of others cannot be told from it alone."
        )
    for system, by_label in scores.kept_rows.items():
        for label, rows in by_label.items():
            if not np.isfinite(rows).all():
                segment = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0]) + 1
                raise InputError(f"{label} of system '{system}' is no finite number at segment {segment:,}.")


def unit_rows(scores: Scores, system: str, label: str, unit: str) -> Floats:
    """Return (units, columns)."""
    assert scores.kept_rows is not None
    rows = scores.kept_rows[system][label] if unit == "segment" else scores.document_totals[system][label]
    return np.ascontiguousarray(rows, np.float64)

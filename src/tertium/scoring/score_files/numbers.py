"""Numbers in files of other programs, checked; and errors that were marked, weighed."""

import json
import math
from typing import Any

from tertium.errors import InputError

# What an error costs in xCOMET's paper and for WMT's judges that mark errors, critical ones included.
SEVERITIES = {"minor": 1.0, "major": 5.0, "critical": 10.0}


def number_in(value: Any, where: str, what: str = "the score") -> float:
    """Return a finite number, whether it stands as one or as a text."""
    try:
        found = math.nan if isinstance(value, bool) or value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise InputError(
            f"{where}: {what} is '{str(value)[:40]}', but a finite number was expected. Score that segment again, or "
            "leave the metric out."
        )
    return found


def errors_in(text: str) -> list[Any] | None:
    """Return the errors that a cell lists as JSON; None if it is something else."""
    if not text.startswith("["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def weight_of(errors: list[Any], where: str) -> float:
    """Return what marked errors add up to: objects with a severity."""
    total = 0.0
    for error in errors:
        severity = str(error.get("severity", "none")).lower() if isinstance(error, dict) else "none"
        if severity not in SEVERITIES:
            raise InputError(
                f"{where}: an error has the severity '{severity[:40]}', but {', '.join(SEVERITIES)} were expected."
            )
        total += SEVERITIES[severity]
    return total

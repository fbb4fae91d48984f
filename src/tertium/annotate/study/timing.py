"""Active time: the gaps between what somebody did, a minute each at most, while the page was in sight."""

from collections.abc import Sequence
from typing import Any

LONGEST_GAP = 60_000  # milliseconds; after a minute without a key or a pointer, somebody is elsewhere
KINDS = ("open", "act", "hide", "show", "save", "done", "edit")
MOST = 400  # entries of one save


def checked_trace(value: Any) -> list[list[Any]]:
    """Return a trace, [milliseconds since the page was opened, what happened, …], without what makes no sense."""
    if not isinstance(value, list):
        return []
    return [
        entry
        for entry in value[:MOST]
        if isinstance(entry, list)
        and 2 <= len(entry) <= 5
        and isinstance(entry[0], int)
        and 0 <= entry[0] < 10**12
        and entry[1] in KINDS
    ]


def ticked(clock: dict[str, Any] | None, session: str, trace: Sequence[Sequence[Any]]) -> tuple[dict[str, Any], int]:
    """Return where the clock stands after a trace, and how many active milliseconds that adds.

    The client's clock is monotonic within a session; a new session or a step back starts anew and adds nothing.
    """
    if clock is None or clock["session"] != session:
        clock = {"session": session, "at": None, "seen": True}
    at, seen, active = clock["at"], clock["seen"], 0
    for entry in trace:
        if at is not None and entry[0] >= at and seen and entry[1] != "open":
            active += min(entry[0] - at, LONGEST_GAP)
        at = entry[0] if at is None or entry[1] == "open" else max(at, entry[0])
        seen = entry[1] != "hide"
    return {"session": session, "at": at, "seen": seen}, active

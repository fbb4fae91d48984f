"""What campaigns write behind a document's name: whose output it is, and whether it counts."""

import re
from dataclasses import dataclass

TUTORIAL = re.compile(r"(^|[-_.#])tutorial", re.IGNORECASE)
_MARKS = (
    (re.compile(r"dup(licate)?\d*"), "duplicate"),
    (re.compile(r"bad\d*"), "degraded"),
    (re.compile(r"incomplete\d*"), "incomplete"),
)


@dataclass(frozen=True)
class DocumentName:
    """A document's own name, and why its items do not count, if there is a reason."""

    name: str
    mark: str | None


def parsed(text: str, system: str) -> DocumentName:
    """Cut what stands behind `#`: `news.7#Mill#bad2` is the document `news.7`, degraded, if the system is Mill."""
    if TUTORIAL.search(text) or TUTORIAL.search(system):
        return DocumentName(text, "tutorial")
    name, *rest = text.split("#")
    found: list[str] = []
    for part in rest:
        mark = next((mark for pattern, mark in _MARKS if pattern.fullmatch(part)), None)
        if mark is not None:
            found.append(mark)
        elif not any(one == part or one.endswith(f".{part}") for one in {system, *re.split(r"[+\n]", system)}):
            name += f"#{part}"
    first = next((mark for _, mark in _MARKS if mark in found), None)  # a degraded duplicate is a duplicate
    return DocumentName(name, first)

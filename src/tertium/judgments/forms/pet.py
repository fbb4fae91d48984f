"""PET's results (`.per`): outputs that were post-edited, how long that took, and what editors said of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.etree import ElementTree

import numpy as np

from tertium.errors import InputError
from tertium.files.lines import Lines
from tertium.judgments.details import UNKNOWN, Details
from tertium.judgments.forms.columns import tell_marked
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.labels import Ints, Labels
from tertium.judgments.segment_ids import Names, named
from tertium.judgments.table import Judgments
from tertium.metrics import TER

_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:,(\d+))?")


@dataclass(frozen=True)
class _Edit:
    unit: str
    system: str
    rater: str | None
    output: str
    edited: str
    seconds: float
    mark: str | None
    assessments: dict[str, float]


class PET(Form):
    """Units with an output (MT) and what became of it (PE): HTER and the time at work; assessments are further kinds.

    Of several revisions the last counts; what an editor called impossible does not.
    """

    name = "pet"
    holds = "PET's results, .per: post-edited outputs, editing times, assessments"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the name ends in .per, or it is an XML file of jobs with units."""
        return file.path.endswith(".per") or ("<job " in file.head and "<unit " in file.head)

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read post-edits and measure how far each output is from its own."""
        edits = list(_edits(_job(path, reading), path, reading))
        if not edits:
            raise InputError(f"{path} holds no output that was post-edited.")
        metric = TER()
        scores = metric.score(metric.statistics([edit.output for edit in edits], [[edit.edited] for edit in edits]))
        parts = [_table(edits, "hter", [float(score) for score in scores], reading)]
        for kind in dict.fromkeys(name for edit in edits for name in edit.assessments):
            some = [edit for edit in edits if kind in edit.assessments]
            parts.append(_table(some, kind, [edit.assessments[kind] for edit in some], reading))
        judgments = replace(Judgments.joined(parts), lower_is_better=frozenset({"hter"}))
        if judgments.marked is not None:
            tell_marked(judgments.marked.mark, path, reading.warn)
        if not len(judgments):
            raise InputError(f"{path} holds no judgment that counts.")
        return reading.placed(judgments, path)


def _table(edits: list[_Edit], kind: str, scores: list[float], reading: Reading) -> Judgments:
    segment, segment_ids = _segments([edit.unit for edit in edits], reading)
    everything = Judgments.of(
        system=[edit.system for edit in edits],
        segment=segment,
        segment_ids=segment_ids,
        rater=[edit.rater for edit in edits],
        kind=kind,
        score=scores,
        details=Details.of(
            len(edits), seconds=[edit.seconds for edit in edits], length=[len(edit.output) for edit in edits]
        ),
    )
    mark = Labels.of([edit.mark for edit in edits])
    apart = mark.codes >= 0
    return everything[~apart].with_marked(everything[apart], mark[apart]) if apart.any() else everything


def _segments(units: list[str], reading: Reading) -> tuple[Ints, Names]:
    """Return units as numbers if they all are, else as names."""
    if all(unit.isdecimal() for unit in units):
        return np.array([int(unit) + 1 - reading.first_segment for unit in units], np.int64), None
    return named(units)


def _job(path: str, reading: Reading) -> ElementTree.Element:
    try:
        return ElementTree.fromstring("\n".join(Lines(path, warn=reading.warn, crlf_is_usual=True)).encode())
    except ElementTree.ParseError as error:
        raise InputError(f"{path}, line {error.position[0]:,} is no XML ({error}).") from None


def _edits(job: ElementTree.Element, path: str, reading: Reading) -> Iterator[_Edit]:
    skipped = 0
    for unit in job.iter("unit"):
        output = unit.find("MT")
        annotations = unit.findall(".//annotation")
        name = unit.get("id", "")
        if output is None or not annotations:
            skipped += 1
            continue
        last = max(range(len(annotations)), key=lambda at: (_number(annotations[at].get("r")), at))
        for place, annotation in enumerate(annotations):
            edited = annotation.find("PE")
            if edited is None:
                raise InputError(f"{path}: the unit '{name}' has an annotation without a post-edited text (PE).")
            flags = {one.get("id"): (one.text or "").strip() for one in annotation.findall("indicator")}
            impossible = flags.get("impossible", "false") == "true"
            yield _Edit(
                unit=name,
                system=output.get("producer") or "MT",
                rater=edited.get("producer"),
                output=output.text or "",
                edited=edited.text or "",
                seconds=_seconds(flags.get("editing")),
                mark="impossible" if impossible else None if place == last else "replaced",
                assessments=_assessments(annotation),
            )
    if skipped:
        reading.warn(f"{path}: {skipped:,} units have no output or were not edited; they were left out.")


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _seconds(text: str | None) -> float:
    """Read a time such as 1m12s,875; what follows the comma are milliseconds."""
    found = _TIME.fullmatch(text or "")
    if not text or found is None:
        return UNKNOWN
    hours, minutes, seconds, rest = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds + rest / 1000


def _assessments(annotation: ElementTree.Element) -> dict[str, float]:
    """Return answers that begin with a number, as those on a scale do: `4. No modification was performed`."""
    found = {}
    for one in annotation.findall("assessment"):
        number = re.match(r"\s*(-?\d+(?:\.\d+)?)\b", one.findtext("score") or "")
        if number and one.get("id"):
            found[str(one.get("id"))] = float(number[1])
    return found

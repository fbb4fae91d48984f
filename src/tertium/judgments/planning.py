"""How many judgments a study needs: from the variances of a pilot to segments, documents and raters.

The difference of two systems' means, over n segments in d documents with k judgments of each output, has the variance

    2 * (system_document / d + rater / (d k) + system_segment / n + error / (n k))

What is due to systems is what is looked for; what is due to documents and segments alone hits both systems and cancels.
Raters are given whole documents, so a strict one pulls a document down; where the same rater judges both systems side
by side, that cancels too.
"""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

from tertium.errors import InputError
from tertium.judgments.components import Components, Judged
from tertium.results import Result
from tertium.significance.power import POWER, detectable_difference
from tertium.significance.sampling import check_share

# Where every output was judged once, what is particular to an output cannot be told from error: half each is assumed.
_SPLIT = 0.5
_MOST = 1e9  # of segments in a document, and of what is squared to give the segments of a study


@dataclass(frozen=True)
class Need(Result):
    """What finds a difference with the power that was asked for, by so many judgments of each output."""

    raters: int
    segments: int
    documents: int
    judgments: int  # of each system
    detectable: float | None  # with as many segments as the pilot has

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {
            "raters_per_output": self.raters, "segments": self.segments, "documents": self.documents,
            "judgments_per_system": self.judgments, "detectable_with_the_pilots_segments": self.detectable,
        }  # fmt: skip


@dataclass(frozen=True)
class StudyPlan(Result):
    """What a study must be like to find a difference, and what the pilot could find itself."""

    judged: Judged
    difference: float
    power: float
    level: float
    segments_per_document: float
    same_rater: bool
    detectable: float | None  # by the pilot
    needs: tuple[Need, ...]
    one_by_one: int  # segments needed, by one rater, if each came from a document of its own
    assumed: bool  # that what is particular to an output and error are equally large

    @property
    def cheapest(self) -> Need:
        """The design with the fewest judgments."""
        return min(self.needs, key=lambda need: (need.judgments, need.raters))

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium annotate plan --format json` prints."""
        one = self.judged
        return {
            "kind": one.kind,
            "pilot": {"judgments": one.judgments, "systems": one.systems, "documents": one.documents,
                      "segments": one.segments, "raters": one.raters, "detectable": self.detectable},
            "components": one.components.to_dict(),
            "assumed_split": self.assumed,
            "difference": self.difference, "power": self.power, "level": self.level,
            "segments_per_document": self.segments_per_document, "same_rater": self.same_rater,
            "segments_from_a_document_each": self.one_by_one,
            "needs": [need.to_dict() for need in self.needs],
        }  # fmt: skip


def standard_error(
    parts: Components, *, segments: float, documents: float | None = None, raters: float = 1, same_rater: bool = False
) -> float:
    """Return the standard error of the difference of two systems' means."""
    parts = split(parts)
    documents = segments if documents is None else documents
    rater = 0.0 if same_rater else parts.rater or 0.0
    by_document = ((parts.system_document or 0.0) + rater / raters) / documents
    by_segment = ((parts.system_segment or 0.0) + parts.error / raters) / segments
    return math.sqrt(2 * (by_document + by_segment))


def split(parts: Components) -> Components:
    """Return components that tell an output's own part from error; where nothing is known, half is taken for each."""
    if parts.system_segment is not None:
        return parts
    return replace(parts, system_segment=_SPLIT * parts.error, error=(1 - _SPLIT) * parts.error)


def planned(
    judged: Judged,
    difference: float,
    *,
    power: float = POWER,
    level: float = 0.05,
    segments_per_document: float | None = None,
    most_raters: int = 3,
    same_rater: bool = False,
) -> StudyPlan:
    """Return what finds a difference between two systems, by one to `most_raters` judgments of each output."""
    if not (math.isfinite(difference) and difference > 0):
        raise InputError(f"The difference to be found must be above 0, not {difference:g}.")
    for name, value in (("power", power), ("level", level)):
        check_share(f"The {name}", value)
    parts = judged.components
    usual = judged.segments / judged.documents if judged.documents else 1.0
    size = usual if segments_per_document is None else segments_per_document
    if not 1 <= size <= _MOST:
        raise InputError(f"A document has at least one segment and at most {_MOST:g}, not {size:g}.")
    ratio = (NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(power)) / difference

    def count(raters: int, per_document: float) -> int:
        one = standard_error(parts, segments=1, documents=1 / per_document, raters=raters, same_rater=same_rater)
        if not one * ratio < _MOST:
            raise InputError(f"A difference of {difference:g} is too small to be found: no study is large enough.")
        return max(2, math.ceil((one * ratio) ** 2 - 1e-9))

    def found_by(raters: int) -> float | None:
        documents = judged.segments / size
        error = standard_error(
            parts, segments=judged.segments, documents=documents, raters=raters, same_rater=same_rater
        )
        return detectable_difference(error, level=level, power=power)

    needs = []
    for raters in range(1, most_raters + 1):
        segments = count(raters, size)
        needs.append(Need(raters, segments, math.ceil(segments / size), segments * raters, found_by(raters)))
    copies = judged.judgments / max(judged.systems * judged.segments, 1)
    pilot = standard_error(
        parts, segments=judged.segments * min(copies, 1.0), documents=(judged.documents or judged.segments),
        raters=max(copies, 1.0), same_rater=same_rater,
    )  # fmt: skip
    return StudyPlan(
        judged, difference, power, level, size, same_rater, detectable_difference(pilot, level=level, power=power),
        tuple(needs), count(1, 1.0), parts.system_segment is None,
    )  # fmt: skip

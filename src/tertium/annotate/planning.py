"""What a study costs and what it can show, before anybody has judged anything."""

import math
from dataclasses import dataclass

from tertium.annotate.study.building import Design, Material, check_study, columns_of
from tertium.annotate.study.lists import check_people
from tertium.annotate.study.tasks import word_count
from tertium.judgments.components import Components
from tertium.judgments.planning import standard_error
from tertium.significance.power import detectable_difference

# Variances of judgments in shares of the scale, measured in the published ESA campaign on WMT23 English–German (13
# systems, 33 raters, 2,691 judgments): how a system does on a document, raters, and the rest. Two systems' scores of a
# segment then differ with a standard deviation of 27.5 of 100. Other scales are taken to spread alike, which nobody has
# measured.
MEASURED = Components(
    system=0.00699, document=0.00173, segment=0.00178, rater=0.00409, system_document=0.00914, system_segment=None,
    error=0.02469,
)  # fmt: skip
SPREAD = 0.275


@dataclass(frozen=True)
class Plan:
    """Hours for each person, judgments in all, and the difference that is found with a probability of 80 %."""

    judgments: int
    annotators: int
    hours_each: float
    hours: float
    difference: float | None
    scale: tuple[float, float]
    kind: str
    pairwise: bool
    lists: int | None = None  # how many people can have one, where lists are fixed

    def told(self) -> str:
        """Return it in sentences."""
        text = (
            f"{self.judgments:,} judgments by {self.annotators or 'any number of'} "
            f"annotator{'' if self.annotators == 1 else 's'}: about {_hours(self.hours)} in all"
        )
        text += f", {_hours(self.hours_each)} each." if self.annotators else "."
        if self.lists is not None and self.lists < self.annotators:
            text += f"\nOnly {self.lists} of them have something to do: a document with its outputs goes to one person."
        if self.difference is not None and not self.pairwise:
            text += (
                f"\nA difference of {self.difference:.1f} {self.kind} points between two systems is found with 80 % "
                f"(two-sided, 5 %, on a scale from {self.scale[0]:g} to {self.scale[1]:g})."
            )
        elif self.difference is not None:
            text += (
                f"\nA system that wins {50 + 50 * self.difference:.0f} % of the untied pairs is told apart with 80 %."
            )
        return text


def plan_of(material: Material, design: Design) -> Plan:
    """Return what a design costs and can show."""
    check_study(material, design)
    segments, systems = len(material.sources), len(material.systems)
    documents = len(set(material.documents)) if material.documents is not None else segments
    groups = -(-systems // columns_of(design.protocol, systems))
    lists = None
    if design.assignment == "lists":
        more = round(design.overlap * documents)
        check_people(
            len(design.annotators), groups, design.judgments_per_item + (more > 0), same_document=design.same_document
        )
        lists = groups * (documents * design.judgments_per_item + more)
    extra = 1 - min(design.control + design.repeats + design.reference_checks, 0.9)
    copies = design.judgments_per_item + design.overlap
    judgments = math.ceil(segments * systems * copies)
    words = sum(word_count(text) for texts in material.systems.values() for text in texts) * copies
    seconds = judgments * design.protocol.item_seconds + words * design.protocol.word_seconds
    hours = seconds / extra / 3600
    low, high = design.protocol.scale
    difference = detectable_difference(_noise(material, design) * (high - low)) if systems > 1 else None
    people = len(design.annotators)
    return Plan(
        judgments, people, hours / max(people, 1), hours, difference, (low, high), design.protocol.kinds[0],
        design.protocol.pairwise, lists,
    )  # fmt: skip


def _noise(material: Material, design: Design) -> float:
    """Return the standard error of a difference between two systems, in shares of the scale."""
    segments, copies = len(material.sources), design.judgments_per_item
    if design.protocol.pairwise:  # wins and losses: the most that a share can vary
        low, high = design.protocol.scale
        return math.sqrt((0.5 + 0.5 / copies) / segments) / (high - low)
    documents = len(set(material.documents)) if material.documents is not None else segments
    beside = getattr(design.protocol, "columns", 1) > 1  # who sees one output sees its rivals
    return standard_error(MEASURED, segments=segments, documents=documents, raters=copies, same_rater=beside)


def _hours(hours: float) -> str:
    minutes = max(1, round(hours * 60))
    return f"{minutes} minute{'' if minutes == 1 else 's'}" if hours < 1.5 else f"{hours:.1f} hours"

"""What a study costs and what it can show, before anybody has judged anything."""

import math
from dataclasses import dataclass

from tertium.annotate.study.building import Design, Material
from tertium.annotate.study.tasks import word_count
from tertium.significance.power import detectable_difference

# Standard deviation of the difference of two systems' scores of a segment, in shares of the scale: 27.5 of 100 in the
# published ESA campaign on WMT23 English–German (13 systems, one judgment per output, 78 pairs pooled; one pair alone:
# 17 to 41). Other scales are taken to spread alike, which nobody has measured.
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

    def told(self) -> str:
        """Return it in sentences."""
        text = (
            f"{self.judgments:,} judgments by {self.annotators or 'any number of'} "
            f"annotator{'' if self.annotators == 1 else 's'}: about {_hours(self.hours)} in all"
        )
        text += f", {_hours(self.hours_each)} each." if self.annotators else "."
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
    material.check(design.protocol)
    segments, systems = len(material.sources), len(material.systems)
    extra = 1 - min(design.control + design.repeats + design.reference_checks, 0.9)
    copies = design.judgments_per_item + design.overlap
    judgments = math.ceil(segments * systems * copies)
    words = sum(word_count(text) for texts in material.systems.values() for text in texts) * copies
    seconds = judgments * design.protocol.item_seconds + words * design.protocol.word_seconds
    hours = seconds / extra / 3600
    low, high = design.protocol.scale
    spread = 1.0 if design.protocol.pairwise else SPREAD * (high - low)
    # Several judgments of a segment average out the raters' share of the noise, assumed to be half of the variance.
    noise = spread * math.sqrt((0.5 + 0.5 / design.judgments_per_item) / segments)
    difference = detectable_difference(noise) if systems > 1 else None
    people = len(design.annotators)
    return Plan(
        judgments, people, hours / max(people, 1), hours, difference, (low, high), design.protocol.kinds[0],
        design.protocol.pairwise,
    )  # fmt: skip


def _hours(hours: float) -> str:
    return f"{hours * 60:.0f} minutes" if hours < 1.5 else f"{hours:.1f} hours"

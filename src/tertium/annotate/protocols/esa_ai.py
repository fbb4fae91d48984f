"""Error span annotation with spans filled in beforehand, which can be changed or removed. Zouhar et al. (2025)."""

from dataclasses import dataclass

from tertium.annotate.protocols.esa import ErrorSpans


@dataclass(frozen=True)
class PrefilledErrorSpans(ErrorSpans):
    """The spans as they were filled in stay in the study, so that over-reliance can be measured."""

    name = "esa-ai"
    kinds = ("ESA-AI",)
    prefilled = True
    item_seconds = 25

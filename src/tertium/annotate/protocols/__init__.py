"""The protocols there are, and how one is named with its settings: `adequacy:points=7`."""

from dataclasses import fields
from typing import Any

from tertium.annotate.protocols.adequacy import Adequacy
from tertium.annotate.protocols.base import Phase, Protocol
from tertium.annotate.protocols.cesa import ContrastiveErrorSpans
from tertium.annotate.protocols.comprehensibility import Comprehensibility
from tertium.annotate.protocols.da import DirectAssessment
from tertium.annotate.protocols.esa import ErrorSpans
from tertium.annotate.protocols.esa_ai import PrefilledErrorSpans
from tertium.annotate.protocols.mqm import MQM
from tertium.annotate.protocols.parts import Answer, Refused, Shown, checked_answer
from tertium.annotate.protocols.post_edit import PostEdit
from tertium.annotate.protocols.preference import Preference
from tertium.annotate.protocols.ranking import Ranking
from tertium.annotate.protocols.sqm import ScalarQuality
from tertium.errors import InputError, UnknownNameError

PROTOCOLS: tuple[type[Protocol], ...] = (
    Adequacy,
    Comprehensibility,
    DirectAssessment,
    ScalarQuality,
    ErrorSpans,
    PrefilledErrorSpans,
    ContrastiveErrorSpans,
    MQM,
    Ranking,
    Preference,
    PostEdit,
)

__all__ = ["PROTOCOLS", "Answer", "Phase", "Protocol", "Refused", "Shown", "checked_answer", "parse_protocol"]


def parse_protocol(text: str) -> Protocol:
    """Return a protocol from its name and settings, such as `esa`, `adequacy:points=7`, `mqm:typology=own.json`."""
    name, _, rest = text.partition(":")
    by_name = {protocol.name: protocol for protocol in PROTOCOLS}
    if name.lower() not in by_name:
        raise UnknownNameError.of("protocol", name, list(by_name))
    kind = by_name[name.lower()]
    known = {one.name: one for one in fields(kind)}
    settings: dict[str, Any] = {}
    for pair in rest.split(",") if rest else []:
        key, equals, value = pair.partition("=")
        if key not in known or not equals:
            raise UnknownNameError.of(f"setting of {name}", key, list(known) or ["none"])
        if known[key].type in ("int", int):
            if not value.isdecimal():
                raise InputError(f"{name}: {key} is a whole number, not '{value}'.")
            settings[key] = int(value)
        else:
            settings[key] = value
    return kind(**settings)

"""Tutorial screens: small items with known answers, shown first, answered with what was meant. Nobody is kept out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.annotate.protocols import Protocol
from tertium.annotate.words import words_of

CLOSE = 3  # characters by which an end of a span may differ
NEAR = 20  # points by which a score may differ


@dataclass(frozen=True)
class Step:
    """One screen of the tutorial: what it says, shows and expects of each output."""

    words: str
    source: str
    outputs: tuple[str, ...]
    expected: tuple[dict[str, Any], ...]


def steps(protocol: Protocol, language: str) -> list[Step]:
    """Return the tutorial of a protocol in the page's language; empty where there is none."""
    words = words_of(language)
    if "tutorial.esa.0" not in words or protocol.name not in ("esa", "esa-ai", "cesa", "mqm", "da", "sqm"):
        return []
    source, good = words["tutorial.source"], words["tutorial.good"]
    minor, minor_part = words["tutorial.minor"], words["tutorial.minor.part"]
    major, major_part = words["tutorial.major"], words["tutorial.major.part"]
    short = words["tutorial.short"]
    expected: tuple[tuple[str, dict[str, Any]], ...] = (
        (good, {"score": (85, 100), "spans": []}),
        (minor, {"score": (60, 99), "spans": [_span(minor, minor_part, "minor")]}),
        (major, {"score": (0, 75), "spans": [_span(major, major_part, "major")]}),
        (short, {"score": (0, 75), "spans": [{"side": "missing", "severity": "major"}]}),
    )
    marks = protocol.name in ("esa", "esa-ai", "cesa", "mqm")
    found = []
    for number, (text, rule) in enumerate(expected):
        answer = words[f"tutorial.esa.{number}.answer"]
        wanted = {"words": answer, **(rule if marks else {"score": rule["score"]})}
        if protocol.name == "mqm":
            wanted.pop("score")
        if protocol.outputs[0] == 1:
            found.append(Step(words[f"tutorial.esa.{number}"], source, (text,), (wanted,)))
        elif number:
            perfect = {"words": words["tutorial.esa.0.answer"], **expected[0][1]}
            found.append(Step(words[f"tutorial.esa.{number}"], source, (good, text), (perfect, wanted)))
    return found


def _span(text: str, part: str, severity: str) -> dict[str, Any]:
    start = text.index(part)
    return {"side": "target", "start": start, "end": start + len(part), "severity": severity}


def met(rule: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    """Whether an answer is what a tutorial's rule expects: score in its range, as many spans, each close to one."""
    if (
        "score" in rule
        and answer.get("score") is not None
        and not rule["score"][0] <= answer["score"] <= rule["score"][1]
    ):
        return False
    if "spans" not in rule:
        return True
    spans = answer.get("spans") or []
    return len(spans) == len(rule["spans"]) and all(any(_fits(want, span) for span in spans) for want in rule["spans"])


def _fits(wanted: Mapping[str, Any], span: Mapping[str, Any]) -> bool:
    if wanted["side"] == "missing":
        return span["side"] in ("missing", "source")
    return bool(
        span["side"] == wanted["side"]
        and span["severity"] == wanted["severity"]
        and abs(span["start"] - wanted["start"]) <= CLOSE
        and abs(span["end"] - wanted["end"]) <= CLOSE
    )

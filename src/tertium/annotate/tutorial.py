"""Tutorial screens: small items with known answers, shown first, answered with what was meant. Nobody is kept out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.annotate.protocols import Protocol
from tertium.annotate.words import words_of

CLOSE = 3  # characters by which an end of a span may differ


@dataclass(frozen=True)
class Step:
    """One screen of the tutorial: what it says, its sources with their outputs, and what it expects of each output."""

    words: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    expected: tuple[dict[str, Any], ...]


SCORED = ("da", "sqm")
MARKED = ("esa", "esa-ai", "cesa", "mqm")


def steps(protocol: Protocol, language: str) -> list[Step]:
    """Return the tutorial of a protocol in the page's language; empty where there is none.

    Perfect, a minor error, a major one, an omission, all at once without help, and a document; where outputs stand
    side by side, each beside a perfect one.
    """
    if protocol.name not in (*SCORED, *MARKED):
        return []
    words = words_of(language)
    kind = "esa" if protocol.name in MARKED else "score"
    source, good = words["tutorial.source"], words["tutorial.good"]
    lesson = _lessons(words)

    def said(key: str) -> str:
        return words.get(f"tutorial.{protocol.name}.{key}") or words[f"tutorial.{kind}.{key}"]

    def rule(number: int, score: tuple[int, int], spans: list[dict[str, Any]]) -> dict[str, Any]:
        wanted: dict[str, Any] = {"words": said(f"{number}.answer")}
        if protocol.name != "mqm":
            wanted["score"] = score
        if protocol.name in MARKED:
            wanted["spans"] = spans
        return wanted

    perfect = rule(0, (85, 100), [])
    beside = protocol.outputs[0] > 1
    found = []
    for number, (text, score, spans) in enumerate(lesson):
        wanted = rule(number, score, spans)
        told = said(str(number))
        if number == len(lesson) - 1:  # the document: its first sentence is perfect
            others = (words["tutorial.good.2"],) if beside else ()
            rows = ((source, (good,) * (1 + beside)), (words["tutorial.source.2"], (*others, text)))
            found.append(Step(told, rows, (perfect,) * (1 + 2 * beside) + (wanted,)))
        elif not beside:
            found.append(Step(told, ((source, (text,)),), (wanted,)))
        elif number:
            found.append(Step(told, ((source, (good, text)),), (perfect, wanted)))
    return found


def _lessons(words: Mapping[str, str]) -> list[tuple[str, tuple[int, int], list[dict[str, Any]]]]:
    """Return each lesson's text, the scores that are fine, and the errors in it."""
    slip, turn, both = words["tutorial.minor.part"], words["tutorial.major.part"], words["tutorial.both"]
    return [
        (words["tutorial.good"], (85, 100), []),
        (words["tutorial.minor"], (60, 99), [_span(words["tutorial.minor"], slip, "minor")]),
        (words["tutorial.major"], (0, 75), [_span(words["tutorial.major"], turn, "major")]),
        (words["tutorial.short"], (0, 75), [{"side": "missing", "severity": "major"}]),
        (both, (0, 70), [_span(both, turn, "major"), _span(both, slip, "minor")]),
        (words["tutorial.context"], (0, 90), [_span(words["tutorial.context"], words["tutorial.context.part"], None)]),
    ]


def _span(text: str, part: str, severity: str | None) -> dict[str, Any]:
    """Return an expected span; without a severity any will do."""
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
        and wanted["severity"] in (None, span["severity"])
        and abs(span["start"] - wanted["start"]) <= CLOSE
        and abs(span["end"] - wanted["end"]) <= CLOSE
    )

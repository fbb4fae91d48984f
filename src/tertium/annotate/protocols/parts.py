"""What a screen can ask of an output: a score, a choice, a rank, spans, a text. Each part checks its own answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tertium.annotate.typologies import Typology
from tertium.judgments.forms.span_json import is_number

Answer = dict[str, Any]
LONGEST_TEXT = 20_000  # characters of a post-edit
LONGEST_NOTE = 2_000
MOST_SPANS = 300
SIDES = ("source", "target", "missing")  # in which order marks are listed


class Refused(Exception):
    """An answer that no honest page sends; the message says what is wrong with it."""


@dataclass(frozen=True)
class Shown:
    """What an answer is about: the output as shown, its source, and how many outputs stand side by side."""

    target: str
    source: str
    places: int


@dataclass(frozen=True)
class Slider:
    """A number between two ends. It starts unset, and 0 is as good a value as any."""

    name: str
    low: float = 0
    high: float = 100
    step: float = 1
    anchors: tuple[tuple[float, str], ...] = ()  # values with the key of their words
    bands: tuple[tuple[float, str], ...] = ()  # from which value on which words hold
    shown_high: float | None = None  # what the page calls the upper end, where it shows another scale

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of an answer that belong to this part."""
        return (self.name,)

    def checked(self, value: Any, shown: Shown) -> float:
        """Return the value, or refuse it."""
        number = _number(self.name, value)
        steps = (number - self.low) / self.step
        if not self.low <= number <= self.high or abs(steps - round(steps)) > 1e-6:
            raise Refused(f"{self.name} goes from {self.low:g} to {self.high:g} in steps of {self.step:g}")
        return number

    def missing(self, answer: Answer) -> str | None:
        """Return the field that is not there yet."""
        return None if answer.get(self.name) is not None else self.name

    def described(self) -> Answer:
        """Return what the page needs to draw it."""
        return {
            "part": "slider", "name": self.name, "low": self.low, "high": self.high, "step": self.step,
            "anchors": self.anchors, "bands": self.bands, "shown_high": self.shown_high,
        }  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """One of several labelled values. `of_item`: asked once for all outputs beside each other."""

    name: str
    options: tuple[tuple[float, str], ...]  # values with the key of their words, as they are shown
    of_item: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of an answer that belong to this part."""
        return (self.name,)

    def checked(self, value: Any, shown: Shown) -> float:
        """Return the value, or refuse it."""
        number = _number(self.name, value)
        if number not in [known for known, _ in self.options]:
            raise Refused(f"{self.name} is one of {', '.join(f'{known:g}' for known, _ in self.options)}")
        return number

    def missing(self, answer: Answer) -> str | None:
        """Return the field that is not there yet."""
        return None if answer.get(self.name) is not None else self.name

    def described(self) -> Answer:
        """Return what the page needs to draw it."""
        return {"part": "choice", "name": self.name, "options": self.options, "of_item": self.of_item}


@dataclass(frozen=True)
class Rank:
    """The place of an output among those beside it: 1 is best, ties are allowed."""

    name: str = "rank"

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of an answer that belong to this part."""
        return (self.name,)

    def checked(self, value: Any, shown: Shown) -> float:
        """Return the value, or refuse it."""
        number = _number(self.name, value)
        if number != int(number) or not 1 <= number <= shown.places:
            raise Refused(f"{self.name} is a whole number from 1 to {shown.places}")
        return number

    def missing(self, answer: Answer) -> str | None:
        """Return the field that is not there yet."""
        return None if answer.get(self.name) is not None else self.name

    def described(self) -> Answer:
        """Return what the page needs to draw it."""
        return {"part": "rank", "name": self.name}


@dataclass(frozen=True)
class Spans:
    """Marked errors: code points of the text, the end exclusive, with severity and perhaps a category.

    A span is in the target, in the source, or `missing`: something the source says and the target does not, which
    has no place in it. `required_below`: a score under it needs a span; `advised_below`: the page asks once.
    """

    severities: tuple[str, ...] = ("minor", "major")
    typology: Typology | None = None
    sides: tuple[str, ...] = ("target", "source", "missing")
    overlapping: bool = False
    required_below: float | None = None
    advised_below: float | None = None

    fields: tuple[str, ...] = field(default=("spans",), init=False)

    def checked(self, value: Any, shown: Shown) -> list[Answer]:
        """Return the spans in order, or refuse them."""
        if not isinstance(value, list) or len(value) > MOST_SPANS:
            raise Refused(f"spans is a list of at most {MOST_SPANS}")
        spans = sorted(
            (self._span(span, shown) for span in value), key=lambda s: (SIDES.index(s["side"]), s["start"], s["end"])
        )
        if not self.overlapping:
            for one, two in pairwise(spans):
                if one["side"] == two["side"] != "missing" and two["start"] < one["end"]:
                    raise Refused("spans of one text overlap")
        return spans

    def _span(self, span: Any, shown: Shown) -> Answer:
        if not isinstance(span, Mapping) or set(span) - {
            "start",
            "end",
            "side",
            "severity",
            "category",
            "text",
            "note",
        }:
            raise Refused("a span has start, end, side, severity, category, text, note")
        side, severity, category = span.get("side", "target"), span.get("severity"), span.get("category")
        if side not in self.sides:
            raise Refused(f"side is one of {', '.join(self.sides)}")
        if severity is not None and severity not in self.severities:
            raise Refused(f"severity is one of {', '.join(self.severities)}")
        if category is not None and (self.typology is None or category not in self.typology.names):
            raise Refused("this category is not among those of the study")
        text = shown.source if side == "source" else shown.target
        start, end = span.get("start"), span.get("end")
        if side == "missing":
            start = end = len(shown.target)
        if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end <= len(text):
            raise Refused(f"start and end are code points within the text, which has {len(text)}")
        if side != "missing" and (start == end or span.get("text") != text[start:end]):
            raise Refused("the text of a span is not what stands between its start and end")
        note = _text("note", span.get("note") or "", LONGEST_NOTE)
        return {
            "start": start, "end": end, "side": side, "severity": severity, "category": category,
            "text": text[start:end], "note": note,
        }  # fmt: skip

    def missing(self, answer: Answer) -> str | None:
        """Return the field that is not there yet: a severity, a category, a note, or any span at all."""
        spans = answer.get("spans") or []
        for number, span in enumerate(spans):
            if span["severity"] is None:
                return f"spans.{number}.severity"
            if self.typology is not None:
                rule = self.typology.rule(span["category"])
                if rule is None or (rule.side is not None and span["side"] != rule.side):
                    return f"spans.{number}.category"
                if rule.needs_note and not span["note"].strip():
                    return f"spans.{number}.note"
        score = answer.get("score")
        if not spans and self.required_below is not None and score is not None and score < self.required_below:
            return "spans"
        return None

    def described(self) -> Answer:
        """Return what the page needs to draw it."""
        return {
            "part": "spans", "name": "spans", "severities": self.severities, "sides": self.sides,
            "typology": self.typology.described() if self.typology is not None else None,
            "overlapping": self.overlapping, "required_below": self.required_below, "advised_below": self.advised_below,
        }  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """The output, put right by hand; or the flags that it needs no change, or that it is beyond repair."""

    FLAGS = ("unchanged", "discarded")
    fields: tuple[str, ...] = field(default=("text", "flag", "keys"), init=False)

    def checked_fields(self, answer: Answer, shown: Shown) -> Answer:
        """Return the fields of this part that are there, or refuse them."""
        found: Answer = {}
        if answer.get("text") is not None:
            found["text"] = _text("text", answer["text"], LONGEST_TEXT)
        if answer.get("flag") is not None:
            if answer["flag"] not in self.FLAGS:
                raise Refused(f"flag is one of {', '.join(self.FLAGS)}")
            found["flag"] = answer["flag"]
        if answer.get("keys") is not None:
            found["keys"] = _counts(answer["keys"])
        return found

    def missing(self, answer: Answer) -> str | None:
        """Return the field that is not there yet."""
        if answer.get("flag") is not None or (answer.get("text") or "").strip():
            return None
        return "text"

    def described(self) -> Answer:
        """Return what the page needs to draw it."""
        return {"part": "edit", "name": "text", "flags": self.FLAGS}


Part = Slider | Choice | Rank | Spans | Edit


def checked_answer(parts: Sequence[Part], answer: Any, shown: Shown) -> Answer:
    """Return an answer with only fields that were asked for, each checked; refuse everything else."""
    if not isinstance(answer, Mapping):
        raise Refused("an answer is an object")
    known = {name for part in parts for name in part.fields} | {"comment"}
    for name in answer:
        if name not in known:
            raise Refused(f"nothing asked for {str(name)[:40]!r}")
    found: Answer = {}
    for part in parts:
        if isinstance(part, Edit):
            found |= part.checked_fields(dict(answer), shown)
        elif answer.get(part.fields[0]) is not None:
            found[part.fields[0]] = part.checked(answer[part.fields[0]], shown)
    if answer.get("comment"):
        found["comment"] = _text("comment", answer["comment"], LONGEST_NOTE)
    return found


def _number(name: str, value: Any) -> float:
    if not is_number(value):
        raise Refused(f"{name} is a number")
    return int(value) if value == int(value) else float(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(name: str, value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise Refused(f"{name} is a text of at most {longest:,} characters")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise Refused(f"{name} holds half a character")
    return value


def _counts(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping) or len(value) > 20:
        raise Refused("keys counts keystrokes by class")
    for name, count in value.items():
        if not isinstance(name, str) or len(name) > 20 or not _whole(count) or not 0 <= count < 1_000_000:
            raise Refused("keys counts keystrokes by class")
    return dict(value)

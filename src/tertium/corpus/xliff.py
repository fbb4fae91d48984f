"""XLIFF 1.2 and 2.x, read in a stream: segments with their source, target, state and alternatives.

`file.xlf:source` and `file.xlf:target` are the two sides. `file.xlf:alternative` is the first proposal that the file
keeps for a segment (of a machine, or of a memory), and `file.xlf:edited` is the target of those segments that have one:
what a translator made of it. `@final+signed-off` behind a column takes only segments in these states.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from tertium import _native
from tertium.corpus.readers import TextFile
from tertium.errors import InputError, UnknownNameError
from tertium.files.lines import Warn
from tertium.files.markup import Markup

COLUMNS = ("source", "target", "alternative", "edited")
_CODES = ("bpt", "ept", "it", "ph", "sub")  # what they hold is the document's code, not the translator's text
_UNITS = ("trans-unit", "unit")


@dataclass
class Side:
    """A text; in XLIFF 1.2 it may be marked in segments."""

    text: str = ""
    segments: dict[str, str] = field(default_factory=dict)


@dataclass
class Segment:
    """A segment as the file has it."""

    line: int
    source: str
    target: str | None
    state: str
    alternatives: list[str]


@dataclass
class _Unit:
    line: int
    source: Side | None = None
    marked_source: Side | None = None
    target: Side | None = None
    state: str = ""
    alternatives: list[tuple[str, Side]] = field(default_factory=list)  # with the segment each is for, if it says
    segments: list[tuple[str, Segment]] = field(default_factory=list)  # of XLIFF 2


class _Segments(Markup[Segment]):
    root = ("xliff",)
    what = "XLIFF"

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._unit: _Unit | None = None
        self._code = 0
        self._before = ""
        self._side: Side | None = None
        self._marks: list[
            tuple[str, str] | None
        ] = []  # of each <mrk> around: the segment it is, and the text before it
        self._for = ""  # what segment an alternative is for
        self._segment = ("", "", 0)  # of XLIFF 2: id, state, line
        self._parts: dict[str, str] = {}
        self._fixed = 0  # how many elements around are not to be translated

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _UNITS or (self._fixed and name == "group"):
            if self._fixed or attributes.get("translate") == "no":
                self._fixed += 1
            elif name in _UNITS:
                self._unit = _Unit(self.line)
            return
        if name == "group" and attributes.get("translate") == "no":
            self._fixed += 1
        if self._unit is None:
            return
        if name in ("alt-trans", "match"):
            self._for = attributes.get("mid") or attributes.get("ref", "").lstrip("#").rpartition("=")[2]
        elif name == "segment":
            self._segment = (attributes.get("id", ""), attributes.get("state", "initial"), self.line)
            self._parts = {}
        elif name in ("source", "target", "seg-source"):
            self._side = Side()
            if name == "target" and not self._in_alternative:
                self._unit.state = attributes.get("state", "")
            self.collect()
        elif self.collecting or self._code:
            self._begin_inline(name, attributes)

    @property
    def _in_alternative(self) -> bool:
        return "alt-trans" in self.open or "match" in self.open

    def _begin_inline(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _CODES:
            self._code += 1
            if self._code == 1:
                self._before = self.collected()
        elif name == "mrk" and not self._code:
            if attributes.get("mtype") == "seg":
                number = str(len(self._side.segments) if self._side else 0)
                self._marks.append((attributes.get("mid", number), self.collected()))
                self.collect()
            else:
                self._marks.append(None)
        elif name == "cp" and not self._code:
            self.add(self._control(attributes.get("hex", "")))

    def _control(self, digits: str) -> str:
        try:
            character = chr(int(digits, 16))
            character.encode()
        except (ValueError, OverflowError):
            raise self.error(f'has <cp hex="{digits[:20]}"/>, which is no character.') from None
        return character if character not in "\0\n" else " "

    def end(self, name: str) -> None:
        if self._fixed and (name in _UNITS or name == "group"):
            self._fixed -= 1
            return
        if self._unit is None:
            return
        if name in _CODES and self._code:
            self._code -= 1
            if not self._code:
                self.collect()
                self.add(self._before)
        elif name == "mrk" and self._marks and not self._code:
            if (mark := self._marks.pop()) is not None and self._side is not None:
                text = self.collected()
                self._side.segments[mark[0]] = text
                self.collect()
                self.add(mark[1] + text)
        elif name in ("source", "target", "seg-source") and self._side is not None:
            self._side.text = self.collected()
            self._keep(name, self._side)
            self._side = None
        elif name == "segment":
            self._end_segment()
        elif name in _UNITS:
            self.done += _of_unit(self._unit)
            self._unit = None

    def _keep(self, name: str, side: Side) -> None:
        assert self._unit is not None
        if self._in_alternative:
            if name == "target":
                self._unit.alternatives.append((self._for, side))
        elif "segment" in self.open:
            self._parts[name] = side.text
        elif "ignorable" in self.open:
            return
        elif name == "source":
            self._unit.source = side
        elif name == "seg-source":
            self._unit.marked_source = side
        else:
            self._unit.target = side

    def _end_segment(self) -> None:
        assert self._unit is not None
        number, state, line = self._segment
        if "source" not in self._parts:
            raise self.error("ends a <segment> without a <source>.")
        found = Segment(line, self._parts["source"], self._parts.get("target"), state, [])
        self._unit.segments.append((number, found))


def _of_unit(unit: _Unit) -> list[Segment]:
    """Return the segments of a unit, each with the alternatives that are for it."""
    if unit.segments:  # XLIFF 2
        for wanted, side in unit.alternatives:
            for number, segment in unit.segments:
                if wanted == number or len(unit.segments) == 1:
                    segment.alternatives.append(side.text)
        return [segment for _, segment in unit.segments]
    target = unit.target
    marked = unit.marked_source
    if marked is None or not marked.segments:
        alternatives = [side.text for _, side in unit.alternatives]
        source = unit.source.text if unit.source else ""
        return [Segment(unit.line, source, target.text if target else None, unit.state, alternatives)]
    found = []
    for number, text in marked.segments.items():
        alternatives = [
            side.segments.get(number, side.text)
            for wanted, side in unit.alternatives
            if wanted == number or number in side.segments
        ]
        translated = target.segments.get(number) if target else None
        found.append(Segment(unit.line, text, translated, unit.state, alternatives))
    return found


class XLIFFColumn(TextFile):
    """A side of the segments, of all or of those in some states."""

    def __init__(self, path: str, column: str, *, warn: Warn) -> None:
        self.path, self.column = path, column
        self._side, _, states = column.partition("@")
        if self._side not in COLUMNS:
            raise UnknownNameError.of(f"column of {path}", self._side, COLUMNS)
        self._states = (
            frozenset("" if state == "none" else state for state in states.split("+")) if states else frozenset()
        )
        self._segments = _Segments(path)
        self.name = self._segments.name
        self._warn = warn
        self._texts = self._chosen()

    def _chosen(self) -> Iterator[str]:
        seen: dict[str, int] = {}
        count = without = 0
        for segment in self._segments.items():
            seen[segment.state] = seen.get(segment.state, 0) + 1
            if self._states and segment.state not in self._states:
                continue
            count += 1
            if self._side in ("alternative", "edited") and (not segment.alternatives or segment.target is None):
                without += 1
                continue
            yield self._text(segment)
        for state in self._states - set(seen):
            known = [name or "none" for name in seen] or ["none"]
            raise UnknownNameError.of(f"state of segments in {self.name}", state or "none", known)
        if without == count and without:
            raise InputError(f"{self.name} keeps no alternatives (alt-trans, matches) for its {count:,} segments.")
        if without:
            self._warn(
                f"{self.name}: {without:,} of {count:,} segments have no alternative or no target, and are left out."
            )

    def _text(self, segment: Segment) -> str:
        if self._side == "source":
            return segment.source
        if self._side == "alternative":
            return segment.alternatives[0]
        if segment.target is None:
            raise InputError(
                f"{self.name}, line {segment.line:,}: this segment has no target"
                + (f" (state '{segment.state}')" if segment.state else "")
                + f". To leave such segments out, name the states to take: {self.path}:{self._side}@final+translated."
            )
        return segment.target

    def take(self, most: int) -> _native.Texts:
        """Return `most` further segments; fewer only at the end."""
        texts = list(islice(self._texts, most))
        self.taken += len(texts)
        return _native.flat_texts(texts, f"{self.name}:{self.column}")

    def again(self) -> "XLIFFColumn | None":
        """Return the texts from their beginning, unless it is standard input."""
        return None if self.path == "-" else XLIFFColumn(self.path, self.column, warn=lambda message: None)

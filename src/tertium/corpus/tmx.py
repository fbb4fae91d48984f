"""Translation memories in TMX, read in a stream: `memory.tmx:de` are the German texts, one segment per unit.

A language that a unit has twice gives that segment two texts. `de+en` are the German texts of those units that have
English, too; without that, a unit that lacks the language is refused, since what follows would be taken for another.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from tertium import _native
from tertium.corpus.readers import TextFile
from tertium.errors import InputError, UnknownNameError
from tertium.files.lines import Warn
from tertium.files.markup import Markup

_CODES = ("bpt", "ept", "it", "ph", "sub", "ut")  # what they hold is the document's code, not the translator's text
_FURTHER = re.compile("[A-Za-z]{2}|[A-Za-z]{4}|[0-9]{3}")  # a country, a script or a region


@dataclass
class Unit:
    """A translation unit: where it begins, and its texts by language."""

    line: int
    texts: dict[str, list[str]] = field(default_factory=dict)


class _Units(Markup[Unit]):
    root = ("tmx",)
    what = "a translation memory (TMX)"

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._unit: Unit | None = None
        self._language = ""
        self._code = 0  # how many elements with code are around
        self._before = ""  # the text before them

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "tu":
            self._unit = Unit(self.line)
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or ""
            if not self._language:
                raise self.error("has a <tuv> without a language (xml:lang).")
        elif name == "seg":
            if self._unit is None or "tuv" not in self.open:
                raise self.error("has a <seg> outside of any <tuv>.")
            self.collect()
        elif name in _CODES and (self.collecting or self._code):
            self._code += 1
            if self._code == 1:
                self._before = self.collected()

    def end(self, name: str) -> None:
        if name in _CODES and self._code:
            self._code -= 1
            if not self._code:
                self.collect()
                self.add(self._before)
        elif name == "seg" and self._unit is not None:
            self._unit.texts.setdefault(self._language, []).append(self.collected())
        elif name == "tu" and self._unit is not None:
            self.done.append(self._unit)
            self._unit = None


class TMXColumn(TextFile):
    """The texts of one language."""

    def __init__(self, path: str, column: str, *, warn: Warn) -> None:
        self.path, self.column = path, column
        self._wanted, *self._also = column.split("+")
        self._tags: dict[str, str] = {}  # which of a file's languages each of those is
        self._units = _Units(path)
        self.name = self._units.name
        self._warn = warn
        self._groups = self._chosen()

    def _chosen(self) -> Iterator[list[str]]:
        left_out = count = 0
        seen: dict[str, None] = {}
        for unit in self._units.items():
            count += 1
            seen |= dict.fromkeys(unit.texts)
            others = [self._texts(unit, language) for language in self._also]
            texts = self._texts(unit, self._wanted)
            if self._also and (texts is None or None in others):
                left_out += 1
            elif texts is None:
                raise self._lacking(unit)
            else:
                yield texts
        if self._wanted not in self._tags:
            raise UnknownNameError.of(f"language of {self.name}", self._wanted, list(seen)[:20] or ["none"])
        if left_out:
            self._warn(f"{self.name}: {left_out:,} of {count:,} units lack one of {self.column}, and are left out.")

    def _texts(self, unit: Unit, language: str) -> list[str] | None:
        """Return the texts in a language; `de` is also de-AT, unless there are others that it could be."""
        found = [tag for tag in unit.texts if _fits(language, tag)]
        exact = [tag for tag in found if tag.lower() == language.lower()]
        tags = exact or found
        if not tags:
            return None
        tag = self._tags.setdefault(language, tags[0])
        if len(tags) > 1 or tags[0] != tag:
            other = next(one for one in [*tags, *found] if one != tag)
            raise InputError(
                f"{self.name}, line {unit.line:,}: '{language}' could be {tag} or {other}. Name one of them."
            )
        return unit.texts[tag]

    def _lacking(self, unit: Unit) -> InputError:
        known = ", ".join(unit.texts) or "none"
        return InputError(
            f"{self.name}, line {unit.line:,}: this unit has no '{self._wanted}' (it has {known}). To leave such units "
            f"out, name the languages that units must have: {self.path}:{self._wanted}+OTHER."
        )

    def take(self, most: int) -> _native.Texts:
        """Return `most` further segments; fewer only at the end."""
        groups = list(islice(self._groups, most))
        self.taken += len(groups)
        return _native.grouped_texts(groups, f"{self.name}:{self.column}")

    def again(self) -> "TMXColumn | None":
        """Return the texts from their beginning, unless it is standard input."""
        return None if self.path == "-" else TMXColumn(self.path, self.column, warn=lambda message: None)


def _fits(language: str, tag: str) -> bool:
    wanted, found = language.lower(), tag.lower().replace("_", "-")
    wanted = wanted.replace("_", "-")
    if wanted == found:
        return True
    return found.startswith(f"{wanted}-") and all(
        _FURTHER.fullmatch(part) for part in found[len(wanted) + 1 :].split("-")
    )


def languages_of(path: str) -> list[str]:
    """Return the languages of the first units."""
    return list(dict.fromkeys(tag for unit in islice(_Units(path).items(), 50) for tag in unit.texts))

"""Abbreviations: words that keep the full stop behind them, where METEOR's normalizer splits text."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from tertium.errors import InputError
from tertium.text.lexicon.resources import meteor_files

OWN = ("cs", "de", "en", "es", "fr", "hi", "ru")  # the languages for which tertium has a list of its own
_BEFORE_NUMBERS = "#NUMERIC_ONLY#"


@dataclass(frozen=True)
class Abbreviations:
    """A list of abbreviations, some of which keep their full stop only before a number, as in "No. 7"."""

    name: str
    hash: str
    always: tuple[str, ...]
    before_numbers: tuple[str, ...]

    @classmethod
    def open(cls, language: str, *, resources: str | Path | None = None) -> "Abbreviations":
        """Return METEOR's list for a language, where it is found; else tertium's own; else an empty one."""
        found = meteor_files(resources)
        text = None if found is None or language not in OWN else found.read("nonbreaking", language)
        if found is not None and text is not None:
            return _listed(f"meteor-{language}", text, found.name)
        if language not in OWN:
            return _listed("none", b"", "")
        own = files("tertium") / "data" / "abbreviations" / f"{language}.txt"
        return _listed(f"tertium-{language}", own.read_bytes(), str(own))

    @property
    def mark(self) -> str:
        """What a signature says of the list."""
        return f"{self.name}@{self.hash}"


@lru_cache(maxsize=64)
def _listed(name: str, text: bytes, where: str) -> Abbreviations:
    try:
        lines: list[str] = text.removeprefix(b"\xef\xbb\xbf").decode().split("\n")
    except UnicodeDecodeError as error:
        number = text.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{where}, line {number:,}: a byte is not UTF-8, but a list of abbreviations must be."
        ) from None
    always: list[str] = []
    before_numbers: list[str] = []
    for line in (line.strip() for line in lines):
        if line.endswith(_BEFORE_NUMBERS):
            before_numbers.append(line.removesuffix(_BEFORE_NUMBERS).strip())
        elif line and not line.startswith("#"):
            always.append(line)
    return Abbreviations(name, sha256(text).hexdigest()[:12], tuple(always), tuple(before_numbers))

"""Where resources are found: METEOR's own files, names that were added, and what to say when something is missing.

METEOR's function words, non-breaking prefixes, synonyms and paraphrases are used where the user has them, never
copied. They are looked for in the place given (`METEOR(resources=…)`), in `TERTIUM_METEOR` (a directory or a jar), and
in an installed package pycocoevalcap.
"""

import json
import os
import zipfile
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from tertium.errors import InputError, UnknownNameError
from tertium.files.writing import unwritable, write_whole
from tertium.text.languages import LANGUAGES, language_code, language_name
from tertium.text.lexicon.cache import cache_directory

KINDS = {
    "function": "function/{}.words",
    "nonbreaking": "nonbreaking/{}.prefixes",
    "synsets": "synonym/{}.synsets",
    "exceptions": "synonym/{}.exceptions",
}
_SHORT = ("function", "nonbreaking")  # kept once they are read
_METEOR_CODES = {"cs": "cz", "sv": "se"}
_OTHER_LANGUAGES = ("de", "fr", "es", "cs", "ru")


@dataclass(frozen=True)
class MeteorFiles:
    """METEOR's resources, in a directory, in a jar, or in a directory that has the jar."""

    root: Path

    @property
    def name(self) -> str:
        """The directory or jar, for messages."""
        return str(self.root)

    def read(self, kind: str, language: str) -> bytes | None:
        """Return a file of one of `KINDS`, or None if it is not here for that language."""
        path, inside = self._place(kind, language)
        if path is None or inside is None:
            return None if path is None else path.read_bytes()
        return (
            _content(str(path), _time(path), inside) if kind in _SHORT else _content.__wrapped__(str(path), 0, inside)
        )

    def places(self, kind: str, language: str) -> tuple[Path, ...]:
        """Return the file or the jar that `read` would take, none if there is none."""
        path, _ = self._place(kind, language)
        return () if path is None else (path,)

    def _place(self, kind: str, language: str) -> tuple[Path | None, str | None]:
        wanted = KINDS[kind].format(language_name(language))
        if self.root.is_dir():
            for base in (self.root, self.root / "resources", self.root / "src"):
                if (base / wanted).is_file():
                    return base / wanted, None
        for jar in self._jars():
            if inside := _entries(str(jar), _time(jar)).get(wanted):
                return jar, inside
        return None, None

    def paraphrases(self, language: str) -> Path | None:
        """Return the paraphrase table of a language."""
        code = language_code(language)
        here = self.root if self.root.is_dir() else self.root.parent
        for each in {_METEOR_CODES.get(code, code): None, code: None}:
            for place in (here / "data", here):
                path = place / f"paraphrase-{each}.gz"
                if path.is_file():
                    return path
        return None

    def has_any(self) -> bool:
        """Tell whether there is any file of METEOR's."""
        kinds = any(self.places(kind, language) for kind in KINDS for language in ("en", *_OTHER_LANGUAGES))
        return kinds or any(self.paraphrases(language) for language in ("en", *_OTHER_LANGUAGES))

    def languages(self, kind: str) -> list[str]:
        """Return the languages that have a file of a kind, by code."""
        return [code for code in LANGUAGES if self.places(kind, code)]

    def _jars(self) -> list[Path]:
        return sorted(self.root.glob("meteor*.jar")) if self.root.is_dir() else [self.root]


@lru_cache(maxsize=32)
def _content(jar: str, time: int, inside: str) -> bytes:
    with zipfile.ZipFile(jar) as archive:
        return archive.read(inside)


def _time(path: Path) -> int:
    return path.stat().st_mtime_ns


@cache
def _entries(jar: str, time: int) -> dict[str, str]:
    """Return where in a jar the files of `KINDS` are: under `function/…`, wherever that is."""
    try:
        with zipfile.ZipFile(jar) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{jar} is no jar that can be read ({error}).") from None
    return {"/".join(PurePosixPath(name).parts[-2:]): name for name in names}


def meteor_files(resources: str | Path | None = None) -> MeteorFiles | None:
    """Return METEOR's own files: those given, or those found; None if there are none.

    An empty directory stands for none, so that an installed package is not used.
    """
    given = str(resources) if resources is not None else os.environ.get("TERTIUM_METEOR", "")
    if given:
        whose = "resources" if resources is not None else "TERTIUM_METEOR"
        if not Path(given).exists():
            raise InputError(f"{whose} names {given}, which does not exist. Give METEOR's directory or its jar.")
        files = MeteorFiles(Path(given))
        if Path(given).is_file() and not zipfile.is_zipfile(given):
            raise InputError(f"{whose} names {given}, which is neither a directory nor a jar.")
        hides = files.root.is_dir() and not any(files.root.iterdir())  # an empty directory: use nothing of METEOR's
        if not hides and not files.has_any():
            raise InputError(
                f"{whose} names {given}, but none of METEOR's files is there (function/english.words, "
                "synonym/english.synsets, data/paraphrase-en.gz, …). Give METEOR's directory or its jar."
            )
        return files
    package = _package_directory()
    return None if package is None else MeteorFiles(package)


def _package_directory() -> Path | None:
    try:
        found = find_spec("pycocoevalcap")
    except (ImportError, ValueError):
        return None
    for place in (found.submodule_search_locations or ()) if found else ():
        if (Path(place) / "meteor").is_dir():
            return Path(place) / "meteor"
    return None


def named_phrase_table(name: str) -> Path | None:
    """Return the file of a table by name: `meteor:LANGUAGE`, or what `tertium resources add` was told."""
    if name.startswith("meteor:"):
        files = meteor_files()
        return None if files is None else files.paraphrases(name.removeprefix("meteor:"))
    return added_path("paraphrases", name)


def added(kind: str) -> dict[str, Path]:
    """Return the names that the user gave to files of a kind."""
    return {name: Path(path) for name, path in _registry().get(kind, {}).items()}


def added_path(kind: str, name: str) -> Path | None:
    """Return the file that has a name, or None if none was given it."""
    path = added(kind).get(name)
    if path is not None and not path.exists():
        raise InputError(
            f"The {kind} '{name}' are those of {path}, which is no longer there. Add them again: "
            f"tertium resources add {kind} {name} PATH."
        )
    return path


def add(kind: str, name: str, path: Path) -> None:
    """Give a file a name."""
    registry = _registry()
    registry.setdefault(kind, {})[name] = str(path.resolve())
    place = _registry_path()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(place, error) from None
    write_whole(place, json.dumps(registry, indent=1))  # in ASCII, which spells file names that are no text too


def _registry_path() -> Path:
    return cache_directory() / "resources.json"


def _registry() -> dict[str, dict[str, str]]:
    try:
        registry = json.loads(_registry_path().read_text(encoding="utf-8"))
        if not isinstance(registry, dict) or not all(isinstance(names, dict) for names in registry.values()):
            raise ValueError("not names and their paths")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"{_registry_path()} cannot be read ({error}). Delete it, and add resources again.") from None
    return registry


_PROVIDERS = {
    "paraphrase table": (
        "Give the path of a table, or a name that 'tertium resources add' was told. METEOR's own is 'meteor:en': "
        "install it with 'pip install --no-deps pycocoevalcap', or set TERTIUM_METEOR to METEOR's directory or jar"
    ),
    "synonyms": (
        "Give 'wordnet' (English, built in), 'meteor:en' for METEOR's own files (set TERTIUM_METEOR to its directory "
        "or jar), or the path of a WordNet directory, a WN-LMF or OMW file, METEOR's .synsets file or a TSV"
    ),
}


def missing(kind: str, name: str) -> InputError | UnknownNameError:
    """Return the error for a resource that is not here, which says what provides it."""
    if name.startswith("meteor:"):
        were = "were" if kind == "synonyms" else "was"
        return InputError(f"METEOR's {kind} for '{name.removeprefix('meteor:')}' {were} not found. {_PROVIDERS[kind]}.")
    are = "are" if kind == "synonyms" else "is"
    return InputError(f"There {are} no {kind} '{name}': neither a file nor a known name. {_PROVIDERS[kind]}.")

"""The words of the page, one file per language. English has every key; a test holds the others to it."""

import json
from functools import lru_cache
from importlib.resources import files

from tertium.errors import UnknownNameError

LANGUAGES = ("en", "de", "cs", "zh", "hi")


@lru_cache(maxsize=8)
def words_of(language: str) -> dict[str, str]:
    """Return the words of the page in a language."""
    if language not in LANGUAGES:
        raise UnknownNameError.of("language of the page", language, LANGUAGES)
    text = (files("tertium.annotate.words") / f"{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found

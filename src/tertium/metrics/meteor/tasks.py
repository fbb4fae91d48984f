"""METEOR's parameters and modules by language and task, as its program has them."""

from typing import NamedTuple

from tertium.errors import InputError, UnknownNameError

MODULES = ("exact", "stem", "synonym", "paraphrase")
PARAMETERS = ("alpha", "beta", "gamma", "delta")
TASKS = ("rank", "adq", "hter", "li", "util", "universal", "tune")


class Tuned(NamedTuple):
    """What a task was tuned to: alpha, beta, gamma, delta, and the weights of modules."""

    parameters: tuple[float, float, float, float]
    weights: tuple[float, ...]


_RANK = {
    "en": Tuned((0.85, 0.20, 0.60, 0.75), (1.0, 0.6, 0.8, 0.6)),
    "cs": Tuned((0.95, 0.20, 0.60, 0.80), (1.0, 0.4)),
    "fr": Tuned((0.90, 1.40, 0.60, 0.65), (1.0, 0.2, 0.4)),
    "es": Tuned((0.65, 1.30, 0.50, 0.80), (1.0, 0.8, 0.6)),
    "de": Tuned((0.95, 1.00, 0.55, 0.55), (1.0, 0.8, 0.2)),
    "ru": Tuned((0.75, 1.40, 0.70, 0.50), (1.0, 0.5, 0.5)),
}
_ENGLISH_TASKS = {
    "adq": Tuned((0.75, 1.40, 0.45, 0.70), (1.0, 1.0, 0.6, 0.8)),
    "hter": Tuned((0.40, 1.50, 0.35, 0.55), (1.0, 0.2, 0.6, 0.8)),
    "util": Tuned((0.65, 0.10, 0.55, 0.65), (1.0, 0.0, 0.0, 0.8)),
}
_ANY_LANGUAGE = {
    "li": Tuned((0.75, 1.40, 0.70, 0.50), (1.0, 0.5, 0.5, 0.5)),
    "universal": Tuned((0.70, 1.40, 0.30, 0.70), (1.0, 0.6)),
    "tune": Tuned((0.50, 1.00, 0.50, 0.50), (1.0, 0.5, 0.5, 0.5)),
}
_EARLIER = {
    "2005": Tuned((0.90, 3.00, 0.50, 0.50), (1.0, 1.0, 1.0)),
    "2007": Tuned((0.81, 0.83, 0.28, 0.50), (1.0, 1.0, 1.0)),
}
_OWN_MODULES = {
    "en": MODULES,
    "cs": ("exact", "paraphrase"),
    **dict.fromkeys(("fr", "es", "de", "ru"), ("exact", "stem", "paraphrase")),
}
NORMALIZED = tuple(_RANK)  # the languages that METEOR's own normalizer knows
METEORS_OWN = (*_RANK, "pt", "da", "ro", "hu", "tr", "fi", "nl", "it", "no", "sv")  # those its program knows


def meteor_language(language: object) -> str:
    """Return the code of a language: ISO 639-1, `cz` and `se` as METEOR writes them, `other` for one that has none."""
    from tertium.text.languages import ISO_639_1, LANGUAGES, language_code

    try:
        return language_code(language)
    except UnknownNameError:
        plain = str(language).strip().lower().replace("_", "-").split("-")[0]
        if plain == "other" or plain in ISO_639_1:
            return plain
        raise UnknownNameError.of("language", str(language), [*sorted({*LANGUAGES, *ISO_639_1}), "other"]) from None


def task_for(language: str, task: str) -> str:
    """Return the task that is meant: where nothing was tuned for a language, `rank` is `li`."""
    if task == "rank" and language not in _RANK:
        return "li"
    if task in _ENGLISH_TASKS and language != "en":
        known = ", ".join(("rank", *_ANY_LANGUAGE)) if language in _RANK else ", ".join(_ANY_LANGUAGE)
        raise InputError(
            f"METEOR's task '{task}' was tuned for English alone. For '{language}' there are {known}; or give "
            "parameters and weights."
        )
    return task


def tuned(version: str, language: str, task: str) -> Tuned:
    """Return the parameters and weights of a version, language and task."""
    if version in _EARLIER:
        return _EARLIER[version]
    if task == "rank":
        return _RANK[language]
    return _ENGLISH_TASKS[task] if task in _ENGLISH_TASKS else _ANY_LANGUAGE[task]


def usual_modules(version: str, language: str, task: str) -> tuple[str, ...]:
    """Return the modules of a language and task, whether or not their resources are here."""
    from tertium.text.languages import LANGUAGES

    stems = ("exact", "stem") if language in LANGUAGES else ("exact",)
    if version != "1.5":
        return (*stems, "synonym") if language == "en" else stems
    return ("exact", "paraphrase") if task == "universal" else _OWN_MODULES.get(language, stems)

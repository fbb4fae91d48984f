"""What there is of resources on this machine, what is missing, and what provides it."""

from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from tertium.text.lexicon.function_words import OWN
from tertium.text.lexicon.resources import MeteorFiles, added, meteor_files
from tertium.text.lexicon.stems import stemmer_names
from tertium.text.lexicon.synonyms import bundled_wordnet
from tertium.text.tokenizers import SENTENCEPIECE, found_model, model_variable

_METEOR = "METEOR 1.5: pip install --no-deps pycocoevalcap, or TERTIUM_METEOR=DIR|JAR"


@dataclass(frozen=True)
class Resource:
    """One resource: where it is, or what would provide it."""

    kind: str
    name: str
    here: bool
    where: str  # a file, a package or what it is part of; empty if it is missing
    provided_by: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def inventory() -> list[Resource]:
    """Return all resources that tertium knows of."""
    found = meteor_files()
    return [*_stems(), *_synonyms(found), *_paraphrases(found), *_function_words(found), *_segmenters()]


def _stems() -> list[Resource]:
    package = "PyStemmer"
    if find_spec("Stemmer") is None:
        return [Resource("stems", "all languages", False, "", f"pip install {package}")]
    return [Resource("stems", name, True, package, package) for name in stemmer_names()]


def _synonyms(found: MeteorFiles | None) -> list[Resource]:
    rows = [Resource("synonyms", "wordnet", True, str(bundled_wordnet()), "tertium (WordNet 3.0, English)")]
    places = found.places("synsets", "en") if found else ()
    rows.append(Resource("synonyms", "meteor:en", bool(places), _shown(places), _METEOR))
    return rows + _added("synonyms")


def _paraphrases(found: MeteorFiles | None) -> list[Resource]:
    from tertium.text.languages import LANGUAGES

    tables = {code: path for code in LANGUAGES if found and (path := found.paraphrases(code))}
    rows = [
        Resource("paraphrases", f"meteor:{code}", code in tables, _shown(filter(None, [tables.get(code)])), _METEOR)
        for code in {"en": None} | dict.fromkeys(tables)
    ]
    return rows + _added("paraphrases")


def _function_words(found: MeteorFiles | None) -> list[Resource]:
    rows = []
    for code in OWN:
        places = found.places("function", code) if found else ()
        rows.append(Resource("function words", code, True, _shown(places) or "tertium's own list", _METEOR))
    return rows


def _segmenters() -> list[Resource]:
    rows = [
        Resource("segmenter", name, find_spec(module) is not None, module if find_spec(module) else "", package)
        for name, module, package in (
            ("ja-mecab", "MeCab", "pip install 'tertium[ja]'"),
            ("ko-mecab", "mecab_ko", "pip install 'tertium[ko]'"),
            ("spm:FILE", "sentencepiece", "pip install 'tertium[spm]'"),
        )
    ]
    for name in SENTENCEPIECE:
        model = found_model(name)
        shown = "" if model is None else str(model)
        rows.append(Resource("segmenter", name, model is not None, shown, f"{model_variable(name)}=FILE (a model)"))
    return rows


def _added(kind: str) -> list[Resource]:
    return [
        Resource(kind, name, path.exists(), str(path), "tertium resources add") for name, path in added(kind).items()
    ]


def _shown(places: Any) -> str:
    return ", ".join(str(place) for place in places)

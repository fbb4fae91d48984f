"""What METEOR's modules look words up in: which resources there are, and what a signature says of them."""

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from tertium.errors import InputError
from tertium.metrics.meteor.tasks import METEORS_OWN, MODULES, usual_modules
from tertium.text.lexicon import FunctionWords, PhraseTable, Synonyms, meteor_files
from tertium.text.lexicon.abbreviations import Abbreviations
from tertium.text.lexicon.cache import file_hash, is_compiled
from tertium.text.lexicon.resources import missing, named_phrase_table
from tertium.text.lexicon.snowball_2014 import Snowball2014
from tertium.text.lexicon.stem_codes import StemCodes
from tertium.text.lexicon.stems import Stems
from tertium.text.lexicon.word_groups import GroupWords
from tertium.text.lexicon.word_tables import WordResource

_MARK = re.compile(r".+@[0-9a-f]{12}")
OWN_LIST = "own_list"


@dataclass(frozen=True)
class MeteorResources:
    """The resources of one METEOR, found and opened when they are asked for."""

    language: str
    version: str
    task: str
    text: str
    used: tuple[str, ...]  # modules
    synonyms: str | None
    paraphrases: str | None
    function_words: str | None
    resources: str | None
    collisions: str = "none"

    @property
    def place(self) -> str | None:
        """Where the user says that METEOR's own files are."""
        return None if self.resources is None or _is_mark(self.resources) else self.resources

    @property
    def abbreviations(self) -> Abbreviations:
        """Words that keep their full stop."""
        return Abbreviations.open(self.language, resources=self.place)

    @property
    def stemmer(self) -> WordResource | None:
        """What the stem module compares: METEOR 1.5's own stemmers, Porter's in the first versions for English."""
        if "stem" not in self.used:
            return None
        stems: Stems | Snowball2014 = Stems("porter" if self.language == "en" else self.language)
        if self.version == "1.5":
            stems = Snowball2014(self.language) if self.language in METEORS_OWN else Stems(self.language)
        return StemCodes(stems) if self.collisions == "java" else stems

    @property
    def synonym_source(self) -> Synonyms | None:
        """What the synonym module compares."""
        return self._usual_synonyms() if "synonym" in self.used else None

    @property
    def phrase_table(self) -> PhraseTable | None:
        """What the paraphrase module compares."""
        table = self._phrase_source() if "paraphrase" in self.used else None
        return None if table is None else PhraseTable.open(table, any_number=True, numbered=True)

    @property
    def function_list(self) -> FunctionWords:
        """Which words count as function words: METEOR 1.5 keeps the English list, whatever the language."""
        if self.function_words == OWN_LIST:
            return self._own_list()
        if self.function_words is not None and not _is_mark(self.function_words):
            return FunctionWords.open(self.language, self.function_words)
        if self.version == "1.5" and self.language in METEORS_OWN:
            return FunctionWords.open("en", resources=self.place)
        return self._own_list()

    @property
    def group_words(self) -> GroupWords:
        """Case markers and auxiliaries, which form groups with the content word before them."""
        return GroupWords(self.language)

    def modules(
        self, given: tuple[str, ...] | None, weights: tuple[float, ...]
    ) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """Return the modules asked for, whose resources must be here, or else the usual ones that can work."""
        if given is not None:
            if "stem" in given:
                Stems(self.language)
            if "synonym" in given:
                self._usual_synonyms()
            named = self.paraphrases is not None and _is_mark(self.paraphrases)  # `recognised` looks at it
            if "paraphrase" in given and self._phrase_source() is None and not named:
                raise missing("paraphrase table", f"meteor:{self.language}")
            return given, (weights + (0.0,) * len(given))[: len(given)]  # METEOR's: beyond the task's own they are 0
        usual = usual_modules(self.version, self.language, self.task)
        weight_of = dict(zip(usual, weights, strict=False))
        added = {
            "synonym": self.synonyms not in (None, "none"),
            "paraphrase": self.version == "1.5" and self._phrase_source() is not None,
        }
        modules = tuple(
            module
            for module in MODULES
            if (module in usual and module != "paraphrase")
            or (module == "synonym" and added[module])
            or (module == "paraphrase" and added[module] and (module in usual or self.paraphrases is not None))
        )
        return modules, tuple(weight_of.get(module, 0.5) for module in modules)

    def recognised(self) -> dict[str, str | None]:
        """Return what settings stand for that were read from a signature: the usual resources, if they are the same."""
        settings: dict[str, str | None] = {}
        marks = None
        for name in ("synonyms", "paraphrases", "function_words", "resources"):
            value = getattr(self, name)
            if value == "none" and name != "function_words":
                settings[name] = None
            elif value is not None and _is_mark(value):
                marks = marks or self._usual_marks()
                if value not in marks[name]:
                    raise InputError(
                        f"meteor's {name} were {value} in that signature, but here they are "
                        f"{' or '.join(marks[name]) or 'not found'}. Give the path of the same: {name}=PATH."
                    )
                settings[name] = marks[name][value]
        return settings

    def marks(self) -> dict[str, str]:
        """Return what a signature says of each resource."""
        phrases = self._phrase_source() if "paraphrase" in self.used else None
        synonyms = self.synonym_source
        return {
            "synonyms": "none" if synonyms is None else synonyms.mark,
            "paraphrases": "none" if phrases is None else _phrase_mark(phrases),
            "function_words": self.function_list.mark,
            "resources": self._text_mark(),
        }

    def _usual_marks(self) -> dict[str, dict[str, str | None]]:
        """Return, per setting, which marks stand for which value."""
        usual = MeteorResources(
            self.language, self.version, self.task, self.text, self.used, None, None, None, self.place
        )
        marks: dict[str, dict[str, str | None]] = {name: {mark: None} for name, mark in usual.marks().items()}
        marks["function_words"].setdefault(self._own_list().mark, OWN_LIST)
        return marks

    def _text_mark(self) -> str:
        """Return the name of the list of abbreviations, with a hash of it and of the stemmer."""
        abbreviations = self.abbreviations if self.text == "norm" else None
        stemmer = self.stemmer
        parts = [part.mark for part in (abbreviations, stemmer) if part is not None]
        name = abbreviations.name if abbreviations else "none"
        return f"{name}@{sha256(' '.join(parts).encode()).hexdigest()[:12]}" if parts else "none"

    def _own_list(self) -> FunctionWords:
        if self.language not in METEORS_OWN and self.language != "hi":
            return FunctionWords.of("none", ())
        return FunctionWords.open(self.language, resources=self.place)

    def _usual_synonyms(self) -> Synonyms:
        if self.synonyms is not None and self.synonyms != "none" and not _is_mark(self.synonyms):
            return Synonyms.open(self.synonyms, "meteor" if self.language == "en" else None)
        if self.language != "en":
            raise InputError(
                f"There are no synonyms for '{self.language}'. Give synonyms=PATH: a WordNet directory, a WN-LMF or "
                "OMW file, METEOR's .synsets file, Hindi WordNet, or a TSV of words that mean the same."
            )
        return _english_synonyms(self.place)

    def _phrase_source(self) -> str | None:
        """Return the path or name of the table, None if there is none."""
        if self.paraphrases is not None and self.paraphrases != "none" and not _is_mark(self.paraphrases):
            if not Path(self.paraphrases).exists() and named_phrase_table(self.paraphrases) is None:
                raise missing("paraphrase table", self.paraphrases)
            return self.paraphrases
        files = meteor_files(self.place)
        if files is None or self.language not in METEORS_OWN:
            return None
        path = files.paraphrases(self.language)
        return None if path is None else str(path)


def _is_mark(value: str) -> bool:
    return bool(_MARK.fullmatch(value)) and not Path(value).exists()


def _english_synonyms(place: str | None) -> Synonyms:
    """Return METEOR's own synonyms where they are found, else WordNet 3.0, from which they were made."""
    files = meteor_files(place)
    own = files is not None and bool(files.places("synsets", "en"))
    return Synonyms.open("meteor:en" if own else "wordnet", "meteor", resources=place if own else None)


def _phrase_mark(source: str) -> str:
    """Return the table's mark without compiling it, which takes a while the first time."""
    path = Path(source) if Path(source).exists() else named_phrase_table(source)
    assert path is not None
    status = path.stat()
    return _mark_of_file(source, str(path), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=16)
def _mark_of_file(source: str, path: str, size: int, time: int) -> str:
    if is_compiled(Path(path)):
        return PhraseTable.open(source, any_number=True, numbered=True).mark
    name = Path(path).name.removesuffix(".gz")
    name = name.rsplit(".", 1)[0] if Path(source).exists() else source.replace(":", "-")
    return f"{name}@{file_hash([Path(path)])}"

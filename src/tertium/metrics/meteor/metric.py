"""METEOR: words matched exactly, by stem, by meaning or as paraphrases, and how well they keep together."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Chunk, Operation
from tertium.metrics.base import Floats, Metric, check_flags, is_number
from tertium.metrics.meteor.tables import MODULES, NORMALIZED, PARAMETERS, TASKS, meteor_language, task_for, tuned
from tertium.metrics.tunable import Tunable
from tertium.text import UNICODE_FORMS
from tertium.text.meteor import STYLES, MeteorTokenizer

if TYPE_CHECKING:
    from tertium.metrics.meteor.resources import MeteorResources

_BLOCK = 16_384  # segments whose words are held at once
_SIDES = ("hypothesis", "reference")
_COLUMNS = (
    *(f"{side}_length" for side in _SIDES),
    *(f"{side}_function_words" for side in _SIDES),
    *(f"{module}_{side}_{kind}" for module in MODULES for kind in ("content", "function") for side in _SIDES),
    "chunks",
    *(f"{side}_matches" for side in _SIDES),
)
_GROUP_COLUMNS = ("groups_matched", *(f"{side}_groups" for side in _SIDES))
_CHUNKS = _COLUMNS.index("chunks")
_VERSIONS = ("1.5", "2005", "2007")


@dataclass(frozen=True, kw_only=True)
class METEOR(Metric):
    """Denkowski & Lavie (2014), as METEOR 1.5 computes it; or as first published in 2005, or in 2007.

    Settings that are left at None are the language's and the task's. Modules whose resources are not here are then
    left out, which the signature says; a module that is asked for must have its resource. Of several references the
    one with the highest score counts, the first of equals. Rows hold METEOR's own statistics, so that parameters and
    weights act in `score`.
    """

    name: ClassVar[str] = "meteor"
    higher_is_better: ClassVar[bool] = True
    range: ClassVar[str] = "0 to 100"
    source: ClassVar[str] = "Banerjee & Lavie (2005); Denkowski & Lavie (2014)"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "version": _VERSIONS,
        "task": TASKS,
        "text": STYLES,
        "matching": ("beam", "stages", "joint"),
    }
    meanings: ClassVar[dict[str, str]] = {
        "language": "of hypotheses and references: an ISO code",
        "version": "whose formula and search for matches",
        "task": "which of METEOR 1.5's tuned parameters",
        "modules": "what matches words, in this order: exact, stem, synonym, paraphrase",
        "weights": "of the modules",
        "parameters": "alpha, beta, gamma, delta",
        "text": "METEOR's normaliser (or ours, for other languages), lower case alone, or the text as it is",
        "punctuation": "keep punctuation; false is METEOR's -noPunct",
        "characters": "count characters in precision and recall, METEOR's -ch",
        "matching": "how matches are chosen: a beam; most matches with fewest crosses, module by module or jointly",
        "synonyms": "of the synonym module: a file, a directory, or a name",
        "paraphrases": "of the paraphrase module: a table's path or name",
        "function_words": "a file, or own_list: the language's; METEOR uses the English list for all languages",
        "resources": "where METEOR's own files are; in a signature, abbreviations and stemmer",
        "word_groups": "weight of the share of matched word groups, from 0 to 1 (Hindi)",
        "unicode": "Unicode normalization first",
    }

    language: str = "en"
    version: str = "1.5"
    task: str = "rank"
    modules: tuple[str, ...] | None = None
    weights: tuple[float, ...] | None = None
    parameters: tuple[float, ...] | Mapping[str, float] | None = None
    text: str = "norm"
    punctuation: bool = True
    characters: bool = False
    matching: str | None = None
    synonyms: str | None = None
    paraphrases: str | None = None
    function_words: str | None = None
    resources: str | None = None
    word_groups: float = 0.0
    unicode: str = "none"

    def __post_init__(self) -> None:
        self._set("language", meteor_language(self.language))
        self._set("version", str(self.version))
        if self.matching is None:
            self._set("matching", "beam" if self.version == "1.5" else "stages")
        self.check_choices()
        check_flags(self, "punctuation", "characters")
        self._check_version()
        for setting in ("synonyms", "paraphrases", "function_words", "resources"):
            if getattr(self, setting) is not None:
                self._set(setting, str(getattr(self, setting)))
        usual = tuned(self.version, self.language, self.task)
        given = None if self.modules is None else _checked_modules(self.modules, self.version)
        modules, weights = self._resources.modules(given, usual.weights)
        self._set("modules", modules)
        self._set("weights", weights if self.weights is None else self._checked_weights(len(modules)))
        self._set("parameters", _checked_parameters(self.parameters, usual.parameters))
        for setting, value in self._resources.recognised().items():
            self._set(setting, value)
        if self.text != "norm" and not self.punctuation:
            raise InputError("punctuation=False leaves out what the normaliser has split off: it needs text='norm'.")
        if not is_number(self.word_groups) or not 0 <= self.word_groups <= 1:
            raise InputError(f"meteor's word_groups must be a number from 0 to 1, not {self.word_groups!r}.")
        self._set("word_groups", float(self.word_groups))
        if self.word_groups and self.language != "hi":
            raise InputError(f"word_groups needs a list of case markers and auxiliaries, which only Hindi has, "
                             f"not '{self.language}'.")  # fmt: skip
        if self.unicode not in UNICODE_FORMS:
            raise UnknownNameError.of("Unicode form", self.unicode, UNICODE_FORMS)

    def _set(self, setting: str, value: object) -> None:
        object.__setattr__(self, setting, value)

    def _check_version(self) -> None:
        if self.version == "1.5":
            self._set("task", task_for(self.language, self.task))
        elif self.task != "rank":
            raise InputError(f"METEOR of {self.version} has one set of parameters: task='{self.task}' is METEOR 1.5's.")
        if (self.version == "1.5") != (self.matching == "beam"):
            raise InputError(
                f"matching='{self.matching}' does not go with version='{self.version}': METEOR 1.5 has a beam, the "
                "versions of 2005 and 2007 have stages or joint."
            )

    def _checked_weights(self, count: int) -> tuple[float, ...]:
        weights = self.weights if isinstance(self.weights, Sequence) and not isinstance(self.weights, str) else ()
        if len(weights) != count or not all(is_number(weight) and weight >= 0 for weight in weights):
            raise InputError(
                f"meteor's weights must be {count} numbers of at least 0, one for each of "
                f"{', '.join(self.modules or ())}, not {self.weights!r}."
            )
        return tuple(float(weight) for weight in weights)

    @property
    def _resources(self) -> "MeteorResources":
        from tertium.metrics.meteor.resources import MeteorResources  # only metrics in use load the lexicon

        return MeteorResources(
            self.language,
            self.version,
            self.task,
            self.text,
            self.modules or (),
            self.synonyms,
            self.paraphrases,
            self.function_words,
            self.resources,
        )

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """100 in METEOR 1.5; in the earlier versions even a perfect match of one chunk is penalised a little."""
        usual = self._weights_by_module[0] == 1 and 0 < self._four_parameters[3] < 1
        return 100.0 if self.version == "1.5" and usual else None

    @property
    def columns(self) -> tuple[str, ...]:
        """METEOR's 23 statistics, in its order; word groups add three."""
        return (*_COLUMNS, *_GROUP_COLUMNS) if self.word_groups else _COLUMNS

    @property
    def words(self) -> MeteorTokenizer:
        """What splits the texts."""
        return MeteorTokenizer(
            self.text,
            self.language,
            self.language not in NORMALIZED,
            self.punctuation,
            self.unicode,
            self._resources.abbreviations,
        )

    def settings(self) -> dict[str, str]:
        """Return every setting; a resource is named with its hash, one that is not used is `none`."""
        return super().settings() | self._resources.marks()

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Match and count, in the core, block by block."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        for begin in range(0, len(hypotheses), _BLOCK):
            end = min(begin + _BLOCK, len(hypotheses))
            ours, theirs = (
                self.words.tokens(side.texts.slice(begin, end)).stored_words(threads)
                for side in (hypotheses, references)
            )
            _native.meteor_rows(ours, theirs, self._kernel_settings(ours, theirs, threads), threads, rows[begin:end])
        return rows

    def _kernel_settings(
        self, ours: _native.TokenTexts, theirs: _native.TokenTexts, threads: int
    ) -> _native.MeteorSettings:
        def table(resource: Any) -> _native.KeyTable | None:
            return None if resource is None else resource.table(ours, theirs, threads=threads)

        resources = self._resources
        phrases = resources.phrase_table
        return _native.MeteorSettings(
            self.matching or "",
            table(resources.stemmer),
            table(resources.synonym_source),
            None if phrases is None else phrases.index,
            table(resources.function_list),
            table(resources.group_words if self.word_groups else None),
            self.characters,
            self._four_parameters,
            self._weights_by_module,
        )

    @property
    def _four_parameters(self) -> tuple[float, ...]:
        assert isinstance(self.parameters, tuple)
        return self.parameters

    @property
    def _weights_by_module(self) -> list[float]:
        given = dict(zip(self.modules or (), self.weights or (), strict=True))
        return [given.get(module, 0.0) for module in MODULES]

    def score(self, totals: Floats) -> Floats:
        """Return METEOR in percent; 0 where nothing is matched."""
        totals = self.checked(totals)
        score = self._scored(totals)["score"]
        if self.word_groups:
            score = (1 - self.word_groups) * score + self.word_groups * _group_share(totals)
        return (100 * score)[()]

    def tunables(self) -> dict[str, Tunable]:
        """Return the four parameters and the weight of each module; alignments do not depend on them."""
        parameters: dict[str, Any] = dict(zip(PARAMETERS, self.parameters, strict=True))  # type: ignore[arg-type]
        found = {name: Tunable(float(value), 0.0, 4.0 if name == "beta" else 1.0) for name, value in parameters.items()}
        weights = zip(self.modules or (), self.weights or (), strict=True)
        return found | {f"weight-{module}": Tunable(weight, 0.0, 1.0) for module, weight in weights}

    def with_values(self, values: Mapping[str, Any]) -> "METEOR":
        """Return a copy with other parameters and weights."""
        parameters, weights = self._values(values)
        return replace(self, parameters=parameters, weights=weights)

    def rescored(self, totals: Floats, values: Mapping[str, Any]) -> Floats:
        """Score with other parameters and weights, which need no checks."""
        other = copy(self)
        for setting, value in zip(("parameters", "weights"), self._values(values), strict=True):
            other._set(setting, value)
        return other.score(totals)

    def _values(self, values: Mapping[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
        now = {name: tunable.value for name, tunable in self.tunables().items()} | dict(values)
        weights = tuple(float(now[f"weight-{module}"]) for module in self.modules or ())
        return tuple(float(now[name]) for name in PARAMETERS), weights

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return precision, recall and their means in percent, fragmentation, penalty, and the counts."""
        totals = self.checked(totals)
        found = self._scored(totals)
        parts = {name: 100 * found[name] for name in ("precision", "recall", "f1", "fmean")}
        parts |= {name: found[name] for name in ("fragmentation", "penalty")}
        if self.word_groups:
            parts["word_groups"] = 100 * _group_share(totals)
        parts |= {name: totals[..., k] for k, name in enumerate(self.columns)}
        return {name: value[()] for name, value in parts.items()}

    def _scored(self, totals: Floats) -> dict[str, Floats]:
        alpha, beta, gamma, delta = self._four_parameters
        weights = self._weights_by_module

        def share(side: int) -> Floats:
            length, functions = totals[..., side], totals[..., 2 + side]
            matched = np.zeros(length.shape)
            for k, weight in enumerate(weights):
                content, function = totals[..., 4 + 4 * k + side], totals[..., 6 + 4 * k + side]
                matched = matched + weight * (delta * content + (1 - delta) * function)
            return _divided(matched, delta * (length - functions) + (1 - delta) * functions)

        precision, recall = share(0), share(1)
        # 1 / ((1 - alpha) / P + alpha / R), which is 0 if P or R is.
        both = (precision > 0) & (recall > 0)
        harmonic = (1 - alpha) / np.where(both, precision, 1) + alpha / np.where(both, recall, 1)
        mean = np.where(both, _divided(np.ones(harmonic.shape), harmonic), 0)
        matches = (totals[..., _CHUNKS + 1] + totals[..., _CHUNKS + 2]) / 2
        fragmentation = _divided(totals[..., _CHUNKS], matches)
        penalty = gamma * np.where(fragmentation > 0, fragmentation, 0) ** beta * (fragmentation > 0)
        return {
            "precision": precision,
            "recall": recall,
            "f1": _divided(2 * precision * recall, precision + recall),
            "fmean": mean,
            "fragmentation": fragmentation,
            "penalty": penalty,
            "score": np.maximum(mean * (1 - penalty), 0),
        }

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return which words are matched by which module, the chunks they form, and what the score is made of."""
        ours = Segments(_native.flat_texts([hypothesis], "hypothesis"))
        theirs = Segments(_native.grouped_texts([list(references)], "references"))
        row = self.rows(ours, theirs, threads=1)[0]
        one, other = (self.words.tokens(side.texts).stored_words(1) for side in (ours, theirs))
        index, matches, exact = _native.meteor_alignment(one, other, self._kernel_settings(one, other, 1))
        words, reference = self.words(hypothesis), self.words(list(references)[index])
        parts = {name: float(value) for name, value in self.parts(row).items()}
        chunks = _chunks(matches)
        return Alignment(
            metric=self.name,
            hypothesis=tuple(words),
            reference=tuple(reference),
            reference_index=index,
            score=float(self.score(row)),
            operations=_operations(matches, len(words), len(reference)),
            chunks=chunks,
            parts=parts | {"chunks": float(len(chunks))},
            search="beam" if self.matching == "beam" or not exact else "exact",
        )


def _divided(a: Floats, b: Floats) -> Floats:
    return np.divide(a, b, out=np.zeros(np.shape(b)), where=np.asarray(b) > 0)


def _group_share(totals: Floats) -> Floats:
    matched, ours, theirs = (totals[..., len(_COLUMNS) + k] for k in range(3))
    return _divided(2 * matched, ours + theirs)


def _checked_modules(modules: object, version: str) -> tuple[str, ...]:
    given = tuple(modules.split("+")) if isinstance(modules, str) else modules
    if not isinstance(given, Sequence) or not given:
        raise InputError(
            f"meteor's modules are some of {', '.join(MODULES)}, such as ('exact', 'stem'), not {modules!r}."
        )
    for module in given:
        if module not in MODULES:
            raise UnknownNameError.of("module of meteor", str(module), MODULES)
    if list(given) != [module for module in MODULES if module in given] or "exact" not in given:
        raise InputError(
            f"meteor's modules begin with exact and come in the order {', '.join(MODULES)}, each once, not {modules!r}."
        )
    if version != "1.5" and "paraphrase" in given:
        raise InputError(f"METEOR of {version} has no paraphrases: its modules are exact, stem and synonym.")
    return tuple(given)


def _checked_parameters(given: object, usual: tuple[float, ...]) -> tuple[float, ...]:
    if given is None:
        return usual
    if isinstance(given, Mapping):
        for name in given:
            if name not in PARAMETERS:
                raise UnknownNameError.of("parameter of meteor", str(name), PARAMETERS)
        given = tuple(given.get(name, value) for name, value in zip(PARAMETERS, usual, strict=True))
    values = tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) else ()
    if len(values) != len(PARAMETERS) or not all(is_number(value) and value >= 0 for value in values):
        raise InputError(
            f"meteor's parameters are {', '.join(PARAMETERS)}: four numbers of at least 0 or a mapping, not {given!r}."
        )
    for name, value in zip(PARAMETERS, values, strict=True):
        if value > 1 and name != "beta":
            raise InputError(f"meteor's {name} must be from 0 to 1, not {value!r}.")
    return tuple(float(value) for value in values)


Match = tuple[str, int, int, int, int]


def _chunks(matches: Sequence[Match]) -> tuple[Chunk, ...]:
    """Return runs of matches that are neighbours, in order, on both sides; matches come in the reference's order."""
    chunks: list[Chunk] = []
    for _, hyp_start, hyp_end, ref_start, ref_end in matches:
        if chunks and chunks[-1].hyp_end == hyp_start and chunks[-1].ref_end == ref_start:
            chunks[-1] = chunks[-1]._replace(hyp_end=hyp_end, ref_end=ref_end)
        else:
            chunks.append(Chunk(hyp_start, hyp_end, ref_start, ref_end))
    return tuple(chunks)


def _operations(matches: Sequence[Match], hyp_words: int, ref_words: int) -> tuple[Operation, ...]:
    """Return matches and missing words in the reference's order, each followed by the extra words behind it."""
    covered = {i for _, start, end, _, _ in matches for i in range(start, end)}
    extra = [i for i in range(hyp_words) if i not in covered]

    def extra_from(i: int) -> list[Operation]:
        following = []
        while i < hyp_words and i not in covered:
            following.append(Operation("insertion", i, i + 1, 0, 0, 1.0))
            i += 1
        return following

    operations = extra_from(0) if 0 in extra else []
    place = 0
    for module, hyp_start, hyp_end, ref_start, ref_end in matches:
        operations += [Operation("deletion", hyp_start, hyp_start, j, j + 1, 1.0) for j in range(place, ref_start)]
        kind = "match" if module == "exact" else module
        operations.append(Operation(kind, hyp_start, hyp_end, ref_start, ref_end, 0.0))
        operations += [op._replace(ref_start=ref_end, ref_end=ref_end) for op in extra_from(hyp_end)]
        place = ref_end
    operations += [Operation("deletion", hyp_words, hyp_words, j, j + 1, 1.0) for j in range(place, ref_words)]
    return tuple(operations)

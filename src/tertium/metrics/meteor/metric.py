"""METEOR: words matched exactly, by stem, meaning or paraphrase, and their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Chunk, Operation
from tertium.metrics.base import Floats, Metric
from tertium.metrics.elementary import power
from tertium.metrics.meteor.tasks import (
    METEORS_OWN,
    MODULES,
    NORMALIZED,
    PARAMETERS,
    TASKS,
    meteor_language,
    task_for,
    tuned,
)
from tertium.metrics.settings import checked_text, is_number, setting
from tertium.metrics.words import by_character_setting, unicode_setting
from tertium.text import Tokenizer
from tertium.text.languages import ISO_639_1, Language
from tertium.text.meteor import STYLES, MeteorTokenizer
from tertium.text.tokenizers import ByCharacter

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


def _checked_language(where: str, value: object) -> str:
    return meteor_language(checked_text(where, value) if isinstance(value, str) else value)


def _checked_modules(where: str, modules: object) -> tuple[str, ...]:
    given = tuple(modules.split("+")) if isinstance(modules, str) else modules
    if not isinstance(given, Sequence) or not given:
        raise InputError(f"{where} are some of {', '.join(MODULES)}, such as ('exact', 'stem'), not {modules!r}.")
    for module in given:
        if module not in MODULES:
            raise UnknownNameError.of("module of meteor", str(module), MODULES)
    if list(given) != [module for module in MODULES if module in given] or "exact" not in given:
        raise InputError(
            f"{where} begin with exact and come in the order {', '.join(MODULES)}, each once, not {modules!r}."
        )
    return tuple(given)


def _possible(modules: tuple[str, ...] | None, version: str) -> tuple[str, ...] | None:
    if modules is not None and version != "1.5" and "paraphrase" in modules:
        raise InputError(f"METEOR of {version} has no paraphrases: its modules are exact, stem and synonym.")
    return modules


def _kept(where: str, value: Any) -> Any:
    return value  # `resolved` knows what a mapping leaves out


def _of_version(version: str, language: str, task: str, matching: str | None, collisions: str | None) -> dict[str, str]:
    """Return the task, the matching and the collisions of a version."""
    if version == "1.5":
        task = task_for(language, task)
    elif task != "rank":
        raise InputError(f"METEOR of {version} has one set of parameters: task='{task}' is METEOR 1.5's.")
    matching = matching or ("beam" if version == "1.5" else "stages")
    if (version == "1.5") != (matching == "beam"):
        raise InputError(
            f"matching='{matching}' does not go with version='{version}': METEOR 1.5 has a beam, the versions of "
            "2005 and 2007 have stages or joint."
        )
    collisions = collisions or ("java" if version == "1.5" and language in METEORS_OWN else "none")
    if version != "1.5" and collisions == "java":
        raise InputError(f"collisions='java' is METEOR 1.5's: METEOR of {version} compares words by spelling.")
    return {"task": task, "matching": matching, "collisions": collisions}


def _resources(settings: Mapping[str, Any], modules: tuple[str, ...]) -> "MeteorResources":
    from tertium.metrics.meteor.resources import MeteorResources  # only metrics in use load the lexicon

    names = (
        "language",
        "version",
        "task",
        "text",
        "synonyms",
        "paraphrases",
        "function_words",
        "resources",
        "collisions",
    )
    return MeteorResources(used=modules, **{name: settings[name] for name in names})


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


@dataclass(frozen=True, kw_only=True)
class METEOR(Metric):
    """Denkowski & Lavie (2014), as METEOR 1.5 computes it; or as first published in 2005, or in 2007.

    Settings that are left at None are the language's and the task's. Modules whose resources are not here are then
    left out, which the signature says; a module that is asked for must have its resource. Of several references the
    one with the highest score counts, the first of equals. Rows hold METEOR's own statistics, so that parameters and
    weights act in `score`.
    """

    name = "meteor"
    title = "METEOR"
    higher_is_better = True
    range = "0 to 100"
    source = "Banerjee & Lavie (2005); Denkowski & Lavie (2014)"

    language: str = setting("en", "of hypotheses and references: an ISO code", check=_checked_language)
    version: str = setting("1.5", "whose formula and search for matches", choices=("1.5", "2005", "2007"))
    task: str = setting("rank", "which of METEOR 1.5's tuned parameters", choices=TASKS)
    modules: tuple[str, ...] = setting(
        None,
        "what matches words, in this order: exact, stem, synonym, paraphrase",
        choices=MODULES,
        several=True,
        check=_checked_modules,
    )
    weights: tuple[float, ...] = setting(None, "of the modules", number=(0, 1_000_000), several=True)
    parameters: tuple[float, ...] | Mapping[str, float] = setting(
        None, "alpha, beta, gamma, delta", number=(0, 1_000_000), several=True, check=_kept
    )
    text: str = setting(
        "norm",
        "METEOR's normalizer (or ours, for other languages), lower case alone, or the text as it is",
        choices=STYLES,
    )
    punctuation: bool = setting(True, "keep punctuation; false is METEOR's -noPunct")
    characters: bool = setting(False, "count characters in precision and recall, METEOR's -ch")
    matching: str = setting(
        None,
        "how matches are chosen: a beam; most matches with fewest crosses, module by module or jointly",
        choices=("beam", "stages", "joint"),
    )
    collisions: str = setting(
        None,
        "which different words are taken for the same: those with one hash code in Java, as METEOR 1.5 does, or none",
        choices=("java", "none"),
    )
    synonyms: str | None = setting(None, "of the synonym module: a file, a directory, or a name", file=True)
    paraphrases: str | None = setting(None, "of the paraphrase module: a table's path or name", file=True)
    function_words: str | None = setting(
        None, "a file, or own_list: the language's; METEOR uses the English list for all languages", file=True
    )
    resources: str | None = setting(
        None, "where METEOR's own files are; in a signature, abbreviations and stemmer", file=True
    )
    word_groups: float = setting(0.0, "weight of the share of matched word groups, from 0 to 1 (Hindi)", number=(0, 1))
    unicode: str = unicode_setting()
    by_character: bool = by_character_setting()

    @classmethod
    def language_settings(cls, language: Language, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return METEOR's code of the language; its normalizer splits Han and kana, but no other characters."""
        named = "other" if language.code not in ISO_639_1 or language.code == "se" else language.code
        return {"language": named, "by_character": language.by_character}

    def shortcoming(self, language: Language) -> str:
        """Say that nothing but equal words can match."""
        if self.modules != ("exact",):
            return ""
        return (
            f"has neither stems, synonyms nor paraphrases for {language.name}: only equal words match. Give "
            "paraphrases=FILE, or see `tertium resources`."
        )

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Fill in what the language and the task bring, as far as its resources are here."""
        version, language = given["version"], given["language"]
        given = given | _of_version(version, language, given["task"], given["matching"], given["collisions"])
        usual = tuned(version, language, given["task"])
        modules, weights = _resources(given, ()).modules(_possible(given["modules"], version), usual.weights)
        if given["weights"] is not None:
            weights = given["weights"]
            if len(weights) != len(modules):
                raise InputError(
                    f"meteor's weights must be {len(modules)} numbers of at least 0, one for each of "
                    f"{', '.join(modules)}, not {weights!r}."
                )
        given |= {"modules": modules, "weights": weights}
        given |= {"parameters": _checked_parameters(given["parameters"], usual.parameters)}
        given |= _resources(given, modules).recognised()
        if given["text"] != "norm" and not given["punctuation"]:
            raise InputError("punctuation=False leaves out what the normalizer has split off: it needs text='norm'.")
        if given["word_groups"] and language != "hi":
            raise InputError(
                f"word_groups needs a list of case markers and auxiliaries, which only Hindi has, not '{language}'."
            )
        return given

    @property
    def _resources(self) -> "MeteorResources":
        return _resources(vars(self), self.modules)

    def __post_init__(self) -> None:
        super().__post_init__()
        # Even a perfect match of one chunk is penalised a little in the earlier versions.
        usual = self.weights[0] == 1 and 0 < self.four_parameters[3] < 1
        object.__setattr__(self, "perfect", 100.0 if self.version == "1.5" and usual else None)

    @property
    def columns(self) -> tuple[str, ...]:
        """METEOR's 23 statistics, in its order; word groups add three."""
        return (*_COLUMNS, *_GROUP_COLUMNS) if self.word_groups else _COLUMNS

    @property
    def tokenizer(self) -> Tokenizer:
        """What splits the texts."""
        words = MeteorTokenizer(
            self.text,
            self.language,
            self.language not in NORMALIZED,
            self.punctuation,
            self.unicode,
            self._resources.abbreviations,
        )
        return ByCharacter(words) if self.by_character else words

    def settings(self) -> dict[str, str]:
        """Return every setting; a resource is named with its hash, one that is not used is `none`."""
        return super().settings() | self._resources.marks()

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Match and count, in the core, block by block."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        for begin in range(0, len(hypotheses), _BLOCK):
            end = min(begin + _BLOCK, len(hypotheses))
            ours, theirs = (
                self.tokenizer.tokens(side.texts.slice(begin, end)).stored_words(threads)
                for side in (hypotheses, references)
            )
            settings = self._kernel_settings(ours, theirs, threads)
            _native.meteor_rows(ours, theirs, settings=settings, threads=threads, rows=rows[begin:end])
        return rows

    def _kernel_settings(
        self, ours: _native.TokenTexts, theirs: _native.TokenTexts, threads: int
    ) -> _native.MeteorSettings:
        def table(resource: Any) -> _native.KeyTable | None:
            return None if resource is None else resource.table(ours, theirs, threads=threads)

        resources = self._resources
        phrases = resources.phrase_table
        alpha, beta, gamma, delta = self.four_parameters
        return _native.MeteorSettings(
            matching=self.matching,
            stems=table(resources.stemmer),
            by_hash_code=self.collisions == "java",
            synonyms=table(resources.synonym_source),
            paraphrases=None if phrases is None else phrases.index,
            function_words=table(resources.function_list),
            group_words=table(resources.group_words if self.word_groups else None),
            characters=self.characters,
            alpha=alpha,
            beta=beta,
            gamma=gamma,
            delta=delta,
            weights=self._by_module(self.weights),
        )

    @property
    def idle_modules(self) -> tuple[str, ...]:
        """Modules whose matches weigh nothing, since the task has no weight for so many and none was given."""
        own = len(tuned(self.version, self.language, self.task).weights)
        return tuple(
            module for module, weight in zip(self.modules[own:], self.weights[own:], strict=True) if weight == 0
        )

    @property
    def four_parameters(self) -> tuple[float, ...]:
        """Alpha, beta, gamma and delta."""
        assert isinstance(self.parameters, tuple)
        return self.parameters

    def _by_module(self, weights: Sequence[float]) -> list[float]:
        given = dict(zip(self.modules, weights, strict=True))
        return [given.get(module, 0.0) for module in MODULES]

    def score(self, totals: Floats) -> Floats:
        """Return METEOR in percent; 0 where nothing is matched."""
        return self.scored_with(self.checked(totals), self.four_parameters, self.weights)

    def scored_with(self, totals: Floats, parameters: Sequence[float], weights: Sequence[float]) -> Floats:
        """Return METEOR in percent with other parameters and weights, on the same rows."""
        score = self._scored(totals, parameters, weights)["score"]
        if self.word_groups:
            score = (1 - self.word_groups) * score + self.word_groups * _group_share(totals)
        return (100 * score)[()]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return precision, recall and their means in percent, fragmentation, penalty, and the counts."""
        totals = self.checked(totals)
        found = self._scored(totals, self.four_parameters, self.weights)
        parts = {name: 100 * found[name] for name in ("precision", "recall", "f1", "fmean")}
        parts |= {name: found[name] for name in ("fragmentation", "penalty")}
        if self.word_groups:
            parts["word_groups"] = 100 * _group_share(totals)
        parts |= {name: totals[..., k] for k, name in enumerate(self.columns)}
        return {name: value[()] for name, value in parts.items()}

    def _scored(self, totals: Floats, parameters: Sequence[float], weights: Sequence[float]) -> dict[str, Floats]:
        alpha, beta, gamma, delta = parameters

        def share(side: int) -> Floats:
            length, functions = totals[..., side], totals[..., 2 + side]
            matched = np.zeros(length.shape)
            for first, factor in ((4, delta), (6, 1 - delta)):  # content words of all modules first, as METEOR adds
                for k, weight in enumerate(self._by_module(weights)):
                    matched = matched + totals[..., first + 4 * k + side] * weight * factor
            return _divided(matched, delta * (length - functions) + (1 - delta) * functions)

        precision, recall = share(0), share(1)
        # 1 / ((1 - alpha) / P + alpha / R), which is 0 if P or R is.
        both = (precision > 0) & (recall > 0)
        harmonic = (1 - alpha) / np.where(both, precision, 1) + alpha / np.where(both, recall, 1)
        mean = np.where(both, _divided(np.ones(harmonic.shape), harmonic), 0)
        matches = (totals[..., _CHUNKS + 1] + totals[..., _CHUNKS + 2]) / 2
        fragmentation = _divided(totals[..., _CHUNKS], matches)
        penalty = gamma * power(np.where(fragmentation > 0, fragmentation, 0), beta) * (fragmentation > 0)
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
        one, other = (self.tokenizer.tokens(side.texts).stored_words(1) for side in (ours, theirs))
        index, matches, exact = _native.meteor_alignment(one, other, self._kernel_settings(one, other, 1))
        words, reference = self.tokenizer(hypothesis), self.tokenizer(list(references)[index])
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

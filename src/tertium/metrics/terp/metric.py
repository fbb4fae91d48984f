"""TERp: edit rate where words match by stem or meaning, phrases by paraphrase."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import inf, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Operation, shifts_of
from tertium.metrics.base import Floats
from tertium.metrics.settings import checked_text, setting, settings_of
from tertium.metrics.ter.shifting import LENGTHS, MOST, ShiftMetric, limit_setting, max_tokens_setting, rate
from tertium.metrics.terp.costs import COSTS, SETS, cost_set
from tertium.metrics.terp.tokenizer import TerpTokenizer
from tertium.metrics.terp.word_lists import equivalences, file_mark, stop_list, stop_words
from tertium.metrics.words import by_character_setting, unicode_setting
from tertium.text import Tokenizer
from tertium.text.languages import Language
from tertium.text.tokenizers import ByCharacter

if TYPE_CHECKING:  # only metrics in use load the lexicon
    from tertium.text.lexicon import PhraseTable, Stems, Synonyms

# What a setting is if neither the user nor the set of costs says so.
_OTHERWISE: dict[str, Any] = {
    "stopwords": "none",
    "paraphrases": "none",
    "equivalences": "none",
    "no_punct": False,
    "new_normalization": False,
    "normalize_numbers": False,
    "generalize_numbers": False,
    "reference_length": "average",
    "max_shift_size": 10,
    "max_shift_distance": 50.0,
    "phrase_cost": "standard",
    "phrase_minimum": 0.0,
    "phrase_maximum": inf,
}
_MARK = re.compile("@[0-9a-f]{12}$")
_KINDS = {
    " ": "match",
    "I": "insertion",
    "D": "deletion",
    "S": "substitution",
    "T": "stem",
    "Y": "synonym",
    "P": "phrase",
}


def _resource(name: str, where: str, value: object) -> str:
    """Return a resource's name or path: the usual one for True, "none" for False."""
    if value is True or value == "true":
        usual = {"stems": "porter-revised", "synonyms": "wordnet", "stopwords": "terp"}
        if name not in usual:
            raise InputError(f"{where} must be a path or none, not {value!r}.")
        return usual[name]
    if value is False or value in ("false", "none"):
        return "none"
    if isinstance(value, Path):
        value = str(value)
    if name == "paraphrases" and hasattr(value, "source"):  # a table that was opened
        value = value.source
    if not isinstance(value, str) or not value:
        raise InputError(f"{where} must be a name or a path, or False for none, not {value!r}.")
    value = _without_mark(name, value) if _MARK.search(value) else checked_text(where, value)
    if name == "stems":
        from tertium.text.lexicon.stems import stemmer_name

        return stemmer_name(value)
    return value


def _without_mark(name: str, value: str) -> str:
    """Return what a signature named `name@hash`, if it can be had and is the same."""
    from tertium.text.lexicon import Stems, Synonyms

    plain = _MARK.sub("", value)
    if name == "stems" and Stems(plain).mark == value:
        return plain
    if name == "synonyms" and Synonyms.open().mark == value:
        return "wordnet"
    if name == "stopwords" and file_mark(stop_list("terp")) == value:
        return "terp"
    raise InputError(
        f"terp's {name} was {value}, a file or a version that a signature cannot bring back. Give its path: "
        f"{name}=FILE."
    )


def _resource_setting(name: str, meaning: str) -> Any:
    return setting(None, meaning, file=True, check=partial(_resource, name))


def _stemmer_of(language: Language) -> str:
    """Return the stemmer of a language, or none."""
    from tertium.text.lexicon.stems import stemmer_name

    try:
        return stemmer_name(language.code)
    except UnknownNameError:
        return "none"


_flag_setting = partial(setting, None, flag=True)


def _kept(where: str, value: Any) -> Any:
    return value  # `resolved` reads it, with what a set of costs brings


Costs = str | Path | Sequence[float] | Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class TERp(ShiftMetric):
    """Snover et al. (2009). Of several references the one with the fewest edits counts, the first of equals.

    `costs` are a named set, a mapping, eleven numbers or a parameter file of TERp; a set brings what was chosen
    together with it (stems, synonyms, beam, cap, …), and every setting that is given wins over it. Texts are aligned
    with `alignment_costs` and scored with `costs`.
    """

    name = "terp"
    title = "TERp"
    range = "0 and more; up to 100 with a cap"
    source = "Snover et al. (2009)"

    costs: Costs = setting(
        "terp-a", "of each kind of edit: a named set, eleven numbers or a file", choices=(*SETS, "FILE"), check=_kept
    )
    alignment_costs: Costs | None = setting(
        None, "costs to align with, if other than those to score with", choices=(*SETS, "FILE"), check=_kept
    )
    stems: str = _resource_setting("stems", "stemmer by which words match, or none")
    synonyms: str = _resource_setting("synonyms", "wordnet or a file by which words match, or none")
    paraphrases: str = _resource_setting("paraphrases", "a table by which phrases match, or none")
    stopwords: str = _resource_setting("stopwords", "a file, terp or none; blocks of nothing else are not shifted")
    normalized: bool = _flag_setting("split off punctuation as TERp does")
    case_sensitive: bool = _flag_setting("keep case")
    no_punct: bool = _flag_setting("leave punctuation out")
    new_normalization: bool = _flag_setting("leave out hyphens that no word touches, split s' and 's off")
    normalize_numbers: bool = _flag_setting("write numbers in digits")
    generalize_numbers: bool = _flag_setting("let all numbers match; stop words and paraphrases are not used then")
    equivalences: str = _resource_setting("equivalences", "a file of phrases that mean the same")
    shift_constraint: str = setting(
        None,
        "which blocks may be shifted",
        choices=("relax", "relax_nophrase", "exact", "noshift", "allow_mismatch"),
    )
    cap: bool = _flag_setting("let no score be above 100")
    reference_length: str = setting(None, "what edits are divided by, with several references", choices=LENGTHS)
    phrase_cost: str = setting(
        None,
        "how a paraphrase's cost is made from its probability",
        choices=("standard", "inverse", "no-edits", "table"),
    )
    phrase_minimum: float = setting(None, "the least that a paraphrase costs", number=(0, MOST))
    phrase_maximum: float = setting(None, "the most that a paraphrase costs", number=(0, MOST), unlimited=True)
    v1_bug: bool = setting(False, "read tables with two numbers a line as TERp's first version did")
    beam: float = setting(None, "width of the beam in word alignment", number=(0, MOST), unlimited=True)
    max_shift_size: int = setting(None, "most words a shift may move", whole=(0, 1000))
    max_shift_distance: float = limit_setting("how far away a block may be aimed")
    max_tokens: int = max_tokens_setting()
    unicode: str = unicode_setting()
    by_character: bool = by_character_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._open_resources()

    @classmethod
    def language_settings(cls, language: Language, given: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out what is English, and stem by the language's own rules; characters for scripts without blanks."""
        settings: dict[str, Any] = {}
        if language.is_east_asian or language.by_character:
            settings["by_character"] = True
        if language.code == "en":
            return settings
        brought = _OTHERWISE | dict(cost_set(given.get("costs", "terp-a"))[1].settings)
        for name in ("stems", "synonyms", "stopwords"):
            if brought[name] not in (None, False, "none"):
                settings[name] = _stemmer_of(language) if name == "stems" else "none"
        return settings

    def shortcoming(self, language: Language) -> str:
        """Say that TERp's lists are English."""
        usual = cost_set(self.costs)[1].settings.get("synonyms", "none")
        if language.code == "en" or usual == "none" or self.synonyms != "none":
            return ""
        stems = "none" if self.stems == "none" else f"those of {self.stems}"
        return (
            f"has English synonyms and stop words alone, which were left out for {language.name} (stems: {stems}). "
            "Name others: synonyms=FILE, stopwords=FILE."
        )

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Fill in what was chosen together with the costs."""
        costs, brought = cost_set(given["costs"])
        usual = {name: value for name, value in (_OTHERWISE | dict(brought.settings)).items() if given[name] is None}
        if given["generalize_numbers"] or usual.get("generalize_numbers"):
            usual |= cls._without_lists(given)
        lines = settings_of(cls)
        given = given | {name: lines[name].checked(f"terp's {name}", value) for name, value in usual.items()}
        if given["phrase_maximum"] < given["phrase_minimum"]:
            raise InputError(
                f"terp's phrase_maximum must be a number of at least {given['phrase_minimum']:g}, its phrase_minimum, "
                f"not {given['phrase_maximum']!r}."
            )
        aligning = given["alignment_costs"]
        return given | {"costs": costs, "alignment_costs": None if aligning is None else cost_set(aligning)[0]}

    @staticmethod
    def _without_lists(given: Mapping[str, Any]) -> dict[str, str]:
        """Return what is not used where all numbers match: the program then finds no word in its lists."""
        for name in ("stopwords", "paraphrases"):
            if given[name] not in (None, "none"):
                raise InputError(
                    f"terp's {name} cannot be given with generalize_numbers: where all numbers match, TERp finds no "
                    "word in its lists and tables. Leave one of the two out."
                )
        return {"stopwords": "none", "paraphrases": "none"}

    def _open_resources(self) -> None:
        """Refuse a resource that is missing or damaged now rather than at the first segment."""
        for resource in (self._stemmer, self._synonyms, self._table):
            if resource is not None:
                assert resource.mark
        if self.tokenizer and self.stopwords != "none":
            stop_words(self.stopwords, self.tokenizer)

    # --- what the settings stand for

    @property
    def costs_by_name(self) -> dict[str, float]:
        """What each edit costs in a score."""
        return dict(zip(COSTS, self.scoring_costs, strict=True))

    @property
    def scoring_costs(self) -> tuple[float, ...]:
        """The costs that scores are made with, in the order of `COSTS`."""
        return cost_set(self.costs)[1].costs

    @property
    def aligning_costs(self) -> tuple[float, ...]:
        """The costs that texts are aligned with."""
        return self.scoring_costs if self.alignment_costs is None else cost_set(self.alignment_costs)[1].costs

    @property
    def tokenizer(self) -> Tokenizer:
        """What splits the texts."""
        words = TerpTokenizer(
            self.normalized,
            self.new_normalization,
            self.no_punct,
            self.normalize_numbers,
            self.case_sensitive,
            self.unicode,
            () if self.equivalences == "none" else equivalences(self.equivalences),
        )
        return ByCharacter(words) if self.by_character else words

    @property
    def _stemmer(self) -> "Stems | None":
        from tertium.text.lexicon import Stems

        return None if self.stems == "none" else Stems(self.stems)

    @property
    def _synonyms(self) -> "Synonyms | None":
        from tertium.text.lexicon import Synonyms

        if self.synonyms == "none":
            return None
        return Synonyms.open(self.synonyms, "terp" if self.synonyms == "wordnet" else None)

    @property
    def _table(self) -> "PhraseTable | None":
        from tertium.text.lexicon import PhraseTable

        if self.paraphrases == "none":
            return None
        return PhraseTable.open(self.paraphrases, v1_bug=self.v1_bug, any_number=self.phrase_cost == "table")

    def settings(self) -> dict[str, str]:
        """Return every setting; files and resources are named with their hashes."""
        settings = super().settings()
        for name, resource in (("stems", self._stemmer), ("synonyms", self._synonyms), ("paraphrases", self._table)):
            settings[name] = "none" if resource is None else resource.mark
        settings["stopwords"] = "none" if self.stopwords == "none" else file_mark(stop_list(self.stopwords))
        settings["equivalences"] = "none" if self.equivalences == "none" else file_mark(self.equivalences)
        return settings

    def parameters(self) -> str:
        """Return the settings as a parameter file of TERp."""
        from tertium.metrics.terp.parameter_files import parameter_lines

        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        return "".join(parameter_lines(self.scoring_costs, settings))

    # --- rows

    @property
    def columns(self) -> tuple[str, ...]:
        """Edits by kind; sums over the phrases used; the length that edits are divided by.

        The cost of a phrase is never below 0, which no sum of the others could say. So rows have both: `phrase_cost`
        is what the phrases cost in the alignment, and the three before it, with `phrases`, what w1 to w4 are
        multiplied with under other costs.
        """
        kinds = ("insertions", "deletions", "substitutions", "stems", "synonyms", "phrases", "shifts", "shifted_words")
        sums = ("phrase_logs", "phrase_probabilities", "phrase_edits", "phrase_cost")
        return (*kinds, "matches", *sums, "reference_length")

    def rows_by(self, lengths: Segments | None, ours: Segments, theirs: Segments, *, threads: int) -> Floats:
        """Count, in the core; the lexicon needs words as they are spelt, which `Segments.tokens` does not keep."""
        rows = np.empty((len(ours), len(self.columns)))
        words = self.tokenizer
        our_words = words.tokens(ours.texts).stored_words(threads)
        their_words = words.tokens(theirs.texts).stored_words(threads)
        _native.terp_rows(
            our_words,
            their_words,
            lengths_from=None if lengths is None else words.tokens(lengths.texts),
            settings=self._search(our_words, their_words, threads=threads),
            reference_length=self.reference_length,
            threads=threads,
            rows=rows,
        )
        return rows

    def _search(self, *tokens: _native.TokenTexts, threads: int) -> _native.TerpSettings:
        """The settings as the search takes them; it must know all words of these texts."""
        from tertium.metrics.terp.numbers import Numbers

        stemmer, synonyms, table = self._stemmer, self._synonyms, self._table
        return _native.TerpSettings(
            **dict(zip(COSTS, self.aligning_costs, strict=True)),
            constraint=self.shift_constraint,
            phrase_cost=self.phrase_cost,
            phrase_minimum=self.phrase_minimum,
            phrase_maximum=self.phrase_maximum,
            beam=self.beam,
            max_shift_distance=self.max_shift_distance,
            max_shift_size=self.max_shift_size,
            max_tokens=self.max_tokens,
            stop_words=() if self.stopwords == "none" else stop_words(self.stopwords, self.tokenizer),
            stems=None if stemmer is None else stemmer.table(*tokens, threads=threads),
            synonyms=None if synonyms is None else synonyms.table(*tokens, threads=threads),
            numbers=Numbers().table(*tokens, threads=threads) if self.generalize_numbers else None,
            phrases=None if table is None else table.index,
        )

    # --- scores

    def score(self, totals: Floats) -> Floats:
        """Return TERp in percent. Where the reference is empty, any edit makes it 100; a cap lets none be above."""
        totals = self.checked(totals)
        return self.percent(self._edits(totals), totals[..., -1])

    def percent(self, edits: Floats, length: Floats) -> Floats:
        """Return what edits per length are in percent, with a cap if there is one."""
        found = rate(edits, length)
        percent: Floats = 100 * (np.minimum(found, 1.0) if self.cap else found)
        return percent

    def _edits(self, totals: Floats) -> Floats:
        """What the edits cost in a score."""
        costs = self.costs_by_name
        columns: dict[str, Floats] = dict(zip(self.columns, np.moveaxis(totals, -1, 0), strict=True))
        edits: Floats = (
            costs["match"] * columns["matches"]
            + costs["insertion"] * columns["insertions"]
            + costs["deletion"] * columns["deletions"]
            + costs["substitution"] * columns["substitutions"]
            + costs["stem"] * columns["stems"]
            + costs["synonym"] * columns["synonyms"]
            + costs["shift"] * columns["shifts"]
        )
        if self.scoring_costs == self.aligning_costs or self.phrase_cost == "table":
            return np.add(edits, columns["phrase_cost"])
        linear: Floats = (
            costs["w1"] * columns["phrases"]
            + costs["w2"] * columns["phrase_logs"]
            + costs["w3"] * columns["phrase_probabilities"]
            + costs["w4"] * columns["phrase_edits"]
        )
        return np.add(edits, linear)

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the edits by kind, what they cost together, and the reference length."""
        totals = self.checked(totals)
        named = {name: totals[..., k] for k, name in enumerate(self.columns)}
        return {**named, "edits": np.asarray(self._edits(totals))}

    # --- alignments

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return shifts and operations against the reference with the fewest edits."""
        return self.tracks(hypothesis, references).alignment

    def tracks(self, hypothesis: str, references: Sequence[str]) -> "TerpTracks":
        """Return the alignment together with what TERp's reports print of it."""
        references = [reference for reference in references if reference is not None]
        row = self.statistics([hypothesis], [references], threads=1)[0]
        split = self.tokenizer
        texts = _native.flat_texts([hypothesis, *references], "texts")
        settings = self._search(split.tokens(texts).stored_words(1), threads=1)
        words, best, index, chosen = split(hypothesis), None, 0, []
        for k, reference in enumerate(references):
            theirs = split(reference)
            found = _native.terp_alignment(words, theirs, settings)
            if best is None or found[0] < best[0]:
                best, index, chosen = found, k, theirs
        assert best is not None
        _, steps, moves = best
        alignment = Alignment(
            metric=self.name,
            hypothesis=tuple(words),
            reference=tuple(chosen),
            reference_index=index,
            score=float(self.score(row)),
            operations=self._operations(steps),
            shifts=shifts_of(words, moves),
        )
        return TerpTracks(
            alignment,
            "".join(letter for letter, *_ in steps),
            tuple((aim, place) for _, _, _, aim, place in moves),
            tuple(probability for letter, _, _, _, probability, _ in steps if letter == "P"),
            float(self._edits(row)),
            row,
        )

    def _operations(self, steps: Sequence[tuple[str, int, int, float, float, float]]) -> tuple[Operation, ...]:
        """Return the steps of an alignment with what they cost in the score."""
        costs, same = self.costs_by_name, self.scoring_costs == self.aligning_costs
        operations, i, j = [], 0, 0
        for letter, theirs, ours, cost, probability, edits in steps:
            kind = _KINDS[letter]
            if kind != "phrase":
                cost = costs[kind]
            elif not same and self.phrase_cost != "table":
                cost = self._linear_cost(probability, edits)
            operations.append(Operation(kind, j, j + ours, i, i + theirs, cost))
            i, j = i + theirs, j + ours
        return tuple(operations)

    def _linear_cost(self, probability: float, edits: float) -> float:
        costs = self.costs_by_name
        if self.phrase_cost == "no-edits":
            return costs["w1"] + costs["w2"] * log10(probability) + costs["w3"] * probability
        p = 1 - probability if self.phrase_cost == "inverse" else probability
        return costs["w1"] + edits * (costs["w2"] * log10(max(p, 1e-300)) + costs["w3"] * p + costs["w4"])


@dataclass(frozen=True)
class TerpTracks:
    """An alignment with the numbers that TERp's reports add to it."""

    alignment: Alignment
    operations: str  # one letter each: blank, S, T, Y, P, I, D
    aims: tuple[tuple[int, int], ...]  # per shift: the reference word aimed at, and its place in the hypothesis
    probabilities: tuple[float, ...]  # of the phrases used
    edits: float
    row: Floats

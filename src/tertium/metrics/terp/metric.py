"""TERp: the edit rate in which words also match by stem or as synonyms, and phrases by paraphrase."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import inf, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium import _native
from tertium.corpus import Segments, check_parallel, reference_texts
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Operation, shifts_of
from tertium.metrics.base import Floats, Metric, check_flags, check_number, is_number, thread_count
from tertium.metrics.terp.costs import COSTS, CostSet, cost_set, parameter_lines
from tertium.metrics.terp.words import TerpTokenizer, equivalences, file_mark, stop_list, stop_words
from tertium.metrics.tunable import Tunable
from tertium.text import UNICODE_FORMS

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
    "max_shift_size": 10.0,
    "max_shift_distance": 50.0,
    "phrase_cost": "standard",
    "phrase_minimum": 0.0,
    "phrase_maximum": inf,
}
_FLAGS = (
    "normalized",
    "case_sensitive",
    "no_punct",
    "new_normalization",
    "normalize_numbers",
    "generalize_numbers",
    "cap",
)
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
_MOST_TOKENS = 1_000_000
_LARGEST_SHIFT = 1_000
_ALIGNMENT = "alignment-"  # before the names of costs that alignments are made with


@dataclass(frozen=True, kw_only=True)
class TERp(Metric):
    """Snover et al. (2009). Of several references the one with the fewest edits counts, the first of equals.

    `costs` are a named set, a mapping, eleven numbers or a parameter file of TERp; a set brings what was chosen
    together with it (stems, synonyms, beam, cap, …), and every setting that is given wins over it. Texts are aligned
    with `alignment_costs` and scored with `costs`.
    """

    name: ClassVar[str] = "terp"
    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0
    range: ClassVar[str] = "0 and more; up to 100 with a cap"
    source: ClassVar[str] = "Snover et al. (2009)"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "shift_constraint": ("relax", "relax_nophrase", "exact", "noshift", "allow_mismatch"),
        "reference_length": ("average", "best", "closest", "shortest"),
        "phrase_cost": ("standard", "inverse", "no-edits", "table"),
    }
    meanings: ClassVar[dict[str, str]] = {
        "costs": "of each kind of edit: a named set, eleven numbers or a file",
        "alignment_costs": "costs to align with, if other than those to score with",
        "stems": "stemmer by which words match, or none",
        "synonyms": "wordnet or a file by which words match, or none",
        "paraphrases": "a table by which phrases match, or none",
        "stopwords": "a file, terp or none; blocks of nothing else are not shifted",
        "normalized": "split off punctuation as TERp does",
        "case_sensitive": "keep case",
        "no_punct": "leave punctuation out",
        "new_normalization": "leave hyphens between blanks out, split s' off",
        "normalize_numbers": "write numbers in digits",
        "generalize_numbers": "let all numbers match",
        "equivalences": "a file of phrases that mean the same",
        "shift_constraint": "which blocks may be shifted",
        "cap": "let no score be above 100",
        "reference_length": "what edits are divided by, with several references",
        "phrase_cost": "how a paraphrase's cost is made from its probability",
        "phrase_minimum": "the least that a paraphrase costs",
        "phrase_maximum": "the most that a paraphrase costs",
        "v1_bug": "read tables with two numbers a line as TERp's first version did",
        "beam": "width of the beam in word alignment",
        "max_shift_size": "most words a shift may move",
        "max_shift_distance": "how far away a block may be aimed",
        "max_tokens": "refuse segments with more words",
        "unicode": "Unicode normalization first",
    }

    costs: Any = "terp-a"
    alignment_costs: Any = None
    stems: Any = None
    synonyms: Any = None
    paraphrases: Any = None
    stopwords: Any = None
    normalized: bool | None = None
    case_sensitive: bool | None = None
    no_punct: bool | None = None
    new_normalization: bool | None = None
    normalize_numbers: bool | None = None
    generalize_numbers: bool | None = None
    equivalences: Any = None
    shift_constraint: str | None = None
    cap: bool | None = None
    reference_length: str | None = None
    phrase_cost: str | None = None
    phrase_minimum: float | None = None
    phrase_maximum: float | None = None
    v1_bug: bool = False
    beam: float | None = None
    max_shift_size: float | None = None
    max_shift_distance: float | None = None
    max_tokens: int = 20_000
    unicode: str = "none"

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        costs, brought = cost_set(self.costs)
        set_(self, "costs", costs)
        if self.alignment_costs is not None:
            set_(self, "alignment_costs", cost_set(self.alignment_costs)[0])
        for name, value in (_OTHERWISE | dict(brought.settings)).items():
            if getattr(self, name) is None:
                set_(self, name, value)
        for name in ("stems", "synonyms", "paraphrases", "stopwords", "equivalences"):
            set_(self, name, _resource(name, getattr(self, name), brought))
        self.check_choices()
        check_flags(self, *_FLAGS, "v1_bug")
        if self.unicode not in UNICODE_FORMS:
            raise UnknownNameError.of("Unicode form", self.unicode, UNICODE_FORMS)
        for limit in ("beam", "max_shift_distance", "max_shift_size"):
            set_(self, limit, _checked_limit(limit, getattr(self, limit)))
        if self.max_shift_size > _LARGEST_SHIFT:  # type: ignore[operator]
            raise InputError(f"terp's max_shift_size must be at most {_LARGEST_SHIFT:,}, not {self.max_shift_size!r}.")
        check_number(self, "phrase_minimum", least=0)
        if self.phrase_maximum != inf:
            check_number(self, "phrase_maximum", least=float(self.phrase_minimum))  # type: ignore[arg-type]
        for bound in ("phrase_minimum", "phrase_maximum"):
            set_(self, bound, float(getattr(self, bound)))
        check_number(self, "max_tokens", least=1, whole=True)
        if self.max_tokens > _MOST_TOKENS:
            raise InputError(f"terp's max_tokens must be at most {_MOST_TOKENS:,}, not {self.max_tokens:,}.")
        self._open_resources()

    def _open_resources(self) -> None:
        """Refuse a resource that is missing or damaged now rather than at the first segment."""
        for resource in (self._stemmer, self._synonyms, self._table):
            if resource is not None:
                assert resource.mark
        assert self.tokenizer_of_words is not None
        if self.stopwords != "none":
            stop_words(self.stopwords, self.tokenizer_of_words)

    # --- what the settings stand for

    @property
    def costs_by_name(self) -> dict[str, float]:
        """What each edit costs in a score."""
        return dict(zip(COSTS, self._scoring, strict=True))

    @property
    def _scoring(self) -> tuple[float, ...]:
        return cost_set(self.costs)[1].costs

    @property
    def _aligning(self) -> tuple[float, ...]:
        return self._scoring if self.alignment_costs is None else cost_set(self.alignment_costs)[1].costs

    @property
    def tokenizer_of_words(self) -> TerpTokenizer:
        """What splits the texts. (Metrics that share a `tokenizer` share tokens without spelling, which is no use.)"""
        return TerpTokenizer(
            bool(self.normalized),
            bool(self.new_normalization),
            bool(self.no_punct),
            bool(self.normalize_numbers),
            bool(self.case_sensitive),
            self.unicode,
            () if self.equivalences == "none" else equivalences(self.equivalences),
        )

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
        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        return "".join(parameter_lines(self._scoring, settings))

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

    def statistics(
        self,
        hypotheses: Sequence[Any],
        references: Sequence[Any],
        *,
        threads: int | None = None,
        length_references: Sequence[Any] | None = None,
    ) -> Floats:
        """Return (segments, columns). Edits are divided by the length of `length_references`, if they are given."""
        if length_references is None:
            return super().statistics(hypotheses, references, threads=threads)
        if self.reference_length == "best":
            raise InputError(
                "reference_length='best' is the length of the reference that was aligned, which length_references "
                "does not hold. Choose average, closest or shortest."
            )
        ours, theirs = self.segments(hypotheses, references)
        check_parallel(len(ours), len(theirs), nested=references)
        lengths = Segments(reference_texts(length_references, "length_references"))
        if len(lengths) != len(ours):
            raise InputError(
                f"hypotheses has {len(ours):,} segments, but length_references has {len(lengths):,}. Give one item "
                "per segment, in the same order."
            )
        return self._rows(ours, theirs, lengths, thread_count(threads))

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        return self._rows(hypotheses, references, None, threads)

    def _rows(self, hypotheses: Segments, references: Segments, lengths: Segments | None, threads: int) -> Floats:
        rows = np.empty((len(hypotheses), len(self.columns)))
        words = self.tokenizer_of_words
        ours = words.tokens(hypotheses.texts).stored_words(threads)
        theirs = words.tokens(references.texts).stored_words(threads)
        _native.terp_rows(
            ours,
            theirs,
            None if lengths is None else words.tokens(lengths.texts),
            self._settings(ours, theirs, threads=threads),
            self.reference_length,  # type: ignore[arg-type]
            threads,
            rows,
        )
        return rows

    def _settings(self, *tokens: _native.TokenTexts, threads: int) -> _native.TerpSettings:
        from tertium.metrics.terp.numbers import Numbers

        stemmer, synonyms, table = self._stemmer, self._synonyms, self._table
        return _native.TerpSettings(
            self._aligning,
            self.shift_constraint,  # type: ignore[arg-type]
            self.phrase_cost,  # type: ignore[arg-type]
            self.phrase_minimum,  # type: ignore[arg-type]
            self.phrase_maximum,  # type: ignore[arg-type]
            self.beam,  # type: ignore[arg-type]
            self.max_shift_distance,  # type: ignore[arg-type]
            int(self.max_shift_size),  # type: ignore[arg-type]
            self.max_tokens,
            () if self.stopwords == "none" else stop_words(self.stopwords, self.tokenizer_of_words),
            None if stemmer is None else stemmer.table(*tokens, threads=threads),
            None if synonyms is None else synonyms.table(*tokens, threads=threads),
            Numbers().table(*tokens, threads=threads) if self.generalize_numbers else None,
            None if table is None else table.index,
        )

    # --- scores

    def score(self, totals: Floats) -> Floats:
        """Return TERp in percent. Where the reference is empty, any edit makes it 100; a cap lets none be above."""
        totals = self.checked(totals)
        return self._rate(self._edits(totals), totals[..., -1])

    def _rate(self, edits: Floats, length: Floats) -> Floats:
        rate: Floats
        if np.min(length, initial=1.0) > 0:
            rate = edits / length
        else:
            nothing_to_divide_by = np.where(edits > 0, 1.0, 0.0)
            rate = np.divide(edits, length, out=nothing_to_divide_by, where=length > 0)
        percent: Floats = 100 * (np.minimum(rate, 1.0) if self.cap else rate)
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
        if self._scoring == self._aligning or self.phrase_cost == "table":
            return np.add(edits, columns["phrase_cost"])
        linear: Floats = (
            costs["w1"] * columns["phrases"]
            + costs["w2"] * columns["phrase_logs"]
            + costs["w3"] * columns["phrase_probabilities"]
            + costs["w4"] * columns["phrase_edits"]
        )
        return np.add(edits, linear)

    # --- tuning

    def tunables(self) -> dict[str, Tunable]:
        """Return the costs, but for that of a match; those that alignments are made with need other rows."""
        aligning = dict(zip(COSTS, self._aligning, strict=True))
        scores = {kind: _tunable(kind, cost) for kind, cost in self.costs_by_name.items() if kind != "match"}
        return scores | {f"{_ALIGNMENT}{kind}": _tunable(kind, aligning[kind], fixed_rows=False) for kind in scores}

    def with_values(self, values: Mapping[str, Any]) -> "TERp":
        """Return a copy that scores with other costs; it aligns as before unless costs to align with are given."""
        scoring = {kind: value for kind, value in values.items() if not kind.startswith(_ALIGNMENT)}
        changed = {
            kind.removeprefix(_ALIGNMENT): value for kind, value in values.items() if kind.startswith(_ALIGNMENT)
        }
        aligning: Any = self._scoring if self.alignment_costs is None else self.alignment_costs
        if changed:
            aligning = dict(zip(COSTS, self._aligning, strict=True)) | changed
        return replace(self, costs=self.costs_by_name | scoring, alignment_costs=aligning)

    def rescored(self, totals: Floats, values: Mapping[str, Any]) -> Floats:
        """Score with other costs: one product of rows and costs."""
        costs = self.costs_by_name | dict(values)
        by_table = self.phrase_cost == "table" or tuple(costs.values()) == self._aligning
        phrases = (0.0, 0.0, 0.0, 0.0) if by_table else tuple(costs[kind] for kind in ("w1", "w2", "w3", "w4"))
        kinds = [costs[kind] for kind in ("insertion", "deletion", "substitution", "stem", "synonym")]
        vector = np.array([*kinds, phrases[0], costs["shift"], 0.0, costs["match"], *phrases[1:], float(by_table), 0.0])
        edits: Floats = totals @ vector
        return self._rate(edits, totals[..., -1])

    def realigned(self) -> "TERp":
        """Return a copy that aligns with the costs it scores with."""
        return replace(self, alignment_costs=None)

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
        split = self.tokenizer_of_words
        texts = _native.flat_texts([hypothesis, *references], "texts")
        settings = self._settings(split.tokens(texts).stored_words(1), threads=1)
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
        costs, same = self.costs_by_name, self._scoring == self._aligning
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


def _tunable(kind: str, cost: float, *, fixed_rows: bool = True) -> Tunable:
    low = -100.0 if kind in ("w1", "w2", "w3", "w4") else 0.0
    return Tunable(cost, low, max(100.0, cost), fixed_rows=fixed_rows)  # 999 stands for never


def _resource(name: str, value: object, brought: CostSet) -> str:
    """Return a resource's name or path: what the set brings for True, "none" for False."""
    if value is True or value == "true":
        usual = {"stems": "porter-revised", "synonyms": "wordnet", "stopwords": "terp"}
        if name not in usual:
            raise InputError(f"terp's {name} must be a path or none, not {value!r}.")
        return usual[name]
    if value is False or value in ("false", "none"):
        return "none"
    if isinstance(value, Path):
        value = str(value)
    if name == "paraphrases" and hasattr(value, "source"):  # a table that was opened
        value = value.source
    if not isinstance(value, str) or not value:
        raise InputError(f"terp's {name} must be a name or a path, or False for none, not {value!r}.")
    return _without_mark(name, value) if _MARK.search(value) else value


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


def _checked_limit(name: str, value: object) -> float:
    if value == inf and name != "max_shift_size":
        return inf
    if not is_number(value) or value < 0 or (value != int(value) and name != "beam"):
        raise InputError(f"terp's {name} must be a whole number of at least 0, or inf for none, not {value!r}.")
    return float(value)

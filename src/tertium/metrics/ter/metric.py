"""Translation edit rate: word edits once blocks of words may be shifted, per word of the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium import _native
from tertium.corpus import Segments, check_parallel, reference_texts
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Operation, shifts_of
from tertium.metrics.base import (
    TEXT_MEANINGS,
    Floats,
    Metric,
    canonical,
    check_flags,
    check_number,
    is_number,
    lexicon_settings,
    settle_lexicon,
    thread_count,
)
from tertium.metrics.tunable import Tunable
from tertium.text import UNICODE_FORMS

if TYPE_CHECKING:
    from tertium.text.canonical import Canonical

COSTS = ("insertion", "deletion", "substitution", "shift", "match")
_UNIT_COSTS = (1.0, 1.0, 1.0, 1.0, 0.0)
_LARGEST_COST = 1_000_000
_LIMITS: dict[str, dict[str, float]] = {
    "tercom": {"max_shift_size": 10, "max_shift_distance": 50, "max_candidates": inf, "beam": 20},
    "sacrebleu": {"max_shift_size": 10, "max_shift_distance": 50, "max_candidates": 1000, "beam": 25},
    "thesis": {"max_shift_size": inf, "max_shift_distance": inf, "max_candidates": inf, "beam": inf},
}
_KINDS = {" ": "match", "S": "substitution", "I": "insertion", "D": "deletion"}


@dataclass(frozen=True)
class TerTokenizer:
    """Splits texts as tercom or as sacreBLEU's TER does."""

    sacrebleu: bool
    release_0_7: bool
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    unicode: str

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        return list(self._rule.split(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the words of many texts as the kernel takes them."""
        return self._rule.tokens(texts)

    @property
    def _rule(self) -> _native.TerText:
        return _native.TerText(
            self.sacrebleu,
            self.release_0_7,
            self.normalized,
            self.no_punct,
            self.asian_support,
            self.case_sensitive,
            self.unicode,
        )


@dataclass(frozen=True, kw_only=True)
class TER(Metric):
    """Snover et al. (2006), as tercom or sacreBLEU compute it, or as its authors define it.

    Of several references the one with the fewest edits counts, the first of equals. `costs` are those of an
    insertion (an extra hypothesis word), a deletion (a missing reference word), a substitution, a shift and a match,
    as a mapping or in this order. A limit that is left out is the variant's own.
    """

    name: ClassVar[str] = "ter"
    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0
    range: ClassVar[str] = "0 and more"
    source: ClassVar[str] = "Snover et al. (2006)"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "variant": ("tercom", "sacrebleu", "thesis"),
        "version": ("0.10", "0.7.25"),
        "reference_length": ("average", "best", "closest", "shortest"),
    }
    meanings: ClassVar[dict[str, str]] = {
        "variant": "whose search for shifts, splitting and averaging",
        "version": "which tercom's normalization",
        "normalized": "split off punctuation as the program does",
        "no_punct": "leave punctuation out",
        "asian_support": "let the two above know East Asian scripts",
        "case_sensitive": "keep case",
        "reference_length": "what edits are divided by, with several references",
        "costs": "of insertion, deletion, substitution, shift, match",
        "max_shift_size": "most words a shift may move",
        "max_shift_distance": "how far away a block may be aimed",
        "max_candidates": "after how many shifts looked at the search ends (sacrebleu)",
        "beam": "width of the beam in word alignment",
        "max_tokens": "refuse segments with more words",
        **TEXT_MEANINGS,
    }

    variant: str = "tercom"
    version: str = "0.10"
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    reference_length: str = "average"
    costs: tuple[float, ...] | Mapping[str, float] = _UNIT_COSTS
    max_shift_size: float | None = None
    max_shift_distance: float | None = None
    max_candidates: float | None = None
    beam: float | None = None
    max_tokens: int = 20_000
    unicode: str = "none"
    stem: str | None = None
    synonyms: str | None = None

    def __post_init__(self) -> None:
        self.check_choices()
        if self.variant == "sacrebleu" and self.version != "0.10":
            raise InputError(f"ter's version is tercom's: variant='sacrebleu' has no version {self.version}.")
        check_flags(self, "normalized", "no_punct", "asian_support", "case_sensitive")
        if self.unicode not in UNICODE_FORMS:
            raise UnknownNameError.of("Unicode form", self.unicode, UNICODE_FORMS)
        object.__setattr__(self, "costs", _five_costs(self.costs))
        for limit, usual in _LIMITS[self.variant].items():
            value = getattr(self, limit)
            object.__setattr__(self, limit, _checked_limit(limit, usual if value is None else value))
        if self.variant != "sacrebleu" and self.max_candidates != inf:
            raise InputError(f"ter's max_candidates is sacreBLEU's: variant='{self.variant}' has no such limit.")
        check_number(self, "max_tokens", least=1, whole=True)
        if self.max_tokens > 1_000_000:
            raise InputError(f"ter's max_tokens must be at most 1,000,000, not {self.max_tokens:,}.")
        settle_lexicon(self)

    @property
    def columns(self) -> tuple[str, ...]:
        """Edits by kind, their cost, and the length they are divided by; the definition weighs by hypothesis length."""
        kinds = ("insertions", "deletions", "substitutions", "shifts", "shifted_words", "edits", "reference_length")
        return (*kinds, "weighted_ter", "hypothesis_length") if self.variant == "thesis" else kinds

    @property
    def tokenizer(self) -> "TerTokenizer | Canonical":
        """What splits the texts, into words or into what stands for them."""
        return canonical(self._word_tokenizer, self.stem, self.synonyms)  # type: ignore[no-any-return]

    def settings(self) -> dict[str, str]:
        """Return every setting; stems and synonyms with their hashes."""
        return super().settings() | lexicon_settings(self)

    @property
    def _word_tokenizer(self) -> TerTokenizer:
        return TerTokenizer(
            self.variant == "sacrebleu",
            self.version == "0.7.25",
            self.normalized,
            self.no_punct,
            self.asian_support,
            self.case_sensitive,
            self.unicode,
        )

    def statistics(
        self,
        hypotheses: Sequence[Any],
        references: Sequence[Any],
        *,
        threads: int | None = None,
        length_references: Sequence[Any] | None = None,
    ) -> Floats:
        """Return (segments, columns). Edits are divided by the length of `length_references`, if they are given.

        Human-targeted TER needs that: edits are counted against a reference made from the hypothesis itself, but
        divided by the length of references made without it.
        """
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
        counts = np.empty((len(hypotheses), 8))
        _native.ter_rows(
            hypotheses.tokens(self.tokenizer),
            references.tokens(self.tokenizer),
            None if lengths is None else lengths.tokens(self.tokenizer),
            self._settings,
            self.reference_length,
            threads,
            counts,
        )
        if self.variant != "thesis":
            return np.ascontiguousarray(counts[:, :7])
        weighted = counts[:, 7] * _rate(counts[:, 5], counts[:, 6])
        return np.column_stack([counts[:, :7], weighted, counts[:, 7]])

    def _forms(self, words: list[str]) -> list[str]:
        """Return what the search compares: the words, or what stands for them."""
        forms = getattr(self.tokenizer, "forms", None)
        return words if forms is None else list(forms.forms(words))

    @property
    def _settings(self) -> _native.ShiftSettings:
        return _native.ShiftSettings(
            self.variant,
            self.costs,  # type: ignore[arg-type]
            self.max_shift_size,  # type: ignore[arg-type]
            self.max_shift_distance,  # type: ignore[arg-type]
            self.max_candidates,  # type: ignore[arg-type]
            self.beam,  # type: ignore[arg-type]
            self.max_tokens,
        )

    def score(self, totals: Floats) -> Floats:
        """Return TER in percent, which may be above 100. Where the reference is empty, any edit makes it 100."""
        totals = self.checked(totals)
        rate = _rate(totals[..., 5], totals[..., 6])
        if self.variant == "thesis":
            weight = totals[..., 8]
            rate = np.where(
                weight > 0, np.divide(totals[..., 7], weight, out=np.zeros_like(rate), where=weight > 0), rate
            )
        return 100 * rate

    def tunables(self) -> dict[str, Tunable]:
        """Return the costs, which change the alignment and so need other rows."""
        costs = zip(COSTS, self.costs, strict=True)
        return {kind: Tunable(float(cost), 0.0, 2.0, fixed_rows=False) for kind, cost in costs if kind != "match"}  # type: ignore[arg-type]

    def with_values(self, values: Mapping[str, Any]) -> "TER":
        """Return a copy with other costs."""
        return replace(self, costs=dict(zip(COSTS, self.costs, strict=True)) | dict(values))  # type: ignore[arg-type]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the edits by kind, their cost and the reference length."""
        totals = self.checked(totals)
        return {name: totals[..., k] for k, name in enumerate(self.columns)}

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return shifts and operations against the reference with the fewest edits."""
        return self.tracks(hypothesis, references).alignment

    def tracks(self, hypothesis: str, references: Sequence[str]) -> "Tracks":
        """Return the alignment together with what tercom's reports print of it."""
        row = self.statistics([hypothesis], [list(references)], threads=1)[0]
        words = self.tokenizer(hypothesis)
        best: tuple[float, str, list[tuple[int, int, int, int, int]]] | None = None
        index, chosen = 0, []
        for k, reference in enumerate(references):
            theirs = self.tokenizer(reference)
            found = _native.ter_alignment(self._forms(words), self._forms(theirs), self._settings)
            if best is None or found[0] < best[0]:
                best, index, chosen = found, k, theirs
        assert best is not None
        edits, operations, moves = best
        alignment = Alignment(
            metric=self.name,
            hypothesis=tuple(words),
            reference=tuple(chosen),
            reference_index=index,
            score=float(self.score(row)),
            operations=_operations(operations, self.costs),  # type: ignore[arg-type]
            shifts=shifts_of(words, moves),
        )
        aims = tuple((aim, place) for _, _, _, aim, place in moves)
        return Tracks(alignment, operations, aims, edits, float(row[6]))

    def operations_without_shifts(self, words: Sequence[str], reference: Sequence[str]) -> str:
        """Return the word edits of tokens as they stand, one letter each, as `Tracks` has them."""
        settings = replace(self, max_shift_size=0)._settings
        return _native.ter_alignment(list(words), list(reference), settings)[1]


@dataclass(frozen=True)
class Tracks:
    """An alignment with the numbers that tercom's reports add to it."""

    alignment: Alignment
    operations: str  # one letter each: blank, S, I, D
    aims: tuple[tuple[int, int], ...]  # per shift: the reference word aimed at, and its place in the hypothesis
    edits: float
    reference_length: float


def _rate(edits: Floats, length: Floats) -> Floats:
    nothing_to_divide_by = np.where(edits > 0, 1.0, 0.0)
    return np.divide(edits, length, out=nothing_to_divide_by, where=length > 0)


def _five_costs(costs: object) -> tuple[float, ...]:
    if isinstance(costs, Mapping):
        for kind in costs:
            if kind not in COSTS:
                raise UnknownNameError.of("cost of ter", str(kind), COSTS)
        costs = tuple(costs.get(kind, usual) for kind, usual in zip(COSTS, _UNIT_COSTS, strict=True))
    values = tuple(costs) if isinstance(costs, Sequence) and not isinstance(costs, str) else ()
    values += _UNIT_COSTS[len(values) :] if len(values) == 4 else ()
    if len(values) != 5:
        raise InputError(f"ter's costs are those of {', '.join(COSTS)}: five numbers or a mapping, not {costs!r}.")
    for kind, value in zip(COSTS, values, strict=True):
        if not is_number(value) or not 0 <= value <= _LARGEST_COST:
            raise InputError(f"ter's cost of a {kind} must be a number from 0 to {_LARGEST_COST:,}, not {value!r}.")
    return tuple(float(value) for value in values)


def _checked_limit(name: str, value: object) -> float:
    if value == inf:
        return inf
    if not is_number(value) or value < 0 or value != int(value):
        raise InputError(f"ter's {name} must be a whole number of at least 0, or inf for none, not {value!r}.")
    return float(value)


def _operations(letters: str, costs: tuple[float, ...]) -> tuple[Operation, ...]:
    by_kind = dict(zip(COSTS, costs, strict=True))
    operations, i, j = [], 0, 0
    for letter in letters:
        kind, ours, theirs = _KINDS[letter], letter != "D", letter != "I"
        operations.append(Operation(kind, j, j + ours, i, i + theirs, by_kind[kind]))
        i, j = i + theirs, j + ours
    return tuple(operations)

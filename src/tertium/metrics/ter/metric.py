"""Translation edit rate: word edits once blocks may be shifted, per word of the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment, Operation, shifts_of
from tertium.metrics.base import Floats
from tertium.metrics.settings import is_number, setting
from tertium.metrics.ter.shifting import LENGTHS, ShiftMetric, limit_setting, max_tokens_setting, rate
from tertium.metrics.words import (
    by_character_setting,
    canonical,
    lexicon_settings,
    stem_setting,
    synonyms_setting,
    unicode_setting,
)
from tertium.text import Tokenizer
from tertium.text.languages import Language
from tertium.text.tokenizers import ByCharacter

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
class TerTokenizer(Tokenizer):
    """Splits texts as tercom or as sacreBLEU's TER does."""

    sacrebleu: bool
    release_0_7: bool
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    twice: bool  # as sacreBLEU takes references: what came of a text is a text again
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
            sacrebleu=self.sacrebleu,
            release_0_7=self.release_0_7,
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
            twice=self.twice,
            unicode=self.unicode,
        )


def _five_costs(where: str, costs: object) -> tuple[float, ...]:
    if isinstance(costs, Mapping):
        for kind in costs:
            if kind not in COSTS:
                raise UnknownNameError.of("cost of ter", str(kind), COSTS)
        costs = tuple(costs.get(kind, usual) for kind, usual in zip(COSTS, _UNIT_COSTS, strict=True))
    values = tuple(costs) if isinstance(costs, Sequence) and not isinstance(costs, str) else ()
    values += _UNIT_COSTS[len(values) :] if len(values) == 4 else ()
    if len(values) != 5:
        raise InputError(f"{where} are those of {', '.join(COSTS)}: five numbers or a mapping, not {costs!r}.")
    for kind, value in zip(COSTS, values, strict=True):
        if not is_number(value) or not 0 <= value <= _LARGEST_COST:
            raise InputError(f"ter's cost of a {kind} must be a number from 0 to {_LARGEST_COST:,}, not {value!r}.")
    return tuple(float(value) for value in values)


@dataclass(frozen=True, kw_only=True)
class TER(ShiftMetric):
    """Snover et al. (2006), as tercom or sacreBLEU compute it, or as its authors define it.

    Of several references the one with the fewest edits counts, the first of equals. `costs` are those of an
    insertion (an extra hypothesis word), a deletion (a missing reference word), a substitution, a shift and a match,
    as a mapping or in this order. A limit that is left out is the variant's own.
    """

    name = "ter"
    title = "TER"
    range = "0 and more"
    source = "Snover et al. (2006)"

    variant: str = setting("tercom", "whose search for shifts, splitting and averaging", choices=tuple(_LIMITS))
    version: str = setting("0.10", "which tercom's normalization", choices=("0.10", "0.7.25"))
    normalized: bool = setting(False, "split off punctuation as the program does")
    no_punct: bool = setting(False, "leave punctuation out")
    asian_support: bool = setting(False, "let the two above know East Asian scripts")
    case_sensitive: bool = setting(False, "keep case")
    reference_length: str = setting("average", "what edits are divided by, with several references", choices=LENGTHS)
    costs: tuple[float, ...] | Mapping[str, float] = setting(
        _UNIT_COSTS, "of insertion, deletion, substitution, shift, match", number=(0, _LARGEST_COST), check=_five_costs
    )
    max_shift_size: float = limit_setting("most words a shift may move")
    max_shift_distance: float = limit_setting("how far away a block may be aimed")
    max_candidates: float = limit_setting("after how many shifts looked at the search ends (sacrebleu)")
    beam: float = limit_setting("width of the beam in word alignment")
    max_tokens: int = max_tokens_setting()
    unicode: str = unicode_setting()
    stem: str | None = stem_setting()
    synonyms: str | None = synonyms_setting()
    by_character: bool = by_character_setting()

    @classmethod
    def language_settings(cls, language: Language, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return tercom's own treatment of East Asian scripts; characters where no program finds words."""
        if language.is_east_asian:
            return {"normalized": True, "asian_support": True}
        return {"by_character": True} if language.by_character else {}

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Fill in the variant's limits."""
        variant, version = given["variant"], given["version"]
        if variant == "sacrebleu" and version != "0.10":
            raise InputError(f"ter's version is tercom's: variant='sacrebleu' has no version {version}.")
        if variant != "sacrebleu" and given["max_candidates"] not in (None, inf):
            raise InputError(f"ter's max_candidates is sacreBLEU's: variant='{variant}' has no such limit.")
        if variant == "tercom" and given["costs"][COSTS.index("shift")] == 0:
            raise InputError(
                "ter's cost of a shift must be above 0: tercom then goes on with shifts that change nothing, and never "
                "ends. Give a small one, such as 0.001, or variant='thesis'."
            )
        return given | {name: usual for name, usual in _LIMITS[variant].items() if given[name] is None}

    @property
    def columns(self) -> tuple[str, ...]:
        """Edits by kind, their cost, and the length they are divided by; the definition weighs by hypothesis length."""
        kinds = ("insertions", "deletions", "substitutions", "shifts", "shifted_words", "edits", "reference_length")
        return (*kinds, "weighted_ter", "hypothesis_length") if self.variant == "thesis" else kinds

    @property
    def tokenizer(self) -> Tokenizer:
        """What splits the texts, into words or into what stands for them."""
        return self._splitting(twice=False)

    @property
    def reference_tokenizer(self) -> Tokenizer:
        """What splits references: sacreBLEU rewrites them, and then what came of that."""
        return self._splitting(twice=self._rewrites_twice)

    @property
    def _rewrites_twice(self) -> bool:
        return self.variant == "sacrebleu" and (self.normalized or self.no_punct)

    def _splitting(self, *, twice: bool) -> Tokenizer:
        words = TerTokenizer(
            self.variant == "sacrebleu",
            self.version == "0.7.25",
            self.normalized,
            self.no_punct,
            self.asian_support,
            self.case_sensitive,
            twice,
            self.unicode,
        )
        split = ByCharacter(words) if self.by_character else words
        return canonical(split, self.stem, self.synonyms) or split

    def settings(self) -> dict[str, str]:
        """Return every setting; stems and synonyms with their hashes."""
        return super().settings() | lexicon_settings(self.stem, self.synonyms)

    @property
    def costs_by_name(self) -> dict[str, float]:
        """What each edit costs."""
        assert isinstance(self.costs, tuple)
        return dict(zip(COSTS, self.costs, strict=True))

    def rows_by(self, lengths: Segments | None, ours: Segments, theirs: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        counts = np.empty((len(ours), 8 if self.variant == "thesis" else 7))
        splits = self.tokenizer
        splits_references = self.reference_tokenizer if self._rewrites_twice else splits
        _native.ter_rows(
            ours.tokens(splits),
            theirs.tokens(splits_references),
            lengths_from=None if lengths is None else lengths.tokens(splits_references),
            settings=self.search,
            reference_length=self.reference_length,
            threads=threads,
            rows=counts,
        )
        return self._as_rows(counts)

    def _as_rows(self, counts: Floats) -> Floats:
        if self.variant != "thesis":
            return np.ascontiguousarray(counts[:, :7])
        weighted = counts[:, 7] * rate(counts[:, 5], counts[:, 6])
        return np.column_stack([counts[:, :7], weighted, counts[:, 7]])

    @property
    def search(self) -> _native.TerSettings:
        """The settings as the search takes them."""
        limits = self.max_shift_size, self.max_shift_distance, self.max_candidates, self.beam, self.max_tokens
        assert isinstance(self.costs, tuple)
        return _search(self.variant, self.costs, limits)

    def score(self, totals: Floats) -> Floats:
        """Return TER in percent, which may be above 100. Where the reference is empty, any edit makes it 100."""
        totals = self.checked(totals)
        found = rate(totals[..., 5], totals[..., 6])
        if self.variant == "thesis":
            weight = totals[..., 8]
            found = np.where(
                weight > 0, np.divide(totals[..., 7], weight, out=np.zeros_like(found), where=weight > 0), found
            )
        return 100 * found

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the edits by kind, their cost and the reference length."""
        totals = self.checked(totals)
        return {name: totals[..., k] for k, name in enumerate(self.columns)}

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return shifts and operations against the reference with the fewest edits."""
        return self.tracks(hypothesis, references).alignment

    def tracks(self, hypothesis: str, references: Sequence[str]) -> "Tracks":
        """Return the alignment together with what tercom's reports print of it; one search per reference finds all."""
        self.segments([hypothesis], [list(references)])  # refuses what is no text
        kept = [reference for reference in references if reference is not None]
        words = self._short_enough(self.tokenizer(hypothesis))
        others = [self._short_enough(self.reference_tokenizer(reference)) for reference in kept]
        compared = self.tokenizer.compared(words)
        found = [_native.ter_alignment(compared, self.tokenizer.compared(one), self.search) for one in others]
        index = min(range(len(found)), key=lambda k: found[k][0])
        edits, letters, moves = found[index]
        length = _reference_length(self.reference_length, len(words), [len(one) for one in others], index)
        kinds = [float(letters.count(kind)) for kind in "IDS"]
        moved = float(sum(length for _, length, _, _, _ in moves))
        row = self._as_rows(np.array([[*kinds, float(len(moves)), moved, edits, length, float(len(words))]]))[0]
        alignment = Alignment(
            metric=self.name,
            hypothesis=tuple(words),
            reference=tuple(others[index]),
            reference_index=index,
            score=float(self.score(row)),
            operations=_operations(letters, self._costs_between(words, others[index])),
            shifts=shifts_of(words, moves),
        )
        return Tracks(alignment, letters, tuple((aim, place) for _, _, _, aim, place in moves), edits, length)

    def _costs_between(self, words: list[str], reference: list[str]) -> Mapping[str, float]:
        """What each edit costs; where one side is empty, tercom counts words."""
        counted = self.variant == "tercom" and not (words and reference)
        return dict.fromkeys(COSTS, 1.0) if counted else self.costs_by_name

    def _short_enough(self, words: list[str]) -> list[str]:
        if len(words) > self.max_tokens:
            raise InputError(
                f"A text has {len(words)} tokens, but ter takes at most {self.max_tokens} in a segment, since the "
                "search for shifts takes long. Split the text into segments, or raise max_tokens."
            )
        return words

    def operations_without_shifts(self, words: Sequence[str], reference: Sequence[str]) -> str:
        """Return the word edits of tokens as they stand, one letter each, as `Tracks` has them."""
        return _native.ter_alignment(list(words), list(reference), replace(self, max_shift_size=0).search)[1]


@dataclass(frozen=True)
class Tracks:
    """An alignment with the numbers that tercom's reports add to it."""

    alignment: Alignment
    operations: str  # one letter each: blank, S, I, D
    aims: tuple[tuple[int, int], ...]  # per shift: the reference word aimed at, and its place in the hypothesis
    edits: float
    reference_length: float


@lru_cache(maxsize=16)
def _search(
    variant: str, costs: tuple[float, ...], limits: tuple[float, float, float, float, int]
) -> _native.TerSettings:
    """Return the settings of a search; making them takes as long as some segments."""
    size, distance, candidates, beam, tokens = limits
    return _native.TerSettings(
        variant=variant,
        **dict(zip(COSTS, costs, strict=True)),
        max_shift_size=size,
        max_shift_distance=distance,
        max_candidates=candidates,
        beam=beam,
        max_tokens=tokens,
    )


def _reference_length(rule: str, hypothesis: int, lengths: Sequence[int], best: int) -> float:
    if rule == "average":
        return sum(lengths) / len(lengths)
    if rule == "best":
        return float(lengths[best])
    return float(min(lengths) if rule == "shortest" else min(lengths, key=lambda one: (abs(one - hypothesis), one)))


def _operations(letters: str, costs: Mapping[str, float]) -> tuple[Operation, ...]:
    operations, i, j = [], 0, 0
    for letter in letters:
        kind, ours, theirs = _KINDS[letter], letter != "D", letter != "I"
        operations.append(Operation(kind, j, j + ours, i, i + theirs, costs[kind]))
        i, j = i + theirs, j + ours
    return tuple(operations)

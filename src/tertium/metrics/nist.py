"""NIST: matched n-grams count by how much they tell, and rare ones tell more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import log
from typing import Any, ClassVar

import numpy as np

from tertium import _native
from tertium.corpus import Segments, reference_texts
from tertium.corpus.segments import token_segments
from tertium.errors import InputError
from tertium.metrics.base import TEXT_MEANINGS, Floats, References, WordMetric, check_number, thread_count
from tertium.metrics.tunable import Tunable

_BETA = log(2) / log(1.5) ** 2  # an output two thirds as long as the references gets half the score
_HIGHEST_TUNED_ORDER = 9
_OF_MTEVAL = ("13a", "mteval", "mteval-intl")


class Information:
    """What each n-gram tells, learnt from all references; equal to another that was learnt from the same n-grams."""

    def __init__(self, table: _native.Information, texts: _native.Texts | None = None, tokenizer: Any = None) -> None:
        self.table = table
        self.mark = f"references@{table.mark % (1 << 48):012x}"
        # What it was learnt from, held so that the same references are known again by where they are in memory.
        self._texts = texts if table.keeps_texts else None
        self._tokenizer = tokenizer

    @property
    def words(self) -> int:
        """How many words the references had."""
        return self.table.total

    def place_of(self, references: Segments, tokenizer: Any) -> int | None:
        """Return where these references stand among those it was learnt from, or None if they do not."""
        if self._texts is None or not isinstance(references, Segments) or tokenizer != self._tokenizer:
            return None
        return self._texts.place_of(references.texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Information) and self.mark == other.mark

    def __hash__(self) -> int:
        return hash(self.mark)

    def __repr__(self) -> str:
        return f"Information({self.mark})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Information, (self.table,)


@dataclass(frozen=True, kw_only=True)
class NIST(WordMetric):
    """Doddington (2002), as mteval computes it.

    `fitted_to(references)` learns how much each n-gram tells; `tertium.score` does so by itself.
    """

    name: ClassVar[str] = "nist"
    higher_is_better: ClassVar[bool] = True
    range: ClassVar[str] = "0 and up"
    source: ClassVar[str] = "Doddington (2002); mteval-v13a and -v14 for the details"

    meanings: ClassVar[dict[str, str]] = {
        "order": "the longest n-grams that count",
        "tokenize": "how text is split into tokens",
        "lowercase": "fold case first",
        "perl_zero_prefix": "let the word 0 count as no prefix, as mteval does (default: with mteval's tokenizers)",
        **TEXT_MEANINGS,
        "information": "what n-grams tell, learnt from the references (a hash of it)",
    }

    order: int = 5
    tokenize: str | Callable[[str], list[str]] = "13a"
    lowercase: bool = False
    perl_zero_prefix: bool | None = None
    unicode: str = "none"
    stem: str | None = None
    synonyms: str | None = None
    information: Information | None = None

    def __post_init__(self) -> None:
        self.check_text_settings()
        check_number(self, "order", least=1, whole=True)
        if self.order > 1000:
            raise InputError(f"nist's order must be a whole number from 1 to 1000, not {self.order}.")
        if self.perl_zero_prefix not in (None, True, False):
            raise InputError(f"nist's perl_zero_prefix must be True, False or None, not {self.perl_zero_prefix!r}.")
        if self.information is not None and not isinstance(self.information, Information):
            raise InputError(f"nist's information is what fitted_to(references) learns, not {self.information!r}.")
        if self.information is not None and self.information.table.order != self.order:
            raise InputError(
                f"nist's information was learnt up to order {self.information.table.order}, but order={self.order} was "
                "given. Learn it anew: fitted_to(references)."
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Two lengths, then information and totals per order."""
        orders = range(1, self.order + 1)
        information = tuple(f"information_{n}" for n in orders)
        return ("hypothesis_length", "reference_length", *information, *(f"totals_{n}" for n in orders))

    @property
    def is_fitted(self) -> bool:
        """Whether it is known how much n-grams tell."""
        return self.information is not None

    def fitted_to(self, references: References) -> "NIST":
        """Return a copy that has learnt from all references how much each n-gram tells."""
        tokenizer = self.tokenizer
        if self.takes_tokens:
            side: Any = token_segments(references, "references")
            texts = None
        else:
            texts = reference_texts(references)
            side = Segments(texts)
        table = _native.Information(side.tokens(tokenizer), self.order, thread_count(None))
        return replace(self, information=Information(table, texts, tokenizer))

    def with_tokenizer(self, name: str) -> "NIST":
        """Return a copy that splits texts that way, and has nothing learnt."""
        return replace(self, tokenize=name, information=None)

    def tunables(self) -> dict[str, Tunable]:
        """Return the highest order, the tokenizer and case, which need other rows."""
        highest = max(self.order, _HIGHEST_TUNED_ORDER)
        order = Tunable(float(self.order), 1.0, float(highest), fixed_rows=False, whole=True)
        return {"order": order} | super().tunables()

    def with_values(self, values: Mapping[str, Any]) -> "NIST":
        """Return a copy with another order or other tokens, of which nothing is learnt yet."""
        bare: NIST = replace(self, order=int(values.get("order", self.order)), information=None)
        return super(NIST, bare).with_values(values)  # type: ignore[return-value]

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        if self.information is None:
            raise InputError(
                "NIST does not know yet how much n-grams tell. Learn it from all references first: "
                "NIST(…).fitted_to(references). (tertium.score does so by itself.)"
            )
        rows = np.empty((len(hypotheses), len(self.columns)))
        tokenizer: Any = self.tokenizer
        ours = hypotheses.tokens(tokenizer)
        settings = (self.information.table, self.has_zero_prefix, threads, rows)
        place = self.information.place_of(references, tokenizer)
        if place is None:
            _native.nist_rows(ours, references.tokens(tokenizer), *settings)
        else:
            _native.nist_rows_of_learnt(ours, references.texts, place, *settings)
        return rows

    @property
    def has_zero_prefix(self) -> bool:
        """Whether two words of which the first is 0 tell what a single word would."""
        return self.tokenize in _OF_MTEVAL if self.perl_zero_prefix is None else self.perl_zero_prefix

    def score(self, totals: Floats) -> Floats:
        """Return NIST, which is no percentage and has no upper end."""
        totals = self.checked(totals)
        factor = _brevity_factor(totals[..., 0], totals[..., 1])
        return np.asarray(self._per_order(totals).sum(axis=-1) * factor)[()]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the brevity factor, lengths, and of each order its own score and the score up to it."""
        totals = self.checked(totals)
        ours, theirs = totals[..., 0], totals[..., 1]
        factor = _brevity_factor(ours, theirs)
        individual = self._per_order(totals) * factor[..., None]
        ratio = np.divide(ours, theirs, out=np.zeros_like(ours), where=theirs > 0)
        parts = {"bp": factor, "ratio": ratio, "hypothesis_length": ours, "reference_length": theirs}
        for name, values in (("individual", individual), ("cumulative", individual.cumsum(axis=-1))):
            parts |= {f"{name}_{n}": values[..., n - 1] for n in range(1, self.order + 1)}
        for k, name in enumerate(self.columns[2:]):
            parts[name] = totals[..., 2 + k]
        return {name: value[()] for name, value in parts.items()}

    def settings(self) -> dict[str, str]:
        """Return every setting; what was learnt is named by its hash."""
        learnt = "unfitted" if self.information is None else self.information.mark
        return super().settings() | {"information": learnt}

    def _per_order(self, totals: Floats) -> Floats:
        information, ngrams = totals[..., 2 : 2 + self.order], totals[..., 2 + self.order :]
        return np.asarray(information / np.maximum(ngrams, 1))


def _brevity_factor(ours: Floats, theirs: Floats) -> Floats:
    """Return 1 for an output as long as the references are on average, less for a shorter one, 0 for none."""
    some = (ours > 0) & (theirs > 0)
    ratio = np.divide(ours, theirs, out=np.ones_like(ours), where=some)
    return np.where(some, np.exp(-_BETA * np.log(np.minimum(ratio, 1)) ** 2), 0.0)

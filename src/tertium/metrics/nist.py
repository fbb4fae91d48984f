"""NIST: matched n-grams count by how much they tell, and rare ones tell more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments, reference_texts
from tertium.corpus.segments import token_segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, References, thread_count
from tertium.metrics.elementary import exp, log
from tertium.metrics.settings import setting
from tertium.metrics.words import (
    Tokenize,
    WordMetric,
    lowercase_setting,
    stem_setting,
    synonyms_setting,
    tokenize_setting,
    unicode_setting,
)

_BETA = float(log(2) / log(1.5) ** 2)  # an output two thirds as long as the references gets half the score
_OF_MTEVAL = ("13a", "mteval", "mteval-intl", "mteval-intl-bare")


class Information:
    """What each n-gram tells, learnt from all references; equal to another that was learnt from the same n-grams."""

    def __init__(self, table: _native.Information, texts: _native.Texts | None = None, tokenizer: Any = None) -> None:
        self.table = table
        # What it was learnt from, held so that the same references are known again by where they are in memory.
        self._texts = texts if table.keeps_texts else None
        self._tokenizer = tokenizer

    @cached_property
    def mark(self) -> str:
        """A hash of all that was learnt, made when it is first asked for."""
        return f"references@{self.table.mark % (1 << 48):012x}"

    @property
    def words(self) -> int:
        """How many words the references had."""
        return self.table.total

    def known_again(self, references: Any) -> Any:
        """Return the texts it was learnt from if these are the same strings, which need not be read again."""
        return self._texts if self._texts is not None and self._texts.are_strings_of(references) else references

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


def _checked_information(where: str, value: object) -> Information:
    if not isinstance(value, Information):
        raise InputError(f"{where} is what fitted_to(references) learns, not {value!r}.")
    return value


def _learnt(where: str, text: str) -> None:
    if text != "unfitted":
        raise InputError(
            f"nist had learnt how much n-grams tell from references ({text}), which a text cannot bring back. Leave "
            "information out, and have the references: NIST(…).fitted_to(references), or tertium.score, which learns "
            "from the references that it is given."
        )


@dataclass(frozen=True, kw_only=True)
class NIST(WordMetric):
    """Doddington (2002), as mteval computes it.

    `fitted_to(references)` learns how much each n-gram tells; `tertium.score` does so by itself.
    """

    name = "nist"
    title = "NIST"
    higher_is_better = True
    range = "0 and up"
    source = "Doddington (2002); mteval-v13a and -v14 for the details"
    learnt = ("information",)

    order: int = setting(5, "the longest n-grams that count", whole=(1, 1000), tuned=(1, 9), fixed_rows=False)
    tokenize: Tokenize = tokenize_setting()
    lowercase: bool = lowercase_setting()
    perl_zero_prefix: bool | None = setting(
        None, "let the word 0 count as no prefix, as mteval does (default: with mteval's tokenizers)", flag=True
    )
    unicode: str = unicode_setting()
    stem: str | None = stem_setting()
    synonyms: str | None = synonyms_setting()
    information: Information | None = setting(
        None, "what n-grams tell, learnt from the references (a hash of it)", check=_checked_information, read=_learnt
    )

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse what was learnt for another order."""
        learnt = given["information"]
        if learnt is not None and learnt.table.order != given["order"]:
            raise InputError(
                f"nist's information was learnt up to order {learnt.table.order}, but order={given['order']} was "
                "given. Learn it anew: fitted_to(references)."
            )
        return super().resolved(given)

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
        texts = None if self.takes_tokens else reference_texts(references)
        side = token_segments(references, "references") if texts is None else Segments(texts)
        table = _native.Information(side.tokens(tokenizer), self.order, thread_count(None))
        return replace(self, information=Information(table, texts, tokenizer))

    def segments(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> tuple[Segments, Segments]:
        """Check the texts; references that it has learnt from are known again."""
        if self.information is not None:
            references = self.information.known_again(references)
        return super().segments(hypotheses, references)

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        if self.information is None:
            raise InputError(
                "NIST does not know yet how much n-grams tell. Learn it from all references first: "
                "NIST(…).fitted_to(references). (tertium.score does so by itself.)"
            )
        rows = np.empty((len(hypotheses), len(self.columns)))
        tokenizer = self.tokenizer
        ours = hypotheses.tokens(tokenizer)
        table, zero_prefix = self.information.table, self.has_zero_prefix
        place = self.information.place_of(references, tokenizer)
        if place is None:
            theirs = references.tokens(tokenizer)
            _native.nist_rows(ours, theirs, information=table, zero_prefix=zero_prefix, threads=threads, rows=rows)
        else:
            _native.nist_rows_of_learnt(
                ours,
                references.texts,
                first=place,
                information=table,
                zero_prefix=zero_prefix,
                threads=threads,
                rows=rows,
            )
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
    return np.where(some, exp(-_BETA * log(np.minimum(ratio, 1)) ** 2), 0.0)

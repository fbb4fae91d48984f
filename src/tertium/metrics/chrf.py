"""chrF and chrF++: F-score of character n-grams, with word n-grams added in chrF++."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric, check_flags, check_number
from tertium.metrics.tunable import Tunable
from tertium.text import UNICODE_FORMS

_TINY = 1e-16
_LARGEST_BETA = 1_000_000  # far beyond it, its square is no number


@dataclass(frozen=True, kw_only=True)
class CHRF(Metric):
    """Popović (2015, 2017), as sacreBLEU 2 computes it. Of several references, the one that scores best counts."""

    name: ClassVar[str] = "chrf"
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 100.0
    range: ClassVar[str] = "0 to 100"
    source: ClassVar[str] = "Popović (2015, 2017)"

    meanings: ClassVar[dict[str, str]] = {
        "char_order": "longest character n-gram",
        "word_order": "longest word n-gram (0: chrF, 2: chrF++)",
        "beta": "how many times as much recall weighs as precision",
        "lowercase": "fold case first",
        "whitespace": "count blanks as characters",
        "eps_smoothing": "average F-scores over all orders, as chrF++.py and NLTK do",
        "unicode": "Unicode normalization first",
    }

    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False
    unicode: str = "none"

    def __post_init__(self) -> None:
        for order in ("char_order", "word_order"):
            check_number(self, order, least=0, whole=True)
        if not 1 <= self.char_order + self.word_order <= 1000:
            raise InputError("char_order and word_order must add up to something from 1 to 1000.")
        check_number(self, "beta", least=0, above=True)
        if self.beta > _LARGEST_BETA:
            raise InputError(f"chrf's beta must be at most {_LARGEST_BETA:,}, not {self.beta!r:.40}.")
        check_flags(self, "lowercase", "whitespace", "eps_smoothing")
        if self.unicode not in UNICODE_FORMS:
            raise UnknownNameError.of("Unicode form", self.unicode, UNICODE_FORMS)

    @property
    def columns(self) -> tuple[str, ...]:
        """Per order: n-grams of the hypothesis, of the reference, and common ones."""
        orders = [f"char_{n + 1}" for n in range(self.char_order)] + [f"word_{n + 1}" for n in range(self.word_order)]
        return tuple(f"{side}_{order}" for order in orders for side in ("hypothesis", "reference", "common"))

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        _native.chrf_rows(
            hypotheses.texts,
            references.texts,
            self.char_order,
            self.word_order,
            self.beta,
            self.lowercase,
            self.whitespace,
            self.eps_smoothing,
            self.unicode,
            threads,
            rows,
        )
        return rows

    def score(self, totals: Floats) -> Floats:
        """Return chrF in percent."""
        precision, recall, used = self._per_order(totals)
        if self.eps_smoothing:
            mean: Floats = _f_score(precision, recall, self.beta, otherwise=_TINY).mean(axis=-1)
            return 100 * mean
        return 100 * _f_score(_mean(precision, used), _mean(recall, used), self.beta, otherwise=0.0)

    def tunables(self) -> dict[str, Tunable]:
        """Return beta, and what needs other rows: the highest orders."""
        return {
            "beta": Tunable(float(self.beta), 0.1, 10.0),
            "char_order": Tunable(float(self.char_order), 1.0, 10.0, fixed_rows=False, whole=True),
            "word_order": Tunable(float(self.word_order), 0.0, 4.0, fixed_rows=False, whole=True),
        }

    def with_values(self, values: Mapping[str, Any]) -> "CHRF":
        """Return a copy with another beta, or other orders."""
        orders = {name: int(values[name]) for name in ("char_order", "word_order") if name in values}
        return replace(self, beta=float(values.get("beta", self.beta)), **orders)  # type: ignore[arg-type]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return precision and recall in percent: the means over orders, and each order's."""
        precision, recall, used = self._per_order(totals)
        parts = {"precision": 100 * _mean(precision, used), "recall": 100 * _mean(recall, used)}
        for k, column in enumerate(self.columns[::3]):
            order = column.removeprefix("hypothesis_")
            parts[f"precision_{order}"] = 100 * np.where(used[..., k], precision[..., k], 0.0)
            parts[f"recall_{order}"] = 100 * np.where(used[..., k], recall[..., k], 0.0)
        return parts

    def _per_order(self, totals: Floats) -> tuple[Floats, Floats, Floats]:
        totals = self.checked(totals)
        ours, theirs, common = totals[..., 0::3], totals[..., 1::3], totals[..., 2::3]
        precision = np.divide(common, ours, out=np.full(ours.shape, _TINY), where=ours > 0)
        recall = np.divide(common, theirs, out=np.full(theirs.shape, _TINY), where=theirs > 0)
        return precision, recall, ((ours > 0) & (theirs > 0)).astype(np.float64)


def _mean(values: Floats, used: Floats) -> Floats:
    count: Floats = used.sum(axis=-1)
    total: Floats = (values * used).sum(axis=-1)
    result: Floats = np.zeros_like(total)
    return np.divide(total, count, out=result, where=count > 0)


def _f_score(precision: Floats, recall: Floats, beta: float, *, otherwise: float) -> Floats:
    factor = beta * beta
    denominator = factor * precision + recall
    numerator = (1 + factor) * precision * recall
    result: Floats = np.full_like(denominator, otherwise)
    return np.divide(numerator, denominator, out=result, where=denominator > 0)

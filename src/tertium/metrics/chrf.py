"""chrF and chrF++: F-score of character n-grams, with word n-grams added in chrF++."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.pairs import LONGEST, Rows
from tertium.metrics.settings import setting
from tertium.metrics.words import lowercase_setting, unicode_setting

_TINY = 1e-16


@dataclass(frozen=True, kw_only=True)
class CHRF(Metric):
    """Popović (2015, 2017), as sacreBLEU 2 computes it. Of several references, the one that scores best counts."""

    name = "chrf"
    title = "chrF"
    higher_is_better = True
    perfect = 100.0
    range = "0 to 100"
    source = "Popović (2015, 2017)"

    char_order: int = setting(6, "longest character n-gram", whole=(0, 1000), tuned=(1, 10), fixed_rows=False)
    word_order: int = setting(
        0, "longest word n-gram (0: chrF, 2: chrF++)", whole=(0, 1000), tuned=(0, 4), fixed_rows=False
    )
    beta: float = setting(
        2.0, "how many times as much recall weighs as precision", number=(0, 1_000_000), above=True, tuned=(0.1, 10)
    )
    lowercase: bool = lowercase_setting()
    whitespace: bool = setting(False, "count blanks as characters")
    eps_smoothing: bool = setting(False, "average F-scores over all orders, as chrF++.py and NLTK do")
    unicode: str = unicode_setting()

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse to count nothing."""
        if not 1 <= given["char_order"] + given["word_order"] <= 1000:
            raise InputError("char_order and word_order must add up to something from 1 to 1000.")
        return given

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
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
            unicode=self.unicode,
            threads=threads,
            rows=rows,
        )
        return rows

    def pair_rows(self, references: Segments, *, threads: int) -> Rows:
        """Look n-grams up in all references at once, where that is possible."""
        if max(self.char_order, self.word_order) > LONGEST:
            return super().pair_rows(references, threads=threads)
        return self._rows_with(references, np.empty(0), threads)

    def aggregated_rows(self, references: Segments, weights: Floats, *, threads: int) -> Rows:
        """Count against the weighted sums of the references' n-grams (Vamvas and Sennrich 2024)."""
        if max(self.char_order, self.word_order) > LONGEST:
            raise InputError(f"References are aggregated for orders up to {LONGEST}.")
        return self._rows_with(references, weights, threads)

    def _rows_with(self, references: Segments, weights: Floats, threads: int) -> Rows:
        pairs = _native.ChrfPairs(
            references.texts,
            char_order=self.char_order,
            word_order=self.word_order,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            unicode=self.unicode,
            weights=weights,
        )

        def rows(hypotheses: Segments) -> Floats:
            count = len(hypotheses) * (1 if len(weights) else len(references))
            found = np.empty((count, len(self.columns)))
            pairs.fill(hypotheses.texts, threads, found)
            return found

        return rows

    def score(self, totals: Floats) -> Floats:
        """Return chrF in percent."""
        precision, recall, used = self._per_order(totals)
        if self.eps_smoothing:
            mean: Floats = _f_score(precision, recall, self.beta, otherwise=_TINY).mean(axis=-1)
            return 100 * mean
        return 100 * _f_score(_mean(precision, used), _mean(recall, used), self.beta, otherwise=0.0)

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

"""BLEU: clipped n-gram precisions, their mean, and a penalty for being short."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import _native
from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats
from tertium.metrics.elementary import exp, log
from tertium.metrics.pairs import LONGEST, Rows
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

_DEFAULT_VALUES = {"floor": 0.1, "add-k": 1.0}
_LOG_OF_ZERO = -9999999999.0  # as good as minus infinity, and 0 times it is 0


@dataclass(frozen=True, kw_only=True)
class BLEU(WordMetric):
    """Papineni et al. (2002), with the choices that later papers and programs made.

    The defaults give sacreBLEU's numbers. `orders` may be any set of n, `weights` belong to them in ascending
    order and are scaled to add up to 1.
    """

    name = "bleu"
    title = "BLEU"
    higher_is_better = True
    perfect = 100.0
    range = "0 to 100"
    source = "Papineni et al. (2002); Post (2018) for the defaults"

    tokenize: Tokenize = tokenize_setting()
    lowercase: bool = lowercase_setting()
    orders: tuple[int, ...] = setting((1, 2, 3, 4), "which n-gram lengths count", whole=(1, 1000))
    weights: tuple[float, ...] | None = setting(
        None, "of each order in the mean (default: all equal)", number=(0, 1_000_000), several=True
    )
    smoothing: str = setting(
        "exp",
        "what an order without matches counts as",
        choices=("exp", "none", "floor", "add-k", "mteval", "lin-och"),
    )
    smoothing_value: float | None = setting(
        None, "what floor sets and add-k adds (default: 0.1 and 1)", number=(0, 1_000_000)
    )
    effective_order: bool = setting(False, "leave out orders longer than the text")
    reference_length: str = setting(
        "closest",
        "which of several reference lengths the text must reach",
        choices=("closest", "shortest", "average"),
    )
    mean: str = setting("geometric", "of the precisions", choices=("geometric", "arithmetic"))
    sentence_boundaries: str = setting(
        "none",
        "count n-grams that reach over the ends of the sentence",
        choices=("none", "initial", "final", "both"),
    )
    boundary_symbols: str = setting(
        "n-1", "how many symbols stand for a sentence's end in n-grams of length n", choices=("n-1", "1")
    )
    unicode: str = unicode_setting()
    stem: str | None = stem_setting()
    synonyms: str | None = synonyms_setting()

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Put orders and their weights in order, and give a smoothing its usual value."""
        given = super().resolved(given)
        smoothing, value = given["smoothing"], given["smoothing_value"]
        if smoothing == "lin-och":
            if value not in (None, 1):
                raise InputError("smoothing='lin-och' adds 1; for another value use smoothing='add-k'.")
            smoothing = "add-k"
        if smoothing not in _DEFAULT_VALUES and value is not None:
            raise InputError(f"smoothing='{smoothing}' has no value, but smoothing_value={value!r} was given.")
        orders, weights = _in_order(given["orders"], given["weights"])
        return given | {
            "orders": orders,
            "weights": weights,
            "smoothing": smoothing,
            "smoothing_value": _DEFAULT_VALUES.get(smoothing) if value is None else value,
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """Two lengths, then matches and totals per order."""
        matches = tuple(f"matches_{n}" for n in self.orders)
        return ("hypothesis_length", "reference_length", *matches, *(f"totals_{n}" for n in self.orders))

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Count, in the core."""
        rows = np.empty((len(hypotheses), len(self.columns)))
        _native.bleu_rows(
            hypotheses.tokens(self.tokenizer),
            references.tokens(self.tokenizer),
            orders=list(self.orders),
            reference_length=self.reference_length,
            initial=self.sentence_boundaries in ("initial", "both"),
            final=self.sentence_boundaries in ("final", "both"),
            single_boundary=self.boundary_symbols == "1",
            threads=threads,
            rows=rows,
        )
        return rows

    def pair_rows(self, references: Segments, *, threads: int) -> Rows:
        """Look n-grams up in all references at once, where that is possible."""
        if self.sentence_boundaries != "none" or max(self.orders) > LONGEST:
            return super().pair_rows(references, threads=threads)
        return self._rows_with(references, np.empty(0), threads)

    def aggregated_rows(self, references: Segments, weights: Floats, *, threads: int) -> Rows:
        """Count against the weighted sums of the references' n-grams (DeNero et al. 2009)."""
        if self.sentence_boundaries != "none" or max(self.orders) > LONGEST:
            raise InputError(f"References are aggregated without sentence_boundaries, and for orders up to {LONGEST}.")
        return self._rows_with(references, weights, threads)

    def _rows_with(self, references: Segments, weights: Floats, threads: int) -> Rows:
        pairs = _native.BleuPairs(references.tokens(self.tokenizer), list(self.orders), weights)

        def rows(hypotheses: Segments) -> Floats:
            count = len(hypotheses) * (1 if len(weights) else len(references))
            found = np.empty((count, len(self.columns)))
            pairs.fill(hypotheses.tokens(self.tokenizer), threads, found)
            return found

        return rows

    def score(self, totals: Floats) -> Floats:
        """Return BLEU in percent."""
        return self._scored(self.checked(totals))[0]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the brevity penalty, lengths, and per order precision (smoothed, in percent), matches, totals."""
        totals = self.checked(totals)
        _, penalty, precisions = self._scored(totals)
        ours, theirs = totals[..., 0], totals[..., 1]
        ratio = np.divide(ours, theirs, out=np.zeros_like(ours), where=theirs > 0)
        parts = {"bp": penalty, "ratio": ratio, "hypothesis_length": ours, "reference_length": theirs}
        for k, n in enumerate(self.orders):
            parts[f"precision_{n}"] = precisions[..., k]
        for k, name in enumerate(self.columns[2:]):
            parts[name] = totals[..., 2 + k]
        return {name: value[()] for name, value in parts.items()}

    def _scored(self, totals: Floats) -> tuple[Floats, Floats, Floats]:
        count = len(self.orders)
        penalty = _brevity_penalty(totals[..., 0], totals[..., 1])
        matches, ngrams = totals[..., 2 : 2 + count], totals[..., 2 + count :]
        if self.is_plain and matches.size and matches.min() > 0:
            precisions = 100.0 * matches / ngrams
            return penalty * exp(log(precisions).sum(axis=-1) / count), penalty, precisions
        if self.smoothing == "mteval":
            precisions, used = _mteval_precisions(matches, ngrams), np.ones(matches.shape, bool)
            penalty = np.where(totals[..., 0] > 0, penalty, 0.0)
        else:
            precisions, used = self._precisions(matches, ngrams)
        used = used if self.effective_order else np.ones_like(used)
        weights = np.where(used, self.weights or (1 / count,) * count, 0.0)
        scale = weights.sum(axis=-1)
        if self.mean == "arithmetic":
            mean = np.divide((weights * precisions).sum(axis=-1), scale, out=np.zeros_like(scale), where=scale > 0)
        else:
            # Summed before dividing, as sacreBLEU does: equal weights then round as there.
            equal = self.weights is None
            logs = np.where(precisions > 0, log(np.where(precisions > 0, precisions, 1.0)), _LOG_OF_ZERO)
            exponent = (np.where(used, logs, 0.0) if equal else weights * logs).sum(axis=-1)
            divisor = used.sum(axis=-1) if equal else scale
            mean = exp(np.divide(exponent, divisor, out=np.full_like(scale, -np.inf), where=divisor > 0))
            mean = np.where(((precisions == 0) & (weights > 0)).any(axis=-1), 0.0, mean)  # however small the weight
        if self.smoothing != "mteval":
            mean = np.where((matches > 0).any(axis=-1), mean, 0.0)
        return penalty * mean, penalty, precisions

    @property
    def is_plain(self) -> bool:
        """Whether totals with matches of every order need no special care: the quick way for resampled sums."""
        return self.mean == "geometric" and self.weights is None and self.smoothing in ("exp", "none", "floor")

    def _precisions(self, matches: Floats, ngrams: Floats) -> tuple[Floats, np.ndarray[Any, np.dtype[np.bool_]]]:
        """Smooth, order by order; also says which orders have n-grams at all."""
        precisions = np.zeros(matches.shape)
        used = np.zeros(matches.shape, bool)
        halvings = np.ones(matches.shape[:-1])
        value = self.smoothing_value or 0.0
        for k, n in enumerate(self.orders):
            found, total = matches[..., k], ngrams[..., k]
            if self.smoothing == "add-k" and n > 1:
                found, total = found + value, total + value
            used[..., k] = total > 0
            missing = (found == 0) & (total > 0)
            safe = np.where(total > 0, total, 1.0)
            precisions[..., k] = np.where(total > 0, 100.0 * found / safe, 0.0)
            if self.smoothing == "exp":
                halvings = np.where(missing, halvings * 2, halvings)
                precisions[..., k] = np.where(missing, 100.0 / (halvings * safe), precisions[..., k])
            elif self.smoothing == "floor":
                precisions[..., k] = np.where(missing, 100.0 * value / safe, precisions[..., k])
        nothing = ~(matches > 0).any(axis=-1)
        precisions[nothing] = 0.0
        return precisions, used


def _brevity_penalty(ours: Floats, theirs: Floats) -> Floats:
    shorter = ours < theirs
    ratio = np.divide(theirs, ours, out=np.full_like(ours, np.inf), where=ours > 0)
    return np.where(shorter, exp(1.0 - np.where(shorter, ratio, 1.0)), 1.0)


def _mteval_precisions(matches: Floats, ngrams: Floats) -> Floats:
    """Return mteval's: an order without n-grams counts as 1, the k-th order without matches as 1/(2^k total)."""
    missing = (matches == 0) & (ngrams > 0)
    halved = np.ldexp(1.0, -np.cumsum(missing, axis=-1))
    safe = np.where(ngrams > 0, ngrams, 1.0)
    return 100.0 * np.where(ngrams > 0, np.where(missing, halved, matches) / safe, 1.0)


def _in_order(
    orders: tuple[int, ...], weights: tuple[float, ...] | None
) -> tuple[tuple[int, ...], tuple[float, ...] | None]:
    """Return orders from low to high, each weight beside its order."""
    if len(set(orders)) < len(orders):
        raise InputError(f"orders names an n twice: {orders!r}.")
    if weights is None:
        return tuple(sorted(orders)), None
    if len(weights) != len(orders):
        raise InputError(f"weights must have one number per order: {len(orders)} orders, {len(weights)} weights.")
    if not 0 < sum(weights) < np.inf:
        raise InputError(f"weights must be numbers of at least 0, not all 0, not {weights!r}.")
    pairs = sorted(zip(orders, weights, strict=True))
    return tuple(n for n, _ in pairs), tuple(weight for _, weight in pairs)

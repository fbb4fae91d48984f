"""Minimum Bayes risk: of many translations, the one that agrees best with all the others.

Each candidate is scored against each reference (often the other candidates, which stand for what else the model might
have said); the candidate with the best expected score wins. Exactly that, or by a short cut that is checked against it:

- aggregate: all references become one, with fractional counts (DeNero et al. 2009; Vamvas and Sennrich 2024)
- aggregate-to-fine: the best by aggregation are then compared exactly
- prune: candidates that surely lose on a few references are left out (Cheng and Vlachos 2023)
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.corpus import Segments, hypothesis_texts
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.metrics.base import Floats, Metric, thread_count
from tertium.results import Result
from tertium.scoring.pairwise import checked_texts, named_metric, pairwise
from tertium.significance.intervals import percentile
from tertium.significance.sampling import SEED, bootstrap_totals, check_seed, state_of

_ALONE = Argument("exclude_self", True)
METHODS = ("exact", "aggregate", "aggregate-to-fine", "prune")
_SAMPLES = 1000  # replicates behind the interval of the margin
_FIRST_LOOK = 8  # references that pruning begins with
_SURE = 0.99  # how sure pruning must be that a candidate loses
_LOOKS = 500  # replicates per look

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Choice(Result):
    """The candidate that minimum Bayes risk chooses, and how clearly.

    `margin` is how much better its expected score is than that of the best other text, in the metric's own points;
    `low` and `high` are its 95 % interval over other samples of references. An interval that holds 0 says that there
    are too few references to tell the two apart. Where the short cut looked at few candidates or references, `scores`
    has NaN for the others.
    """

    index: int
    text: str
    expected: float
    margin: float | None
    low: float | None
    high: float | None
    ranking: tuple[int, ...]  # of different texts, best first
    scores: Floats = field(repr=False)  # the expected score of each candidate
    pairs: int  # how many pairs of texts were compared
    method: str
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium mbr --format jsonl` prints for the winner."""
        return {
            "index": self.index,
            "text": self.text,
            "expected": self.expected,
            "margin": self.margin,
            "low": self.low,
            "high": self.high,
            "pairs": self.pairs,
            "method": self.method,
            "signature": self.signature,
        }


def mbr(
    metric: Metric | str,
    candidates: Sequence[str],
    references: Sequence[str] | None = None,
    *,
    weights: Sequence[float] | None = None,
    method: str = "exact",
    keep: int = 20,
    exclude_self: bool = False,
    seed: int | None = None,
    threads: int | None = None,
) -> Choice:
    """Return the candidate with the best expected score against the references, or against the other candidates.

    `weights` are the probabilities of the references (they are divided by their sum); `keep` is how many candidates
    aggregate-to-fine compares exactly; `exclude_self` leaves out the pair of a candidate with itself. Of equal
    candidates the first wins, or with a `seed` one drawn by it. An empty text never wins against one that is not.
    """
    problem = _Problem.of(named_metric(metric), candidates, references, weights, exclude_self=exclude_self)
    if method not in METHODS:
        raise UnknownNameError.of("way to decode", method, METHODS)
    if not isinstance(keep, int) or isinstance(keep, bool) or keep < 1:
        raise InputError(f"keep must be a whole number of at least 1, not {keep!r}.")
    return problem.solve(method, keep, None if seed is None else check_seed(seed), thread_count(threads))


def mbr_batch(
    metric: Metric | str,
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]] | None = None,
    *,
    weights: Sequence[Sequence[float]] | None = None,
    threads: int | None = None,
    **options: Any,
) -> list[Choice]:
    """Decode many source sentences, each with its own candidates; threads work on different sentences."""
    for name, given in (("references", references), ("weights", weights)):
        if given is not None and len(given) != len(candidates):
            raise InputError(
                f"candidates are for {len(candidates):,} sentences, but {name} for {len(given):,}. Give one list each."
            )

    def decode(index: int) -> Choice:
        try:
            return mbr(
                metric,
                candidates[index],
                None if references is None else references[index],
                weights=None if weights is None else weights[index],
                threads=1,
                **options,
            )
        except UnknownNameError:
            raise
        except InputError as error:
            raise InputError(f"Sentence {index}: {error}") from None

    with ThreadPoolExecutor(thread_count(threads)) as pool:
        return list(pool.map(decode, range(len(candidates))))


@dataclass(frozen=True, eq=False)
class _Problem:
    """Candidates and references, equal texts once."""

    metric: Metric
    candidates: list[str]
    texts: list[str]  # the different candidates, in the order of their first occurrence
    place: Indices  # of each candidate among the texts
    firsts: Indices  # of each text among the candidates
    references: list[str]  # the different references
    reference_place: Indices
    shares: Floats  # of each reference as it was given; they add up to 1
    exclude_self: bool

    @classmethod
    def of(cls, metric: Metric, candidates: Any, references: Any, weights: Any, *, exclude_self: bool) -> "_Problem":
        given = checked_texts(candidates, "candidates")
        if not given:
            raise InputError("candidates is empty: there is nothing to choose from.")
        if references is not None and exclude_self:
            raise InputError(
                _ALONE, " is for candidates that are their own references: leave out ", Argument("references"), "."
            )
        theirs = given if references is None else checked_texts(references, "references")
        if not theirs:
            raise InputError("references is empty: there is nothing to compare with.")
        if exclude_self and len(given) == 1:
            raise InputError(_ALONE, " leaves nothing to compare with: there is one candidate.")
        texts, place, firsts = _different(given)
        different, reference_place, _ = _different(theirs)
        shares = _shares(weights, len(theirs))
        metric = metric if metric.is_fitted else metric.fitted_to(theirs)
        return cls(metric, given, texts, place, firsts, different, reference_place, shares, exclude_self)

    @property
    def weights(self) -> Floats:
        """The share of each different reference."""
        return np.bincount(self.reference_place, self.shares, len(self.references)).astype(np.float64)

    def solve(self, method: str, keep: int, seed: int | None, threads: int) -> Choice:
        if method == "exact":
            rows = np.arange(len(self.texts))
            scores = self._exact(rows, threads)
            return self._choice(method, scores, rows, len(rows) * len(self.references), seed, threads)
        if method == "prune":
            return self._pruned(seed, threads)
        scores = self._aggregated(threads)
        pairs = len(self.texts)
        if method == "aggregate":
            return self._choice(method, scores[:, None], np.arange(pairs), pairs, seed, threads)
        kept = np.sort(self._order(scores)[:keep])
        exact = self._exact(kept, threads)
        return self._choice(method, exact, kept, pairs + len(kept) * len(self.references), seed, threads)

    def _exact(self, rows: Indices, threads: int) -> Floats:
        return pairwise(self.metric, [self.texts[i] for i in rows], self.references, threads=threads)

    def _aggregated(self, threads: int) -> Floats:
        if self.exclude_self:
            raise InputError(_ALONE, " is for exact decoding: aggregated references hold every candidate.")
        references = Segments(hypothesis_texts(self.references))
        rows = self.metric.aggregated_rows(references, self.weights, threads=threads)
        return np.asarray(self.metric.score(rows(Segments(hypothesis_texts(self.texts)))))

    def _pruned(self, seed: int | None, threads: int) -> Choice:
        """Look at more and more references; candidates that surely lose drop out on the way."""
        if self.exclude_self:
            raise InputError(_ALONE, " is for exact decoding: pruning looks at other candidates' references.")
        rng = np.random.default_rng(SEED if seed is None else seed)
        order = rng.permutation(len(self.references))
        weights = self.weights[order]
        rows = np.arange(len(self.texts))
        scores = np.empty((len(rows), 0))
        pairs, seen = 0, 0
        while seen < len(order):
            upto = min(max(2 * seen, _FIRST_LOOK), len(order))
            new = pairwise(
                self.metric,
                [self.texts[i] for i in rows],
                [self.references[j] for j in order[seen:upto]],
                threads=threads,
            )
            pairs += new.size
            seen = upto
            scores = np.hstack([scores, new])
            if len(rows) > 1 and seen < len(order):
                stay = self._survivors(scores, weights[:seen], rows, rng)
                rows, scores = rows[stay], scores[stay]
            if len(rows) == 1:
                break
        columns = np.full((len(rows), len(order)), np.nan)
        columns[:, order[:seen]] = scores
        return self._choice("prune", columns, rows, pairs, seed, threads)

    def _survivors(self, scores: Floats, weights: Floats, rows: Indices, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Say which candidates may still win, after some references."""
        sign = 1.0 if self.metric.higher_is_better else -1.0
        means = scores @ weights / weights.sum()
        best = self._order(means, rows)[0]
        draws = rng.multinomial(scores.shape[1], np.full(scores.shape[1], 1 / scores.shape[1]), _LOOKS) * weights
        totals = sign * (draws @ scores.T) / np.maximum(draws.sum(axis=1), np.finfo(float).tiny)[:, None]
        reaches = (totals >= totals[:, [best]]).mean(axis=0)
        stay: NDArray[np.bool_] = reaches > 1 - _SURE
        stay[best] = True
        return stay

    def _order(self, scores: Floats, rows: Indices | None = None) -> Indices:
        """Return places among `scores`, best first: texts before empty ones, then by score, then as they came."""
        texts = self.texts if rows is None else [self.texts[i] for i in rows]
        empty = np.array([not text.strip() for text in texts])
        return np.lexsort((-scores if self.metric.higher_is_better else scores, empty))

    def _choice(self, method: str, scores: Floats, rows: Indices, pairs: int, seed: int | None, threads: int) -> Choice:
        """Choose among the texts `rows`, from their scores against each reference (or against all as one)."""
        known = ~np.isnan(scores[0])
        weights = self.weights if scores.shape[1] > 1 or len(self.references) == 1 else np.ones(1)
        expected = scores[:, known] @ weights[known] / weights[known].sum()
        by_text = np.full(len(self.texts), np.nan)
        by_text[rows] = expected
        by_candidate = by_text[self.place]
        if self.exclude_self:
            by_candidate = self._without_self(scores, by_candidate)
            expected = by_candidate[self.firsts[rows]]
        order = self._order(expected, rows)
        order = self._drawn(order, expected, rows, seed)
        ranking = tuple(self.firsts[rows[order]].tolist())
        margin, low, high = None, None, None
        if len(order) > 1:
            sign = 1.0 if self.metric.higher_is_better else -1.0
            margin = sign * float(expected[order[0]] - expected[order[1]])
            if method != "aggregate" and len(self.reference_place) > 1 and known.all():
                differences = sign * (scores[order[0]] - scores[order[1]])
                low, high = self._interval(differences, threads)
        return Choice(
            index=ranking[0],
            text=self.candidates[ranking[0]],
            expected=float(expected[order[0]]),
            margin=margin,
            low=low,
            high=high,
            ranking=ranking,
            scores=by_candidate,
            pairs=pairs,
            method=method,
            signature=self.metric.signature(1),
        )

    def _without_self(self, scores: Floats, expected: Floats) -> Floats:
        """Take the pair of each candidate with itself out of its mean."""
        own = scores[self.place, self.reference_place]
        left = 1 - self.shares
        result: Floats = np.divide(
            expected - self.shares * own, left, out=np.full(len(expected), np.nan), where=left > 0
        )
        return result

    def _drawn(self, order: Indices, expected: Floats, rows: Indices, seed: int | None) -> Indices:
        if seed is None:
            return order
        empty = not self.texts[rows[order[0]]].strip()
        ties = [i for i in order if expected[i] == expected[order[0]] and (not self.texts[rows[i]].strip()) == empty]
        winner = ties[int(np.random.default_rng(seed).integers(len(ties)))]
        return np.array([winner, *(i for i in order if i != winner)])

    def _interval(self, differences: Floats, threads: int) -> tuple[float, float]:
        """Return the interval of the margin, over other samples of as many references."""
        rows = np.column_stack([self.shares * differences[self.reference_place], self.shares])
        rows = np.ascontiguousarray(rows)
        sums = np.hstack(list(bootstrap_totals(rows, state_of(SEED), _SAMPLES, threads)))
        return percentile(sums[0] / np.maximum(sums[1], np.finfo(float).tiny))


def _different(texts: list[str]) -> tuple[list[str], Indices, Indices]:
    """Return the different texts, the place of each text among them, and where each stands first."""
    numbers: dict[str, int] = {}
    place = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.intp)
    return list(numbers), place, np.unique(place, return_index=True)[1]


def _shares(weights: Any, count: int) -> Floats:
    if weights is None:
        return np.full(count, 1 / count)
    shares = np.asarray(weights, np.float64)
    if shares.shape != (count,):
        raise InputError(f"weights must be one number per reference: {count:,} references, shape {shares.shape}.")
    if not np.isfinite(shares).all() or (shares < 0).any() or not shares.sum() > 0:
        raise InputError(
            "weights must be probabilities: numbers of at least 0, not all 0. Logarithms are turned into them by "
            "tertium.decoding.probabilities."
        )
    return np.asarray(shares / shares.sum())


def probabilities(logarithms: Sequence[float]) -> Floats:
    """Return the probabilities whose logarithms these are, divided by their sum."""
    values = np.asarray(logarithms, np.float64)
    if values.ndim != 1 or not len(values) or np.isnan(values).any() or not np.isfinite(values.max()):
        raise InputError("log weights must be numbers, at least one of them finite.")
    shares = np.exp(values - values.max())
    return np.asarray(shares / shares.sum())

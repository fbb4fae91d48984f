"""Which segments to judge: those on which systems differ, by how much there is to see in a judgment.

Four ways to say what a segment is worth, none of which needs a person (Zouhar et al. 2025, "How to Select Datapoints
for Efficient Human Evaluation"):

    diversity     how little the outputs have in common: 100 minus the mean sentence BLEU of each against each other
    variance      the variance of a metric's scores of the outputs
    consistency   how far a metric orders the outputs here as it does on the whole (Kendall's tau-c, from 0 to 2)
    random        all alike

The most that fits into a budget is taken, by worth per cost. What is chosen so is harder, or more telling, than the
rest: ranks of systems can be estimated from it, means cannot.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Floats
from tertium.metrics.bleu import BLEU

METHODS = ("diversity", "variance", "consistency", "random")
_SEGMENT_BLEU = BLEU(effective_order=True)


@dataclass(frozen=True)
class Selected:
    """A segment that was chosen, counted from 1; `how` is the method, or random for the part that is kept so."""

    segment: int
    document: str | None
    domain: str | None
    worth: float
    cost: float
    how: str

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {"segment": self.segment, "document": self.document, "domain": self.domain, "worth": self.worth,
                "cost": self.cost, "how": self.how}  # fmt: skip


def diversity(systems: Mapping[str, Sequence[str]], *, threads: int | None = None) -> Floats:
    """Return what each segment is worth by how little its outputs have in common."""
    texts = list(systems.values())
    if len(texts) < 2:
        raise InputError("Outputs of at least two systems are needed to tell which segments they differ on.")
    total = np.zeros(len(texts[0]))
    for i, ours in enumerate(texts):
        for k, theirs in enumerate(texts):
            if i != k:
                rows = _SEGMENT_BLEU.statistics(ours, theirs, threads=threads)
                total += _SEGMENT_BLEU.score(rows)
    return np.asarray(100 - total / (len(texts) * (len(texts) - 1)))


def variance(scores: Floats) -> Floats:
    """Return the variance of a metric's scores, systems x segments."""
    return np.asarray(np.var(scores, axis=0))


def consistency(scores: Floats) -> Floats:
    """Return 1 plus tau-c of each segment's scores with the systems' means, systems x segments."""
    means = scores.mean(axis=1)
    count = len(means)
    if count < 2:
        raise InputError("Scores of at least two systems are needed to tell which segments order them.")
    overall = np.sign(means[:, None] - means)
    signs = np.sign(scores[:, None, :] - scores[None, :, :])  # (systems, systems, segments)
    surplus = np.einsum("ij,ijk->k", overall, signs) / 2
    distinct = np.array([len(np.unique(scores[:, k])) for k in range(scores.shape[1])])
    classes = np.minimum(distinct, len(np.unique(means)))
    worth = np.zeros(scores.shape[1])
    told = classes > 1
    worth[told] = 2 * surplus[told] / (count**2 * (classes[told] - 1) / classes[told])
    return 1 + worth


def selected(
    worth: Floats,
    *,
    budget: float,
    cost: Floats | None = None,
    documents: Sequence[str] | None = None,
    domains: Sequence[str] | None = None,
    by_document: bool = False,
    random_share: float = 0.0,
    how: str = "diversity",
    seed: int = 0,
) -> tuple[Selected, ...]:
    """Choose segments, or whole documents, within a budget of segments or of `cost`.

    `domains` shares the budget out by how much of the whole each domain costs; single segments that are left over by
    rounding go to the best, one in a domain. `random_share` of the budget is drawn at random first, so that means can
    be estimated from that part.
    """
    count = len(worth)
    costs = np.ones(count) if cost is None else np.asarray(cost, np.float64)
    for name, given in (("cost", costs), ("documents", documents), ("domains", domains)):
        if given is not None and len(given) != count:
            raise InputError(f"There are {len(given):,} {name}, but {count:,} segments.")
    if not (np.isfinite(worth).all() and np.isfinite(costs).all() and (costs >= 0).all()):
        raise InputError("What segments are worth and cost must be finite numbers, costs of at least 0.")
    if not budget > 0:
        raise InputError(f"The budget must be above 0, not {budget:g}.")
    if not 0 <= random_share <= 1:
        raise InputError(f"The random share lies between 0 and 1, not {random_share:g}.")
    if by_document and documents is None:
        raise InputError("Whole documents were asked for, but there are no document ids.")
    rng = np.random.Generator(np.random.PCG64(seed))
    units = _units(count, documents if by_document else None)
    chosen: dict[int, str] = {}
    nexts: list[tuple[float, list[int]]] = []  # of each domain, the best that was not taken
    for members, share in _shares(units, costs, domains):
        sizes = [float(costs[unit].sum()) for unit in members]
        free = float(budget * share)
        drawn = _filled(rng.permutation(len(members)).tolist(), sizes, free * random_share, set())
        rest = free - sum(sizes[k] for k in drawn)
        worths = [float(worth[unit].sum()) / max(size, 1e-12) for unit, size in zip(members, sizes, strict=True)]
        ties = rng.permutation(len(members))
        order = sorted(range(len(members)), key=lambda k, w=worths, t=ties: (-w[k], t[k]))  # type: ignore[misc]  # no types for defaults
        taken = _filled(order, sizes, rest, set(drawn))
        for k in drawn:
            chosen |= dict.fromkeys(members[k], "random")
        for k in taken:
            chosen |= dict.fromkeys(members[k], how)
        nexts += [(worths[k], members[k]) for k in order if k not in drawn and k not in taken][:1]
    left = float(budget) - sum(float(costs[k]) for k in chosen)
    if (
        domains is not None and cost is None and not by_document
    ):  # shares are rarely whole numbers: what is over is spent
        nexts.sort(key=lambda one: -one[0])
        for k in _filled(range(len(nexts)), [float(costs[unit].sum()) for _, unit in nexts], left, set()):
            chosen |= dict.fromkeys(nexts[k][1], how)
    if not chosen:
        least = min(float(costs[unit].sum()) for unit in units)
        raise InputError(f"Nothing fits into a budget of {budget:g}: the least costs {least:g}.")
    return tuple(
        Selected(
            k + 1, None if documents is None else documents[k], None if domains is None else domains[k],
            float(worth[k]), float(costs[k]), chosen[k],
        )
        for k in sorted(chosen)
    )  # fmt: skip


def _units(count: int, documents: Sequence[str] | None) -> list[list[int]]:
    if documents is None:
        return [[k] for k in range(count)]
    found: dict[str, list[int]] = {}
    for k, name in enumerate(documents):
        found.setdefault(name, []).append(k)
    return list(found.values())


def _shares(
    units: list[list[int]], costs: Floats, domains: Sequence[str] | None
) -> list[tuple[list[list[int]], float]]:
    """Return the units of each domain, and its share of the budget: as much as it is of the whole."""
    if domains is None:
        return [(units, 1.0)]
    groups: dict[str, list[list[int]]] = {}
    for unit in units:
        names = {domains[k] for k in unit}
        if len(names) > 1:
            raise InputError(f"A document has segments of several domains: {', '.join(sorted(names))}.")
        groups.setdefault(names.pop(), []).append(unit)
    total = float(costs.sum()) or 1.0
    return [(group, sum(float(costs[unit].sum()) for unit in group) / total) for group in groups.values()]


def _filled(order: Sequence[int], sizes: Sequence[float], budget: float, taken: set[int]) -> list[int]:
    """Return units in order, as long as they fit; one that does not is passed over for smaller ones."""
    found, left = [], budget + 1e-9
    for k in order:
        if k not in taken and sizes[k] <= left:
            found.append(k)
            left -= sizes[k]
    return found


def worth_of(
    method: str,
    systems: Mapping[str, Sequence[str]],
    scores: Callable[[], Floats],
    *,
    seed: int = 0,
    threads: int | None = None,
) -> Floats:
    """Return what segments are worth by a method; `scores` are a metric's, systems x segments, if it needs them."""
    if method == "diversity":
        return diversity(systems, threads=threads)
    if method == "variance":
        return variance(scores())
    if method == "consistency":
        return consistency(scores())
    if method == "random":
        return np.random.Generator(np.random.PCG64(seed)).random(len(next(iter(systems.values()))))
    raise UnknownNameError.of("way to choose segments", method, METHODS)

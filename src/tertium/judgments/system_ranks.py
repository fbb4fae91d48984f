"""Systems in the order of what people said of them, in clusters that chance does not tell apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgments.labels import Floats
from tertium.judgments.rank_rules import RULES, Rule
from tertium.judgments.table import Judgments
from tertium.results import Result
from tertium.significance import adjusted
from tertium.significance.sampling import check_share


@dataclass(frozen=True)
class SystemRank(Result):
    """Where a system stands: `cluster` counts from the best, `start` and `end` are the places of the cluster.

    `wins` and `losses` are against how many other systems; `best` and `worst` are the places that leaves: 1 plus the
    losses, and the number of systems minus the wins.
    """

    system: str
    kind: str
    score: float
    cluster: int
    start: int
    end: int
    wins: int
    losses: int
    best: int
    worst: int


@dataclass(frozen=True)
class SystemRanks:
    """Systems, best first, by a rule; `p_values[i, j]` is that of i being better than j, in the same order."""

    kind: str
    rule: Rule
    ranks: tuple[SystemRank, ...]
    p_values: Floats
    alpha: float = 0.05

    def wins(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Return which system (row) is significantly better than which (column), by the rule; nothing corrected."""
        scores = np.array([rank.score for rank in self.ranks])
        best_first = scores if scores[0] >= scores[-1] else -scores
        return np.asarray(self.rule.wins(self.p_values, best_first, self.alpha))

    def clusters(self) -> list[list[str]]:
        """Return the systems cluster by cluster."""
        groups: dict[int, list[str]] = {}
        for rank in self.ranks:
            groups.setdefault(rank.cluster, []).append(rank.system)
        return list(groups.values())

    def comparisons(self) -> list[dict[str, Any]]:
        """Return the tests of each two systems, in both directions."""
        names = [rank.system for rank in self.ranks]
        return [
            {"kind": self.kind, "system": one, "other": two, "p_value": float(self.p_values[i, j])}
            for i, one in enumerate(names)
            for j, two in enumerate(names)
            if i != j
        ]


def ranks(
    judgments: Judgments, kind: str, *, like: str = "tertium", alpha: float = 0.05, correction: str = "none",
    domains: Sequence[str] | None = None,
) -> SystemRanks:  # fmt: skip
    """Rank systems by the mean of their segments' scores, each the mean over raters.

    `like` names the rule: `tertium`, or the shared task whose tables it makes (`wmt17`, `wmt22`, `wmt24`, `wmt26`).
    `domains` is each segment's domain, for the rules that know them; else it is what WMT's names of documents say.
    """
    if like not in RULES:
        raise UnknownNameError.of("rule of ranks", like, RULES)
    check_share("alpha", alpha)
    rule = RULES[like]
    ours = judgments.of_kind(kind).oriented()
    ours = ours[ours.segment > 0]
    means = ours.averaged_over_raters()
    if len(means.systems) < 2:
        raise InputError(f"Ranks need at least two systems with judged segments of the kind '{kind}'.")
    segments, at = np.unique(means.segment, return_inverse=True)
    table = np.full((len(means.systems), len(segments)), np.nan)
    table[means.system.codes, at] = means.score
    groups = _domains(means, segments, at, domains)
    if rule.by_domain:
        scores = _macro(table, groups)
    elif means.weight is None:
        scores = np.nanmean(table, axis=1)
    else:
        scores = np.array(list(ours.system_scores(kind, systems=means.systems).values()))
    order = np.array(sorted(range(len(scores)), key=lambda i: (-scores[i], means.systems[i])))
    p_values = rule.p_values(table[order], groups)
    np.fill_diagonal(p_values, 1.0)
    wins = rule.wins(_corrected(p_values, correction), scores[order], alpha)
    sign = -1.0 if kind in judgments.lower_is_better else 1.0
    names = [means.systems[i] for i in order]
    placed = _placed(kind, names, sign * scores[order], wins, rule.ends(wins))
    return SystemRanks(kind, rule, placed, p_values, alpha)


def _placed(kind: str, names: Sequence[str], scores: Floats, wins: Any, ends: Sequence[bool]) -> tuple[SystemRank, ...]:
    count = len(names)
    stops = [place for place, end in enumerate(ends) if end or place == count - 1]
    found = []
    for place, name in enumerate(names):
        cluster = sum(stop < place for stop in stops)
        start, end = (stops[cluster - 1] + 1 if cluster else 0), stops[cluster]
        won, lost = int(wins[place].sum()), int(wins[:, place].sum())
        found.append(
            SystemRank(
                name, kind, float(scores[place]), cluster + 1, start + 1, end + 1, won, lost, 1 + lost, count - won
            )
        )
    return tuple(found)


def _corrected(p_values: Floats, correction: str) -> Floats:
    if correction == "none":
        return p_values
    found = p_values.copy()
    apart = ~np.eye(len(p_values), dtype=bool)
    found[apart] = adjusted(p_values[apart].tolist(), correction)
    return found


def _domains(means: Judgments, segments: Any, at: Any, domains: Sequence[str] | None) -> list[str | None]:
    """Return each segment's domain: as given, or as in the names of WMT's documents, or the same for all."""
    if domains is not None:
        means._check_segments(len(domains))
        return [domains[segment - 1] for segment in segments.tolist()]
    found: list[str | None] = [None] * len(segments)
    for place, name in zip(at.tolist(), means.document.texts(), strict=True):
        found[place] = found[place] or domain_in(name)
    return found


def domain_in(document: str | None) -> str | None:
    """Return the domain in a document's name, as WMT24 (test-en-news_…) and later tasks (…_#_news_#_…) write it."""
    match = re.match(r"test-[a-z]+-([a-z]+)_", document or "") or re.match(r".*?_#+_(.+?)_#+_", document or "")
    return match[1] if match else None


def _macro(table: Floats, groups: Sequence[str | None]) -> Floats:
    """Return the mean of each system's means by domain."""
    columns = [np.array([group == domain for group in groups]) for domain in dict.fromkeys(groups)]
    parts = []
    for column in columns:
        here = table[:, column]
        counts = np.isfinite(here).sum(axis=1)
        sums = np.nansum(here, axis=1)
        parts.append(np.divide(sums, counts, out=np.full(len(table), np.nan), where=counts > 0))
    return np.asarray(np.nanmean(np.array(parts), axis=0))

"""Where judgments vary: systems, documents, segments, raters, and what is left. By Koch's symmetric differences (1967).

A judgment is taken to be a sum of random parts: of its system, its document, its segment, how this system did on this
document and on this segment, of its rater, and an error. Two judgments that share a part do not differ by it. So half
the squared difference of two judgments is, on average, the sum of the variances of the parts they do not share:

    same system, same segment, other rater:     rater + error
    other system, same segment, same rater:     system + system on document + system on segment + error

For seven kinds of pairs (any two; of the same system, document, segment, rater, system and document, system and
segment) the mean of all such halves is computed, without looking at single pairs: in a group of n numbers the squared
differences of all pairs sum to n * sum(y^2) - sum(y)^2. How often pairs of a kind share each part is counted the same
way. That gives as many equations as there are variances, whatever was judged how often by whom. A negative solution is
taken for 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Floats
from tertium.judgments.table import Judgments
from tertium.results import Result

Codes = Any  # one whole number per judgment


@dataclass(frozen=True)
class Components(Result):
    """Variances; a part that the judgments cannot tell from others is None, and its share is in the one it names.

    `system_segment` None: every output was judged once, so what is particular to an output cannot be told from error.
    """

    system: float
    document: float | None
    segment: float
    rater: float | None
    system_document: float | None
    system_segment: float | None
    error: float

    @property
    def total(self) -> float:
        """The variance of a judgment."""
        return sum(value or 0.0 for value in self.to_dict().values())

    def to_dict(self) -> dict[str, float | None]:
        """Return the parts by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True)
class Judged:
    """What components were estimated from."""

    kind: str
    judgments: int
    systems: int
    documents: int
    segments: int
    raters: int
    components: Components


def components_of(judgments: Judgments, kind: str | None = None) -> Judged:
    """Estimate the components of one kind of judgment, from those of segments."""
    kinds = judgments.kinds
    if kind is None and len(kinds) > 1:
        raise InputError(f"There are several kinds of judgment: {', '.join(kinds)}. Choose one.")
    chosen = kind or (kinds[0] if kinds else "")
    ours = judgments.of_kind(chosen) if chosen in kinds else judgments[np.zeros(len(judgments), bool)]
    ours = ours[ours.segment > 0]
    if len(ours) < 3:
        raise InputError(f"There are {len(ours)} judgments of segments of the kind '{chosen}', too few to plan by.")
    system = _codes(ours.system.codes)
    segment = _codes(ours.segment)
    document = _documents(ours, segment)
    rater = _raters(ours)
    found = components(ours.score, system=system, document=document, segment=segment, rater=rater)
    return Judged(
        chosen, len(ours), _count(system), 0 if document is None else _count(document), _count(segment),
        0 if rater is None else _count(rater), found,
    )  # fmt: skip


def components(
    score: Floats, *, system: Codes, segment: Codes, document: Codes | None = None, rater: Codes | None = None
) -> Components:
    """Estimate components from plain columns; codes are whole numbers from 0."""
    parts: dict[str, Codes] = {"system": system, "segment": segment}
    if document is not None:
        parts |= {"document": document, "system_document": _together([system, document])}
    if rater is not None:
        parts["rater"] = rater
    parts["system_segment"] = _together([system, segment])
    kept = dict(parts)
    # A part whose groups hold one judgment each cannot be told from error; one in a single group cannot be seen at all.
    for name, codes in parts.items():
        if _count(codes) == len(codes) or _count(codes) == 1:
            del kept[name]
    if "segment" not in kept or "system" not in kept:
        raise InputError(
            "To see what varies, at least two systems must have been judged, on the same segments, and more than one."
        )
    variances = _solved(np.asarray(score, np.float64), kept)
    return Components(
        system=variances["system"],
        document=variances.get("document"),
        segment=variances["segment"],
        rater=variances.get("rater"),
        system_document=variances.get("system_document"),
        system_segment=variances.get("system_segment"),
        error=variances["error"],
    )


def _solved(score: Floats, parts: dict[str, Codes]) -> dict[str, float]:
    """Set up one equation per kind of pair, and solve them; negative variances are left out one by one."""
    names = list(parts)
    shares: list[list[Codes]] = [[], *([codes] for codes in parts.values())]
    left, right = [], []
    for shared in shares:
        pairs, halves = _pairs(score, shared)
        row = [1 - _pairs(score, [*shared, codes])[0] / pairs for codes in parts.values()]
        left.append([*row, 1.0])
        right.append(halves)
    table, values = np.array(left), np.array(right)
    used = [*range(len(names)), len(names)]
    while True:
        found, *_ = np.linalg.lstsq(table[:, used], values, rcond=None)
        worst = int(np.argmin(found))
        if found[worst] >= 0 or len(used) == 1:
            break
        del used[worst]
    solution = dict.fromkeys([*names, "error"], 0.0)
    for place, value in zip(used, np.maximum(found, 0.0).tolist(), strict=True):
        solution[[*names, "error"][place]] = value
    return solution


def _pairs(score: Floats, shared: Sequence[Codes]) -> tuple[float, float]:
    """Return how many pairs share all of these, and the mean of half their squared differences."""
    codes = _together(shared) if shared else np.zeros(len(score), np.int64)
    sizes = np.bincount(codes).astype(np.float64)
    squares = sizes * np.bincount(codes, score**2) - np.bincount(codes, score) ** 2
    pairs = float((sizes * (sizes - 1)).sum() / 2)
    return pairs, float(squares.sum() / 2 / pairs) if pairs else 0.0


def _together(columns: Sequence[Codes]) -> Codes:
    codes = columns[0]
    for other in columns[1:]:
        codes = _codes(codes.astype(np.int64) * (int(other.max()) + 1) + other)
    return codes


def _codes(values: Codes) -> Codes:
    return np.unique(values, return_inverse=True)[1]


def _count(codes: Codes) -> int:
    return int(codes.max()) + 1 if len(codes) else 0


def _documents(ours: Judgments, segment: Codes) -> Codes | None:
    """Return documents, if each segment is in one and some hold several segments."""
    if (ours.document.codes < 0).any() or ours.document.codes.min() == ours.document.codes.max():
        return None
    codes = _codes(ours.document.codes)
    return codes if _count(codes) < _count(segment) and _count(_together([codes, segment])) == _count(segment) else None


def _raters(ours: Judgments) -> Codes | None:
    if (ours.rater.codes < 0).any() or ours.rater.codes.min() == ours.rater.codes.max():
        return None
    return _codes(ours.rater.codes)

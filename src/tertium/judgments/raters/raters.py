"""Raters: how many judgments each gave, how they used the scale, and who does not fit the others."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from tertium.errors import InputError, MissingExtraError
from tertium.judgments.labels import Floats, Ints, groups
from tertium.judgments.table import Judgments, Warn
from tertium.results import Result

FAILS, DRIFTS = "fails control", "drifts"


@dataclass(frozen=True)
class Rater(Result):
    """One rater's judgments of a kind, beside those of others on the same items.

    `difference` is the mean of (own - mean of others), `correlation` Pearson's, both over `shared` items that others
    judged too. `repeats` are items judged again, `repeat_difference` the mean absolute difference between the first
    and later scores, `repeat_p` the two-sided p-value of Wilcoxon's signed-rank test that later ones are higher or
    lower. `degraded` outputs were mixed in as a test; `degraded_p` is the one-sided p-value of Wilcoxon's
    signed-rank test that they got lower scores than the outputs they were made from. `flags` say what is odd.
    """

    rater: str
    kind: str
    judgments: int
    mean: float
    deviation: float | None
    shared: int
    difference: float | None
    correlation: float | None
    repeats: int
    repeat_difference: float | None
    repeat_p: float | None
    degraded: int
    degraded_p: float | None
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {**asdict(self), "flags": list(self.flags)}


def raters_of(
    judgments: Judgments,
    *,
    kinds: Sequence[str] | None = None,
    limit: float = 3.0,
    alpha: float = 0.05,
) -> tuple[Rater, ...]:
    """Return what is known of each rater.

    Flags: `one judgment`; `constant` (all scores equal); `lenient`, `strict` (the difference to others lies further
    from the raters' median than `limit` robust standard deviations); `uncorrelated` (the correlation lies as far below
    the median); `fails control` (degraded outputs did not get significantly lower scores); `drifts` (items judged again
    got significantly other scores).
    """
    found: list[Rater] = []
    for kind in kinds or judgments.kinds:
        ours = judgments.of_kind(kind)
        ours = ours[(ours.rater.codes >= 0) & ((ours.segment > 0) | (ours.document.codes >= 0))]
        if not len(ours):
            raise InputError(f"The judgments of the kind '{kind}' name no raters. Give a column rater.")
        found += _of_kind(ours, kind, limit, alpha)
    return tuple(found)


def controlled(judgments: Judgments, *, alpha: float = 0.05, warn: Warn = lambda message: None) -> Judgments:
    """Return the judgments of raters who pass the control: to be done before anything is normalized or averaged.

    Left out, and named in a warning, are raters who did not score degraded outputs lower, or who scored items
    otherwise when they judged them again; both by Wilcoxon's signed-rank test.
    """
    found = raters_of(judgments, alpha=alpha)
    if not any(one.degraded or one.repeats for one in found):
        raise InputError("Nothing tests the raters: there are no degraded outputs and no items judged again.")
    failed = list(dict.fromkeys(one.rater for one in found if {FAILS, DRIFTS} & set(one.flags)))
    if not failed:
        return judgments
    lost = np.isin(judgments.rater.codes, [judgments.rater.code(name) for name in failed])
    if lost.all():
        raise InputError(f"All {len(failed):,} raters fail the control, so no judgment would be left.")
    listed = ", ".join(failed[:8]) + (" …" if len(failed) > 8 else "")
    warn(f"{len(failed):,} raters fail the control ({listed}); {int(lost.sum()):,} judgments were left out.")
    return judgments[~lost]


def _of_kind(ours: Judgments, kind: str, limit: float, alpha: float) -> list[Rater]:
    count = len(ours.rater.names)
    codes = ours.rater.codes.astype(np.int64)
    sizes = np.bincount(codes, minlength=count)
    means = np.bincount(codes, ours.score, minlength=count) / sizes
    squares = np.bincount(codes, (ours.score - means[codes]) ** 2, minlength=count)
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, codes, ours.score)
    np.maximum.at(high, codes, ours.score)
    shared, difference, correlation = _beside_others(ours, count)
    repeats, apart, drift = _repeats(ours, count)
    tested = _control(ours, count)
    away = _robust(np.where(shared > 0, difference, np.nan))
    below = _robust(np.where(shared > 2, correlation, np.nan))
    results = []
    for code, name in enumerate(ours.rater.names):
        trials, p_value = tested[code]
        changed = drift[code]
        flags = [
            flag
            for flag, holds in (
                ("one judgment", sizes[code] == 1),
                ("constant", sizes[code] > 1 and low[code] == high[code]),
                ("lenient", away[code] > limit),
                ("strict", away[code] < -limit),
                ("uncorrelated", below[code] < -limit),
                (FAILS, p_value is not None and not p_value < alpha),
                (DRIFTS, changed is not None and changed < alpha),
            )
            if holds
        ]
        results.append(
            Rater(
                rater=name,
                kind=kind,
                judgments=int(sizes[code]),
                mean=float(means[code]),
                deviation=float(np.sqrt(squares[code] / (sizes[code] - 1))) if sizes[code] > 1 else None,
                shared=int(shared[code]),
                difference=_or_none(difference[code]),
                correlation=_or_none(correlation[code]),
                repeats=int(repeats[code]),
                repeat_difference=_or_none(apart[code]),
                repeat_p=drift[code],
                degraded=trials,
                degraded_p=p_value,
                flags=tuple(flags),
            )
        )
    return results


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _beside_others(ours: Judgments, count: int) -> tuple[Ints, Floats, Floats]:
    """Return for each rater how many items others judged too, the mean difference to them, and the correlation."""
    own = ours.averaged_within_raters()
    _, unit = groups(own.system.codes, own.segment, np.where(own.segment > 0, -1, own.document.codes))
    sizes = np.bincount(unit)
    sums = np.bincount(unit, own.score)
    kept = sizes[unit] > 1
    codes = own.rater.recoded(ours.rater.names).astype(np.int64)[kept]
    x = own.score[kept]
    y = ((sums[unit] - own.score) / np.maximum(sizes[unit] - 1, 1))[kept]
    number = np.bincount(codes, minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.bincount(codes, x - y, minlength=count) / number
        x_mean, y_mean = (np.bincount(codes, z, minlength=count) / number for z in (x, y))
        dx, dy = x - x_mean[codes], y - y_mean[codes]
        xx, yy, xy = (np.bincount(codes, z, minlength=count) for z in (dx * dx, dy * dy, dx * dy))
        correlation = np.where((number > 2) & (xx > 1e-18) & (yy > 1e-18), xy / np.sqrt(xx * yy), np.nan)
    return number, difference, correlation


def _repeats(ours: Judgments, count: int) -> tuple[Ints, Floats, list[float | None]]:
    item = np.where(ours.segment > 0, -1, ours.document.codes)
    first, inverse = groups(ours.rater.codes, ours.system.codes, ours.segment, item)
    later = np.ones(len(ours), bool)
    later[first] = False
    codes = ours.rater.codes[later].astype(np.int64)
    number = np.bincount(codes, minlength=count)
    change = (ours.score - ours.score[first][inverse])[later]
    drift = [_wilcoxon(change[codes == code], "two-sided") if size else None for code, size in enumerate(number)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return number, np.bincount(codes, np.abs(change), minlength=count) / number, drift


def _wilcoxon(differences: Floats, alternative: str) -> float:
    """Return the p-value of Wilcoxon's signed-rank test; 1 where nothing differs."""
    if not differences.any():
        return 1.0
    try:
        from scipy.stats import wilcoxon
    except ImportError:
        raise MissingExtraError("Testing raters needs a package: pip install 'tertium[meta]'.") from None
    return float(wilcoxon(differences, alternative=alternative).pvalue)


def _control(ours: Judgments, count: int) -> list[tuple[int, float | None]]:
    """Return for each rater how many degraded outputs can be compared with their originals, and the p-value."""
    results: list[tuple[int, float | None]] = [(0, None)] * count
    degraded = ours.marked_as("degraded")
    if not len(degraded):
        return results
    # A document that was cut short is no part of the results, but shows whether its degraded copy was noticed.
    originals = Judgments.joined([replace(part, marked=None) for part in (ours, ours.marked_as("incomplete"))])
    genuine = originals.averaged_within_raters()
    bad = degraded.averaged_within_raters()
    known = dict(zip(_keys(genuine), genuine.score.tolist(), strict=True))
    differences: dict[str, list[float]] = {}
    for key, score in zip(_keys(bad), bad.score.tolist(), strict=True):
        if key in known:
            differences.setdefault(key[0] or "", []).append(known[key] - score)
    for code, name in enumerate(ours.rater.names):
        found = np.array(differences.get(name, ()), np.float64)
        if len(found):
            results[code] = len(found), _wilcoxon(found, "greater")
    return results


def _keys(judgments: Judgments) -> "Any":
    return zip(judgments.rater.texts(), judgments.system.texts(), judgments.segment_names(), strict=True)


def _robust(values: Floats) -> Floats:
    """Return distances from the median in robust standard deviations; 0 where it cannot be told."""
    there = np.isfinite(values)
    if there.sum() < 4:
        return np.zeros(len(values))
    median = np.median(values[there])
    spread = 1.4826 * np.median(np.abs(values[there] - median))
    if spread <= 1e-12:
        return np.zeros(len(values))
    return np.asarray(np.where(there, (values - median) / spread, 0.0))

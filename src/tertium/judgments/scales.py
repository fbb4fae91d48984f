"""Scales of adequacy and fluency, and what the survey calls comprehensibility."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.errors import Argument, InputError
from tertium.judgments.labels import Labels, group_means, groups
from tertium.judgments.preferences import Preferences
from tertium.judgments.table import Judgments


@dataclass(frozen=True)
class Scale:
    """A scale of whole numbers. `threshold`: from which score on a translation can be understood."""

    lowest: int
    highest: int
    threshold: float

    @classmethod
    def parsed(cls, text: str, threshold: float | None = None) -> "Scale":
        """Read a scale such as `1-5`; without a threshold, it is the middle of the scale."""
        found = re.fullmatch(r"(\d+)-(\d+)", text)
        if not found or int(found[1]) >= int(found[2]):
            raise InputError(f"A scale is written lowest-highest, such as 0-4, 1-5 or 1-7, not '{text}'.")
        lowest, highest = int(found[1]), int(found[2])
        limit = (lowest + highest) / 2 if threshold is None else threshold
        if not lowest <= limit <= highest:
            raise InputError(f"The threshold {limit:g} is not on the scale {text}.")
        return cls(lowest, highest, limit)

    @property
    def name(self) -> str:
        """How the scale is written."""
        return f"{self.lowest}-{self.highest}"

    def check(self, judgments: Judgments) -> None:
        """Refuse scores that are not on the scale."""
        bad = np.flatnonzero((judgments.score < self.lowest) | (judgments.score > self.highest))
        if len(bad):
            row = int(bad[0])
            raise InputError(
                f"{len(bad):,} of {len(judgments):,} scores are not on the scale {self.name}, such as "
                f"{judgments.score[row]:g} ({judgments.kinds[judgments.kind.codes[row]]} of "
                f"{judgments.systems[judgments.system.codes[row]]}). Name the scale that was used: ",
                Argument("scale"),
                ".",
            )


def comprehensibility(judgments: Judgments, kind: str, *, scale: Scale) -> dict[str, float]:
    """Return for each system the share of judgments from the threshold on.

    The survey's formula counts 2, 3 and 4: it belongs to a scale from 0 to 4. On 1-5 the same statements are 3 to 5.
    """
    ours = _segments_of(judgments, kind, scale)
    understood = (ours.score >= scale.threshold).astype(np.float64)
    return _means(replace(ours, score=understood))


def fluency(judgments: Judgments, kind: str, *, scale: Scale) -> dict[str, float]:
    """Return for each system the mean over all judgments."""
    return _means(_segments_of(judgments, kind, scale))


def _means(judgments: Judgments) -> dict[str, float]:
    codes = judgments.system.codes.astype(np.int64)
    means = group_means(judgments.score, judgments.count, codes, len(judgments.systems))
    return dict(zip(judgments.systems, means.tolist(), strict=True))


def _segments_of(judgments: Judgments, kind: str, scale: Scale) -> Judgments:
    ours = judgments.of_kind(kind)
    ours = ours[ours.segment > 0]
    if not len(ours):
        raise InputError(f"There are no judgments of segments of the kind '{kind}'.")
    scale.check(ours)
    return ours


def combined(judgments: Judgments, kinds: Sequence[str] = ("adequacy", "fluency"), *, how: str = "mean") -> Judgments:
    """Return the judgments with a further kind: the mean or sum of several, where a rater gave all of them."""
    if how not in ("mean", "sum"):
        raise InputError(f"Scores are combined as mean or sum, not '{how}'.")
    parts = [judgments.of_kind(kind).averaged_within_raters() for kind in kinds]
    if len({kind in judgments.lower_is_better for kind in kinds}) > 1:
        raise InputError(f"{' and '.join(kinds)} point in opposite directions, so they cannot be combined.")
    both = Judgments.joined(parts)
    first, inverse = groups(
        both.system.codes, both.segment, np.where(both.segment > 0, -1, both.document.codes), both.rater.codes
    )
    whole = np.bincount(inverse, minlength=len(first)) == len(kinds)
    if not whole.any():
        raise InputError(f"No rater gave one item all of {', '.join(kinds)}, so there is nothing to combine.")
    sums = np.bincount(inverse, both.score, minlength=len(first))[whole]
    name = "+".join(kinds)
    errors = {name} if kinds[0] in judgments.lower_is_better else set()
    new = replace(
        both[first[whole]],
        score=sums / len(kinds) if how == "mean" else sums,
        kind=Labels.constant(name, int(whole.sum())),
        count=np.ones(int(whole.sum())),
        lower_is_better=frozenset(errors),
        preferences=Preferences.empty(),
        marked=None,
    )
    return Judgments.joined([judgments, new])

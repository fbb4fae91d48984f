"""Metrics against pairwise preferences: of two outputs, does the metric prefer the one that people prefer?"""

import math
from typing import Any

import numpy as np

from tertium.judgments import Preferences
from tertium.meta.coefficients.pair_counts import PairCounts
from tertium.meta.coefficients.points import drawn_counts
from tertium.meta.intervals import FEWEST, Asked, Spread, of_replicates
from tertium.metrics.base import Floats

PREFERENCE = "preference"  # the kind under which they are reported


def preference_counts(preferences: Preferences, scores: dict[str, Floats]) -> tuple[Floats, Any]:
    """Return counts of pairs by segment (segments, 5) and the segments; pairs without a score are left out."""
    differences = preferences.differences(scores)
    there = ~np.isnan(differences)
    ours, theirs = np.sign(differences[there]), preferences.outcome[there].astype(np.float64)
    outcome = np.select(
        [(ours == 0) & (theirs == 0), ours == 0, theirs == 0, ours == theirs], [4, 3, 2, 0], default=1
    )  # fmt: skip
    segments, place = np.unique(preferences.segment[there], return_inverse=True)
    counts = np.zeros((len(segments), 5))
    np.add.at(counts, (place, outcome), 1)
    return counts, int((~there).sum())


def preference_coefficient(
    preferences: Preferences, scores: dict[str, Floats], method: type[PairCounts], asked: Asked
) -> dict[str, Any]:
    """Return the fields of a coefficient on all pairs, with a bootstrap over segments."""
    counts, dropped = preference_counts(preferences, scores)
    value = float(method.of_all_counts(counts.sum(axis=0))) if len(counts) else math.nan
    spread = Spread()
    notes = [f"{dropped:,} pairs have no metric scores and were left out"] if dropped else []
    if math.isnan(value):
        notes.append("undefined: no pair is left")
    elif not counts[:, [0, 1, 2]].any():
        notes.append("the metric scores both outputs of every pair alike, so the value says nothing of agreement")
    elif asked.by_drawing and len(counts) < FEWEST:
        notes.append(f"{len(counts)} segments are too few for an interval")
    elif asked.by_drawing:
        drawn = drawn_counts(np.arange(len(counts)), len(counts), asked.samples, np.random.default_rng(asked.seed))
        spread = of_replicates(method.of_all_counts(drawn.astype(np.float64) @ counts), asked.confidence)
    return {
        "method": method.name,
        "value": value,
        "low": spread.low,
        "high": spread.high,
        "n": int(counts.sum()),
        "groups": len(counts),
        "dropped": dropped,
        "interval": spread.made,
        "note": "; ".join(notes),
    }

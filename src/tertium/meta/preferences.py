"""Metrics against pairwise preferences: of two outputs, does the metric prefer the one that people prefer?"""

import math
from typing import Any

import numpy as np

from tertium.judgments import Preferences
from tertium.meta.coefficients.methods import Method
from tertium.metrics.base import Floats
from tertium.significance.intervals import percentile

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
    preferences: Preferences,
    scores: dict[str, Floats],
    method: Method,
    *,
    samples: int,
    seed: int,
    confidence: float,
    interval: str,
) -> dict[str, Any]:
    """Return the fields of a coefficient on all pairs, with a bootstrap over segments."""
    counts, dropped = preference_counts(preferences, scores)
    one = np.ones(())
    value = float(method.of_counts(counts.sum(axis=0), one, one)) if len(counts) else math.nan
    low = high = None
    notes = [f"{dropped:,} pairs have no metric scores and were left out"] if dropped else []
    if math.isnan(value):
        notes.append("undefined: no pair is left")
    elif not counts[:, [0, 1, 2]].any():
        notes.append("the metric scores both outputs of every pair alike, so the value says nothing of agreement")
    elif interval in ("auto", "bootstrap"):
        if len(counts) < 4:
            notes.append(f"{len(counts)} segments are too few for an interval")
        else:
            rng = np.random.default_rng(seed)
            found = np.empty(samples)
            for k in range(samples):
                drawn = np.bincount(rng.integers(len(counts), size=len(counts)), minlength=len(counts))
                found[k] = method.of_counts(drawn @ counts, one, one)
            found = found[~np.isnan(found)]
            if len(found) * 2 > samples:
                low, high = percentile(found, confidence)
    return {
        "method": method.name,
        "value": value,
        "low": low,
        "high": high,
        "n": int(counts.sum()),
        "groups": len(counts),
        "dropped": dropped,
        "interval": "none" if low is None else "bootstrap",
        "note": "; ".join(notes),
    }

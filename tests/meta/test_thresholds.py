"""The curve of agreement, fitted to judgments of systems."""

import math

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.thresholds import fitted


def textbook(metric, human):
    """Climb from many starts, one pair at a time."""
    pairs = []
    for i in range(len(metric)):
        for k in range(i):
            d, h = metric[i] - metric[k], human[i] - human[k]
            if d and h:
                pairs.append((abs(d), (d > 0) == (h > 0)))

    def likelihood(a, b):
        total = 0.0
        for size, agrees in pairs:
            chance = a / (1 + math.exp(-b * size))
            total += math.log(chance if agrees else 1 - chance)
        return total

    best = max((likelihood(a, b), a, b) for a in np.arange(0.5, 1, 0.01) for b in np.geomspace(0.02, 20, 60))
    return likelihood, best[0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_other_curve_is_more_likely(seed):
    rng = np.random.default_rng(seed)
    human = rng.normal(50, 2, 12)
    metric = human + rng.normal(0, 2, 12)
    found = fitted(metric, human, samples=20)
    likelihood, best = textbook(metric, human)
    assert likelihood(min(found.a / 100, 1 - 1e-9), found.b) >= best - 1e-6


def test_the_curve_that_made_the_pairs_is_found():
    """Independent pairs of systems, agreeing as a curve says: 30 systems far apart in groups of two."""
    rng = np.random.default_rng(5)
    metric, human = rng.normal(0, 1, 60), np.empty(60)
    human = metric + rng.normal(0, 0.7, 60)
    found = fitted(metric, human, samples=200)
    assert found.pairs == 60 * 59 // 2
    observed = found.agreeing / found.pairs
    size = np.abs(metric[:, None] - metric)[np.triu_indices(60, 1)]
    assert np.mean([found.a / 100 / (1 + math.exp(-found.b * d)) for d in size]) == pytest.approx(observed, abs=0.01)
    assert all(one.low <= one.difference <= one.high for one in found.needed if math.isfinite(one.difference))


def test_people_who_always_agree_and_who_never_do():
    steps = np.arange(6.0)
    assert "cannot be told from a step" in fitted(steps, steps, samples=20).note
    against = fitted(steps, -steps, samples=20)
    assert (against.agreeing, against.a) == (0, 50)
    assert all(one.to_dict()["difference"] is None for one in against.needed)


def test_ties_tell_nothing():
    with pytest.raises(InputError, match="tell no two systems apart"):
        fitted(np.ones(5), np.arange(5.0))
    assert fitted(np.array([1.0, 1, 2, 3]), np.arange(4.0), samples=10).pairs == 5

"""Intervals of coefficients: replicates are what they say they are, and intervals cover what they promise."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from oracles import correlation as textbook
from tertium.errors import InputError
from tertium.meta import METHODS, coefficient
from tertium.meta.coefficients.base import Settings
from tertium.meta.coefficients.points import draw
from tertium.meta.intervals import Asked


def grid(seed, systems=4, items=12, decimals=1):
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(size=(systems, items)), decimals)
    return np.round(0.6 * human + rng.normal(size=(systems, items)), decimals), human


def prepared_of(human, method, group):
    systems, items = np.indices(human.shape, np.int32).reshape(2, -1)
    return METHODS[method](human.ravel(), systems, items, group, Settings(threshold=0.5))


@pytest.mark.parametrize("method", ["kendall-b", "acc-23", "wmt12"])
def test_a_pair_counts_as_often_as_it_was_drawn(method):
    metric, human = grid(2)
    prepared = prepared_of(human, method, "none")
    draws = draw(prepared.points, "both", 20, seed=7)
    found = prepared.replicates(metric.ravel(), draws)
    for k in range(20):
        weights = np.outer(draws.systems[k], draws.items[k]).ravel().tolist()
        counts = textbook.pair_counts(metric.ravel().tolist(), human.ravel().tolist(), weights)
        assert found[k] == pytest.approx(textbook.from_counts(method, counts, 48, 2), abs=1e-12)


def test_drawn_gaps_agree_with_the_textbook():
    metric, human = grid(3)
    prepared = prepared_of(human, "kendall-like", "none")
    draws = draw(prepared.points, "item", 20, seed=7)
    found = prepared.replicates(metric.ravel(), draws)
    for k in range(20):
        weights = np.tile(draws.items[k], 4).tolist()
        same, against, tied = textbook.gap_counts(human.ravel().tolist(), metric.ravel().tolist(), 0.5, weights)
        assert found[k] == pytest.approx((same - against - tied) / (same + against + tied), abs=1e-12)


@pytest.mark.parametrize("method", ["pearson", "spearman"])
@pytest.mark.parametrize("group", ["none", "sys"])
def test_drawn_correlations_are_those_of_repeated_points(method, group):
    metric, human = grid(4)
    prepared = prepared_of(human, method, group)
    draws = draw(prepared.points, "item", 10, seed=3)
    found = prepared.replicates(metric.ravel(), draws)
    for k in range(10):
        drawn = np.repeat(np.arange(12), draws.items[k])
        assert found[k] == pytest.approx(coefficient(metric[:, drawn], human[:, drawn], method, group).value, abs=1e-9)


def test_items_that_systems_share_are_drawn_together():
    rng = np.random.default_rng(6)
    item = rng.normal(size=40)
    metric, human = item + 0.1 * rng.normal(size=(2, 20, 40))  # twenty systems that say the same
    found = coefficient(metric, human)
    alone = coefficient(metric, human, interval="fisher")
    assert found.interval == "bootstrap"
    assert found.high - found.low > 2 * (alone.high - alone.low)


@pytest.mark.parametrize(
    ("method", "true"),
    [
        ("pearson", lambda r: r),
        ("spearman", lambda r: 6 / math.pi * math.asin(r / 2)),
        ("kendall-b", lambda r: 2 / math.pi * math.asin(r)),
        ("acc-23", lambda r: 0.5 + math.asin(r) / math.pi),
    ],
)
@pytest.mark.parametrize("rho", [0.3, pytest.param(0.8, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "trials", [pytest.param(600, marks=pytest.mark.slow), pytest.param(6000, marks=pytest.mark.long)]
)
def test_intervals_cover(method, true, rho, trials):
    """At nominal 95 % of simulated sets, between 93 and 97 %, with what their number leaves to chance on either side."""
    rng = np.random.default_rng(11)
    hits, size = 0, 80
    for seed in range(trials):
        x = rng.normal(size=size)
        y = rho * x + math.sqrt(1 - rho**2) * rng.normal(size=size)
        found = coefficient(x, y, method, samples=400, seed=seed, threads=1)
        hits += found.low <= true(rho) <= found.high
    slack = NormalDist().inv_cdf(0.99) * math.sqrt(0.95 * 0.05 / trials)
    assert 0.93 - slack / 2 <= hits / trials <= 0.97 + slack / 2


def test_many_points_take_blocks():
    rng = np.random.default_rng(8)
    x = rng.normal(size=60_000)
    y = 0.5 * x + math.sqrt(0.75) * rng.normal(size=60_000)
    found = coefficient(x, y, "kendall-b")
    assert found.interval == "blocks"
    error = math.sqrt(0.437 / 60_000) * (1 - (1 / 3) ** 2)  # Fieller, Hartley and Pearson (1957)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.2)


def test_undefined_replicates_are_counted():
    found = coefficient([1, 2, 3, 4, 5], [1, 1, 1, 1, 2], "kendall-b")
    assert "replicates" in found.note


def test_fishers_interval_is_refused_where_it_does_not_hold():
    metric, human = grid(9)
    prepared = prepared_of(human, "kendall-b", "none")
    spread = Asked("fisher", 0.95, 10, 1, "item").spread(prepared, metric.ravel(), prepared.measured(metric.ravel()))
    assert spread.low is None
    assert "Pearson and Spearman" in spread.note
    with pytest.raises(InputError, match="confidence must be"):
        coefficient([1, 2], [1, 2], confidence=95)


def test_pairwise_accuracy_of_systems_has_an_interval():
    rng = np.random.default_rng(3)
    human = rng.normal(size=(8, 1))
    found = coefficient(human + rng.normal(0, 0.5, (8, 1)), human, "pairwise-accuracy", unit="sys")
    assert found.low is not None
    assert found.low < found.value <= found.high

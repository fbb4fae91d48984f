"""The contract that every coefficient keeps, whatever it is made from."""

import math

import numpy as np
import pytest

from oracles import correlation as textbook
from tertium.errors import InputError
from tertium.meta import METHODS, coefficient, compare_metrics
from tertium.meta.coefficients import of_preferences
from tertium.meta.coefficients.base import Settings
from tertium.meta.coefficients.points import GROUPS, Draws, draw
from tertium.meta.coefficients.soft_pairwise_accuracy import flips
from tertium.meta.intervals import Asked
from tertium.meta.score_grid import matrix_grid
from tertium.meta.segment_draws import SegmentDraws

SYSTEMS, ITEMS = 5, 9
THRESHOLD = 0.7


@pytest.fixture(params=METHODS)
def method(request):
    return METHODS[request.param]


# Systems are compared across all items, all else also group by group.
grouped = pytest.mark.parametrize(
    ("method", "group"),
    [pytest.param(method, group, id=f"{name}-{group}") for name, method in METHODS.items()
     for group in (GROUPS if not method.of_systems else GROUPS[:1])],
)  # fmt: skip


def methods(wanted):
    return pytest.mark.parametrize("name", [name for name, method in METHODS.items() if wanted(method)])


def matrices(decimals=0, gaps=True, seed=1, noise=1.0):
    """Metric and human scores with ties, and cells that nobody judged."""
    rng = np.random.default_rng(seed)
    human = np.round(np.arange(SYSTEMS)[:, None] / 2 + rng.normal(size=(SYSTEMS, ITEMS)), decimals)
    metric = np.round(0.6 * human + noise * rng.normal(size=human.shape), decimals)
    if gaps:
        human[0, 2] = human[3, 2:5] = np.nan
    return metric, human


def cells(matrix=None):
    return np.indices((SYSTEMS, ITEMS) if matrix is None else matrix.shape, np.int32).reshape(2, -1)


def prepared(method, human, group="none"):
    return method(human.ravel(), *cells(human), group, Settings(threshold=THRESHOLD))


def expected(method, metric, human, group):
    """The textbook's value; None where it is undefined."""
    if method.by_segments:
        return textbook.soft_pairwise_accuracy(metric.tolist(), human.tolist(), flips(human.shape[1]).tolist())
    if method.of_systems:
        means = (textbook.system_means(one.tolist(), human.tolist()) for one in (metric, human))
        return textbook.of_points("acc-23", *means, THRESHOLD)
    if group == "none":
        judged = ~np.isnan(human)
        return textbook.of_points(method.name, metric[judged].tolist(), human[judged].tolist(), THRESHOLD)
    rows = zip(metric, human, strict=True) if group == "sys" else zip(metric.T, human.T, strict=True)
    groups = [(ours[~np.isnan(people)].tolist(), people[~np.isnan(people)].tolist()) for ours, people in rows]
    return textbook.of_groups(method.name, groups, THRESHOLD)


@grouped
@pytest.mark.parametrize("decimals", [0, 1, 6])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_value_is_the_textbooks(method, group, decimals, gaps):
    for seed in range(1 if decimals == 6 else 3):  # without ties there is less to go wrong
        metric, human = matrices(decimals, gaps, seed)
        wanted = expected(method, metric, human, group)
        found = prepared(method, human, group).value(metric.ravel())
        assert math.isnan(found) if wanted is None else found == pytest.approx(wanted, abs=1e-12)
        assert coefficient(metric, human, method.name, group, threshold=THRESHOLD, interval="none").value == found


def test_it_says_what_it_is(method):
    assert METHODS[method.name] is method
    assert method.ties
    assert method.least in (-1, 0)
    assert method.chance is None or method.least <= method.chance < 1


@grouped
def test_values_lie_where_it_says(method, group):
    for seed in range(20):
        metric, human = matrices(seed=seed, noise=3.0)
        value = prepared(method, human, group).value(metric.ravel())
        assert math.isnan(value) or method.least <= value <= 1


def test_people_agree_with_themselves(method):
    _, human = matrices(6, gaps=False)
    assert prepared(method, human).value(human.ravel()) == pytest.approx(1, abs=1e-12)


@grouped
def test_many_at_once_are_one_by_one(method, group):
    _, human = matrices()
    many = np.round(np.random.default_rng(3).normal(size=(7, human.size)), 1)
    ready = prepared(method, human, group)
    np.testing.assert_array_equal(ready.values(many), [ready.value(one) for one in many])
    quick = ready.quick_value()
    np.testing.assert_allclose([quick(one) for one in many], ready.values(many), rtol=0, atol=1e-12)
    with pytest.raises(InputError, match="scores were expected"):
        ready.values(many[:, 1:])


@grouped
def test_the_order_of_points_does_not_matter(method, group):
    metric, human = matrices()
    systems, items = cells()
    order = np.random.default_rng(4).permutation(human.size)
    settings = Settings(threshold=THRESHOLD)
    shuffled = method(human.ravel()[order], systems[order], items[order], group, settings)
    value = prepared(method, human, group).value(metric.ravel())
    assert shuffled.value(metric.ravel()[order]) == pytest.approx(value, abs=1e-12)


@grouped
def test_scores_that_nobody_judged_do_not_matter(method, group):
    metric, human = matrices()
    other = np.where(np.isnan(human), 1e6, metric)
    ready = prepared(method, human, group)
    assert ready.value(other.ravel()) == ready.value(metric.ravel())
    assert (ready.given, ready.dropped) == (human.size, int(np.isnan(human).sum()))


@grouped
@pytest.mark.parametrize("unit", ["item", "sys", "both"])
def test_drawing_everything_once_changes_nothing(method, group, unit):
    metric, human = matrices()
    ready = prepared(method, human, group)
    points = ready.drawn_points
    items, systems = (np.ones((3, size), np.uint16) for size in (points.items, points.systems))
    once = Draws(items if unit != "sys" else None, systems if unit != "item" else None)
    found = ready.replicates(metric.ravel(), once)
    np.testing.assert_allclose(found, ready.value(metric.ravel()), rtol=0, atol=1e-12)
    known = ready.measured(metric.ravel())
    np.testing.assert_array_equal(ready.replicates(metric.ravel(), once, known), found)


@pytest.mark.parametrize("unit", ["item", "both"])
def test_drawing_every_segment_once_changes_nothing(method, unit):
    metric, human = matrices(2)
    grid = matrix_grid(human, {"metric": metric})
    draws = SegmentDraws(np.arange(ITEMS)[None], np.ones((1, SYSTEMS)) if unit == "both" else None, grid)
    people, metrics = grid.compared(by_segments=method.by_segments)
    ready = prepared(method, people)
    measured = ready.measured(metrics["metric"].ravel())
    found = ready.over_segments(draws, "metric", measured.epsilon)
    if method.by_segments:  # whose test of what was drawn is in single precision
        assert found == pytest.approx([measured.value], abs=0.005)
    elif method.name == "kendall-like":
        assert found == pytest.approx([measured.value], abs=1e-12, nan_ok=True)
    else:
        assert found == pytest.approx([measured.value], abs=1e-12)


@grouped
@pytest.mark.parametrize("unit", ["item", "sys", "both"])
def test_the_interval_holds_the_value(method, group, unit):
    metric, human = matrices(2)
    found = coefficient(metric, human, method.name, group, unit=unit, threshold=THRESHOLD, samples=200)
    if method.of_systems and unit != "sys":
        assert found.interval == "bootstrap"
    assert found.interval in ("bootstrap", "fisher")
    assert method.least <= found.low <= found.value <= found.high <= 1


@grouped
def test_formulas_are_there_where_it_says(method, group):
    metric, human = matrices(2)
    ready, asked = prepared(method, human, group), Asked("fisher", 0.95, 10, 1, "item")
    measured = ready.measured(metric.ravel())
    spread = asked.spread(ready, metric.ravel(), measured)
    assert (spread.made == "fisher") == ready.closed
    if ready.closed:
        assert spread.low < measured.value < spread.high
        with_people, _, same = ready.correlations(metric.ravel(), metric.ravel())
        assert (with_people, same) == (pytest.approx(measured.value), pytest.approx(1))


@grouped
@pytest.mark.parametrize("test", ["perm-both", "perm-sys", "perm-inputs"])
def test_swaps_know_no_side(method, group, test):
    """A metric against its copy gets p = 1, and the two sides of a comparison may be named in either order."""
    metric, human = matrices(2)
    other = matrices(2, seed=8)[0]
    how = {"method": method.name, "group": group, "test": test, "samples": 60, "threshold": THRESHOLD}
    (one,) = compare_metrics({"one": metric, "two": metric.copy()}, human, **how).comparisons
    assert one.p_value == 1
    (ours,) = compare_metrics({"one": metric, "two": other}, human, **how).comparisons
    (turned,) = compare_metrics({"two": other, "one": metric}, human, **how).comparisons
    assert ours == turned
    assert 0 < ours.p_value <= 1
    assert ours.difference >= 0


def test_weights_are_taken_or_refused(method):
    metric, human = matrices(2, gaps=False)
    if method.takes_weights:
        even = coefficient(metric, human, method.name, weights=np.full(human.shape, 3.0), interval="none")
        assert even.value == pytest.approx(coefficient(metric, human, method.name, interval="none").value, abs=1e-12)
    else:
        with pytest.raises(InputError, match="weights"):
            coefficient(metric, human, method.name, weights=np.ones(human.shape))


@methods(lambda method: method.draws_repeat)
def test_draws_that_repeat_points_do_so(name):
    metric, human = matrices(2, gaps=False)
    ready = prepared(METHODS[name], human)
    draws = draw(ready.points, "item", 5, 1)
    for found, times in zip(ready.replicates(metric.ravel(), draws), draws.items, strict=True):
        chosen = np.repeat(np.arange(ITEMS), times)
        again = prepared(METHODS[name], human[:, chosen]).value(metric[:, chosen].ravel())
        assert found == pytest.approx(again, abs=1e-12)


@grouped
@pytest.mark.parametrize("constant", ["metric", "human"])
def test_a_constant_says_nothing_and_that_is_said(method, group, constant):
    metric, human = matrices(2, gaps=False)
    flat = np.full(human.shape, 7.0)
    sides = (flat, human) if constant == "metric" else (metric, flat)
    found = coefficient(*sides, method.name, group, threshold=THRESHOLD)
    assert found.low is None
    assert f"all {constant} scores are equal" in found.note or "the 0 says nothing" in found.note


@methods(lambda method: not method.of_systems)
def test_one_point_is_undefined(name):
    human = np.array([[1.0, np.nan], [2.0, np.nan]])
    ready = METHODS[name](human.ravel(), *cells(human), "sys")  # each system has one judged point
    assert math.isnan(ready.value([1.0, 2.0, 3.0, 4.0]))
    assert math.isnan(ready.measured(np.array([1.0, 2.0, 3.0, 4.0])).value)


@methods(lambda method: of_preferences(method.name))
def test_preferences_are_pairs_of_scores(name):
    """Where pairs can be judged as such, their counts give what the scores behind them give."""
    metric, human = matrices(gaps=False)
    counts = np.array(textbook.pair_counts(metric.ravel().tolist(), human.ravel().tolist()))
    value = prepared(METHODS[name], human).value(metric.ravel())
    assert float(METHODS[name].of_all_counts(counts)) == pytest.approx(value, abs=1e-12)


@grouped
def test_results_do_not_depend_on_threads(method, group):
    metric, human = matrices()
    one, four = (
        coefficient(metric, human, method.name, group, threshold=THRESHOLD, samples=50, threads=threads)
        for threads in (1, 4)
    )
    assert one == four or (math.isnan(one.value) and math.isnan(four.value))

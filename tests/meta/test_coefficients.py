"""Coefficients: worked examples, textbook versions on generated scores, and other programs on real ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import correlation as textbook
from oracles.wmt import needs_oracle, records
from tertium.errors import InputError, UnknownNameError
from tertium.meta import METHODS, coefficient
from tertium.meta.coefficients.pearson import fisher
from tertium.meta.coefficients.points import draw

HUMAN = [1, 2, 2, 3, 5, 4]
METRIC = [0.1, 0.3, 0.2, 0.3, 0.9, 0.3]
BY_PAIRS = ["kendall-a", "kendall-b", "kendall-c", "kendall-23", "acc-23", "wmt12", "wmt13", "wmt14", "agreement"]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("pearson", 0.8459768),
        ("spearman", 0.8932596),
        ("kendall-a", 11 / 15),
        ("kendall-b", 0.8486684),
        ("kendall-c", 0.8148148),
        ("kendall-23", 0.4666667),
        ("acc-23", 0.7333333),
        ("acc-eq", 0.7333333),
        ("wmt12", 8 / 14),
        ("wmt13", 1.0),
        ("wmt14", 11 / 14),
        ("agreement", 11 / 14),
    ],
)
def test_worked_example(method, expected):
    assert coefficient(METRIC, HUMAN, method).value == pytest.approx(expected, abs=5e-8)


def test_a_metric_tie_is_discordant_for_kendall_like():
    assert coefficient([0.1, 0.5, 0.5, 0.4], [10, 40, 90, 65], "kendall-like").value == pytest.approx(1 / 3)


def test_soft_and_hard_pairwise_accuracy():
    metric = [[0.8, 0.9, 0.7, 1, 0.6], [0.2, 0.3, 0.1, 0.4, 0], [0.5, 0.6, 0.5, 0.4, 0.7]]
    human = [[4, 5, 4, 5, 3], [2, 1, 2, 2, 1], [3, 3, 4, 2, 4]]
    systems, items = np.indices((3, 5), np.int32).reshape(2, -1)
    prepared = METHODS["soft-pairwise-accuracy"](np.ravel(human).astype(float), systems, items)
    assert prepared.p_values(np.ravel(metric).astype(float)) == pytest.approx([0.036, 0.056, 1])
    assert prepared.of_people == pytest.approx([0.036, 0.185, 1])
    assert coefficient(metric, human, "soft-pairwise-accuracy").value == pytest.approx(0.957)
    assert coefficient(metric, human, "pairwise-accuracy").value == 1


def test_soft_accuracy_flips_no_signs_of_items_that_nobody_judged():
    rng = np.random.default_rng(5)
    human = rng.normal(size=(5, 30)) + np.arange(5)[:, None] / 8
    metric = human + rng.normal(size=human.shape)
    gone = human.copy()
    gone[:, [0, 7, 8, 21]] = np.nan
    judged = ~np.isnan(gone[0])
    without = coefficient(metric[:, judged], human[:, judged], "soft-pairwise-accuracy", interval="none").value
    assert coefficient(metric, gone, "soft-pairwise-accuracy", interval="none").value == without


def test_pairs_of_systems_never_mix_language_pairs():
    # de: b above a, right; fr: a above b, wrong. Across the two, all pairs would be right.
    found = coefficient(
        [1, 2, 11, 10], [1, 2, 10, 11], "pairwise-accuracy", "item", ["a", "b", "a", "b"], ["de", "de", "fr", "fr"]
    )
    assert found.value == 0.5


@pytest.mark.parametrize(("value", "n", "low", "high"), [(0.649, 4460, 0.6317, 0.6657), (0.9, 10, 0.6239, 0.9764)])
def test_fishers_interval(value, n, low, high):
    assert fisher(value, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


few = st.sampled_from([0.0, -0.0, 0.5, 1.0, 1.25, 2.0, 3.0])  # few values, so that they tie
any_score = st.one_of(few, st.floats(-1e6, 1e6, width=32))
points = st.lists(st.tuples(any_score, any_score), min_size=2, max_size=60)


@given(points, st.sampled_from(BY_PAIRS))
def test_pairs_agree_with_the_textbook(pairs, method):
    metric, human = map(list, zip(*pairs, strict=True))
    distinct = min(len(set(metric)), len(set(human)))
    counts = textbook.pair_counts(metric, human)
    expected = textbook.from_counts(method, counts, len(metric), distinct)
    found = coefficient(metric, human, method, interval="none").value
    assert math.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


@given(points)
def test_correlations_agree_with_the_textbook(pairs):
    metric, human = map(list, zip(*pairs, strict=True))
    for method, sides in (
        ("pearson", (metric, human)),
        ("spearman", (textbook.ranks(metric), textbook.ranks(human))),
    ):
        expected = textbook.pearson(*sides)
        found = coefficient(metric, human, method, interval="none").value
        assert math.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-7)


@given(points, st.sampled_from([0, 0.5, 1, 2]))
def test_gaps_agree_with_the_textbook(pairs, threshold):
    metric, human = map(list, zip(*pairs, strict=True))
    same, against, tied = textbook.gap_counts(human, metric, threshold)
    kept = same + against + tied
    found = coefficient(metric, human, "kendall-like", threshold=threshold, interval="none")
    assert found.value == pytest.approx((same - against - tied) / kept if kept else 0)
    assert ("the 0 says nothing" in found.note) == (kept == 0)


@given(st.lists(st.lists(st.tuples(few, few), min_size=1, max_size=7), min_size=1, max_size=6))
def test_calibration_agrees_with_the_textbook(groups):
    if all(len(group) < 2 for group in groups):
        groups = [*groups, [(0.0, 1.0), (1.0, 2.0)]]
    metric = [point[0] for group in groups for point in group]
    human = [point[1] for group in groups for point in group]
    items = [k for k, group in enumerate(groups) for _ in group]
    found = coefficient(metric, human, "acc-eq", "item", items=items, interval="none")
    epsilon, accuracy = textbook.best_tie_threshold([tuple(zip(*group, strict=True)) for group in groups])
    assert found.epsilon == epsilon
    assert found.value == pytest.approx(accuracy, abs=1e-12)


def test_large_groups_count_as_small_ones_do():
    rng = np.random.default_rng(5)
    for decimals in (1, 3):  # many ties, few ties
        x, y = np.round(rng.normal(size=(2, 3000)), decimals)
        expected = textbook.from_counts("kendall-b", textbook.pair_counts(x[:400].tolist(), y[:400].tolist()), 400, 1)
        assert coefficient(x[:400], y[:400], "kendall-b", interval="none").value == pytest.approx(expected, abs=1e-12)
        stats = pytest.importorskip("scipy.stats")
        ours = coefficient(x, y, "kendall-b", interval="none").value
        assert ours == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_groups_are_averaged_and_undefined_ones_dropped():
    metric = [[1, 2, 5], [2, 1, 5], [3, 3, 5]]
    human = [[1, 2, 1], [2, 1, 2], [3, 3, 3]]
    by_item = coefficient(metric, human, "pearson", "item")
    assert by_item.value == pytest.approx(1)  # the third item's metric scores are constant
    assert by_item.groups == 3
    assert "undefined in 1 of 3" in by_item.note
    assert coefficient(metric, human, "pearson", "item", undefined="zero").value == pytest.approx(2 / 3)


def test_weights_make_a_weighted_pearson():
    # A point of weight 3 is three points.
    found = coefficient([1, 2, 3, 5], [2, 1, 4, 4], weights=[1, 3, 1, 2])
    repeated = coefficient([1, 2, 2, 2, 3, 5, 5], [2, 1, 1, 1, 4, 4, 4])
    assert found.value == pytest.approx(repeated.value, abs=1e-12)
    assert found.interval == "bootstrap"
    with pytest.raises(InputError, match="Only pearson takes weights"):
        coefficient([1, 2, 3], [1, 2, 3], "spearman", weights=[1, 1, 1])
    with pytest.raises(InputError, match="numbers above 0"):
        coefficient([1, 2, 3], [1, 2, 3], weights=[1, 0, 1])


def test_missing_judgments_are_dropped_and_counted():
    found = coefficient([1, 2, 3, 9, 4], [1, 2, 3, None, 4], "pearson")
    assert (found.value, found.n, found.dropped) == (pytest.approx(1), 4, 1)


def test_what_cannot_be_correlated_is_refused():
    for arguments, message in (
        (([1, 2], [1, 2, 3]), "has 2 scores, but human_scores has 3"),
        (([1, math.nan], [1, 2]), r"metric_scores\[1\] is nan"),
        (([1, 2], [1, math.inf]), r"human_scores\[1\] is inf"),
        (([1, 2], [1, None]), "1 judged points"),
        ((["a"], [1]), "must be numbers"),
        (([1, 2], [1, 2], "pearson", "item"), "needs items="),
        (([1, 2], [1, 2], "soft-pairwise-accuracy"), "systems x items"),
        (([1, 2], [1, 2], "pearson", "none", ["a", "a"], [1, 1]), "has 2 scores for item 1"),
    ):
        with pytest.raises(InputError, match=message):
            coefficient(*arguments)
    with pytest.raises(UnknownNameError, match="Did you mean 'kendall-b'"):
        coefficient([1, 2], [1, 2], "kendal-b")


def test_a_constant_is_undefined_and_said_to_be():
    found = coefficient([1, 2, 3, 4], [5, 5, 5, 5], "pearson")
    assert math.isnan(found.value)
    assert found.to_dict()["value"] is None
    assert "all human scores are equal" in found.note
    assert "all metric scores are equal" in coefficient([5, 5, 5, 5], [1, 2, 3, 4], "kendall-b").note


def test_three_points_have_no_interval():
    found = coefficient([1, 2, 3], [1, 2, 4])
    assert (found.low, found.high) == (None, None)
    assert "too few" in found.note


_NAMES = {"KendallVariants-acc23": "acc-23", "acc-eq(KendallWithTiesOpt acc23 sample_rate=1.0)": "acc-eq"}


@needs_oracle
@pytest.mark.parametrize(("name", "people"), [("wmt21.en-de", "human_MQM"), ("wmt22.ja-en", "human_DA-z")])
def test_equal_to_scipy_and_mt_metrics_eval(name, people):
    rows = list(records(name, "meta", "scores"))
    systems, items = [row["system"] for row in rows], [row["segment"] for row in rows]
    human = [float(row[people]) for row in rows]
    checked = 0
    for expected in records(name, "meta", "expected"):
        if ">" in expected["metric"]:
            continue
        what = expected["statistic"]
        metric = [float(row[expected["metric"]]) for row in rows]
        if what == "acc-eq.best_threshold":
            found = coefficient(metric, human, "acc-eq", "item", systems, items, interval="none").epsilon
        else:
            threshold = 1 if what == "KendallLike-thresh1" else 25
            method = "kendall-like" if what.startswith("KendallLike") else _NAMES.get(what, what)
            method = method.replace("KendallVariants-", "kendall-")
            group, scores = expected["grouping"], (metric, human, systems, items)
            if expected["level"].startswith("system"):
                scores = (*zip(*_means(systems, metric, human), strict=True), None, None)
            found = coefficient(*scores[:2], method, group, *scores[2:], threshold=threshold, interval="none").value
        assert found == pytest.approx(float(expected["value"]), abs=1e-9), expected
        checked += 1
    assert checked > 40


def _means(systems, metric, human):
    by_system = {}
    for name, ours, theirs in zip(systems, metric, human, strict=True):
        by_system.setdefault(name, []).append((ours, theirs))
    return [np.mean(points, axis=0) for points in by_system.values()]


def test_spearman_by_the_top_rank_of_ties():
    """TERp's optimizer gives equal scores the best rank of their group: here 1, 2 (three times), 5."""
    metric, human = [5.0, 4, 4, 4, 1], [9.0, 7, 8, 6, 6]
    places = [1, 2, 2, 2, 5], [1, 3, 2, 4, 4]
    expected = np.corrcoef(*places)[0, 1]
    assert coefficient(metric, human, "spearman-top").value == pytest.approx(expected, abs=1e-12)
    assert coefficient(metric, human, "spearman").value != pytest.approx(expected, abs=1e-3)
    distinct = coefficient([1, 2, 3, 5, 4], [2, 1, 3, 4, 5], "spearman-top")
    assert distinct.value == pytest.approx(coefficient([1, 2, 3, 5, 4], [2, 1, 3, 4, 5], "spearman").value)


@pytest.mark.parametrize("group", ["none", "item", "sys"])
@pytest.mark.parametrize("unit", ["item", "sys", "both"])
def test_replicates_of_top_ranks_are_coefficients_of_what_was_drawn(group, unit):
    rng = np.random.default_rng(5)
    metric, human = rng.integers(0, 4, (2, 6, 9)).astype(float)
    systems, items = np.indices(metric.shape, np.int32).reshape(2, -1)
    prepared = METHODS["spearman-top"](human.ravel(), systems, items, group)
    draws = draw(prepared.points, unit, 10, 1)
    found = prepared.replicates(metric.ravel(), draws)
    for k in range(10):
        columns = np.repeat(np.arange(9), 1 if draws.items is None else draws.items[k])
        rows = np.repeat(np.arange(6), 1 if draws.systems is None else draws.systems[k])
        ours, theirs = metric[np.ix_(rows, columns)], human[np.ix_(rows, columns)]
        each = {"none": [(ours.ravel(), theirs.ravel())], "item": zip(ours.T, theirs.T, strict=True)}
        each["sys"] = zip(ours, theirs, strict=True)
        values = [np.corrcoef(*map(_top_ranks, pair))[0, 1] for pair in each[group] if _varies(*pair)]
        assert found[k] == pytest.approx(np.mean(values), abs=1e-12)


def _top_ranks(values):
    return [sum(other > value for other in values) + 1 for value in values]


def _varies(*sides):
    return all(len(set(side)) > 1 for side in sides)

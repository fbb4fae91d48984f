"""Metrics against each other: closed forms, permutations, bootstrap, ranks."""

import itertools
import math

import numpy as np
import pytest

from oracles.wmt import needs_oracle, records
from significance.simulated import swapped_by_item
from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta import Correlation, average_ranks, coefficient, compare_metrics, rank_metrics, steiger, williams
from tertium.meta.coefficients import METHODS
from tertium.meta.coefficients.base import Method, Swaps
from tertium.scoring.imported_scores import ImportedScores

TESTS = ["perm-both", "perm-sys", "perm-inputs", "bootstrap"]


def scores(seed=1, systems=6, items=40):
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(systems, items))
    good, fair, poor = (human + spread * rng.normal(size=human.shape) for spread in (0.3, 1, 4))
    return {"good": good, "fair": fair, "poor": poor}, human


def test_williams_and_steiger_worked_example():
    one, two = williams(0.8, 0.7, 0.6, 30), steiger(0.8, 0.7, 0.6, 30)
    assert (one.statistic, one.p_value) == (pytest.approx(1.0424708, abs=5e-8), pytest.approx(0.1532191, abs=5e-8))
    assert two.statistic == pytest.approx(1.0312667, abs=5e-8)
    assert williams(0.5, 0.5, 1, 30).p_value == 0.5


@pytest.mark.parametrize("test", [*TESTS, "williams", "steiger"])
def test_a_better_metric_is_found_better(test):
    metrics, human = scores()
    compared = compare_metrics(metrics, human, test=test)
    assert compared.metrics == ("good", "fair", "poor")
    assert compared.of("good", "poor").p_value < 0.05
    assert compared.of("good", "poor").significant
    assert compared.of("good", "fair").difference == pytest.approx(
        coefficient(metrics["good"], human).value - coefficient(metrics["fair"], human).value
    )
    assert compared.matrix["poor"]["good"] is None


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall-b", "acc-eq", "soft-pairwise-accuracy"])
def test_a_metric_is_as_good_as_its_copy(test, method):
    metrics, human = scores()
    pair = {"one": metrics["fair"], "two": metrics["fair"].copy()}
    assert compare_metrics(pair, human, method=method, test=test, samples=50).comparisons[0].p_value == 1


def test_p_is_never_zero_unless_asked():
    metrics, human = scores()
    assert compare_metrics(metrics, human, samples=99).of("good", "poor").p_value == pytest.approx(0.01)
    assert compare_metrics(metrics, human, samples=99, plus_one=False).of("good", "poor").p_value == 0


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("test", ["perm-both", "perm-sys", "perm-inputs"])
@pytest.mark.parametrize(("systems", "items"), [(2, 1), (5, 23), (11, 49)])
def test_soft_pairwise_accuracy_of_all_metrics_at_once_equals_swapping_two(systems, items, test, missing):
    rng = np.random.default_rng([systems, items])
    human = rng.normal(size=(systems, items)).round(1)
    human[:, 1:][rng.random((systems, items - 1)) < missing] = np.nan
    metrics = {
        name: (share * np.nan_to_num(human) + rng.normal(size=human.shape)).round(decimals).ravel()
        for name, share, decimals in (("a", 0.9, 0), ("b", 0.8, 8), ("c", 0.1, 1))
    }
    system, item = np.indices(human.shape, np.int32).reshape(2, -1)
    flat = human.ravel()
    judged = np.flatnonzero(~np.isnan(flat))
    of = {"perm-both": np.arange(flat.size), "perm-sys": system, "perm-inputs": item}[test]
    swaps = Swaps(metrics, judged, lambda: (of[judged], int(of.max()) + 1), 30, 7, 2, test)
    prepared = METHODS["soft-pairwise-accuracy"](flat, system, item)
    for one, two in (("a", "b"), ("c", "a")):
        real, trials = prepared.permuted(one, two, 0.0, swaps)
        expected_real, expected = Method.permuted(prepared, one, two, 0.0, swaps)
        assert real == expected_real
        assert trials(0, 30).tolist() == expected(0, 30).tolist()
        assert trials(10, 5).tolist() == expected(10, 5).tolist()


def test_pearson_by_sums_equals_pearson_by_swapping():
    metrics, human = scores()
    pair = {name: metrics[name] for name in ("fair", "poor")}
    pair["poor"] = 0.8 * pair["fair"] + 0.2 * pair["poor"]
    found = compare_metrics(pair, human, test="perm-inputs", samples=300)
    # The same by hand, with the same masks.
    masks = np.random.default_rng(12345).integers(2, size=(300, 40), dtype=bool)
    one, two = ((pair[name] - pair[name].mean()) / pair[name].std() for name in found.metrics)

    def correlation(values):
        return np.corrcoef(values.ravel(), human.ravel())[0, 1]

    real = correlation(one) - correlation(two)
    hits = sum(
        correlation(np.where(mask, two, one)) - correlation(np.where(mask, one, two)) >= real - 1e-12 for mask in masks
    )
    assert found.comparisons[0].p_value == (hits + 1) / 301


def test_a_metric_without_scores_of_segments_is_left_out():
    metrics, human = scores(systems=3, items=12)
    names = ["a", "b", "c"]
    tables = {name: {"segment": dict(zip(names, one, strict=True))} for name, one in metrics.items()}
    tables["whole"] = {"system": {name: np.array([k]) for k, name in enumerate(names)}}
    judgments = Judgments.of(
        system=[name for name in names for _ in range(12)], segment=[*range(1, 13)] * 3, score=human.ravel()
    )
    found = compare_metrics(ImportedScores(tuple(names), 12, tables), judgments, samples=50)
    assert set(found.metrics) == {"good", "fair", "poor"}
    assert "No judged segment has a score of whole: left out." in found.dropped
    del tables["fair"], tables["poor"]
    with pytest.raises(InputError, match=r"only one metric\. whole scored no judged segment"):
        compare_metrics(ImportedScores(tuple(names), 12, tables), judgments)


def outcomes(metric, human, epsilon):
    """What each pair of an item adds to the accuracy: (items, pairs)."""
    first, second = np.triu_indices(len(human), 1)
    apart, people = metric[first] - metric[second], np.sign(human[first] - human[second])
    return (np.where(np.abs(apart) <= epsilon, 0, np.sign(apart)) == people).T


def test_accuracy_is_swapped_by_item_if_inputs_are():
    rng = np.random.default_rng(8)
    human = rng.integers(4, size=(3, 4)).astype(float)
    pair = {name: human + rng.normal(size=human.shape) * noise for name, noise in (("one", 0.6), ("two", 1.2))}
    found = compare_metrics(pair, human, method="acc-eq", group="item", test="perm-inputs", samples=20_000)
    epsilons = [coefficient(pair[name], human, "acc-eq", "item", interval="none").epsilon for name in found.metrics]
    right = [outcomes(pair[name], human, one).mean(axis=1) for name, one in zip(found.metrics, epsilons, strict=True)]
    off = right[0] - right[1]
    every = [np.dot(signs, off) for signs in itertools.product((1, -1), repeat=4)]
    exact = np.mean([one >= off.sum() - 1e-12 for one in every])
    assert found.comparisons[0].p_value == pytest.approx(exact, abs=0.015)


def test_accuracy_of_swapped_systems():
    rng = np.random.default_rng(9)
    human = rng.normal(size=(3, 12)).round(1)
    pair = {name: human + rng.normal(size=human.shape) * noise for name, noise in (("one", 0.5), ("two", 1.5))}
    options = {"method": "acc-eq", "group": "item", "samples": 4000}
    p_value = compare_metrics(pair, human, test="perm-sys", **options).comparisons[0].p_value
    standard = [(pair[name] - pair[name].mean()) / pair[name].std() for name in ("one", "two")]

    def value(scores):
        return coefficient(scores, human, "acc-eq", "item", interval="none").value

    every = [
        value(np.where(mask, *standard)) - value(np.where(mask, *standard[::-1]))
        for mask in (np.array(bits)[:, None] for bits in itertools.product((True, False), repeat=3))
    ]
    assert p_value == pytest.approx(np.mean([one >= every[0] - 1e-12 for one in every]), abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "group"), [("pearson", "none"), ("acc-eq", "item")])
def test_false_alarms_are_as_rare_as_promised(method, group):
    rng = np.random.default_rng(4)
    alarms = {"two-sided": 0, "perm-inputs": 0, "perm-both": 0}
    for seed in range(100):
        pair, human = swapped_by_item(rng, systems=6, items=40)
        for test in alarms:
            found = compare_metrics(pair, human, method=method, group=group, samples=99, seed=seed, test=test)
            alarms[test] += found.comparisons[0].significant
    assert alarms["two-sided"] <= 11  # 5 are expected, 12 once in 200 such tests
    assert alarms["two-sided"] < alarms["perm-inputs"] < alarms["perm-both"]


def test_two_sided_counts_both_directions_item_by_item():
    rng = np.random.default_rng(3)
    human = rng.normal(size=(3, 5))
    pair = {name: human + noise * rng.normal(size=human.shape) for name, noise in (("one", 0.5), ("two", 1.5))}
    standard = [(pair[name] - pair[name].mean()) / pair[name].std() for name in ("one", "two")]

    def difference(mask):
        sides = np.where(mask, *standard), np.where(mask, *standard[::-1])
        one, two = (np.corrcoef(side.ravel(), human.ravel())[0, 1] for side in sides)
        return one - two

    every = [difference(np.array(bits)) for bits in itertools.product((True, False), repeat=5)]
    exact = np.mean([abs(one) >= abs(every[0]) - 1e-12 for one in every])
    assert compare_metrics(pair, human, samples=20_000).comparisons[0].p_value == pytest.approx(exact, abs=0.015)


def test_without_items_scores_are_swapped_one_by_one():
    rng = np.random.default_rng(5)
    human = rng.normal(size=5)
    pair = {name: human + noise * rng.normal(size=5) for name, noise in (("one", 0.5), ("two", 1.5))}
    two_sided, one_sided = (
        compare_metrics(pair, human, test=test, samples=4000) for test in ("two-sided", "perm-both")
    )
    assert two_sided.comparisons[0].p_value == pytest.approx(2 * one_sided.comparisons[0].p_value, abs=0.06)


def test_ranks_like_a_task():
    metrics, human = scores(items=12)
    like = rank_metrics(metrics, human, like="wmt23", samples=100)
    assert (like.like, like.comparisons.test, like.to_dict()["like"]) == ("wmt23", "perm-both", "wmt23")
    assert like.comparisons.of("good", "poor").p_value == 0  # without the real labelling
    assert rank_metrics(metrics, human, like="wmt23", test="perm-sys", samples=100).comparisons.test == "perm-sys"
    with pytest.raises(UnknownNameError, match="metrics task"):
        rank_metrics(metrics, human, like="wmt99")


def test_ranks_open_where_a_metric_is_beaten():
    metrics, human = scores()
    metrics["twin"] = metrics["good"] + 1e-9 * np.arange(40)
    ranks = rank_metrics(metrics, human)
    assert [set(cluster) for cluster in ranks.clusters()] == [{"good", "twin"}, {"fair"}, {"poor"}]
    assert (ranks.of("good").best, ranks.of("good").worst) == (1, 2)
    assert ranks.of("good").low < ranks.of("good").value < ranks.of("good").high


def test_corrections_raise_p_values():
    metrics, human = scores()
    plain, holm = (compare_metrics(metrics, human, correction=name) for name in ("none", "holm"))
    assert all(a.p_adjusted <= b.p_adjusted for a, b in zip(plain.comparisons, holm.comparisons, strict=True))


def test_stopping_early_takes_fewer_trials():
    metrics, human = scores()
    assert compare_metrics(metrics, human, samples=5000, stop_early=True).of("good", "poor").samples == 100


def correlation(metric, value, low, high, **where):
    fields = {"kind": "da", "level": "segment", "method": "pearson", "group": "none"} | where
    return Correlation(metric=metric, value=value, low=low, high=high, n=100, **fields)


def test_average_ranks_of_the_terp_paper():
    found = average_ranks(
        [
            correlation("a", 0.9, 0.85, 0.95), correlation("b", 0.86, 0.80, 0.91), correlation("c", 0.5, 0.4, 0.6),
            correlation("a", 0.7, 0.6, 0.8, level="system"), correlation("b", 0.9, 0.8, 0.95, level="system"),
            correlation("c", 0.65, 0.5, 0.75, level="system"),
        ]
    )  # fmt: skip
    by_metric = {one.metric: (one.lower, one.rank, one.upper) for one in found}
    # a: segment 1, 1, 2 (b lies within its interval); system 2, 2, 3
    assert by_metric == {"a": (1.5, 1.5, 2.5), "b": (1, 1.5, 1.5), "c": (2.5, 3, 3)}
    assert [one.metric for one in found] == ["b", "a", "c"]


def test_what_cannot_be_compared_is_refused():
    metrics, human = scores()
    with pytest.raises(InputError, match="only one metric"):
        compare_metrics({"good": metrics["good"]}, human)
    with pytest.raises(InputError, match="'flat' is undefined"):
        compare_metrics({"good": metrics["good"], "flat": np.ones_like(human)}, human)
    with pytest.raises(InputError, match="all metric scores are equal. Leave out 'flat'"):
        compare_metrics({"good": metrics["good"], "flat": np.ones_like(human)}, human, method="kendall-a")
    with pytest.raises(InputError, match="without groups"):
        compare_metrics(metrics, human, group="item", test="williams")
    with pytest.raises(InputError, match="needs systems="):
        compare_metrics({name: one.ravel() for name, one in metrics.items()}, human.ravel(), test="perm-sys")
    with pytest.raises(UnknownNameError, match="Did you mean 'perm-both'"):
        compare_metrics(metrics, human, test="perm_both")
    with pytest.raises(InputError, match="at least 4"):
        williams(0.5, 0.4, 0.3, 3)


@needs_oracle
@pytest.mark.parametrize(("name", "people"), [("wmt21.en-de", "human_MQM"), ("wmt22.ja-en", "human_DA-z")])
def test_equal_to_mt_metrics_eval(name, people):
    rows = list(records(name, "meta", "scores"))
    human = [float(row[people]) for row in rows]
    metrics = {label: [float(row[label]) for row in rows] for label in ("chrF", "sentBLEU")}
    for expected in records(name, "meta", "expected"):
        if expected["statistic"].startswith("williams"):
            found = compare_metrics(metrics, human, test="williams").of("chrF", "sentBLEU")
            assert found.p_value == pytest.approx(float(expected["value"]), abs=1e-12)
        if expected["statistic"].startswith("PERM-BOTH"):
            found = compare_metrics(metrics, human, test="perm-both", samples=20_000).of("chrF", "sentBLEU")
            # Theirs tests the worse metric against the better one, with 1,000 trials.
            p = 1 - float(expected["value"])
            assert abs(found.p_value - p) <= 4 * math.sqrt(max(p * (1 - p), 1e-3) / 1000)

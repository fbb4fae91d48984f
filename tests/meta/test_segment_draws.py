"""Intervals of system-level coefficients when the segments behind the scores are drawn."""

import numpy as np
import pytest

from tertium import BLEU, TER, score
from tertium.errors import InputError
from tertium.judgments import Judgments
from tertium.meta import METHODS, coefficient, compare_metrics, correlate
from tertium.meta.coefficients.base import Settings
from tertium.meta.score_grid import grids, matrix_grid
from tertium.meta.segment_draws import SegmentDraws

SYSTEM_METHODS = [name for name, method in METHODS.items() if not method.by_segments]


def matrices(systems=6, items=15, seed=3):
    rng = np.random.default_rng(seed)
    quality, ease = np.arange(systems)[:, None] / 3, rng.normal(size=items)
    human = np.round(quality + ease + rng.normal(size=(systems, items)))
    metric = np.round(quality + ease + rng.normal(size=(systems, items)))
    human[0, :3] = np.nan
    return metric, human


@pytest.mark.parametrize("method", SYSTEM_METHODS)
@pytest.mark.parametrize("unit", ["item", "both"])
def test_a_replicate_is_the_coefficient_of_what_was_drawn(method, unit):
    metric, human = matrices()
    draws = SegmentDraws.of(matrix_grid(human, {"metric": metric}), unit, 12, 1)
    means = np.nanmean(human, axis=1)
    prepared = METHODS[method](means, settings=Settings(threshold=0.3))
    found = prepared.over_segments(draws, "metric", 0.1 if prepared.calibrates else None)
    for k, places in enumerate(draws.places):
        judged = ~np.isnan(human[:, places])
        theirs = np.nanmean(human[:, places], axis=1)
        ours = np.array([metric[s, places][judged[s]].mean() for s in range(len(human))])
        times = np.ones(len(human), int) if draws.systems is None else draws.systems[k].astype(int)
        rows = np.repeat(np.arange(len(human)), times)
        if method.startswith(("pearson", "spearman")):
            expected = coefficient(ours[rows], theirs[rows], method, interval="none").value
        else:
            expected = _of_pairs(method, ours, theirs, rows)
        assert found[k] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def _of_pairs(method, ours, theirs, rows):
    counts = np.zeros(5)
    for i, one in enumerate(rows):
        for two in rows[i + 1 :]:
            by_metric, by_people = ours[one] - ours[two], theirs[one] - theirs[two]
            if one == two or (method == "kendall-like" and abs(by_people) < 0.3):
                continue
            if method == "acc-eq" and abs(by_metric) <= 0.1:
                by_metric = 0
            product = np.sign(by_metric) * np.sign(by_people)
            counts[
                0 if product > 0 else 1 if product < 0 else 4 if by_metric == by_people else 2 + (by_people != 0)
            ] += 1
    if method in ("kendall-like", "acc-eq"):
        right, kept = (counts[0], counts.sum()) if method == "kendall-like" else (counts[0] + counts[4], counts.sum())
        return (2 * right - kept) / kept if method == "kendall-like" else right / kept
    distinct = min(len(set(ours[rows].tolist())), len(set(theirs[rows].tolist())))
    return float(METHODS[method].of_counts(counts, np.array(len(rows), float), np.array(distinct, float)))


def test_soft_accuracy_of_what_was_drawn():
    metric, human = matrices(items=60)
    draws = SegmentDraws.of(matrix_grid(human, {"metric": metric}), "item", 5, 2)
    systems, items = np.indices(human.shape, np.int32).reshape(2, -1)
    prepared = METHODS["soft-pairwise-accuracy"](human.ravel(), systems, items)
    found = prepared.over_segments(draws, "metric", None)
    np.testing.assert_array_equal(found, prepared.over_segments(draws, "metric", None))
    for value, places in zip(found, draws.places, strict=True):
        fresh = METHODS["soft-pairwise-accuracy"](human[:, places].ravel(), systems, items)
        assert value == pytest.approx(fresh.value(metric[:, places].ravel()), abs=0.002)  # float32 and ties


@pytest.mark.slow
@pytest.mark.parametrize("method", ["pairwise-accuracy", "soft-pairwise-accuracy"])
def test_items_and_systems_are_different_things_to_draw(method):
    metric, human = matrices(systems=8, items=40)
    usual = coefficient(metric, human, method)
    by_system, by_item, by_both = (coefficient(metric, human, method, unit=unit) for unit in ("sys", "item", "both"))
    assert (usual.low, usual.high) == (by_system.low, by_system.high)
    assert (by_item.low, by_item.high) != (by_system.low, by_system.high)
    assert by_both.low <= min(by_item.low, by_system.low) + 0.02
    assert len({one.value for one in (usual, by_system, by_item, by_both)}) == 1
    tests = [compare_metrics({"a": metric, "b": np.nan_to_num(human) + metric}, human, method=method, test="bootstrap", unit=unit)
             for unit in ("sys", "item")]  # fmt: skip
    assert tests[0].comparisons[0].low != tests[1].comparisons[0].low


WORDS = "the cat sat on a mat and ate rice with some fish today while it rained".split()


def judged():
    rng = np.random.default_rng(0)
    references = [" ".join(rng.choice(WORDS, 7)) for _ in range(20)]
    outputs, system, segment, scores = {}, [], [], []
    for k in range(5):
        texts = []
        for i, reference in enumerate(references):
            words = reference.split()
            wrong = rng.random(len(words)) < 0.1 * k
            texts.append(" ".join("zzz" if bad else word for bad, word in zip(wrong, words, strict=True)))
            if (i + k) % 4:
                system.append(f"s{k}")
                segment.append(i + 1)
                scores.append(100 - 100 * wrong.mean() + rng.normal())
        outputs[f"s{k}"] = texts
    return score([BLEU(), TER()], outputs, references), Judgments.of(system=system, segment=segment, score=scores)


def test_a_corpus_metric_is_computed_anew_on_what_was_drawn():
    scores, judgments = judged()
    grid = next(iter(grids(scores, judgments, "system", segments_too=True)))
    draws = SegmentDraws.of(grid, "item", 4, 1)
    values = draws.metric("ter")
    metric, rows = scores.metrics["ter"], scores.kept_rows["s3"]["ter"]
    for k, places in enumerate(draws.places):
        kept = [i for i in places if not np.isnan(grid.segment_human[3, i])]
        assert values[k, 3] == pytest.approx(-float(metric.score(rows[kept].sum(axis=0))), abs=1e-9)
    found = correlate(scores, judgments, "system", ["pearson", "kendall-b", "soft-pairwise-accuracy"], unit="item")
    assert {one.interval for one in found} == {"bootstrap"}
    assert all(one.low <= one.value <= 1 for one in found)


def test_systems_that_were_judged_as_wholes_have_no_segments_to_draw():
    scores, segments = judged()
    whole = Judgments.of(system=[f"s{k}" for k in range(5)], score=[5, 3, 4, 1, 2])
    one = correlate(scores, Judgments.joined([segments, whole]), "system", unit="item")["bleu"]
    assert (one.low, "judged as wholes" in one.note) == (None, True)
    one = correlate(scores, whole, "system", unit="both")["bleu"]
    assert (one.low, "no segments were judged" in one.note) == (None, True)
    with pytest.raises(InputError, match="judged as wholes"):
        compare_metrics(scores, Judgments.joined([segments, whole]), "system", test="bootstrap", unit="item")


def test_the_interval_covers_what_other_test_sets_would_give():
    """Many test sets of the same systems: the interval of one holds the accuracy of a much longer one."""
    rng = np.random.default_rng(7)
    quality = np.array([0, 0.4, 0.8, 1.2, 1.6, 2.0])[:, None]
    held = 0
    for _ in range(60):
        ease = rng.normal(size=100)
        human, metric = (quality + ease + rng.normal(size=(6, 100)) for _ in range(2))
        found = coefficient(metric, human, "pairwise-accuracy", unit="item", samples=200)
        held += found.low <= 1 <= found.high  # all pairs are ordered rightly in the long run
    assert held >= 54

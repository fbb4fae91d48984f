"""The points of scatter plots: the same numbers as the coefficients are made of, with intervals that hold them."""

import numpy as np
import pytest

from report.judged import IMPORTED, KINDS, SEGMENTS, SYSTEMS, judgments, outputs, scores
from tertium import TER, score
from tertium.judgments import Judgments
from tertium.meta import coefficient, correlate
from tertium.meta.judged_points import clouds
from tertium.scoring.imported_scores import ImportedScores


def of(found, metric, kind=KINDS[0], level="segment"):
    return next(one for one in found if (one.metric, one.kind, one.level) == (metric, kind, level))


@pytest.fixture(scope="module")
def found():
    return clouds(scores(), judgments(), ["segment", "system"], samples=400)


def test_there_is_one_for_each_metric_kind_and_level(found):
    assert len(found) == 4 * 2 * 2
    assert of(found, "chrf").points.shape == (len(SYSTEMS) * SEGMENTS - 2, 2)
    assert of(found, "chrf", level="system").points.shape == (0, 2)
    assert len(of(found, "chrf", level="system").means) == len(SYSTEMS)


@pytest.mark.parametrize("level", ["segment", "system"])
def test_points_give_the_coefficient(found, level):
    for one in correlate(scores(), judgments(), level, interval="none"):
        cloud = of(found, one.metric, one.kind, level)
        points = cloud.points if level == "segment" else np.array([(mean.metric, mean.human) for mean in cloud.means])
        turned = -1 if cloud.metric_counts_errors != cloud.human_counts_errors else 1
        value = coefficient(points[:, 0], points[:, 1], interval="none").value
        assert turned * value == pytest.approx(one.value)


def test_errors_are_shown_as_errors(found):
    assert of(found, "ter").metric_counts_errors
    assert of(found, IMPORTED).metric_counts_errors
    assert not of(found, "chrf").metric_counts_errors
    assert of(found, "chrf", KINDS[1]).human_counts_errors
    assert (of(found, "ter").points[:, 0] >= 0).all()
    systems, references = outputs()
    judged = [k for k in range(SEGMENTS) if k != 3]
    expected = score(TER(), {"x": [systems[SYSTEMS[0]][k] for k in judged]}, [references[k] for k in judged])
    mean = of(found, "ter", level="system").means[0]
    assert mean.metric == pytest.approx(float(expected.corpus["x"]["ter"]))
    assert mean.count == SEGMENTS - 1


def test_intervals_hold_their_means(found):
    for cloud in found:
        assert cloud.means
        for mean in cloud.means:
            assert mean.human_interval[0] <= mean.human <= mean.human_interval[1]
            assert (mean.metric_interval is None) == (cloud.level == "segment")
            if mean.metric_interval:
                assert mean.metric_interval[0] <= mean.metric <= mean.metric_interval[1]


def test_a_systems_interval_is_that_of_a_mean(found):
    values = judgments().segment_scores(KINDS[0])[SYSTEMS[1]]
    error = values.std() / np.sqrt(SEGMENTS)
    low, high = of(found, "chrf", level="system").means[1].human_interval
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.15)


def test_parts_are_cut_by_metric_score(found):
    cloud = of(found, "chrf")
    assert len(cloud.means) == 10
    assert sum(mean.count for mean in cloud.means) == len(cloud.points)
    assert [mean.metric for mean in cloud.means] == sorted(mean.metric for mean in cloud.means)
    assert np.average([mean.human for mean in cloud.means], weights=[mean.count for mean in cloud.means]) == (
        pytest.approx(cloud.points[:, 1].mean())
    )


def test_what_was_scored_or_judged_as_a_whole_has_no_interval():
    tables = {"m": {"segment": {"a": np.arange(8.0), "b": np.arange(8.0)}, "system": {"a": np.array([9.0])}}}
    source = ImportedScores(("a", "b"), 8, tables)
    whole = Judgments.of(system=["a", "b"], score=[1.0, 2.0])
    (cloud,) = clouds(source, whole, ["system"])
    assert [mean.human_interval for mean in cloud.means] == [None, None]
    assert [mean.metric_interval is None for mean in cloud.means] == [True, False]
    assert cloud.means[0].metric == 9


def test_few_points_are_only_points():
    source = ImportedScores(("a", "b"), 3, {"m": {"segment": {"a": np.arange(3.0), "b": np.arange(3.0)}}})
    human = Judgments.of(system=list("aaabbb"), score=range(6), segment=[1, 2, 3] * 2)
    one, other = clouds(source, human)
    assert one.means == ()
    assert len(one.points) == 6
    assert [(mean.metric_interval, mean.human_interval) for mean in other.means] == [(None, None)] * 2


def test_lengths_weigh_as_they_do_in_correlations():
    source = ImportedScores(("a", "b"), 5, {"m": {"segment": {"a": np.arange(5.0), "b": np.ones(5)}}})
    human = Judgments.of(system=["a"] * 5 + ["b"] * 5, score=range(10), segment=[*range(1, 6)] * 2)
    lengths = np.array([1.0, 1, 1, 1, 6])
    (cloud,) = clouds(source, human, ["system"], lengths=lengths)
    assert cloud.means[0].metric == pytest.approx(3.0)
    assert cloud.means[0].human == pytest.approx(3.0)
    assert cloud.means[0].metric_interval[0] <= 3 <= cloud.means[0].metric_interval[1]
    assert cloud.means[0].metric_interval == cloud.means[0].human_interval


def test_pairs_are_no_points():
    assert clouds(scores(), judgments(), ["segment"], kinds=["preference"]) == ()


def test_a_metric_without_scores_at_a_level_has_no_cloud():
    source = ImportedScores(("a", "b"), 3, {"m": {"system": {"a": np.array([1.0]), "b": np.array([2.0])}}})
    human = Judgments.of(system=list("aaabbb"), score=range(6), segment=[1, 2, 3] * 2)
    assert [one.level for one in clouds(source, human)] == ["system"]

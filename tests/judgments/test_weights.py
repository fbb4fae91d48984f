"""Judgments that were drawn with unequal probabilities: each counts by the inverse of its own."""

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.judgments import Judgments, aggregates, ranks, read_judgments

TABLE = "system\tsegment\trater\tscore\tweight\na\t1\tx\t10\t1\na\t1\ty\t40\t3\na\t2\tx\t70\t2\nb\t1\tx\t50\t1\n"


def table(tmp_path, text=TABLE):
    path = tmp_path / "judgments.tsv"
    path.write_text(text, encoding="utf-8")
    return read_judgments(str(path))


def test_a_worked_example(tmp_path):
    judgments = table(tmp_path)
    assert judgments.system_scores("score") == {"a": (10 + 3 * 40 + 2 * 70) / 6, "b": 50}
    assert judgments.segment_scores("score")["a"].tolist() == [(10 + 3 * 40) / 4, 70]
    found = {(one.system, one.segment): one.score for one in aggregates(judgments, level="segment")}
    assert found["a", 1] == 32.5
    (a, _) = aggregates(judgments)
    assert a.low <= a.score <= a.high
    assert (a.segments, a.judgments) == (2, 3)
    assert {one.system: one.score for one in ranks(judgments, "score").ranks} == judgments.system_scores("score")


def test_without_weights_segments_count_alike(tmp_path):
    plain = "".join(line.rpartition("\t")[0] + "\n" for line in TABLE.splitlines())
    judgments = table(tmp_path, plain)
    assert judgments.weight is None
    assert judgments.system_scores("score")["a"] == (25 + 70) / 2
    assert "weight" not in judgments.fields()


def test_weighted_means_are_unbiased():
    rng = np.random.default_rng(5)
    scores = rng.uniform(0, 100, 400)
    chance = np.where(scores > 50, 0.9, 0.3)  # the better, the more often
    means, plain = [], []
    for _ in range(200):
        drawn = np.flatnonzero(rng.random(400) < chance)
        settings = {"system": ["a"] * len(drawn), "score": scores[drawn], "segment": drawn + 1}
        means.append(Judgments.of(**settings, weight=1 / chance[drawn]).system_scores("score")["a"])
        plain.append(Judgments.of(**settings).system_scores("score")["a"])
    assert np.mean(means) == pytest.approx(scores.mean(), abs=0.5)
    assert np.mean(plain) > scores.mean() + 5


def test_joined_with_others_those_count_once(tmp_path):
    weighted = table(tmp_path)
    whole = Judgments.joined([weighted, Judgments.of(system=["b"], score=[80], segment=[2], kind="score")])
    assert whole.weight.tolist() == [1, 3, 2, 1, 1]
    assert whole.system_scores("score")["b"] == 65
    assert [row["weight"] for row in weighted.records()] == [1, 3, 2, 1]


@pytest.mark.parametrize("weight", ["0", "-1", "nan", ""])
def test_what_is_no_weight_is_refused(tmp_path, weight):
    with pytest.raises(InputError, match=r"judgments\.tsv.*line 2.*weight"):
        table(tmp_path, TABLE.replace("10\t1\n", f"10\t{weight}\n"))

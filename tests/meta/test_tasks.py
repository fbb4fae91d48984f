"""Averages over tasks, as WMT's metrics tasks have them."""

import numpy as np
import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta import Task, coefficient, task_averages
from tertium.meta.tasks import wmt23, wmt24
from tertium.scoring.imported_scores import ImportedScores


def made(systems, items, seed, *, metrics=("a", "b")):
    """Scores of metrics that know more or less, and judgments."""
    rng = np.random.default_rng(seed)
    names = [f"s{k}" for k in range(systems)]
    human = np.arange(systems)[:, None] / 2 + rng.normal(size=(systems, items)).round(1)
    tables = {
        name: {"segment": dict(zip(names, human + rng.normal(size=human.shape) * (1 + k), strict=True))}
        for k, name in enumerate(metrics)
    }
    judgments = Judgments.of(
        system=[name for name in names for _ in range(items)],
        segment=[i + 1 for _ in names for i in range(items)],
        score=human.ravel(),
    )
    return (ImportedScores(tuple(names), items, tables), judgments), human, tables


def matrix(tables, name):
    return np.stack(list(tables[name]["segment"].values()))


def test_wmt24_by_hand():
    one, human_1, tables_1 = made(5, 12, 1)
    two, human_2, tables_2 = made(4, 9, 2)
    found = task_averages({"en-de": one, "ja-zh": two}, "wmt24")
    for name in ("a", "b"):
        expected = [
            coefficient(matrix(tables, name), human, method, group, interval="none").value
            for method, group in (("soft-pairwise-accuracy", "none"), ("acc-eq", "item"))
            for human, tables in ((human_1, tables_1), (human_2, tables_2))
        ]
        assert found[name].values == pytest.approx(expected, abs=1e-12)
        assert found[name].average == pytest.approx(np.mean(expected), abs=1e-12)
    assert [task.name for task in found.tasks] == [
        "en-de sys soft-pairwise-accuracy", "ja-zh sys soft-pairwise-accuracy", "en-de seg acc-eq", "ja-zh seg acc-eq",
    ]  # fmt: skip
    assert [one.rank for one in found.averages] == [1, 2]


def test_wmt23_by_hand():
    one, human_1, tables_1 = made(5, 12, 3)
    two, human_2, tables_2 = made(4, 9, 4)
    found = task_averages({"en-de": one, "zh-en": two}, "wmt23")
    means = [(matrix(tables, "a").mean(axis=1), human.mean(axis=1))
             for tables, human in ((tables_1, human_1), (tables_2, human_2))]  # fmt: skip
    right = total = 0
    for ours, theirs in means:  # pairs of systems never mix language pairs
        for i in range(len(ours)):
            for j in range(i):
                right += (ours[i] > ours[j]) == (theirs[i] > theirs[j])
                total += 1
    flat = [(matrix(tables_1, "a"), human_1), (matrix(tables_2, "a"), human_2)]
    pearson = [np.corrcoef(*pair)[0, 1] for pair in means]
    pearson += [np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] for ours, theirs in flat]
    accuracy = [coefficient(*pair, "acc-eq", "item", interval="none").value for pair in flat]
    assert found["a"].values == pytest.approx([right / total, *pearson, *accuracy], abs=1e-12)
    mapped = [right / total, *((r + 1) / 2 for r in pearson), *accuracy]
    assert found["a"].average == pytest.approx(np.average(mapped, weights=[2, 1, 1, 1, 1, 1, 1]), abs=1e-12)


def test_tasks_of_ones_own_and_metrics_that_lack_one():
    one, _, _ = made(5, 12, 1)
    two, _, _ = made(4, 9, 2, metrics=("a", "c"))
    tasks = [Task(level="segment", method="kendall-b", group="item", pairs=("x",), weight=3),
             Task(level="system", method="pearson", pairs=("y",))]  # fmt: skip
    found = task_averages({"x": one, "y": two}, tasks)
    assert [each.metric for each in found.averages] == ["a"]
    assert "b has no value in y sys pearson; it was left out." in found.dropped
    values = found["a"].values
    assert found["a"].average == pytest.approx((3 * (values[0] + 1) / 2 + (values[1] + 1) / 2) / 4)
    assert found.to_dict()["tasks"][0]["weight"] == 3


def test_what_cannot_be_averaged_is_refused():
    one, _, _ = made(5, 12, 1)
    with pytest.raises(UnknownNameError, match="No set of tasks is called 'wmt99'"):
        task_averages({"x": one}, "wmt99")
    with pytest.raises(UnknownNameError, match="No test set is called 'z'"):
        task_averages({"x": one}, [Task(level="system", method="pearson", pairs=("z",))])
    with pytest.raises(InputError, match="cannot be pooled"):
        task_averages({"x": one, "y": one}, [Task(level="system", method="pearson", pairs=("x", "y"))])
    with pytest.raises(InputError, match="weight above 0"):
        task_averages({"x": one}, [Task(level="system", method="pearson", pairs=("x",), weight=0)])
    with pytest.raises(InputError, match="no test set"):
        task_averages({})
    assert sum(task.weight for task in wmt23(["x", "y", "z"])) == 12
    assert len(wmt24(["x", "y", "z"])) == 6

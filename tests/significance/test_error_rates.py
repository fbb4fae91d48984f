"""Of true null hypotheses, a test at 0.05 rejects one in twenty."""

import numpy as np
import pytest

from significance.simulated import alike_runs, bleu_like
from significance.test_compare import PLAIN, scores_of
from tertium import Averaged, compare
from tertium.significance.randomization import randomized

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("trials", "slack"), [(2000, 0.015), pytest.param(20_000, 0.005, marks=pytest.mark.long)])
def test_randomization_rejects_one_true_hypothesis_in_twenty(trials, slack):
    rng = np.random.default_rng(10)
    rejected = 0
    for trial in range(trials):
        pair = bleu_like(rng, 60)
        chance = randomized(PLAIN, pair, [(0, 1)], side=0, samples=399, seed=trial, threads=1)[0]
        rejected += chance.p_value <= 0.05
    assert abs(rejected / trials - 0.05) <= slack


def test_runs_that_are_alike_do_not_add_false_differences():
    rng = np.random.default_rng(20)
    rejected = 0
    runs = {system: [f"{system}#{k}" for k in range(3)] for system in "ab"}
    for trial in range(600):
        rows = {f"{system}#{k}": one for system in "ab" for k, one in enumerate(alike_runs(rng, 40))}
        found = compare(scores_of(rows, Averaged(PLAIN)), runs=runs, samples=199, seed=trial, threads=1)
        rejected += found.comparisons[0].p_value <= 0.05
    assert 0.025 <= rejected / 600 <= 0.075

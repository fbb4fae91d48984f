"""Of true null hypotheses, a test at 0.05 rejects one in twenty."""

import numpy as np

from significance.simulated import bleu_like
from significance.test_compare import PLAIN
from tertium.significance.randomization import randomized


def test_randomization_rejects_one_true_hypothesis_in_twenty():
    rng = np.random.default_rng(10)
    rejected = 0
    for trial in range(2000):
        pair = bleu_like(rng, 60)
        chance = randomized(PLAIN, pair, [(0, 1)], side=0, samples=399, seed=trial, threads=1)[0]
        rejected += chance.p_value <= 0.05
    assert 0.035 <= rejected / 2000 <= 0.065

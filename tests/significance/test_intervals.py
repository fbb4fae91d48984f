"""Intervals: percentile by its definition, BCa against SciPy, both as often right as they promise."""

import numpy as np
import pytest

from oracles import significance as oracle
from significance.simulated import bleu_like, skewed
from significance.test_compare import PLAIN, REFERENCES, A, B, scores_of
from tertium import BLEU, confidence, score
from tertium.errors import InputError, UnknownNameError
from tertium.metrics import Averaged
from tertium.significance import bca, percentile
from tertium.significance.intervals import widened


def test_percentile_by_definition():
    replicates = np.random.default_rng(0).permutation(1000).astype(float)
    assert percentile(replicates) == (25, 974)
    assert percentile(replicates, 0.9) == (50, 949)
    assert percentile(np.arange(10.0)) == (0, 9)


def test_corpus_intervals_are_percentiles_of_replicates():
    rows = bleu_like(np.random.default_rng(1), 50)[0]
    found = confidence(scores_of({"a": rows}), samples=200, seed=6).of("a", "m")
    expected = np.sort(oracle.replicates(PLAIN, rows, samples=200, seed=6))
    assert (found.low, found.high) == pytest.approx((expected[5], expected[194]))
    assert found.low < found.score < found.high


def test_bca_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    rows, _ = skewed(np.random.default_rng(2), 60)
    values = rows[:, 0]
    wider = 2 * stats.norm.cdf(stats.t.ppf(0.975, 59) * (60 / 59) ** 0.5) - 1  # as few units ask for
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=20_000,
        method="BCa",
        confidence_level=wider,
        random_state=np.random.default_rng(1),
    ).confidence_interval
    found = confidence(scores_of({"a": rows}, Averaged(PLAIN)), samples=20_000, method="bca").of("a", "m")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=0.01)


@pytest.mark.parametrize("units", [5, 20, 50, 1000])
def test_few_units_widen_the_interval_as_student_does(units):
    stats = pytest.importorskip("scipy.stats")
    expected = stats.t.ppf(0.975, units - 1) * (units / (units - 1)) ** 0.5
    assert widened(stats.norm.ppf(0.975), units) == pytest.approx(expected, rel=0.01)


def test_bca_of_replicates_that_do_not_vary():
    assert bca(np.ones(50), 1.0, 0.95, np.ones(10)) == (1, 1)
    low, high = bca(np.arange(50.0), -1.0, 0.95, np.arange(10.0))  # a score outside of all replicates
    assert np.isfinite([low, high]).all()


def test_documents_have_their_own_intervals():
    scores = score(BLEU(tokenize="none", effective_order=True), A, REFERENCES, documents=["x", "x", "x", "y", "y", "z"])
    found = confidence(scores, samples=100)
    assert found.of(None, "bleu", "x").low < found.of(None, "bleu", "x").high
    assert found.of(None, "bleu", "z").low is None  # one segment says nothing of others
    assert [one.level for one in found.intervals] == ["corpus", "document", "document", "document"]
    by_documents = confidence(scores, samples=100, unit="document")
    assert by_documents.of(None, "bleu").low != found.of(None, "bleu").low


def test_results_do_not_depend_on_threads_or_company():
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    alone = score(PLAIN, {"B": B}, REFERENCES)
    assert confidence(scores, threads=1) == confidence(scores, threads=4)
    assert confidence(scores).of("B", "bleu") == confidence(alone).of("B", "bleu")


def test_what_is_refused():
    scores = score(PLAIN, A, REFERENCES)
    with pytest.raises(UnknownNameError, match="kind of interval"):
        confidence(scores, method="student")
    with pytest.raises(InputError, match="samples must be"):
        confidence(scores, samples=1)
    with pytest.raises(InputError, match="level must be"):
        confidence(scores, level=95)
    with pytest.raises(InputError, match="seed must be"):
        confidence(scores, seed=-3)


@pytest.mark.slow
@pytest.mark.parametrize("segments", [50, 150])
def test_bca_covers_as_often_as_it_says(segments):
    """A quick look; `python -m benchmarks.error_rates` takes a long one."""
    rng = np.random.default_rng(20)
    hits = 0
    for _ in range(600):
        rows, mean = skewed(rng, segments)
        found = confidence(scores_of({"a": rows}, Averaged(PLAIN)), samples=999, method="bca", threads=1).intervals[0]
        hits += found.low <= mean <= found.high
    assert 0.93 <= hits / 600 <= 0.97

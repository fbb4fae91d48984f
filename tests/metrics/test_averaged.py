"""The mean of segment scores."""

import numpy as np
import pytest

from tertium import BLEU, CHRF, Averaged, parse_metric
from tertium.errors import InputError

HYPOTHESES = ["a b c d", "a b c d e f", ""]
REFERENCES = [["a b c d"], ["a b c x e f"], ["a"]]


@pytest.mark.parametrize("metric", [BLEU(), BLEU(effective_order=True), CHRF(word_order=2)])
def test_corpus_score_is_the_mean_of_segment_scores(metric):
    averaged = Averaged(metric)
    rows = averaged.statistics(HYPOTHESES, REFERENCES)
    segments = metric.score(metric.statistics(HYPOTHESES, REFERENCES))
    np.testing.assert_array_equal(rows, np.column_stack([segments, np.ones(3)]))
    np.testing.assert_array_equal(averaged.score(rows), segments)
    assert averaged.score(rows.sum(axis=0)) == pytest.approx(segments.mean())
    assert averaged.parts(rows.sum(axis=0))["segments"] == 3


def test_the_mean_of_nothing_is_zero():
    assert Averaged(BLEU()).score(np.zeros(2)) == 0


def test_takes_on_what_the_metric_is():
    averaged = Averaged(BLEU(tokenize="tokens"))
    assert (averaged.name, averaged.columns) == ("averaged-bleu", ("score", "segments"))
    assert (averaged.higher_is_better, averaged.perfect, averaged.range) == (True, 100, "0 to 100")
    assert averaged.takes_tokens
    assert averaged.statistics([list("abcd")], [list("abcd")])[0] == pytest.approx([100, 1])


def test_names():
    assert parse_metric("averaged-bleu:lowercase=true") == Averaged(BLEU(lowercase=True))
    assert parse_metric("averaged-chrf++") == Averaged(CHRF(word_order=2))


@pytest.mark.parametrize("what", ["bleu", None, BLEU, Averaged(BLEU())])
def test_averages_metrics_only(what):
    with pytest.raises(InputError, match="Averaged takes a metric"):
        Averaged(what)

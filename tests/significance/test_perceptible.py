"""In how many of 100 pairs people agree: the published curves, and where they may be used."""

import math

import numpy as np
import pytest

from tertium import BLEU, CHRF, TER, score
from tertium.errors import InputError, TertiumError
from tertium.scoring.imported_scores import ImportedScore, arranged, scores_of
from tertium.significance import compare
from tertium.significance.perceptible import CURVES, curve_of, perceptible, with_perceptible

# Kocmi et al. (2024), differences at which people agree about 60, 65, … 90 of 100 pairs.
PUBLISHED = {
    "BLEU": (0.78, 1.06, 1.39, 1.79, 2.34, 3.35, math.inf),
    "chrF": (0.54, 0.76, 1.00, 1.28, 1.63, 2.12, 3.05),
    "spBLEU200": (0.82, 1.13, 1.49, 1.91, 2.46, 3.28, 5.57),
    "COMET-22": (0.18, 0.26, 0.35, 0.45, 0.56, 0.71, 0.94),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_table(name):
    found = tuple(round(CURVES[name].difference(agreement), 2) for agreement in (60, 65, 70, 75, 80, 85, 90))
    assert found == PUBLISHED[name]


@pytest.mark.parametrize("name", CURVES)
def test_there_and_back(name):
    curve = curve_of(name.upper())
    assert curve.agreement(0) == 50  # the fit says less than half, which nobody means
    assert curve.agreement(-curve.difference(75)) == pytest.approx(75)
    assert curve.agreement(1e6) == pytest.approx(curve.a)
    assert curve.difference(99.5) == math.inf


def test_what_is_no_percentage():
    with pytest.raises(InputError, match="from 50 to 100, not 0.8"):
        CURVES["BLEU"].difference(0.8)
    with pytest.raises(TertiumError, match="No published curve is called 'COMET-21'"):
        curve_of("COMET-21")


def scored(metric, references=1):
    texts = {"a": ["the cat sat on the mat", "yes it is so"], "b": ["a cat sat on a mat", "yes it is"]}
    return score({"m": metric}, texts, reference_sets=[["the cat sat on the mat", "yes it is so"]] * references)


@pytest.mark.parametrize(
    ("metric", "references", "note"),
    [
        (BLEU(lowercase=True), 1, "the curve was fitted without lowercase=true"),
        (CHRF(word_order=2), 1, "the curve was fitted without word_order=2"),
        (BLEU(), 2, "the curve was fitted with 1 reference, not 2"),
        (TER(), 1, "no curve is published for ter"),
    ],
)
def test_other_settings_get_a_note(metric, references, note):
    found = perceptible(scored(metric, references), "m", 1.0)
    assert (found.agreement, found.curve, found.note) == (None, None, note)


def test_the_fitted_settings():
    assert perceptible(scored(BLEU()), "m", -2.34).agreement == pytest.approx(80, abs=0.1)
    assert perceptible(scored(CHRF()), "m", 1.63).agreement == pytest.approx(80, abs=0.1)


@pytest.mark.parametrize(("times", "name"), [(1, "COMET-22"), (100, "comet-22")])
def test_scores_of_other_programs_are_scaled_as_the_curve_was(times, name):
    values = {"a": 0.80, "b": 0.8056}
    rows = [ImportedScore(s, k, name, times * v, k) for s, v in values.items() for k in (1, 2, 3)]
    compared = with_perceptible(compare(scores_of(arranged(rows, "f")), samples=100))
    found = compared.comparisons[0]
    assert found.perceptible.agreement == pytest.approx(80, abs=0.2)
    assert found.to_dict()["people_agree"] == found.perceptible.agreement
    assert "name it so: BERTScore" in perceptible(scores_of(arranged([
        ImportedScore("a", 1, "COMET", 1, 1)], "f")), "COMET", 1).note  # fmt: skip


def test_it_is_not_there_unless_asked_for():
    compared = compare(scored(BLEU()), samples=100)
    assert "people_agree" not in compared.comparisons[0].to_dict()
    assert np.isfinite(with_perceptible(compared).comparisons[0].perceptible.agreement)

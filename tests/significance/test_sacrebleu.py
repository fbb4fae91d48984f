"""What sacreBLEU would print for small examples, ties included."""

import numpy as np
import pytest

from significance.test_compare import PLAIN, REFERENCES, A, B
from tertium import TER, score
from tertium.errors import InputError, UnknownNameError
from tertium.significance import like_sacrebleu


def test_the_specs_example():
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    swapped = {one.system: one for one in like_sacrebleu(scores)}
    assert swapped["A"].p_value is None
    assert swapped["B"].p_value == pytest.approx(0.2419758, abs=1e-7)
    drawn = {one.system: one for one in like_sacrebleu(scores, test="bootstrap")}
    assert drawn["B"].p_value == pytest.approx(0.0739261, abs=1e-7)
    assert (drawn["A"].mean, drawn["A"].ci) == pytest.approx((62.7330, 16.0989), abs=1e-4)
    assert (drawn["B"].mean, drawn["B"].ci) == pytest.approx((36.9613, 24.3945), abs=1e-4)


def test_ties_are_shown():
    copy = {one.system: one for one in like_sacrebleu(score(PLAIN, {"A": A, "copy": list(A)}, REFERENCES))}["copy"]
    assert copy.p_value == 1 / 10_001  # sacreBLEU's: "significant"
    assert copy.p_value_with_ties == 1


def test_intervals_beside_the_randomization():
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    found = like_sacrebleu(scores, samples=100, confidence_samples=50)
    assert found[0].mean is not None
    assert found == like_sacrebleu(scores, samples=100, confidence_samples=50, threads=3)


def test_each_system_has_the_stream_to_itself():
    """The baseline has no swaps that come first, so its interval is that of a bootstrap with the same seed."""
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    beside = like_sacrebleu(scores, samples=100, confidence_samples=50)
    drawn = like_sacrebleu(scores, test="bootstrap", samples=50)
    assert (beside[0].mean, beside[0].ci) == (drawn[0].mean, drawn[0].ci)
    assert (beside[1].mean, beside[1].ci) != (drawn[1].mean, drawn[1].ci)


def test_ter_is_in_single_precision():
    scores = score(TER(variant="sacrebleu"), {"A": A}, REFERENCES)
    (found,) = like_sacrebleu(scores, test="bootstrap")
    assert (found.mean, found.ci) == (float(np.float32(found.mean)), float(np.float32(found.ci)))


def test_no_seed_draws_anew():
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    assert like_sacrebleu(scores, seed=None)[1].p_value != like_sacrebleu(scores, seed=None)[1].p_value


def test_what_is_refused():
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    with pytest.raises(UnknownNameError, match="test"):
        like_sacrebleu(scores, test="ar")
    with pytest.raises(UnknownNameError, match="system"):
        like_sacrebleu(scores, baseline="C")
    with pytest.raises(InputError, match="seed"):
        like_sacrebleu(scores, seed=-1)

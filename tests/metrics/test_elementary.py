"""exp, log and powers of our own: near the truth, and the same bits on every machine, so that scores are."""

import hashlib
import math
import os
import re
import subprocess
import sys
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium import BLEU, NIST, parse_metric
from tertium.metrics.elementary import exp, log, power

FROZEN = "2570c4c06ca9576b595c115a49687625dfe1da41806facd61466c64b7593f739"
positive = st.floats(min_value=5e-324, allow_infinity=False, allow_nan=False)


def off_by(found, exact):
    """Return how far a number is from a true one, in units of its last place."""
    with localcontext() as context:
        context.prec = 60
        return float(abs(Decimal(float(found)) - exact) / Decimal(math.ulp(float(exact))))


def true(function, *arguments):
    with localcontext() as context:
        context.prec = 60
        context.Emin, context.Emax = -(10**6), 10**6
        return function(*map(Decimal, arguments))


@given(st.floats(-745, 709.7))
@example(0.0)
@example(-745.0)
@example(709.7)
def test_exponentials_are_right_to_the_last_place(x):
    assert off_by(exp(x), true(Decimal.exp, x)) < 1


@given(positive)
@example(1.0)
@example(math.nextafter(1, 2))
@example(5e-324)
@example(1.3)
def test_logarithms_are_right_to_the_last_place(x):
    assert off_by(log(x), true(Decimal.ln, x)) < 1


@given(st.floats(1e-9, 1), st.floats(0.1, 4))
@example(0.5, 1.0)
@example(1.0, 3.0)
def test_powers_are_right_to_the_last_place(base, exponent):
    assert off_by(power(base, exponent), true(lambda b, e: (e * b.ln()).exp(), base, exponent)) < 1


def test_what_has_no_end_and_what_is_no_number():
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(exp([-np.inf, -1e300, np.inf, 710, np.nan]), [0, 0, np.inf, np.inf, np.nan])
        np.testing.assert_array_equal(log([0, np.inf, -1, np.nan]), [-np.inf, np.inf, np.nan, np.nan])
        np.testing.assert_array_equal(power([0, 1, 0.25, 1e-300], 0.5), [0, 1, 0.5, 1e-150])
        np.testing.assert_array_equal(power([0, 7], 0), [1, 1])


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)])
def test_shapes_are_kept(shape):
    assert exp(np.zeros(shape)).shape == log(np.ones(shape)).shape == power(np.ones(shape), 2).shape == shape


def test_numbers_that_do_not_lie_side_by_side():
    values = np.arange(1.0, 13).reshape(3, 4)
    np.testing.assert_array_equal(log(values[:, ::2]), log(values)[:, ::2])
    np.testing.assert_array_equal(log(values.T), log(values).T)


def test_what_is_given_stays_as_it_is():
    values = np.array([0.5, 2])
    exp(values), log(values), power(values, 2)
    assert values.tolist() == [0.5, 2]


def scores():
    """Return scores of every metric for sums of counts that are made up, and the functions' own results."""
    state, counts = 2026, []
    for _ in range(4000):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        counts.append(state >> 40)
    spread = np.array(counts) / 2**24
    found = [exp(-20 * spread), log(spread), power(spread, 0.7)]
    bleu = BLEU()
    rows = np.array(counts).reshape(-1, 4) % 1000
    totals = 1000 + np.sort(rows, axis=1)[:, ::-1]
    lengths = np.stack([totals[:, 0] + 1, totals[:, 1] + 50], axis=1)
    found.append(bleu.score(np.hstack([lengths, totals // 2, totals]).astype(float)))
    found.append(bleu.score(np.hstack([lengths, rows % 3, totals]).astype(float)))
    found.append(BLEU(smoothing="mteval").score(np.hstack([lengths, rows % 3, totals]).astype(float)))
    nist = NIST()
    columns = len(nist.columns) - 2
    found.append(nist.score(np.hstack([lengths, np.resize(totals, (len(totals), columns))]).astype(float)))
    meteor = parse_metric("meteor")
    found.append(meteor.score(np.resize(1 + spread[:2000], (100, len(meteor.columns)))))
    return np.concatenate(found)


def test_scores_have_the_same_bits_on_every_machine():
    """The mark is of an x86-64 with AVX-512; arm64, musl and older processors must come to the same."""
    assert hashlib.sha256(scores().tobytes()).hexdigest() == FROZEN


def test_scores_do_not_depend_on_which_instructions_numpy_uses():
    program = "import sys, test_elementary; sys.stdout.buffer.write(test_elementary.scores().tobytes())"
    core = np._core if hasattr(np, "_core") else np.core
    features = " ".join(core._multiarray_umath.__cpu_dispatch__)
    path = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])  # a sanitized build's, too
    environment = os.environ | {"PYTHONPATH": path, "NPY_DISABLE_CPU_FEATURES": features}
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", program], env=environment, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout == scores().tobytes()


def test_nothing_that_makes_scores_calls_the_system_s():
    root = Path(__file__).parents[2]
    calls = re.compile(r"\bstd::(exp|exp2|expm1|log|log2|log10|log1p|pow)\(|\bnp\.(exp|log|log2|log10|power)\(")
    sources = [*(root / "native").rglob("*.[ch]pp"), *(root / "src" / "tertium" / "metrics").rglob("*.py")]
    assert len(sources) > 100
    assert [str(path) for path in sources if calls.search(path.read_text(encoding="utf-8"))] == []

"""Raters made comparable, raters that do not fit, scales, and scores with what they rest on."""

import math
from statistics import mean, pstdev, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, UnknownNameError
from tertium.judgments import (
    Judgments,
    Scale,
    aggregates,
    combined,
    comprehensibility,
    controlled,
    fluency,
    normalized,
    raters_of,
    token_lengths,
)

ROWS = st.lists(st.tuples(st.sampled_from("rst"), st.sampled_from("kl"), st.integers(0, 100)), min_size=1, max_size=40)


def of_rows(rows):
    rater, kind, score = zip(*rows, strict=True)
    return Judgments.of(system=["s"] * len(rows), segment=range(1, len(rows) + 1), rater=rater, kind=kind, score=score)


@given(ROWS)
def test_z_scores_by_the_textbook(rows):
    judgments = of_rows(rows)
    for population, spread in ((False, stdev), (True, pstdev)):
        found = normalized(judgments, population=population)
        for (rater, kind, score), z in zip(rows, found.score.tolist(), strict=True):
            theirs = [x for r, k, x in rows if (r, k) == (rater, kind)]
            wanted = (score - mean(theirs)) / spread(theirs) if len(set(theirs)) > 1 else 0
            assert z == pytest.approx(wanted, abs=1e-9)
    assert set(found.kinds) == {f"{kind}-z" for _, kind, _ in rows}


@given(ROWS)
def test_shifts_and_ranks(rows):
    judgments = of_rows(rows)
    shifted = normalized(judgments, method="shift", middle=3)
    ranked = normalized(judgments, method="rank")
    for index, (rater, kind, score) in enumerate(rows):
        theirs = [x for r, k, x in rows if (r, k) == (rater, kind)]
        assert shifted.score[index] == pytest.approx(score + 3 - mean(theirs))
        below, same = sum(x < score for x in theirs), theirs.count(score)
        assert ranked.score[index] == pytest.approx((below + same / 2) / len(theirs))


def test_raters_that_cannot_be_normalised_are_counted():
    judgments = Judgments.of(
        system=["s"] * 6, segment=range(1, 7), rater=["a", "b", "b", "b", "c", "c"], score=[5, 0.1, 0.1, 0.1, 1, 2]
    )
    warnings = []
    found = normalized(judgments, warn=warnings.append)
    assert found.score.tolist() == pytest.approx([0, 0, 0, 0, -(0.5**0.5), 0.5**0.5])
    assert warnings == [
        "1 raters have only one judgment (a): 1 scores become 0.",
        "1 raters gave all items the same score (b): 3 scores become 0.",
    ]


def test_judgments_without_raters_are_pointed_out():
    warnings = []
    normalized(Judgments.of(system=["a", "b"], segment=[1, 1], score=[1, 2]), warn=warnings.append)
    assert "2 judgments name no rater" in warnings[0]
    with pytest.raises(UnknownNameError, match="No normalization is called 'zz'"):
        normalized(of_rows([("r", "k", 1)]), method="zz")


def test_comprehensibility_of_the_survey():
    judgments = Judgments.of(system=["a"] * 5, segment=range(1, 6), score=[0, 1, 2, 3, 4])
    assert comprehensibility(judgments, "score", scale=Scale.parsed("0-4")) == {"a": 0.6}
    assert fluency(judgments, "score", scale=Scale.parsed("0-4")) == {"a": 2}
    moved = Judgments.of(system=["a"] * 5, segment=range(1, 6), score=[1, 2, 3, 4, 5])
    assert comprehensibility(moved, "score", scale=Scale.parsed("1-5")) == {"a": 0.6}
    assert comprehensibility(moved, "score", scale=Scale.parsed("1-5", 5)) == {"a": 0.2}
    assert Scale.parsed("1-7").threshold == 4
    with pytest.raises(InputError, match="1 of 5 scores are not on the scale 0-4, such as 5"):
        comprehensibility(moved, "score", scale=Scale.parsed("0-4"))
    for bad in ("5-1", "x", "1-1"):
        with pytest.raises(InputError, match="A scale is written"):
            Scale.parsed(bad)
    with pytest.raises(InputError, match="threshold 9 is not on the scale"):
        Scale.parsed("1-5", 9)


def test_adequacy_and_fluency_together():
    judgments = Judgments.of(
        system=["a"] * 5,
        segment=[1, 1, 1, 2, 2],
        rater=["r", "r", "s", "r", "r"],
        kind=["adequacy", "fluency", "adequacy", "adequacy", "fluency"],
        score=[4, 5, 1, 2, 3],
    )
    both = combined(judgments)
    assert both.segment_scores("adequacy+fluency")["a"].tolist() == [4.5, 2.5]  # s gave no fluency
    assert combined(judgments, how="sum").segment_scores("adequacy+fluency")["a"].tolist() == [9, 5]
    assert both.kinds == ("adequacy", "fluency", "adequacy+fluency")
    with pytest.raises(UnknownNameError, match="No kind of judgment is called 'fluency'"):
        combined(judgments.of_kind("adequacy"))


def test_who_does_not_fit():
    rng = np.random.default_rng(1)
    truth = rng.normal(60, 20, 200)
    rows = []
    for name, bias, noise in [(f"r{i}", 0.3 * i, 8) for i in range(8)] + [("kind", 60, 8), ("dice", 0, None)]:
        for segment, value in enumerate(truth, start=1):
            given_score = rng.normal(60, 20) if noise is None else value + bias + rng.normal(0, noise)
            rows.append((segment, name, given_score))
    rows += [(1, "once", 50.0), (1, "same", 10.0), (2, "same", 10.0), (3, "same", 10.0)]
    segment, rater, score = zip(*rows, strict=True)
    found = {
        one.rater: one
        for one in raters_of(Judgments.of(system=["s"] * len(rows), segment=segment, rater=rater, score=score))
    }
    assert found["kind"].flags == ("lenient",)
    assert found["dice"].flags == ("uncorrelated",)
    assert "one judgment" in found["once"].flags
    assert "constant" in found["same"].flags
    assert not any(found[f"r{i}"].flags for i in range(8))
    others = [mean(s for n, r, s in rows if n == 7 and r != "r0")]
    assert found["r0"].shared == 200
    own = [s for n, r, s in rows if r == "r0"]
    rest = [mean(s for n, r, s in rows if n == k and r != "r0") for k in range(1, 201)]
    assert found["r0"].difference == pytest.approx(mean(a - b for a, b in zip(own, rest, strict=True)))
    assert found["r0"].correlation == pytest.approx(np.corrcoef(own, rest)[0, 1])
    assert others[0] == pytest.approx(rest[6])
    assert found["once"].deviation is None


def test_degraded_outputs_test_raters():
    segments = list(range(1, 21))
    genuine = Judgments.of(
        system=["s"] * 40, segment=segments * 2, rater=["good"] * 20 + ["careless"] * 20,
        score=[50 + i for i in segments] + [50 + (i * 7) % 20 for i in segments],
    )  # fmt: skip
    degraded = Judgments.of(
        system=["s"] * 40, segment=segments * 2, rater=["good"] * 20 + ["careless"] * 20,
        score=[20 + i for i in segments] + [50 + (i * 3) % 20 for i in segments],
    )  # fmt: skip
    good, careless = raters_of(genuine.with_marked(degraded, "degraded"))
    assert good.degraded == careless.degraded == 20
    assert good.degraded_p < 1e-4
    assert not good.flags
    assert careless.flags == ("fails control",)


def test_repeats_are_counted():
    judgments = Judgments.of(system=["s"] * 4, segment=[1, 1, 2, 1], rater=["a", "a", "a", "b"], score=[10, 16, 20, 5])
    ada, ben = raters_of(judgments)
    assert (ada.repeats, ada.repeat_difference) == (1, 6)
    assert (ben.repeats, ben.repeat_difference) == (0, None)
    with pytest.raises(InputError, match="name no raters"):
        raters_of(Judgments.of(system=["s"], segment=[1], score=[1]))


def test_aggregates_say_what_they_rest_on():
    judgments = Judgments.of(
        system=list("aaaab"),
        document=list("xxxyx"),
        segment=[1, 1, 2, 3, 1],
        rater=["r", "s", "r", "r", "r"],
        score=[1, 3, 5, 6, 7],
    )
    segments = aggregates(judgments, level="segment")
    assert [(one.system, one.segment, one.score, one.judgments) for one in segments] == [
        ("a", 1, 2, 2), ("a", 2, 5, 1), ("a", 3, 6, 1), ("b", 1, 7, 1)]  # fmt: skip
    documents = aggregates(judgments, level="document", lengths=np.array([1.0, 2, 1]))
    assert [(one.system, one.document, one.score, one.segments, one.judgments) for one in documents] == [
        ("a", "x", 4, 2, 3), ("a", "y", 6, 1, 1), ("b", "x", 7, 1, 1)]  # fmt: skip
    a, b = aggregates(judgments, level="system")
    assert (a.score, a.segments, a.judgments) == (pytest.approx(13 / 3), 3, 4)
    assert a.low <= a.score <= a.high
    assert (b.score, b.low) == (7, None)
    with pytest.raises(UnknownNameError, match="No level is called 'corpus'"):
        aggregates(judgments, level="corpus")


def test_lengths():
    assert token_lengths([["a b c"], ["a, b", "c"]]).tolist() == [3, 2]
    assert math.isfinite(token_lengths([[""]])[0])


@pytest.mark.slow
def test_raters_who_fail_the_control_are_left_out():
    """One scores degraded outputs no lower, one scores items otherwise the second time, one passes."""
    rater, segment, score, worse = [], [], [], []
    for name, drift, penalty in (("fine", 0, 30), ("blind", 0, 0), ("moody", 20, 30)):
        for k in range(10):
            base = 50 + 3 * k
            rater += [name, name]
            segment += [k + 1, k + 1]
            score += [base, base + drift + (-1) ** k]
            worse.append((name, k + 1, base - penalty + (-1) ** k))
    ours = Judgments.of(system=["s"] * len(score), segment=segment, rater=rater, score=score)
    names, numbers, scores = zip(*worse, strict=True)
    degraded = Judgments.of(system=["s"] * len(scores), segment=numbers, rater=names, score=scores)
    ours = ours.with_marked(degraded, "degraded")
    flags = {one.rater: one.flags for one in raters_of(ours, limit=99)}
    assert flags == {"fine": (), "blind": ("fails control",), "moody": ("drifts",)}
    warnings = []
    assert controlled(ours, warn=warnings.append).rater.names == ("fine",)
    assert "2 raters fail the control (blind, moody); 40 judgments were left out" in warnings[0]
    with pytest.raises(InputError, match="Nothing tests the raters"):
        controlled(of_rows([("r", "k", 1), ("r", "k", 2)]))

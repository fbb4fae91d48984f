"""Variance components by symmetric differences, and what they say of the size of a study."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from tertium.errors import InputError
from tertium.judgments import Judgments
from tertium.judgments.components import Components, Judged, components, components_of
from tertium.judgments.planning import planned, standard_error

PARTS = ("system", "document", "segment", "rater", "system_document", "system_segment")
TRUE = Components(4, 9, 25, 16, 6, 30, 40)


def made(rng, systems, documents, per_document, raters, copies, parts=TRUE):
    """Judgments drawn from the model, raters given whole documents of a system."""
    v = {name: np.sqrt(value) for name, value in parts.to_dict().items()}
    segments = documents * per_document
    s, d, i = (
        rng.normal(0, v["system"], systems),
        rng.normal(0, v["document"], documents),
        rng.normal(0, v["segment"], segments),
    )
    r = rng.normal(0, v["rater"], raters)
    sd = rng.normal(0, v["system_document"], (systems, documents))
    si = rng.normal(0, v["system_segment"], (systems, segments))
    rows = [
        (a, k, n, who, s[a] + d[k] + i[n] + r[who] + sd[a, k] + si[a, n] + rng.normal(0, v["error"]))
        for k in range(documents)
        for a in range(systems)
        for who in rng.choice(raters, copies, replace=False)
        for n in range(k * per_document, (k + 1) * per_document)
    ]
    return np.array(rows), s


def of(table):
    codes = table[:, :4].astype(int)
    return components(table[:, 4], system=codes[:, 0], document=codes[:, 1], segment=codes[:, 2], rater=codes[:, 3])


def textbook(table):
    """Look at every pair of judgments, and solve the same equations by hand."""
    keys = [(int(a), int(k), int(n), int(w)) for a, k, n, w, _ in table]
    shares = {
        "system": lambda x: x[0], "document": lambda x: x[1], "segment": lambda x: x[2], "rater": lambda x: x[3],
        "system_document": lambda x: x[:2], "system_segment": lambda x: (x[0], x[2]),
    }  # fmt: skip
    left, right = [], []
    for kind in (None, *shares):
        found = [
            (x, y) for x, y in combinations(range(len(keys)), 2)
            if kind is None or shares[kind](keys[x]) == shares[kind](keys[y])
        ]  # fmt: skip
        halves = [(table[x, 4] - table[y, 4]) ** 2 / 2 for x, y in found]
        apart = [[shares[one](keys[x]) != shares[one](keys[y]) for one in shares] for x, y in found]
        left.append([*np.mean(apart, axis=0), 1.0])
        right.append(np.mean(halves))
    return np.linalg.solve(np.array(left), np.array(right))


@examples(10)
@given(st.integers(0, 10**6))
def test_agrees_with_the_textbook(seed):
    table, _ = made(np.random.default_rng(seed), 4, 5, 3, 4, 2)
    expected = textbook(table)
    if (expected > 0).all():
        found = of(table)
        assert [getattr(found, name) for name in (*PARTS, "error")] == pytest.approx(expected.tolist())
    else:
        assert min(value for value in of(table).to_dict().values() if value is not None) >= 0


@pytest.mark.slow
def test_the_variances_that_made_the_judgments_are_found():
    rng = np.random.default_rng(1)
    found = [of(made(rng, 8, 30, 6, 6, 2)[0]).to_dict() for _ in range(25)]
    for name, value in TRUE.to_dict().items():
        several = [one[name] for one in found]
        assert np.mean(several) == pytest.approx(value, abs=4 * np.std(several) / 5 + 0.5)


def test_what_cannot_be_told_apart_is_not_there():
    table, _ = made(np.random.default_rng(2), 4, 6, 5, 3, 1)
    assert of(table).system_segment is None
    codes = table[:, :4].astype(int)
    plain = components(table[:, 4], system=codes[:, 0], segment=codes[:, 2])
    assert (plain.document, plain.rater, plain.system_document) == (None, None, None)
    assert plain.total > 0


@pytest.mark.slow
@pytest.mark.parametrize(("copies", "per_document"), [(1, 6), (2, 6), (2, 1)])
def test_the_standard_error_is_that_of_the_difference(copies, per_document):
    rng = np.random.default_rng(3)
    differences = []
    for _ in range(400):
        table, s = made(rng, 2, 12, per_document, 500, copies)
        means = [table[table[:, 0] == a, 4].mean() for a in (0, 1)]
        differences.append(means[0] - means[1] - (s[0] - s[1]))
    expected = standard_error(TRUE, segments=12 * per_document, documents=12, raters=copies)
    assert np.std(differences) == pytest.approx(expected, rel=0.12)


def judged(parts=TRUE):
    return Judged("ESA", 1000, 4, 50, 250, 5, parts)


def test_what_is_needed_finds_the_difference():
    plan = planned(judged(), 2.0)
    for need in plan.needs:
        error = standard_error(TRUE, segments=need.segments, documents=need.segments / 5, raters=need.raters)
        assert 2.0 / error == pytest.approx(1.959964 + 0.841621, rel=0.01)
    assert plan.cheapest.raters == 1
    assert plan.one_by_one < plan.needs[0].segments
    assert planned(judged(), 4.0).needs[0].segments == pytest.approx(plan.needs[0].segments / 4, rel=0.01)


def test_a_rater_beside_both_cancels():
    assert planned(judged(), 2.0, same_rater=True).needs[0].segments < planned(judged(), 2.0).needs[0].segments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"difference": 0}, "above 0"),
        ({"difference": float("nan")}, "above 0"),
        ({"difference": 1, "power": 1}, "The power must be a number between 0 and 1"),
        ({"difference": 1, "level": 0}, "The level must be a number between 0 and 1"),
        ({"difference": 1, "segments_per_document": 0.5}, "at least one segment"),
        ({"difference": 1, "segments_per_document": float("inf")}, "at most 1e"),
        ({"difference": 1e-300}, "too small to be found"),
    ],
)
def test_what_cannot_be_planned(arguments, message):
    with pytest.raises(InputError, match=message):
        planned(judged(), **arguments)


def test_pilots_that_say_too_little():
    with pytest.raises(InputError, match="too few"):
        components_of(Judgments.of(system=["a"], score=[1.0], segment=[1]))
    with pytest.raises(InputError, match="at least two systems"):
        components_of(Judgments.of(system=["a"] * 4, score=[1.0, 2, 3, 4], segment=[1, 2, 3, 4]))
    with pytest.raises(InputError, match="several kinds"):
        components_of(Judgments.of(system=["a"] * 4, score=[1.0] * 4, segment=[1] * 4, kind=["x", "x", "y", "y"]))

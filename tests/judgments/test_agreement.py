"""Agreement of raters: the textbooks' tables, the textbooks' formulas on generated judgments, intervals, rankings."""

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import agreement as textbook
from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments, Preferences, agreement, kappa, preference_agreement
from tertium.judgments.units import units_of


def judged(table):
    """Make judgments of a table units x raters, None where a rater gave none."""
    rows = [(u, r, x) for u, row in enumerate(table) for r, x in enumerate(row) if x is not None]
    return Judgments.of(
        system=["s"] * len(rows),
        segment=[u + 1 for u, _, _ in rows],
        rater=[f"r{r}" for _, r, _ in rows],
        score=[x for _, _, x in rows],
    )


def measured(table, *measures, **settings):
    return {one.measure: one for one in agreement(judged(table), measures=measures, **settings) if one.first is None}


FIRST = [1, 2, 3, 3, 2, 1, 1, 2, 3, 3]
SECOND = [1, 2, 3, 2, 2, 1, 2, 2, 3, 3]


def test_two_raters():
    assert kappa(FIRST, SECOND) == pytest.approx(0.7014925, abs=1e-7)
    assert kappa(FIRST, SECOND, chance="uniform") == pytest.approx(0.7)
    assert kappa(FIRST, SECOND, weights="linear") == pytest.approx(0.7619048, abs=1e-7)
    assert kappa(FIRST, SECOND, weights="quadratic") == pytest.approx(0.8305085, abs=1e-7)
    assert kappa(list("aab"), list("aab")) == 1
    assert kappa([2, 2], [2, 2]) == 1  # chance alone agrees, and they do


def test_two_raters_in_a_table():
    found = agreement(judged(list(zip(FIRST, SECOND, strict=True))), measures=["cohen", "cohen-quadratic"])
    assert [one.value for one in found] == pytest.approx([0.7014925, 0.8305085], abs=1e-7)
    assert (found[0].first, found[0].second, found[0].units, found[0].band) == ("r0", "r1", 10, "substantial")


# Shrout and Fleiss (1979), table 2; their coefficients in table 4, the bounds as other programs give them.
SHROUT = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


@pytest.mark.parametrize(
    ("measure", "value", "low", "high"),
    [
        ("icc-1", 0.17, -0.13, 0.72),
        ("icc-2", 0.29, 0.02, 0.76),
        ("icc-3", 0.71, 0.34, 0.95),
        ("icc-1k", 0.44, -0.88, 0.91),
        ("icc-2k", 0.62, 0.07, 0.93),
        ("icc-3k", 0.91, 0.68, 0.99),
    ],
)
def test_intraclass_correlation(measure, value, low, high):
    found = measured(SHROUT, measure)[measure]
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=0.005)


# Krippendorff (2011), "Computing Krippendorff's alpha-reliability": four observers, twelve units, gaps.
KRIPPENDORFF = list(
    zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
        strict=True,
    )
)


def test_alpha():
    measures = ["alpha-nominal", "alpha-ordinal", "alpha-interval", "alpha-ratio"]
    found = measured(KRIPPENDORFF, *measures)
    assert [found[name].value for name in measures] == pytest.approx([0.743, 0.815, 0.849, 0.797], abs=0.0005)
    assert found["alpha-nominal"].units == 11  # the last unit has one judgment only


# Fleiss' kappa of fourteen raters, ten units, five categories, as in his textbook: 0.210.
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_fleiss():
    table = [[c for c, count in enumerate(row) for _ in range(count)] for row in FLEISS]
    assert measured(table, "fleiss")["fleiss"].value == pytest.approx(0.210, abs=0.0005)


TABLES = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=3, max_size=3), min_size=2, max_size=15
).filter(lambda table: any(sum(x is not None for x in row) > 1 for row in table))


@given(TABLES)
def test_by_the_textbook(table):
    measures = ["fleiss", "alpha-nominal", "alpha-ordinal", "alpha-interval", "alpha-ratio", "cohen", "cohen-linear"]
    results = agreement(judged(table), measures=measures, samples=0)
    units = [[x for x in row if x is not None] for row in table]
    found = {one.measure: one.value for one in results if one.first is None}
    assert found["fleiss"] == pytest.approx(textbook.fleiss(units))
    for metric in ("nominal", "ordinal", "interval", "ratio"):
        assert found[f"alpha-{metric}"] == pytest.approx(textbook.alpha(units, metric), nan_ok=True)
    pairs = defaultdict(list)
    for row in table:
        for i in range(3):
            for j in range(i + 1, 3):
                if row[i] is not None and row[j] is not None:
                    pairs[f"r{i}", f"r{j}"].append((row[i], row[j]))
    for measure, distance in (("cohen", lambda a, b: float(a != b)), ("cohen-linear", lambda a, b: abs(a - b))):
        ours = {
            tuple(sorted((one.first, one.second))): one.value for one in results if one.measure == measure and one.first
        }
        assert ours == pytest.approx(
            {key: textbook.cohen(*zip(*both, strict=True), distance) for key, both in pairs.items()}
        )
        if len(pairs) > 1:
            weights = [len(both) for both in pairs.values()]
            assert found[measure] == pytest.approx(np.average([ours[key] for key in pairs], weights=weights))


def test_intervals_cover():
    """Of 200 samples of a population whose kappa is known, about 95 % of the intervals hold it."""
    rng = np.random.default_rng(5)
    truth = 0.5 * 1.0  # half of the time the second rater copies, half of the time guesses
    hits = 0
    for _ in range(200):
        first = rng.integers(1, 4, 150)
        second = np.where(rng.random(150) < 0.5, first, rng.integers(1, 4, 150))
        one = agreement(judged(list(zip(first, second, strict=True))), measures=["cohen"], samples=400)[0]
        hits += one.low <= truth <= one.high
    assert 0.90 <= hits / 200 <= 0.985


def test_the_same_seed_gives_the_same_interval():
    one, two = (measured(KRIPPENDORFF, "alpha-interval", seed=3)["alpha-interval"] for _ in range(2))
    assert (one.low, one.high) == (two.low, two.high)
    other = measured(KRIPPENDORFF, "alpha-interval", seed=4)["alpha-interval"]
    assert (one.low, one.high) != (other.low, other.high)


@pytest.mark.parametrize("measure", ["alpha-nominal", "alpha-ordinal", "alpha-interval", "icc-1", "icc-2", "icc-3"])
def test_equal_judgments_have_no_agreement_to_speak_of(measure):
    found = measured([[0.1, 0.1, 0.1]] * 7, measure)[measure]
    assert math.isnan(found.value)
    assert found.to_dict()["value"] is None
    assert "all judgments are equal" in found.note


def test_units_that_nobody_shares():
    found = measured([[1, None], [None, 2]], "fleiss", "icc-1", "cohen")
    assert all(math.isnan(one.value) and one.note == "no unit was judged by two raters" for one in found.values())


def test_what_is_refused():
    with pytest.raises(UnknownNameError, match="No measure of agreement is called 'kohen'. Did you mean 'cohen'"):
        agreement(judged(SHROUT), measures=["kohen"])
    with pytest.raises(InputError, match="name no rater"):
        agreement(Judgments.of(system=["a"], segment=[1], score=[1]))
    with pytest.raises(InputError, match="60 different ones. Use alpha-interval"):
        agreement(judged([[i, i + 30] for i in range(30)]), measures=["fleiss"])
    with pytest.raises(InputError, match="alpha-ratio"):
        agreement(judged([[-1, 2], [3, 4]]), measures=["alpha-ratio"])
    with pytest.raises(InputError, match="same items"):
        kappa([1], [1, 2])


def test_what_is_measured_without_being_asked():
    assert {one.measure for one in agreement(judged(SHROUT))} >= {"fleiss", "cohen", "alpha-ordinal", "icc-1", "icc-2"}
    fine = judged([[x * 1.37, x + 0.1] for x in range(15)])
    assert {one.measure for one in agreement(fine)} == {"alpha-interval", "icc-1", "icc-2"}


def test_agreement_with_oneself():
    judgments = Judgments.of(
        system=["s"] * 6, segment=[1, 1, 2, 2, 3, 3], rater=["a", "a", "a", "b", "b", "b"], score=[1, 1, 2, 3, 3, 2]
    )
    units = units_of(judgments, "score", within=True)
    assert units.count == 2  # ada's first segment, ben's third
    assert units.score.tolist() == [1, 1, 3, 2]
    assert agreement(judgments, within=True, measures=["fleiss"])[0].value == pytest.approx(
        textbook.fleiss([[1, 1], [3, 2]])
    )


def test_agreement_of_rankings():
    # Three pairs judged by two raters each: two agree; the order in which systems are named does not matter.
    pairs = Preferences.of(
        ["a", "b", "a", "a", "a", "c"],
        ["b", "a", "c", "c", "b", "a"],
        [1, 1, 1, 1, 2, 9],
        [1, -1, 0, 1, 1, 1],
        rater=["r", "s", "r", "s", "r", "s"],
    )
    found = preference_agreement(pairs, chance="uniform")
    assert found.units == 2
    assert found.value == pytest.approx((1 / 2 - 1 / 3) / (1 - 1 / 3))
    marginal = preference_agreement(pairs)
    expected = (3 / 4) ** 2 + (1 / 4) ** 2
    assert marginal.value == pytest.approx((1 / 2 - expected) / (1 - expected))
    assert math.isnan(preference_agreement(pairs, within=True).value)
    with pytest.raises(InputError, match="name no rater"):
        preference_agreement(Preferences.of(["a"], ["b"], [1], [1]))


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (-0.1, "poor"),
        (0.1, "slight"),
        (0.2, "slight"),
        (0.3, "fair"),
        (0.6, "moderate"),
        (0.7, "substantial"),
        (0.9, "almost perfect"),
    ],
)
def test_bands(value, band):
    from tertium.judgments import Agreement

    assert Agreement("cohen", "k", value, None, None, 1, 2, 2).band == band

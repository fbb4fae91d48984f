"""Agreement on marked spans, against what can be counted by hand and by a slower way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.judgments import Details, Judgments, Span, agreement

SEVERITIES = ("minor", "major")


def judged(*units, length=10):
    """Each unit is a list of raters' spans, (start, end, severity) each; or None for something missing."""
    rows = [(place, rater, spans) for place, unit in enumerate(units, 1) for rater, spans in enumerate(unit)]
    spans = [
        [
            Span(side="missing", severity="minor") if one is None else Span(one[0], one[1], severity=one[2])
            for one in group
        ]
        for _, _, group in rows
    ]
    return Judgments.of(
        system=["Mill"] * len(rows), segment=[place for place, _, _ in rows], kind="ESA",
        rater=[f"r{rater}" for _, rater, _ in rows], score=[0.0] * len(rows),
        details=Details.of(len(rows), spans=spans, length=[length] * len(rows)),
    )  # fmt: skip


def measured(judgments, measure, **how):
    return agreement(judgments, measures=[measure], samples=how.pop("samples", 0), **how)[0]


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ([[(0, 4, "minor")], [(0, 4, "minor")]], 1),
        ([[(0, 4, "minor")], [(0, 4, "major")]], 0.5),  # the place alone
        ([[(0, 4, "minor")], [(2, 6, "minor")]], 0.5),  # two of four characters each
        ([[(0, 4, "minor")], [(4, 6, "minor")]], 0),
        ([[(0, 4, "minor")], []], 0),
        ([[None], [None]], 1),
        ([[None, None], [None]], 2 / 3),
        ([[(0, 4, "minor"), (2, 4, "major")], [(2, 4, "major")]], 2 * 2 / 6),  # the gravest counts
        ([[(0, 2, "minor")], [(0, 2, "minor")], []], 2 * 2 / (4 + 2 + 2)),  # each two of three
    ],
)
def test_f1_by_hand(unit, expected):
    assert measured(judged(unit), "span-f1").value == pytest.approx(expected)


UNITS = st.lists(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 9), st.integers(1, 10), st.sampled_from(SEVERITIES)).filter(lambda s: s[0] < s[1]),
            max_size=3,
        ),
        min_size=2, max_size=3,
    ),
    min_size=1, max_size=5,
)  # fmt: skip


def characters(spans):
    found = {}
    for start, end, severity in spans:
        for place in range(start, end):
            found[place] = max(found.get(place, ""), severity, key=("", *SEVERITIES).index)
    return found


@given(UNITS)
def test_f1_by_the_textbook(units):
    both = size = 0.0
    for unit in units:
        for i, one in enumerate(map(characters, unit)):
            for two in map(characters, unit[i + 1 :]):
                both += sum(1 if one[place] == two[place] else 0.5 for place in one.keys() & two.keys())
                size += len(one) + len(two)
    judgments = judged(*units)
    if not any(group for unit in units for group in unit):
        with pytest.raises(InputError, match="have no marked spans"):
            measured(judgments, "span-f1")
    else:
        assert measured(judgments, "span-f1").value == pytest.approx(2 * both / size)


@given(UNITS)
def test_alpha_is_that_of_characters(units):
    """Each character is a unit of its own, its label a category."""
    rows = [
        (100 * place + character, rater, 1 + ("", *SEVERITIES).index(characters(spans).get(character, "")))
        for place, unit in enumerate(units, 1)
        for rater, spans in enumerate(unit)
        for character in range(10)
    ]
    segment, rater, score = zip(*rows, strict=True)
    letters = Judgments.of(system=["s"] * len(rows), segment=segment, rater=[f"r{one}" for one in rater], score=score)
    if any(group for unit in units for group in unit):
        expected = agreement(letters, measures=["alpha-nominal"], samples=0)[0].value
        assert measured(judged(*units), "span-alpha").value == pytest.approx(expected, nan_ok=True)


def test_intervals_and_notes():
    rng = np.random.default_rng(4)
    units = []
    for _ in range(30):
        start = int(rng.integers(0, 6))
        units.append([[(start, start + 3, "minor")], [(start + int(rng.integers(0, 2)), start + 4, "minor")]])
    for measure in ("span-f1", "span-alpha"):
        found = measured(judged(*units), measure, samples=200)
        assert found.low < found.value < found.high
        assert (found.units, found.raters, found.judgments, found.note) == (30, 2, 60, None)
    assert measured(judged(*units), "span-f1").band is None
    assert "end with the last span" in measured(judged(*units, length=0), "span-alpha").note
    assert measured(judged([[(0, 1, "minor")]]), "span-f1").note == "no unit was judged by two raters"
    with pytest.raises(InputError, match="different raters"):
        measured(judged(*units), "span-f1", within=True)

"""The contract that every metric keeps, as checks that can be run on a metric of one's own.

    import pytest
    import tertium.testing

    @pytest.mark.parametrize("check", tertium.testing.CONTRACT, ids=lambda check: check.__name__)
    def test_contract(check):
        check(LengthError())

Each check takes a metric and raises AssertionError, saying what it found. None of them needs pytest.
"""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric

HYPOTHESES = [
    "The river rose by 3.5 metres overnight, and nobody had slept.",
    "He said: \"it's fine\" -- it wasn't (not at all).",
    "",
    "yes",
    "Das Brot kostet 4,20 € - wie immer & überall.",
    "У селі знову з'явилася вода, але не світло.",
    "नदी का पानी रात भर में बढ़ गया।",
    "水位一夜之间上涨了三米。",
    "one two one two one two one two one two",
    "  leading and trailing blanks \t ",
    " ".join(f"word{n % 23}" for n in range(140)),
    "&quot;Quoted&quot; &amp; <skipped>cut",
]
REFERENCES: list[list[str]] = [
    ["Overnight the river rose by 3.5 metres, and nobody slept.", "The river rose 3.5 metres; no one had slept."],
    ['He said "it is fine" -- but it wasn\'t (not at all).'],
    ["There was something here.", ""],
    ["yes", "no", "yes, indeed"],
    ["Das Brot kostet 4,20 €, wie immer und überall."],
    ["У селі знову є вода, але немає світла."],
    ["रात भर में नदी का पानी बढ़ गया।"],
    ["水位在一夜之间上涨了三米。", "一夜之间，水位上涨三米。"],
    ["one two three one two three"],
    ["leading and trailing blanks"],
    [" ".join(f"word{n % 29}" for n in range(150)), "word1 word2"],
    ['"Quoted" & cut'],
]
LONG_ENOUGH = [text for text in HYPOTHESES if len(text.split()) > 4]  # has n-grams of every order in use

Check = Callable[[Metric], None]


def check_metric(metric: Metric) -> None:
    """Run the whole contract; all that is broken is said at once."""
    broken = []
    for check in CONTRACT:
        try:
            check(metric)
        except AssertionError as error:
            broken.append(f"{check.__name__}: {error}")
        except Exception as error:  # whatever a metric does
            broken.append(f"{check.__name__}: {type(error).__name__}: {error}")
    if broken:
        raise AssertionError(f"{metric.name} breaks its contract.\n" + "\n".join(broken))


def _rows(metric: Metric, hypotheses: Sequence[str] = (), references: Sequence[Any] = ()) -> Floats:
    fitted = metric.fitted_to(REFERENCES)
    return fitted.statistics(hypotheses or HYPOTHESES, references or REFERENCES)


def _same(ours: Any, theirs: Any, what: str, *, within: float = 0.0) -> None:
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    assert ours.shape == theirs.shape, f"{what}: the shapes are {ours.shape} and {theirs.shape}"
    assert np.allclose(ours, theirs, rtol=within, atol=within and 1e-12), (
        f"{what}: {ours!r:.200} is not {theirs!r:.200}"
    )


def one_finite_row_per_segment(metric: Metric) -> None:
    """Rows are numbers, as many as there are columns, with names that differ."""
    rows = _rows(metric)
    assert rows.shape == (len(HYPOTHESES), len(metric.columns)), f"rows have the shape {rows.shape}"
    assert rows.dtype == np.float64, f"rows are of {rows.dtype}, not float64"
    assert np.isfinite(rows).all(), "a row holds nan or inf"
    assert len(set(metric.columns)) == len(metric.columns), "two columns have one name"


def no_segments_make_no_rows(metric: Metric) -> None:
    """Nothing scores something finite."""
    rows = metric.fitted_to(REFERENCES).statistics([], [])
    assert rows.shape == (0, len(metric.columns)), f"no segments give rows of the shape {rows.shape}"
    assert np.isfinite(metric.score(rows.sum(axis=0))), "the score of nothing is not finite"


def rows_are_independent(metric: Metric) -> None:
    """A row depends on its own segment alone."""
    fitted = metric.fitted_to(REFERENCES)
    parts = [fitted.statistics([h], [r]) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    _same(_rows(metric), np.vstack(parts), "rows of all segments and of each alone")


def threads_do_not_change_rows(metric: Metric) -> None:
    """Rows are the same to the last bit, however many threads make them."""
    fitted = metric.fitted_to(REFERENCES)
    one, seven = (fitted.statistics(HYPOTHESES * 9, REFERENCES * 9, threads=count) for count in (1, 7))
    _same(one, seven, "rows by one thread and by seven")


def scores_row_by_row_as_in_bulk(metric: Metric) -> None:
    """`score` takes leading axes, and gives the same for one row as for many."""
    metric = metric.fitted_to(REFERENCES)
    rows = _rows(metric)
    single = [float(metric.score(row)) for row in rows]
    _same(metric.score(rows), single, "scores in bulk and one by one", within=1e-13)
    cube = rows.reshape(3, -1, rows.shape[1])
    _same(metric.score(cube), np.reshape(single, (3, -1)), "scores of a cube of rows", within=1e-13)


def segment_order_is_irrelevant(metric: Metric) -> None:
    """Rows come in the order of segments, and their sum does not know it."""
    rows, backward = _rows(metric), _rows(metric, HYPOTHESES[::-1], REFERENCES[::-1])
    _same(rows, backward[::-1], "rows of segments in reverse")
    metric = metric.fitted_to(REFERENCES)
    _same(metric.score(rows.sum(axis=0)), metric.score(backward.sum(axis=0)), "the corpus score", within=1e-12)


def scores_lie_in_the_range(metric: Metric) -> None:
    """No score is outside the limits that the metric declares."""
    metric = metric.fitted_to(REFERENCES)
    scores = metric.score(_rows(metric))
    low, high = metric.limits
    assert low is None or (scores >= low - 1e-9).all(), f"a score is {scores.min()}, below {low}"
    assert high is None or (scores <= high + 1e-9).all(), f"a score is {scores.max()}, above {high}"


def a_perfect_match_gets_the_perfect_score(metric: Metric) -> None:
    """Where there is a perfect score, a text that equals its reference gets it."""
    if metric.perfect is None:
        return
    metric = metric.fitted_to(REFERENCES)
    rows = metric.statistics(LONG_ENOUGH, [[text] for text in LONG_ENOUGH])
    _same(metric.score(rows), [metric.perfect] * len(rows), "scores of texts that equal their references", within=1e-12)
    _same(metric.score(rows.sum(axis=0)), metric.perfect, "their corpus score", within=1e-12)


def better_text_scores_better(metric: Metric) -> None:
    """`higher_is_better` points the right way: an equal text beats an empty reference."""
    metric = metric.fitted_to(REFERENCES)
    text = "the empty reference is much further from this text than the missing one was"
    worse, better = (float(metric.score(metric.statistics([text], [one])[0])) for one in ("", text))
    right = worse < better if metric.higher_is_better else worse > better
    assert right, f"a wrong text scores {worse}, a right one {better}, but higher_is_better={metric.higher_is_better}"


def empty_and_short_text_stays_finite(metric: Metric) -> None:
    """No text makes a score that is no number."""
    metric = metric.fitted_to(REFERENCES)
    for hypothesis, reference in (("", ""), ("", "a word"), ("a word", ""), (" ", "\u3000"), ("a", "a")):
        rows = metric.statistics([hypothesis], [[reference]])
        found = [rows, metric.score(rows), *metric.parts(rows).values()]
        assert all(np.isfinite(one).all() for one in found), f"{hypothesis!r} against {reference!r} is not finite"


def parts_have_the_shape_of_the_score(metric: Metric) -> None:
    """What a score is made of comes in the shape of the score."""
    metric = metric.fitted_to(REFERENCES)
    rows = _rows(metric)
    for name, part in metric.parts(rows).items():
        assert part.shape == (len(rows),), f"the part {name} has the shape {part.shape} for {len(rows)} rows"
    assert all(np.shape(part) == () for part in metric.parts(rows.sum(axis=0)).values()), "parts of one sum are arrays"


def unequal_lengths_are_refused(metric: Metric) -> None:
    """Texts that do not fit together are refused with both numbers, and not cut."""
    metric = metric.fitted_to(REFERENCES)
    said = ""
    try:
        metric.statistics(HYPOTHESES, REFERENCES[1:])
    except InputError as error:
        said = str(error)
    assert said, "12 hypotheses and 11 references were scored"
    assert "12" in said, f"the message does not say how many hypotheses there are: {said}"
    assert "11" in said, f"the message does not say how many references there are: {said}"


def rows_of_another_metric_are_refused(metric: Metric) -> None:
    """Rows with other columns, or with nan, are no rows of this metric."""
    metric = metric.fitted_to(REFERENCES)
    width = len(metric.columns)
    for rows in (np.zeros((2, width + 1)), np.full(width, np.nan)):
        try:
            metric.score(rows)
        except InputError:
            continue
        raise AssertionError(f"rows of the shape {rows.shape} were scored: {rows!r:.80}")


def survives_pickling(metric: Metric) -> None:
    """A copy is equal, also to a dictionary, and signs alike."""
    metric = metric.fitted_to(REFERENCES)
    copy = pickle.loads(pickle.dumps(metric))
    assert copy == metric, "a pickled copy is not equal"
    assert hash(copy) == hash(metric), "a pickled copy has another hash"
    assert copy.signature(1) == metric.signature(1), "a pickled copy signs otherwise"


def the_signature_names_every_setting(metric: Metric) -> None:
    """What fixes a score is in its signature."""
    head, *tail = metric.signature(3).split("|")
    assert head.partition(":")[0] == metric.name, f"the signature begins with {head[:40]}"
    assert {"refs=3", f"tertium={__version__}"} <= set(tail), f"the signature ends with {tail}"
    written = head.partition(":")[2].split(",")
    for name, value in metric.settings().items():
        assert f"{name}={value}" in written, f"the signature lacks {name}={value}"


def settings_cannot_be_changed(metric: Metric) -> None:
    """A metric stays what its signature says."""
    for name in metric.settings():
        if hasattr(metric, name):
            try:
                setattr(metric, name, getattr(metric, name))
            except AttributeError:
                continue
            raise AssertionError(f"{name} can be set: make it a frozen dataclass")


CONTRACT: tuple[Check, ...] = (
    one_finite_row_per_segment,
    no_segments_make_no_rows,
    rows_are_independent,
    threads_do_not_change_rows,
    scores_row_by_row_as_in_bulk,
    segment_order_is_irrelevant,
    scores_lie_in_the_range,
    a_perfect_match_gets_the_perfect_score,
    better_text_scores_better,
    empty_and_short_text_stays_finite,
    parts_have_the_shape_of_the_score,
    unequal_lengths_are_refused,
    rows_of_another_metric_are_refused,
    survives_pickling,
    the_signature_names_every_setting,
    settings_cannot_be_changed,
)

"""The contract that every metric keeps, whatever it counts."""

import pickle
import sys

import numpy as np
import pytest

import tertium
from tertium import BLEU, CDER, CHRF, NIST, PER, TER, WER, Averaged, Combination, parse_metric
from tertium.errors import InputError
from tertium.metrics import METRICS
from tertium.metrics.settings import settings_of
from tertium.text.tokenizers import NATIVE

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
REFERENCES = [
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
LONG_ENOUGH = [text for text in HYPOTHESES if len(text.split()) > 4]  # has n-grams of every order used here

VARIANTS = [
    CHRF(word_order=2),
    CHRF(char_order=3, word_order=1, beta=1, lowercase=True, whitespace=True),
    CHRF(eps_smoothing=True, unicode="nfc"),
    Averaged(BLEU()),
    Averaged(CHRF()),
    Averaged(NIST()),
    NIST(order=2, tokenize="mteval", lowercase=True),
    NIST(order=9, perl_zero_prefix=False, unicode="nfc"),
    Combination({NIST(order=3): 0.5, BLEU(): 0.5}),
    BLEU(mean="arithmetic"),
    BLEU(orders=(2, 5), weights=(0.3, 0.7)),
    BLEU(smoothing="none", effective_order=True),
    BLEU(smoothing="floor", smoothing_value=0.01, reference_length="shortest"),
    BLEU(smoothing="add-k", reference_length="average"),
    BLEU(smoothing="mteval"),
    BLEU(sentence_boundaries="both"),
    BLEU(sentence_boundaries="initial", boundary_symbols="1", lowercase=True),
    BLEU(unicode="nfkc"),
    *(BLEU(tokenize=name, lowercase=True) for name in NATIVE),
    BLEU(stem="en", synonyms="wordnet"),
    WER(substitution="stem"),
    WER(synonyms="wordnet", references="min-avg"),
    PER(stem="hi"),
    PER(substitution="synonym"),
    CDER(substitution="synonym", direction="maximum"),
    CDER(substitution="prefix", stem="de"),
    TER(stem="en", variant="sacrebleu"),
]


def changed_settings(metric):
    usual = metric.default().settings()
    return " ".join([metric.name, *(value for key, value in metric.settings().items() if value != usual[key])])


@pytest.fixture(params=[*(metric() for metric in METRICS), *VARIANTS], ids=changed_settings)
def unfitted(request):
    return request.param


@pytest.fixture
def metric(unfitted):
    return unfitted.fitted_to(REFERENCES)


def test_one_finite_row_per_segment(metric):
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    assert rows.shape == (len(HYPOTHESES), len(metric.columns))
    assert rows.dtype == np.float64
    assert np.isfinite(rows).all()
    assert len(set(metric.columns)) == len(metric.columns)


def test_no_segments_make_no_rows(metric):
    rows = metric.statistics([], [])
    assert rows.shape == (0, len(metric.columns))
    assert np.isfinite(metric.score(rows.sum(axis=0)))


def test_rows_are_independent(metric):
    whole = metric.statistics(HYPOTHESES, REFERENCES)
    parts = [metric.statistics([h], [r]) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    np.testing.assert_array_equal(whole, np.vstack(parts))


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_do_not_change_rows(metric, threads):
    expected = np.tile(metric.statistics(HYPOTHESES, REFERENCES, threads=1), (40, 1))
    np.testing.assert_array_equal(metric.statistics(HYPOTHESES * 40, REFERENCES * 40, threads=threads), expected)


def test_scores_row_by_row_as_in_bulk(metric):
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    one_by_one = [float(metric.score(row)) for row in rows]
    np.testing.assert_allclose(metric.score(rows), one_by_one, rtol=1e-13)
    cube = rows.reshape(3, -1, rows.shape[1])
    np.testing.assert_allclose(metric.score(cube), np.reshape(one_by_one, (3, -1)), rtol=1e-13)


def test_segment_order_is_irrelevant(metric):
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    backward = metric.statistics(HYPOTHESES[::-1], REFERENCES[::-1])
    np.testing.assert_array_equal(rows, backward[::-1])
    assert metric.score(backward.sum(axis=0)) == pytest.approx(metric.score(rows.sum(axis=0)), rel=1e-12)


def test_scores_lie_in_the_declared_range(metric):
    scores = metric.score(metric.statistics(HYPOTHESES, REFERENCES))
    assert (scores >= 0).all()
    if metric.range == "0 to 100":
        assert (scores <= 100 + 1e-9).all()
    else:
        assert metric.range.startswith("0 and ")  # error rates have no upper end


def test_a_perfect_match_gets_the_perfect_score(metric):
    rows = metric.statistics(LONG_ENOUGH, [[text] for text in LONG_ENOUGH])
    if metric.perfect is not None:
        assert metric.score(rows) == pytest.approx([metric.perfect] * len(rows), rel=1e-12)
        assert metric.score(rows.sum(axis=0)) == pytest.approx(metric.perfect, rel=1e-12)


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", ""), ("", "a word"), ("a word", ""), (" ", "\u3000"), ("a", "a")]
)
def test_empty_and_short_text_stays_finite(metric, hypothesis, reference):
    rows = metric.statistics([hypothesis], [[reference]])
    assert np.isfinite(rows).all()
    assert np.isfinite(metric.score(rows)).all()
    assert all(np.isfinite(part).all() for part in metric.parts(rows).values())


def test_parts_have_the_shape_of_the_score(metric):
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    assert all(part.shape == (len(rows),) for part in metric.parts(rows).values())
    assert all(np.shape(part) == () for part in metric.parts(rows.sum(axis=0)).values())
    assert list(metric.parts(rows)) == list(metric.parts(rows[0]))


def test_unequal_lengths_are_refused_with_both_numbers(metric):
    with pytest.raises(InputError, match=r"hypotheses has 12 segments, but references has 11\."):
        metric.statistics(HYPOTHESES, REFERENCES[1:])


def test_references_that_look_like_sets_are_recognised(metric):
    with pytest.raises(InputError, match="2 segments, but references has 3.*reference_sets"):
        metric.statistics(["a", "b"], [["a", "b"], ["c", "d"], ["e", "f"]])


@pytest.mark.parametrize("references", [[["a"], []], [["a"], [None]], [["a"], None]])
def test_a_segment_without_reference_is_refused(metric, references):
    with pytest.raises(InputError, match=r"references\[1\]"):
        metric.statistics(["a", "b"], references)


def test_missing_references_are_dropped_and_empty_ones_kept(metric):
    text = "the empty reference is much further from this text than the missing one was"
    with_none = metric.statistics([text], [[None, text, None]])
    np.testing.assert_array_equal(with_none, metric.statistics([text], [text]))
    np.testing.assert_array_equal(metric.statistics([text], [""]), metric.statistics([text], [[""]]))
    worse, better = metric.score(metric.statistics([text], [""])), metric.score(with_none)
    assert worse < better if metric.higher_is_better else worse > better


def test_one_string_is_one_reference(metric):
    nested = [[group[0]] for group in REFERENCES]
    flat = [group[0] for group in REFERENCES]
    np.testing.assert_array_equal(metric.statistics(HYPOTHESES, flat), metric.statistics(HYPOTHESES, nested))


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_impossible_thread_counts_are_refused(metric, threads):
    with pytest.raises(InputError, match="threads"):
        metric.statistics(["a"], ["a"], threads=threads)


def test_survives_pickling(metric):
    copy = pickle.loads(pickle.dumps(metric))
    assert copy == metric
    assert hash(copy) == hash(metric)
    assert copy.signature(1) == metric.signature(1)


def test_signature_round_trip(unfitted):
    assert parse_metric(unfitted.signature(1)) == unfitted
    assert parse_metric(unfitted.signature("var")) == unfitted
    assert parse_metric(unfitted.signature()) == unfitted


def test_what_was_learnt_is_in_the_signature(unfitted, metric):
    if unfitted.is_fitted:
        assert metric == unfitted
    else:
        assert metric.is_fitted
        with pytest.raises(InputError, match="from references"):
            parse_metric(metric.signature(1))


def test_signature_names_everything_that_fixes_the_score(metric):
    head, *tail = metric.signature(3).split("|")
    assert head.startswith(f"{metric.name}:")
    assert tail == ["refs=3", "unicode=17.0", f"tertium={tertium.__version__}"]
    for setting, value in metric.settings().items():
        assert f"{setting}={value}" in head.partition(":")[2].split(",")


def test_settings_cannot_be_changed(metric):
    with pytest.raises(AttributeError):
        metric.unicode = "nfc"


@pytest.mark.parametrize("name", tertium.__all__)
def test_public_names_exist(name):
    assert getattr(tertium, name) is not None
    assert name in dir(tertium)


def test_unknown_public_names_do_not():
    with pytest.raises(AttributeError, match="no attribute 'BLUE'"):
        tertium.BLUE  # noqa: B018


@pytest.mark.parametrize("metric_class", METRICS)
def test_metrics_describe_themselves(metric_class, monkeypatch, capsys):
    from tertium.cli.main import main

    assert metric_class.name == metric_class.name.lower()
    assert metric_class.source
    assert isinstance(metric_class.higher_is_better, bool)
    monkeypatch.setattr(sys, "argv", ["tertium", "metrics", metric_class.name])
    assert main() in (0, None)
    card = " ".join(capsys.readouterr().out.split())
    for text in (metric_class.__doc__.splitlines()[0], metric_class.range):
        assert " ".join(text.split()) in card
    for name, one in settings_of(metric_class).items():
        assert f" {name}=" in card
        assert one.meaning in card


@pytest.mark.parametrize("metric", VARIANTS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_a_row_of_no_number_is_refused(metric, odd):
    """It would often be scored as 0."""
    with pytest.raises(InputError, match="nan or inf"):
        metric.score(np.full(len(metric.columns), odd))

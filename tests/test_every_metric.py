"""The contract that every metric keeps, whatever it counts."""

import sys

import numpy as np
import pytest

import tertium
from tertium import BLEU, CDER, CHRF, NIST, PER, TER, WER, Averaged, Combination, parse_metric
from tertium.errors import InputError
from tertium.metrics import METRICS
from tertium.metrics.settings import settings_of
from tertium.testing import CONTRACT, HYPOTHESES, REFERENCES
from tertium.text.tokenizers import NATIVE

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
    if isinstance(metric, type):
        return metric.name
    usual = metric.default().settings()
    return " ".join([metric.name, *(value for key, value in metric.settings().items() if value != usual[key])])


@pytest.fixture(params=[*METRICS, *VARIANTS], ids=changed_settings)
def unfitted(request):
    return request.param() if isinstance(request.param, type) else request.param


@pytest.fixture
def metric(unfitted):
    return unfitted.fitted_to(REFERENCES)


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_contract(unfitted, check):
    check(unfitted)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_do_not_change_rows(metric, threads):
    expected = np.tile(metric.statistics(HYPOTHESES, REFERENCES, threads=1), (40, 1))
    np.testing.assert_array_equal(metric.statistics(HYPOTHESES * 40, REFERENCES * 40, threads=threads), expected)


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

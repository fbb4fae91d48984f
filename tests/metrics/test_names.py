"""Metrics as text: after -m, in signatures, as labels of results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from tertium import BLEU, CHRF, TER, Averaged, TERp, parse_metric
from tertium.errors import InputError, UnknownNameError
from tertium.metrics import ALIASES, METRICS, PLACES, labels, names
from tertium.metrics.settings import settings_of
from tertium.text.tokenizers import MECAB, NATIVE


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("bleu", BLEU()),
        ("bleu:", BLEU()),
        (" bleu ", BLEU()),
        ("bleu:tokenize=intl,lowercase=true", BLEU(tokenize="intl", lowercase=True)),
        ("bleu:lowercase=True", BLEU(lowercase=True)),
        ("bleu:orders=1+2", BLEU(orders=(1, 2))),
        ("bleu:orders=3", BLEU(orders=(3,))),
        ("bleu:orders=1+2,weights=0.5+2", BLEU(orders=(1, 2), weights=(0.5, 2))),
        ("bleu:smoothing=floor,smoothing_value=0.01", BLEU(smoothing="floor", smoothing_value=0.01)),
        ("bleu:smoothing=lin-och", BLEU(smoothing="add-k", smoothing_value=1)),
        ("bleu:smoothing_value=default", BLEU()),
        ("bleu:orders=default", BLEU()),
        ("bleu:boundary_symbols=1,sentence_boundaries=both", BLEU(boundary_symbols="1", sentence_boundaries="both")),
        ("chrf", CHRF()),
        ("chrf:beta=3", CHRF(beta=3)),
        ("chrf:beta=0.5,char_order=4", CHRF(beta=0.5, char_order=4)),
        ("chrf++", CHRF(word_order=2)),
        ("chrf++:beta=1", CHRF(word_order=2, beta=1)),
        ("chrf++:word_order=1", CHRF(word_order=1)),
        ("bleu-s", BLEU(smoothing="add-k", smoothing_value=1)),
        ("bleu-s:tokenize=none", BLEU(smoothing="add-k", tokenize="none")),
        ("spbleu", BLEU(tokenize="flores200")),
        ("averaged-bleu-s", Averaged(BLEU(smoothing="lin-och"))),
        ("bleu:lowercase=true|refs=2|unicode=17.0|tertium=0.1.0", BLEU(lowercase=True)),
    ],
)
def test_parse(text, metric):
    assert parse_metric(text) == metric


@pytest.mark.parametrize("alias", ALIASES)
def test_aliases_are_metrics(alias):
    assert parse_metric(alias) == parse_metric(ALIASES[alias])


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("blue", UnknownNameError, "No metric is called 'blue'. Did you mean 'bleu'? Known: bleu, chrf, "),
        ("", UnknownNameError, "No metric is called ''."),
        ("averaged-blue", UnknownNameError, "Did you mean 'bleu'?"),
        ("bleu:tokenise=13a", UnknownNameError, "No setting of bleu is called 'tokenise'. Did you mean 'tokenize'?"),
        ("bleu:tokenize=13b", UnknownNameError, "Did you mean '13a'?"),
        ("bleu:lowercase", InputError, "has no value. Write lowercase=VALUE."),
        ("bleu:lowercase=maybe", InputError, "lowercase cannot be 'maybe'. It must be written like lowercase=false."),
        ("bleu:orders=one", InputError, "It must be written like orders=1+2+3+4."),
        ("bleu:orders=1++2", InputError, "orders cannot be"),
        ("bleu:weights=a", InputError, "weights cannot be 'a'"),
        ("bleu:orders=1+1", InputError, "twice"),
        ("chrf:beta=two", InputError, "beta cannot be 'two'"),
        ("chrf:beta=nan", InputError, "beta must be"),
        ("chrf:beta=" + 400 * "9", InputError, "beta must be"),
        ("chrf:char_order=1.5", InputError, "char_order cannot be '1.5'"),
        ("bleu:tokenize=custom", InputError, "a text cannot bring back"),
        ("bleu:tokenize=spm:words.model@0123456789ab", InputError, "Give its path"),
        ("averaged-averaged-bleu", InputError, "Averaged takes a metric"),
        (7, InputError, "is a string such as"),
    ],
)
def test_errors(text, kind, message):
    with pytest.raises(kind) as raised:
        parse_metric(text)
    assert message in str(raised.value)


def test_a_model_path_may_hold_an_at_sign():
    assert parse_metric("bleu:tokenize=spm:/models@home/words.model").tokenize == "spm:/models@home/words.model"


# --- round trips --------------------------------------------------------------------------------------------

numbers = st.one_of(
    st.sampled_from([0, 1, 2, 0.1, 1e-7, 123456.125]),
    st.floats(0, 1e6, allow_nan=False),
    st.integers(0, 10**6),
)


@st.composite
def bleus(draw):
    orders = draw(st.lists(st.integers(1, 1000), min_size=1, max_size=6, unique=True))
    smoothing = draw(st.sampled_from(["exp", "none", "floor", "add-k", "mteval", "lin-och"]))
    return BLEU(
        tokenize=draw(st.sampled_from([*NATIVE, *MECAB])),
        lowercase=draw(st.booleans()),
        orders=tuple(orders),
        weights=draw(st.none() | st.tuples(*[numbers] * len(orders)).filter(lambda w: sum(w) > 0)),
        smoothing=smoothing,
        smoothing_value=draw(st.none() | numbers) if smoothing in ("floor", "add-k") else None,
        effective_order=draw(st.booleans()),
        reference_length=draw(st.sampled_from(settings_of(BLEU)["reference_length"].choices)),
        mean=draw(st.sampled_from(settings_of(BLEU)["mean"].choices)),
        sentence_boundaries=draw(st.sampled_from(settings_of(BLEU)["sentence_boundaries"].choices)),
        boundary_symbols=draw(st.sampled_from(settings_of(BLEU)["boundary_symbols"].choices)),
        unicode=draw(st.sampled_from(["none", "nfc", "nfkc"])),
    )


chrfs = st.builds(
    CHRF,
    char_order=st.integers(1, 500),
    word_order=st.integers(0, 500),
    beta=st.one_of(st.sampled_from([1, 2, 3]), st.floats(1e-9, 1000), st.integers(1, 1000)),
    lowercase=st.booleans(),
    whitespace=st.booleans(),
    eps_smoothing=st.booleans(),
    unicode=st.sampled_from(["none", "nfc", "nfkc"]),
)
metrics = st.one_of(bleus(), chrfs, bleus().map(Averaged), chrfs.map(Averaged))


@examples(600)
@given(metrics, st.sampled_from([None, 1, 4, "var"]))
def test_signature_round_trip(metric, references):
    assert parse_metric(metric.signature(references)) == metric


@examples(400)
@given(st.one_of(st.tuples(bleus(), bleus()), st.tuples(chrfs, chrfs), st.tuples(metrics, metrics)))
def test_metrics_share_a_signature_exactly_if_they_are_equal(pair):
    one, two = pair
    assert (one.signature(1) == two.signature(1)) == (one == two)


def test_places_are_by_name():
    assert list(PLACES) == [metric.name for metric in METRICS]


@pytest.mark.parametrize("metric_class", METRICS)
def test_every_setting_is_in_the_signature(metric_class):
    default = metric_class()
    for name in default.settings():
        assert f"{name}=" in default.signature()


# --- labels -------------------------------------------------------------------------------------------------


def test_labels_are_names_with_what_tells_them_apart():
    given_metrics = [BLEU(), BLEU(lowercase=True), BLEU(lowercase=True, tokenize="intl"), CHRF(beta=3)]
    assert list(labels(given_metrics)) == ["bleu", "bleu:lowercase=true", "bleu:tokenize=intl,lowercase=true", "chrf"]


def test_labels_leave_out_what_follows_from_the_rest():
    metrics = [TERp(), TERp(costs="ter"), TERp(costs="ter", beam=35), TER(), TER(variant="sacrebleu")]
    expected = ["terp", "terp:costs=ter", "terp:costs=ter,beam=35", "ter", "ter:variant=sacrebleu"]
    assert list(labels(metrics)) == expected
    assert [parse_metric(text) for text in expected] == metrics


def test_labels_can_be_parsed_back():
    given_metrics = [BLEU(), BLEU(orders=(1, 2), weights=(1, 3)), CHRF(), CHRF(word_order=2), Averaged(BLEU())]
    assert {label: parse_metric(label) for label in labels(given_metrics)} == labels(given_metrics)


def test_labels_may_be_given():
    assert labels({"mine": BLEU()}) == {"mine": BLEU()}
    assert labels(BLEU(tokenize="zh")) == {"bleu": BLEU(tokenize="zh")}


def test_texts_are_metrics_and_their_own_labels():
    assert labels("bleu") == {"bleu": BLEU()}
    assert labels(["bleu", "chrf++"]) == {"bleu": BLEU(), "chrf++": CHRF(word_order=2)}
    assert labels({"mine": "bleu"}, language="en-zh") == {"mine": BLEU(tokenize="zh")}
    assert labels(["bleu:tokenize=char", BLEU()], language="zh") == {
        "bleu:tokenize=char": BLEU(tokenize="char"), "bleu": BLEU()
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "No metric was given"),
        ({}, "No metric was given"),
        ([BLEU(), BLEU()], "given twice"),
        (["bleu", "bleu"], "given twice"),
        ([BLEU], "is no metric"),
        ({"a": 1}, "is no metric"),
        (1, "is no metric. Give objects such as BLEU()"),
    ],
)
def test_wrong_metrics(wrong, message):
    with pytest.raises(InputError) as raised:
        labels(wrong)
    assert message in str(raised.value)


def test_titles_that_would_be_the_same_are_left_alone():
    """Another program's chrF beside our own chrf."""
    assert names.titles(["bleu", "chrf", "COMET"]) == {"bleu": "BLEU", "chrf": "chrF", "COMET": "COMET"}
    assert names.titles(["bleu", "chrf", "chrF"]) == {"bleu": "BLEU", "chrf": "chrf", "chrF": "chrF"}

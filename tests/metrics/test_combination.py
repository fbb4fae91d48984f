"""Weighted sums of metrics, in Python and after -m."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import BLEU, CDER, CHRF, PER, WER, Averaged, Combination, parse_metric
from tertium.errors import InputError, UnknownNameError
from tertium.metrics import labels
from tertium.metrics.settings import settings_of

PAPER = Combination({CDER(substitution="prefix"): 0.6, PER(substitution="prefix"): 0.4})
HYPOTHESES = ["the ferry leaves at seven", "dogs travel free", ""]
REFERENCES = [["at seven the ferry leaves", "the ferry goes at 7"], ["dogs are carried free"], ["nothing"]]


def test_is_the_weighted_sum_of_scores():
    rows = PAPER.statistics(HYPOTHESES, REFERENCES)
    cder, per = (m.score(m.statistics(HYPOTHESES, REFERENCES)) for m in PAPER.parts_of)
    np.testing.assert_allclose(PAPER.score(rows), 0.6 * cder + 0.4 * per, rtol=1e-14)
    totals = [m.score(m.statistics(HYPOTHESES, REFERENCES).sum(axis=0)) for m in PAPER.parts_of]
    assert PAPER.score(rows.sum(axis=0)) == pytest.approx(0.6 * totals[0] + 0.4 * totals[1])


def test_columns_stand_side_by_side():
    assert PAPER.columns == ("cder.edits", "cder.reference_length", "per.edits", "per.reference_length", "per.matches",
                             "per.hypothesis_length")  # fmt: skip
    twice = Combination({CDER(): 1, CDER(direction="reversed"): 1})
    assert twice.columns[::2] == ("cder1.edits", "cder2.edits")
    assert len(set(twice.columns)) == len(twice.columns)
    assert set(PAPER.parts(np.zeros(6))) > {"cder", "per", "cder.edits"}


def test_describes_itself():
    assert (PAPER.name, PAPER.higher_is_better, PAPER.perfect) == ("cder+per", False, 0)
    assert Combination({BLEU(): 1, CHRF(): 2}).perfect is None or Combination({BLEU(): 1, CHRF(): 2}).perfect == 300
    assert PAPER.range == CDER.range
    assert "0 and up" in Combination({BLEU(): 1, CHRF(): 2}).range
    assert "Leusch" in PAPER.source
    assert set(PAPER.settings()) <= set(PAPER.meanings)


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("cder+per:weights=0.6+0.4,substitution=prefix", PAPER),
        ("cder+per", Combination({CDER(): 0.5, PER(): 0.5})),
        ("cder+per:variant=recall,1.lowercase=true",
         Combination({CDER(lowercase=True): 0.5, PER(variant="recall"): 0.5})),
        ("bleu+chrf++:weights=1+2", Combination({BLEU(): 1, CHRF(word_order=2): 2})),
        ("chrf+++bleu:weights=1+2", Combination({CHRF(word_order=2): 1, BLEU(): 2})),
        ("bleu+chrf:1.weights=1+1,1.orders=1+2", Combination({BLEU(orders=(1, 2), weights=(1, 1)): 0.5, CHRF(): 0.5})),
        ("averaged-wer+per", Combination({Averaged(WER()): 0.5, PER(): 0.5})),
        ("averaged-(wer+per):lowercase=true",
         Averaged(Combination({WER(lowercase=True): 0.5, PER(lowercase=True): 0.5}))),
        ("cder+cder:2.direction=reversed,weights=1+1", Combination({CDER(): 1, CDER(direction="reversed"): 1})),
        ("wer+per+cder:weights=1+2+3", Combination({WER(): 1, PER(): 2, CDER(): 3})),
    ],
)  # fmt: skip
def test_parse(text, metric):
    assert parse_metric(text) == metric
    assert parse_metric(metric.signature(2)) == metric


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("cder+pr", UnknownNameError, "No metric is called 'pr'. Did you mean 'per'?"),
        ("cder+", UnknownNameError, "No metric is called ''."),
        ("cder+per:weights=1", InputError, "weights=1 must be 2 numbers"),
        ("cder+per:weights=a+b", InputError, "must be 2 numbers"),
        ("cder+per:weights=-1+2", InputError, "weight of cder must be a number of at least 0"),
        ("cder+per:weights=nan+2", InputError, "weight of cder must be"),
        ("cder+per:weights=0+0", InputError, "a weight above 0"),
        ("cder+per:tokenise=none", UnknownNameError, "Did you mean 'tokenize'?"),
        ("cder+per:3.tokenize=none", InputError, "is for metric 3, but there are 2"),
        ("cder+cder", InputError, "one metric twice"),
        ("bleu+wer", InputError, "In bleu higher is better, in wer lower"),
        ("cder+per:substitution=custom", InputError, "a text cannot bring back"),
        ("averaged-(wer+bleu)", InputError, "higher is better"),
    ],
)
def test_errors(text, kind, message):
    with pytest.raises(kind) as raised:
        parse_metric(text)
    assert message in str(raised.value)


@pytest.mark.parametrize("wrong", [{}, {WER(): 1}, {WER(): "1", PER(): 1}, {"wer": 1, PER(): 1}, [WER(), PER()], 5])
def test_what_python_callers_are_refused(wrong):
    with pytest.raises((InputError, TypeError)):
        Combination(wrong)


def test_lists_of_tokens_for_all_or_none():
    metric = Combination({WER(tokenize="tokens"): 1, PER(tokenize="tokens"): 1})
    assert metric.score(metric.statistics([["a", "b"]], [["b", "a"]]))[0] == 100
    with pytest.raises(InputError, match="all lists of tokens"):
        Combination({WER(tokenize="tokens"): 1, PER(): 1})


def test_combinations_are_taken_apart():
    inner = Combination({CDER(): 0.6, PER(): 0.4})
    assert Combination({inner: 0.5, WER(): 0.5}) == Combination([(CDER(), 0.3), (PER(), 0.2), (WER(), 0.5)])


def test_keeps_the_contract():
    assert pickle.loads(pickle.dumps(PAPER)) == PAPER
    assert hash(pickle.loads(pickle.dumps(PAPER))) == hash(PAPER)
    assert PAPER.statistics([], []).shape == (0, 6)
    assert PAPER.score(np.zeros(6)) == 0
    assert np.shape(PAPER.score(np.ones((3, 2, 6)))) == (3, 2)
    with pytest.raises(InputError, match="aligns no words"):
        PAPER.align("a", ["b"])
    with pytest.raises(AttributeError):
        PAPER.weighted = ()


def test_scores_beside_other_metrics():
    scores = tertium.score([PAPER, CDER(), BLEU()], {"a": HYPOTHESES, "b": HYPOTHESES}, REFERENCES)
    assert list(scores.corpus["a"]) == ["cder+per", "cder", "bleu"]
    np.testing.assert_array_equal(scores.rows["a"]["cder+per"], PAPER.statistics(HYPOTHESES, REFERENCES))


def test_labels_tell_combinations_apart():
    given_metrics = [PAPER, Combination({CDER(): 0.6, PER(): 0.4}), Combination({CDER(): 1, PER(lowercase=True): 1})]
    assert {label: parse_metric(label) for label in labels(given_metrics)} == labels(given_metrics)


flags = st.fixed_dictionaries({"lowercase": st.booleans(), "substitution": st.sampled_from(["exact", "gld", "prefix"])})
parts = st.one_of(
    flags.map(lambda f: WER(**f)),
    st.tuples(flags, st.sampled_from(settings_of(PER)["variant"].choices)).map(lambda f: PER(**f[0], variant=f[1])),
    st.tuples(flags, st.sampled_from(settings_of(CDER)["penalty"].choices)).map(lambda f: CDER(**f[0], penalty=f[1])),
    flags.map(lambda f: Averaged(WER(**f))),
)


@given(st.dictionaries(parts, st.floats(1e-9, 1e9), min_size=2, max_size=4))
def test_signature_round_trip(weighted):
    metric = Combination(weighted)
    assert parse_metric(metric.signature(1)) == metric
    assert parse_metric(Averaged(metric).signature()) == Averaged(metric)

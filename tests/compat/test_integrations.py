"""Stand-ins inside other people's pipelines: evaluate's keys, the harness's items, OpusFilter's pairs."""

import numpy as np
import pytest

import tertium
from tertium import BLEU, CHRF
from tertium.compat import evaluate, lm_eval, opusfilter
from tertium.errors import InputError, UnknownNameError

HYPOTHESES = ["the cat sat on the mat .", "dogs travel free of charge", "the ferry leaves at seven", "where is it ?"]
REFERENCES = ["the cat sat on a mat .", "dogs travel free", "the ferry leaves at eight", "where is he ?"]
TWO = [[one, "something else"] for one in REFERENCES]


# --- evaluate -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("sacrebleu", ["score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"]),
        ("bleu", ["bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]),
        ("chrf", ["score", "char_order", "word_order", "beta"]),
        ("ter", ["score", "num_edits", "ref_length"]),
    ],
)
@pytest.mark.parametrize("references", [REFERENCES, TWO], ids=["one", "two"])
def test_keys(name, keys, references):
    module = evaluate.load(name)
    found = module.compute(predictions=HYPOTHESES, references=references)
    assert list(found) == keys
    module.add_batch(predictions=HYPOTHESES[:2], references=references[:2])
    for hypothesis, reference in zip(HYPOTHESES[2:], references[2:], strict=True):
        module.add(prediction=hypothesis, reference=reference)
    assert module.compute() == found


def test_scores():
    found = tertium.score(["bleu", "chrf", "ter:variant=sacrebleu"], HYPOTHESES, TWO).corpus
    assert evaluate.load("sacrebleu").compute(predictions=HYPOTHESES, references=TWO)["score"] == pytest.approx(
        found["bleu"]
    )
    assert evaluate.load("chrf").compute(predictions=HYPOTHESES, references=TWO)["score"] == pytest.approx(
        found["chrf"]
    )
    assert evaluate.load("ter").compute(predictions=HYPOTHESES, references=TWO)["score"] == pytest.approx(
        found["ter:variant=sacrebleu"]
    )
    # By hand: 16 of 21 words are right, 10 of 17 pairs, 5 of 13, 2 of 9; the references are 19 words long.
    one = evaluate.load("bleu").compute(predictions=HYPOTHESES, references=REFERENCES)
    assert one["precisions"] == [16 / 21, 10 / 17, 5 / 13, 2 / 9]
    assert one["bleu"] == pytest.approx((16 / 21 * 10 / 17 * 5 / 13 * 2 / 9) ** 0.25)
    assert (one["translation_length"], one["reference_length"], one["brevity_penalty"]) == (21, 19, 1.0)
    assert one["length_ratio"] == 21 / 19
    smooth = evaluate.load("bleu").compute(predictions=HYPOTHESES, references=REFERENCES, smooth=True, max_order=2)
    assert smooth["precisions"] == [17 / 22, 11 / 18]
    # 5 of 19 words of the references are wrong or too many.
    assert evaluate.load("wer").compute(predictions=HYPOTHESES, references=REFERENCES) == pytest.approx(5 / 19)


def test_evaluate_combines_them():
    real = pytest.importorskip("evaluate")
    both = real.combine([evaluate.load("sacrebleu"), evaluate.load("ter")])
    found = both.compute(predictions=HYPOTHESES, references=TWO)
    assert {"sacrebleu_score", "ter_score", "bp", "num_edits"} <= set(found)


def test_what_evaluate_is_refused():
    with pytest.raises(UnknownNameError, match="'rouge'"):
        evaluate.load("rouge")
    with pytest.raises(InputError, match="2 predictions, but 1 references"):
        evaluate.load("chrf").compute(predictions=["a", "b"], references=["a"])
    with pytest.raises(InputError, match="same number of references"):
        evaluate.load("chrf").compute(predictions=["a", "b"], references=[["a"], ["b", "c"]])
    with pytest.raises(InputError, match="nothing to compute"):
        evaluate.load("chrf").compute()
    with pytest.raises(InputError, match="both"):
        evaluate.load("chrf").compute(predictions=["a"])


# --- lm-evaluation-harness ----------------------------------------------------------------------------------

ITEMS = list(zip(REFERENCES, HYPOTHESES, strict=True))


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_aggregations_are_the_harness_own(name):
    theirs = pytest.importorskip("lm_eval.api.metrics")
    for items in (ITEMS, [([one], [two]) for one, two in ITEMS]):
        assert getattr(lm_eval, name)(items) == pytest.approx(getattr(theirs, name)(items), abs=1e-9)


def test_standard_errors_are_those_of_resampled_test_sets():
    rng = np.random.default_rng(3)
    items = [ITEMS[k] for k in rng.integers(4, size=40)]
    rows = CHRF().statistics([two for _, two in items], [one for one, _ in items])
    drawn = [CHRF().score(rows[rng.integers(40, size=40)].sum(axis=0)) for _ in range(2000)]
    assert lm_eval.standard_error("chrf", items) == pytest.approx(np.std(drawn), rel=0.1)
    with pytest.raises(InputError, match="at least two"):
        lm_eval.standard_error("chrf", items[:1])
    with pytest.raises(UnknownNameError):
        lm_eval.standard_error("rouge", items)


def test_the_harness_takes_them(monkeypatch):
    metrics = pytest.importorskip("lm_eval.api.metrics")
    utils = pytest.importorskip("lm_eval.evaluator_utils")
    for module in (metrics, utils):
        monkeypatch.setattr(module, "stderr_for_metric", metrics.stderr_for_metric)  # put back afterwards
    lm_eval.install()
    lm_eval.install()  # once is enough
    for function in (lm_eval.chrf, metrics.chrf):
        error = utils.stderr_for_metric(function, 100)
        assert error(ITEMS) == lm_eval.standard_error("chrf", ITEMS)
    assert utils.stderr_for_metric(lm_eval.chrf, 0) is None
    assert utils.stderr_for_metric(metrics.mean, 100)([1.0, 0.0]) == pytest.approx(0.5)


# --- OpusFilter ---------------------------------------------------------------------------------------------


def test_pairs_that_agree_are_kept():
    pairs = [("the cat", "the cat"), ("the cat", "a dog barks"), ("", "x")] * 700  # more than one block
    kept = opusfilter.MetricFilter(metric="chrf", threshold=50)
    expected = CHRF().score(CHRF().statistics([a for a, _ in pairs], [b for _, b in pairs])).tolist()
    assert list(kept.score(iter(pairs))) == expected
    assert list(kept.decisions(pairs)) == [True, False, False] * 700
    errors = opusfilter.MetricFilter(metric="ter", threshold=50, hypothesis=1, references=[0])
    assert [errors.accept(score) for score in errors.score(pairs[:2])] == [True, False]
    assert errors.score_direction != kept.score_direction
    single = BLEU(effective_order=True)
    (score,) = opusfilter.MetricFilter(metric="bleu").score([("a b", "a b")])
    assert score == single.score(single.statistics(["a b"], ["a b"])[0])


def test_what_the_filter_refuses():
    with pytest.raises(InputError, match="other texts of the pair"):
        opusfilter.MetricFilter(references=[0])
    with pytest.raises(InputError, match="nist has to learn"):
        opusfilter.MetricFilter(metric="nist")

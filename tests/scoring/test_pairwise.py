"""Matrices of scores: equal to segment scores bit for bit, for every metric, whatever the texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from examples import examples
from tertium import BLEU, CDER, CHRF, METEOR, NIST, PER, TER, WER, TERp
from tertium.errors import InputError

TEXTS = st.lists(st.text(st.sampled_from("ab c.é日\u0301"), max_size=30), min_size=1, max_size=5)
METRICS = [
    BLEU(effective_order=True),
    BLEU(orders=(2, 4), lowercase=True),
    BLEU(sentence_boundaries="both"),
    CHRF(),
    CHRF(word_order=2, lowercase=True),
    CHRF(whitespace=True, char_order=20),
    TER(),
    TER(variant="sacrebleu"),
    WER(),
    WER(substitution="levenshtein"),
    PER(),
    CDER(),
]


def one_by_one(metric, hypotheses, references):
    return np.array([metric.score(metric.statistics([text] * len(references), references)) for text in hypotheses])


@pytest.mark.parametrize("metric", METRICS, ids=repr)
@examples(25)
@given(TEXTS, TEXTS)
def test_equal_to_segment_scores(metric, hypotheses, references):
    np.testing.assert_array_equal(
        tertium.pairwise(metric, hypotheses, references), one_by_one(metric, hypotheses, references)
    )


@pytest.mark.slow
@pytest.mark.parametrize("metric", [TERp(), METEOR(modules=("exact", "stem"))], ids=lambda m: m.name)
def test_slow_metrics_too(metric):
    texts = ["the boats lay in the harbour", "a boat lies in harbours", ""]
    np.testing.assert_array_equal(tertium.pairwise(metric, texts, texts), one_by_one(metric, texts, texts))


def test_nist_learns_from_all_references():
    texts = ["the boats lay in the harbour", "a boat lies in the harbour"]
    np.testing.assert_array_equal(
        tertium.pairwise(NIST(), texts, texts), one_by_one(NIST().fitted_to(texts), texts, texts)
    )


def test_more_references_than_an_index_holds():
    rng = np.random.default_rng(1)
    references = [" ".join(rng.choice(["a", "b", "cc", "ddd"], 6)) for _ in range(2500)]
    hypotheses = [*references[:3], "a " * 400, ""]
    for metric in (CHRF(word_order=2), BLEU(effective_order=True, tokenize="none")):
        np.testing.assert_array_equal(
            tertium.pairwise(metric, hypotheses, references), one_by_one(metric, hypotheses, references)
        )


def test_more_than_a_byte_and_two_bytes_hold():
    hypotheses, references = ["ab" * 40_000, "a" * 300], ["a" * 500, "ab" * 35_000, *["a" * 300] * 40]
    np.testing.assert_array_equal(
        tertium.pairwise(CHRF(char_order=2), hypotheses, references),
        one_by_one(CHRF(char_order=2), hypotheses, references),
    )


def test_rows_add_up_to_anything():
    hypotheses, references = ["the cat sat", "a cat"], ["the cat sits", "a cat sat", "dogs"]
    rows = BLEU().pairwise_statistics(hypotheses, references)
    assert rows.shape == (2, 3, 10)
    whole = BLEU().statistics(hypotheses, references[:2]).sum(axis=0)
    np.testing.assert_array_equal(rows[0, 0] + rows[1, 1], whole)


def test_into_an_array_of_the_callers():
    out = np.full((2, 1), np.nan, np.float32)
    assert tertium.pairwise(CHRF(), ["a", "b"], ["a"], out=out) is out
    assert out.tolist() == [[100.0], [0.0]]


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_matter(threads):
    texts = [f"sentence number {i} of many" for i in range(70)]
    np.testing.assert_array_equal(
        tertium.pairwise(CHRF(), texts, texts, threads=threads), tertium.pairwise(CHRF(), texts, texts)
    )


def test_nothing_at_all():
    assert tertium.pairwise(CHRF(), [], ["a"]).shape == (0, 1)
    assert tertium.pairwise(CHRF(), ["a"], []).shape == (1, 0)


@pytest.mark.parametrize(
    ("hypotheses", "references", "options", "message"),
    [
        ("abc", ["a"], {}, "one string"),
        (["a"], [["a", "b"]], {}, r"references\[0\]"),
        ([None], ["a"], {}, r"hypotheses\[0\] is None"),
        (["a"], ["a"], {"out": np.zeros((2, 2))}, "1 rows and 1 columns"),
        (["a"], ["a"], {"out": np.zeros((1, 1), int)}, "float64 or float32"),
        (["a"], ["a"], {"threads": 0}, "threads"),
    ],
)
def test_bad_input(hypotheses, references, options, message):
    with pytest.raises(InputError, match=message):
        tertium.pairwise(CHRF(), hypotheses, references, **options)


def test_metrics_may_be_named():
    texts = ["the ferry leaves", "the ferry left"]
    assert np.array_equal(tertium.pairwise("chrf", texts, texts), tertium.pairwise(CHRF(), texts, texts))
    assert tertium.mbr("chrf", texts).index == tertium.mbr(CHRF(), texts).index
    with pytest.raises(InputError, match="or its text"):
        tertium.pairwise(3, texts, texts)

"""Objects that are no lists of texts or rows of numbers: refused by name, never taken in an order of their own."""

import numpy as np
import pytest

import tertium
from tertium import BLEU, TER, WER
from tertium.errors import InputError, TertiumError

TEXTS = ["a b c", "d e", "f"]


@pytest.mark.parametrize("odd", [3, object(), np.array("a"), {"a", "b"}, {"a": "b"}])
def test_what_is_no_list_is_refused_by_every_door(odd):
    for call in (
        lambda: tertium.score(BLEU(), TEXTS, odd),
        lambda: tertium.score(BLEU(), TEXTS, reference_sets=odd),
        lambda: tertium.score(BLEU(), TEXTS, reference_sets=[TEXTS, odd]),
        lambda: tertium.score(BLEU(), TEXTS, TEXTS, documents=odd),
        lambda: tertium.pairwise(WER(), TEXTS, odd),
        lambda: tertium.mbr(WER(), odd),
        lambda: tertium.align(TER(), "a b", odd),
    ):
        with pytest.raises(TertiumError):
            call()
    if not isinstance(odd, dict):  # of systems
        with pytest.raises(TertiumError):
            tertium.score(BLEU(), odd, TEXTS)


def test_nothing_is_no_list_either():
    for call in (
        lambda: tertium.pairwise(WER(), None, TEXTS),
        lambda: tertium.align(TER(), "a", None),
        lambda: tertium.score(BLEU(), TEXTS, reference_sets=[TEXTS, None]),
    ):
        with pytest.raises(InputError):
            call()


def test_reference_sets_may_come_one_by_one():
    lists = tertium.score(BLEU(), TEXTS, reference_sets=[TEXTS, TEXTS]).corpus
    assert tertium.score(BLEU(), TEXTS, reference_sets=(iter(TEXTS) for _ in range(2))).corpus == lists


@pytest.mark.parametrize("odd", ["text", {"a": 1}, {1.0, 2.0}, 10**400, [[1], [1, 2]], np.array(["a"] * 10)])
def test_what_is_no_row_is_refused(odd):
    for metric in (BLEU(), WER()):
        for call in (metric.score, metric.parts):
            with pytest.raises(InputError, match=f"{metric.name} scores rows of"):
                call(odd)


def test_a_number_beyond_all_is_no_score_of_people():
    with pytest.raises(InputError, match="must be numbers"):
        tertium.meta.coefficient([10**400, 1, 2], [1, 2, 3])


def test_alignments_take_a_metric_by_name():
    assert tertium.align("ter", "a b", "b a").score == tertium.align(TER(), "a b", "b a").score
    with pytest.raises(InputError, match="A metric or its text"):
        tertium.align(3, "a b", "b a")

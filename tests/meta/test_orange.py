"""ORANGE: the worked example, the textbook, directions, ties, bad input."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from examples import examples
from oracles import orange as textbook
from tertium import BLEU, CHRF, NIST, TER, WER, Metric
from tertium.errors import InputError, UnknownNameError
from tertium.meta import orange
from tertium.meta.orange_score import rank_of


@dataclass(frozen=True, kw_only=True)
class Written(Metric):
    """Scores a text by the number that it is, whatever the references."""

    name: ClassVar[str] = "written"
    higher_is_better: ClassVar[bool] = True
    range: ClassVar[str] = "any"
    source: ClassVar[str] = "the text"
    meanings: ClassVar[dict[str, str]] = {}

    @property
    def columns(self):
        return ("value",)

    def rows(self, hypotheses, references, *, threads):
        return np.array([[float(hypotheses.texts[i][0])] for i in range(len(hypotheses))])

    def score(self, totals):
        return self.checked(totals)[..., 0]

    def parts(self, totals):
        return {}


@dataclass(frozen=True, kw_only=True)
class Wrong(Written):
    """The same, but lower is better."""

    name: ClassVar[str] = "wrong"
    higher_is_better: ClassVar[bool] = False


CANDIDATES, HUMAN = [".40", ".35", ".30", ".20"], [".50", ".22"]


@pytest.mark.parametrize(("oracle", "rank"), [("mean", 2), ("each", 2.5)])
def test_the_worked_example(oracle, rank):
    one = orange(Written(), [CANDIDATES], [HUMAN], oracle=oracle)["written"]
    assert one.value == rank / 5
    assert one.ranks.tolist() == [rank]
    assert one.oracle_scores == pytest.approx([0.36])
    assert (one.candidates, one.references, one.n) == ((4,), (2,), 1)
    assert (one.low, one.high) == (None, None)  # one sentence says nothing about others


def test_where_lower_is_better_the_order_is_the_other_way_round():
    assert orange(Wrong(), [CANDIDATES], [HUMAN])["wrong"].ranks.tolist() == [4]


@pytest.mark.parametrize(("ties", "rank"), [("optimistic", 2), ("average", 3), ("pessimistic", 4)])
def test_ties_are_named(ties, rank):
    assert orange(Written(), [["3", "2", "2", "1"]], [["2", "2"]], ties=ties)["written"].ranks.tolist() == [rank]
    assert rank_of(2, [3, 2, 2 + 1e-13, 1], higher_is_better=True, ties=ties) == rank


def test_unequal_lists_are_averaged_by_their_ratios():
    one = orange(Written(), [["1"], ["9", "8", "7"]], [["5", "5"]] * 2)["written"]
    assert one.ratios.tolist() == [1 / 2, 4 / 4]
    assert one.value == 0.75


def test_a_reference_among_nonsense_comes_first():
    nbest = [["zu viel davon", "ganz was anderes"], ["nichts", "gar nichts davon"]]
    references = [["the well never runs dry", "the well does not run dry"], ["it rains again", "again it rains"]]
    found = orange([BLEU(smoothing="lin-och"), CHRF(), TER(), WER(), NIST()], nbest, references)
    assert [one.ratios.tolist() for one in found] == [[1 / 3, 1 / 3]] * 5
    assert [one.system for one in found.comparisons] == ["chrf", "ter", "wer", "nist"]
    assert all(one.p_value == 1 for one in found.comparisons)
    assert "references@" in found["nist"].signature


words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7).map(" ".join)
sentence = st.tuples(st.lists(words, min_size=1, max_size=5), st.lists(words, min_size=2, max_size=4))


@examples(60)
@given(
    st.lists(sentence, min_size=1, max_size=4),
    st.sampled_from(["mean", "each"]),
    st.sampled_from(["average", "optimistic", "pessimistic"]),
    st.sampled_from(["matched", "full"]),
    st.booleans(),
)
def test_agrees_with_the_textbook(sentences, oracle, ties, leave_one_out, is_bleu):
    metric = BLEU(tokenize="none", smoothing="lin-och") if is_bleu else WER(tokenize="none")
    sign = 1 if is_bleu else -1

    def score(text, references):
        return sign * float(metric.score(metric.statistics([text], [references]))[0])

    options = {"oracle": oracle, "ties": ties, "leave_one_out": leave_one_out}
    found = orange(metric, [one for one, _ in sentences], [two for _, two in sentences], samples=10, **options)
    expected = [textbook.ratio(score, *one, **options) for one in sentences]
    assert found[metric.name].ratios == pytest.approx(expected)


def test_blocks_do_not_show(monkeypatch):
    nbest = [[f"a b {i % k}" for k in range(1, 4)] for i in range(30)]
    references = [["a b 1", f"b a {i % 4}", None] for i in range(30)]
    whole = orange(CHRF(), nbest, references)["chrf"]
    monkeypatch.setattr("tertium.meta.orange_score._BLOCK", 7)
    told = []
    parts = orange(CHRF(), nbest, references, progress=told.append, threads=1)["chrf"]
    assert parts.ranks.tolist() == whole.ranks.tolist()
    assert told == sorted(told)
    assert told[-1] == 30 * 2 * 4
    assert whole.low <= whole.value <= whole.high


def test_two_metrics_are_compared_sentence_by_sentence():
    nbest = [[str(k) for k in range(9)] for _ in range(40)]
    references = [["20", "20"] for _ in range(40)]
    found = orange([Written(), Wrong()], nbest, references)
    (test,) = found.comparisons
    assert (test.system, test.baseline, test.significant) == ("wrong", "written", True)
    assert test.difference == pytest.approx(0.9)
    whole = found.to_dict()
    assert whole["orange"][0] | {"metric": 0} == pytest.approx(
        {"metric": 0, "value": 0.1, "low": 0.1, "high": 0.1, "n": 40}
    )
    assert whole["comparisons"][0]["metric"] == "wrong"
    assert whole["signature"].startswith("orange:oracle=mean,ties=average,leave_one_out=matched")


def test_it_can_be_reached():
    assert tertium.meta.orange is orange
    assert "orange" in dir(tertium.meta)
    with pytest.raises(AttributeError, match="no attribute 'lemon'"):
        tertium.meta.lemon  # noqa: B018


@pytest.mark.parametrize(
    ("nbest", "references", "message"),
    [
        ([], [], "empty"),
        ([["a"]], [["a", "b"], ["c", "d"]], "nbest has 1 lists, but references has 2"),
        ([["a"]], [["a"]], r"references\[0\] holds one reference.*at least two"),
        ([["a"]], ["a"], r"references\[0\] holds one reference"),
        ([["a"]], [[None, None]], r"references\[0\] holds no reference"),
        ([[]], [["a", "b"]], r"nbest\[0\] is empty"),
        (["a"], [["a", "b"]], r"nbest\[0\] must be a list"),
        ([[1]], [["a", "b"]], r"nbest\[0\] must be a list of strings"),
        ([["a"]], [["a", 2]], r"references\[0\] must be a list of strings"),
        ("a", [["a", "b"]], "lists of lists"),
    ],
)
def test_bad_input(nbest, references, message):
    with pytest.raises(InputError, match=message):
        orange(BLEU(), nbest, references)


@pytest.mark.parametrize("options", [{"oracle": "best"}, {"ties": "first"}, {"leave_one_out": "none"}])
def test_unknown_names(options):
    with pytest.raises(UnknownNameError):
        orange(BLEU(), [["a"]], [["a", "b"]], **options)


def test_metrics_must_read_texts():
    with pytest.raises(InputError, match="cannot score texts"):
        orange(BLEU(tokenize="tokens"), [["a"]], [["a", "b"]])
    with pytest.raises(UnknownNameError, match="chrff"):
        orange(CHRF(), [["a"]], [["a", "b"]])["chrff"]

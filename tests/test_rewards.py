"""Rewards: each trainer's own call, directions, extraction, and errors that name the sample."""

import sys

import pytest

from tertium import BLEU, CHRF, NIST, TER, rewards
from tertium.errors import InputError

GOOD, BAD = "the red fish swims", "a bird"


def chrf(hypothesis, reference):
    return float(CHRF().score(CHRF().statistics([hypothesis], [reference]))[0]) / 100


def test_trl():
    reward = rewards.reward("chrf", reference="target")
    found = reward(prompts=["p", "p"], completions=[GOOD, BAD], completion_ids=[[1], [2]], target=[GOOD, GOOD])
    assert found == [1.0, pytest.approx(chrf(BAD, GOOD))]
    messages = [[{"role": "assistant", "content": GOOD}]]
    assert reward(prompts=[[{"role": "user", "content": "p"}]], completions=messages, target=[GOOD]) == [1.0]


def test_verl():
    reward = rewards.reward("chrf")
    assert reward("set", GOOD, GOOD, None) == 1.0
    assert reward(data_source="set", solution_str=BAD, ground_truth=GOOD, extra_info={}) == pytest.approx(
        chrf(BAD, GOOD)
    )
    batch = reward(
        data_sources=["s"] * 2, solution_strs=[GOOD, BAD], ground_truths=[GOOD, [BAD, GOOD]], extra_infos=[{}] * 2
    )
    assert batch == [1.0, 1.0]


def test_verifiers():
    assert rewards.reward("chrf")(prompt="p", completion=GOOD, answer=GOOD, state={}) == 1.0


def test_open_rlhf_wants_tensors(monkeypatch):
    class Torch:
        @staticmethod
        def tensor(values):
            return ("tensor", values)

    monkeypatch.setitem(sys.modules, "torch", Torch)
    found = rewards.reward("chrf")(["say: " + GOOD], ["say: "], [GOOD])
    assert found == {"rewards": ("tensor", [1.0]), "scores": ("tensor", [1.0]), "extra_logs": {}}


def test_error_rates_are_turned_round():
    reward = rewards.reward(TER())
    assert reward.scores([GOOD, "x " * 50], [GOOD, GOOD]) == [1.0, 0.0]


def test_bleu_counts_the_orders_there_are():
    assert rewards.reward("bleu").scores(["two words"], ["two words"]) == [1.0]
    assert rewards.reward(BLEU()).scores(["two words"], ["two words"]) == [0.0]


def test_scale():
    assert rewards.reward(NIST(), scale=10).scores([GOOD], [GOOD])[0] < 1
    assert rewards.reward("chrf", scale=50).scores([GOOD], [GOOD]) == [1.0]


@pytest.mark.parametrize(
    ("extract", "completion"),
    [
        ("answer", f"<think>{BAD}</think>\n<answer> {GOOD} </answer>"),
        ("answer", f"<think>is it <answer>{BAD}</answer>?</think>{GOOD}"),
        (r"Translation: (.*)", f"Of course! Translation: {GOOD}"),
        (lambda text: text.upper().lower(), GOOD),
    ],
)
def test_extract(extract, completion):
    assert rewards.reward("chrf", extract=extract).scores([completion], [GOOD]) == [1.0]


def test_nothing_extracted_is_empty():
    assert rewards.reward("chrf", extract="X(.*)X", empty=0.25).scores([GOOD], [GOOD]) == [0.25]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rewards.reward(NIST()), "needs a scale"),
        (lambda: rewards.reward("chrf", extract="("), "no regular expression"),
        (lambda: rewards.reward("chrf", scale=0), "scale must be"),
        (lambda: rewards.reward("chrf", empty=2), "empty must be"),
        (lambda: rewards.reward("chrf").scores(["a", None], ["a", "b"]), "Completion 1 is None"),
        (lambda: rewards.reward("chrf").scores(["a", "b"], ["a", 3]), "Sample 1: the reference is 3"),
        (lambda: rewards.reward("chrf").scores(["a", "b"], ["a", []]), "Sample 1"),
        (lambda: rewards.reward("chrf").scores(["a", "b"], ["a"]), "2 completions, but 1 references"),
        (lambda: rewards.reward("chrf")(prompts=[], completions=["a"], answer=["a"]), "no column 'ground_truth'"),
        (lambda: rewards.reward("chrf")(nothing=1), "no known trainer"),
        (lambda: rewards.reward("chrf")(1, 2, 3, 4, 5), "Call it by their names"),
        (lambda: rewards.reward("chrf")(solution_str="a"), "no 'ground_truth'"),
    ],
)
def test_never_a_silent_zero(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_its_name_for_logs():
    assert rewards.reward("chrf").__name__ == "chrf_reward"

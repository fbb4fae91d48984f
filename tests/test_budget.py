"""Segments that would take for ever are refused, with what to do; ordinary ones never come near that."""

import os
import random
import subprocess
import sys
import time

import pytest

import tertium
from tertium import METEOR, PER, TER, WER, TERp
from tertium.errors import InputError, SegmentError


def of_two_words(length, seed):
    rng = random.Random(seed)
    return " ".join(rng.choices("ab", k=length))


def of_many_words(length, seed):
    """Words as often as in a language: few are frequent."""
    rng = random.Random(seed)
    return " ".join(f"w{int(rng.paretovariate(0.7)) % 5000}" for _ in range(length))


COSTLY = {
    "ter": (TER(), 3000),
    "ter thesis": (TER(variant="thesis"), 3000),
    "terp": (TERp(), 1000),
    "meteor": (METEOR(), 50_000),
    "meteor 2005": (METEOR(version="2005"), 3000),
    "per": (PER(substitution="levenshtein"), 20_000),
    "wer": (WER(substitution="levenshtein"), 70_000),
}


@pytest.mark.parametrize("name", COSTLY)
def test_what_would_take_for_ever_is_refused(name, monkeypatch):
    """With a hundredth of the budget, so that the test is quick; a message has the segment and the way out."""
    metric, length = COSTLY[name]
    monkeypatch.setenv("TERTIUM_BUDGET", "0.01")
    texts = ["a b", "b a", of_two_words(length, 1)]
    began = time.process_time()
    with pytest.raises(SegmentError, match="Segment 3 takes more than .* set TERTIUM_BUDGET=") as caught:
        metric.statistics(texts, ["a", "b", of_two_words(length, 2)], threads=1)
    assert caught.value.segment == 2
    assert time.process_time() - began < 20


@pytest.mark.parametrize("name", COSTLY)
def test_ordinary_text_is_far_from_it(name, monkeypatch):
    metric, _ = COSTLY[name]
    monkeypatch.setenv("TERTIUM_BUDGET", "0.1")
    assert metric.statistics([of_many_words(100, 1)], [of_many_words(100, 2)]).shape[0] == 1


def test_the_segment_is_counted_over_blocks(monkeypatch):
    monkeypatch.setattr("tertium.scoring.texts._BLOCK", 4)
    monkeypatch.setenv("TERTIUM_BUDGET", "0.001")
    texts = ["a b"] * 9 + [of_two_words(2000, 1)]
    with pytest.raises(SegmentError, match="Segment 10 "):
        tertium.score(TER(), texts, [*["b a"] * 9, of_two_words(2000, 2)])


@pytest.mark.parametrize("given", ["0", "-1", "much", "nan", "\udcff"])
def test_a_budget_that_is_none(given, monkeypatch):
    monkeypatch.setenv("TERTIUM_BUDGET", given)
    with pytest.raises(InputError, match="TERTIUM_BUDGET is"):
        TER().statistics(["a"], ["b"])


INTERRUPTED = """
import os, random, signal, sys, threading, time
from tertium import METEOR, PER
signal.alarm(100)
rng = random.Random(1)
texts = [" ".join(rng.choices({words}, k={length})) for _ in range(2)]
metric = {metric}
metric.statistics(["a b"], ["b a"])
def interrupt():
    global sent
    time.sleep(0.5)
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    while True:
        metric.statistics(texts[:1], texts[1:], threads=1)
except KeyboardInterrupt:
    print(time.process_time() - sent, flush=True)
    os._exit(42)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
@pytest.mark.parametrize(
    ("metric", "words", "length"),
    [
        ("METEOR(version='2005')", "'ab'", 3000),
        ("METEOR()", "'ab'", 20_000),
        ("METEOR(modules='exact+paraphrase', paraphrases='phrases.tsv')", "'ab'", 20_000),
        ("PER(substitution='levenshtein')", "[str(n) for n in range(4000)]", 4000),
    ],
)
def test_an_interrupt_is_answered_at_once(metric, words, length, tmp_path):
    """Within 0.2 s of the processor; 0.5 here, for the other threads of the process."""
    script = INTERRUPTED.format(metric=metric, words=words, length=length)
    environment = os.environ | {"TERTIUM_BUDGET": "inf"}
    (tmp_path / "phrases.tsv").write_text("phrase_ref\tphrase_hyp\tprob\na\tb\t0.5\na b\tb a\t0.5\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, env=environment, cwd=tmp_path
    )
    assert run.returncode == 42, run.stderr
    assert float(run.stdout) < 0.5

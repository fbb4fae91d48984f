"""Ctrl-C while the core counts: it comes back at once, with many segments and with a single long one."""

import os
import subprocess
import sys

import pytest

PATIENCE = 1.0  # seconds of the processor, of all threads together, so that other work does not count; usually 0.1

MANY = """
texts = [" ".join(f"word{(i * k) % 97}" for k in range(200)) for i in range(500)] * 80
references = [[text, text[::-1], text[7:]] for text in texts]
"""
ONE = """
import random
rng = random.Random(1)
words = [str(rng.randrange(500)) for _ in range(400_000)]
texts, references = [" ".join(words)], [[" ".join(words[::-1])]]
"""
SHIFTS = """
import random
rng = random.Random(1)
texts, references = ([" ".join(rng.choices("ab", k=248)) for _ in range(64)] for _ in range(2))
"""
LONG = """
words = " ".join(f"wörd{i % 997}," for i in range(20_000))
texts = [f"{i} {words}" for i in range(800)]
references = [[text] for text in texts]
class Learning:
    def statistics(self, texts, references, threads=1):
        NIST(tokenize="intl").fitted_to(references)
"""
SCRIPT = """
import os, signal, threading, time
from tertium import BLEU, CHRF, NIST, TER
signal.alarm(100)  # nobody may wait for ever
{texts}
sent = None
def interrupt():
    global sent
    time.sleep({after})
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
{metric}.statistics(texts[:1] if len(texts) > 1 else ["a"], references[:1] if len(texts) > 1 else ["a"])
try:
    threading.Thread(target=interrupt, daemon=True).start()
    while True:
        {metric}.statistics(texts, references, threads={threads})
except KeyboardInterrupt:
    print(time.process_time() - sent, flush=True)
    os._exit(42)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
@pytest.mark.parametrize(("threads", "after"), [pytest.param(1, 0.05, marks=pytest.mark.slow), (2, 0.3)])
@pytest.mark.parametrize("metric", ["BLEU(orders=range(1, 10))", "CHRF(word_order=2)"])
@pytest.mark.parametrize("texts", [MANY, ONE], ids=["many", "one"])
def test_interrupt(texts, metric, threads, after):
    check(SCRIPT.format(texts=texts, metric=metric, threads=threads, after=after))


def test_interrupts_where_words_are_moved():
    metric = "TER(beam=float('inf'), max_shift_distance=float('inf'))"
    check(SCRIPT.format(texts=SHIFTS, metric=metric, threads=1, after=0.3))


def test_interrupts_while_nist_learns():
    check(SCRIPT.format(texts=LONG, metric="Learning()", threads=1, after=0.1), 0.5)


def check(script, patience=PATIENCE):
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert result.returncode == 42, result.stderr
    assert float(result.stdout) < patience


@pytest.mark.long
def test_interrupts_on_a_busy_machine():
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 * (os.cpu_count() or 1))]
    try:
        for after in (0.01, 0.1, 1):
            for texts in (MANY, ONE):
                check(SCRIPT.format(texts=texts, metric="CHRF(word_order=2)", threads=2, after=after))
    finally:
        for process in spinning:
            process.kill()
            process.wait()

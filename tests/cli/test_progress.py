"""How far long work is: a share and the time left, from half a second on, on a terminal alone."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest

import tertium as library
from tertium.cli.output import progress
from tertium.cli.output.progress import Progress, duration, working
from tertium.scoring.loop import score_blocks
from tertium.scoring.texts import GivenTexts


class Terminal:
    """What was written to a standard error that is a terminal."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


@pytest.fixture
def terminal(monkeypatch):
    """A terminal, and a clock that goes on by a second whenever somebody looks."""
    shown, now = Terminal(), [0.0]

    def tick():
        now[0] += 1.0
        return now[0]

    _put(monkeypatch, shown, tick)
    return shown


def _put(monkeypatch, shown, clock):
    """Put a terminal and a clock where progress looks, and nobody else."""
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=shown))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=clock))


def test_says_share_and_time_left(terminal):
    line = Progress(quiet=False)  # at 1 s
    line.say("scoring", 0.25)  # at 2 s: one second for a quarter
    assert terminal.text == "\r\x1b[Kscoring: 25 %, 3 s left"
    line.say("scoring", 0.5)  # at 3 s: two seconds for a half
    assert terminal.text.endswith("scoring: 50 %, 2 s left")
    line.say("reading")
    assert terminal.text.endswith("\r\x1b[Kreading")
    line.clear()
    assert terminal.text.endswith("\r\x1b[K")


def test_a_message_takes_the_line_away(terminal):
    Progress(quiet=False).say("scoring", 0.5)
    progress.say("tertium: warning: odd")
    assert terminal.text.endswith("left\r\x1b[Ktertium: warning: odd\n")


def test_begins_after_half_a_second_and_is_quiet_elsewhere(monkeypatch):
    now = [0.0]
    shown = Terminal()
    _put(monkeypatch, shown, lambda: now[0])
    line, quiet = Progress(quiet=False), Progress(quiet=True)
    now[0] = 0.49
    line.say("scoring", 0.1)
    assert shown.text == ""
    now[0] = 0.5
    quiet.say("scoring", 0.2)
    assert shown.text == ""
    line.say("scoring", 0.2)
    assert "20 %" in shown.text
    shown.isatty = lambda: False
    before = shown.text
    Progress(quiet=False).say("scoring", 0.3)
    assert shown.text == before


def test_work_that_does_not_tell_how_far_it_is_tells_how_long(terminal, monkeypatch):
    shown = threading.Event()
    write = terminal.write
    monkeypatch.setattr(terminal, "write", lambda text: (write(text), shown.set()))
    with working("cutting \x1b[31m", quiet=False):
        assert shown.wait(60)
    assert terminal.text.startswith("\r\x1b[Kcutting \\x1b[31m: ")
    assert terminal.text.endswith(" s so far\r\x1b[K")
    before, threads = terminal.text, threading.active_count()
    with working("cutting", quiet=True):
        assert threading.active_count() == threads
    assert terminal.text == before


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "1 s"), (59.6, "60 s"), (100, "2 min"), (7800, "2 h 10 min")])
def test_durations(seconds, said):
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", "a.txt", "-r", "b.txt"], "2,000 of 2,000 segments scored: 100 %"),
        (["score", "a.txt", "-r", "b.txt", "--confidence"], "intervals of chrf: 33 %"),
        (["compare", "a.txt", "b.txt", "-r", "b.txt", "--samples", "50"], "testing by chrf: 33 %"),
        (["pairwise", "c.txt"], "pairs: 100 %"),
        (["best", "n.txt", "-r", "r.txt", "--nbest-format", "lines:2"], "2 sentences: 100 %"),
        (["mbr", "n.txt", "--nbest-format", "lines:2"], "2 sentences decoded: 100 %"),
    ],
)
def test_commands_say_how_far_they_are(tertium, tmp_path, terminal, arguments, said):
    (tmp_path / "a.txt").write_text("the cat sat\n" * 2000)
    (tmp_path / "b.txt").write_text("the cat sat down\n" * 2000)
    (tmp_path / "c.txt").write_text("one two\nthree four\n")
    (tmp_path / "n.txt").write_text("one two\none three\nfour\nfour five\n")
    (tmp_path / "r.txt").write_text("one two\nfour\n")
    tertium(*arguments)
    assert said in terminal.text


def test_pieces_have_the_rows_of_the_whole():
    texts = [f"the {k} cats sat on {k % 7} mats" for k in range(1500)]
    others = [f"the {k} cats lay on {k % 5} mats" for k in range(1500)]
    metrics = {"meteor": library.METEOR(), "ter": library.TER(), "bleu": library.BLEU()}
    (block,) = GivenTexts({"one": texts, "two": others}, others, None, None).blocks()
    whole, told = score_blocks(metrics, [block]), []
    watched = score_blocks(metrics, [replace(block, progress=told.append)])
    assert told == [512, 1024, 1500]
    assert whole.corpus == watched.corpus  # to the last bit
    for system in ("one", "two"):
        for label in metrics:
            assert (whole.rows[system][label] == watched.rows[system][label]).all()

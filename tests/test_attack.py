"""The attack itself: each kind of it runs, and finds a fault where there is one."""

import os
import random
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
]
pytest.importorskip("pyarrow")
pytest.importorskip("resource", reason="no limits of processes on this system")

from tools.attack import changing, inputs, objects, options, settings, writing  # noqa: E402
from tools.attack.commands import Ending, ended, fault, import_everything, run  # noqa: E402
from tools.attack.example import LINES, fill  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("attack") / "example"
    place.mkdir()
    import_everything()
    fill(place)
    return place


@pytest.mark.parametrize("name", [name for name in LINES if not name.startswith(("testsets", "resources"))])
def test_each_line_works_before_anything_is_spoilt(folder, name, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", str(folder / "cache"))
    writing._clear(name, folder, None)
    ending = run(LINES[name], folder)
    assert ending.code == 0, ending.errors


@pytest.mark.parametrize("attack", [inputs.attack, options.attack, writing.kills, changing.attack])
def test_some_cases_of_each_attack_find_nothing(folder, attack, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", str(folder / "cache"))
    rng = random.Random(1)
    assert [found for _ in range(4) for found in attack(rng, folder) if found] == []


@pytest.mark.parametrize("attack", [settings, objects])
def test_a_batch_finds_nothing(folder, attack, monkeypatch):
    monkeypatch.setattr(attack, "BATCH", 200)
    found = list(attack.attack(random.Random(2), folder))
    assert len(found) == 200
    assert set(found) == {None}


def test_faults_are_seen(folder):
    assert "exit -11" in fault(ended(lambda: os.kill(os.getpid(), 11), folder), "a signal")
    assert "Traceback" in fault(ended(lambda: 1 / 0, folder), "a bug")
    assert "without a word" in fault(ended(lambda: sys.exit(1), folder), "silence")
    assert fault(Ending(77, b"", b"x"), "an odd code")
    assert fault(Ending(1, b"", b"tertium: \x1b[31m"), "a sequence for the terminal")
    assert fault(Ending(1, b"", b"tertium: No file."), "a message") is None

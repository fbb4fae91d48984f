"""Every copy of a kernel, as compiled for one kind of processor, fills the same rows, and scores have the same bits."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.wheels.marks import marks

from tertium import TER, _native

ROOT = Path(__file__).parents[1]
FROZEN = json.loads((ROOT / "tests" / "data" / "marks.json").read_text(encoding="utf-8"))


def test_rows_and_scores_have_the_same_bits_on_every_machine():
    """The marks are of g++ on an x86-64 with AVX2; every other compiler, system and processor must come to them."""
    assert marks() == FROZEN


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["baseline", "v2", "v3", "v4", "v4b", "neon"])
def test_all_copies_come_to_the_same_bits(processor):
    if processor not in _native.processors():
        pytest.skip(f"this processor cannot stand in for {processor}")
    ran = subprocess.run(
        [sys.executable, ROOT / "tools" / "wheels" / "marks.py"],
        env=os.environ | {"TERTIUM_PROCESSOR": processor},
        capture_output=True,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    assert json.loads(ran.stdout) == FROZEN


def test_a_block_moved_far_in_a_long_segment_is_one_edit():
    # More than 50 words, so that distances are looked at; fewer than 64, so that a set of places is one number.
    words = [f"w{place}" for place in range(55)]
    moved = words[:14] + words[17:25] + words[14:17] + words[25:]
    ter = TER(variant="sacrebleu")
    assert ter.score(ter.statistics([" ".join(moved)], [[" ".join(words)]])) == pytest.approx([100 / 55])


def test_a_processor_that_nobody_knows_is_refused():
    program = "import sys; sys.argv = ['tertium', '--version', '--verbose']; from tertium.cli.main import main; main()"
    for code in (program, program.replace("'--version', '--verbose'", "'metrics'")):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"TERTIUM_PROCESSOR": "z80"},
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 1
        assert ran.stderr.startswith("tertium: TERTIUM_PROCESSOR is 'z80', which names no processor")
        assert ran.stderr.count("\n") == 1


def test_what_the_variable_holds_is_shown_and_not_obeyed():
    code = "import sys; sys.argv = ['tertium', 'metrics']; from tertium.cli.main import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"TERTIUM_PROCESSOR": "\x1b[31m\udcff"}, capture_output=True
    )
    assert ran.returncode == 1
    assert b"\x1b" not in ran.stderr
    assert rb"TERTIUM_PROCESSOR is '\x1b[31m" in ran.stderr


def test_the_processor_in_use_is_told():
    program = "from tertium import _native; print(_native.processor())"
    lowest = _native.processors()[0]
    for name in _native.processors():
        ran = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"TERTIUM_PROCESSOR": name},
            capture_output=True,
            text=True,
        )
        assert ran.stdout.strip() == name
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"TERTIUM_PROCESSOR": "baseline"},
        capture_output=True,
        text=True,
    )
    assert ran.stdout.strip() == lowest  # on arm64, where nothing is below neon, that is meant

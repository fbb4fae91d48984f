"""Every copy of a kernel, as compiled for one kind of processor, fills the same rows."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from tertium import BLEU, CDER, CHRF, NIST, PER, TER, WER, _native, parse_metric

METRICS = [
    BLEU(),
    BLEU(orders=(1, 2, 3, 4, 5, 6), sentence_boundaries="both"),
    NIST(),
    CHRF(word_order=2),
    CHRF(char_order=9, lowercase=True),
    WER(),
    WER(substitution="levenshtein"),
    PER(),
    PER(substitution="gld"),
    CDER(direction="maximum"),
    CDER(substitution="prefix"),
    TER(),
    TER(variant="sacrebleu", normalized=True),
    TER(variant="sacrebleu", max_shift_distance=7),
    TER(variant="thesis"),
    parse_metric("terp"),
    parse_metric("meteor"),
]


def texts():
    """Return hypotheses and references of 0 to 200 words, with blocks moved, around the widths of masks."""
    rng = random.Random(3)
    lengths = [*range(12), *range(48, 70), 126, 127, 128, 129, 190, 200]
    hypotheses, references = [], []
    for length in lengths * 2:
        reference = [f"w{rng.randrange(2 * length)}{'.,-&'[rng.randrange(40) :: 7][:1]}" for _ in range(length)]
        hypothesis = reference.copy()
        for _ in range(min(length, 3)):
            begin = rng.randrange(length)
            block = [hypothesis.pop(begin) for _ in range(min(3, len(hypothesis) - begin))]
            place = rng.randrange(len(hypothesis) + 1)
            hypothesis[place:place] = block
        hypotheses.append(" ".join(word for word in hypothesis if rng.random() > 0.05))
        references.append(" ".join(reference))
    return hypotheses, references


def rows():
    """Return all rows of all metrics, end to end, and sums of some that were drawn."""
    hypotheses, references = texts()
    groups = [[one, other] for one, other in zip(references, references[1:] + references[:1], strict=True)]
    filled = [
        metric.fitted_to(given).statistics(hypotheses, given).ravel()
        for metric in METRICS
        for given in ([[text] for text in references], groups)
    ]
    drawn = np.zeros((2, 64))
    matrix = np.ascontiguousarray(np.arange(600.0).reshape(-1, 2))
    _native.bootstrap_sums(matrix, generator=[1, 2, 3, 5], skipped=0, threads=1, sums=drawn)
    return np.concatenate([*filled, drawn.ravel()])


@pytest.mark.parametrize("processor", ["baseline", "v2", "v3", "v4", "neon"])
def test_all_copies_fill_the_same_rows(processor):
    """To the last bit, so that a score does not depend on where it was computed."""
    if processor not in _native.processors():
        pytest.skip(f"this processor cannot stand in for {processor}")
    program = "import sys, test_kernel_copies; sys.stdout.buffer.write(test_kernel_copies.rows().tobytes())"
    environment = os.environ | {"TERTIUM_PROCESSOR": processor, "PYTHONPATH": os.path.dirname(__file__)}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    np.testing.assert_array_equal(np.frombuffer(ran.stdout), rows())


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

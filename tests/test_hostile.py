"""Input that nobody would write: an answer or a clear error, never a crash or a traceback."""

import random
import resource
import subprocess
import sys

import numpy as np
import pytest

from tertium import BLEU, CHRF

CALL = "from tertium.cli.main import main; main()"


def tertium(*arguments, cwd):
    return subprocess.run([sys.executable, "-c", CALL, *map(str, arguments)], cwd=cwd, capture_output=True, timeout=120)


def check(result, codes=(0, 1)):
    assert result.returncode in codes, result.stderr
    assert b"Traceback" not in result.stderr


def processor_seconds():
    """Return how long the processes that have ended kept a processor busy; what else runs here does not matter."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


SELDOM = ["a", "a ", ".", "1.", "é ", "&amp;", "😀", "-\u2028", "ab cd. "]


@pytest.mark.parametrize(
    "unit", ["word and word ", "中", *(pytest.param(unit, marks=pytest.mark.slow) for unit in SELDOM)], ids=ascii
)
def test_a_single_line_of_a_megabyte(tmp_path, unit):
    line = unit * (1_000_000 // len(unit.encode()))
    (tmp_path / "a.txt").write_text(line, encoding="utf-8")
    (tmp_path / "b.txt").write_text(line[: len(line) // 2] + " other " + line[len(line) // 2 :], encoding="utf-8")
    began = processor_seconds()
    metrics = (
        "-m",
        "bleu",
        "-m",
        "chrf++",
        "-m",
        "bleu:tokenize=intl",
        "-m",
        "bleu:tokenize=zh",
        "-m",
        "bleu:tokenize=char",
    )
    check(tertium("score", "a.txt", "-r", "b.txt", *metrics, "--format", "json", cwd=tmp_path), codes=(0,))
    assert processor_seconds() - began < 30


def test_a_million_empty_lines(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\n" * 1_000_000)
    check(tertium("score", "a.txt", "-r", "a.txt", "--format", "json", cwd=tmp_path), codes=(0,))


@pytest.mark.slow
def test_a_score_for_each_of_many_empty_lines(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\n" * 100_000)
    arguments = ("--level", "segment", "--format", "tsv", "--output", "out.tsv")
    check(tertium("score", "a.txt", "-r", "a.txt", *arguments, cwd=tmp_path), codes=(0,))
    assert (tmp_path / "out.tsv").read_bytes().count(b"\n") == 300_001


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 12))])
def test_random_bytes(tmp_path, seed):
    rng = random.Random(seed)
    alphabet = [bytes(range(256)), b"\n\x00\xffab \x1f\x8b", "\n \u2028\r\t,.é中😀".encode(), b'{}"\n:,[]<>/=a\t'][
        seed % 4
    ]
    data = [bytes(rng.choices(alphabet, k=rng.choice([1, 100, 5000]))) for _ in range(2)]
    names = [("a.txt", "b.txt"), ("a.txt.gz", "b.txt"), ("a.gz", "b.gz")][seed % 3]
    for name, content in zip(names, data, strict=True):
        (tmp_path / name).write_bytes(content)
    check(tertium("score", names[0], "-r", names[1], "--level", "segment", "--format", "tsv", cwd=tmp_path))
    check(tertium("score", names[0], "-r", names[0], "--documents", names[1], "--level", "document", cwd=tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "\x01", "-r", "\x7f"],
        ["score", "", "-r", ""],
        ["score", "=", "-r", "="],
        ["score", "a.txt", "-r", "a.txt", "-m", ":,=|"],
        ["score", "a.txt", "-r", "a.txt", "-m", "bleu:orders=999999999999999999999"],
        ["score", "a.txt", "-r", "a.txt", "-m", "bleu:smoothing=add-k,smoothing_value=1e308"],
        ["score", "a.txt", "-r", "a.txt", "-m", "bleu:smoothing=floor,smoothing_value=1e308"],
        ["score", "a.txt", "-r", "a.txt", "-m", "chrf:char_order=500,word_order=500"],
        ["score", "a.txt", "-r", "a.txt", "-m", "chrf:beta=1e-300"],
        ["score", "a.txt", "-r", "a.txt", "--threads", "10000"],
        ["score", "a.txt", "-r", "a.txt", "--threads", "999999999999999999999"],
        ["score", "a.txt", "-r", "a.txt", "-l", "|"],
        ["metrics", "\x01"],
        ["demo", "--keep", "a.txt"],
        ["demo", "--keep", ""],
    ],
)
def test_odd_arguments(tmp_path, arguments):
    (tmp_path / "a.txt").write_text("some words here and there\n")
    result = tertium(*arguments, cwd=tmp_path)
    check(result, codes=(0, 1, 2))
    assert b"nan" not in result.stdout.split()


def test_odd_characters_do_not_matter():
    texts = [
        "\x00",
        "\x00 \x00",
        "\ufffe\uffff",
        "\U0010ffff" * 70,
        "\u202e\u200f",
        "a\u0301" * 100,
        "ﷺ" * 40,
        "\u1e9e" * 80,
    ]
    for form in ("none", "nfc", "nfkc"):
        for lowercase in (False, True):
            for metric in (
                BLEU(unicode=form, lowercase=lowercase),
                CHRF(unicode=form, lowercase=lowercase, word_order=2),
            ):
                rows = metric.statistics(texts, texts)
                assert np.isfinite(metric.score(rows)).all()


def test_many_references():
    texts = [f"one {n} two {n + 1} three" for n in range(3000)]
    row = BLEU(tokenize="none").statistics(["one 5 two 6 three"], [texts])[0]
    assert row.tolist() == [5, 5, 5, 4, 3, 2, 5, 4, 3, 2]
    chrf = CHRF()
    assert chrf.score(chrf.statistics(["one 5 two 6 three"], [texts])) == pytest.approx([100])

"""`tertium tune`: from files to a tuned metric, or to the word that there is no evidence."""

import json
import random
from pathlib import Path

import pytest

WORDS = "the a cat dog boat house runs sleeps near under old small red green quickly today".split()


@pytest.fixture
def judged(tmp_path):
    """Write two systems, a reference, documents, and judgments that follow deletions much more than insertions."""
    draw = random.Random(5)
    reference, outputs, rows = [], {"one": [], "two": []}, ["system\tsegment\tkind\tscore"]
    for segment in range(60):
        words = [draw.choice(WORDS) for _ in range(12)]
        reference.append(" ".join(words))
        for name, texts in outputs.items():
            lost, extra = draw.randrange(5), draw.randrange(5)
            kept = words[lost:] + ["blah"] * extra
            texts.append(" ".join(kept))
            rows.append(f"{name}\t{segment + 1}\tadequacy\t{100 - 9 * lost - extra + draw.random()}")
    for name, lines in {
        **outputs,
        "ref": reference,
        "docs": [f"d{i // 5}" for i in range(60)],
        "judged.tsv": rows,
    }.items():
        (tmp_path / (name if "." in name else f"{name}.txt")).write_text("".join(f"{line}\n" for line in lines))
    return [str(tmp_path / "one.txt"), str(tmp_path / "two.txt"), "-r", str(tmp_path / "ref.txt"), "--judgments",
            str(tmp_path / "judged.tsv"), "--documents", str(tmp_path / "docs.txt")]  # fmt: skip


def test_a_real_gain_is_saved_and_can_be_used(tertium, tmp_path, judged):
    saved, plot, page = (str(tmp_path / name) for name in ("t.toml", "t.svg", "t.html"))
    result = tertium("tune", *judged, "-m", "terp:costs=ter,cap=false", "--free", "insertion,deletion", "--folds", "3",
                     "--save", saved, "--plot", plot, "--report", page, "--format", "json")  # fmt: skip
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert found["better"]
    assert found["split"] == "document"
    assert found["values"]["deletion"] > found["values"]["insertion"] + 0.2
    assert found["held_out"] > found["held_out_before"]
    assert "<svg" in (tmp_path / "t.svg").read_text()
    shown = (tmp_path / "t.html").read_text()
    assert "Better on what was held out" in shown
    assert f"{found['gain']:+.3f}" in shown
    assert shown.count("<svg") == 3  # the search, and two settings
    one, two, *_ = judged
    scores = tertium("score", one, two, "-r", judged[3], "-m", saved, "-m", f"terp:costs={saved}", "--format", "json")
    assert scores.code == 0, scores.err
    shown = tertium("tune", *judged, "-m", "terp:costs=ter,cap=false", "--free", "deletion", "--folds", "2")
    assert "held out" in shown.out
    assert all(len(line) <= 100 for line in shown.out.splitlines())


def test_too_few_segments_for_an_interval(tertium):
    assert tertium("demo", "--keep", "d").code == 0
    call = ["tune", "d/north.txt", "d/south.txt", "-r", "d/reference.a.txt", "-m", "chrf", "--free", "beta",
            "--judgments", "d/judgments.tsv", "--restarts", "1", "--samples", "20", "--report", "page.html"]  # fmt: skip
    result = tertium(*call)
    assert result.code == 0, result.err
    assert result.err.endswith("folds needs 4 or more. Take fewer folds.\n")  # which are by segment already
    assert "nan" not in Path("page.html").read_text(encoding="utf-8")


def test_without_evidence_nothing_is_saved(tertium, tmp_path, judged):
    rows = (tmp_path / "judged.tsv").read_text().splitlines()
    draw = random.Random(1)
    shuffled = [row.rsplit("\t", 1)[0] for row in rows[1:]]
    (tmp_path / "judged.tsv").write_text(
        "\n".join([rows[0], *(f"{row}\t{draw.random():.4f}" for row in shuffled)]) + "\n"
    )
    saved = tmp_path / "t.toml"
    result = tertium("tune", *judged, "-m", "chrf", "--folds", "3", "--save", str(saved))
    assert result.code == 0
    assert "within noise" in result.err
    assert not saved.exists()
    assert tertium("tune", *judged, "-m", "chrf", "--folds", "3", "--save", str(saved), "--save-anyway").code == 0
    assert saved.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "terp", "--bounds", "shift"], "bounds look like"),
        (["-m", "terp", "--bounds", "shift=3:1"], "first must be below"),
        (["-m", "terp", "--free", "colour"], "colour"),
        (["-m", "terp", "-m", "ter"], "one metric"),
        (["-m", "terp", "--folds", "50"], "too few for 50 folds"),
        (["-m", "terp", "--save", "x.txt"], ".toml or .json"),
        (["-m", "terp", "--plot", "x.gif"], ".svg or .png"),
        (["-m", "terp", "--scores", "x.tsv"], "leave out --scores"),
        (["-m", "averaged-bleu"], "no setting that can be tuned"),
    ],
)
def test_what_cannot_be_meant_is_refused(tertium, judged, options, message):
    result = tertium("tune", *judged, *options)
    assert result.code == 1
    assert message in result.err


def test_a_climb_that_would_not_end_is_refused(tertium, judged):
    result = tertium("tune", *judged, "--restarts", "1001")
    assert result.code == 2
    assert "1001 is not in the range 0<=x<=1000" in result.err

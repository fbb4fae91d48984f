"""Human scores of a part and metric scores of all: the estimate, its interval, and what it saves."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from tertium.cli.commands.judgments import command
from tertium.errors import InputError
from tertium.judgments.metric_assisted import assisted
from tertium.significance.student import student


def drawn(rng, documents, size, judged, agreement):
    """Scores of people and a metric, alike within documents; people judged the first documents."""
    parts = [np.repeat(rng.normal(size=documents), size) * 0.4 + rng.normal(size=documents * size) * 0.9 for _ in "ab"]
    human, other = parts
    metric = agreement * human + np.sqrt(1 - agreement**2) * other
    document = np.repeat(np.arange(documents), size)
    return np.where(document < judged, human, np.nan), metric, document.tolist()


def test_by_hand():
    """Four documents of one segment, two more that nobody judged; with so few, the formula in full."""
    human = np.array([1.0, 2, 3, 6, np.nan, np.nan])
    metric = np.array([1.0, 2, 3, 5, 4, 6])
    found = assisted(human, metric)
    ours = np.array([-2, -1, 0, 3, 0, 0]) / 4
    theirs = np.array([0, 0, 0, 0, -1, 1]) / 2 - np.array([-1.75, -0.75, 0.25, 2.25, 0, 0]) / 4
    slope = -(ours @ theirs) / (theirs @ theirs)
    left = ((ours + slope * theirs) ** 2).sum() / 2
    kept = 1 - left / (slope**2 * (theirs @ theirs))
    assert found.weight == pytest.approx(kept * slope)
    assert found.score == pytest.approx(3 + kept * slope * (5 - 2.75))
    rest = ours + kept * slope * theirs
    squares = (rest[:4] ** 2).sum() * 4 / (3 - kept) + (rest[4:] ** 2).sum() * 2
    assert found.high - found.score == pytest.approx(student(0.975, 3 - kept) * np.sqrt(squares))
    assert found.human_high - 3 == pytest.approx(student(0.975, 3) * np.sqrt((ours**2).sum() * 4 / 3))


def test_a_metric_that_knows_all_saves_what_was_not_judged():
    truth, _, documents = drawn(np.random.default_rng(1), 200, 5, 200, 1)
    human = np.where(np.array(documents) < 40, truth, np.nan)
    found = assisted(human, truth, documents=documents)
    assert found.weight == pytest.approx(0.8, abs=0.05)  # four fifths were not judged
    assert abs(found.score - truth.mean()) < 0.1 * abs(found.human - truth.mean())
    assert found.saving == pytest.approx(0.8, abs=0.1)


def test_a_metric_that_speaks_against_people_is_not_used():
    human, metric, documents = drawn(np.random.default_rng(2), 60, 5, 20, 0.8)
    found = assisted(human, -metric, documents=documents)
    assert (found.weight, found.score, found.saving) == (0, found.human, 0)


def test_where_all_is_judged_nothing_is_saved():
    human, metric, documents = drawn(np.random.default_rng(3), 20, 5, 20, 0.8)
    found = assisted(human, metric, documents=documents)
    assert (found.score, found.saving) == (human.mean(), 0)


@pytest.mark.slow
def test_a_useless_metric_costs_nothing():
    """The mean width in 1,000 draws is at most 1.02 times that of people alone, and intervals hold the truth."""
    rng = np.random.default_rng(4)
    found = []
    for _ in range(1000):
        human, metric, documents = drawn(rng, 60, 4, 15, 0.0)
        found.append(assisted(human, metric, documents=documents))
    ratio = np.mean([one.high - one.low for one in found]) / np.mean([one.human_high - one.human_low for one in found])
    assert ratio <= 1.02
    assert np.mean([one.low <= 0 <= one.high for one in found]) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
def test_a_useful_metric_saves_what_it_says():
    rng = np.random.default_rng(5)
    found = [
        assisted(*drawn(rng, 100, 4, 20, 0.7)[:2], documents=np.repeat(np.arange(100), 4).tolist()) for _ in range(500)
    ]
    spread, alone = np.std([one.score for one in found]), np.std([one.human for one in found])
    assert 1 - (spread / alone) ** 2 == pytest.approx(np.mean([one.saving for one in found]), abs=0.1)


@pytest.mark.parametrize(
    ("human", "metric", "documents", "message"),
    [
        ([1, 2], [1], None, "2 human scores, but 1 of the metric"),
        ([1, 2, 3, 4], [1, 2, 3, np.nan], None, "Segment 4 was judged, but has no score"),
        ([1, 2, np.nan], [1, 2, 3], None, "judged in 2 documents"),
        ([1, 2, 3, 4], [1, 2, 3, 4], ["a"] * 3, "3 document ids, but 4 segments"),
    ],
)
def test_what_cannot_be_estimated(human, metric, documents, message):
    with pytest.raises(InputError, match=message):
        assisted(np.array(human, float), np.array(metric, float), documents=documents)


@pytest.mark.parametrize(("freedom", "expected"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (29, 2.045)])
def test_students_quantiles(freedom, expected):
    assert student(0.975, freedom) == pytest.approx(expected, abs=0.01)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(6)
    words = ["red", "green", "blue", "sky", "sea", "hill"]
    reference = [" ".join(rng.choice(words, 6)) for _ in range(60)]
    rows = ["system\tdocument\tsegment\tkind\tscore"]
    for name, noise in (("a", 2), ("b", 4)):
        lines = []
        for k, line in enumerate(reference):
            bad = int(rng.integers(0, noise))
            lines.append(" ".join(line.split()[: 6 - bad]))
            if k < 24:
                rows.append(f"{name}\td{k // 4}\t{k + 1}\tDA\t{100 - 15 * bad + rng.normal():.2f}")
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in reference))
    (tmp_path / "part.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "ids.txt").write_text("".join(f"d{k // 4}\n" for k in range(60)))
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(command, ["aggregate", *arguments])


def test_the_command(folder):
    result = run(
        "part.tsv", "--with-metric", "chrf", "--systems", "a.txt", "b.txt", "-r", "ref.txt", "--format", "json"
    )
    assert result.exit_code == 0, result.output
    found = {one["system"]: one for one in json.loads(result.output)["scores"]}
    assert set(found) == {"a", "b"}
    assert (found["b"]["judged"], found["b"]["segments"], found["b"]["documents"]) == (24, 60, 6)
    assert found["b"]["saving"] > 0.2
    shown = run(
        "part.tsv",
        "--with-metric",
        "chrf",
        "--systems",
        "a.txt",
        "--systems",
        "b.txt",
        "-r",
        "ref.txt",
        "--documents",
        "ids.txt",
    ).output
    assert "drawn at random, not chosen" in shown


def test_scores_of_another_program(folder):
    segments = {f"{name}.txt": [{"mt": "", "COMET": k % 7} for k in range(60)] for name in "ab"}
    (folder / "comet.json").write_text(json.dumps(segments))
    found = json.loads(run("part.tsv", "--scores", "comet.json", "--format", "json").output)["scores"]
    assert [(one["system"], one["metric"]) for one in found] == [("a", "COMET"), ("b", "COMET")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--with-metric", "chrf"), "A metric needs texts"),
        (("--systems", "a.txt"), "A metric needs texts"),
        (("--with-metric", "chrf", "--systems", "x=a.txt", "-r", "ref.txt"), "No system was both judged"),
        (("--with-metric", "chrf", "--systems", "a.txt", "-r", "ref.txt", "--clusters"), "leave out --level"),
        (("--with-metric", "chrf", "--scores", "x.json"), "but not both"),
    ],
)
def test_words_that_do_not_fit(folder, words, message):
    assert message in str(run("part.tsv", *words).exception)


def test_judgments_of_segments_that_are_not_there(folder):
    (folder / "short.txt").write_text("red\n" * 9)
    words = ("--with-metric", "chrf", "--systems", "a=short.txt", "-r", "short.txt")
    assert "segment 10: there are only 9" in str(run("part.tsv", *words).exception)

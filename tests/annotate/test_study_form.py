"""A study file is a judgments file."""

import json
import sqlite3

import pytest
from click.testing import CliRunner

from annotate.conftest import served, work_through
from tertium.annotate.exchange.forms import form_named
from tertium.annotate.study import Study
from tertium.cli.commands.judgments import command
from tertium.errors import InputError
from tertium.judgments import Reading, form_of, read_judgments
from tertium.judgments.forms.study import Study as StudyForm


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.db"
    with served(path, annotators=4, judgments_per_item=2) as site:
        for number in (1, 2, 3, 4):
            work_through(site, number, value=lambda n, place, number=number: 40 + 10 * number)
    return path


def test_it_is_recognised_by_its_first_bytes(study, tmp_path):
    assert form_of(str(study)).name == "study"
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE t (a)").connection.close()
    assert not StudyForm().recognises(type("File", (), {"path": str(other)}))


def test_it_reads_scores_documents_and_raters(study):
    judgments = read_judgments(str(study))
    assert len(judgments) == 16
    assert judgments.kinds == ("ESA",)
    assert set(judgments.rater.names) == {"A01", "A02", "A03", "A04"}
    assert set(judgments.document.names) == {"a", "b", "c"}
    assert sorted(set(judgments.segment.tolist())) == [1, 2, 3, 4]


def test_unfinished_screens_are_left_out_and_said(tmp_path):
    path = tmp_path / "study.db"
    with served(path) as site:
        work_through(site, 1)
        shown = site.screen(2)
        output = shown["rows"][0]["outputs"][0]
        site.save(
            {"id": "client-0001", "screen": shown["n"], "output": output["id"], "base": 0, "answer": {"score": 5}},
            number=2,
        )
        said = []
        judgments = read_judgments(str(path), warn=said.append)
    assert len(judgments) == 4
    assert "1 answers are on screens that nobody has finished" in said[0]


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00" + b"\x00" * 84, b"\x00" * 200, b"text\n"])
def test_what_is_no_study_is_refused(tmp_path, content):
    path = tmp_path / "study.db"
    path.write_bytes(content)
    with pytest.raises(InputError, match="study.db"):
        StudyForm().read(str(path), Reading())


def test_an_empty_study_says_so(site):
    with pytest.raises(InputError, match="no finished judgment yet"):
        read_judgments(str(site.path))


@pytest.mark.parametrize("action", ["info", "aggregate", "agreement", "raters"])
def test_every_action_takes_it(study, action):
    result = CliRunner().invoke(command, [action, str(study)], catch_exceptions=False)
    assert result.exit_code == 0
    assert "ESA" in result.output


def test_post_edits_give_hter(tmp_path):
    path = tmp_path / "study.db"
    with served(path, protocol="post-edit") as site:
        work_through(site, 1)
    judgments = read_judgments(str(path))
    assert judgments.kinds == ("hter",)
    assert judgments.lower_is_better == {"hter"}
    # One word more in each post-edit: 1 edit over its length.
    lengths = dict(zip(judgments.segment.tolist(), judgments.score.tolist(), strict=True))
    assert all(0 < score <= 34 for score in lengths.values())


def test_spans_and_times_come_along(study):
    judgments = read_judgments(str(study))
    spans = [span for group in judgments.details.spans.each(len(judgments)) for span in group]
    assert len(spans) == 16
    assert all((span.start, span.end, span.severity) == (0, 1, "major") and span.text for span in spans)
    assert (judgments.details.ended > 1e9).all()


def test_an_adaptive_study_weights_by_the_inverse_probability(tmp_path):
    path = tmp_path / "study.db"
    with served(path, assignment="adaptive", coldstart=1, annotators=3) as site:
        for number in (1, 2, 3):
            work_through(site, number, value=lambda position, place, number=number: 20 * number + position)
        draws = {
            (row["annotator"], row["screen"], row["system"]): row["probability"]
            for row in site.query("SELECT * FROM draw")
        }
        rows = site.query(
            "SELECT answer.annotator, screen, output.system, name, scores FROM answer "
            "JOIN output ON output.id = answer.output JOIN system ON system.id = output.system"
        )
    said = []
    judgments = read_judgments(str(path), warn=said.append)
    assert "inverse of the probability" in said[0]
    assert len({round(value, 6) for value in draws.values()}) > 1
    for system, score in judgments.system_scores("ESA").items():
        ours = [row for row in rows if row["name"] == system]
        weights = [1 / draws[row["annotator"], row["screen"], row["system"]] for row in ours]
        values = [json.loads(row["scores"])["ESA"] for row in ours]
        mean = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
        assert score == pytest.approx(mean, abs=1e-9)
    text = tmp_path / "judgments.tsv"
    text.write_text(form_named("tidy").written(Study.opened(path), names=False)["judgments.tsv"], encoding="utf-8")
    assert read_judgments(str(text)).system_scores("ESA") == judgments.system_scores("ESA")

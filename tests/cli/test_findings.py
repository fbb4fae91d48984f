"""`tertium shared-task`: the tables of a findings paper, and what is in none of them."""

import csv
import json

import pytest

from cli.test_chosen import SYSTEMS, made_folder
from oracles.wmt import ORACLE, needs_oracle

LAYOUT = ORACLE / "wmt23-layout"


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made_folder(tmp_path_factory.mktemp("sets") / "mini")


def test_every_table_comes_for_papers_and_for_programs(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    result = tertium("shared-task", folder, "--out", out, "--samples", "50")
    assert result.code == 0, result.err
    names = {file.name for file in out.iterdir()}
    assert {"index.html", "left-out.txt", "average.tex", "average.csv", "human.en-de.tex", "metrics.he-en.csv",
            "task.en-de-seg-acc-eq.csv", "significance.average.csv", "human-significance.he-en.tex"} <= names  # fmt: skip
    assert {name.removesuffix(".tex") for name in names if name.endswith(".tex")} == {
        name.removesuffix(".csv") for name in names if name.endswith(".csv")
    }
    assert f"{len(names)} files" in result.out
    left_out = (out / "left-out.txt").read_text()
    assert "refA, refB are human references" in left_out
    assert "Tasks: those of wmt24" in left_out
    page = (out / "index.html").read_text()
    for file in names:
        if file.endswith(".tex"):
            assert file in page
    assert "refA, refB are human references" in page


def test_the_page_has_signatures_of_what_was_computed_here(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    result = tertium("shared-task", folder, "--out", out, "--samples", "20", "-m", "chrf")
    assert result.code == 0, result.err
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "<code>chrf:char_order=6," in page
    assert "scores of another program" not in page


def test_the_tables_hold_what_rank_and_aggregate_say(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    assert tertium("shared-task", folder, "--out", out, "--samples", "50", "--seed", "3").code == 0
    result = tertium("rank", folder, "en-de", "he-en", "--tasks", "wmt24", "--samples", "50", "--seed", "3",
                     "--format", "json")  # fmt: skip
    ranked = json.loads(result.out)
    found = rows(out / "average.csv")
    assert [one["metric"] for one in found] == [one["metric"] for one in ranked["averages"]]
    for ours, theirs in zip(found, ranked["averages"], strict=True):
        assert float(ours["value"]) == pytest.approx(theirs["average"])
        assert (int(ours["rank"]), float(ours["low"])) == (theirs["rank"], pytest.approx(theirs["low"]))
    tests = {one["metric"]: one for one in rows(out / "significance.average.csv")}
    assert float(tests["good"]["poor"]) == ranked["matrix"]["good"]["poor"]
    people = tertium("judgments", "aggregate", folder / "human-scores" / "en-de.mqm.seg.score", "--clusters",
                     "--format", "json")  # fmt: skip
    assert people.code == 0, people.err
    expected = json.loads(people.out)["scores" if "scores" in json.loads(people.out) else "ranks"]
    systems = rows(out / "human.en-de.csv")
    assert [(one["system"], int(one["cluster"])) for one in systems] == [
        (one["system"], one["cluster"]) for one in expected
    ]
    assert {one["system"] for one in systems} == {*SYSTEMS, "refA", "refB"}
    assert float(systems[0]["news"]) + float(systems[0]["social"]) == pytest.approx(2 * float(systems[0]["score"]))


def test_an_interval_of_a_task_is_on_the_scale_of_its_coefficient(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    result = tertium("shared-task", folder, "en-de", "--out", out, "--tasks", "wmt23", "--samples", "100")
    assert result.code == 0, result.err
    for one in rows(out / "task.en-de-seg-pearson.csv"):
        assert float(one["low"]) < float(one["value"]) < float(one["high"])


def test_domains_are_test_sets(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    result = tertium("shared-task", folder, "en-de", "--out", out, "--by-domain", "--samples", "20")
    assert result.code == 0, result.err
    assert {"human.news.csv", "human.social.csv", "metrics.news.tex"} <= {file.name for file in out.iterdir()}


def test_only_the_better_system_is_marked_and_alpha_is_said(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    for rule in ("tertium", "wmt22", "wmt24", "wmt26"):
        result = tertium("shared-task", folder, "en-de", "--out", out, "--samples", "20", "--people-like", rule,
                         "--alpha", "0.2")  # fmt: skip
        assert result.code == 0, result.err
        lines = (out / "human-significance.en-de.tex").read_text().splitlines()
        body = [line.split(" & ") for line in lines if line.endswith(r"\\") and not line.startswith("p &")]
        bold = {(i, j) for i, row in enumerate(body) for j, cell in enumerate(row[1:]) if "textbf" in cell}
        assert bold
        assert not bold & {(j, i) for i, j in bold}
        won = {one["system"]: int(one["wins"]) for one in rows(out / "human.en-de.csv")}
        assert won == {row[0]: sum(i == at for at, _ in bold) for i, row in enumerate(body)}
        assert "p < 0.2." in lines[1]
        assert ("better than the column" in lines[1]) == (rule in ("tertium", "wmt22"))
        assert "p < 0.2." in (out / "human.en-de.tex").read_text()


def test_files_of_an_earlier_run_are_told_of(folder, tertium, tmp_path):
    out = tmp_path / "tables"
    assert tertium("shared-task", folder, "--out", out, "--samples", "20").code == 0
    again = tertium("shared-task", folder, "--out", out, "--samples", "20")
    assert "did not write" not in again.err
    fewer = tertium("shared-task", folder, "en-de", "--out", out, "--samples", "20", "--systems", "a,b,c,d")
    assert fewer.code == 0, fewer.err
    assert "files that this run did not write, such as human-significance.he-en.csv" in fewer.err
    assert "People's rankings of systems have all that were judged" in (out / "left-out.txt").read_text()


def test_what_cannot_be_done_leaves_nothing_behind(folder, tertium, tmp_path):
    (tmp_path / "file").write_text("mine")
    out = tmp_path / "tables"
    for arguments, words in (
        ([folder, "--out", tmp_path / "file"], "is a file"),
        ([folder, "--out", tmp_path / "no" / "where"], "no directory"),
        ([tmp_path / "nothing", "--out", out], "layout"),
        ([folder, "en-xx", "--out", out], "en-xx"),
        ([folder, "--out", out, "--kind", "esa"], "'esa'"),
        ([folder, "--out", out, "--metrics", "none-such"], "no metric"),
    ):
        result = tertium("shared-task", *arguments)
        assert result.code == 1
        assert words in result.err
        assert "Traceback" not in result.err
    assert not out.exists()
    assert (tmp_path / "file").read_text() == "mine"


def test_domains_whose_files_would_be_the_same_are_refused(tertium, tmp_path):
    made = made_folder(tmp_path / "two")
    documents = made / "documents" / "en-de.docs"
    documents.write_text(documents.read_text().replace("news\t", "so/me\t").replace("social\t", "so:me\t"))
    result = tertium("shared-task", made, "en-de", "--out", tmp_path / "tables", "--by-domain", "--samples", "20")
    assert result.code == 1
    assert "'Systems by mqm of so/me' and 'Systems by mqm of so:me' would be one file" in result.err
    assert not (tmp_path / "tables").exists()


def test_several_kinds_must_be_chosen_from(folder, tertium, tmp_path):
    made = made_folder(tmp_path / "two")
    for pair in ("en-de", "he-en"):
        scores = (made / "human-scores" / f"{pair}.mqm.seg.score").read_text()
        (made / "human-scores" / f"{pair}.esa.seg.score").write_text(scores)
    result = tertium("shared-task", made, "--out", tmp_path / "tables")
    assert result.code == 1
    assert "--kind" in result.err
    assert "esa, mqm" in result.err


@needs_oracle
@pytest.mark.slow
def test_the_tables_are_those_of_mt_metrics_eval(tertium, tmp_path):
    with (LAYOUT / "expected" / "average.tsv").open() as file:
        expected = [row for row in csv.DictReader(file, delimiter="\t") if row["set"] == "wmt23"]
    primary = ["BLEU", "eBLEU", *(row["metric"].removesuffix("[noref]") for row in expected)]
    out = tmp_path / "tables"
    result = tertium("shared-task", LAYOUT.resolve() / "wmt23", "--out", out, "--kind", "mqm", "--like", "wmt23",
                     "--metrics", ",".join(primary))  # fmt: skip
    assert result.code == 0, result.err
    found = rows(out / "average.csv")
    assert [(one["metric"], one["rank"]) for one in found] == [
        (row["metric"].removesuffix("[noref]"), row["rank"]) for row in expected
    ]
    assert [float(one["value"]) for one in found] == pytest.approx(
        [float(row["average"]) for row in expected], abs=1e-9
    )

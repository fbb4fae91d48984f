"""Which segments to judge: what they are worth, and what fits into a budget."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from tertium import BLEU
from tertium.annotate.selection import consistency, diversity, selected, variance
from tertium.cli.commands.annotate import command
from tertium.errors import InputError

TEXTS = {"a": ["one two three four", "same words here now"], "b": ["five six seven eight", "same words here now"]}


def test_outputs_that_share_nothing_are_worth_most():
    assert diversity(TEXTS).tolist() == pytest.approx([100, 0], abs=7)
    three = TEXTS | {"c": ["one two three five", "same words here"]}
    pairs = [BLEU(effective_order=True).score(BLEU(effective_order=True).statistics(three[x], three[y]))
             for x in three for y in three if x != y]  # fmt: skip
    assert diversity(three) == pytest.approx(100 - np.mean(pairs, axis=0))


def test_variance_and_consistency():
    scores = np.array([[1.0, 3, 2], [2, 2, 2], [3, 1, 2]])
    assert variance(scores) == pytest.approx([2 / 3, 2 / 3, 0])
    better = np.array([[1.0, 3, 2, 1], [2, 2.5, 2, 1], [9, 1, 2, 3]])
    assert consistency(better) == pytest.approx([2, 0, 1, 1 + 2 * 2 / (9 * 1 / 2)])


def chosen(worth, **more):
    return [one.segment for one in selected(np.array(worth, float), **more)]


def test_the_most_that_fits_is_taken():
    assert chosen([1, 5, 3, 4], budget=2) == [2, 4]
    assert chosen([2, 5, 3, 4], budget=3, cost=np.array([1, 5, 2, 4])) == [1, 3]  # by worth per cost
    assert len(chosen([1, 1, 1, 1], budget=3)) == 3
    assert chosen([1, 2, 3], budget=99) == [1, 2, 3]


def test_whole_documents_and_domains():
    documents = ["x", "x", "y", "z", "z"]
    assert chosen([9, 0, 6, 1, 2], budget=3, documents=documents, by_document=True) == [1, 2, 3]
    domains = ["news", "news", "talk", "talk"]
    assert chosen([9, 8, 1, 2], budget=2, domains=domains) == [1, 4]
    with pytest.raises(InputError, match="several domains"):
        selected(np.ones(4), budget=2, documents=["x"] * 4, domains=domains, by_document=True)


def test_a_random_part_is_told():
    found = selected(np.arange(100.0), budget=20, random_share=0.25, seed=3)
    how = [one.how for one in found]
    assert (how.count("random"), how.count("diversity")) == (5, 15)
    assert all(one.segment > 70 for one in found if one.how == "diversity")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"budget": 0}, "above 0"),
        ({"budget": 0.5}, "Nothing fits into a budget of 0.5: the least costs 1"),
        ({"budget": 1, "random_share": 2}, "between 0 and 1"),
        ({"budget": 1, "by_document": True}, "no document ids"),
        ({"budget": 1, "documents": ["x"]}, "There are 1 documents, but 3 segments"),
        ({"budget": 1, "cost": np.array([1, np.nan, 1])}, "finite numbers"),
    ],
)
def test_what_cannot_be_chosen(more, message):
    with pytest.raises(InputError, match=message):
        selected(np.ones(3), **more)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = {
        "a": ["one two", "red", "blue sky", "x"],
        "b": ["one two", "green", "blue sea", "y"],
        "r": ["one two", "red", "blue sky", "z"],
    }
    for name, text in (lines | {"docs": ["p", "p", "q", "q"], "domains": ["n", "n", "t", "t"]}).items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in text))
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(command, ["select", "a.txt", "b.txt", "-r", "r.txt", *arguments])


@pytest.mark.parametrize("method", ["diversity", "variance", "consistency", "random"])
def test_the_command(folder, method):
    result = run("--budget", "2", "--method", method, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert (found["method"], found["spent"], len(found["selected"])) == (method, 2, 2)


def test_the_command_says_that_means_are_biased(folder):
    assert "biased" in run("--budget", "2").output
    assert "biased" not in run("--budget", "2", "--method", "random").output


def test_words_documents_domains(folder):
    result = run("--budget", "3", "--cost", "words", "--by", "document", "--documents", "docs.txt", "--balance", "domain",
                 "--domains", "domains.txt", "--format", "json", "--quiet")  # fmt: skip
    assert isinstance(result.exception, InputError)
    assert "Nothing fits" in str(result.exception)
    result = run(
        "--budget", "6", "--cost", "words", "--by", "document", "--documents", "docs.txt", "--format", "json", "--quiet"
    )
    assert [one["document"] for one in json.loads(result.output)["selected"]] == ["p", "p", "q", "q"]
    assert "--documents FILE" in str(run("--budget", "3", "--by", "document").exception)
    assert "--domains FILE" in str(run("--budget", "3", "--balance", "domain").exception)


def test_scores_of_other_programs(folder):
    scores = {name: [{"mt": "", "COMET": value} for value in values] for name, values in
              {"a.txt": [0.1, 0.9, 0.5, 0.5], "b.txt": [0.1, 0.1, 0.5, 0.6]}.items()}  # fmt: skip
    (folder / "comet.json").write_text(json.dumps(scores))
    result = run("--budget", "1", "--method", "variance", "--scores", "comet.json", "--format", "json", "--quiet")
    assert [one["segment"] for one in json.loads(result.output)["selected"]] == [2]


def test_planning_from_judgments_and_rows(folder):
    rows = ["system\tdocument\tsegment\trater\tkind\tscore"]
    rng = np.random.default_rng(1)
    for k in range(40):
        rows += [f"{name}\td{k // 4}\t{k + 1}\tr{(k + j) % 3}\tDA\t{60 + 10 * (name == 'a') + 15 * rng.normal():.1f}"
                 for name in "ab" for j in range(2)]  # fmt: skip
    (folder / "pilot.tsv").write_text("\n".join(rows) + "\n")
    plan = ["plan", "--judgments", "pilot.tsv", "--difference", "2"]
    found = json.loads(CliRunner().invoke(command, [*plan, "--format", "json"]).output)
    assert found["components"]["error"] == pytest.approx(225, rel=0.5)
    assert [one["raters_per_output"] for one in found["needs"]] == [1, 2, 3]
    assert "More raters or more segments?" in CliRunner().invoke(command, plan).output
    by_rows = ["plan", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--difference", "1", "--format", "json"]
    found = json.loads(CliRunner().invoke(command, by_rows).output)["needs"][0]
    assert found["needed"] == pytest.approx(4 * found["detectable"] ** 2, abs=1)
    by_rows = by_rows[:-4]
    for bad in (
        ["plan", "--difference", "2"], [*plan, "a.txt"], [*plan[:3], "--difference", "-1"],
        [*by_rows, "--difference", "1", "--power", "1"], [*by_rows, "--difference", "1e-300"],
        [*by_rows, "--difference", "inf"],
    ):  # fmt: skip
        assert isinstance(CliRunner().invoke(command, bad).exception, InputError)


@pytest.mark.parametrize("budget", [1, 2, 4, 5, 8, 12])
def test_a_balanced_budget_is_spent(budget):
    domains = ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    found = selected(np.arange(12.0), budget=budget, domains=domains)
    assert len(found) == budget
    counts = [sum(one.domain == name for one in found) for name in "abc"]
    assert max(counts) - min(counts) <= 1

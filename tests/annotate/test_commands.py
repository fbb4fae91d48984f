"""The commands: each does what it says, and says what it needs."""

import json
import os
import sqlite3
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from annotate.conftest import DOCUMENTS, REFERENCES, SOURCES, SYSTEMS, served, work_through
from tertium.annotate.planning import MEASURED, SPREAD
from tertium.annotate.study import Study, keys
from tertium.cli.commands.annotate import command
from tertium.errors import InputError, TertiumError
from tertium.judgments import read_judgments
from tertium.judgments.components import components_of
from tertium.judgments.planning import standard_error


def run(*arguments):
    result = CliRunner().invoke(command, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {"src": SOURCES, "ref": REFERENCES, "docs": DOCUMENTS, **SYSTEMS}.items():
        (tmp_path / f"{name}.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return tmp_path


NEW = ("new", "study.db", "--source", "src.txt", "north.txt", "south.txt")


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux' own")
def test_a_backup_has_no_name_until_it_is_whole(folder, monkeypatch):
    run(*NEW, "--annotators", 2)
    before, seen = set(folder.iterdir()), []

    def watched(*arguments):
        seen.append(set(folder.iterdir()) - before)  # what a kill at this moment would leave
        return fchmod(*arguments)

    fchmod = os.fchmod
    monkeypatch.setattr(os, "fchmod", watched)
    run("backup", "study.db", "copy.db")
    assert seen == [set()]
    assert set(folder.iterdir()) - before == {folder / "copy.db"}
    assert (folder / "copy.db").stat().st_mode & 0o077 == 0
    with sqlite3.connect("copy.db") as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_new_makes_a_study_that_only_its_owner_reads(folder):
    said = run(*NEW, "--annotators", 2, "--documents", "docs.txt", "-r", "ref.txt", "-l", "de-en")
    assert "8 judgments by 2 annotators" in said
    assert "tertium annotate serve study.db" in said
    assert (folder / "study.db").stat().st_mode & 0o077 == 0
    assert (folder / "study.db.key").stat().st_mode & 0o077 == 0
    text = (folder / "study.db").read_bytes()
    assert keys.annotator_token(keys.read_key(folder / "study.db"), 1, 0).encode() not in text  # hashed


def test_what_a_killed_new_left_goes_after_a_day(folder):
    old, recent = folder / ".study.db.123.new", folder / ".study.db.456.new"
    for path in (old, recent):
        path.write_text("half")
    os.utime(old, (0, 0))
    run(*NEW, "--annotators", 2)
    assert not old.exists()
    assert recent.exists()  # perhaps somebody is at it


CAMPAIGN = Path(os.environ.get("TERTIUM_ORACLE", "")) / "annotation" / "240520rc6ESA.scores.csv"


@pytest.mark.skipif(not CAMPAIGN.is_file(), reason="TERTIUM_ORACLE has no annotation/240520rc6ESA.scores.csv")
def test_plans_rest_on_the_spread_of_a_campaign():
    scores = read_judgments(str(CAMPAIGN)).segment_scores("ESA")
    parts = [scores[one] - scores[two] for one, two in combinations(scores, 2)]
    parts = [part[np.isfinite(part)] for part in parts]
    squares = sum(((part - part.mean()) ** 2).sum() for part in parts)
    pooled = np.sqrt(squares / (sum(len(part) for part in parts) - len(parts)))
    assert pooled / 100 == pytest.approx(SPREAD, abs=0.0005)
    found = components_of(read_judgments(str(CAMPAIGN)), "ESA").components.to_dict()
    expected = MEASURED.to_dict()
    assert {name: None if one is None else one / 1e4 for name, one in found.items()} == pytest.approx(
        expected, abs=1e-5
    )
    assert standard_error(MEASURED, segments=1) == pytest.approx(SPREAD, abs=0.001)


def test_a_plan_writes_nothing(folder):
    said = run(*NEW, "--plan", "--annotators", 4, "--judgments-per-item", 2)
    assert "found with 80 %" in said
    assert not (folder / "study.db").exists()


def test_people_have_their_names_everywhere_in_a_status(folder):
    (folder / "names.txt").write_text("Ann\nBen\n", encoding="utf-8")
    run(*NEW, "--protocol", "da", "--annotators", "names.txt", "--judgments-per-item", 2, "--same-document")
    with served(folder / "study.db") as site:
        for number in (1, 2):
            work_through(site, number, lambda position, place, number=number: 80 if (position + number) % 3 else 30)
    said = run("status", "study.db")
    assert "Ann: " in said
    assert "from 10 screens on" in said
    assert "cohen" in said
    assert "A01" not in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--judgments-per-item", 2), "Give --annotators"),
        (("--annotators", 1, "--same-document", "--overlap", "50%"), "2 judgments per item need as many annotators"),
        (("--control", "50%", "--repeats", "50%"), "more than nine tenths"),
    ],
)
def test_a_plan_is_refused_where_the_study_would_be(folder, options, said):
    for plan in (["--plan"], []):
        with pytest.raises(InputError) as refusal:
            run(*NEW, *options, *plan)
        assert said in str(refusal.value).replace("annotators=", "--annotators ")


def test_nothing_is_overwritten_and_nothing_half_written(folder):
    run(*NEW)
    with pytest.raises(InputError, match="exists already"):
        run(*NEW)
    with pytest.raises(InputError, match="no directory"):
        run("new", "nowhere/study.db", "--source", "src.txt", "north.txt")
    (folder / "short.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(InputError, match="4 segments, but the outputs of short 1"):
        run("new", "other.db", "--source", "src.txt", "short.txt")
    assert sorted(path.name for path in folder.glob("*.db*")) == ["study.db", "study.db.key"]


@pytest.mark.parametrize("options", [
    ("--protocol", "ranking:columns=9"), ("--overlap", "200%"), ("--control", "lots"), ("--annotators", "nobody.txt"),
    ("--annotators", "0"), ("-l", "de"), ("--completion-codes", "one"), ("--page-language", "xx"), ("--instructions", "none.md"),
    ("--protocol", "mqm:typology=none.json"), ("--judgments-per-item", "5"), ("--control", "60%", "--repeats", "60%"),
    ("--reference-checks", "10%"), ("--screens-per-annotator", "3"), ("--protocol", "esa-ai"), ("-l", "de-<b>"),
    ("--spans", "src.txt"), ("--protocol", "ranking", "-r", "ref.txt", "--tutorial"), ("--control", "12"), ("--source", "nowhere.txt"), ("--annotators", "-1"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused(folder, options):
    for plan in ([], ["--plan"]):
        with pytest.raises(TertiumError) as refusal:
            run(*NEW, *options, *plan)
        assert "Errno" not in str(refusal.value)
    assert not (folder / "study.db").exists()


def test_spans_can_be_filled_in_beforehand(folder):
    text = SYSTEMS["north"][1]
    start = text.index("today")
    line = {"system": "north", "segment": 2, "start": start, "end": start + 5, "severity": "minor", "text": "today"}
    (folder / "spans.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    run(*NEW, "--protocol", "esa-ai", "--spans", "spans.jsonl")
    (row,) = sqlite3.connect("study.db").execute("SELECT spans FROM output WHERE spans IS NOT NULL").fetchall()
    assert json.loads(row[0])[0]["text"] == "today"
    (folder / "spans.jsonl").write_text(json.dumps(line | {"start": start + 1}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"spans.jsonl, line 1.*is not what stands there"):
        run("new", "other.db", *NEW[2:], "--protocol", "esa-ai", "--spans", "spans.jsonl")


def test_own_typology_goes_into_the_study(folder):
    own = {"severities": {"bad": 2, "awful": 7}, "categories": {"Wrong": ["Word", "Order"], "Other": []}}
    (folder / "own.json").write_text(json.dumps(own), encoding="utf-8")
    run(*NEW, "--protocol", "mqm:typology=own.json")
    (folder / "own.json").unlink()
    assert Study.opened("study.db").protocol.phases[0].parts[0].severities == ("bad", "awful")


def test_links_are_shown_again_and_renewed(folder):
    run(*NEW)
    before = run("links", "study.db", "--format", "tsv", "--url", "https://x.org/")
    assert before == run("links", "study.db", "--format", "tsv", "--url", "https://x.org/")
    assert before.count("https://x.org/a/") == 2
    assert "https://x.org/organiser/" in before
    (folder / "study.db.key").unlink()
    with pytest.raises(InputError, match="--renew"):
        run("links", "study.db")
    after = run("links", "study.db", "--renew", "--format", "tsv", "--url", "https://x.org/")
    assert not {line.split("\t")[1] for line in before.splitlines()[1:]} & {
        line.split("\t")[1] for line in after.splitlines()[1:]
    }


def test_a_person_joins_and_is_forgotten(tmp_path):
    path = tmp_path / "study.db"
    with served(path) as site:
        work_through(site, 1)
        said = run("add-annotator", path, "--name", "Jana", "--url", "http://testserver")
        link = said.split()[-1].removeprefix("http://testserver")
        assert site.client.get(link + "/screen").json()["progress"]["total"] >= 1
        with pytest.raises(InputError, match="already"):
            run("add-annotator", path, "--name", "Jana")
        assert "1 answers" not in run("forget", path, "A01", "--yes")
        assert site.client.get(f"/a/{site.token(1)}/screen").status_code == 404
        run("forget", path, "Jana", "--yes")
        assert site.client.get(link + "/screen").status_code == 404
    text = path.read_bytes()
    assert b"Jana" not in text
    assert sqlite3.connect(path).execute("SELECT COUNT(*) FROM answer").fetchone()[0] == 0
    with pytest.raises(TertiumError, match="No annotator is called"):
        run("forget", path, "A99", "--yes")


def test_status_and_report_and_close(tmp_path):
    path = tmp_path / "study.db"
    with served(path, annotators=4, judgments_per_item=2, title="<i>mine</i>") as site:
        assert "0 of" in run("status", path)
        for number in (1, 2, 3, 4):
            work_through(site, number, value=lambda n, place, number=number: 20 * number)
        said = run("status", path)
        assert "north" in said
        assert "however often you look" in said
        assert "Far apart" in said
        data = json.loads(run("status", path, "--format", "json"))
        assert data["screens_done"] == data["screens_given"] == 12
        run("report", path, "--output", tmp_path / "report.html")
        run("close", path)
        assert site.screen(1, 1)["closed"]
        run("close", path, "--reopen")
        assert not site.screen(1, 1)["closed"]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<i>mine</i>" not in page
    assert "<script" not in page
    assert "<mark" in page


def test_an_offline_page_and_its_result(tmp_path):
    path = tmp_path / "study.db"
    with served(path, protocol="adequacy", control=0.3) as site:
        run("page", path, "--annotator", "A01", "--output", tmp_path / "a.html")
        page = (tmp_path / "a.html").read_text(encoding="utf-8")
        assert "north" not in page
        assert "degraded" not in page
        task = json.loads(page.split('id="task">')[1].split("</script>")[0])
        answers = [
            {"id": f"offline-{n}-{i}-{k}", "screen": n, "output": output["id"], "answer": {"fluency": 4, "adequacy": 2}, "session": "x", "trace": []}
            for n, screen in enumerate(task["screens"], start=1) for i, row in enumerate(screen["rows"]) for k, output in enumerate(row["outputs"])
        ]  # fmt: skip
        result = {
            "format": "tertium-result 1",
            "study": task["study"],
            "person": "A01",
            "answers": answers,
            "done": list(range(1, len(task["screens"]) + 1)),
        }
        file = tmp_path / "a.json"
        file.write_text(json.dumps(result), encoding="utf-8")
        assert f"{len(task['screens'])} screens finished" in run("collect", path, file)
        assert " 0 answers taken" in run("collect", path, file)  # twice changes nothing
        assert site.screen(1)["finished"]
        for wrong in ({"format": "x"}, result | {"study": "other"}, result | {"person": "A09"}, result | {"answers": 3},
                      result | {"answers": [answers[0] | {"answer": {"fluency": 99}, "id": "another-id-1"}]}, [], "x"):  # fmt: skip
            file.write_text(json.dumps(wrong), encoding="utf-8")
            with pytest.raises(TertiumError):
                run("collect", path, file)


@pytest.mark.parametrize(
    "action", [("status",), ("export",), ("links",), ("serve",), ("close",), ("forget", "A01"), ("add-annotator",)]
)
def test_what_is_no_study_is_said(tmp_path, action):
    for name, content in (("none.db", None), ("text.db", b"text"), ("empty.db", b"")):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(InputError, match=name):
            run(action[0], path, *action[1:])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("collect study.db nowhere.json", "nowhere.json cannot be read: no such file or directory."),
        ("collect study.db .", ". is a directory, but a file was expected."),
        ("collect study.db src.txt", "src.txt is no result of a page: it is no JSON"),
        ("collect study.db latin.txt", "latin.txt, byte 2 (0xFF) is not UTF-8"),
        ("import other.db nowhere.json", "nowhere.json cannot be read: no such file or directory."),
        ("import other.db latin.txt", "latin.txt, byte 2 (0xFF) is not UTF-8"),
        ("links study.db --url javascript:alert(1)", "Links begin with http:// or https:// and a host"),
        ("links study.db --url x.org", "as in https://eval.example.org, not 'x.org'"),
        ("serve study.db --url ftp://x.org", "not 'ftp://x.org'"),
        ("serve study.db --host 192.0.2.1", "192.0.2.1 is no address of this machine"),
        ("serve .", ". is a directory, but a study was expected."),
        ("add-annotator study.db --url mailto:x", "not 'mailto:x'"),
        ("add-annotator study.db --name A01", "There is an annotator called 'A01' already."),
        ("page study.db --annotator A01 --output src.txt", "src.txt exists already. Name a new file."),
        ("page study.db --annotator A01 --output other-study.db", "other-study.db is a database"),
        ("page study.db --annotator A09 --output p.html", "No annotator is called 'A09'"),
        ("report study.db --output other-study.db", "other-study.db is a database, such as a study"),
        ("backup study.db nowhere/copy.db", "there is no directory nowhere"),
        ("export study.db --form wmt", "study.db holds no finished screen yet"),
        ("export study.db --form spans", "study.db holds no finished screen yet"),
        ("export study.db --form appraise", "study.db holds no finished screen yet"),
        ("forget study.db A09", "No annotator is called 'A09'"),
    ],
)
def test_what_was_wrong_is_said_in_a_sentence(folder, words, said):
    run(*NEW)
    run("new", "other-study.db", *NEW[2:])
    (folder / "latin.txt").write_bytes(b"a\xff\n")
    links = run("links", "study.db")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "study.db"}
    with pytest.raises(TertiumError) as refusal:
        run(*words.split())
    assert said in str(refusal.value)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "study.db"} == before
    assert run("links", "study.db") == links


def test_somebody_is_erased_only_after_a_yes(folder):
    run(*NEW)
    asked = CliRunner().invoke(command, ["forget", "study.db", "A01"], input="n\n")
    assert asked.exit_code == 0
    assert "Nobody was erased." in asked.output
    assert "A01" in run("links", "study.db")


def test_a_plan_says_who_has_nothing_to_do(folder):
    said = run(*NEW, "--annotators", 9, "--documents", "docs.txt", "--plan")
    assert f"Only {2 * len(set(DOCUMENTS))} of them have something to do" in said
    assert "about 1 minute" in said or "minutes" in said
    assert "have something to do" not in run(*NEW, "--annotators", 2, "--documents", "docs.txt", "--plan")


def test_a_status_ranks_as_the_final_table_does(folder):
    """Documents of one and of two segments: a mean over screens would be another number."""
    run(*NEW, "--protocol", "da", "--annotators", 2, "--documents", "docs.txt")
    with served(folder / "study.db") as site:
        for number in (1, 2):
            work_through(
                site, number, lambda position, place, number=number: 10 * (position * number + 2 * place) % 100
            )
    shown = {
        one["system"]: one["score"] for one in json.loads(run("status", "study.db", "--format", "json"))["standings"]
    }
    assert shown == pytest.approx(read_judgments("study.db").system_scores("DA"))

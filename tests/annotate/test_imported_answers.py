"""Other programs' answers in a study: they count as they did there, and come out again as they went in."""

import csv
import io
import json
import os
import re
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotate.conftest import served
from tertium.annotate.exchange.forms import form_named
from tertium.annotate.study import Study
from tertium.cli.commands.annotate import command
from tertium.judgments import read_judgments

ORACLE = Path(os.environ.get("TERTIUM_ORACLE", "/nowhere")) / "annotation"
BATCHES = ORACLE / "batches_wmt23_en-de_esa.json"


def imported(tmp_path, *files, code=0):
    result = CliRunner().invoke(command, ["import", str(tmp_path / "study.db"), *map(str, files)])
    assert result.exit_code == code, result.output
    return Study.opened(tmp_path / "study.db") if code == 0 else result.exception


def facts(judgments):
    """Who said what about which output: raters, scores, spans; how segments are called differs between files."""
    spans = judgments.details.spans.each(len(judgments))
    return Counter(
        (row["system"], row["document"], row["kind"], row["score"],
         tuple(sorted((one.start, one.end, one.side, one.text or "") for one in marked)))
        for row, marked in zip(judgments.records(), spans, strict=True)
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not ORACLE.is_dir(), reason="TERTIUM_ORACLE is not set")
@pytest.mark.parametrize("name", ["240520rc6ESA", "240521rc6MQM", "240521rc6GEMBA"])
def test_a_real_appraise_campaign_counts_and_comes_back(tmp_path, name):
    export = ORACLE / f"{name}.scores.csv"
    study = imported(tmp_path, BATCHES, export)
    files = form_named("appraise").written(study, names=True)
    assert files["appraise.csv"].encode() == export.read_bytes()  # tutorials, #bad, #dup, replaced rows and all
    assert json.loads(files["batches.json"]) == json.loads(BATCHES.read_text(encoding="utf-8"))
    theirs, ours = read_judgments(str(export), tasks=str(BATCHES)), read_judgments(str(study.path))
    assert facts(ours) == facts(theirs)
    with export.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row[3] == "BAD" and "#dup" not in row[7]]
    degraded = {(row[0], row[1], row[7], row[2]) for row in rows}
    kept = Counter(ours.marked.mark.texts())
    assert kept["degraded"] == len(degraded)  # of those that were answered twice, the last answer
    assert kept["duplicate"] == Counter(theirs.marked.mark.texts())["duplicate"]
    blind = form_named("appraise").written(study, names=False)["appraise.csv"]
    assert "engdeu" not in blind
    assert blind.count("\n") == files["appraise.csv"].count("\n")


def pearmut(tmp_path):
    """A campaign with a tutorial, an attention check, a reset and an answer given anew, and spans over emoji."""
    items = [
        [{"item_id": "a_#_1", "src": "Eins 🎿", "tgt": {"x": "One 🎿 snow", "y": "Won"}}],
        [{"item_id": "b_#_1", "src": "Zwei", "tgt": {"x": "Two", "y": "Too"}, "own": [1]}],
    ]
    practice = [{"src": "P", "tgt": {"x": "Practice"}, "validation": {"x": {"score": [50, 100]}}}]
    campaign = {
        "campaign_id": "c", "info": {"assignment": "task-based", "protocol": "ESA", "users": 2},
        "data": [[*items], [*items]], "data_welcome": [practice], "data_random": [practice],
    }  # fmt: skip

    def row(user, number, shown, scores, spans=()):
        said = [
            {model: {"score": score, "error_spans": list(spans), "textfield": ""} for model, score in scores.items()}
        ]
        actions = [{"time": 100.0, "action": "load"}, {"time": 130.5, "action": "submit"}]
        return {
            "user_id": user,
            "item_i": number,
            "item": shown,
            "annotation": said,
            "actions": actions,
            "validations": [True],
        }

    span = {"start_i": 4, "end_i": 10, "severity": "major", "category": None}
    missing = {"start_i": 11, "end_i": 11, "severity": "minor", "category": None}
    rows = [
        row("brave-bear-001", "welcome_0", practice, {"x": 80}),
        row("brave-bear-001", 0, items[0], {"x": 10, "y": 20}),
        {"user_id": "brave-bear-001", "item_i": 0, "annotation": "__RESET__", "item": [], "actions": []},
        row("calm-crow-002", 0, items[0], {"x": 70, "y": 60}),
        row("brave-bear-001", 0, items[0], {"x": 55, "y": 65}, []),
        row("brave-bear-001", 0, items[0], {"x": 50, "y": 60}, [span, missing]),
        row("calm-crow-002", "random_0", practice, {"x": 40}),
        row("calm-crow-002", 1, items[1], {"x": 90, "y": 0}),
    ]  # fmt: skip
    files = tmp_path / "campaign.json", tmp_path / "annotations.json"
    files[0].write_text(json.dumps(campaign, ensure_ascii=False), encoding="utf-8")
    files[1].write_text(json.dumps({"c": rows}, ensure_ascii=False), encoding="utf-8")
    return files, campaign, rows


def test_pearmut_annotations_count_and_come_back(tmp_path):
    files, campaign, rows = pearmut(tmp_path)
    study = imported(tmp_path, *files)
    out = form_named("pearmut").written(study, names=True)
    assert json.loads(out["campaign.json"]) == campaign
    assert json.loads(out["annotations.json"]) == {"c": rows}
    ours = read_judgments(str(study.path))
    found = {(r["system"], r["segment"], r["score"]) for r in ours.records()}
    assert found == {("x", 1, 50), ("y", 1, 60), ("x", 1, 70), ("y", 1, 60), ("x", 2, 90), ("y", 2, 0)}
    assert {span.text for spans in ours.details.spans.each(len(ours)) for span in spans if span.text} == {"🎿 snow"}
    assert ours.system_scores("ESA") == read_judgments(str(files[1])).system_scores("ESA")
    blind = json.loads(form_named("pearmut").written(study, names=False)["annotations.json"])["c"]
    assert {row["user_id"] for row in blind} == {"A01", "A02"}
    assert [row | {"user_id": 0} for row in blind] == [row | {"user_id": 0} for row in rows]


def test_what_is_changed_here_is_added_behind_what_came(tmp_path):
    files, _, rows = pearmut(tmp_path)
    study = imported(tmp_path, *files)
    with served(study.path) as site:
        shown = site.screen(2, n=1)
        output = shown["rows"][0]["outputs"][0]
        (result,) = site.save({"id": "changed-0001", "screen": 1, "output": output["id"], "base": output["version"],
                               "answer": {"score": 33, "spans": []}, "session": "s", "trace": []}, number=2)  # fmt: skip
        assert result["status"] == "saved"
    out = json.loads(form_named("pearmut").written(study, names=True)["annotations.json"])["c"]
    assert out[: len(rows)] == rows
    (added,) = out[len(rows) :]
    assert added["user_id"] == "calm-crow-002"
    assert added["annotation"][0]["x"]["score"] == 33


MAROT = [
    ("x", "d1", "1", "1", "p:r1", "Eins <v>zwei</v> drei", "One three", "Accuracy/Omission", "Major"),
    ("x", "d1", "1", "1", "p:r1", "Eins zwei drei", "One <v>three</v>", "Style/Awkward", "Minor"),
    ("x", "d1", "1", "1", "p:r2", "Eins zwei drei", "One three", "No-error", "No-error"),
    ("y", "d1", "1", "1", "p:r1", "Eins zwei drei", "One two <v>🎿</v> three", "Fluency/Punctuation", "Minor"),
    ("y", "d1", "1", "1", "AutoMQM-1", "Eins zwei drei", "One two 🎿 three", "Other", "Major"),
    ("x", "d2", "1", "2", "p:r2", "Vier", "Four", "No-error", "No-error"),
    ("x", "d2", "1", "2", "p:r1", "Vier", "Four", "Found", "HOTW-test"),
    ("y", "d2", "1", "2", "p:r2", "Vier", "<v>For</v>", "Accuracy/Mistranslation", "Critical"),
]


@pytest.mark.parametrize("header", [True, False])
def test_a_marot_table_counts_and_comes_back(tmp_path, header):
    stamp = json.dumps({"timestamp": 1700000000000, "note": "a\\tb", "segment": {}})
    names = "system doc docSegId globalSegId rater source target category severity metadata".split()
    lines = ["\t".join(names)] * header + ["\t".join([*row, stamp]) for row in MAROT]
    path = tmp_path / "marot.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    study = imported(tmp_path, path)
    assert form_named("marot").written(study, names=True)["marot.tsv"] == path.read_text(encoding="utf-8")
    theirs, ours = read_judgments(str(path)), read_judgments(str(study.path))
    assert facts(ours) == facts(theirs)
    assert list(ours.marked.mark.texts()) == list(theirs.marked.mark.texts()) == ["machine"]
    blind = form_named("marot").written(study, names=False)["marot.tsv"]
    assert "p:r1" not in blind
    assert blind.count("A01") == 4


@pytest.mark.parametrize("stamp", ["NaN", "1e999", "1" + "0" * 400])
def test_a_time_that_is_none_is_not_known(tmp_path, stamp):
    path = tmp_path / "marot.tsv"
    path.write_text("\t".join([*MAROT[0], f'{{"timestamp": {stamp}}}']) + "\n", encoding="utf-8")
    study = imported(tmp_path, path)
    assert list(read_judgments(str(study.path)).score) == [-5]
    assert form_named("marot").written(study, names=True)["marot.tsv"] == path.read_text(encoding="utf-8")


def test_lines_of_an_export_end_at_line_ends_only(tmp_path):
    item = {"documentID": "d", "itemID": 1, "itemType": "TGT", "sourceText": "s", "targetID": "x", "targetText": "t"}
    batches, export = tmp_path / "batches.json", tmp_path / "scores.csv"
    batches.write_text(json.dumps([{"task": {}, "items": [item]}]), encoding="utf-8")
    export.write_text("u\u2028v,x,1,TGT,deu,eng,50,d,False,[],1,2\n", encoding="utf-8")
    study = imported(tmp_path, batches, export)
    assert form_named("appraise").written(study, names=True)["appraise.csv"] == export.read_text(encoding="utf-8")


def test_forgetting_somebody_erases_their_rows(tmp_path):
    files, _, rows = pearmut(tmp_path)
    study = imported(tmp_path, *files)
    result = CliRunner().invoke(command, ["forget", str(study.path), "calm-crow-002", "--yes"])
    assert result.exit_code == 0, result.output
    assert b"calm-crow" not in study.path.read_bytes()
    left = json.loads(form_named("pearmut").written(Study.opened(study.path), names=True)["annotations.json"])["c"]
    assert left == [row for row in rows if row["user_id"] != "calm-crow-002"]


def test_every_form_can_be_written_from_answers_of_others(tmp_path):
    files, _, _ = pearmut(tmp_path)
    study = imported(tmp_path, *files)
    for form in ("tidy", "spans", "appraise", "wmt", "marot", "mtme"):
        assert form_named(form).written(study, names=False)
    rows = list(csv.reader(io.StringIO(form_named("appraise").written(study, names=False)["appraise.csv"])))
    assert {len(row) for row in rows} == {12}
    for name in ("status", "report"):
        extra = ["--output", str(tmp_path / "r.html")] if name == "report" else []
        assert CliRunner().invoke(command, [name, str(study.path), *extra]).exit_code == 0


@pytest.mark.parametrize(
    ("campaign", "answers", "said"),
    [
        ("marot.tsv", "annotations.json", "holds its answers itself"),
        ("project.tsv", "annotations.json", "which .*project.tsv is not"),
        ("batches.json", "annotations.json", "columns"),
        ("batches.json", "scores.csv", "has no item 7 of x in d1"),
        ("campaign.json", "batches.json", "annotation|object of campaigns"),
        ("short.tsv", None, "has 9 fields"),
        ("half.tsv", None, "half a character"),
        ("users.json", None, "users is 1.5"),
        ("other.tsv", None, "line 2: segment 1 of d1 has another text"),
        ("broken.tsv", None, "line 1: the metadata is no JSON"),
        ("deep.tsv", None, "line 1: the metadata is no JSON"),
        ("deep.json", None, "neither JSON"),
        ("batches.json", "direct.csv", "of which document"),
        ("list.json", None, r'list.json: task 1, item 2: targetText is \["One"\], but a text was expected'),
        ("long.json", None, "task 1, item 1: itemID is '111"),
        ("no-target.json", None, "task 1, item 1: it has no output"),
    ],
)  # fmt: skip
def test_what_does_not_belong_together_is_refused(tmp_path, campaign, answers, said):
    pearmut(tmp_path)
    item = {
        "documentID": "d1",
        "itemID": 1,
        "itemType": "TGT",
        "sourceText": "Eins",
        "targetID": "x",
        "targetText": "One",
    }
    texts = {
        "marot.tsv": "\t".join([*MAROT[0], "{}"]) + "\n",
        "project.tsv": '{"source_language":"de","target_language":"en"}\nEins\tOne\td\tx\n',
        "batches.json": json.dumps([{"task": {}, "items": [item]}]),
        "scores.csv": "u,x,7,TGT,deu,eng,50,d1,False,[],1,2\n",
        "list.json": json.dumps([{"task": {}, "items": [item, item | {"targetText": ["One"]}]}]),
        "long.json": json.dumps([{"task": {}, "items": [item | {"itemID": "1" * 5000}]}]),
        "no-target.json": json.dumps([{"task": {}, "items": [item | {"targets": [None]}]}]),
        "short.tsv": "\t".join([*MAROT[0], "{}"]) + "\n" + "\t".join(MAROT[0]) + "\n",
        "other.tsv": "\t".join([*MAROT[0], "{}"])
        + "\n"
        + "\t".join([*MAROT[0][:6], "Two", *MAROT[0][7:], "{}"])
        + "\n",
        "half.tsv": json.dumps({"campaign_id": "c", "info": {}, "data": [[{"src": "\ud800", "tgt": {"x": "a"}}]]}),
        "users.json": json.dumps(
            {"campaign_id": "c", "info": {"users": 1.5}, "data": [[{"src": "s", "tgt": {"x": "a"}}]]}
        ),
        "deep.tsv": "\t".join([*MAROT[0], '{"a":' + "[" * 100_000]) + "\n",
        "deep.json": "[" * 100_000,
        "direct.csv": "u,x,1,TGT,deu,eng,50,1,2\n",
        "broken.tsv": "\t".join([*MAROT[0], "{"]) + "\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    error = imported(tmp_path, tmp_path / campaign, *([tmp_path / answers] if answers else []), code=1)
    assert re.search(said, str(error)), error
    assert not (tmp_path / "study.db").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"annotation": [{"x": {"score": 10**400}}]}, "row 1: a score of x is 1000"),
        ({"annotation": [{"x": {"score": 101}}]}, "row 1: the score of x is 101, but Pearmut's scores lie between"),
        ({"annotation": [{"x": {"score": -1}}]}, "row 1: the score of x is -1"),
        ({"annotation": [{"x": {"score": 5, "sliders": {"fluency": 6}}}]}, "row 1: fluency of x is 6, but lies"),
        ({"annotation": [{"x": {"score": 5}}], "actions": [{"time": float("nan")}]}, "Row 1 of the answers holds NaN"),
        ({"item": [{"src": "Eins", "tgt": {"x": ["One"]}}], "annotation": [{"x": {"score": 5}}]}, "row 1: outputs are"),
        ({"item": [{"src": "Eins", "tgt": {"y": "One"}}], "annotation": [{"x": {"score": 5}}]}, "row 1: outputs are"),
    ],
)
def test_rows_that_cannot_be_kept_are_refused(tmp_path, change, said):
    files, campaign, rows = pearmut(tmp_path)
    campaign["info"]["sliders"] = [{"name": "fluency", "min": 1, "max": 5, "step": 1}]
    files[0].write_text(json.dumps(campaign), encoding="utf-8")
    files[1].write_text(json.dumps({"c": [rows[1] | change]}), encoding="utf-8")
    assert said in str(imported(tmp_path, *files, code=1))
    assert not (tmp_path / "study.db").exists()


def test_times_beyond_measure_are_no_times(tmp_path):
    files, _, rows = pearmut(tmp_path)
    files[1].write_text(json.dumps({"c": [rows[1] | {"actions": [{"time": 10**400}]}]}), encoding="utf-8")
    ours = read_judgments(str(imported(tmp_path, *files).path))
    assert sorted(ours.score) == [10, 20]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"data": [[{"src": "s", "ref": ["r"], "tgt": {"x": "a"}}]]}, "ref of an item in document 1"),
        ({"info": {"users": ["a", "a"]}}, "different names were expected"),
        ({"info": {"users": [{"user_id": 1}]}}, "different names were expected"),
        ({"info": {"users": [{}]}}, "different names were expected"),
        ({"seed": float("inf")}, "holds NaN or Infinity"),
    ],
)
def test_campaigns_that_cannot_be_kept_are_refused(tmp_path, change, said):
    (path, _), campaign, _ = pearmut(tmp_path)
    path.write_text(json.dumps(campaign | change), encoding="utf-8")
    assert said in str(imported(tmp_path, path, code=1))


def test_of_several_campaigns_the_answers_of_this_one_are_read(tmp_path):
    files, _, rows = pearmut(tmp_path)
    files[1].write_text(json.dumps({"other": rows[:1], "c": rows}), encoding="utf-8")
    study = imported(tmp_path, *files)
    assert json.loads(form_named("pearmut").written(study, names=True)["annotations.json"]) == {"c": rows}


@pytest.mark.parametrize("listed", ["names", "objects", "lists of tasks"])
def test_names_in_a_campaign_are_blinded_and_forgotten(tmp_path, listed):
    files, campaign, _ = pearmut(tmp_path)
    names = ["brave-bear-001", "calm-crow-002", "idle-ibis-003"]
    if listed == "lists of tasks":
        campaign["data"] = dict.fromkeys(names, campaign["data"][0])
    else:
        campaign["info"]["users"] = names if listed == "names" else [{"user_id": name} for name in names]
    files[0].write_text(json.dumps(campaign), encoding="utf-8")
    study = imported(tmp_path, *files)
    assert json.loads(form_named("pearmut").written(study, names=True)["campaign.json"]) == campaign
    blind = form_named("pearmut").written(study, names=False)["campaign.json"]
    assert not [name for name in names if name in blind]
    assert {"A01", "A02", "A03"} <= set(re.findall(r"A\d\d", blind))
    assert CliRunner().invoke(command, ["forget", str(study.path), names[1], "--yes"]).exit_code == 0
    assert names[1].encode() not in study.path.read_bytes()
    assert names[0].encode() in study.path.read_bytes()


def test_a_campaign_without_answers_keeps_its_people(tmp_path):
    (path, _), campaign, _ = pearmut(tmp_path)
    campaign["info"]["users"] = ["brave-bear-001", "calm-crow-002", "<b>"]
    path.write_text(json.dumps(campaign), encoding="utf-8")
    study = imported(tmp_path, path)
    with closing(study.reader()) as db:
        assert [row[0] for row in db.execute("SELECT name FROM annotator ORDER BY id")] == campaign["info"]["users"]


def test_a_code_that_is_also_a_name_erases_nobody(tmp_path):
    files, _, rows = pearmut(tmp_path)
    rows = [rows[1] | {"user_id": "A02"}, rows[3] | {"user_id": "zoe"}]
    files[1].write_text(json.dumps({"c": rows}), encoding="utf-8")
    study = imported(tmp_path, *files)
    result = CliRunner().invoke(command, ["forget", str(study.path), "A02", "--yes"])
    assert "Say which: A01 or zoe." in str(result.exception)
    assert len(read_judgments(str(study.path))) == 4
    assert CliRunner().invoke(command, ["forget", str(study.path), "zoe", "--yes"]).exit_code == 0

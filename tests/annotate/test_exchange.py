"""Out of a study and into other programs' files, and back."""

import csv
import io
import json
from collections import Counter

import pytest
from click.testing import CliRunner

from annotate.conftest import material, served, work_through
from tertium.annotate.exchange import archive
from tertium.annotate.exchange.forms import FORMS, form_named
from tertium.annotate.exchange.importing import read_foreign
from tertium.annotate.exchange.offsets import from_inclusive, points, to_inclusive, units
from tertium.annotate.protocols import PROTOCOLS
from tertium.annotate.study import Study
from tertium.cli.commands.annotate import command
from tertium.errors import InputError, UnknownNameError
from tertium.judgments import read_folder, read_judgments

EMOJI = "It 👩‍👩‍👧 is e\u0301 🎿 snow"


def worked(path, **settings):
    with served(path, **settings) as site:
        for number in range(1, settings.get("annotators", 2) + 1):
            work_through(site, number, value=lambda n, place, number=number: 40 + 10 * number)
    return Study.opened(path)


@pytest.mark.parametrize("protocol", [protocol.name for protocol in PROTOCOLS])
def test_every_form_that_suits_can_be_written(tmp_path, protocol):
    study = worked(tmp_path / "study.db", protocol=protocol, control=0.2)
    written = [form.name for form in FORMS if form.suits(study) and form.written(study, names=False)]
    assert "tidy" in written
    assert archive(study).startswith(b"PK")


def test_the_tidy_table_reads_back_equal(tmp_path):
    study = worked(tmp_path / "study.db", protocol="adequacy")
    path = tmp_path / "judgments.tsv"
    path.write_text(form_named("tidy").written(study, names=False)["judgments.tsv"], encoding="utf-8")
    assert list(read_judgments(str(path)).records()) == list(read_judgments(str(study.path)).records())


@pytest.mark.parametrize(("start", "end"), [(0, 2), (3, 8), (9, 11), (12, 14), (15, 16), (17, 21)])
def test_offsets_go_to_utf16_and_back(start, end):
    span = {
        "start": start,
        "end": end,
        "side": "target",
        "severity": "minor",
        "category": None,
        "text": EMOJI[start:end],
        "note": "",
    }
    theirs = to_inclusive(span, EMOJI)
    halves = EMOJI.encode("utf-16-le")
    assert halves[2 * theirs["start_i"] : 2 * theirs["end_i"] + 2].decode("utf-16-le") == EMOJI[start:end]
    assert from_inclusive(theirs, EMOJI) == span


def test_what_is_missing_lies_behind_the_text():
    span = {
        "start": len(EMOJI),
        "end": len(EMOJI),
        "side": "missing",
        "severity": "major",
        "category": None,
        "text": "",
        "note": "",
    }
    assert to_inclusive(span, EMOJI)["start_i"] == units(EMOJI, len(EMOJI))
    assert from_inclusive(to_inclusive(span, EMOJI), EMOJI) == span
    assert (
        from_inclusive({"start_i": "missing", "end_i": "missing", "severity": "major", "category": None}, EMOJI) == span
    )
    assert points(EMOJI, 4) == 3  # half an emoji is before it


def test_a_pearmut_campaign_comes_out_as_it_went_in(tmp_path):
    campaign = {
        "campaign_id": "my-campaign", "info": {"assignment": "single-stream", "protocol": "cESA", "users": 3, "word_level": True},
        "data": [[{"item_id": "a1", "src": "Eins", "tgt": {"x": "One", "y": "Won"}, "ref": "One", "own": {"kept": 1},
                   "error_spans": {"y": [{"start_i": 0, "end_i": 2, "severity": "major", "category": None}]}}],
                 [{"item_id": "b1", "src": "Zwei 🎿", "tgt": {"x": "Two 🎿", "y": "Too"}}]],
    }  # fmt: skip
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps(campaign), encoding="utf-8")
    result = CliRunner().invoke(command, ["import", str(tmp_path / "study.db"), str(path)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    study = Study.opened(tmp_path / "study.db")
    assert study.protocol.name == "cesa"
    assert study.meta["assignment"] == "pool"
    with served(tmp_path / "study.db") as site:
        work_through(site, 1)
    files = form_named("pearmut").written(study, names=False)
    assert json.loads(files["campaign.json"]) == campaign
    (rows,) = json.loads(files["annotations.json"]).values()
    assert len(rows) == 2
    assert {model for row in rows for answer in row["annotation"] for model in answer} == {"x", "y"}
    assert read_foreign(str(path))[0].spans["y", 1][0]["text"] == "Won"


def test_a_task_based_campaign_counts_each_document_once(tmp_path):
    document = [{"src": "Eins", "tgt": {"x": "One"}}]
    campaign = {
        "campaign_id": "c",
        "info": {"assignment": "task-based", "protocol": "DA"},
        "data": [[document], [document]],
    }
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps([campaign]), encoding="utf-8")
    assert len(read_foreign(str(path))[0].sources) == 1


def test_appraise_batches_go_in(tmp_path):
    def item(document, source, kind, system, text):
        return {"documentID": document, "itemID": 1, "itemType": kind, "sourceID": "s", "sourceText": source, "targetID": system,
                "targetText": text, "isCompleteDocument": False}  # fmt: skip

    batches = [{"task": {"sourceLanguage": "deu", "targetLanguage": "eng"}, "items": [
        item("d1", "Eins", "TGT", "x+z", "One"), item("d1", "Eins", "TGT", "y", "Won"), item("d1#bad1", "Eins", "BAD", "x", "Zebra"),
        item("d1", "Eins", "REF", "ref", "One!"), item("d1#dup", "Eins", "CHK", "x", "One"), item("d2", "Zwei", "TGT", "x", "Two"),
        item("ende-tutorial", "T", "TGT", "ende-tutorial", "T"),
    ]}]  # fmt: skip
    path = tmp_path / "batches.json"
    path.write_text(json.dumps(batches), encoding="utf-8")
    texts, said = read_foreign(str(path))
    assert texts.systems == {"x": ["One"], "z": ["One"], "y": ["Won"]}
    assert texts.references == ["One!"]
    assert said["left_out"] == 1  # d2 has no y
    result = CliRunner().invoke(command, ["import", str(tmp_path / "study.db"), str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    assert Study.opened(tmp_path / "study.db").meta["source_language"] == "deu"


def test_the_appraise_export_marks_what_does_not_count(tmp_path):
    study = worked(tmp_path / "study.db", control=0.3, tutorial=True)
    text = form_named("appraise").written(study, names=False)["appraise.csv"]
    rows = list(csv.reader(io.StringIO(text)))
    assert {len(row) for row in rows} == {12}
    assert {"TGT", "BAD"} <= {row[3] for row in rows}
    assert any("tutorial" in row[1] for row in rows)
    path = tmp_path / "appraise.csv"
    path.write_text(text, encoding="utf-8")
    again, ours = read_judgments(str(path)), read_judgments(str(study.path))
    kept = Counter((r["system"], r["rater"], r["score"]) for r in again.records())
    wanted = Counter((r["system"], r["rater"], r["score"]) for r in ours.records())
    assert kept == wanted


def test_an_anthea_project_goes_in(tmp_path):
    path = tmp_path / "project.tsv"
    path.write_text(
        '{"source_language":"de","target_language":"en"}\nEins\\n!\tOne\td\tx\nEins\\n!\tWon\td\ty\n\n\t\nZwei\tTwo\td\tx\nZwei\tToo\td\ty\n',
        encoding="utf-8",
    )
    texts, said = read_foreign(str(path))
    assert texts.sources == ["Eins\n!", "Zwei"]
    assert texts.systems == {"x": ["One", "Two"], "y": ["Won", "Too"]}
    assert said["languages"] == {"source": "de", "target": "en"}


def test_marot_rows_hold_the_span_in_text_and_tokens(tmp_path):
    study = worked(tmp_path / "study.db", protocol="mqm:typology=google")
    path = tmp_path / "marot.tsv"
    path.write_text(form_named("marot").written(study, names=False)["marot.tsv"], encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 8
    for row in rows:
        metadata = json.loads(row["metadata"])
        assert "<v>" in row["target"]
        first, last = metadata["target_spans"][0]
        assert row["target"].split("<v>")[1].split("</v>")[0] in "".join(
            metadata["segment"]["target_tokens"][first : last + 1]
        )


@pytest.mark.parametrize("protocol", ["mqm", "mqm:typology=google"])
def test_marot_rows_read_back_as_the_same_judgments(tmp_path, protocol):
    study = worked(tmp_path / "study.db", protocol=protocol)
    path = tmp_path / "marot.tsv"
    path.write_text(form_named("marot").written(study, names=False)["marot.tsv"], encoding="utf-8")
    assert told(read_judgments(str(path))) == told(read_judgments(str(study.path)))


def told(judgments):
    """Who said what about which output, with the marked texts and their severities."""
    spans = judgments.details.spans.each(len(judgments))
    return Counter(
        (row["system"], row["segment"], row["rater"], row["score"],
         tuple((span.start, span.end, span.side, str(span.severity).lower(), span.text) for span in marked))
        for row, marked in zip(judgments.records(), spans, strict=True)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("form", "file"), [("pearmut", "annotations.json"), ("appraise", "appraise.csv"), ("wmt", "study.jsonl")]
)
def test_exports_read_back_as_the_same_scores(tmp_path, form, file):
    study = worked(tmp_path / "study.db", control=0.3, tutorial=True)
    path = tmp_path / file
    path.write_text(form_named(form).written(study, names=False)[file], encoding="utf-8")
    again, ours = read_judgments(str(path)), read_judgments(str(study.path))
    assert again.kinds == ours.kinds == ("ESA",)
    assert again.system_scores("ESA") == ours.system_scores("ESA")
    assert marks(again) == marks(ours)  # tutorials and degraded copies do not count in either


def marks(judgments):
    """Who gave which score with which spans; other programs' files do not all hold the marked texts."""
    spans = judgments.details.spans.each(len(judgments))
    return Counter(
        (row["system"], row["rater"], row["score"],
         tuple((span.start, span.end, span.side, str(span.severity).lower()) for span in marked))
        for row, marked in zip(judgments.records(), spans, strict=True)
    )  # fmt: skip


def test_wmt_lines_hold_everybody(tmp_path):
    study = worked(tmp_path / "study.db", annotators=4, judgments_per_item=2)
    lines = [json.loads(line) for line in form_named("wmt").written(study, names=False)["study.jsonl"].splitlines()]
    assert len(lines) == 4
    assert all(len(line["scores"][system]) == 2 for line in lines for system in ("north", "south"))


def test_the_folder_for_metrics_eval_reads_back(tmp_path):
    study = worked(tmp_path / "study.db", source_language="de", target_language="en")
    folder = tmp_path / "set"
    result = CliRunner().invoke(
        command, ["export", str(study.path), "--form", "mtme", "--output", str(folder)], catch_exceptions=False
    )
    assert result.exit_code == 0
    found = read_folder(str(folder), "de-en").judgments
    ours = read_judgments(str(study.path)).segment_scores("ESA")
    theirs = found.segment_scores(found.kinds[0])
    assert {name: values.tolist() for name, values in theirs.items()} == {
        name: values.tolist() for name, values in ours.items()
    }


def test_names_are_told_only_when_asked_for(tmp_path):
    from tertium.annotate.protocols import parse_protocol
    from tertium.annotate.study import Design, create

    create(tmp_path / "study.db", material(), Design(parse_protocol("da"), ["Jana Nováková", "Ravi"]))
    with served(tmp_path / "study.db") as site:
        work_through(site, 1)
    study = Study.opened(tmp_path / "study.db")
    for form in FORMS:
        if form.suits(study):
            assert "Jana" not in "".join(form.written(study, names=False).values())
    assert "Jana" in form_named("tidy").written(study, names=True)["judgments.tsv"]


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[1]", '{"campaign_id": "x"}', '[{"items": [{}]}]', "a\tb\tc\td\n",
                                  '{"campaign_id":"x","info":{"protocol":"??"},"data":[]}', '{"campaign_id":"x","info":3,"data":[]}',
                                  '{"campaign_id":"x","info":{"protocol":["ESA"]},"data":[]}', '{"campaign_id":"x","info":{},"data":7}',
                                  '{"campaign_id":"x","info":{},"data":[["x"]]}', '{"campaign_id":"x","info":{},"data":[[{"tgt":"x"}]]}',
                                  '{"campaign_id":"x","info":{},"data":[[{"tgt":{"a":"b"},"error_spans":{"a":[1]}}]]}',
                                  '[{"items": [{"documentID":"d","itemID":"one","sourceText":"s","targetID":"x","targetText":"t"}]}]', '{"campaign_id":"x","info":{},"data":[]}'])  # fmt: skip
def test_what_is_no_campaign_is_refused(tmp_path, text):
    path = tmp_path / "campaign.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="campaign.json"):
        read_foreign(str(path))


def test_an_unknown_form_is_named():
    with pytest.raises(UnknownNameError, match="pearmut"):
        form_named("pearmud")

"""Saves: each once, on the version it was made from, checked against the texts, and nothing lost."""

import json

import pytest

from annotate.conftest import answer_for, served, work_through

GRAPHEMES = [
    ("It is snowing 👩‍👩‍👧 today.", "👩‍👩‍👧"), ("e\u0301 a", "e\u0301"), ("नमस्ते दुनिया", "दुनिया"), ("مرحبا بالعالم", "بالعالم"),
    ("สวัสดีชาวโลก", "ชาวโลก"), ("a\u2028b c", "\u2028b"), ("🇺🇦🇨🇿 flags", "🇨🇿"), ("𝒳 is 𐍈", "𐍈"),
]  # fmt: skip


def first_output(site, number=1, n=None):
    shown = site.screen(number, n)
    return shown, shown["rows"][0]["outputs"][0]


def entry(shown, output, answer, base=0, name="client-0001"):
    return {
        "id": name,
        "screen": shown["n"],
        "output": output["id"],
        "base": base,
        "answer": answer,
        "session": "s",
        "trace": [],
    }


def test_a_save_is_stored_and_shown_again(site):
    shown, output = first_output(site)
    assert site.save(entry(shown, output, {"score": 0, "spans": []})) == [
        {"id": "client-0001", "status": "saved", "version": 1}
    ]
    again = site.screen(1, shown["n"])["rows"][0]["outputs"][0]
    assert again["answer"] == {"score": 0, "spans": []}
    assert again["version"] == 1


def test_a_replayed_save_is_done_once(site):
    shown, output = first_output(site)
    one = entry(shown, output, {"score": 10})
    site.save(one)
    site.save(entry(shown, output, {"score": 20}, base=1, name="client-0002"))
    (result,) = site.save(one)
    assert result["status"] == "known"
    assert result["answer"] == {"score": 20}
    assert len(site.query("SELECT * FROM event")) == 2


def test_two_tabs_cannot_overwrite_each_other_unseen(site):
    shown, output = first_output(site)
    site.save(entry(shown, output, {"score": 10}, base=0, name="first-tab-1"))
    (result,) = site.save(entry(shown, output, {"score": 90}, base=0, name="second-tab-1"))
    assert (result["status"], result["version"], result["answer"]) == ("conflict", 1, {"score": 10})
    kept = [json.loads(row["body"])["answer"] for row in site.query("SELECT body FROM event ORDER BY id")]
    assert kept == [{"score": 10}, {"score": 90}]  # the log has both
    (result,) = site.save(entry(shown, output, {"score": 90}, base=1, name="second-tab-2"))
    assert result["status"] == "saved"


def test_two_tabs_that_say_the_same_do_not_conflict(site):
    shown, output = first_output(site)
    site.save(entry(shown, output, {"score": 10}, name="first-tab-1"))
    assert site.save(entry(shown, output, {"score": 10}, name="second-tab-1"))[0]["status"] == "saved"


@pytest.mark.parametrize(("text", "marked"), GRAPHEMES)
def test_spans_are_code_points_of_what_was_marked(tmp_path, text, marked):
    from annotate.conftest import material

    texts = material(systems={"north": [text] * 4, "south": [text] * 4})
    with served(tmp_path / "study.db", texts=texts) as site:
        shown, output = first_output(site)
        start = text.index(marked)
        span = {"start": start, "end": start + len(marked), "side": "target", "severity": "minor", "text": marked}
        assert site.save(entry(shown, output, {"spans": [span]}))[0]["status"] == "saved"
        (row,) = site.query("SELECT answer FROM answer")
        stored = json.loads(row["answer"])["spans"][0]
        assert text[stored["start"] : stored["end"]] == stored["text"] == marked


@pytest.mark.parametrize("span", [
    {"start": 1, "end": 2, "text": "T", "severity": "minor"},  # not what stands there
    {"start": -1, "end": 2, "text": "T", "severity": "minor"},
    {"start": 0, "end": 10_000, "text": "T", "severity": "minor"},
    {"start": 2, "end": 2, "text": "", "severity": "minor"},
    {"start": 0.5, "end": 2, "text": "T", "severity": "minor"},
    {"start": True, "end": 1, "text": "T", "severity": "awful"},
    {"start": 0, "end": 1, "text": "T", "severity": "minor", "side": "left"},
    {"start": 0, "end": 1, "text": "T", "severity": "minor", "category": "Accuracy"},  # esa has none
    {"start": 0, "end": 1, "text": "T", "severity": "minor", "script": "x"},
    "T", None, 3,
])  # fmt: skip
def test_spans_that_do_not_fit_the_text_are_refused(site, span):
    shown, output = first_output(site)
    (result,) = site.save(entry(shown, output, {"spans": [span]}))
    assert result["status"] == "refused"
    assert site.query("SELECT * FROM answer") == []


def test_overlapping_spans_are_refused_where_the_protocol_has_none(site):
    shown, output = first_output(site)
    text = output["text"]
    spans = [{"start": a, "end": b, "text": text[a:b], "severity": "minor"} for a, b in ((0, 5), (3, 8))]
    assert site.save(entry(shown, output, {"spans": spans}))[0]["status"] == "refused"


@pytest.mark.parametrize("answer", [
    {"score": -1}, {"score": 101}, {"score": 50.5}, {"score": "50"}, {"score": True}, {"score": [50]}, {"score": {}},
    {"system": "north"}, {"comment": 5}, {"comment": "x" * 2001}, {"comment": "\ud800"}, "text", [], 7, None,
])  # fmt: skip
def test_answers_that_make_no_sense_are_refused(site, answer):
    shown, output = first_output(site)
    body = json.dumps({"saves": [entry(shown, output, answer)]})
    found = site.client.post(f"/a/{site.token()}/save", content=body, headers={"content-type": "application/json"})
    assert found.json()["saves"][0]["status"] == "refused"
    assert site.query("SELECT * FROM answer") == []


def test_one_bad_save_does_not_take_the_others_with_it(site):
    shown, output = first_output(site)
    results = site.save(
        entry(shown, output, {"score": 400}, name="bad-save-1"), entry(shown, output, {"score": 40}, name="good-save-1")
    )
    assert [result["status"] for result in results] == ["refused", "saved"]


def test_a_screen_is_done_only_when_all_is_there(site):
    shown = site.screen()
    result = site.done(shown["n"])
    assert result["status"] == "incomplete"
    assert [lack["field"] for lack in result["missing"]] == ["score"] * len(result["missing"])
    assert {lack["output"] for lack in result["missing"]} == {o["id"] for row in shown["rows"] for o in row["outputs"]}


@pytest.mark.parametrize("site", [{"protocol": "cesa:columns=2", "annotators": 1}], indirect=True)
def test_a_low_score_needs_a_span_in_cesa(site):
    shown = site.screen()
    for i, output in enumerate(shown["rows"][0]["outputs"]):
        site.save(entry(shown, output, {"score": 80 if i else 90}, name=f"client-{i:04}"))
    fields = [one["field"] for one in site.done(shown["n"])["missing"]]
    assert "spans" in fields


def test_a_finished_screen_that_is_made_incomplete_is_open_again(site):
    work_through(site)
    shown, output = first_output(site, n=1)
    site.save(entry(shown, output, {"spans": []}, base=output["version"], name="take-it-back"))
    assert site.query("SELECT done FROM assignment WHERE annotator = 1 AND position = 1")[0]["done"] is None
    assert site.screen()["n"] == 1


@pytest.mark.parametrize("site", [{"may_return": False}], indirect=True)
def test_without_return_finished_screens_are_closed(site):
    shown = site.screen()
    for row in shown["rows"]:
        for output in row["outputs"]:
            site.save(entry(shown, output, answer_for(shown["parts"], output["text"]), name="c-" + output["id"]))
    assert site.done(shown["n"])["status"] == "done"
    assert site.client.get(f"/a/{site.token()}/screen?n={shown['n']}").status_code == 404
    output = shown["rows"][0]["outputs"][0]
    assert site.save(entry(shown, output, {"score": 1}, base=1, name="afterwards"))[0]["status"] == "refused"


@pytest.mark.parametrize("site", [{"protocol": "adequacy"}], indirect=True)
def test_fluency_comes_first_and_alone(site):
    shown = site.screen()
    assert [part["name"] for part in shown["parts"]] == ["fluency"]
    assert all(row["source"] is None and row["reference"] is None for row in shown["rows"])
    output = shown["rows"][0]["outputs"][0]
    assert site.save(entry(shown, output, {"adequacy": 5}))[0]["status"] == "refused"  # not asked yet
    for row in shown["rows"]:
        for one in row["outputs"]:
            site.save(entry(shown, one, {"fluency": 3}, name="f-" + one["id"]))
    assert site.done(shown["n"], client="fluency-done")["status"] == "phase"
    shown = site.screen()
    assert [part["name"] for part in shown["parts"]] == ["adequacy"]
    assert all(row["reference"] for row in shown["rows"])


def test_nobody_answers_for_somebody_else(site):
    other, output = first_output(site, number=2)
    (result,) = site.save(entry(other, output, {"score": 5}), number=1)
    assert result["status"] == "refused"


def test_a_closed_study_takes_nothing_more(site):
    shown, output = first_output(site)
    from tertium.annotate.study.file import set_meta, transaction

    db = site.study.writer()
    with transaction(db):
        set_meta(db, "closed", 1.0)
    db.close()
    assert site.save(entry(shown, output, {"score": 5}))[0]["status"] == "refused"
    assert site.screen(n=1)["closed"]


def test_active_time_is_gaps_of_a_minute_at_most_while_in_sight():
    from tertium.annotate.study.timing import ticked

    clock, active = ticked(
        None,
        "s",
        [[0, "open"], [5_000, "act"], [200_000, "act"], [201_000, "hide"], [500_000, "show"], [502_000, "act"]],
    )
    assert active == 5_000 + 60_000 + 1_000 + 2_000
    clock, active = ticked(clock, "s", [[503_000, "save"]])
    assert active == 1_000
    assert ticked(clock, "other", [[9, "act"]])[1] == 0  # another session's clock says nothing about this one

"""Errors that xCOMET and people marked come to the page of `tertium compare`, whichever file brings them."""

import json

import pytest

from report.test_page import data_of

SOURCES = ["Es schneite auf dem Pass.", "Niemand weiß es."]
SYSTEMS = {
    "north": ["It snowed on the passport.", "Nobody knows <b>."],
    "south": ["It rained.", "Nobody."],
    "east": ["No.", "It is on."],
}


@pytest.fixture
def marked_files(tmp_path):
    """Systems, xCOMET's JSON, MQM by two raters (one on the source), ESA in our own tidy form."""
    for name, lines in {"ref": ["Snow fell on the pass.", "Nobody knows it."], "src": SOURCES, **SYSTEMS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    error = {"text": "passport", "confidence": 0.6, "severity": "critical", "start": 17, "end": 25}
    scores = {
        f"{name}.txt": [{"COMET": 0.5, "errors": [error] if name == "north" and not k else []} for k in range(2)]
        for name in SYSTEMS
    }
    (tmp_path / "xcomet.json").write_text(json.dumps(scores), encoding="utf-8")
    rows = [
        "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity",
        "north\td\t1\tann\tEs schneite auf dem Pass.\tIt snowed on the <v>passport</v>.\tAccuracy/<i>Sense</i>\tMajor",
        "north\td\t1\tann\tEs schneite auf dem Pass.\tIt <v>snowed on</v> the passport.\tStyle\tMinor",
        "north\td\t1\tbob\tEs <v>schneite</v> auf dem Pass.\tIt snowed on the passport.\tOmission\tMajor",
        "south\td\t1\tann\tEs schneite auf dem Pass.\tIt rained.\tNo-error\tNo-error",
    ]
    (tmp_path / "mqm.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    spans = json.dumps([{"start": 0, "end": 6, "severity": "minor", "side": "target"}])
    tidy = ["system\tsegment\trater\tkind\tscore\tspans", f"north\t2\tcy\tESA\t60\t{spans}"]
    (tmp_path / "esa.tsv").write_text("\n".join(tidy) + "\n", encoding="utf-8")
    return [
        "compare", *(f"{name}.txt" for name in SYSTEMS), "-r", "ref.txt", "-m", "chrf", "--samples", "50",
        "--scores", "xcomet.json", "--judgments", "mqm.tsv", "--judgments", "esa.tsv",
    ]  # fmt: skip


def test_the_page_holds_all_markings(tertium, tmp_path, marked_files):
    assert tertium(*marked_files, "--source", "src.txt", "--report", "page.html").code == 0
    data = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert data["markers"] == ["COMET-errors", "ann, mqm", "bob, mqm", "cy, ESA"]
    first, second = data["segments"]["markings"]
    assert first[0] == [
        ["COMET-errors", 10, ["It snowed on the ", ["passport", "critical", "critical", "confidence 0.60"], "."], [], []],
        [
            "ann, mqm", -6,
            ["It ", ["snowed on", "minor", "minor", "Style"], " the ",
             ["passport", "major", "major", "Accuracy/<i>Sense</i>"], "."], [], [],
        ],
        ["bob, mqm", -5, [], ["Es ", ["schneite", "major", "major", "Omission"], " auf dem Pass."], []],
    ]  # fmt: skip
    assert [by for by, *_ in first[1]] == ["COMET-errors", "ann, mqm"]
    assert second[0][1] == ["cy, ESA", 60, [["Nobody", "minor", "minor", ""], " knows <b>."], [], []]


def test_without_a_report_they_are_not_shown(tertium, marked_files):
    assert "--judgments is shown by a report only: add --report FILE.html." in tertium(*marked_files).err


def test_bad_judgments_are_refused_and_no_page_is_written(tertium, tmp_path, marked_files):
    (tmp_path / "esa.tsv").write_text("system\tsegment\tscore\nnorth\t9\t1\n", encoding="utf-8")
    refused = tertium(*marked_files, "--report", "page.html")
    assert (refused.code, refused.out) == (1, "")
    assert "segments that are not there, such as north's segment 9: there are only 2" in refused.err
    assert not (tmp_path / "page.html").exists()

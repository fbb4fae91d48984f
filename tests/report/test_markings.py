"""Errors that people and metrics marked: where they stand in the texts, and what a page shows of them."""

import json

import pytest

from report.test_page import data_of
from tertium.judgments import Judgments
from tertium.judgments.details import Details
from tertium.judgments.spans import Span
from tertium.report.pages.markings import Marking, as_data, of_judgments, of_scores, pieces, place_of
from tertium.scoring.score_files import read_scores

TEXT = "It snowed on the passport."


@pytest.mark.parametrize(
    ("span", "place"),
    [
        (Span(3, 9), (3, 9)),
        (Span(3, 9, text="snowed"), (3, 9)),
        (Span(2, 9, text=" snowed"), (2, 9)),
        (Span(0, 6, text="snowed"), (3, 9)),  # counted otherwise: its words are near
        (Span(text="passport"), (17, 25)),  # no place, but its words are there once
        (Span(text="s"), None),  # they are there more than once
        (Span(3, 90), None),
        (Span(3, 90, text="rained"), None),
        (Span(4, 4), None),
        (Span(), None),
    ],
)
def test_a_span_is_found_in_the_text(span, place):
    assert place_of(span, TEXT) == place


def test_pieces_are_the_text_again_and_overlaps_have_all_errors():
    spans = [Span(0, 9, severity="Minor", category="style"), Span(3, 16, severity="major", category="sense")]
    found = pieces(TEXT, [(span.start, span.end, span) for span in spans])
    assert "".join(piece if isinstance(piece, str) else piece[0] for piece in found) == TEXT
    assert found == [
        ["It ", "minor", "minor", "style"],
        ["snowed", "major", "major", "Minor: style; major: sense"],
        [" on the", "major", "major", "sense"],
        " passport.",
    ]


def test_places_count_code_points():
    found = as_data(Marking("r", None, (Span(2, 5, severity="major"),)), "😀 one", None)
    assert found[2] == ["😀 ", ["one", "major", "major", ""]]


def test_sides_and_what_has_no_place():
    spans = (
        Span(0, 3, "source", "major", "omission", "Der"),
        Span(side="missing", severity="minor"),
        Span(severity="odd", category="other"),
    )
    _, _, target, source, rest = as_data(Marking("r", -6, spans), "Dog.", "Der Hund.")
    assert target == []
    assert source == [["Der", "major", "major", "omission"], " Hund."]
    assert rest == [["missing", "minor", "minor", ""], ["without a place", "neutral", "odd", "other"]]
    *_, rest = as_data(Marking("r", -6, spans[:1]), "Dog.", None)  # no source is known
    assert rest == [["in the source: Der", "major", "major", "omission"]]


def judged(**columns):
    spans = [[Span(0, 3, severity="major")], [], [Span(0, 3, severity="minor")], []]
    rows = {"system": ["a", "a", "b", "b"], "segment": [1, 2, 1, 0], "rater": ["r", "s", None, "r"], **columns}
    return Judgments.of(score=[-5, 0, -1, -3], kind="mqm", details=Details.of(4, spans=spans), **rows)


def test_judgments_say_who_marked_what():
    found = of_judgments(judged(), ["a", "b"], 2)
    assert {place: [(one.by, one.score, len(one.spans)) for one in each] for place, each in found.items()} == {
        ("a", 1): [("r, mqm", -5, 1)],
        ("a", 2): [("s, mqm", 0, 0)],  # read, and nothing found
        ("b", 1): [("mqm", -1, 1)],
    }


def test_judgments_without_marks_are_told_of():
    said = []
    plain = Judgments.of(system=["a"], segment=[1], score=[80])
    assert of_judgments(plain, ["a"], 1, said.append) == {}
    assert said == ["No errors are marked in the judgments of these systems, so the report shows none."]


def test_xcomet_brings_its_spans(tmp_path):
    errors = [
        {"text": " snowed", "confidence": 0.617, "severity": "critical", "start": 2, "end": 9},
        {"text": "x", "severity": "minor", "start": "?", "end": None},
    ]
    path = tmp_path / "xcomet.json"
    path.write_text(json.dumps({"a.txt": [{"mt": TEXT, "COMET": 0.5, "errors": errors}, {"mt": "", "COMET": 1.0}]}))
    (place, (marking,)), *more = of_scores(read_scores(str(path))).items()
    assert (place, marking.by, marking.score, more) == (("a", 1), "COMET-errors", 11, [])
    assert marking.spans == (
        Span(2, 9, "target", "critical", "confidence 0.62", " snowed"),
        Span(severity="minor", text="x"),
    )


def test_python_takes_judgments_too():
    from tertium import report

    systems = {"a": ["The cat.", "No."], "b": ["Her cat.", "Yes."]}
    page = report(systems, ["The cat.", "Yes."], "chrf", judgments=judged(), samples=20)
    assert data_of(page.html)["markers"] == ["mqm", "r, mqm", "s, mqm"]

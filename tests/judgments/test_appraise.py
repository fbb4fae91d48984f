"""Appraise's exports: what counts, which segment a row is about, scores and marked errors."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.judgments import agreement, form_of, raters_of, read_judgments

ORACLE = Path(os.environ.get("TERTIUM_ORACLE", "/nowhere")) / "annotation"
needs_oracle = pytest.mark.skipif(not ORACLE.is_dir(), reason="TERTIUM_ORACLE is not set")


@pytest.fixture
def export(tmp_path):
    """Write an export: each row is (user, system, item, type, score, document, errors, end)."""

    def write(*rows, languages="eng,deu", name="export.csv"):
        lines = []
        for user, system, item, kind, score, document, errors, end in rows:
            text = json.dumps(errors).replace('"', '""')
            lines.append(
                f'{user},{system},{item},{kind},{languages},{score},{document},False,"{text}",{end - 1},{end}\n'
            )
        path = tmp_path / name
        path.write_text("".join(lines), encoding="utf-8")
        return str(path)

    return write


def rows(judgments):
    return [(r["system"], r["document"], r["segment"], r["rater"], r["kind"], r["score"]) for r in judgments.records()]


def marks(judgments):
    return dict(Counter(judgments.marked.mark.texts())) if judgments.marked else {}


def error(start, end, severity="minor", category=None):
    return {"start_i": start, "end_i": end, "severity": severity, "error_type": category}


DOCUMENT_SCORES = """ann1,Mill,4,TGT,eng,deu,81,story,False,1.5,2.5
ann1,Mill,4,BAD,eng,deu,12,story,False,2.5,3.5
ann1,Mill,0,TGT,eng,deu,77,story,True,3.5,4.5
ann2,River,9,TGT,eng,deu,55,poem,False,1.5,2.5
ann2,River,9,CHK,eng,deu,50,poem,False,1.5,2.5
"""


@pytest.mark.parametrize(
    "header",
    ["", "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,timeStart,timeEnd\n"],
)
def test_scores_of_segments_and_documents(tmp_path, header):
    path = tmp_path / "export.csv"
    path.write_text(header + DOCUMENT_SCORES)
    assert form_of(str(path)).name == "appraise"
    warnings = []
    judgments = read_judgments(str(path), warn=warnings.append)
    assert rows(judgments) == [
        ("Mill", "story", "story:1", "ann1", "DA-raw", 81),
        ("Mill", "story", None, "ann1", "DA-raw", 77),
        ("River", "poem", "poem:1", "ann2", "DA-raw", 55),
    ]
    assert judgments.levels("DA-raw") == ("segment", "document")
    assert warnings == [f"{path}: 2 judgments do not count and were set apart: 1 degraded, 1 check."]
    assert judgments.marked_as("degraded").score.tolist() == [12]
    assert judgments.details.ended.tolist() == [2.5, 4.5, 2.5]


def test_without_documents_items_are_segments(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text("ann1,Mill,4,TGT,eng,deu,81,1.5,2.5\n")
    assert rows(read_judgments(str(path))) == [("Mill", None, 4, "ann1", "DA-raw", 81)]
    path.write_text("ann1,Mill,0,TGT,eng,deu,81,1.5,2.5\n")
    with pytest.raises(InputError, match="segments are numbered from 1. If the file counts from 0"):
        read_judgments(str(path))
    assert read_judgments(str(path), first_segment=0).segment.tolist() == [1]
    path.write_text("ann1,Mill,0\n")
    with pytest.raises(InputError, match="line 1 has 3 columns, but Appraise's exports have 9, 11, 12"):
        read_judgments(str(path), form="appraise")


def test_what_does_not_count_is_marked(export):
    path = export(
        ("ada", "en-tutorial1", 1, "TGT", 100, "en-tutorial1", [], 1),
        ("ada", "Mill", 7, "TGT", 80, "news.1#Mill", [error(0, 3)], 2),
        ("ada", "Mill", 8, "BAD", 20, "news.1#Mill#bad2", [], 3),
        ("ada", "Mill", 9, "TGT", 70, "news.2#Mill#dup", [], 4),
        ("ada", "Mill", 10, "TGT", 71, "news.2#Mill#duplicate1", [], 5),
        ("ada", "Mill", 11, "TGT", 60, "news.3#Mill#incomplete", [], 6),
        ("ada", "Mill", 12, "TGT", 61, "news.3#Mill#incomplete#bad", [], 7),
        ("ada", "Mill", 13, "REF", 99, "news.4#Mill", [], 8),
        ("ada", "Mill", 14, "CHK", 98, "news.5#Mill", [], 9),
    )
    warnings = []
    judgments = read_judgments(path, warn=warnings.append)
    assert rows(judgments) == [("Mill", "news.1", "news.1:1", "ada", "ESA", 80)]
    assert marks(judgments) == {
        "tutorial": 1, "degraded": 2, "duplicate": 2, "incomplete": 1, "reference": 1, "check": 1,
    }  # fmt: skip
    assert warnings[0].endswith(
        "8 judgments do not count and were set apart: 1 tutorial, 2 degraded, 2 duplicate, 1 incomplete, "
        "1 reference, 1 check."
    )
    records = list(judgments.records(marked=True))
    assert [record["mark"] for record in records] == [
        None, "tutorial", "degraded", "duplicate", "duplicate", "incomplete", "degraded", "reference", "check",
    ]  # fmt: skip


def test_a_file_in_which_nothing_counts_is_refused(export):
    with pytest.raises(InputError, match="holds no judgment of a system's output that counts, only tutorial"):
        read_judgments(export(("ada", "en-tutorial1", 1, "TGT", 100, "en-tutorial1", [], 1)))


def test_the_last_answer_counts(export):
    path = export(
        ("ada", "Mill", 1, "TGT", 40, "news", [], 30),
        ("ada", "Mill", 1, "TGT", 90, "news", [error(0, 3)], 10),
        ("ada", "Mill", 1, "TGT", 50, "news", [], 20),
    )
    judgments = read_judgments(path)
    assert judgments.score.tolist() == [40]
    assert marks(judgments) == {"replaced": 2}
    again = read_judgments(export(*[("ada", "Mill", 1, "TGT", score, "news", [], 5) for score in (10, 20)]))
    assert again.score.tolist() == [20]  # ended at the same time: the later line


def test_an_output_that_systems_share_counts_for_each(export):
    warnings = []
    path = export(
        ("ada", "Mill+River", 1, "TGT", 40, "news", [error(0, 3)], 1), ("ada", "CAT+", 2, "TGT", 50, "news", [], 2)
    )
    judgments = read_judgments(path, warn=warnings.append)
    assert rows(judgments) == [
        ("Mill", "news", "news:1", "ada", "ESA", 40),
        ("River", "news", "news:1", "ada", "ESA", 40),
        ("CAT+", "news", "news:1", "ada", "ESA", 50),
    ]
    assert "1 judgments are of outputs that several systems share" in warnings[0]
    assert [len(group) for group in judgments.details.spans.each(3)] == [1, 1, 0]


def test_language_pairs_are_not_mixed(export):
    path = export(("ada", "Mill", 1, "TGT", 40, "news", [], 1))
    other = export(("bo", "Mill", 1, "TGT", 90, "news", [], 1), languages="eng,ces", name="other.csv")
    Path(path).write_text(Path(path).read_text() + Path(other).read_text())
    with pytest.raises(
        InputError, match=r"has judgments of 2 language pairs: eng-deu, eng-ces. Say which: language_pair"
    ):
        read_judgments(path)
    assert read_judgments(path, language_pair="eng-ces").rater.names == ("bo",)
    assert read_judgments(path, language_pair="en-cs").rater.names == ("bo",)
    with pytest.raises(InputError, match="has no judgments of eng-hin, only of eng-deu, eng-ces"):
        read_judgments(path, language_pair="eng-hin")


# The same two documents in two tasks: the numbers are places in the task, and tell nothing about segments.
TASKS = [
    ("ada", "Mill", 1, "TGT", 10, "long#Mill", [error(0, 3)], 1),
    ("ada", "Mill", 2, "TGT", 20, "long#Mill", [], 2),
    ("ada", "Mill", 3, "TGT", 30, "short#Mill", [], 3),
    ("bo", "River", 1, "TGT", 40, "short#River", [], 1),
    ("bo", "River", 2, "TGT", 50, "long#River", [], 2),
    ("bo", "River", 3, "TGT", 60, "long#River", [], 3),
]
IDS = ["short", "long", "long", "other"]


def test_a_segment_is_its_document_and_its_place_there(export):
    judgments = read_judgments(export(*TASKS))
    assert [(r["system"], r["segment"], r["score"]) for r in judgments.records()] == [
        ("Mill", "long:1", 10), ("Mill", "long:2", 20), ("Mill", "short:1", 30),
        ("River", "short:1", 40), ("River", "long:1", 50), ("River", "long:2", 60),
    ]  # fmt: skip
    with pytest.raises(InputError, match="call segments by name, such as 'long:1', so it is not known which line"):
        judgments.segment_scores("ESA", segments=4)
    placed = read_judgments(export(*TASKS), documents=IDS)
    assert placed.segment_scores("ESA", segments=3)["River"].tolist() == [40, 50, 60]
    with pytest.raises(
        InputError, match="1 judgments are about segments such as 'short:1', which the documents do not"
    ):
        read_judgments(export(*TASKS[:3]), documents=["long", "long"])


def test_nobody_agrees_by_chance_of_numbers(export):
    """Two raters who judged different segments under the same numbers share nothing."""
    path = export(
        *(("ada", "Mill", place, "TGT", 10 * place, f"a{place}", [error(0, 3)], place) for place in range(1, 7)),
        *(("bo", "Mill", place, "TGT", 10 * place, f"b{place}", [], place) for place in range(1, 7)),
    )
    assert [one.units for one in agreement(read_judgments(path), samples=0)] == [0, 0, 0, 0, 0, 0]


def test_numbers_that_are_lines_may_start_anywhere(export):
    """WMT24's are one too low, as the first line of the test set holds no text."""
    path = export(
        *(("ada", "Mill", line, "TGT", line, f"d{line // 10}", [error(0, 3)], line) for line in (11, 12, 21, 22)),
        *(("bo", "River", line, "TGT", line, f"d{line // 10}", [], line) for line in (22, 21, 12)),
    )
    assert read_judgments(path).segment_names() == ["d1:1", "d1:2", "d2:1", "d2:2", "d2:2", "d2:1", "d1:2"]
    documents = ["canary", *["d0"] * 9, "d1", "d1", "d1", *["x"] * 8, "d2", "d2"]
    assert documents[11] == documents[12] == "d1"
    found = read_judgments(path, documents=documents)
    # line 11 was the second of d1, which the file alone cannot tell
    assert found.segment.tolist() == [12, 13, 22, 23, 23, 22, 13]


def test_parts_of_documents(export, tmp_path):
    """A document that was cut in two: without the tasks nobody knows which part a rater had."""
    whole = [("ada", "Mill", n, "TGT", n, "d#Mill", [error(0, 3)], n) for n in (1, 2, 3)]
    parts = [("bo", "River", 9, "TGT", 90, "d#River", [], 9)] + [
        ("cy", "River", n, "TGT", n, "d#River", [], n) for n in (5, 6)
    ]
    filler = [("bo", "Wood", n, "TGT", n, "e#Wood", [], n) for n in (5, 1)]  # so that numbers cannot be lines
    path = export(*whole, *parts, *filler)
    warnings = []
    judgments = read_judgments(path, warn=warnings.append)
    assert judgments.segment_names()[3:6] == ["d:1?bo", "d:1?cy", "d:2?cy"]
    assert "3 judgments are of 2 parts of documents, such as bo's of 'd'" in warnings[0]
    ids = ["d", "d", "d", "e"]
    placed = read_judgments(path, documents=ids)
    assert marks(placed) == {"unplaced": 3}
    items = [
        [("d#Mill", "Mill", n, f"s{n}", "tgt") for n in (1, 2, 3)],
        [("d#River", "River", 9, "s1", "x"), ("e#Wood", "Wood", 5, "t1", "x"), ("e#Wood", "Wood", 1, "t1", "x")],
        [("d#River", "River", 5, "s2", "x"), ("d#River", "River", 6, "s3", "x")],
    ]
    keys = ("documentID", "targetID", "itemID", "sourceText", "targetText")
    batches = [{"task": {}, "items": [dict(zip(keys, item, strict=True)) for item in batch]} for batch in items]
    tasks = tmp_path / "batches.json"
    tasks.write_text(json.dumps(batches))
    assert read_judgments(path, tasks=str(tasks)).segment_names()[3:6] == ["d:1", "d:2", "d:3"]
    tasks.write_text('[{"items": [{"itemID": 1}]}]')
    with pytest.raises(InputError, match="task 1, item 1: documentID is null"):
        read_judgments(path, tasks=str(tasks))


def test_errors_are_weighed_where_no_score_was_given(export):
    path = export(
        ("ada", "Mill", 1, "TGT", 0, "news", [error(0, 3, "major", ["Accuracy", "Mistranslation"]), error(5, 6)], 1),
        ("ada", "Mill", 2, "TGT", 0, "news", [], 2),
        ("ada", "Mill", 3, "TGT", 0, "news", [error("missing", "missing", "undecided")], 3),
    )
    warnings = []
    judgments = read_judgments(path, warn=warnings.append)
    assert [(r["kind"], r["score"]) for r in judgments.records()] == [("mqm", -6), ("mqm", 0), ("mqm", 0)]
    assert "1 marked errors have no severity; they weigh nothing" in warnings[0]
    first = judgments.details.columns()["spans"]
    assert first[0][0] == {
        "start": 0, "end": 4, "side": "target", "severity": "major", "category": "Accuracy/Mistranslation",
    }  # fmt: skip
    assert first[2] == [{"side": "missing", "severity": "undecided"}]


def test_places_of_spans_are_code_points(export, tmp_path):
    """JavaScript counts an emoji twice; what people mark includes the last character, what was filled in does not."""
    text = "😀 ab 👍🏽 cd"
    units = text.encode("utf-16-le")
    assert len(units) // 2 == 13
    marked = [error(3, 4), {"start_i": 3, "end_i": 5, "severity": "major"}, error(6, 9), error(11, 12), error(13, 13)]
    path = export(("ada", "Mill", 1, "TGT", 50, "news", marked, 1))
    tasks = tmp_path / "batches.json"
    item = {"documentID": "news", "targetID": "Mill", "itemID": 1, "sourceText": "s", "targetText": text}
    tasks.write_text(json.dumps([{"items": [item]}]))
    spans = next(read_judgments(path, tasks=str(tasks)).details.spans.each(1))
    assert [(span.text, span.side) for span in spans] == [
        ("ab", "target"), ("ab", "target"), ("👍🏽", "target"), ("cd", "target"), (None, "missing"),
    ]  # fmt: skip
    assert all(text[span.start : span.end] == span.text for span in spans[:4])


def test_two_outputs_side_by_side(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        "ada,Mill,River,4,TGT,eng,deu,81,60,[],[],[],1,2\n"
        "ada,Mill,Wood,5,TGT,eng,deu,50,50,[],[],[],3,4\n"
        "ada,Mill,Wood,6,BAD,eng,deu,50,10,[],[],[],3,4\n"
    )
    assert form_of(str(path)).name == "appraise"
    judgments = read_judgments(str(path))
    assert rows(judgments) == [
        ("Mill", None, 4, "ada", "DA-raw", 81), ("Mill", None, 5, "ada", "DA-raw", 50),
        ("River", None, 4, "ada", "DA-raw", 60), ("Wood", None, 5, "ada", "DA-raw", 50),
    ]  # fmt: skip
    assert [(p["first"], p["second"], p["outcome"]) for p in judgments.preferences.records()] == [
        ("Mill", "River", "better"), ("Mill", "Wood", "tie"),
    ]  # fmt: skip


@needs_oracle
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "counted", "spans", "apart"),
    [
        ("240520rc6ESA", "ESA", 2691, 2728, {"degraded": 402, "tutorial": 204, "duplicate": 15, "replaced": 15}),
        ("240521rc6GEMBA", "ESA", 995, 1483, {"degraded": 158, "tutorial": 78, "replaced": 2}),
        ("240521rc6MQM", "mqm", 984, 760, {"degraded": 148, "tutorial": 72, "replaced": 6}),
    ],
)
def test_real_exports(name, kind, counted, spans, apart):
    path = ORACLE / f"{name}.scores.csv"
    judgments = read_judgments(str(path), tasks=str(ORACLE / "batches_wmt23_en-de_esa.json"))
    assert judgments.kinds == (kind,)
    assert (len(judgments), len(judgments.details.spans)) == (counted, spans)
    assert marks(judgments) == apart
    assert counted + sum(apart.values()) == len(path.read_text(encoding="utf-8").splitlines())
    assert len(judgments.systems) == 13
    assert not any("tutorial" in system for system in judgments.systems)
    assert len(set(judgments.segment.tolist())) == 207
    texts = judgments.details.spans.text.texts()
    sides = judgments.details.spans.side.texts()
    assert all((text is None) == (side == "missing") for text, side in zip(texts, sides, strict=True))
    if kind == "mqm":
        assert judgments.score.min() < 0 == judgments.score.max()
    tested = [one for one in raters_of(judgments) if one.degraded]
    assert sum(one.degraded for one in tested) > 0.8 * apart["degraded"]

"""Files that programs of campaigns write: Pearmut's, WMT's JSON lines, PET's, Marot's, mt-metrics-eval's."""

import json
from collections import Counter

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.judgments import MQMWeights, form_of, read_folder, read_judgments


def rows(judgments):
    return [(r["system"], r["segment"], r["rater"], r["kind"], r["score"]) for r in judgments.records()]


def marks(judgments):
    return dict(Counter(judgments.marked.mark.texts())) if judgments.marked else {}


def lines(path, records):
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return str(path)


def shown(name, *systems, **more):
    return {"item_id": name, "src": f"source of {name}", "tgt": dict.fromkeys(systems, "🙂 ab"), **more}


def said(score=None, *spans, **more):
    errors = [
        {"start_i": start, "end_i": end, "severity": severity, "category": None} for start, end, severity in spans
    ]
    return {"score": score, "error_spans": errors, "textfield": None, **more}


def row(user, item, items, answers, **more):
    return {"user_id": user, "item_i": item, "item": items, "annotation": answers, **more}


def test_pearmut(tmp_path):
    actions = [
        {"time": 100.0, "action": "load"},
        {"time": 110.0, "action": "score"},
        {"time": 900.0, "action": "submit"},
    ]
    path = lines(
        tmp_path / "campaign.jsonl",
        [
            row("ada", "welcome_0", [shown("w", "Mill")], [{"Mill": said(99)}]),
            row("ada", 0, [shown("d_#_1", "Mill", "River"), shown("d_#_2", "Mill")],
                [{"Mill": said(70, (3, 4, "minor")), "River": said(50, (5, 5, "major"))}, {"Mill": said(60)}],
                actions=actions),
            row("bo", 0, [shown("d_#_1", "Mill")], [{"Mill": said(10)}]),
            row("bo", 0, [shown("d_#_1", "Mill")], [{"Mill": said(20)}]),
            row("cy", 0, [shown("d_#_1", "Mill")], [{"Mill": said(0)}]),
            {"user_id": "cy", "annotation": "__RESET__"},
            row("cy", 0, [shown("d_#_1", "Mill")], [{"Mill": said(30)}]),
            row("cy", "random_3", [shown("r", "Mill")], [{"Mill": said(1)}]),
            row("cy", 1, [shown("k", "Mill", "Bad", validation={"Bad": {"score": [0, 50]}})],
                [{"Mill": said(90), "Bad": said(5)}]),
            row("cy", "goodbye_0", [{"text": "Who are you?", "form": "string"}], ["cy"]),
        ],
    )  # fmt: skip
    assert form_of(path).name == "pearmut"
    warnings = []
    judgments = read_judgments(path, warn=warnings.append)
    assert rows(judgments) == [
        ("Mill", "d_#_1", "ada", "ESA", 70), ("River", "d_#_1", "ada", "ESA", 50), ("Mill", "d_#_2", "ada", "ESA", 60),
        ("Mill", "d_#_1", "bo", "ESA", 20), ("Mill", "d_#_1", "cy", "ESA", 30), ("Mill", "k", "cy", "ESA", 90),
    ]  # fmt: skip
    assert marks(judgments) == {"tutorial": 1, "replaced": 1, "reset": 1, "check": 2}
    assert "5 judgments do not count and were set apart" in warnings[0]
    first = judgments.details.columns()
    assert first["spans"][0] == [{"start": 2, "end": 4, "side": "target", "severity": "minor", "text": "ab"}]
    assert first["spans"][1] == [{"side": "missing", "severity": "major"}]
    assert (first["started"][0], first["ended"][0], first["seconds"][0]) == (100, 900, pytest.approx((10 + 61) / 3))
    assert first["length"][0] == 4


def test_pearmut_as_it_is_downloaded(tmp_path):
    path = tmp_path / "annotations.json"
    answers = {"en-de": [row("ada", 0, [shown("a", "Mill")], [{"Mill": said(70)}])]}
    path.write_text(json.dumps(answers))
    assert form_of(str(path)).name == "pearmut"
    assert rows(read_judgments(str(path))) == [("Mill", "a", "ada", "DA-raw", 70)]
    path.write_text(json.dumps({**answers, "en-cs": answers["en-de"]}))
    with pytest.raises(InputError, match="of 2 language pairs: en-de, en-cs. Say which"):
        read_judgments(str(path))
    assert len(read_judgments(str(path), language_pair="en-cs")) == 1


def test_pearmut_without_ids_or_scores(tmp_path):
    """Documents are told by their sources; errors alone are weighed; sliders are kinds of their own."""
    items = [{"src": "one", "tgt": {"Mill": "x"}}, {"src": "two", "tgt": {"Mill": "x"}}]
    path = lines(
        tmp_path / "m.jsonl",
        [
            row("ada", 0, items, [{"Mill": said(None, (0, 0, "major"))}, {"Mill": said(None)}]),
            row("bo", 7, items, [{"Mill": said(None)}, {"Mill": said(None, (0, 0, "minor"))}]),
        ],
    )
    assert rows(read_judgments(path)) == [
        ("Mill", "document 1:1", "ada", "mqm", -5), ("Mill", "document 1:2", "ada", "mqm", 0),
        ("Mill", "document 1:1", "bo", "mqm", 0), ("Mill", "document 1:2", "bo", "mqm", -1),
    ]  # fmt: skip
    path = lines(tmp_path / "s.jsonl", [row("ada", 0, items[:1], [{"Mill": said(None, sliders={"fluency": 3})}])])
    assert rows(read_judgments(path)) == [("Mill", "document 1:1", "ada", "fluency", 3)]


def wmt(pair, document, place, scores, text="🙂 ab"):
    return {
        "doc_id": f"{pair}_#_news_#_{document}_#_{place}", "src_text": "s", "scores": scores,
        "tgt_text": dict.fromkeys(scores, text),
    }  # fmt: skip


def test_wmt_json(tmp_path):
    error = {"start_i": 3, "end_i": 4, "severity": "minor"}
    one = {"score": 70, "annotator": "ada", "errors": [error], "times": [20.0, 10.0], "protocol": "ESA"}
    records = [
        wmt("en-cs", "b", 12, {"Mill": [one, one | {"score": 50, "annotator": "bo"}]}),
        wmt("en-cs", "b", 11, {"Mill": [one | {"score": None}], "River": []}),
        wmt(
            "en-cs",
            "a",
            5,
            {"River": {"human1": 10, "errors1": [error], "annotator1": "cy", "times1": [1, 2], "human2": 20}},
        ),
    ]
    path = lines(tmp_path / "humeval.jsonl", records)
    assert form_of(path).name == "wmt-json"
    warnings = []
    judgments = read_judgments(path, warn=warnings.append)
    assert rows(judgments) == [
        ("Mill", "en-cs_#_news_#_b:2", "ada", "ESA", 70), ("Mill", "en-cs_#_news_#_b:2", "bo", "ESA", 50),
        ("River", "en-cs_#_news_#_a:1", "cy", "ESA", 10), ("River", "en-cs_#_news_#_a:1", None, "ESA", 20),
    ]  # fmt: skip
    assert "1 of 5 judgments have no score" in warnings[0]
    assert judgments.details.columns()["spans"][0][0]["text"] == "ab"
    assert judgments.details.started.tolist()[:3] == [10, 10, 1]
    placed = read_judgments(path, documents=["canary", "a", "b", "b"])  # the first line of the texts is none
    assert placed.segment.tolist() == [4, 4, 2, 2]
    other = lines(tmp_path / "two.jsonl", [*records, wmt("en-de", "a", 1, {"Mill": [one]})])
    with pytest.raises(InputError, match="of 2 language pairs: en-cs, en-de"):
        read_judgments(other)
    assert len(read_judgments(other, language_pair="en-de")) == 1
    with pytest.raises(InputError, match="line 1: the doc_id is 'x', but pair_#_domain"):
        read_judgments(lines(tmp_path / "bad.jsonl", [{"doc_id": "x", "scores": {}}]))


PET = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<job id="j" status="FINISHED">
  <unit id="541" status="FINISHED" type="pe">
    <S producer="wmt12">source</S>
    <MT producer="rbmt-3">the cat sat on mat</MT>
    <annotations revisions="2">
      <annotation r="1"><PE producer="ada">other words</PE>
        <indicator id="editing" type="time">5s,5</indicator></annotation>
      <annotation r="2"><PE producer="ada">the cat sat on the mat</PE>
        <assessment id="necessity"><score>4. No modification was performed</score></assessment>
        <indicator id="editing" type="time">1m12s,875</indicator>
        <indicator id="unchanged" type="flag">false</indicator></annotation>
    </annotations>
  </unit>
  <unit id="542" type="pe"><MT producer="rbmt-3">x</MT><annotations><annotation r="1"><PE producer="ada">y</PE>
    <indicator id="impossible" type="flag">true</indicator></annotation></annotations></unit>
  <unit id="543" type="ht"><S>source</S></unit>
</job>
"""


def test_pet(tmp_path):
    path = tmp_path / "ada.per"
    path.write_text(PET, encoding="utf-8")
    warnings = []
    judgments = read_judgments(str(path), warn=warnings.append)
    assert rows(judgments) == [
        ("rbmt-3", 541, "ada", "hter", pytest.approx(100 / 6)), ("rbmt-3", 541, "ada", "necessity", 4),
    ]  # fmt: skip
    assert judgments.lower_is_better == {"hter"}
    assert judgments.details.seconds[0] == 72.875
    assert marks(judgments) == {"replaced": 1, "impossible": 1}
    assert "1 units have no output or were not edited" in warnings[0]
    path.write_text(PET.replace("<PE producer", "<XE producer"))
    with pytest.raises(InputError, match="ada.per, line 7 is no XML"):
        read_judgments(str(path))


MAROT = """Mill\tstory\t1\t1\tp:r1\tein Haus\ta <v>mouse</v>, small\tAccuracy/Mistranslation\tMajor\t{"note": ""}
Mill\tstory\t1\t1\tp:r1\tein <v>Haus</v>\ta mouse, small\tAccuracy/Omission\tMinor\t{}
Mill\tstory\t2\t2\tp:r1\tja\tyes\tNo-error\tNo-error\t{}
Mill\tstory\t2\t2\tp:r1\tja\tyes\tFound\tHOTW-test\t{}
Mill\tstory\t1\t1\tp:AutoMQM-v1\tein Haus\ta mouse, small\tStyle\tMinor\t{}
"""


def test_marot(tmp_path):
    path = tmp_path / "marot.tsv"
    path.write_text(MAROT, encoding="utf-8")
    assert form_of(str(path)).name == "mqm"
    judgments = read_judgments(str(path))
    assert rows(judgments) == [("Mill", 1, "p:r1", "mqm", -6), ("Mill", 2, "p:r1", "mqm", 0)]
    assert judgments.details.columns() == {
        "length": [14, 3],
        "spans": [
            [
                {"start": 2, "end": 7, "side": "target", "severity": "Major", "category": "Accuracy/Mistranslation",
                 "text": "mouse"},
                {"start": 4, "end": 8, "side": "source", "severity": "Minor", "category": "Accuracy/Omission",
                 "text": "Haus"},
            ],
            [],
        ],
    }  # fmt: skip
    assert marks(judgments) == {"machine": 1}
    assert judgments.marked.judgments.score.tolist() == [-1]


@pytest.mark.parametrize(
    ("text", "severity", "category", "expected"),
    [
        ("wmt22", "critical", "Accuracy", 10),
        ("wmt24", "critical", "Accuracy", 5),
        ("wmt22", "Major", "Source issue", 5),
        ("wmt24", "Major", "Source issue", 0),
        ("wmt24", "Major", "Accuracy/Creative Reinterpretation", 0),
        ("wmt24", "Minor", "Fluency/Punctuation", 0.1),
        ("wmt24", "Major", "Non-translation!", 25),
        ("wmt24 major:7", "Major", "Accuracy/Omission", 7),
        ("major:7", "critical", "Accuracy", 10),
    ],
)
def test_weights_of_a_year(text, severity, category, expected):
    assert MQMWeights.parsed(text).of(severity, category, "here") == expected


def test_a_name_that_no_weights_have():
    with pytest.raises(InputError, match="not 'wmt19'; or they have a name: wmt20, wmt21"):
        MQMWeights.parsed("wmt19")


RATING = '{"errors": [{"start": 0, "end": 3, "severity": "major", "category": "accuracy", "is_source_error": false}]}'


def test_ratings_are_raters_of_one_kind(tmp_path):
    for rater in (1, 2):
        (tmp_path / f"en-de.mqm.rater{rater}.seg.rating").write_text(f"Mill\t{RATING}\nMill\tNone\n" * rater)
    path = str(tmp_path / "en-de.mqm.rater1.seg.rating")
    judgments = read_judgments(path)
    assert rows(judgments) == [("Mill", 1, "rater1", "mqm", -5)]
    assert judgments.details.columns()["spans"] == [
        [{"start": 0, "end": 3, "side": "target", "severity": "major", "category": "accuracy"}]
    ]
    folder = tmp_path / "set"
    for name in ("sources", "documents", "system-outputs/en-de", "human-scores", "references"):
        (folder / name).mkdir(parents=True)
    (folder / "sources/en-de.txt").write_text("a\nb\n")
    (folder / "documents/en-de.docs").write_text("news d\nnews d\n")
    (folder / "system-outputs/en-de/Mill.txt").write_text("x\ny\n")
    for rater in (1, 2):
        (folder / f"human-scores/en-de.mqm.rater{rater}.seg.rating").write_text(f"Mill\t{RATING}\nMill\tNone\n")
    found = read_folder(str(folder), "en-de").judgments
    assert found.kinds == ("mqm",)
    assert found.rater.names == ("rater1", "rater2")


def test_scores_of_systems_without_texts(tmp_path):
    path = tmp_path / "cs-en.wmt-z.sys.score"
    path.write_text("Mill\t0.25\nRiver\tNone\nWood\t-0.5\n")
    assert rows(read_judgments(str(path))) == [("Mill", None, None, "wmt-z", 0.25), ("Wood", None, None, "wmt-z", -0.5)]
    path = tmp_path / "DA-syslevel.csv"
    path.write_text("LP SYSTEM HUMAN\ncs-en Mill 0.5\nde-en Mill 0.1\n")
    with pytest.raises(InputError, match="of 2 language pairs: cs-en, de-en"):
        read_judgments(str(path))
    assert rows(read_judgments(str(path), language_pair="de-en")) == [("Mill", None, None, "DA-z", 0.1)]
    path = tmp_path / "ad-sys-ranking-bn-hi-z.csv"
    path.write_text("82.1 0.202 494 495 Mill.0 \n79.1 0.163 490 491 River.5 \n")
    found = read_judgments(str(path))
    assert found.system_scores("DA-z") == {"Mill.0": 0.202, "River.5": 0.163}
    assert found.count.tolist() == [494, 490, 494, 490]


def test_segments_by_name(tmp_path):
    path = tmp_path / "ad-good-raw.csv"
    path.write_text(
        "HITId\tWorkerId\tInput.src\tInput.trg\tInput.item\thit\tsys_id\trid\ttype\tsid\tscore\ttime\n"
        'NA\tw1\thi\tbn ad NA\t"Online G.7" NA SYSTEM\thi-1.1\t30\t0\n'
        'NA\tw1\thi\tbn ad NA\t"Mill.1" NA SYSTEM\thi-1.2\t50\t0\n'
    )
    judgments = read_judgments(str(path))
    assert rows(judgments) == [("Online G.7", "hi-1.1", "w1", "DA-raw", 30), ("Mill.1", "hi-1.2", "w1", "DA-raw", 50)]
    assert judgments.segment_scores("DA-raw")["Mill.1"].tolist()[1] == 50
    placed = read_judgments(str(path), segment_ids=["hi-1.2", "x", "hi-1.1"])
    np.testing.assert_array_equal(placed.segment_scores("DA-raw", segments=3)["Online G.7"], [np.nan, np.nan, 30])
    with pytest.raises(
        InputError, match="1 judgments are about segments such as 'hi-1.1', which the segments' ids do not"
    ):
        read_judgments(str(path), segment_ids=["hi-1.2"])
    with pytest.raises(InputError, match="call two lines 'a', 1 and 3"):
        read_judgments(str(path), segment_ids=["a", "b", "a"])
    tidy = tmp_path / "tidy.jsonl"
    lines(tidy, judgments.records())
    assert rows(read_judgments(str(tidy))) == rows(judgments)


def test_what_documents_say_is_checked(tmp_path):
    path = tmp_path / "judgments.tsv"
    path.write_text("system\tdocument\tsegment\tscore\nMill\ta\t1\t5\nMill\tb\t2\t6\n")
    read_judgments(str(path), documents=["a", "b"], within_documents=False)
    with pytest.raises(
        InputError, match=r"2 of 2 judgments name another document.*segment 1, of 'a' here and of 'canary'.*from 0"
    ):
        read_judgments(str(path), documents=["canary", "a", "b"], within_documents=False)
    with pytest.raises(InputError, match="Are the ids those of this test set"):
        read_judgments(str(path), documents=["x", "y"], within_documents=False)


def test_tables_keep_spans_times_and_marks(tmp_path):
    """What a table holds comes back from its own files."""
    path = tmp_path / "in.jsonl"
    span = {"start": 2, "end": 4, "side": "target", "severity": "minor", "text": "ab\u2028"}
    lines(path, [
        {"system": "Mill", "segment": 1, "score": 5, "spans": [span, {"side": "missing"}], "started": 1.5, "ended": 2.5},
        {"system": "Mill", "segment": 2, "score": 6, "spans": [], "seconds": 3.25, "length": 9},
        {"system": "Mill", "segment": 3, "score": 0, "mark": "tutorial"},
    ])  # fmt: skip
    judgments = read_judgments(str(path))
    assert len(judgments) == 2
    assert marks(judgments) == {"tutorial": 1}
    again = tmp_path / "out.jsonl"
    lines(again, judgments.records(marked=True))
    assert list(read_judgments(str(again)).records(marked=True)) == list(judgments.records(marked=True))
    for bad, message in [("{}", "a list of objects"), ("[1]", "a list of objects"), ("[", "no JSON"),
                         ('[{"start": 3, "end": 1}]', "before it starts"), ('[{"start": "a", "end": 1}]', "whole numbers"),
                         ('[{"side": "left"}]', "on the side 'left'"), ('[{"severity": 3}]', "severity is 3")]:  # fmt: skip
        path.write_text(json.dumps({"system": "a", "score": 1, "spans": bad}) + "\n")
        with pytest.raises(InputError, match=f"line 1: .*{message}"):
            read_judgments(str(path))


@pytest.mark.parametrize("brackets", ["[", '{"a":'])
def test_brackets_without_end_are_no_judgments(tmp_path, brackets):
    path = tmp_path / "deep.jsonl"
    path.write_text(brackets * 100_000 + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"deep\.jsonl"):
        read_judgments(path)

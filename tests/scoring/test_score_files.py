"""Scores of other programs, read from the files that those programs write."""

import json

import pytest

from tertium.errors import InputError, TertiumError
from tertium.scoring.imported_scores import arranged, scores_of
from tertium.scoring.score_files import read_scores
from tertium.significance import compare


def lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def told(found):
    return [(one.system, one.segment, one.metric, one.score) for one in found]


def comet(scores, **more):
    return [{"src": "s", "mt": "the text", "ref": "r", "COMET": score} | more for score in scores]


def test_comets_json(tmp_path):
    path = tmp_path / "comet.json"
    path.write_text(json.dumps({"out/north.txt": comet([0.8, 0.7]), "out/south.de.txt": comet([0.6, 0.5])}, indent=4))
    assert told(read_scores(str(path))) == [
        ("north", 1, "COMET", 0.8), ("north", 2, "COMET", 0.7), ("south.de", 1, "COMET", 0.6),
        ("south.de", 2, "COMET", 0.5),
    ]  # fmt: skip
    assert {one.metric for one in read_scores(f"comet-22={path}")} == {"comet-22"}


def test_xcomets_spans_are_a_metric_that_counts_errors(tmp_path):
    path = tmp_path / "x.json"
    errors = [
        {"text": "the", "severity": "minor", "start": 0, "end": 3},
        {"severity": "critical", "start": 4, "end": 8},
    ]
    path.write_text(json.dumps({"a.txt": comet([0.5], errors=errors), "b.txt": comet([0.9], errors=[])}))
    found = read_scores(str(path))
    assert [one.score for one in found if one.metric == "COMET-errors"] == [11, 0]
    assert arranged(found, "x").lower_is_better == {"COMET-errors"}


def test_files_of_equal_names_are_told_apart_in_comets_json(tmp_path):
    path = tmp_path / "comet.json"
    path.write_text(json.dumps({"a/out.txt": comet([1]), "b/out.txt": comet([2])}))
    assert [one.system for one in read_scores(str(path))] == ["a/out.txt", "b/out.txt"]


def test_metricx_counts_errors(tmp_path):
    path = lines(tmp_path / "north.jsonl", [{"source": "s", "hypothesis": "h", "prediction": p} for p in (1.5, 3)])
    found = read_scores(path)
    assert told(found) == [("north", 1, "MetricX", 1.5), ("north", 2, "MetricX", 3)]
    notes = []
    assert arranged(found, "f", warn=notes.append).lower_is_better == {"MetricX"}
    assert "higher_is_better='MetricX'" in notes[0]
    assert arranged(found, "f", higher_is_better=["MetricX"]).lower_is_better == frozenset()
    assert read_scores(f"mine={path}")[0].system == "mine"


def test_metricx_for_its_evaluation_counts_segments_from_0(tmp_path):
    records = [
        {"hypothesis": "h", "prediction": 2, "system_id": name, "segment_id": k, "label": 0}
        for name in "ab"
        for k in (1, 0)
    ]
    found = read_scores(lines(tmp_path / "all.jsonl", records))
    assert [(one.system, one.segment) for one in found] == [("a", 2), ("a", 1), ("b", 2), ("b", 1)]


def wmt25(document, pair="en-is_IS", shift=0.0):
    scores = {"XCOMET-XL": [0.7 + shift, 0.5], "MetricX-24-Hybrid-XL": [-9.6, -4.5]}
    return {"language_pair": pair, "domain": "news", "document_id": document, "metric_scores": scores}


def test_wmt25(tmp_path):
    path = lines(tmp_path / "AMI.jsonl", [wmt25("one"), wmt25("two", shift=0.1)])
    found = read_scores(path)
    assert [(one.segment, one.score) for one in found if one.metric == "XCOMET-XL"] == [
        (1, 0.7), (2, 0.5), (3, pytest.approx(0.8)), (4, 0.5),
    ]  # fmt: skip
    table = arranged(found, path)
    assert table.lower_is_better == frozenset()  # turned round there: below 0, and higher is better
    assert table.documents == ["one", "one", "two", "two"]


def test_wmt25_in_another_order_is_refused(tmp_path):
    first = read_scores(lines(tmp_path / "a.jsonl", [wmt25("one"), wmt25("two")]))
    other = read_scores(lines(tmp_path / "b.jsonl", [wmt25("two"), wmt25("one")]))
    with pytest.raises(InputError, match="line 1: segment 1 of system 'b' is of document two, but elsewhere .* of one"):
        arranged([*first, *other], "both")
    (tmp_path / "comet.json").write_text(json.dumps({"a.txt": comet([0.5] * 4)}))  # which knows no documents
    assert arranged([*first, *read_scores(str(tmp_path / "comet.json"))], "both").documents is not None


def test_wmt25_needs_one_language_pair(tmp_path):
    path = lines(tmp_path / "s.jsonl", [wmt25("one"), wmt25("two", "en-cs_CZ")])
    with pytest.raises(InputError, match="2 language pairs. Name one: .*:en-is_IS"):
        read_scores(path)
    assert len(read_scores(f"{path}:en-cs_CZ")) == 4
    with pytest.raises(TertiumError, match="No language pair .* 'en-cs_CX'. Did you mean 'en-cs_CZ'"):
        read_scores(f"{path}:en-cs_CX")


def test_a_column_of_numbers(tmp_path):
    (tmp_path / "judge.tsv").write_text("text\tscore\nx\t4\ny\t2.5\n")
    assert told(read_scores(f"south={tmp_path}/judge.tsv:score")) == [
        ("south", 1, "score", 4), ("south", 2, "score", 2.5),
    ]  # fmt: skip
    (tmp_path / "all.csv").write_text("system,segment,gemba\na,2,80\nb,1,90\n")
    assert told(read_scores(f"{tmp_path}/all.csv:gemba")) == [("a", 2, "gemba", 80), ("b", 1, "gemba", 90)]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("x.tsv", "score\n1\n\n3\n", 3),
        ("x.tsv", "text\tscore\n\nx\t1\n", 2),
        ("x.csv", 'score\n1\n""\n3\n', 3),
        ("x.csv", 'text,score\n"two\nlines",1\n\nx,3\n', 4),
    ],
)
def test_a_blank_line_would_shift_all_scores_below(tmp_path, name, text, line):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=f"{name}, line {line} is blank, but a score per segment was expected"):
        read_scores(f"{tmp_path}/{name}:score")
    (tmp_path / "end.csv").write_text('text,score\n"two\nlines",1\nx,3\n\n')  # at the end it shifts nothing
    assert [one.score for one in read_scores(f"{tmp_path}/end.csv:score")] == [1, 3]


def test_a_column_of_marked_errors(tmp_path):
    answer = [{"severity": "Major", "category": "mistranslation", "span": "x"}, {"severity": "minor"}]
    path = lines(tmp_path / "a.jsonl", [{"answer": answer}, {"answer": []}])
    assert told(read_scores(f"{path}:answer")) == [("a", 1, "answer-errors", 6), ("a", 2, "answer-errors", 0)]


def test_seg_scores(tmp_path):
    path = tmp_path / "YiSi-refA.seg.score"
    path.write_text("a\t0.5\na\tNone\nb\t0.25\nb\t0.75\n")
    assert told(read_scores(str(path))) == [
        ("a", 1, "YiSi-refA", 0.5),
        ("b", 1, "YiSi-refA", 0.25),
        ("b", 2, "YiSi-refA", 0.75),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.json", '{"a.txt": [{"mt": "x"}]}', "No field of .*segment 1 of a is called 'COMET'"),
        ("c.json", '{"a.txt": [{"COMET": NaN}]}', "segment 1 of a: the score is 'nan', but a finite number"),
        ("c.json", '{"a.txt": [{"COMET": true}]}', "the score is 'True'"),
        ("c.json", '{"a.txt": [{"COMET": 1}], "b.txt": 3}', "'b.txt' is no list"),
        ("c.json", '{"a.txt": [{"COMET": 1}, 2]}', "segment 2 of a is 2, not an object"),
        ("c.json", '{"a.txt": []}', "holds no score"),
        ("c.json", '{"a.txt": [{"COMET": 1}', "is no JSON"),
        ("c.json", '{"a.txt": [{"COMET": 1, "errors": [{"severity": "odd"}]}]}', "has the severity 'odd'"),
        ("m.jsonl", '{"hypothesis": "h", "prediction": "x"}\n', "line 1: the prediction is 'x'"),
        ("m.jsonl", '{"hypothesis": "h", "prediction": 1, "system_id": "a"}\n', "no segment_id"),
        ("m.jsonl", '{"hypothesis": "h", "prediction": 1, "segment_id": -1}\n', "MetricX counts segments from 0"),
        ("m.jsonl", '{"hypothesis": "h", "prediction": 1}\n{"hypothesis": "h"}\n', "line 2 has no prediction"),
        ("w.jsonl", '{"metric_scores": {"A": [1, 2], "B": [1]}}\n', "line 1: .*2 of A, 1 of B"),
        ("w.jsonl", '{"metric_scores": [1]}\n', "must be an object with a list"),
        ("x.seg.score", "a 1 2\n", "line 1 has 3 fields"),
        ("x.seg.score", "a\tinf\n", "line 1: the score is 'inf'"),
        ("t.tsv", "\ufefftext\tscore\n", "has the columns text, score, but system, segment, metric are missing"),
        ("empty.json", "", "is empty"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_meant(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(TertiumError, match=message):
        read_scores(str(tmp_path / name))


def test_a_name_that_names_nothing_is_refused(tmp_path):
    (tmp_path / "t.tsv").write_text("system\tsegment\tmetric\tscore\na\t1\tm\t1\n")
    with pytest.raises(InputError, match="'b=' has nothing to name"):
        read_scores(f"b={tmp_path}/t.tsv")


def test_systems_can_be_compared_by_them_alone(tmp_path):
    path = tmp_path / "comet.json"
    one, two = [0.5 + 0.01 * (k % 7) for k in range(40)], [0.6 + 0.01 * (k % 5) for k in range(40)]
    path.write_text(json.dumps({"north.txt": comet(one), "south.txt": comet(two)}))
    compared = compare(scores_of(arranged(read_scores(str(path)), "f")), samples=200)
    found = compared.of("south", "COMET")
    assert found.difference == pytest.approx(sum(two) / 40 - sum(one) / 40)
    assert found.significant


@pytest.mark.parametrize(
    ("name", "text", "metric", "expected"),
    [
        ("chrF-refA.sys.score", "a\t0.5\nb\t0.25\nc\tNone\n", "chrF-refA", {"a": 0.5, "b": 0.25}),
        (
            "x.sys.score:en-de",
            "chrF en-de newstest2020 ref a 0.5\nchrF de-en newstest2020 ref a 0.1\n",
            "chrF",
            {"a": 0.5},
        ),
        ("x.sys.score", "TER en-de newstest2019 online-A.0 0.5 non-ensemble yes\n", "TER", {"online-A.0": 0.5}),
        ("x.tsv", "system\tmetric\tscore\na\tm\t1\nb\tm\t2\n", "m", {"a": 1, "b": 2}),
    ],
)
def test_scores_of_whole_systems(name, text, metric, expected, tmp_path):
    path = tmp_path / name.partition(":")[0]
    path.write_text(text)
    found = read_scores(str(tmp_path / name))
    assert {one.system: one.score for one in found} == expected
    assert {(one.segment, one.metric) for one in found} == {(0, metric)}
    table = arranged(found, name)
    assert {system: float(values[0]) for system, values in table.tables[metric]["system"].items()} == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a b c\n", "line 1 has 3 fields"),
        ("m en-de t ref a 1\nm de-en t ref a 1\n", r"en-de, de-en\. Say which language pair"),
        ("a\tx\n", "finite number"),
        ("a\t1\na\t2\n", "a second m score of system 'a' as a whole"),
    ],
)
def test_scores_of_systems_that_are_none(text, words, tmp_path):
    path = tmp_path / "m.sys.score"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        arranged(read_scores(str(path)), "m.sys.score")

"""The table of judgments: what it holds, what it refuses, how scores are added up."""

import csv
import json
import math
from collections import defaultdict
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.wmt import ORACLE, needs_oracle
from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments, Preferences, read_judgments


@pytest.fixture
def table(tmp_path):
    def write(text, name="judgments.tsv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


class Warnings(list):
    def __call__(self, message):
        self.append(message)


SMALL = """system\tdocument\tsegment\trater\tkind\tscore
a\tx\t1\tada\tDA\t80
a\tx\t1\tben\tDA\t60
a\tx\t2\tada\tDA\t50
a\ty\t3\tada\tDA\t20
b\tx\t1\tada\tDA\t40
b\ty\t3\tben\tDA\t90
"""


def test_a_tidy_table(table):
    judgments = read_judgments(table(SMALL))
    assert len(judgments) == 6
    assert judgments.kinds == ("DA",)
    assert judgments.systems == ("a", "b")
    assert judgments.levels("DA") == ("segment",)
    scores = judgments.segment_scores("DA", segments=4)
    np.testing.assert_array_equal(scores["a"], [70, 50, 20, math.nan])
    np.testing.assert_array_equal(scores["b"], [40, math.nan, 90, math.nan])
    assert judgments.system_scores("DA") == pytest.approx({"a": 140 / 3, "b": 65})
    documents = judgments.document_scores("DA")
    np.testing.assert_array_equal(documents["a"], [60, 20])
    np.testing.assert_array_equal(documents["b"], [40, 90])


def test_lengths_weigh_segments(table):
    judgments = read_judgments(table(SMALL))
    lengths = np.array([1.0, 3, 6])
    assert judgments.system_scores("DA", lengths=lengths)["a"] == pytest.approx((70 + 3 * 50 + 6 * 20) / 10)
    assert judgments.document_scores("DA", lengths=lengths)["a"] == pytest.approx([(70 + 150) / 4, 20])
    # What was not judged has no weight.
    assert judgments.system_scores("DA", lengths=lengths)["b"] == pytest.approx((40 + 6 * 90) / 7)


def test_documents_may_come_from_the_test_set(table):
    judgments = read_judgments(table(SMALL))
    found = judgments.document_scores("DA", documents=["q", "p", "p"])
    assert judgments.document_order(["q", "p", "p"]) == ("q", "p")
    np.testing.assert_array_equal(found["a"], [70, 35])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("j.csv", SMALL.replace("\t", ",")),
        ("j.tsv", SMALL.replace("\n", "\r\n")),
        ("j.tsv", "\ufeff" + SMALL),
        ("j.tsv", SMALL.replace("document\tsegment\trater", "doc\tseg\tannotator")),
        ("j.tsv", SMALL.rstrip("\n") + "\n\n\n"),
        (
            "j.jsonl",
            "".join(json.dumps(record) + "\n" for record in csv.DictReader(SMALL.splitlines(), delimiter="\t")),
        ),
    ],
)
def test_every_kind_of_table_says_the_same(table, name, text):
    plain = read_judgments(table(SMALL, "plain.tsv"))
    assert list(read_judgments(table(text, name)).records()) == list(plain.records())


def test_parquet(table, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    plain = read_judgments(table(SMALL))
    path = tmp_path / "j.parquet"
    parquet.write_table(plain.to_arrow(), path)
    assert isinstance(plain.to_arrow(), pyarrow.Table)
    assert list(read_judgments(str(path)).records()) == list(plain.records())


def test_adequacy_and_fluency_in_columns_of_their_own(table):
    judgments = read_judgments(table("system\tsegment\trater\tadequacy\tfluency\na\t1\tr\t4\t5\na\t2\tr\t3\t\n"))
    assert judgments.kinds == ("adequacy", "fluency")
    assert judgments.system_scores("adequacy") == {"a": 3.5}
    assert judgments.system_scores("fluency") == {"a": 5.0}


def test_levels_stand_side_by_side(table):
    text = "system\tdoc\tsegment\tscore\na\t\t\t1.5\nb\t\t\t2\na\tx\t\t7\na\tx\t1\t4\nb\tx\t1\t5\n"
    judgments = read_judgments(table(text))
    assert judgments.levels("score") == ("segment", "document", "system")
    assert judgments.system_scores("score") == {"a": 1.5, "b": 2.0}
    np.testing.assert_array_equal(judgments.document_scores("score")["a"], [7])
    np.testing.assert_array_equal(judgments.document_scores("score")["b"], [math.nan])
    np.testing.assert_array_equal(judgments.segment_scores("score")["a"], [4])


def test_missing_scores_are_counted(table):
    warnings = Warnings()
    judgments = read_judgments(table(SMALL + "b\ty\t4\tada\tDA\tNone\nb\ty\t5\tada\tDA\tnan\n"), warn=warnings)
    assert len(judgments) == 6
    assert "2 of 8 rows have no score (first on line 8)" in warnings[0]


def test_repeated_judgments_are_counted_and_averaged_within_the_rater(table):
    warnings = Warnings()
    judgments = read_judgments(table(SMALL + "a\tx\t1\tada\tDA\t100\na\tx\t1\tben\tDA\t60\n"), warn=warnings)
    assert (
        "2 of 8 judgments repeat an earlier one of the same system, item, kind and rater (1 with the same"
        in warnings[0]
    )
    assert judgments.segment_scores("DA")["a"][0] == mean([90, 60])  # not the mean of all four


def test_unused_columns_are_named(table):
    warnings = Warnings()
    read_judgments(table("system\tratter\tscore\na\tr\t1\n"), warn=warnings)
    assert "the columns ratter were not used" in warnings[0]


def test_mqm_that_looks_like_errors_is_pointed_out(table):
    warnings = Warnings()
    text = "system\tsegment\tkind\tscore\na\t1\tmqm\t5\nb\t1\tmqm\t0\n"
    read_judgments(table(text), warn=warnings)
    assert "look like counted errors" in warnings[0]
    judgments = read_judgments(table(text), lower_is_better=["mqm"], warn=pytest.fail)
    assert judgments.oriented().system_scores("mqm") == {"a": -5.0, "b": 0.0}
    assert not math.copysign(1, judgments.oriented().system_scores("mqm")["b"]) < 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("system\tscore\n", "holds no judgment below its header"),
        ("system\tscore\na\tNone\n", "holds no judgment with a score"),
        ("name\tvalue\na\t1\n", "has the columns name, value, but system and score are missing"),
        ("system\tscore\na\tgood\n", "line 2: the score is 'good', but a number was expected"),
        ("system\tscore\na\tinf\n", "line 2: the score is 'inf', but a finite number"),
        (
            "system\tsegment\tscore\na\t0\t1\n",
            "line 2: the segment is 0, but segments are numbered from 1. If the file",
        ),
        ("system\tsegment\tscore\na\t-3\t1\n", "line 2: the segment is -3"),
        ("system\tsegment\tscore\na\t1.5\t1\n", "line 2: the segment is '1.5', but a whole number was expected"),
        ("system\tsegment\tscore\na\tx\t1\na\t2\t1\n", "line 2: the segment is 'x', but a whole number was"),
        ("system\tscore\na\t1\t2\n", "line 2 has 3 columns, but its header has 2"),
        ("system\tscore\na\n", "line 2 has 1 columns, but its header has 2"),
        ("system\tscore\n\t1\n", "line 2: the system is empty"),
        ("system\tscore\tscore\na\t1\t2\n", "has 2 columns called 'score'"),
        ("system\tscore\tn\na\t1\t0\n", "line 2: the n is 0, but at least 1 is expected"),
        (b"system\tscore\n\xff\t1\n", "line 2, byte 1 (0xFF) is not UTF-8"),
        (b"\xff\xfes\x00y\x00", "NUL|UTF-16"),
    ],
)
def test_what_is_refused(table, text, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(").replace(")", r"\)")):
        read_judgments(table(text))


def test_json_that_is_refused(table):
    with pytest.raises(InputError, match="line 2 is no JSON"):
        read_judgments(table('{"system": "a", "score": 1}\n{"system"\n', "j.jsonl"))
    with pytest.raises(InputError, match="an object was expected"):
        read_judgments(table("[1]\n", "j.jsonl"))
    with pytest.raises(InputError, match="cannot be read"):
        read_judgments("missing.tsv")


def test_segments_from_zero(table):
    judgments = read_judgments(table("system\tsegment\tscore\na\t0\t1\na\t1\t2\na\t\t3\n"), first_segment=0)
    assert judgments.segment.tolist() == [1, 2, 0]


def test_numbers_that_start_anew_in_each_document(table):
    text = "system\tdoc\tsegment\tscore\na\ty\t1\t5\na\tx\t2\t6\na\tx\t1\t7\n"
    judgments = read_judgments(table(text), documents=["x", "x", "y"])
    assert judgments.segment.tolist() == [3, 2, 1]
    with pytest.raises(InputError, match="segment 2 of the document 'y', which has 1"):
        read_judgments(table(text.replace("y\t1", "y\t2")), documents=["x", "x", "y"])
    with pytest.raises(InputError, match="the document 'y', which is not among the ids"):
        read_judgments(table(text), documents=["x", "x", "x"])


def test_unknown_systems_and_segments(table):
    judgments = read_judgments(table(SMALL))
    judgments.check(["a", "b"], 3, ["x", "y"])
    with pytest.raises(InputError, match="2 judgments are about the system 'b', which was not given"):
        judgments.check(["a"], 3)
    with pytest.raises(
        InputError, match="2 of 6 judgments are about segments that are not there, such as a's segment 3"
    ):
        judgments.check(["a", "b"], 2)
    with pytest.raises(InputError, match="the document 'y'"):
        judgments.check(["a", "b"], 3, ["x"])
    with pytest.raises(InputError, match="not there"):
        judgments.segment_scores("DA", segments=2)
    warnings = Warnings()
    assert judgments.restricted(["a"], 3, warn=warnings).systems == ("a",)
    assert "2 of 6 judgments are about systems that were not given (b)" in warnings[0]
    with pytest.raises(UnknownNameError, match="No kind of judgment is called 'da'. Known: DA"):
        judgments.of_kind("da")


def test_columns_are_checked():
    with pytest.raises(InputError, match=r"score\[1\] is nan"):
        Judgments.of(system=["a", "b"], score=[1, math.nan])
    with pytest.raises(InputError, match="score has 1 rows, but system has 2"):
        Judgments.of(system=["a", "b"], score=[1])
    with pytest.raises(InputError, match="negative"):
        Judgments.of(system=["a"], score=[1], segment=[-1])
    with pytest.raises(InputError, match="fit in memory"):
        Judgments.of(system=["a"], score=[1], segment=[10**12]).segment_scores("score")
    with pytest.raises(InputError, match="name no documents"):
        Judgments.of(system=["a"], score=[1], segment=[1]).document_scores("score")


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.integers(1, 4), st.sampled_from(["r", "s", None]), st.sampled_from(["k", "l"]),
        st.integers(-5, 5), st.integers(1, 3),
    ),
    min_size=1, max_size=40,
)  # fmt: skip


@given(ROWS)
def test_segment_scores_by_the_textbook(rows):
    system, segment, rater, kind, score, count = zip(*rows, strict=True)
    judgments = Judgments.of(system=system, segment=segment, rater=rater, kind=kind, score=score, count=count)
    for name in judgments.kinds:
        by_rater = defaultdict(lambda: defaultdict(list))
        for s, i, r, k, x, n in rows:
            if k == name:
                by_rater[s, i][r] += [x] * n
        expected = {item: mean(mean(scores) for scores in raters.values()) for item, raters in by_rater.items()}
        found = judgments.segment_scores(name)
        assert {(s, i + 1): x for s, xs in found.items() for i, x in enumerate(xs) if x == x} == pytest.approx(expected)
        means = judgments.system_scores(name)
        for s in means:
            assert means[s] == pytest.approx(mean(x for (t, _), x in expected.items() if t == s))


@given(ROWS)
def test_tidy_files_come_back(tmp_path_factory, rows):
    from tertium.cli.output.writing import records_as

    system, segment, rater, kind, score, count = zip(*rows, strict=True)
    judgments = Judgments.of(
        system=system, segment=segment, rater=rater, kind=kind, score=score, count=count, lower_is_better={kind[0]}
    )
    for style in ("tsv", "csv", "jsonl"):
        path = tmp_path_factory.mktemp("tidy") / f"j.{style}"
        path.write_text("".join(records_as(style, judgments.records(), head={}, key="j", columns=judgments.fields())))
        again = read_judgments(str(path))
        assert list(again.records()) == list(judgments.records())
        assert again.lower_is_better == judgments.lower_is_better


def test_scores_imply_pairs():
    judgments = Judgments.of(system=list("aabbc"), segment=[1, 2, 1, 2, 1], score=[90, 50, 60, 50, 70])
    pairs = judgments.score_pairs("score")
    assert [(pairs.system[f], pairs.system[s], n, o) for f, s, n, o in zip(pairs.first, pairs.second, pairs.segment, pairs.outcome, strict=True)] == [
        ("a", "b", 1, 1), ("a", "b", 2, 0), ("a", "c", 1, 1), ("b", "c", 1, -1)]  # fmt: skip
    assert len(judgments.score_pairs("score", minimum=25)) == 1
    assert pairs.counts()["b"] == {"wins": 0, "losses": 2, "ties": 1}
    np.testing.assert_array_equal(
        pairs.differences({"a": np.array([5.0, 1]), "b": np.array([2.0, 4]), "c": np.array([math.nan])}),
        [3, -3, math.nan, math.nan],
    )


def test_preferences_are_restricted():
    pairs = Preferences.of(["a", "a"], ["b", "c"], [1, 2], [1, -1])
    warnings = Warnings()
    assert len(pairs.restricted(["a", "b"], 5, warn=warnings)) == 1
    assert "1 preferences are about systems that were not given (c)" in warnings[0]
    with pytest.raises(InputError, match="segment 2, but there are only 1"):
        pairs.restricted(["a", "b", "c"], 1)


@needs_oracle
@pytest.mark.parametrize(("name", "kinds"), [("wmt21.en-de", ["MQM"]), ("wmt22.ja-en", ["DA-raw", "DA-z"])])
def test_system_scores_are_those_of_the_campaign(name, kinds):
    folder = f"{ORACLE}/data/{name}"
    segments = read_judgments(f"{folder}/human.seg.tsv")
    systems = read_judgments(f"{folder}/human.sys.tsv")
    for kind in kinds:
        expected = systems.system_scores(kind)
        for system, score in segments.system_scores(kind).items():
            assert score == pytest.approx(expected[system], abs=1e-6)


@needs_oracle
@pytest.mark.parametrize(("name", "kind"), [("wmt21.en-de", "MQM"), ("wmt22.ja-en", "DA-z")])
def test_segment_scores_are_those_that_other_programs_were_given(name, kind):
    found = read_judgments(f"{ORACLE}/data/{name}/human.seg.tsv").segment_scores(kind)
    with open(f"{ORACLE}/expected/{name}.meta.scores.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == sum(np.isfinite(scores).sum() for scores in found.values())
    for row in rows:
        assert found[row["system"]][int(row["segment"]) - 1] == pytest.approx(float(row[f"human_{kind}"]), abs=1e-9)

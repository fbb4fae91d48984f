"""Files of campaigns: WMT's assessments and rankings, MQM errors, Appraise, METEOR's and TERp's pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, TertiumError, UnknownNameError
from tertium.judgments import FORMS, MQMWeights, form_of, read_judgments
from tertium.judgments.naming import without_submission_numbers


@pytest.fixture
def file(tmp_path):
    def write(text, name):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def rows(judgments):
    return [(r["system"], r["document"], r["segment"], r["rater"], r["kind"], r["score"]) for r in judgments.records()]


def pairs(found):
    return [(p["first"], p["second"], p["segment"], p["outcome"]) for p in found.preferences.records()]


def test_segment_scores_of_direct_assessment(file):
    path = file("SYS SID RAW.SCR Z.SCR N \nMill.6 3 28 -0.5 2 \nMill.6 1 90 1.25 1 \nRiver.2 3 70 0.1 3 \n", "seg.csv")
    assert form_of(path).name == "da"
    judgments = read_judgments(path)
    assert judgments.kinds == ("DA-raw", "DA-z")
    assert judgments.count.tolist() == [2, 1, 3, 2, 1, 3]
    np.testing.assert_array_equal(judgments.segment_scores("DA-z")["Mill.6"], [1.25, np.nan, -0.5])
    assert without_submission_numbers(judgments).systems == ("Mill", "River")


SINGLE = """HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time
H1\tM1\tlv\ten\tad\t13\tMill.0\t1001\tSYSTEM\t7\t0.5\t15.0
H1\tM1\tlv\ten\tad\t13\tMill.0\t1002\tREPEAT\t7\t1.5\t15.0
H1\tM1\tlv\ten\tad\t13\tMill.0\t1003\tBAD_REF\t7\t-2\t15.0
H1\tM1\tlv\ten\tad\t13\tMill.0\t1004\tREF\t7\t2\t15.0
H1\tM2\tlv\ten\tad\t13\tRiver.1\t1005\tSYSTEM\t2\t-0.25\t15.0
"""


def test_single_assessments(file):
    warnings = []
    path = file(SINGLE, "ad-lven-good-stnd.csv")
    found = read_judgments(path, warn=warnings.append)
    assert rows(found) == [
        ("Mill.0", None, 7, "M1", "DA-z", 0.5),
        ("Mill.0", None, 7, "M1", "DA-z", 1.5),
        ("River.1", None, 2, "M2", "DA-z", -0.25),
    ]
    assert found.segment_scores("DA-z")["Mill.0"][6] == 1
    assert rows(found.marked_as("degraded")) == [("Mill.0", None, 7, "M1", "DA-z", -2)]
    assert rows(found.marked_as("reference")) == [("Mill.0", None, 7, "M1", "DA-z", 2)]
    assert "2 judgments do not count and were set apart: 1 degraded, 1 reference" in warnings[0]


def test_assessments_without_any_output_are_refused(file):
    text = "\n".join(SINGLE.splitlines()[:1] + SINGLE.splitlines()[3:5])
    with pytest.raises(InputError, match="holds no judgment of a system's output, only BAD_REF, REF"):
        read_judgments(file(text, "a.csv"))


MQM = """system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity
Mill\tstory\t1\t1\tr1\t"quoted\tein <v>Haus</v>\tAccuracy/Mistranslation\tMajor
Mill\tstory\t1\t1\tr1\tsrc\tein Haus<v>,</v>\tFluency/Punctuation\tMinor
Mill\tstory\t1\t1\tr2\tsrc\tein Haus\tNo-error\tno-error
Mill\tstory\t1\t2\tr1\tsrc\tx\tNon-translation!\tMajor
River\tstory\t1\t1\tr1\tsrc\tein Haus\tStyle/Awkward\tNeutral
River\tstory\t1\t2\tr2\tsrc\tein Haus\tStyle/Awkward\tMinor
"""


def test_errors_are_weighed_and_added_up(file):
    path = file(MQM, "mqm.tsv")
    assert form_of(path).name == "mqm"
    judgments = read_judgments(path)
    assert rows(judgments) == [
        ("Mill", "story", 1, "r1", "mqm", pytest.approx(-5.1)),
        ("Mill", "story", 1, "r2", "mqm", 0),
        ("Mill", "story", 2, "r1", "mqm", -25),
        ("River", "story", 1, "r1", "mqm", 0),
        ("River", "story", 2, "r2", "mqm", -1),
    ]
    assert judgments.system_scores("mqm") == pytest.approx({"Mill": (-2.55 - 25) / 2, "River": -0.5})
    assert not judgments.lower_is_better


def test_weights_can_be_set(file):
    weights = MQMWeights.parsed("major:10 major/accuracy:7 */fluency:0 critical:20")
    judgments = read_judgments(file(MQM, "mqm.tsv"), weights=weights)
    # The longest fit counts: punctuation keeps its own weight.
    assert judgments.score.tolist() == pytest.approx([-7.1, 0, -25, 0, -1])
    with pytest.raises(InputError, match="MQM weights are written severity"):
        MQMWeights.parsed("major=5")


def test_averages_of_errors(file):
    judgments = read_judgments(
        file("system mqm_avg_score seg_id\nMill 5.1 1\nMill None 2\nRiver 0.0 1\n", "avg_seg_scores.tsv")
    )
    assert rows(judgments) == [
        ("Mill", None, 1, None, "mqm_avg_score", 5.1),
        ("River", None, 1, None, "mqm_avg_score", 0),
    ]
    assert judgments.lower_is_better == {"mqm_avg_score"}
    negated = read_judgments(file("system mqm_avg_score seg_id\nMill\t-5.1 1\nRiver\t-0.0 1\n", "negated.tsv"))
    assert negated.lower_is_better == frozenset()
    with pytest.raises(InputError, match="below 0 in some rows"):
        read_judgments(file("system mqm_avg_score seg_id\nMill -5.1 1\nRiver 1 1\n", "mixed.tsv"))


def test_a_severity_without_weight_is_named(file):
    path = file(MQM.replace("Neutral", "Tiny"), "mqm.tsv")
    with pytest.raises(InputError, match="line 6: an error has the severity 'tiny', which has no weight"):
        read_judgments(path)
    assert read_judgments(path, weights=MQMWeights.parsed("tiny:0.5")).score[3] == -0.5


def test_segments_of_mqm_must_be_numbered_through(file):
    text = MQM + "River\tpoem\t2\t1\tr2\tsrc\tein Haus\tStyle/Awkward\tMinor\n"
    with pytest.raises(InputError, match="segment 1 is in several documents"):
        read_judgments(file(text, "mqm.tsv"))
    judgments = read_judgments(file(text, "mqm.tsv"), documents=["story", "story", "poem"])
    assert judgments.segment_scores("mqm")["River"].tolist() == [0, -1, -1]


def test_marot_has_no_header(file):
    text = "\n".join(MQM.splitlines()[1:]) + "\n"
    judgments = read_judgments(file(text, "marot.tsv"), form="mqm")
    assert len(judgments) == 5


RANKING = """srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,system3Number,system3Id,system1rank,system2rank,system3rank
German,English,7,d,1,ada,1,Mill,2,River,3,Wood,1,3,3
German,English,8,d,2,ben,2,River,1,Mill,3,Wood,2,1,-1
"""


def test_rankings_become_pairs(file):
    path = file(RANKING, "wmt.csv")
    assert form_of(path).name == "ranking"
    warnings = []
    judgments = read_judgments(path, warn=warnings.append)
    assert sorted(pairs(judgments)) == [
        ("Mill", "River", 7, "better"),
        ("Mill", "Wood", 7, "better"),
        ("River", "Mill", 8, "worse"),
        ("River", "Wood", 7, "tie"),
    ]
    assert "2 pairs have no rank on one side" in warnings[0]
    assert len(judgments) == 0


def test_language_pairs_of_rankings_are_not_mixed(file):
    path = file(RANKING + "Czech,English,7,d,1,ada,1,Mill,2,River,3,Wood,1,3,3\n", "wmt.csv")
    with pytest.raises(InputError, match="judgments of 2 language pairs: German-English, Czech-English. Say which"):
        read_judgments(path)
    assert len(read_judgments(path, language_pair="Czech-English").preferences) == 3
    with pytest.raises(InputError, match="no judgments of Hausa-English"):
        read_judgments(path, language_pair="Hausa-English")


def test_meteor_ranks(file):
    path = file("12\tcs-en\tsys1\tcs-en\tsys2\n12\tcs-en\tsys3\tcs-en\tsys1\n", "cs-en.rank")
    assert pairs(read_judgments(path)) == [("sys1", "sys2", 12, "better"), ("sys3", "sys1", 12, "better")]
    with pytest.raises(InputError, match="mixes language pairs"):
        read_judgments(file("12\tcs-en\ta\tde-en\tb\n", "x.rank"))
    with pytest.raises(InputError, match="two different systems"):
        read_judgments(file("12\tcs-en\ta\tcs-en\ta\n", "x.rank"))


def test_terp_pairs(file):
    path = file("set\tstory\t1\tMill\tRiver\nset\tpoem\t2\tRiver\tMill\n", "pairs.txt")
    assert form_of(path).name == "terp"
    assert pairs(read_judgments(path)) == [("Mill", "River", 1, "better"), ("River", "Mill", 2, "better")]
    numbered = read_judgments(path, documents=["story", "poem", "poem"])
    assert numbered.preferences.segment.tolist() == [1, 3]
    with pytest.raises(InputError, match="segment 1 is in several documents"):
        read_judgments(file("s\tstory\t1\ta\tb\ns\tpoem\t1\ta\tb\n", "pairs.txt"))


def test_tidy_pairs(file):
    path = file("first\tsecond\tsegment\trater\toutcome\na\tb\t4\tada\tworse\na\tc\t4\tada\ttie\n", "p.tsv")
    assert form_of(path).name == "pairs"
    assert pairs(read_judgments(path)) == [("a", "b", 4, "worse"), ("a", "c", 4, "tie")]
    with pytest.raises(InputError, match="line 2: the outcome is 'good'"):
        read_judgments(file("first\tsecond\tsegment\toutcome\na\tb\t4\tgood\n", "p.tsv"))
    with pytest.raises(InputError, match="'a' is compared with itself"):
        read_judgments(file("first\tsecond\tsegment\toutcome\na\ta\t4\ttie\n", "p.tsv"))


def test_an_unknown_form_is_named(file):
    with pytest.raises(UnknownNameError, match="No form of judgments is called 'apraise'. Did you mean 'appraise'"):
        read_judgments(file("x\n", "x.tsv"), form="apraise")


SNIPPETS = st.sampled_from(
    ["system", "score", "segment", "SYS SID RAW.SCR Z.SCR N", "first", "second", "outcome", "category", "severity", "doc",
     "rater", "seg_id", "srcIndex", "system1Id", "system2Id", "system1rank", "system2rank", "a", "b", "1", "2", "-1", "0.5",
     "nan", "inf", "None", "better", "Major", "x,1,2,TGT,e,d,5,1,2", "\t", "\t", "\t", ",", "\n", "\n", "\n", "\r\n", '"', " ",
     "\u2028", "\ufeff", "1e999", "99999999999999999999"]
)  # fmt: skip


@given(
    st.lists(SNIPPETS, max_size=60).map("".join),
    st.sampled_from([None, *(form.name for form in FORMS)]),
    st.sampled_from(["j.tsv", "j.csv", "j.jsonl", "j.rank"]),
)
def test_whatever_a_file_holds_there_is_a_table_or_a_message(tmp_path_factory, text, form, name):
    path = tmp_path_factory.mktemp("hostile") / name
    path.write_text(text, encoding="utf-8", newline="")
    try:
        judgments = read_judgments(str(path), form=form)
    except TertiumError as error:
        assert len(str(error)) > 10
    else:
        assert len(judgments) + len(judgments.preferences) > 0
        assert np.isfinite(judgments.score).all()


ERRORS = "system\tdoc\tseg\trater\tcategory\tseverity\tspan\n"
RANKED = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "mqm.tsv",
            ERRORS + 2 * "Mill\td\t1\tr\tstyle\tMajor\tbank\n",
            "1 of 2 rows are copies of earlier ones (first",
        ),
        ("seg.csv", "SYS SID RAW.SCR N\n" + 2 * "Mill 1 28 2\n", "1 of 2 judgments repeat an earlier one"),
        ("single.csv", SINGLE + SINGLE.splitlines()[1] + "\n", "1 of 4 judgments repeat an earlier one"),
        (
            "export.csv",
            2 * "ann1,Mill,4,TGT,eng,deu,81,1.5,2.5\n",
            "1 judgments do not count and were set apart: 1 replaced",
        ),
        ("ranks.csv", RANKED + 2 * "en,de,1,j,Mill,River,1,2\n", "1 of 2 pairs repeat an earlier one"),
        ("a.rank", "1\txx\tMill\txx\tRiver\n1\txx\tRiver\txx\tMill\n", "in a file that names no raters"),
        ("terp.tsv", 2 * "set\td\t1\tMill\tRiver\n", "1 of 2 pairs repeat an earlier one"),
    ],
)
def test_rows_that_come_twice_are_counted(file, name, text, message):
    warnings = []
    read_judgments(file(text, name), warn=warnings.append)
    assert any(message in warning for warning in warnings), warnings


@pytest.mark.parametrize("text", ['[\n{"task": {"batchNo": 1}, "items": []}\n]\n', '[{"task": 1}]\n', "{\n}\n"])
def test_json_of_another_kind_is_refused(file, text):
    with pytest.raises(InputError, match="is JSON, but of no layout of judgments"):
        read_judgments(file(text, "batches.json"))

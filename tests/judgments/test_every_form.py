"""The contract that each layout of judgments keeps."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, TertiumError
from tertium.judgments import FORMS, Form, Glimpse, Reading, form_of, read_judgments

# For each layout: a file's name, a sample, and the same with a line that is wrong, whose number is given.
SAMPLES = {
    "tidy": (
        "judgments.tsv",
        "system\tsegment\trater\tkind\tscore\nMill\t1\tada\tDA\t80\nRiver\t1\tada\tDA\t70\n",
        ("\t70\n", "\tgood\n", 3),
    ),
    "da": (
        "ad-seg-scores-ja-en.csv",
        "SYS SID RAW.SCR Z.SCR N\nMill.6 3 28 -0.5 2\nMill.6 1 90 1.25 1\n",
        (" 90 ", " ninety ", 3),
    ),
    "systems": (
        "ad-sys-scores-ja-en.csv",
        "RAW.SCR Z.SCR N SYS N.ALL\n66.7 0.069 1652 Mill.6 2029\n62.5 -0.056 1655 River.2 2009\n",
        ("-0.056", "minus", 3),
    ),
    "mqm": (
        "mqm.tsv",
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "Mill\tstory\t1\t1\tr1\thouse\tein <v>Maus</v>\tAccuracy/Mistranslation\tMajor\n"
        "Mill\tstory\t1\t2\tr1\thouse\tein Haus\tNo-error\tNo-error\n",
        ("\tMajor\n", "\tHuge\n", 2),
    ),
    "appraise": (
        "export.csv",
        "ada,Mill,4,TGT,eng,deu,81,1.5,2.5\nada,River,5,TGT,eng,deu,60,3.5,4.5\n",
        (",60,", ",sixty,", 2),
    ),
    "pearmut": (
        "campaign.jsonl",
        '{"user_id": "ada", "item_i": 0, "item": [{"item_id": "a", "src": "s", "tgt": {"Mill": "x", "River": "yz"}}], '
        '"annotation": [{"Mill": {"score": 70, "error_spans": []}, "River": {"score": 20, "error_spans": '
        '[{"start_i": 0, "end_i": 1, "severity": "major", "category": null}]}}]}\n'
        '{"user_id": "bo", "item_i": 1, "item": [], "annotation": []}\n',
        ('"annotation": []}', '"annotation": 7}', 2),
    ),
    "wmt-json": (
        "wmt24-genmt-humeval.jsonl",
        '{"doc_id": "en-cs_#_news_#_a_#_1", "src_text": "s", "tgt_text": {"Mill": "x"}, "scores": '
        '{"Mill": [{"score": 70, "annotator": "ada", "errors": [], "times": [1.5, 2.5]}]}}\n'
        '{"doc_id": "en-cs_#_news_#_a_#_2", "src_text": "s", "tgt_text": {"Mill": "x"}, "scores": '
        '{"Mill": {"human1": 60, "annotator1": "ada", "errors1": []}}}\n',
        ('"human1": 60', '"human1": "sixty"', 2),
    ),
    "pet": (
        "ada.per",
        '<job id="j">\n<unit id="a"><MT producer="Mill">a b c</MT><annotations><annotation r="1">'
        '<PE producer="ada">a b d</PE></annotation></annotations></unit>\n<unit id="b"><MT producer="Mill">a</MT>'
        '<annotations><annotation r="1"><PE producer="ada">a</PE></annotation></annotations></unit>\n</job>\n',
        ("</unit>\n</job>", "</unit>\n</jab>", 4),
    ),
    "mtme": (
        "en-de.mqm.seg.score",
        "Mill\t-1.5\nMill\tNone\nRiver\t-2\nRiver\tNone\n",
        ("River\tNone", "River", 4),
    ),
    "ranking": (
        "rankings.csv",
        "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n"
        "German,English,7,ada,Mill,River,1,3\nGerman,English,8,ada,Mill,River,2,1\n",
        (",8,", ",eight,", 3),
    ),
    "pairs": (
        "pairs.tsv",
        "first\tsecond\tsegment\trater\toutcome\nMill\tRiver\t4\tada\tworse\nMill\tWood\t4\tada\ttie\n",
        ("\tworse\n", "\tbad\n", 2),
    ),
    "meteor-rank": (
        "cs-en.txt",
        "12\tcs-en\tsys1\tcs-en\tsys2\n12\tcs-en\tsys3\tcs-en\tsys1\n",
        ("12\tcs-en\tsys3", "x\tcs-en\tsys3", 2),
    ),
    "terp": (
        "pairs.txt",
        "set\tstory\t1\tMill\tRiver\nset\tpoem\t2\tRiver\tMill\n",
        ("\t2\t", "\ttwo\t", 2),
    ),
}


TEXTS = [form for form in FORMS if form.name != "study"]  # which is no text; tests/annotate has its samples


@pytest.fixture(params=TEXTS, ids=lambda form: form.name)
def form(request) -> Form:
    return request.param


@pytest.fixture
def sample(form, tmp_path):
    name, text, _ = SAMPLES[form.name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_each_has_a_sample_here():
    assert sorted(SAMPLES) == sorted(form.name for form in TEXTS)


def test_it_says_what_it_holds(form):
    assert 20 < len(form.holds) < 110


def test_its_sample_is_recognised_by_it_alone(form, sample):
    assert [other.name for other in FORMS if other.recognises(Glimpse(str(sample)))] == [form.name]
    assert form_of(str(sample)) is form


def test_it_reads_its_sample(form, sample):
    judgments = form.read(str(sample), Reading())
    assert len(judgments) + len(judgments.preferences) == 2 * max(len(judgments.kinds), 1)
    assert np.isfinite(judgments.score).all()
    again = read_judgments(str(sample))
    assert list(again.records()) == list(judgments.records())
    assert list(again.preferences.records()) == list(judgments.preferences.records())


@pytest.mark.parametrize("change", ["\ufeff", "\r\n"])
def test_marks_of_other_machines_change_nothing(form, sample, change):
    expected = read_judgments(str(sample)).to_dict()
    text = sample.read_text(encoding="utf-8")
    text = change + text if change == "\ufeff" else text.replace("\n", change)
    sample.write_text(text, encoding="utf-8", newline="")
    assert read_judgments(str(sample)).to_dict() == expected


def test_what_is_wrong_is_refused_with_file_and_line(form, sample):
    _, text, (right, wrong, line) = SAMPLES[form.name]
    assert right in text
    sample.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        form.read(str(sample), Reading())
    assert f"{sample}, line {line}" in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00", b"\x00\x00", b"{}\n", b"[]", b"system\tscore\n"])
def test_what_holds_nothing_is_refused(form, tmp_path, content):
    path = tmp_path / SAMPLES[form.name][0]
    path.write_bytes(content)
    with pytest.raises(TertiumError) as refused:
        form.read(str(path), Reading())
    assert path.name in str(refused.value)


PEARMUT, WMT = (json.loads(SAMPLES[name][1].splitlines()[0]) for name in ("pearmut", "wmt-json"))
TIDY = {
    "system": "Mill",
    "segment": 1,
    "score": 5,
    "started": 1.5,
    "length": 9,
    "mark": "",
    "spans": [{"start": 1, "end": 2}],
}
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2**70), st.floats(), st.just([]), st.just({}), st.just([None]), st.just([{}]),
    st.sampled_from(["", "x", "🙂", "missing", "__RESET__", "en-cs_#_news_#_a_#_1", "welcome_1", "inf", "1e999"]),
)  # fmt: skip


def places(value, path=()):
    """Return the way to everything inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for key, one in inside for way in places(one, (*path, key)))]


def replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


@given(st.sampled_from([("pearmut", PEARMUT), ("wmt-json", WMT), ("tidy", TIDY)]), st.data())
def test_whatever_json_says_there_is_a_table_or_a_message(tmp_path_factory, sample, data):
    name, record = sample
    for _ in range(data.draw(st.integers(1, 2))):
        record = replaced(record, data.draw(st.sampled_from(places(record))), data.draw(ODD))
    path = tmp_path_factory.mktemp("hostile") / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (sample[1], record)), encoding="utf-8")
    try:
        judgments = read_judgments(str(path), form=name)
    except TertiumError as error:
        assert len(str(error)) > 10
    else:
        assert np.isfinite(judgments.score).all()
        assert list(judgments.records(marked=True))

"""How late words come: values to redo by hand, OmniSTEval's examples, and logs that cannot be meant."""

import json
import os
from pathlib import Path

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.latency import latency
from tertium.latency.logs import Instance, read_log
from tertium.resegmentation.recordings import Recorded, read_segments

ORACLE = Path(os.environ.get("TERTIUM_ORACLE", "absent")) / "resegmentation" / "omnisteval"
with_oracle = pytest.mark.skipif(not ORACLE.is_dir(), reason="TERTIUM_ORACLE has no resegmentation")

# Two words of a source of 1,000 ms: one after 500 ms, one at the end; the reference has two words, 500 ms each.
ONE = Instance("a", ("x", "y"), (500.0, 1000.0), (600.0, 1300.0), 1000.0)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("al", (500 + 1000 - 500) / 2),
        ("laal", (500 + 1000 - 500) / 2),
        ("ap", 1500 / (1000 * 2)),
        ("dal", (500 + 1000 - 500) / 2),
        ("yaal", 500),  # the second word came when all was heard
        ("al-ca", (600 + 1300 - 500) / 2),
        ("swf", 50),
        ("efsw", 50),
        ("dsptv", 0),
    ],
)
def test_worked_example(measure, value):
    assert latency({"s": [ONE]}, ["u v"], None, [measure]).corpus["s"][measure] == pytest.approx(value)


def test_segments_without_a_value_do_not_count():
    late = Instance("b", ("x",), (1000.0,), None, 1000.0)
    empty = Instance("c", (), (), None, 1000.0)
    scores = latency({"s": [ONE, late, empty]}, ["u v", "w", "z"], None, ["yaal", "al"])
    assert scores.corpus["s"] == pytest.approx({"yaal": 500, "al": (500 + 1000) / 2})


def test_values_that_nobody_has_are_told():
    late = Instance("b", ("x",), (1000.0,), None, 1000.0)
    told = []
    latency({"s": [late]}, ["w"], None, ["yaal", "al"], warn=told.append)
    assert told == ["s: no segment has a value of yaal, since no words came in time; 0 stands for none."]


def test_words_are_cut_with_their_times():
    log = [Instance("t.wav", ("a", "b", "c", "d"), (1000.0, 1500.0, 3000.0, 3500.0), None, 4000.0)]
    segments = [Recorded("t.wav", 0.0, 2000.0), Recorded("t.wav", 2000.0, 2000.0)]
    scores = latency({"s": log}, ["a b", "c d"], segments, ["longal"])
    assert scores.segments["s"]["longal"].tolist() == [(1000 + 500) / 2, (1000 + 500) / 2]
    assert scores.resegmented == "soft/13a"


def _figures(example):
    lines = (ORACLE / example / "segmentation_output" / "scores.tsv").read_text().splitlines()[1:]
    for line in lines:
        name, value = line.split("\t")
        if name.startswith("Long"):
            yield name.replace(" (CU)", "").replace(" (CA)", "-ca").lower(), value


@pytest.mark.slow
@with_oracle
@pytest.mark.parametrize(
    ("example", "log"),
    [("speech_resegmentation_example", "instances.log"), ("simulstream_example", "simulstream_log.jsonl")],
)
def test_omnistevals_examples(example, log):
    folder = ORACLE / example
    expected = dict(_figures(example))
    references = (folder / "references.txt").read_text(encoding="utf-8").split("\n")[:-1]
    found = latency(
        {"s": read_log(str(folder / log))}, references, read_segments(str(folder / "ref_segments.yaml")), list(expected),
        method="omnisteval", language="de",
    )  # fmt: skip
    assert {name: f"{value:.4f}" for name, value in found.corpus["s"].items()} == expected


RECORD = {"prediction": "a b", "delays": [1, 2], "elapsed": [1, 2], "source": "x/t.wav", "source_length": 10}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"prediction": None}, "line 1 has no prediction"),
        ({"delays": [1]}, "2 words, but there are 1 delays"),
        ({"delays": None}, "has no delays"),
        ({"delays": [1, float("nan")]}, "list of numbers"),
        ({"source_length": -1}, "source_length is -1"),
        ({"source_length": True}, "source_length is True"),
        ({"source_length": 10**400}, "source_length is 1000"),
        ({"delays": [1, -2]}, "list of numbers"),
        ({"delays": [True, 2]}, "list of numbers"),
        ({"elapsed": [1, 10**400]}, "list of numbers"),
    ],
)
def test_logs_that_cannot_be_meant_are_refused(tmp_path, change, says):
    path = tmp_path / "log"
    path.write_text(json.dumps(RECORD | change) + "\n")
    with pytest.raises(InputError, match=says):
        read_log(str(path))


STEP = {"id": 0, "total_audio_processed": 1, "computation_time": 0.5, "generated_tokens": ["▁a"], "deleted_tokens": []}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": [0]}, r"line 2: id is \[0\]"),
        ({"metadata": "t.wav"}, "line 2: metadata is 't.wav'"),
        ({"total_audio_processed": float("nan")}, "line 2: total_audio_processed is nan, but seconds"),
        ({"computation_time": 10**400}, "line 2: computation_time is 1000"),
        ({"generated_tokens": "▁abc"}, "line 2: generated_tokens is ▁abc, but a list of tokens"),
        ({"deleted_tokens": ["x", "y"]}, "line 2 takes back 2 tokens, but only 1 had been shown"),
    ],
)
def test_steps_that_cannot_be_meant_are_refused(tmp_path, change, says):
    path = tmp_path / "log"
    path.write_text(json.dumps(STEP) + "\n" + json.dumps(STEP | change) + "\n")
    with pytest.raises(InputError, match=says):
        read_log(str(path))


def test_recordings_are_found_whatever_their_folder():
    log = [Instance("t.wav", ("a", "b"), (1000.0, 1500.0), None, 4000.0)]
    scores = latency({"s": log}, ["a b"], [Recorded("talks/t.wav", 0.0, 2000.0)], ["longal"])
    assert scores.corpus["s"]["longal"] == (1000 + 500) / 2
    two = [Recorded("one/t.wav", 0.0, 2000.0), Recorded("two/t.wav", 0.0, 2000.0)]
    with pytest.raises(InputError, match="several folders"):
        latency({"s": log}, ["a", "b"], two, ["longal"])


def test_segments_that_last_no_time_are_refused():
    log = [Instance("t.wav", ("a", "b"), (1000.0, 1500.0), None, 4000.0)]
    with pytest.raises(InputError, match=r"Segment 1, of t.wav, lasts no time"):
        latency({"s": log}, ["a b"], [Recorded("t.wav", 0.0, 0.0)], ["longap"])


def test_signatures_say_how_each_measure_was_cut():
    log = [Instance("t.wav", ("a", "b"), (1000.0, 1500.0), None, 4000.0)]
    for names in (["longal", "streamlaal"], ["streamlaal-ca", "longal"], ["streamlaal"]):
        full = [Instance("t.wav", one.words, one.delays, one.delays, one.length) for one in log]
        found = latency({"s": full}, ["a b"], [Recorded("t.wav", 0.0, 2000.0)], names).signatures
        for name in names:
            how = "soft/13a" if name == "longal" else "mweralign/none"
            assert f"|resegment={how}|" in found[name]


def test_logs_that_are_none_are_refused(tmp_path):
    path = tmp_path / "log"
    for text, says in (("", "is empty"), ("hello\n", "line 1 is no JSON object"), ("[" * 100_000, "line 1 is no JSON object"), ('{"generated_tokens": []}\n{"id": 1, '
                       '"total_audio_processed": 1}', "line 2 lacks a field")):  # fmt: skip
        path.write_text(text)
        with pytest.raises(InputError, match=says):
            read_log(str(path))


def test_tokens_become_words_and_may_be_taken_back(tmp_path):
    path = tmp_path / "log"
    steps = [(1, ["▁Zu", "rück"], []), (2, ["▁in", "▁Ne"], []), (3, ["▁New"], ["▁Ne"]), (4, ["ark"], [])]
    rows = [{"id": 0, "metadata": {"wav_name": "x/t.wav"}}]
    rows += [
        {"id": 0, "total_audio_processed": s, "computation_time": 0.5, "generated_tokens": g, "deleted_tokens": d}
        for s, g, d in steps
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    (one,) = read_log(str(path))
    assert (one.recording, one.words, one.delays) == ("t.wav", ("Zurück", "in", "Newark"), (1000, 2000, 4000))
    assert one.elapsed == (1500, 2500, 4500)


def test_logs_that_name_no_recordings_are_refused():
    with pytest.raises(InputError, match="each line needs a source"):
        latency({"s": [Instance("", ("a",), (1.0,), None, 2.0)]}, ["a"], [Recorded("t.wav", 0.0, 1.0)])


def test_the_other_unit_is_named_where_times_do_not_fit(tmp_path):
    path = tmp_path / "log"
    path.write_text(json.dumps(RECORD | {"prediction": "ab cd"}) + "\n")
    with pytest.raises(InputError, match="4 characters, but there are 2 delays. If times are of words"):
        read_log(str(path), unit="char")


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(InputError, match="nothing to measure"):
        latency({}, ["a"])
    with pytest.raises(InputError, match="nothing to measure"):
        latency({"s": []}, [])
    with pytest.raises(InputError, match="unit is 'letter'"):
        latency({"s": [ONE]}, ["a"], unit="letter")
    with pytest.raises(UnknownNameError, match="longyaal"):
        latency({"s": [ONE]}, ["a"], None, ["longyal"])
    with pytest.raises(InputError, match="give the segments"):
        latency({"s": [ONE]}, ["a"], None, ["longyaal"])
    with pytest.raises(InputError, match="1 instances, but there are 2"):
        latency({"s": [ONE]}, ["a", "b"])
    with pytest.raises(InputError, match="no recording called 'z.wav'"):
        latency({"s": [ONE]}, ["a"], [Recorded("z.wav", 0.0, 1.0)])

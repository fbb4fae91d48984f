"""`tertium gate`: verdicts, every exit code, the baseline file, and what a build reads."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

GOOD = ["The bridge is closed.", "Snow fell on the pass.", "Nobody knows why.", "Ask at the station today."] * 10
BAD = ["A bridge closed.", "It snowed at a pass.", "Nobody know why.", "Please ask in the station."] * 10
REFERENCE = ["The bridge is closed.", "Snow fell on the pass.", "No one knows why.", "Ask at the station."] * 10
NEAR = [*GOOD[:39], "Ask in the station today."]
CALL = ("-r", "ref.txt", "-m", "chrf", "--baseline", "base.json")


@pytest.fixture
def example(tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    texts = {"good": GOOD, "bad": BAD, "near": NEAR, "ref": REFERENCE, "docs": [f"d{i // 4}" for i in range(40)]}
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


@pytest.fixture
def kept(tertium, example):
    """A baseline of the good system."""
    assert tertium("gate", "good.txt", *CALL, "--update").code == 0
    return example


def verdict(result):
    found = json.loads(result.out)
    assert found["exit"] == result.code
    return found["verdict"], result.code


def test_a_regression_is_3(tertium, kept):
    assert verdict(tertium("gate", "bad.txt", *CALL, "--format", "json")) == ("worse", 3)


def test_a_gain_is_0(tertium, example):
    tertium("gate", "bad.txt", *CALL, "--update")
    assert verdict(tertium("gate", "good.txt", *CALL, "--format", "json")) == ("better", 0)


def test_no_change_is_0(tertium, kept):
    assert verdict(tertium("gate", "good.txt", *CALL, "--format", "json")) == ("same", 0)
    assert verdict(tertium("gate", "good.txt", *CALL, "--format", "json", "--strict")) == ("same", 0)


def test_cannot_tell_is_0_and_3_if_strict(tertium, kept):
    assert verdict(tertium("gate", "near.txt", *CALL, "--format", "json")) == ("cannot tell", 0)
    assert verdict(tertium("gate", "near.txt", *CALL, "--format", "json", "--strict")) == ("cannot tell", 3)
    assert "this set shows differences of" in tertium("gate", "near.txt", *CALL).out


def test_an_error_rate_counts_the_other_way(tertium, example):
    call = ("-r", "ref.txt", "-m", "ter", "--baseline", "base.json")
    tertium("gate", "good.txt", *call, "--update")
    assert verdict(tertium("gate", "bad.txt", *call, "--format", "json")) == ("worse", 3)


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (("-r", "good.txt", "-m", "chrf"), "the text of references was sha256:"),
        (("-r", "ref.txt", "-m", "chrf:beta=3"), "chrf:beta=3: beta was 2 and is 3"),
        (("-r", "ref.txt", "-m", "bleu"), "the list of metrics was chrf and is bleu"),
        (("-r", "ref.txt", "-r", "bad.txt", "-m", "chrf"), "refs was 1 and is 2"),
    ],
)
def test_what_is_not_comparable_is_4(tertium, kept, words, changed):
    result = tertium("gate", "good.txt", *words, "--baseline", "base.json")
    assert result.code == 4
    assert changed in result.out
    found = json.loads(tertium("gate", "good.txt", *words, "--baseline", "base.json", "--format", "json").out)
    assert (found["verdict"], found["exit"], found["checks"]) == ("not comparable", 4, [])


def test_other_numbers_of_segments_and_versions_are_4(tertium, kept):
    for name in ("good", "ref"):
        (kept / f"{name}.txt").write_text("one\n" * 39)
    result = tertium("gate", "good.txt", *CALL)
    assert (result.code, "segments was 40 and is 39" in result.out) == (4, True)
    text = (kept / "base.json").read_text().replace("|tertium=", "|tertium=9.")
    (kept / "base.json").write_text(text)
    assert "tertium was 9.0.1.0" in tertium("gate", "good.txt", *CALL).out


def test_a_changed_source_is_4(tertium, example):
    (example / "src.txt").write_text("eins\n" * 40)
    call = (*CALL, "--source", "src.txt")
    tertium("gate", "good.txt", *call, "--update")
    assert tertium("gate", "good.txt", *call).code == 0
    assert "--source is missing" in tertium("gate", "good.txt", *CALL).err
    (example / "src.txt").write_text("zwei\n" * 40)
    result = tertium("gate", "good.txt", *call)
    assert (result.code, "the text of source was" in result.out) == (4, True)


def test_a_missing_baseline_is_1_and_says_what_to_type(tertium, example):
    result = tertium("gate", "good.txt", *CALL)
    assert (result.code, result.out) == (1, "")
    assert "tertium gate good.txt -r ref.txt -m chrf --baseline base.json --update" in result.err
    assert not (example / "base.json").exists()


def test_update_takes_whatever_is_there(tertium, kept):
    result = tertium("gate", "bad.txt", *CALL, "--update")
    assert (result.code, "worse" in result.out) == (0, True)
    assert "bad is the baseline from now on" in result.err
    assert verdict(tertium("gate", "bad.txt", *CALL, "--format", "json")) == ("same", 0)
    assert tertium("gate", "bad.txt", "-r", "ref.txt", "-m", "chrf:beta=3", *CALL[4:], "--update").code == 0
    assert verdict(tertium("gate", "bad.txt", "-r", "ref.txt", *CALL[4:], "--format", "json")) == ("same", 0)


def test_metrics_are_those_of_the_baseline(tertium, kept):
    found = json.loads(tertium("gate", "good.txt", "-r", "ref.txt", "--baseline", "base.json", "--format", "json").out)
    assert [one["metric"] for one in found["checks"]] == ["chrf"]


def test_metrics_under_names_of_ones_own(tertium, example):
    call = ("-r", "ref.txt", "--baseline", "base.json")
    tertium("gate", "good.txt", *call, "-m", "mine=chrf:beta=1", "--update")
    assert verdict(tertium("gate", "good.txt", *call, "--format", "json")) == ("same", 0)


def test_a_metric_under_another_name_is_found_by_its_signature(tertium, example):
    call = ("-r", "ref.txt", "--baseline", "base.json", "--format", "json")
    tertium("gate", "good.txt", *call, "-m", "chrf:word_order=2", "-m", "chrf", "--update")
    assert verdict(tertium("gate", "good.txt", *call, "-m", "mine=chrf")) == ("same", 0)
    assert verdict(tertium("gate", "bad.txt", *call, "-m", "mine=chrf")) == ("worse", 3)
    assert verdict(tertium("gate", "good.txt", *call, "-m", "mine=chrf:beta=1")) == ("not comparable", 4)


@pytest.mark.parametrize("words", [("--tolerance", "0.01"), ()])
def test_a_tolerance_of_one_metric_goes_before_that_of_all(tertium, example, words):
    call = ("-r", "ref.txt", "-m", "chrf", "-m", "bleu", "--baseline", "base.json", "--format", "json")
    tertium("gate", "good.txt", *call, "--update")
    words = ("--tolerance", "chrf=90", *words) if words else ("--tolerance", "0.01", "--tolerance", "chrf=90")
    found = json.loads(tertium("gate", "bad.txt", *call, *words).out)
    assert [(one["tolerance"], one["verdict"]) for one in found["checks"]] == [(90, "same"), (0.01, "worse")]


@pytest.mark.parametrize(
    "words",
    [
        ("--junit", "x", "--summary", "x"),
        ("--output", "x", "--junit", "./x"),
        ("--baseline", "new.json", "--update", "--summary", "new.json"),
    ],
)
def test_a_file_is_not_written_twice(tertium, kept, words):
    result = tertium("gate", "good.txt", *CALL, *words)
    assert (result.code, result.out) == (1, "")
    assert not (kept / "x").exists()
    assert not (kept / "new.json").exists()
    assert "is to be written twice" in result.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--tolerance", "50"), ("same", 0)),
        (("--tolerance", "0.01"), ("worse", 3)),
        (("--tolerance", "chrf=0.01"), ("worse", 3)),
        (("--tolerance", "0.01", "--test", "randomization"), ("cannot tell", 0)),
        (("--tolerance", "50", "--test", "bootstrap"), ("same", 0)),
        (("--floor", "99"), ("worse", 3)),
        (("--floor", "1"), ("cannot tell", 0)),
    ],
)
def test_tolerance_and_floor(tertium, kept, words, expected):
    assert verdict(tertium("gate", "near.txt", *CALL, "--format", "json", *words)) == expected


def test_a_floor_needs_no_baseline(tertium, example):
    call = ("gate", "good.txt", "-r", "ref.txt", "-m", "chrf", "--format", "json")
    assert verdict(tertium(*call, "--floor", "50")) == ("better", 0)
    assert verdict(tertium(*call, "--floor", "99.9")) == ("worse", 3)
    assert verdict(tertium(*call, "-m", "ter", "--floor", "chrf=50", "--floor", "ter=1")) == ("worse", 3)
    assert "of which metric?" in tertium(*call, "-m", "ter", "--floor", "50").err
    assert "above the floor" in tertium(*call[:-2], "--floor", "50").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bad.txt",), "A gate is for one system, but 2 were given"),
        (("--tolerance", "-1"), "--tolerance -1: a number of at least 0"),
        (("--tolerance", "nan"), "--tolerance nan: a number"),
        (("--floor", "high"), "--floor high: a number was expected"),
        (("--floor", "bleu=3"), "there is no metric 'bleu'. There are: chrf"),
        (("--alpha", "2"), "--alpha"),
        (("--unit", "document"), "--documents FILE"),
        (("--junit", "nowhere/x.xml"), "no directory"),
    ],
)
def test_bad_words_are_1(tertium, kept, words, message):
    result = tertium("gate", "good.txt", *words, *CALL)
    assert (result.code, result.out) == (1, "")
    assert message in result.err


def test_a_folder_is_no_baseline(tertium, example):
    result = tertium("gate", "good.txt", "-r", "ref.txt", "--baseline", ".")
    assert (result.code, "is a directory, but a file was expected." in result.err) == (1, True)
    assert "no JSON" not in result.err


def test_nothing_to_hold_it_against(tertium, example):
    assert "add --baseline FILE.json, or --floor X" in tertium("gate", "good.txt", "-r", "ref.txt").err
    assert "--update writes a baseline" in tertium("gate", "good.txt", "-r", "ref.txt", "--floor", "1", "--update").err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "", "is no JSON"),
        (lambda text: "{}", "is no baseline"),
        (lambda text: "[1]", "is no baseline"),
        (lambda text: text[: len(text) // 2], "is no JSON"),
        (lambda text: text.replace('"baseline": 1', '"baseline": 7'), "format 7"),
        (lambda text: text.replace('"rows": "', '"rows": "AAAA'), "rows were cut or changed"),
        (lambda text: text.replace('"segments": 40', '"segments": 41'), "rows were cut or changed"),
        (lambda text: text.replace('"segments": 40', '"segments": -1'), "rows were cut or changed"),
        (lambda text: text.replace('"segments": 40', '"segments": "x"'), "damaged"),
        (lambda text: text.replace('"system"', '"sistem"'), "damaged"),
        (lambda text: text.replace('"score": ', '"score": 1'), "its rows give chrf"),
    ],
)
def test_a_damaged_baseline_is_1_and_stays(tertium, kept, change, message):
    text = change((kept / "base.json").read_text())
    (kept / "base.json").write_text(text)
    for words in ((), ("--update",)):
        result = tertium("gate", "good.txt", *CALL, *words)
        assert (result.code, result.out) == (1, "")
        assert message in result.err
    assert (kept / "base.json").read_text() == text


def test_junit(tertium, kept):
    tertium("gate", "bad.txt", *CALL, "--junit", "gate.xml")
    suite = ElementTree.parse(kept / "gate.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")
    assert suite.find("testcase/failure").get("message").startswith("worse (p = ")
    tertium("gate", "good.txt", *CALL, "--junit", "gate.xml")
    assert ElementTree.parse(kept / "gate.xml").getroot().get("failures") == "0"
    tertium("gate", "near.txt", *CALL, "--junit", "gate.xml", "--strict")
    assert ElementTree.parse(kept / "gate.xml").getroot().get("failures") == "1"
    tertium("gate", "a<\x07&b=good.txt", "-r", "bad.txt", *CALL[2:], "--junit", "gate.xml")
    suite = ElementTree.parse(kept / "gate.xml").getroot()
    assert (suite.get("errors"), suite.find("testcase/error") is not None) == ("1", True)


def test_summary_has_a_mark(tertium, kept, monkeypatch):
    (kept / "step.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(kept / "step.md"))
    tertium("gate", "bad.txt", *CALL, "--summary", "gate.md")
    text = (kept / "gate.md").read_text()
    assert text.startswith("<!-- tertium-gate: base -->\n🔴 **Translation quality: worse**")
    assert "| chrF | worse |" in text
    assert (kept / "step.md").read_text() == "before\n" + text
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(kept))
    result = tertium("gate", "bad.txt", *CALL)
    assert (result.code, "cannot be written" in result.err) == (3, True)


def test_no_name_of_a_baseline_ends_the_mark(tertium, kept):
    (kept / "base.json").rename(kept / "a--->b.json")
    assert tertium("gate", "good.txt", *CALL[:-1], "a--->b.json", "--summary", "s.md").code == 0
    assert (kept / "s.md").read_text().startswith("<!-- tertium-gate: a->b -->\n")


def test_scores_of_other_programs(tertium, kept):
    def comet(name, shift):
        segments = [{"mt": "x", "COMET": 0.5 + 0.001 * (i * 7 % 13) + shift} for i in range(40)]
        (kept / f"{name}.json").write_text(json.dumps({f"{name}.txt": segments}))

    comet("good", 0.2)
    comet("bad", 0.0)
    call = ("--baseline", "comet.json.base")
    assert tertium("gate", "--scores", "good.json", *call, "--update").code == 0
    assert verdict(tertium("gate", "--scores", "bad.json", *call, "--format", "json")) == ("worse", 3)
    both = ("good.txt", "-r", "ref.txt", "-m", "chrf", "--scores", "good.json", "--baseline", "both.json")
    assert tertium("gate", *both, "--update").code == 0
    found = json.loads(tertium("gate", "good.txt", *both[1:3], *both[5:], "--format", "json").out)
    assert [one["metric"] for one in found["checks"]] == ["chrf", "COMET"]


def test_documents_are_swapped_as_wholes(tertium, kept):
    call = (*CALL, "--documents", "docs.txt", "--unit", "document", "--format", "json")
    found = json.loads(tertium("gate", "near.txt", *call).out)
    assert (found["verdict"], found["checks"][0]["p_value"]) == ("cannot tell", 1.0)  # one of ten documents differs


def test_the_action_names_options_that_exist():
    from tertium.cli.commands.gate import command

    text = (Path(__file__).parents[2] / "action.yml").read_text()
    called = text[text.index("tertium gate ") : text.index("|| code=$?")]
    options = {name for parameter in command.params for name in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--?[a-z]+", called)) <= options

"""`tertium correlate` and `tertium rank`: files in, figures out, and what is said of bad files."""

import json
import signal
import subprocess
import sys
import time

import pytest

from oracles.wmt import ORACLE, needs_oracle
from tertium.meta import coefficient

REFERENCE = [
    "the cat sat on the mat",
    "a dog ran home",
    "it rained all day long",
    "we met at the old bridge",
    "no",
    "yes sir",
]
GOOD = ["the cat sat on the mat", "a dog ran to home", "it rained all day", "we met at the bridge", "no", "yes"]
FAIR = ["the cat is on mat", "dog ran home", "rain all the day", "we meet on bridge", "not", "yes sir"]
POOR = ["cat mat", "the horse", "rain", "old bridge meeting was", "nope", "sir"]
PEOPLE = {"good": [90, 80, 70, 75, 100, 60], "fair": [60, 70, 40, 35, 30, 95], "poor": [20, 5, 15, 10, 20, 25]}


@pytest.fixture
def files(tmp_path):
    """A reference, three systems, judgments, document ids."""
    for name, lines in (("reference", REFERENCE), ("good", GOOD), ("fair", FAIR), ("poor", POOR)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "documents.txt").write_text("one\none\ntwo\ntwo\nthree\nthree\n", encoding="utf-8")
    write_judgments(tmp_path / "human.tsv", PEOPLE)
    return tmp_path


def write_judgments(path, people, *, extra=()):
    lines = ["system\tsegment\tkind\tscore"]
    lines += [f"{name}\t{k}\tda\t{score}" for name, scores in people.items() for k, score in enumerate(scores, 1)]
    path.write_text("\n".join([*lines, *extra]) + "\n", encoding="utf-8")


SYSTEMS = ["good.txt", "fair.txt", "poor.txt", "-r", "reference.txt", "--judgments", "human.tsv"]


def correlations(result):
    assert result.code == 0, result.err
    return json.loads(result.out)["correlations"]


def test_a_table_for_each_level_with_short_signatures(tertium, files):
    call = ["correlate", *SYSTEMS, "--documents", "documents.txt", "-m", "chrf", "-m", "mine=ter", "--level", "segment",
            "--level", "document", "--method", "pearson", "--method", "kendall-b"]  # fmt: skip
    out = tertium(*call).out
    heads = [line.split() for line in out.splitlines() if line.startswith("Metric")]
    assert heads == [["Metric,", "by", level, "pearson", "kendall-b"] for level in ("segment", "document")]
    assert "\nchrf|refs=1|tertium=" in out
    assert "\nmine: ter|refs=1|tertium=" in out
    assert "refs=" not in tertium(*call, "--signatures", "none").out
    assert "char_order=6" in tertium(*call, "--signatures", "full").out
    assert "% chrf|refs=1|" in tertium(*call, "--format", "latex").out
    assert "    chrf|refs=1|" in tertium(*call, "--format", "markdown").out
    assert "char_order=6" in tertium(*call, "--format", "tsv").out


@pytest.mark.parametrize(
    ("command", "how", "message"),
    [
        ("rank", ["--samples", "0"], "samples must be"),
        ("rank", ["--alpha", "2"], "--alpha must be"),
        ("rank", ["--seed", "-1"], "seed must be"),
        ("rank", ["--kind", "ad"], "Known: da"),
        ("rank", ["--method", "pairwise-accuracy"], "compares systems: use --level system"),
        ("rank", ["-m", "chrf"], "only one metric"),
        ("correlate", ["--kind", "ad"], "Known: da"),
        ("correlate", ["--alpha", "95"], "--alpha must be"),
    ],
)
def test_arguments_are_checked_before_anything_is_scored(tertium, files, monkeypatch, command, how, message):
    monkeypatch.setattr("tertium.scoring.loop.score_blocks", lambda *given, **settings: pytest.fail("scored"))
    result = tertium(command, *SYSTEMS, *how)
    assert result.code == 1
    assert message in result.err


def test_several_kinds_are_told_of_before_anything_is_scored(tertium, files, monkeypatch):
    write_judgments(files / "human.tsv", PEOPLE, extra=["good\t1\tfluency\t3", "poor\t1\tfluency\t1"])
    monkeypatch.setattr("tertium.scoring.loop.score_blocks", lambda *given, **settings: pytest.fail("scored"))
    result = tertium("rank", *SYSTEMS)
    assert (result.code, "Say which: --kind, one of da, fluency." in result.err) == (1, True)


@pytest.mark.parametrize("how", [[], ["--average"]])
def test_ranks_have_signatures(tertium, files, how):
    call = ["rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "--quiet", *how]
    assert "\nchrf|refs=1|tertium=" in tertium(*call).out
    assert "% chrf|refs=1|" in tertium(*call, "--format", "latex").out
    assert "char_order=6" in tertium(*call, "--format", "csv").out
    whole = json.loads(tertium(*call, "--format", "json").out)
    assert whole["metrics"][0]["signature"].startswith("chrf:char_order=6")


def test_segments_by_three_groupings(tertium, files):
    result = tertium("correlate", *SYSTEMS, "-m", "chrf", "-m", "ter", "--group", "none", "--group", "item", "--group",
                     "sys", "--method", "pearson", "--method", "kendall-b", "--format", "json")  # fmt: skip
    found = correlations(result)
    assert len(found) == 2 * 3 * 2
    assert list(found[0])[:9] == ["metric", "kind", "level", "method", "group", "value", "low", "high", "n"]
    assert {one["n"] for one in found} == {18}
    assert all(one["value"] > 0 for one in found if one["group"] != "sys")  # TER, too: error rates are turned round
    scored = json.loads(tertium("score", "good.txt", "fair.txt", "poor.txt", "-r", "reference.txt", "-m", "chrf",
                                "--level", "segment", "--format", "json").out)["scores"]  # fmt: skip
    flat = coefficient([one["score"] for one in scored], [score for scores in PEOPLE.values() for score in scores])
    first = next(one for one in found if (one["metric"], one["method"], one["group"]) == ("chrf", "pearson", "none"))
    assert first["value"] == pytest.approx(flat.value, abs=1e-12)


def test_documents_and_systems(tertium, files):
    found = correlations(
        tertium("correlate", *SYSTEMS, "-m", "chrf", "--documents", "documents.txt", "--level", "document", "--level",
                "system", "--method", "pearson", "--method", "pairwise-accuracy", "--format", "json")
    )  # fmt: skip
    assert [(one["level"], one["method"], one["n"]) for one in found] == [
        ("document", "pearson", 9), ("system", "pearson", 3), ("system", "pairwise-accuracy", 3),
    ]  # fmt: skip
    assert found[2]["value"] == 1


def test_only_judged_segments_count_for_systems(tertium, files):
    write_judgments(files / "human.tsv", {name: scores[:2] for name, scores in PEOPLE.items()})
    result = tertium("correlate", *SYSTEMS, "-m", "chrf", "--level", "system", "--level", "segment", "--format", "json")
    assert "12 of 18 segments have no judgment" in result.err
    for name in ("good", "fair", "poor", "reference"):
        text = (files / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:2]
        (files / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    cut = tertium("correlate", *SYSTEMS, "-m", "chrf", "--level", "system", "--level", "segment", "--format", "json")
    assert correlations(result) == correlations(cut)


def test_scores_of_other_programs_alone(tertium, files):
    lines = ["system\tsegment\tmetric\tscore"]
    lines += [
        f"{name}\t{k}\t{metric}\t{sign * score}"
        for metric, sign in (("up", 1), ("down", -1))
        for name, scores in PEOPLE.items() for k, score in enumerate(scores, 1) if (name, k) != ("poor", 6)
    ]  # fmt: skip
    (files / "scores.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = tertium("correlate", "--scores", "scores.tsv", "--judgments", "human.tsv", "--lower-is-better", "down",
                     "--format", "json")  # fmt: skip
    found = correlations(result)
    assert [one["value"] for one in found] == [pytest.approx(1), pytest.approx(1)]
    assert [one["n"] for one in found] == [17, 17]
    assert "1 judged points have no up score" in result.err


def test_error_judgments_are_turned_round(tertium, files):
    write_judgments(files / "human.tsv", {name: [100 - score for score in scores] for name, scores in PEOPLE.items()})
    plain, turned = (
        correlations(tertium("correlate", *SYSTEMS, "-m", "chrf", "--format", "json", *more))[0]["value"]
        for more in ([], ["--lower-is-better", "da"])
    )
    assert plain == pytest.approx(-turned)
    assert turned > 0


def test_preferences_of_people(tertium, files):
    # METEOR's form: segment, language pair, better system, language pair, worse system
    pairs = [f"{k}\txx-en\tgood\txx-en\tpoor" for k in range(1, 6)] + ["6\txx-en\tpoor\txx-en\tfair"]
    (files / "human.rank").write_text("\n".join(pairs) + "\n", encoding="utf-8")
    arguments = [*SYSTEMS[:5], "--judgments", "human.rank", "-m", "chrf", "--format", "json"]
    found = correlations(tertium("correlate", *arguments, "--method", "agreement", "--method", "wmt13"))
    assert [(one["kind"], one["method"], one["n"]) for one in found] == [
        ("preference", "agreement", 6), ("preference", "wmt13", 6),
    ]  # fmt: skip
    assert found[0]["value"] == pytest.approx(5 / 6)
    assert found[1]["value"] == pytest.approx(4 / 6)


@pytest.fixture
def folder(tmp_path):
    """A test set in mt-metrics-eval's layout."""
    texts = {
        "sources/de-en.txt": ["eins", "zwei", "drei", "vier", "fünf", "sechs"],
        "references/de-en.refA.txt": REFERENCE,
        "documents/de-en.docs": ["news one", "news one", "news two", "news two", "news three", "news three"],
        "system-outputs/de-en/refA.txt": REFERENCE,
    }
    for name, lines in (("good", GOOD), ("fair", FAIR), ("poor", POOR)):
        texts[f"system-outputs/de-en/{name}.txt"] = lines
    texts["human-scores/de-en.da.seg.score"] = [f"{n} {s}" for n, scores in PEOPLE.items() for s in scores]
    texts["human-scores/de-en.da.seg.score"][3] = "good None"
    texts["metric-scores/de-en/Copy-refA.seg.score"] = [f"{n} {s}" for n, scores in PEOPLE.items() for s in scores]
    texts["metric-scores/de-en/Copy-refA.sys.score"] = ["good 3", "fair 2", "poor 1"]
    for name, lines in texts.items():
        path = tmp_path / "wmt99" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "wmt99"


def test_a_folder_is_all_that_is_needed(tertium, folder):
    result = tertium("correlate", "wmt99", "de-en", "-m", "chrf", "--level", "segment", "--level", "document", "--level",
                     "system", "--format", "json")  # fmt: skip
    found = {(one["metric"], one["level"]): one for one in correlations(result)}
    assert found["Copy-refA", "segment"]["value"] == pytest.approx(1)
    assert {level: found["chrf", level]["n"] for level in ("segment", "document", "system")} == {
        "segment": 17, "document": 9, "system": 3,
    }  # fmt: skip
    assert "refA are human references" in result.err
    assert "Copy-refA" in tertium("rank", "wmt99", "de-en", "-m", "chrf").out
    assert "It has de-en" in tertium("correlate", "wmt99").err


def test_a_folder_weighs_segments_too(tertium, files, folder):
    common = ["-m", "averaged-ter", "--level", "system", "--weights", "length", "--format", "json"]
    (folder / "human-scores" / "de-en.da.seg.score").write_text(
        "".join(f"{name} {score}\n" for name, scores in PEOPLE.items() for score in scores), encoding="utf-8"
    )
    ours = correlations(tertium("correlate", "wmt99", "de-en", *common))[0]
    assert ours["value"] == pytest.approx(correlations(tertium("correlate", *SYSTEMS, *common))[0]["value"], abs=1e-12)
    plain = correlations(tertium("correlate", "wmt99", "de-en", *common, "--weights", "none"))[0]
    assert ours["value"] != plain["value"]
    (folder.parent / "scores.tsv").write_text("system\tsegment\tmetric\tscore\ngood\t1\tm\t1\nfair\t1\tm\t2\n")
    result = tertium("correlate", "--scores", "scores.tsv", "--judgments", "human.tsv", "--weights", "length")
    assert (result.code, "--weights length needs" in result.err) == (1, True)


def test_points_weigh_as_much_as_they_are_long(tertium, files):
    common = [*SYSTEMS, "-m", "chrf", "--documents", "documents.txt", "--level", "segment", "--level", "document",
              "--weights", "length", "--format", "json"]  # fmt: skip
    by_segment, by_document = correlations(tertium("correlate", *common, "--weighted"))
    lengths = [len(text.split()) for text in REFERENCE]
    scored = json.loads(tertium("score", "good.txt", "fair.txt", "poor.txt", "-r", "reference.txt", "-m", "chrf",
                                "--documents", "documents.txt", "--level", "segment", "--level", "document",
                                "--format", "json").out)["scores"]  # fmt: skip
    chrf = [one["score"] for one in scored if one["level"] == "segment"]
    people = [score for scores in PEOPLE.values() for score in scores]
    assert by_segment["value"] == pytest.approx(coefficient(chrf, people, weights=lengths * 3).value, abs=1e-12)
    chrf = [one["score"] for one in scored if one["level"] == "document"]
    sums = [a + b for a, b in zip(lengths[::2], lengths[1::2], strict=True)]
    weighed = [score * length for score, length in zip(people, lengths * 3, strict=True)]
    people = [(a + b) / s for a, b, s in zip(weighed[::2], weighed[1::2], sums * 3, strict=True)]
    assert by_document["value"] == pytest.approx(coefficient(chrf, people, weights=sums * 3).value, abs=1e-12)
    assert by_document["note"].startswith("weighted by length")
    for wrong in (["--weights", "none"], ["--method", "spearman"]):
        assert "--weighted is for --method pearson" in tertium("correlate", *common, "--weighted", *wrong).err


def test_a_folder_is_averaged_over_wmt_tasks(tertium, folder):
    for place in ("sources", "documents", "references", "human-scores"):
        for file in (folder / place).iterdir():
            (folder / place / file.name.replace("de-en", "fr-en")).write_bytes(file.read_bytes())
    for place in ("system-outputs", "metric-scores"):
        (folder / place / "fr-en").mkdir()
        for file in (folder / place / "de-en").iterdir():
            (folder / place / "fr-en" / file.name.replace("-refA", "-refB")).write_bytes(file.read_bytes())
    result = tertium("rank", "wmt99", "de-en", "fr-en", "-m", "chrf", "--tasks", "wmt23", "--format", "json")
    found = json.loads(result.out)
    assert {one["metric"] for one in found["averages"]} == {"Copy", "chrf"}
    assert found["averages"][0]["metric"] == "Copy"  # whatever reference its name says
    assert found["averages"][0]["average"] > 0.99
    assert [task["weight"] for task in found["tasks"]] == [2, 1, 1, 1, 1, 1, 1]
    assert "Average" in tertium("rank", "wmt99", "de-en", "--tasks", "wmt24").out
    assert "name language pairs" in tertium("rank", "wmt99", "--tasks", "wmt24").err
    assert "--tasks says what is averaged" in tertium("rank", "wmt99", "de-en", "--tasks", "wmt24", "--average").err


def test_a_folder_that_lacks_something(tertium, folder):
    (folder / "documents" / "de-en.docs").unlink()
    result = tertium("correlate", "wmt99", "de-en", "-m", "chrf", "--level", "document")
    assert (result.code, "none is known" in result.err) == (1, True)
    for file in (folder / "human-scores").iterdir():
        file.unlink()
    result = tertium("correlate", "wmt99", "de-en", "-m", "chrf")
    assert (result.code, "has no judgments for de-en" in result.err) == (1, True)


@pytest.mark.parametrize(
    ("change", "message", "code"),
    [
        ("unknown system", "1 of 19 judgments are about systems that were not given (other)", 0),
        ("unknown segment", "good's segment 7: there are only 6", 1),
        ("constant", "all human scores are equal", 0),
        ("few points", "3 points are too few for an interval", 0),
        ("no system judged", "Nothing can be correlated", 1),
    ],
)
def test_bad_judgments_are_named(tertium, files, change, message, code):
    people, extra = PEOPLE, []
    if change == "unknown system":
        extra = ["other\t1\tda\t50"]
    elif change == "unknown segment":
        extra = ["good\t7\tda\t50"]
    elif change == "constant":
        people = {name: [50] * 6 for name in PEOPLE}
    elif change == "few points":
        people = {name: scores[:1] for name, scores in PEOPLE.items()}
    else:
        people = {"other": [1, 2, 3, 4, 5, 6]}
    write_judgments(files / "human.tsv", people, extra=extra)
    result = tertium("correlate", *SYSTEMS, "-m", "chrf", "--format", "json")
    assert (result.code, message in result.err) == (code, True), result.err
    if change == "constant":
        assert correlations(result)[0]["value"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.txt", "-r", "reference.txt"], "Add --judgments"),
        (["--judgments", "human.tsv"], "There is nothing to correlate"),
        ([*SYSTEMS, "--kind", "mqm"], "No kind of judgment is called 'mqm'"),
        ([*SYSTEMS, "--lower-is-better", "comet"], "there is no such metric or kind"),
        ([*SYSTEMS, "--level", "document"], "needs document ids"),
        ([*SYSTEMS, "--alpha", "95"], "alpha must be"),
        ([*SYSTEMS, "--threshold", "nan"], "threshold must be"),
    ],
)
def test_bad_calls_are_explained(tertium, files, arguments, message):
    result = tertium("correlate", *arguments)
    assert result.code == 1
    assert message in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("style", ["table", "markdown", "latex", "tsv", "csv", "jsonl"])
@pytest.mark.parametrize("layout", ["plain", "terp", "cder"])
def test_every_format_and_layout(tertium, files, style, layout):
    result = tertium("correlate", *SYSTEMS, "-m", "chrf", "-m", "ter", "--method", "pearson", "--method", "spearman",
                     "--format", style, "--layout", layout)  # fmt: skip
    assert result.code == 0
    assert "chrf" in result.out
    if layout == "cder" and style == "latex":
        assert r"95\%-confidence & ± 0." in result.out


def test_bold_and_dagger(tertium, files):
    write_judgments(files / "human.tsv", {name: [k * 7 % 5 for k in range(6)] for name in PEOPLE})
    result = tertium("correlate", *SYSTEMS, "-m", "chrf", "-m", "ter", "--format", "markdown")
    assert "†" in result.out
    assert "**" in result.out


def test_metrics_are_ranked(tertium, files):
    result = tertium("rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "-m", "wer", "--format", "json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert {one["metric"] for one in found["ranks"]} == {"chrf", "ter", "wer"}
    assert found["ranks"][0]["rank"] == 1
    assert len(found["comparisons"]) == 3
    assert set(found["matrix"]) == {"chrf", "ter", "wer"}
    assert "p (better than)" in tertium("rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "--test", "bootstrap").out


def test_ranks_are_averaged_over_conditions(tertium, files):
    result = tertium("rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "--average", "--format", "json")
    found = json.loads(result.out)["average_ranks"]
    assert {(one["metric"], one["method"], one["conditions"]) for one in found} == {
        (metric, method, 2) for metric in ("chrf", "ter") for method in ("pearson", "spearman")
    }
    assert all(one["lower"] <= one["rank"] <= one["upper"] for one in found)
    assert "pearson lower" in tertium("rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "--average").out


def test_average_ranks_use_fishers_intervals(tertium, files):
    """As the TERp paper does, whatever correlate's own intervals are."""
    common = [*SYSTEMS, "-m", "chrf", "-m", "ter", "-m", "wer", "-m", "bleu"]
    averaged = json.loads(
        tertium("rank", *common, "--average", "--level", "segment", "--method", "pearson", "--format", "json").out
    )["average_ranks"]
    found = correlations(tertium("correlate", *common, "--interval", "fisher", "--format", "json"))
    values = [one["value"] for one in found]
    for one in found:
        bounds = next(each for each in averaged if each["metric"] == one["metric"])
        assert bounds["lower"] == 1 + sum(value > one["high"] for value in values)
        assert bounds["upper"] == sum(value >= one["low"] for value in values)


def test_ranks_of_few_points_are_said_to_be(tertium, files):
    assert "3 points are too few for an interval" in tertium(
        "rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "--level", "system"
    ).err  # fmt: skip
    assert "3 points are too few for an interval" in tertium(
        "rank", *SYSTEMS, "-m", "chrf", "-m", "ter", "--level", "system", "--average"
    ).err  # fmt: skip


def test_no_rank_comes_from_nothing(tertium, files):
    """No pair of judgments is far enough apart: 0 would be no coefficient."""
    common = ["rank", *SYSTEMS, "-m", "chrf", "-m", "ter"]
    result = tertium(*common, "--method", "kendall-like", "--threshold", "200")
    assert result.code == 1
    assert "no two human scores are 200 apart" in result.err
    write_judgments(files / "human.tsv", {name: [50] * 6 for name in PEOPLE})
    assert "all human scores are equal" in tertium(*common).err
    write_judgments(files / "human.tsv", {"other": [1, 2, 3, 4, 5, 6]})
    assert "the judgments are about other, but the scores are of good, fair, poor" in tertium(*common).err


def test_a_method_of_systems_is_not_left_out_in_silence(tertium, files):
    result = tertium("correlate", *SYSTEMS, "-m", "chrf", "--method", "pearson", "--method", "pairwise-accuracy")
    assert "pairwise-accuracy compares systems" in result.err
    assert "--level system" in tertium("correlate", *SYSTEMS, "-m", "chrf", "--method", "pairwise-accuracy").err


def test_preferences_need_a_method_of_pairs(tertium, files):
    (files / "pairs.rank").write_text("1\txx\tgood\txx\tpoor\n2\txx\tgood\txx\tfair\n", encoding="utf-8")
    common = ["good.txt", "fair.txt", "poor.txt", "-r", "reference.txt", "--judgments", "pairs.rank", "-m", "chrf"]
    assert "--method agreement" in tertium("correlate", *common).err
    assert "tertium correlate --method agreement" in tertium("rank", *common, "-m", "ter").err


def test_options_of_another_command_are_said_to_be(tertium, files):
    (files / "human.tsv").write_text("system\tsegment\tscore\ngood\t0\t3\n", encoding="utf-8")
    result = tertium("correlate", *SYSTEMS, "-m", "chrf")
    assert (result.code, "--segments-from 0" in result.err) == (1, True)
    assert "options of: tertium judgments import" in result.err


def test_one_metric_cannot_be_ranked(tertium, files):
    assert "only one metric" in tertium("rank", *SYSTEMS, "-m", "chrf").err
    assert "--average over many" in tertium("rank", *SYSTEMS, "--method", "pearson", "--method", "spearman").err


def test_long_work_can_be_interrupted():
    script = """
import numpy as np
from tertium.meta import coefficient
x = np.random.default_rng(0).normal(size=(10, 4000))
print("ready", flush=True)
coefficient(x, np.round(x + np.random.default_rng(1).normal(size=x.shape), 1), "kendall-b", samples=200_000)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=60)  # left alone, it works for minutes
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in error


@needs_oracle
def test_real_judgments(tertium):
    folder = f"{ORACLE}/data/wmt21.en-de"
    systems = [
        "Facebook-AI",
        "HuaweiTSC",
        "NVIDIA-NeMo",
        "Online-W",
        "UEdin",
        "VolcTrans-AT",
        "VolcTrans-GLAT",
        "eTranslation",
    ]
    names = [f"{name}={folder}/hyp.{name}.txt" for name in systems]
    result = tertium("correlate", *names, "-r", f"{folder}/ref.C.txt", "--judgments", f"{folder}/human.seg.tsv", "-m",
                     "chrf", "--method", "pearson", "--method", "acc-eq", "--format", "json")  # fmt: skip
    by_method = {one["method"]: one for one in correlations(result)}
    assert by_method["pearson"]["n"] == 4216
    assert by_method["acc-eq"]["group"] == "item"
    assert 0 < by_method["pearson"]["low"] < by_method["pearson"]["value"] < by_method["pearson"]["high"]


def test_five_systems_in_perfect_order_have_no_interval(tertium, tmp_path):
    words = "the cat sat on the mat today".split()
    (tmp_path / "ref").write_text(" ".join(words) + "\n")
    for k in range(5):
        (tmp_path / f"s{k}").write_text(" ".join(words[: 7 - k]) + "\n")
    write_judgments(tmp_path / "human.tsv", {f"s{k}": [90 - 10 * k] for k in range(5)})
    result = tertium("correlate", *(f"s{k}" for k in range(5)), "-r", "ref", "--judgments", "human.tsv", "--level",
                     "system", "-m", "wer", "--method", "kendall-b", "--method", "spearman")  # fmt: skip
    assert "[1.000" not in result.out
    assert "5 points are too few for an interval" in result.err

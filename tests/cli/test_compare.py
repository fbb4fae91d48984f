"""`tertium compare` and `tertium score --confidence`: tables, records, runs, imported scores, messages."""

import csv
import io
import json

import pytest

NORTH = ["The bridge is closed.", "Snow fell on the pass.", "Nobody knows why.", "Ask at the station today."] * 10
SOUTH = ["A bridge closed.", "It snowed at a pass.", "Nobody know why.", "Please ask in the station."] * 10
REFERENCE = ["The bridge is closed.", "Snow fell on the pass.", "No one knows why.", "Ask at the station."] * 10


@pytest.fixture
def example(tmp_path):
    """Two systems, a reference and document ids, forty segments each."""
    texts = {"north": NORTH, "south": SOUTH, "ref": REFERENCE, "docs": [f"d{i // 4}" for i in range(40)]}
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def write_scores(folder, lines, name="scores.tsv"):
    (folder / name).write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


def comet(system, segments=40, better=0.0):
    return [(system, i + 1, "comet", 0.5 + 0.001 * (i * 7 % 13) + better) for i in range(segments)]


HEADER = [("system", "segment", "metric", "score")]
CALL = ("compare", "north.txt", "south.txt", "-r", "ref.txt")


def test_table(tertium, example):
    result = tertium(*CALL)
    assert (result.code, result.err) == (0, "")
    assert "south   north    BLEU" in result.out
    assert "↓ 0.0001" in result.out
    assert "randomization:samples=10000,seed=12345" in result.out


def test_json(tertium, example):
    whole = json.loads(tertium(*CALL, "--format", "json", "--samples", "500").out)
    assert {"tertium", "metrics", "scores", "test", "comparisons"} <= set(whole)
    first = whole["comparisons"][0]
    assert (first["system"], first["baseline"], first["metric"]) == ("south", "north", "bleu")
    scores = {(one["system"], one["metric"]): one for one in whole["scores"]}
    assert first["difference"] == scores["south", "bleu"]["score"] - scores["north", "bleu"]["score"]
    assert first["low"] < first["difference"] < first["high"]
    assert first["p_value"] == 1 / 501
    assert first["significant"] is True
    assert scores["north", "bleu"]["low"] < scores["north", "bleu"]["score"] < scores["north", "bleu"]["high"]


@pytest.mark.parametrize("style", ["jsonl", "tsv", "csv", "markdown", "latex"])
def test_other_formats(tertium, example, style):
    out = tertium(*CALL, "--format", style, "--samples", "100").out
    if style in ("tsv", "csv"):
        records = list(csv.DictReader(io.StringIO(out), delimiter="\t" if style == "tsv" else ","))
        assert [record["metric"] for record in records] == ["bleu", "chrf", "ter"]
    elif style == "jsonl":
        assert json.loads(out.splitlines()[0])["p_value"] == 1 / 101
    else:
        assert ("| System |" if style == "markdown" else r"\begin{tabular}") in out


def test_bold_is_the_best_and_arrows_have_a_direction(tertium, example):
    rows = {line.split()[0]: line for line in tertium(*CALL, "--samples", "500").out.splitlines()[2:4]}
    assert (rows["north"].count("*"), rows["north"].count("↓")) == (3, 0)  # by TER too, where less is better
    assert (rows["south"].count("*"), rows["south"].count("↓")) == (0, 3)
    turned = tertium(*CALL, "--samples", "500", "--baseline", "south", "--format", "markdown").out
    assert turned.count("**↑ ") == 3
    assert r"\textbf{$\uparrow$ " in tertium(*CALL, "--samples", "500", "--baseline", "south", "--format", "latex").out


def test_a_copy_does_not_differ(tertium, example):
    for more in (
        [],
        ["--test", "bootstrap"],
        ["--alternative", "better"],
        ["--unit", "document", "--documents", "docs.txt"],
    ):
        whole = json.loads(
            tertium("compare", "a=north.txt", "b=north.txt", "-r", "ref.txt", "--format", "json", *more).out
        )
        assert all(one["p_value"] == 1 and not one["significant"] for one in whole["comparisons"])


def test_like_sacrebleu_says_that_ties_are_missing(tertium, example):
    out = tertium("compare", "a=north.txt", "b=north.txt", "-r", "ref.txt", "--like", "sacrebleu").out
    assert "0.0001" in out
    assert "sacrebleu calls equal systems different" in out


def test_all_pairs_are_ranked(tertium, example):
    call = ("compare", "north.txt", "south.txt", "copy=north.txt", "-r", "ref.txt", "--all-pairs", "-m", "bleu")
    whole = json.loads(tertium(*call, "--format", "json").out)
    assert [(one["baseline"], one["system"]) for one in whole["comparisons"]] == [
        ("north", "south"),
        ("north", "copy"),
        ("south", "copy"),
    ]
    ranks = {one["system"]: (one["cluster"], one["best"], one["worst"]) for one in whole["ranks"]}
    assert ranks == {"north": (1, 1, 2), "copy": (1, 1, 2), "south": (2, 3, 3)}
    assert "Cluster" in tertium(*call).out


def test_baseline(tertium, example):
    whole = json.loads(tertium(*CALL, "--baseline", "south", "--format", "json").out)
    assert {(one["baseline"], one["system"]) for one in whole["comparisons"]} == {("south", "north")}


def test_runs(tertium, example):
    call = ("compare", "n=north.txt", "n=north.txt", "s=south.txt", "s=north.txt", "-r", "ref.txt", "-m", "bleu")
    whole = json.loads(tertium(*call, "--format", "json").out)
    assert [one["system"] for one in whole["comparisons"]] == ["s"]
    runs = {one["system"]: one for one in whole["runs"]}
    assert runs["n"]["optimizer"] == 0
    assert runs["s"]["optimizer"] > 0
    assert "Median run" in tertium(*call).out
    assert tertium(*call, "--like", "multeval").code == 0
    unequal = tertium("compare", "n=north.txt", "n=north.txt", "s=south.txt", "-r", "ref.txt")
    assert (unequal.code, "same number of runs" in unequal.err) == (1, True)


# --- scores of other programs ----------------------------------------------------------------------------------------


def test_imported_scores_are_metrics(tertium, example):
    write_scores(example, [*HEADER, *comet("north"), *comet("south", better=0.2), *comet("other")])
    result = tertium(*CALL, "--scores", "scores.tsv", "--format", "json", "-m", "bleu")
    assert "scores.tsv has 40 scores of other, which was not given; left out." in result.err
    whole = json.loads(result.out)
    found = whole["comparisons"][1]
    assert (found["metric"], found["system"]) == ("comet", "south")
    assert found["difference"] == pytest.approx(0.2)
    assert found["p_value"] == 1 / 10_001
    assert whole["metrics"][1]["signature"].startswith("comet:imported=true,higher_is_better=true")


def test_imported_errors_count_the_other_way(tertium, example):
    write_scores(example, [*HEADER, *comet("north"), *comet("south", better=0.2)])
    call = (*CALL, "--scores", "scores.tsv", "--alternative", "better", "-m", "bleu", "--format", "json")
    better = json.loads(tertium(*call).out)["comparisons"][1]["p_value"]
    worse = json.loads(tertium(*call, "--lower-is-better", "comet").out)["comparisons"][1]["p_value"]
    assert better < 0.05 < worse


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([("system", "segment", "score")], "metric is missing. Begin it with a header"),
        (HEADER, "holds no score"),
        ([*HEADER, ("north", 1, "comet", "nan")], "line 2: the score is 'nan', but a finite number"),
        ([*HEADER, ("north", 1, "comet", "high")], "line 2: the score is 'high'"),
        ([*HEADER, ("north", 0, "comet", 1)], "line 2: the segment is '0', but segments are numbered from 1"),
        ([*HEADER, ("north", 41, "comet", 1)], "line 2: there is no segment 41, only 40"),
        ([*HEADER, ("north", 1, "comet", 1), ("north", 1, "comet", 1)], "line 3: a second comet score"),
        ([*HEADER, ("north", 1, "bleu", 1)], "a metric called 'bleu', but that is computed here too"),
        ([*HEADER, ("north", 1)], "line 2 has 2 columns"),
        ([*HEADER, ("west", 1, "comet", 1)], "has no score of north, south"),
        ([*HEADER, *comet("north")], "has no comet score of system 'south'"),
        ([*HEADER, *comet("north"), *comet("south", 37)], "of system 'south' for segment 38 and 2 more of 40"),
    ],
)
def test_imported_scores_that_cannot_be_meant(tertium, example, lines, message):
    write_scores(example, lines)
    result = tertium(*CALL, "--scores", "scores.tsv")
    assert (result.code, result.out) == (1, "")
    assert message in result.err


def test_imported_scores_that_are_no_text(tertium, example):
    (example / "scores.tsv").write_bytes(b"system\tsegment\tmetric\tscore\nn\xffrth\t1\tcomet\t1\n")
    assert "scores.tsv, line 2, byte 2 (0xFF) is not UTF-8" in tertium(*CALL, "--scores", "scores.tsv").err


# --- intervals of scores ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_score_with_confidence(tertium, example, interval):
    call = ("score", "north.txt", "-r", "ref.txt", "-m", "chrf", "--confidence", "--interval", interval)
    whole = json.loads(tertium(*call, "--format", "json").out)
    assert whole["scores"][0]["low"] < whole["scores"][0]["score"] < whole["scores"][0]["high"]
    assert whole["confidence"].startswith(f"bootstrap:samples=1000,level=0.95,method={interval}")
    low = whole["scores"][0]["low"]
    assert f"[{low:.2f}, " in tertium(*call).out
    other = json.loads(tertium(*call, "--format", "json", "--seed", "1").out)
    assert other["scores"][0]["low"] != low


def test_documents_with_confidence(tertium, example):
    call = ("score", "north.txt", "-r", "ref.txt", "-m", "chrf", "--confidence", "--documents", "docs.txt")
    records = json.loads(tertium(*call, "--level", "document", "--level", "segment", "--format", "json").out)["scores"]
    documents = [record for record in records if record["level"] == "document"]
    assert len(documents) == 10
    assert all(record["low"] < record["high"] for record in documents)
    assert all(record["low"] is None for record in records if record["level"] == "segment")


# --- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("compare", "north.txt", "-r", "ref.txt"), 1, "only one system"),
        ((*CALL, "--seed", "-1"), 1, "seed must be a whole number from 0 to 2^64 - 1, not -1"),
        ((*CALL, "--seed", "99999999999999999999"), 1, "seed must be"),
        ((*CALL, "--samples", "0"), 1, "samples must be"),
        ((*CALL, "--samples", "100000000"), 1, "samples must be a whole number from 2 to 10,000,000"),
        ((*CALL, "--alpha", "5"), 1, "level must be"),
        ((*CALL, "--unit", "document"), 1, "--documents FILE"),
        ((*CALL, "--baseline", "nort"), 1, "Did you mean 'north'?"),
        ((*CALL, "--like", "sacrebleu", "--alternative", "better"), 1, "sacrebleu knows only two-sided tests"),
        ((*CALL, "--like", "multeval", "--test", "bootstrap"), 1, "MultEval tests by randomization only"),
        ((*CALL, "--test", "t"), 2, "'t' is not one of"),
        ((*CALL, "--lower-is-better", "ter"), 2, "no --scores"),
        ((*CALL, "--scores", "none.tsv"), 1, "none.tsv cannot be read"),
    ],
)
def test_what_the_user_can_put_right(tertium, example, arguments, code, message):
    result = tertium(*arguments)
    assert (result.code, result.out) == (code, "")
    assert message in " ".join(result.err.split())


def test_one_segment_and_a_missing_one(tertium, example):
    (example / "one.txt").write_text("a\n")
    assert "only one segment" in tertium("compare", "a=one.txt", "b=one.txt", "-r", "one.txt").err
    assert "only one segment" in tertium("score", "one.txt", "-r", "one.txt", "--confidence").err
    assert tertium("compare", "north.txt", "one.txt", "-r", "ref.txt").code == 1


def test_help_fits_and_has_examples(tertium):
    result = tertium("compare", "--help")
    assert "Examples:" in result.out


def test_report_and_plot_are_written(tertium, example):
    (example / "source.txt").write_text("".join(f"Quelle {i}\n" for i in range(40)))
    result = tertium(
        *CALL, "--documents", "docs.txt", "--source", "source.txt", "--report", "page.html", "--plot", "scores.svg",
        "--samples", "100",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    assert "south   north    BLEU" in result.out
    page = (example / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "40 segments in 10 documents" in page
    assert "--source source.txt" in page
    assert (example / "scores.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_pages_and_pictures_leave_out_what_all_names_share(tertium, example):
    for name in ("north", "south"):
        (example / f"hyp.{name}.txt").write_bytes((example / f"{name}.txt").read_bytes())
    marked = {"start": 0, "end": 3, "severity": "major", "text": "The"}
    scores = {f"hyp.{name}.txt": [{"COMET": 0.5, "errors": [marked]}] * 40 for name in ("north", "south")}
    (example / "x.json").write_text(json.dumps(scores))
    call = ["compare", "hyp.north.txt", "hyp.south.txt", "-r", "ref.txt", "--scores", "x.json", "--samples", "50"]
    result = tertium(*call, "--documents", "docs.txt", "--report", "page.html", "--plot", "scores.svg")
    assert result.code == 0, result.err
    page = (example / "page.html").read_text(encoding="utf-8")
    assert "<h1><bdi>north</bdi>, <bdi>south</bdi> compared</h1>" in page
    assert 'id="marker"' in page  # errors are found under the names of files, and shown
    assert "hyp." not in page.replace("hyp.north.txt hyp.south.txt", "")  # but for the command
    assert "hyp." not in (example / "scores.svg").read_text(encoding="utf-8")
    assert "hyp.south" in tertium(*call, "--format", "json").out


def test_report_of_several_runs_and_imported_scores(tertium, example):
    write_scores(
        example,
        [*HEADER, *(row for run in ("a#1", "a#2", "b#1", "b#2") for row in comet(run, better=0.1 * (run[0] == "a")))],
    )
    result = tertium(
        "compare", "a=north.txt", "a=north.txt", "b=south.txt", "b=north.txt", "-r", "ref.txt", "-m", "ter",
        "--scores", "scores.tsv", "--report", "page.html", "--samples", "100",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    page = (example / "page.html").read_text(encoding="utf-8")
    assert "2 runs per system" in page
    assert "Median run" in page
    assert "comet" in page


def test_a_system_and_its_copy_on_a_page(tertium, example):
    result = tertium(
        "compare", "a=north.txt", "b=north.txt", "-r", "ref.txt", "--report", "page.html", "--plot", "p.svg"
    )
    assert result.code == 0
    assert "0 of 3 differences are significant" in " ".join((example / "page.html").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--source", "short.txt", "--report", "page.html"], 1, "but short.txt has 1"),
        (["--source", "missing.txt", "--report", "page.html"], 1, "missing.txt cannot be read"),
        (["--plot", "scores.pdf"], 1, "must end in .svg or .png"),
        (["--report", "nowhere/page.html"], 1, "there is no directory"),
        (["--report", "same", "--output", "same"], 2, "must name different files"),
        (["--report", "north.txt"], 1, "north.txt cannot be written: the command reads it"),
        (["--report", "page.txt"], 1, "page.txt must end in .html"),
        (["--alpha", "5"], 1, "--alpha, the level must be a number between 0 and 1"),
        (["--alpha", "1e-320"], 1, "--alpha, the level must be a number between 0 and 1"),
        (["--alpha", "0.99999999999999999"], 1, "--alpha, the level must be a number between 0 and 1"),
        (["--seed", str(2**64)], 1, "seed must be a whole number"),
    ],
)
def test_what_reports_and_plots_refuse(tertium, example, more, code, message):
    (example / "short.txt").write_text("one\n")
    before = {path.name for path in example.iterdir()}
    result = tertium(*CALL, *more)
    assert result.code == code
    assert message in result.err
    assert {path.name for path in example.iterdir()} == before


def test_a_report_tells_of_segments_that_bleu_cannot_score(tertium, example):
    """A perfect translation of two words scores 0 then, and would be shown as the worse one."""
    for name in ("north", "south", "ref"):
        (example / f"{name}.txt").write_text("".join(f"{line}\n" for line in (*REFERENCE[1:], "Yes .")))
    result = tertium(*CALL, "-m", "bleu", "--samples", "50", "--report", "page.html")
    said = "bleu: 1 segment is shorter than 4 tokens and scores 0 whatever it says."
    assert said in result.err
    assert (example / "page.html").read_text().count(said) == 2
    quiet = tertium(*CALL, "-m", "bleu:effective_order=true", "--samples", "50", "--report", "page.html")
    assert quiet.err == ""
    assert "scores 0 whatever" not in (example / "page.html").read_text()


def test_like_sacrebleu_says_where_ter_is_another(tertium, example):
    said = "ter is not sacreBLEU's TER, so its p-value is not either: say -m ter:variant=sacrebleu."
    assert said in tertium(*CALL, "--like", "sacrebleu", "--samples", "50").err
    assert tertium(*CALL, "--like", "sacrebleu", "--samples", "50", "-m", "ter:variant=sacrebleu").err == ""


def _flat(text):
    return " ".join(text.split())


def test_tests_that_can_find_nothing_say_so(tertium, example):
    assert "nothing can be significant: give more --samples." in _flat(tertium(*CALL, "--samples", "10").out)
    assert "nothing can be significant" not in tertium(*CALL, "--samples", "100").out
    for name in ("north", "south", "ref"):
        lines = (example / f"{name}.txt").read_text().splitlines()[:4]
        (example / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    assert "can be below 0.12, so nothing can be significant: give more segments." in _flat(
        tertium(*CALL, "-m", "chrf").out
    )


def test_very_many_trials_have_more_decimals(tertium, example):
    out = tertium(*CALL, "-m", "chrf", "--samples", "100000", "--report", "page.html").out
    assert "↓ 0.00001" in out
    assert "↓</abbr> 0.00001" in (example / "page.html").read_text()


def test_source_without_a_report_is_mentioned(tertium, example):
    result = tertium(*CALL, "--source", "ref.txt", "--samples", "50")
    assert result.code == 0
    assert "--source is shown by a report only" in result.err


def test_sources_of_xml_follow_its_ids(tertium, example):
    segments = "".join(f'<seg id="{i}">s{i}</seg>' for i in (1, 2, 3))
    both = "".join(
        f"<hyp system='{name}'>" + "".join(f'<seg id="{i}">word {i} {name}</seg>' for i in (1, 2, 3)) + "</hyp>"
        for name in ("a", "b")
    )
    reference = "<ref>" + "".join(f'<seg id="{i}">word {i} a</seg>' for i in (1, 2, 3)) + "</ref>"
    (example / "set.xml").write_text(
        f"<dataset><doc id='d'><src lang='x'>{segments}</src>{reference}{both}</doc></dataset>"
    )
    result = tertium(
        "compare", "set.xml", "-r", "set.xml", "--source", "set.xml", "--report", "page.html", "--samples", "50",
        "--quiet",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")


def test_scores_alone(tertium, example):
    write_scores(example, [*HEADER, *comet("north"), *comet("south", better=0.2)])
    found = json.loads(tertium("compare", "--scores", "scores.tsv", "--format", "json").out)
    assert [one["system"] for one in found["scores"]] == ["north", "south"]
    assert found["comparisons"][0]["difference"] == pytest.approx(0.2)
    by_document = tertium("compare", "--scores", "scores.tsv", "--documents", "docs.txt", "--unit", "document")
    assert "bootstrap over documents" in by_document.out
    assert tertium("compare").code == 2
    for words in (("-m", "bleu"), ("-r", "ref.txt"), ("--report", "x.html")):
        assert "there are no texts" in tertium("compare", "--scores", "scores.tsv", *words).err


def test_systems_that_the_scores_call_otherwise(tertium, example):
    write_scores(example, [*HEADER, *comet("n"), *comet("s")])
    assert (
        "has no score of north, south, but of n, s. Name systems as it does"
        in tertium(*CALL, "--scores", "scores.tsv").err
    )


def test_perceptible(tertium, example):
    found = json.loads(tertium(*CALL, "--perceptible", "--format", "json", "--samples", "200").out)["comparisons"]
    assert found[0]["people_agree"] == pytest.approx(88.3, abs=0.1)
    assert (found[2]["people_agree"], found[2]["people_agree_note"]) == (None, "no curve is published for ter")
    shown = tertium(*CALL, "--perceptible", "--samples", "200").out
    assert "88 %" in shown
    assert "Note: ter: no curve is published for ter." in shown
    tertium(*CALL, "--perceptible", "--samples", "200", "--report", "page.html")
    assert "People agree" in (example / "page.html").read_text()

"""The tables of a shared task: what mt-metrics-eval computes on an invented test set in the layout of WMT 2023."""

import csv
import json

import pytest

from oracles.wmt import ORACLE, needs_oracle
from tertium.meta.conventions import CONVENTIONS, named_references

LAYOUT = ORACLE / "wmt23-layout"
METHODS = {"accuracy": "pairwise-accuracy", "pearson": "pearson", "KendallWithTiesOpt": "acc-eq",
           "pce": "soft-pairwise-accuracy"}  # fmt: skip
FLOAT32 = 0.0003  # of mt-metrics-eval's sums behind soft pairwise accuracy


def test_which_outputs_are_systems():
    outputs = ["A", "refA", "refB", "synthetic_ref"]
    assert CONVENTIONS["wmt23", "en-de"].systems(outputs, ["refA", "refB"]) == ("A",)
    assert CONVENTIONS["wmt23", "he-en"].systems(outputs, ["refA", "refB"]) == ("A", "refA", "synthetic_ref")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BLEU-refA", ("BLEU", ("refA",))),
        ("COMET-refA.refB", ("COMET", ("refA", "refB"))),
        ("MetricX-23-QE-src", ("MetricX-23-QE", ())),
        ("chrF-synthetic_ref", ("chrF", ("synthetic_ref",))),
        ("chrF-all", ("chrF", ("refA", "refB", "synthetic_ref"))),
        ("my-metric", ("my-metric", None)),
    ],
)
def test_what_a_metric_looked_at(name, expected):
    assert named_references(name, ["refA", "refB", "synthetic_ref"]) == expected


def rows(name, test_set):
    with (LAYOUT / "expected" / name).open() as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["set"] == test_set]


def plain(metric):
    return metric.removesuffix("[noref]").lstrip("*_")


@pytest.mark.slow
@needs_oracle
@pytest.mark.parametrize(
    ("test_set", "tasks", "kind", "pairs"),
    [
        ("wmt23-full", "wmt23", "mqm", ["en-de", "he-en", "zh-en"]),
        ("wmt23-da-sqm", "wmt23", "da-sqm", ["en-de", "he-en", "zh-en"]),
        ("wmt23-two-pairs", "wmt23", "mqm", ["en-de", "zh-en"]),
        ("wmt24-full", "wmt24", "mqm", ["en-de", "he-en", "zh-en"]),
    ],
)
def test_the_tables_are_those_of_mt_metrics_eval(test_set, tasks, kind, pairs, tertium):
    result = tertium("rank", LAYOUT.resolve() / "wmt23", *pairs, "--tasks", tasks, "--kind", kind, "--format", "json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    names = [(task["method"], task["level"], ",".join(task["pairs"])) for task in found["tasks"]]
    ours = {one["metric"]: one for one in found["averages"]}
    compared = 0
    for row in rows("tasks.tsv", test_set):
        # A system that a metric did not score counts as 0 there.
        if plain(row["metric"]) in ours and plain(row["metric"]) != "SynthScore":
            level = {"sys": "system", "seg": "segment"}[row["level"]]
            place = names.index((METHODS[row["corr_fcn"]], level, row["lang"]))
            reach = FLOAT32 if row["corr_fcn"] == "pce" else 1e-9
            assert ours[plain(row["metric"])]["values"][place] == pytest.approx(float(row["value"]), abs=reach), row
            compared += 1
    averages = {plain(row["metric"]): float(row["average"]) for row in rows("average.tsv", test_set)}
    assert averages.keys() - {"SynthScore"} == ours.keys() - {"SynthScore"}
    for metric in averages.keys() - {"SynthScore"}:
        assert ours[metric]["average"] == pytest.approx(averages[metric], abs=FLOAT32)
    assert compared == len(found["tasks"]) * (len(averages) - ("SynthScore" in averages))


@needs_oracle
@pytest.mark.slow
@pytest.mark.parametrize("year", ["wmt23", "wmt24"])
def test_clusters_of_the_average_are_those_of_mt_metrics_eval(year, tertium):
    with (LAYOUT / "expected" / "significance.json").open() as file:
        expected = json.load(file)[year]["average"]
    primary = ",".join(["eBLEU", "BLEU", *map(plain, expected["metrics"])])
    result = tertium(
        "rank", LAYOUT.resolve() / "wmt23", "en-de", "he-en", "zh-en", "--tasks", year, "--like", year,
        "--kind", "mqm", "--metrics", primary, "--format", "json",
    )  # fmt: skip
    assert result.code == 0, result.err
    found = json.loads(result.out)
    names = [plain(name) for name in expected["metrics"]]
    assert [one["metric"] for one in found["averages"]] == names
    assert [one["rank"] for one in found["averages"]] == expected["ranks"]
    for i, better in enumerate(names):
        for j, worse in enumerate(names[i + 1 :], i + 1):
            theirs = expected["p_values"][i][j]  # of 200 trials
            reach = 4 * (max(theirs, 0.01) * (1 - theirs) / 200) ** 0.5
            assert found["matrix"][better][worse] == pytest.approx(theirs, abs=reach)


@needs_oracle
@pytest.mark.parametrize(("pair", "kind"), [("en-de", "mqm"), ("zh-en", "mqm"), ("en-de", "da-sqm")])
def test_coefficients_are_those_of_mt_metrics_eval(pair, kind, tertium):
    """Pearson's of differences, in the settings of the tasks; other coefficients are in the tables above."""
    result = tertium(
        "correlate", LAYOUT.resolve() / "wmt23", pair, "--kind", kind, "--method", "pearson-pdp", "--interval", "none",
        "--outliers", "synthetic_ref", "--format", "json",
    )  # fmt: skip
    assert result.code == 0, result.err
    ours = {one["metric"]: one["value"] for one in json.loads(result.out)["correlations"]}
    with (LAYOUT / "expected" / "correlations.tsv").open() as file:
        theirs = {
            row["metric"]: float(row["value"])
            for row in csv.DictReader(file, delimiter="\t")
            if (row["lp"], row["setting"], row["gold"], row["stat"]) == (pair, "std", kind, "pearson-pdp")
            and not row["metric"].startswith("SynthScore")  # which lacks a system: 0 there
        }
    assert theirs
    assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=1e-12)

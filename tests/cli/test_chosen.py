"""Systems, metrics and references that are chosen by option, several language pairs at once, and domains."""

import json

import numpy as np
import pytest

PAIRS = ("en-de", "he-en")
DOMAINS = ["news"] * 6 + ["social"] * 6
SYSTEMS = ("a", "b", "c", "d", "e", "odd")


def made_folder(folder):
    """Two language pairs with two references, an outlier, and metrics with and without reference."""
    rng = np.random.default_rng(7)
    for kind in ("sources", "documents", "references", "human-scores"):
        (folder / kind).mkdir(parents=True)
    for pair in PAIRS:
        (folder / "sources" / f"{pair}.txt").write_text("text\n" * 12)
        (folder / "documents" / f"{pair}.docs").write_text("".join(f"{one}\t{one}-1\n" for one in DOMAINS))
        for name in ("refA", "refB"):
            (folder / "references" / f"{pair}.{name}.txt").write_text("text\n" * 12)
        outputs = folder / "system-outputs" / pair
        outputs.mkdir(parents=True)
        human = {}
        for k, name in enumerate((*SYSTEMS, "refA", "refB")):
            (outputs / f"{name}.txt").write_text("text\n" * 12)
            human[name] = k / 2 + rng.normal(size=12)
        write(folder / "human-scores" / f"{pair}.mqm.seg.score", human)
        scores = folder / "metric-scores" / pair
        scores.mkdir(parents=True)
        for metric, noise in (
            ("good-refA", 0.3),
            ("good-refB", 0.4),
            ("fair-src", 1),
            ("poor-refA", 3),
            ("poor-refB", 3),
        ):
            found = {name: one + noise * rng.normal(size=12) for name, one in human.items()}
            write(scores / f"{metric}.seg.score", found)
    return folder


def write(path, scores):
    path.write_text("".join(f"{name}\t{value}\n" for name, values in scores.items() for value in values))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made_folder(tmp_path_factory.mktemp("sets") / "mini")


def systems_of(result):
    assert result.code == 0, result.err
    return set(json.loads(result.out)["systems"])


def test_systems_by_name_by_pair_and_by_file(folder, tertium, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("# ours\na\nhe-en=b\nen-de=c,d\n")
    command = ("correlate", folder, "en-de", "--format", "json")
    assert systems_of(tertium(*command)) == set(SYSTEMS)
    assert systems_of(tertium(*command, "--systems", "a,b,refA")) == {"a", "b", "refA"}
    assert systems_of(tertium(*command, "--systems", f"@{names}")) == {"a", "c", "d"}
    assert systems_of(tertium(*command, "--outliers", "odd", "--outliers", "he-en=a")) == set(SYSTEMS) - {"odd"}
    assert systems_of(tertium(*command, "--humans", "all")) == {*SYSTEMS, "refB"}  # refA is in use
    assert systems_of(tertium(*command, "--humans")) == {*SYSTEMS, "refB"}
    assert systems_of(tertium(*command, "--humans", "all", "--reference-of", "en-de=refB")) == {*SYSTEMS, "refA"}


def test_metrics_by_name_with_or_without_their_reference(folder, tertium):
    def metrics(*options):
        result = tertium("correlate", folder, "en-de", "--format", "json", *options)
        assert result.code == 0, result.err
        return {one["metric"] for one in json.loads(result.out)["correlations"]}

    assert metrics() == {"good-refA", "good-refB", "fair-src", "poor-refA", "poor-refB"}
    assert metrics("--metrics", "good,fair-src") == {"good-refA", "good-refB", "fair-src"}
    assert metrics("--metrics", "good-refB") == {"good-refB"}
    assert metrics("--reference-of", "en-de=refB") == {"good", "fair", "poor"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--systems", "z"], "'z'"),
        (["--metrics", "bleu"], "'bleu'"),
        (["--reference-of", "en-de=refC"], "'refC'"),
        (["--reference-of", "refB"], "he-en=refB"),
        (["--outliers", ",".join(SYSTEMS)], "No system"),
        (["--humans", "en-de"], "'en-de'"),
        (["--metrics", ","], "names nothing"),
    ],
)
def test_what_is_not_there_is_refused(options, words, folder, tertium):
    result = tertium("correlate", folder, "en-de", *options)
    assert result.code == 1
    assert words in result.err


def test_files_have_no_references_to_choose(tertium, tmp_path):
    scores, judgments = tmp_path / "scores.tsv", tmp_path / "human.tsv"
    rows = [(name, i + 1, (k * 7 + i * 3) % 5) for k, name in enumerate("abc") for i in range(6)]
    scores.write_text("system\tsegment\tmetric\tscore\n" + "".join(
        f"{name}\t{i}\t{metric}\t{value + add}\n" for name, i, value in rows for metric, add in (("m", 1), ("n", i % 2))
    ))  # fmt: skip
    judgments.write_text("system\tsegment\tkind\tscore\n" + "".join(f"{n}\t{i}\tda\t{v + i % 2}\n" for n, i, v in rows))
    command = ("correlate", "--scores", scores, "--judgments", judgments, "--format", "json")
    found = tertium(*command, "--systems", "a,b", "--metrics", "n")
    assert systems_of(found) == {"a", "b"}
    assert "Left out as chosen: c." in found.err
    assert {one["metric"] for one in json.loads(found.out)["correlations"]} == {"n"}
    assert systems_of(tertium(*command, "--outliers", "a")) == {"b", "c"}
    assert "FOLDER" in tertium(*command, "--humans", "all").err
    assert "FOLDER" in tertium(*command, "--by-domain").err
    assert tertium(*command, "--systems", "z").code == 1


def test_several_pairs_are_those_pairs_side_by_side(folder, tertium):
    alone = {}
    for pair in PAIRS:
        result = tertium("correlate", folder, pair, "--reference-of", f"{pair}=refA", "--format", "json")
        alone |= {(pair, one["metric"]): one["value"] for one in json.loads(result.out)["correlations"]}
    result = tertium("correlate", folder, *PAIRS, "--format", "json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert {(one["part"], one["metric"]): one["value"] for one in found["correlations"]} == alone
    means = {one["metric"]: one["value"] for one in found["averages"]}
    assert means["good"] == pytest.approx(np.mean([alone[pair, "good"] for pair in PAIRS]))
    table = tertium("correlate", folder, *PAIRS).out
    assert "en-de" in table
    assert "average" in table
    rows = tertium("correlate", folder, *PAIRS, "--format", "tsv").out.splitlines()
    assert len(rows) == 1 + 2 * 3 + 3


def test_domains_are_test_sets_of_their_own(folder, tertium):
    result = tertium("correlate", folder, "en-de", "--by-domain", "--level", "system", "--format", "json")
    assert result.code == 0, result.err
    found = {(one["part"], one["metric"]): one["value"] for one in json.loads(result.out)["correlations"]}
    assert {part for part, _ in found} == {"news", "social"}

    def means(path, where):
        rows = [line.split("\t") for line in (folder / path).read_text().splitlines()]
        return [np.mean([float(value) for name, value in rows if name == system][where]) for system in SYSTEMS]

    for domain, where in (("news", slice(0, 6)), ("social", slice(6, 12))):
        human = means("human-scores/en-de.mqm.seg.score", where)
        ours = means("metric-scores/en-de/good-refA.seg.score", where)
        assert found[domain, "good-refA"] == pytest.approx(np.corrcoef(ours, human)[0, 1])


def test_ranks_over_several_pairs_are_of_the_average(folder, tertium, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "ranks.svg"
    result = tertium(
        "rank", folder, *PAIRS, "--samples", "200", "--format", "json", "--report", page, "--plot", picture
    )
    assert result.code == 0, result.err
    found = json.loads(result.out)
    best = found["averages"][0]
    assert (best["metric"], best["rank"], best["best"]) == ("good", 1, 1)
    assert best["low"] < best["average"] < best["high"]
    assert best["average"] == pytest.approx(np.mean(best["values"]))
    assert found["matrix"]["good"]["poor"] < 0.05
    assert found["test"]["test"] == "two-sided"
    assert "good" in page.read_text()
    assert "</svg>" in picture.read_text()
    assert "Places" in tertium("rank", folder, *PAIRS, "--samples", "50").out
    assert tertium("rank", folder, *PAIRS, "--average").code == 1
    assert tertium("rank", folder, *PAIRS, "--stop-early").code == 1


def test_systems_without_texts(tertium, tmp_path):
    """WMT's scores of systems, by people and by metrics, are all there is."""
    human, ours, other = (tmp_path / name for name in ("ad-sys-scores-en-de.csv", "m.sys.score", "n.sys.score"))
    scores = {"a": (71.5, 0.2), "b": (65.25, 0.1), "c": (80.0, 0.31), "d": (50.0, -0.4), "e": (61.0, 0.02)}
    human.write_text("RAW.SCR Z.SCR N SYS\n" + "".join(f"{raw} {z} 100 {name}\n" for name, (raw, z) in scores.items()))
    ours.write_text("".join(f"{name}\t{z * 2 + 1}\n" for name, (_, z) in scores.items()))
    other.write_text("".join(f"n en-de newstest2020 ref {name} {raw}\n" for name, (raw, _) in scores.items()))
    command = ("--scores", ours, "--scores", other, "--judgments", human, "--kind", "DA-z", "--level", "system")
    result = tertium("correlate", *command, "--format", "json")
    assert result.code == 0, result.err
    found = {one["metric"]: one for one in json.loads(result.out)["correlations"]}
    assert found["m"]["value"] == pytest.approx(1)
    assert found["n"]["value"] == pytest.approx(np.corrcoef(*zip(*scores.values(), strict=True))[0, 1])
    assert tertium("rank", *command, "--samples", "50").code == 0
    refused = tertium("compare", "--scores", ours)
    assert refused.code == 1
    assert "scores of whole systems only" in refused.err


def test_a_pair_that_is_not_looked_at_is_told_of(folder, tertium):
    other = tertium("correlate", folder, "en-de", "--reference-of", "he-en=refB", "--samples", "20")
    assert other.code == 0
    assert "he-en=refB says nothing here: only en-de was asked for." in other.err
    for option, value in (("--reference-of", "ha-en=refB"), ("--outliers", "ha-en=odd"), ("--metrics", "ha-en=good")):
        result = tertium("rank", folder, "en-de", "he-en", option, value)
        assert result.code == 1
        assert "No language pair of the folder is called 'ha-en'" in result.err


def test_no_reference_is_scored_against_itself(folder, tertium):
    result = tertium("correlate", folder, "en-de", "--systems", "a,b,c,refA", "-m", "chrf", "--level", "system")
    assert result.code == 1
    assert "refA is the reference of en-de: -m would score it against itself" in result.err
    other = tertium("correlate", folder, "en-de", "--systems", "a,b,c,refA", "--level", "system")
    assert other.code == 0, other.err

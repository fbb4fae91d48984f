"""`tertium score` on shards and `tertium merge`: the scores of one file, whatever it is cut into; all that is refused."""

import json

import numpy as np
import pytest

import tertium as library
from tertium import BLEU, CHRF

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

WORDS = ["north", "wind", "and", "sun", "were", "arguing", "who", "is", "stronger", "traveller", "cloak"]
COUNT = 60


def sentences(seed, count=COUNT):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(2, 12))) for _ in range(count)]


REFERENCES = sentences(1)
SYSTEMS = {
    name: [" ".join(text.split()[: 2 + k]) + " sun" for k, text in zip([3, 9] * 30, REFERENCES, strict=True)]
    for name in ("a",)
} | {"b": sentences(2)}
METRICS = ("-m", "bleu", "-m", "chrf")


@pytest.fixture(autouse=True)
def _shards(tmp_path):
    """Three shards: both systems side by side (wide), and one below the other with ids (long)."""
    (tmp_path / "wide").mkdir()
    (tmp_path / "long").mkdir()
    for k, begin in enumerate((0, 7, 40)):
        end = (7, 40, COUNT)[k]
        ids = [f"s{i}" for i in range(begin, end)]
        wide = {"id": ids, "ref": REFERENCES[begin:end]} | {name: texts[begin:end] for name, texts in SYSTEMS.items()}
        parquet.write_table(pa.table(wide), tmp_path / "wide" / f"part-{k}.parquet")
        turned = list(reversed(range(begin, end)))  # another order for b
        long = {
            "id": [*ids, *(f"s{i}" for i in turned)],
            "system": ["a"] * len(ids) + ["b"] * len(ids),
            "hyp": SYSTEMS["a"][begin:end] + [SYSTEMS["b"][i] for i in turned],
            "ref": REFERENCES[begin:end] + [REFERENCES[i] for i in turned],
        }
        parquet.write_table(pa.table(long), tmp_path / "long" / f"part-{k}.parquet")


def expected(label="bleu"):
    scores = library.score({"bleu": BLEU(), "chrf": CHRF()}, SYSTEMS, REFERENCES)
    return {system: found[label] for system, found in scores.corpus.items()}


def found(result, label="bleu"):
    assert result.code == 0, result.err
    return {one["system"]: one["score"] for one in json.loads(result.out)["scores"] if one["metric"] == label}


def wide(tertium, *more):
    return tertium("score", "wide/*.parquet:a", "wide/*.parquet:b", "-r", "wide/*.parquet:ref", *METRICS, *more)


def long(tertium, *more):
    return tertium("score", "long/*.parquet:hyp", "-r", "long/*.parquet:ref", "--by", "system", *METRICS, *more)


@pytest.mark.parametrize("layout", [wide, long])
@pytest.mark.parametrize("label", ["bleu", "chrf"])
def test_shards_have_the_scores_of_the_whole(tertium, layout, label):
    result = layout(tertium, "--format", "json")
    assert found(result, label) == expected(label)
    assert {one["segments"] for one in json.loads(result.out)["scores"]} == {COUNT}


def test_plain_texts_and_names(tertium, tmp_path):
    for k in range(2):
        half = slice(k * 30, (k + 1) * 30)
        (tmp_path / f"hyp.{k}.txt").write_text("".join(f"{t}\n" for t in SYSTEMS["a"][half]), encoding="utf-8")
        (tmp_path / f"ref.{k}.txt").write_text("".join(f"{t}\n" for t in REFERENCES[half]), encoding="utf-8")
    result = tertium("score", "mine=hyp.*.txt", "-r", "ref.*.txt", "-m", "bleu", "--format", "json")
    assert found(result) == {"mine": expected()["a"]}


@pytest.mark.parametrize(("layout", "more"), [(wide, ()), (wide, ("--id", "id")), (long, ("--id", "id")), (long, ())])
def test_merged_rows_have_the_same_scores_and_intervals(tertium, layout, more):
    at_once = layout(tertium, *more, "--confidence", "--format", "json")
    for k in (1, 2, 3):
        assert layout(tertium, *more, "--shard", f"{k}/3", "--rows", f"rows-{k}.parquet", "--quiet").code == 0
    merged = tertium("merge", "rows-*.parquet", "--confidence", "--format", "json")
    assert found(merged) == expected()
    by_name = [sorted(json.loads(r.out)["scores"], key=str) for r in (merged, at_once)]
    assert by_name[0] == by_name[1]
    assert all(one["low"] < one["score"] < one["high"] for one in by_name[0])


def test_tests_are_paired_by_id_whatever_the_order(tertium):
    assert wide(tertium, "--id", "id", "--rows", "wide.parquet").code == 0
    assert long(tertium, "--id", "id", "--rows", "long.parquet").code == 0
    results = [
        json.loads(tertium("merge", f"{name}.parquet", "--compare", "--format", "json").out)
        for name in ("wide", "long")
    ]
    assert results[0]["comparisons"] == results[1]["comparisons"]
    one = results[0]["comparisons"][0]
    assert one["difference"] == expected()["b"] - expected()["a"]
    assert one["significant"]
    assert "poisson" in results[0]["test"]["signature"]


def test_rows_hold_the_statistics(tertium):
    assert wide(tertium, "--id", "id", "--rows", "rows.parquet").code == 0
    table = parquet.read_table("rows.parquet").to_pylist()
    rows = BLEU().statistics(SYSTEMS["b"], REFERENCES)
    ours = [one for one in table if one["system"] == "b"]
    assert [one["id"] for one in ours] == [f"s{i}" for i in range(COUNT)]
    assert [[one[f"bleu.{name}"] for name in BLEU().columns] for one in ours] == rows.tolist()


def test_nulls_are_left_out_and_told(tertium, tmp_path):
    table = pa.table(
        {"hyp": ["a b c d", None, "a b c x"], "ref": ["a b c d", "x", None], "two": [None, "y", "a b c d"]}
    )
    parquet.write_table(table, tmp_path / "nulls.parquet")
    result = tertium(
        "score",
        "nulls.parquet:hyp",
        "-r",
        "nulls.parquet:ref",
        "--rows",
        "rows.parquet",
        "-m",
        "bleu",
        "--format",
        "json",
    )
    assert found(result) == {"hyp": pytest.approx(100)}
    assert json.loads(result.out)["scores"][0]["segments"] == 1
    assert "2 segments have a null for a text and no score: the first is row 2 of nulls.parquet" in result.err
    assert "2 segments have a null" in tertium("merge", "rows.parquet").err
    result = tertium(
        "score", "nulls.parquet:hyp", "-r", "nulls.parquet:ref", "-r", "nulls.parquet:two", "--id", "two", "-m", "bleu"
    )
    assert result.code == 1  # an id must not be null
    assert "nulls.parquet:two[0] is null" in result.err
    result = tertium("score", "nulls.parquet:hyp", "-r", "nulls.parquet:ref", "-m", "bleu")
    assert "nulls.parquet:hyp[1] is null" in result.err  # one file is scored whole or not at all


def test_nist_learns_from_all_shards(tertium):
    arguments = ("wide/*.parquet:a", "-r", "wide/*.parquet:ref", "-m", "nist", "--format", "json")
    whole = library.score("nist", {"a": SYSTEMS["a"]}, REFERENCES).corpus["a"]["nist"]
    assert found(tertium("score", *arguments), "nist") == {"a": pytest.approx(whole, rel=1e-12)}
    for k in (1, 2):
        assert tertium("score", *arguments, "--shard", f"{k}/2", "--rows", f"rows-{k}.parquet").code == 0
    assert found(tertium("merge", "rows-*.parquet", "--format", "json"), "nist") == {
        "a": pytest.approx(whole, rel=1e-12)
    }
    for k in (0, 1):
        one = (
            "score",
            f"wide/part-{k}.parquet:a",
            "-r",
            f"wide/part-{k}.parquet:ref",
            "-m",
            "nist",
            "--rows",
            f"own-{k}.parquet",
        )
        assert tertium(*one).code == 0
    result = tertium("merge", "own-*.parquet")
    assert result.code == 1
    assert "NIST must learn from all references" in result.err


# --- what is refused ----------------------------------------------------------------------------------------


def rows_of(tertium, name, *arguments):
    result = tertium("score", *arguments, "--rows", name, "--quiet")
    assert result.code == 0, result.err


def test_other_signatures_are_refused(tertium):
    one, two = (
        ("wide/part-0.parquet:a", "-r", "wide/part-0.parquet:ref"),
        ("wide/part-1.parquet:a", "-r", "wide/part-1.parquet:ref"),
    )
    rows_of(tertium, "one.parquet", *one, "-m", "bleu")
    rows_of(tertium, "two.parquet", *two, "-m", "bleu:lowercase=true")
    rows_of(tertium, "three.parquet", *two, "-m", "chrf")
    result = tertium("merge", "one.parquet", "three.parquet")
    assert (result.code, result.out) == (1, "")
    assert "one.parquet has rows of bleu, but three.parquet of chrf" in result.err
    rows_of(tertium, "named.parquet", *two, "-m", "bleu", "--id", "id")
    assert (
        "calls segments by their row in the shard, but named.parquet by the column 'id'"
        in tertium("merge", "one.parquet", "named.parquet").err
    )


def test_other_settings_under_one_label_are_refused(tertium, tmp_path):
    arguments = ("wide/part-0.parquet:a", "-r", "wide/part-0.parquet:ref", "-m", "bleu")
    rows_of(tertium, "one.parquet", *arguments)
    table = parquet.read_table("one.parquet")
    metadata = (
        parquet.read_metadata("one.parquet")
        .metadata[b"tertium"]
        .replace(b"lowercase=false", b"lowercase=true")
        .replace(b"part-0", b"part-1")
    )
    parquet.write_table(table.replace_schema_metadata({b"tertium": metadata}), tmp_path / "two.parquet")
    result = tertium("merge", "one.parquet", "two.parquet")
    assert "one.parquet and two.parquet have rows of different metrics called bleu" in result.err
    assert "lowercase=true" in result.err


def test_overlapping_segments_are_refused(tertium):
    one = ("wide/part-0.parquet:a", "-r", "wide/part-0.parquet:ref", "-m", "bleu")
    rows_of(tertium, "one.parquet", *one)
    rows_of(tertium, "two.parquet", *one)
    assert (
        "one.parquet and two.parquet both hold the rows of part-0.parquet"
        in tertium("merge", "one.parquet", "two.parquet").err
    )
    assert "given twice" in tertium("merge", "one.parquet", "one.parquet").err
    rows_of(tertium, "ids-1.parquet", *one, "--id", "id")
    rows_of(tertium, "ids-2.parquet", *one, "--id", "id")
    result = tertium("merge", "ids-1.parquet", "ids-2.parquet")
    assert (
        "7 segments of 'a' are there twice, with the same id: the first in ids-1.parquet and ids-2.parquet"
        in result.err
    )


def test_missing_shards_are_refused(tertium, tmp_path):
    wide(tertium, "--shard", "1/3", "--rows", "rows-1.parquet")
    wide(tertium, "--shard", "3/3", "--rows", "rows-3.parquet")
    assert "of 3 shares, 1 are missing (2/3)" in tertium("merge", "rows-1.parquet", "rows-3.parquet").err
    for k in range(3):
        (tmp_path / "wide" / f"part-{k}.parquet").rename(tmp_path / "wide" / f"train-0000{k}-of-00003.parquet")
    arguments = ("wide/train-0000[02]*.parquet:a", "-r", "wide/train-0000[02]*.parquet:ref", "-m", "bleu")
    rows_of(tertium, "some.parquet", *arguments)
    assert "(train-00001-of-00003.parquet)" in tertium("merge", "some.parquet").err


def test_unpaired_systems_are_not_compared(tertium):
    long(tertium, "--rows", "rows.parquet")
    assert "Write the rows with --id COLUMN" in tertium("merge", "rows.parquet", "--compare").err
    rows_of(tertium, "a.parquet", "wide/part-0.parquet:a", "-r", "wide/part-0.parquet:ref", "-m", "bleu")
    assert "There is only one system" in tertium("merge", "a.parquet", "--compare").err
    assert "add --compare" in tertium("merge", "a.parquet", "--baseline", "a").err


def test_what_is_no_file_of_rows(tertium, tmp_path):
    assert "holds no rows of tertium's" in tertium("merge", "wide/part-0.parquet").err
    (tmp_path / "x.parquet").write_bytes(b"PAR1 nonsense")
    assert "is no Parquet file that can be read" in tertium("merge", "x.parquet").err
    assert tertium("merge", "none.parquet").code == 1
    wide(tertium, "--rows", "rows.parquet")
    whole = (tmp_path / "rows.parquet").read_bytes()
    (tmp_path / "rows.parquet").write_bytes(whole[: len(whole) // 2])
    result = tertium("merge", "rows.parquet")
    assert (result.code, result.out) == (1, "")


def test_a_failure_leaves_no_file_of_rows(tertium, tmp_path):
    parquet.write_table(pa.table({"hyp": ["a"] * 3, "ref": ["b"] * 3}), tmp_path / "x-0.parquet")
    parquet.write_table(pa.table({"hyp": ["a"] * 3, "other": ["b"] * 3}), tmp_path / "x-1.parquet")
    result = tertium("score", "x-*.parquet:hyp", "-r", "x-*.parquet:ref", "--rows", "rows.parquet")
    assert result.code == 1
    assert "No column of x-1.parquet is called 'ref'" in result.err
    assert not (tmp_path / "rows.parquet").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--shard", "4/3"), "--shard is written K/N"),
        (("--shard", "1/9"), "There are 3 shards, so 9 machines cannot each have one"),
        (("--by", "system"), "there is one column of hypotheses, but several were given"),
        (("--level", "segment"), "For segments write --rows FILE"),
        (("--confidence", "--interval", "bca"), "Leave out --interval"),
        (("--confidence", "--samples", "0"), "samples must be a whole number from 2"),
        (("--id", "none"), "No column of wide/part-0.parquet is called 'none'"),
        (("--rows", "nowhere/rows.parquet"), "there is no directory nowhere"),
        (("--rows", "wide/part-0.parquet"), "the command reads it"),
        (("--master", "local"), "add --engine spark"),
        (("--documents", "x"), "Shards have no --documents"),
    ],
    ids=str,
)
def test_what_shards_cannot_do(tertium, more, message):
    result = wide(tertium, *more)
    assert (result.code, result.out) == (1, "")
    assert message in result.err


def test_a_system_without_a_name_is_refused(tertium, tmp_path):
    table = {"hyp": ["a", "b", "c"], "ref": ["a", "b", "c"], "system": ["x", "x", ""]}
    parquet.write_table(pa.table(table), tmp_path / "x.parquet")
    result = tertium("score", "x.parquet:hyp", "-r", "x.parquet:ref", "--by", "system", "--rows", "rows.parquet")
    assert (result.code, result.out) == (1, "")
    assert "x.parquet, row 3: system is empty, but the name of a system was expected" in result.err
    assert not (tmp_path / "rows.parquet").exists()


def test_merging_needs_samples(tertium):
    wide(tertium, "--rows", "rows.parquet")
    result = tertium("merge", "rows.parquet", "--confidence", "--samples", "0")
    assert (result.code, result.out) == (1, "")
    assert "samples must be a whole number from 2" in result.err


def test_shards_of_unequal_length_are_refused(tertium, tmp_path):
    for name, lines in (("h-1", 2), ("h-2", 3), ("r-1", 3), ("r-2", 2)):
        (tmp_path / f"{name}.txt").write_text("a b\n" * lines, encoding="utf-8")
    result = tertium("score", "h-*.txt", "-r", "r-*.txt")
    assert "h-1.txt has 2 segments, but r-1.txt has 3" in result.err

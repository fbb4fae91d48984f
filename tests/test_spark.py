"""A real Spark, in this machine's cores: the integers and scores of one process, whatever happens to tasks."""

import json
import os
import shutil
import signal

import numpy as np
import pytest

import tertium
from tertium import BLEU, CHRF, NIST
from tertium.errors import InputError, UnknownNameError
from tertium.significance.keyed import KeyedSums, confidence_of, text_keys

pytest.importorskip("pyspark", reason="SPARK IS NOT TESTED: pyspark is missing (pip install 'tertium[spark]')")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("SPARK IS NOT TESTED: there is no Java (apt install default-jre-headless)", allow_module_level=True)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

WORDS = ["north", "wind", "and", "sun", "were", "arguing", "who", "is", "stronger", "traveller", "cloak"]
SCHEMA = "id int, system string, hyp string, ref string, refs array<string>"


def made(count=120):
    """Return rows of two systems, with nulls on either side."""
    rng = np.random.default_rng(5)
    rows = []
    for i in range(count):
        reference = " ".join(rng.choice(WORDS, rng.integers(2, 12)))
        for system, kept in (("a", 0.9), ("b", 0.6)):
            words = [w if rng.random() < kept else str(rng.choice(WORDS)) for w in reference.split()]
            rows.append([i, system, " ".join(words), reference, [reference, None, "the sun"]])
    rows[7][2] = None
    rows[10][3] = None
    return [tuple(row) for row in rows]


ROWS = made()
PRESENT = [row for row in ROWS if row[2] is not None and row[3] is not None]


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    with tertium.spark.session("local[2,4]") as session:  # a task may fail three times
        session.conf.set("spark.sql.shuffle.partitions", "3")
        session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "17")
        assert SparkSession.getActiveSession() is session
        yield session


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(ROWS, SCHEMA).repartition(5).cache()


def local(metric, system):
    rows = [row for row in PRESENT if row[1] == system]
    return metric.statistics([row[2] for row in rows], [row[3] for row in rows])


def test_scores_are_those_of_one_machine(frame):
    nist = NIST().fitted_to([row[3] for row in ROWS if row[3] is not None])
    found = tertium.spark.score(frame, ["bleu", "chrf", "nist"], by=["system"])
    assert found.nulls == 2
    assert found.system_sizes == {"a": 119, "b": 119}
    assert found.reference_count == 1
    for system in ("a", "b"):
        for metric in (BLEU(), CHRF()):
            totals = local(metric, system).sum(axis=0)
            assert found.totals[system][metric.name].tolist() == totals.tolist()  # the same integers
            assert found.corpus[system][metric.name] == metric.score(totals)
        expected = nist.score(local(nist, system).sum(axis=0))
        assert found.corpus[system]["nist"] == pytest.approx(float(expected), rel=1e-12)
    assert found.signatures["nist"] == nist.signature(1)


def test_lists_are_several_references(frame):
    found = tertium.spark.score(frame, "bleu", references=["refs", "ref"])
    rows = [row for row in ROWS if row[2] is not None]
    groups = [[text for text in (*row[4], row[3]) if text is not None] for row in rows]
    assert found.corpus["bleu"] == tertium.score("bleu", [row[2] for row in rows], groups).corpus["bleu"]
    assert found.nulls == 1
    assert found.reference_count == "var"


def test_statistics_and_sentence_scores(frame):
    found = {(r.id, r.system): r for r in tertium.spark.statistics(frame, "bleu", keep=["id", "system"]).collect()}
    assert len(found) == len(ROWS)
    rows = BLEU().statistics([row[2] for row in PRESENT], [row[3] for row in PRESENT])
    for row, statistics, score in zip(PRESENT, rows, BLEU().score(rows), strict=True):
        one = found[row[0], row[1]]
        assert [one[name] for name in BLEU().columns] == statistics.tolist()
        assert one["score"] == score
    assert sum(one["score"] is None for one in found.values()) == 2


def test_intervals_do_not_depend_on_partitions(spark, frame):
    from pyspark.sql import functions

    skewed = frame.repartition(4, functions.when(functions.col("id") < 110, 0).otherwise(functions.col("id")))
    layouts = [frame, frame.coalesce(1), skewed, frame.orderBy(functions.desc("hyp"))]
    found = [tertium.spark.score(one, "bleu", by="system", id="id", confidence=True, samples=300) for one in layouts]
    assert all(one.confidence == found[0].confidence for one in found)
    with pytest.raises(InputError, match="not the same ones"):
        found[0].compare()  # each system has a null elsewhere
    both = [one.where("id not in (3, 5)") for one in layouts]
    paired = [tertium.spark.score(one, "bleu", by="system", id="id", confidence=True, samples=300) for one in both]
    tests = [one.compare() for one in paired]
    assert all(one.comparisons == tests[0].comparisons for one in tests)
    assert tests[0].of("b", "bleu").significant
    by_text = tertium.spark.score(frame, "bleu", by="system", confidence=True, samples=300)
    sums = KeyedSums({"bleu": 10}, samples=300)
    ours = [row for row in PRESENT if row[1] == "a"]
    keys = text_keys(tertium._native.flat_texts([row[3] for row in ours], "references"))
    sums.add({"bleu": local(BLEU(), "a")}, keys)
    expected = confidence_of({"a": sums}, {"bleu": BLEU()}).of("a", "bleu")
    assert by_text.confidence.of("a", "bleu") == expected


class KilledOnce:
    """Passes batches on; the first process that comes here dies in the middle of a partition."""

    def __init__(self, flag):
        self.flag = flag

    def __call__(self, batches):
        for number, batch in enumerate(batches):
            yield batch
            if number == 1:
                try:
                    os.close(os.open(self.flag, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_counts_nothing_twice(frame, tmp_path):
    import sys

    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    flag = str(tmp_path / "killed")
    dying = frame.mapInArrow(KilledOnce(flag), SCHEMA)
    found = tertium.spark.score(dying, "bleu", by="system", id="id", confidence=True, samples=100)
    assert os.path.exists(flag)
    whole = tertium.spark.score(frame, "bleu", by="system", id="id", confidence=True, samples=100)
    assert found.system_sizes == whole.system_sizes
    assert found.confidence == whole.confidence
    assert {s: t["bleu"].tolist() for s, t in found.totals.items()} == {
        s: t["bleu"].tolist() for s, t in whole.totals.items()
    }


def test_what_is_refused(spark, frame):
    with pytest.raises(UnknownNameError, match="No column is called 'hypp'"):
        tertium.spark.score(frame, "bleu", hypothesis="hypp")
    with pytest.raises(InputError, match="id is a column of int, but string was expected"):
        tertium.spark.score(frame, "bleu", hypothesis="id")
    with pytest.raises(InputError, match="refs is a column of array<string>, but string was"):
        tertium.spark.score(frame, "bleu", hypothesis="refs")
    with pytest.raises(InputError, match="There is no row that can be scored"):
        tertium.spark.score(frame.where("id < 0"), "bleu")
    with pytest.raises(InputError, match="call the one that is kept otherwise"):
        tertium.spark.statistics(frame.withColumnRenamed("id", "score"), "bleu", keep="score")
    with pytest.raises(InputError, match="A data frame of Spark was expected, not a list"):
        tertium.spark.score([], "bleu")
    with pytest.raises(InputError, match=r"On the cluster: id\[\d+\] is null"):
        tertium.spark.score(frame.withColumn("id", frame.id * None), "bleu", id="id", confidence=True)
    with pytest.raises(InputError, match="call score with confidence=True"):
        tertium.spark.score(frame, "bleu", by="system").compare()


def test_the_command_gives_the_numbers_of_a_local_run(spark, tmp_path, monkeypatch, capsys):
    import sys

    import pyarrow
    from pyarrow import parquet

    from tertium.cli.main import main

    monkeypatch.chdir(tmp_path)
    for k in range(3):
        rows = ROWS[k * 80 : (k + 1) * 80]
        columns = {name: [row[i] for row in rows] for i, name in enumerate(("id", "system", "hyp", "ref"))}
        parquet.write_table(pyarrow.table(columns), tmp_path / f"part {k}.parquet")
    results = []
    command = ["score", "part*.parquet:hyp", "-r", "part*.parquet:ref", "--by", "system", "-m", "bleu", "-m", "nist"]
    for more in ([], ["--engine", "spark"]):
        monkeypatch.setattr(sys, "argv", ["tertium", *command, "--confidence", "--format", "json", *more])
        main()
        printed = capsys.readouterr()
        assert "2 segments have a null" in printed.err
        results.append(json.loads(printed.out))
    ours, theirs = ({(one["system"], one["metric"]): one for one in found["scores"]} for found in results)
    for key, one in ours.items():
        assert theirs[key] == {k: pytest.approx(v, rel=1e-12) if isinstance(v, float) else v for k, v in one.items()}
    assert results[0]["metrics"] == results[1]["metrics"]

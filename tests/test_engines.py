"""Batches of Arrow, expressions of Polars, functions of DuckDB: the rows and scores of lists, null for null."""

import numpy as np
import pytest

import tertium
from tertium import BLEU, CHRF, NIST, TER
from tertium.errors import InputError, UnknownNameError

pa = pytest.importorskip("pyarrow")

HYPOTHESES = ["the cat sat on the mat", None, "", "x y z w and more than twelve bytes", "naïve café", "the dog", None]
REFERENCES = ["the cat sat on a mat", "a", "b", "x y z w and more than ten bytes", "naive café", None, None]
SECOND = ["a cat sat on the mat", None, "b c", None, "café", "the dog", None]
SYSTEMS = ["a", "a", "b", "b", "a", "b", "b"]
TABLE = pa.table({"hyp": HYPOTHESES, "ref": REFERENCES, "two": SECOND, "system": SYSTEMS})


def rows_of(metric, references, choose=lambda i: True):
    """Return what lists give: rows of the segments that have both sides."""
    present = [i for i, text in enumerate(HYPOTHESES) if text is not None and references[i] and choose(i)]
    return present, metric.statistics([HYPOTHESES[i] for i in present], [references[i] for i in present])


def groups(*columns):
    return [[text for text in group if text is not None] for group in zip(*columns, strict=True)]


CASES = {"one": (("ref",), groups(REFERENCES)), "two": (("ref", "two"), groups(REFERENCES, SECOND))}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("metric", [BLEU(), CHRF(), TER()], ids=lambda metric: metric.name)
def test_batches(case, metric):
    names, references = CASES[case]
    present, rows = rows_of(metric, references)
    batch = tertium.arrow.statistics(TABLE, metric, references=names)
    assert batch.schema.names == list(metric.columns)
    assert batch.num_rows == len(HYPOTHESES)
    for k, name in enumerate(metric.columns):
        values = batch.column(name).to_pylist()
        assert [values[i] for i in present] == rows[:, k].tolist()
        assert {i for i, value in enumerate(values) if value is None} == set(range(len(HYPOTHESES))) - set(present)
    scores = tertium.arrow.score(TABLE.to_batches()[0], metric.name, references=list(names)).to_pylist()
    assert [scores[i] for i in present] == metric.score(rows).tolist()


def test_batches_refuse():
    with pytest.raises(UnknownNameError, match="No column is called 'hypp'. Did you mean 'hyp'"):
        tertium.arrow.score(TABLE, "bleu", hypothesis="hypp")
    with pytest.raises(InputError, match="nist has to learn"):
        tertium.arrow.score(TABLE, NIST())
    with pytest.raises(InputError, match="names no column"):
        tertium.arrow.score(TABLE, "bleu", references=())
    with pytest.raises(InputError, match="is no metric"):
        tertium.arrow.score(TABLE, 3)
    with pytest.raises(InputError, match="'l', but strings"):
        tertium.arrow.score(pa.table({"hyp": [1], "ref": ["a"]}), "bleu")


# --- Polars -------------------------------------------------------------------------------------------------


@pytest.fixture
def frame():
    return pytest.importorskip("polars").from_arrow(TABLE)


def collected(lazy, engine):
    return lazy.collect(engine=engine) if engine else lazy.collect()


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("metric", [BLEU(), CHRF(), TER()], ids=lambda metric: metric.name)
def test_expressions(frame, engine, case, metric):
    names, references = CASES[case]
    present, rows = rows_of(metric, references)
    lazy = frame.lazy().select(
        tertium.polars.statistics("hyp", *names, metric=metric).alias("rows"),
        tertium.polars.score("hyp", *names, metric=metric),
    )
    schema = lazy.collect_schema()
    assert [field.name for field in schema["rows"].fields] == list(metric.columns)
    found = collected(lazy, engine)
    assert found.schema == schema
    values = found["rows"].to_list()
    assert [list(values[i].values()) for i in present] == rows.tolist()
    scores = found[metric.name].to_list()
    assert [scores[i] for i in present] == metric.score(rows).tolist()
    assert {i for i, value in enumerate(scores) if value is None} == set(range(len(HYPOTHESES))) - set(present)
    assert found["rows"].is_null().to_list() == found[metric.name].is_null().to_list()


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_corpus_scores_of_groups(frame, engine):
    lazy = tertium.polars.corpus(frame.lazy(), ["bleu", "chrf"], by="system")
    found = {row["system"]: row for row in collected(lazy, engine).to_dicts()}
    for system in ("a", "b"):
        for metric in (BLEU(), CHRF()):
            present, rows = rows_of(metric, groups(REFERENCES), lambda i, system=system: SYSTEMS[i] == system)
            assert found[system][metric.name] == metric.score(rows.sum(axis=0))
            assert (found[system]["segments"], found[system]["nulls"]) == (
                len(present),
                SYSTEMS.count(system) - len(present),
            )
    assert tertium.polars.corpus(frame, "bleu").columns == ["bleu", "segments", "nulls"]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("by", [(), ("system",)])
def test_a_group_of_nothing_but_nulls_has_no_score(frame, engine, by):
    pl = pytest.importorskip("polars")
    nulls = frame.lazy().with_columns(hyp=pl.when(pl.col("system") == "a").then("hyp").otherwise(None))
    lazy = tertium.polars.corpus(nulls.filter(pl.col("system") == "b"), ["bleu", "ter"], by=by)
    assert [(row["bleu"], row["ter"], row["nulls"]) for row in collected(lazy, engine).to_dicts()] == [(None, None, 4)]
    found = {
        row["system"]: row for row in collected(tertium.polars.corpus(nulls, "ter", by="system"), engine).to_dicts()
    }
    assert found["b"]["ter"] is None
    assert found["a"]["ter"] > 0


def test_chunks_that_are_cut_differently(frame):
    polars = pytest.importorskip("polars")
    many = [f"word {i} and some more of them" for i in range(50)]
    hyp = polars.concat([polars.Series("hyp", many[:7]), polars.Series("hyp", many[7:])], rechunk=False)
    ref = polars.concat([polars.Series("ref", many[:30]), polars.Series("ref", many[30:])], rechunk=False)
    both = polars.DataFrame([hyp, ref])
    assert both.select(tertium.polars.chrf("hyp", "ref"))["chrf"].to_list() == [100.0] * 50
    assert both[3:9].select(tertium.polars.chrf("hyp", "ref"))["chrf"].to_list() == [100.0] * 6


def test_literals_categories_and_nothing(frame):
    polars = pytest.importorskip("polars")
    expected = CHRF().score(CHRF().statistics(["the cat"], ["the mat"])).tolist()
    literal = frame.select(tertium.polars.chrf(polars.lit("the cat"), polars.lit("the mat")))
    assert literal["chrf"].to_list()[:1] == expected
    assert len(frame.select("hyp", tertium.polars.chrf("hyp", polars.lit("the mat")))) == len(HYPOTHESES)
    coded = frame.with_columns(polars.col("hyp").cast(polars.Categorical))
    plain = frame.select(tertium.polars.chrf("hyp", "ref"))
    assert coded.select(tertium.polars.chrf("hyp", "ref")).equals(plain)
    for engine in ("in-memory", "streaming"):
        none = frame.head(0).lazy().select(tertium.polars.statistics("hyp", "ref", metric="bleu"))
        assert none.collect(engine=engine).shape == (0, 1)


def test_expressions_travel(frame):
    polars = pytest.importorskip("polars")
    expression = tertium.polars.chrf("hyp", "ref")
    again = polars.Expr.deserialize(expression.meta.serialize())
    assert frame.select(again).equals(frame.select(expression))


def test_expressions_refuse(frame):
    polars = pytest.importorskip("polars")
    with pytest.raises(InputError, match="No column of references"):
        tertium.polars.chrf("hyp")
    with pytest.raises(InputError, match="nist has to learn"):
        tertium.polars.score("hyp", "ref", metric=NIST())
    with pytest.raises(polars.exceptions.ComputeError, match="n is an Arrow column of type 'i', but strings"):
        frame.with_columns(n=polars.lit(1, polars.Int32)).select(tertium.polars.chrf("n", "ref"))
    with pytest.raises(InputError, match="which a text cannot bring back"):
        tertium.polars.score("hyp", "ref", metric=BLEU(tokenize=str.split))


@pytest.mark.slow
def test_a_large_frame_in_several_threads():
    """Rows of many chunks come back where they were, while Python does other things."""
    polars = pytest.importorskip("polars")
    rng = np.random.default_rng(1)
    words = np.array(["north", "wind", "sun", "cloak", "naïve"])
    texts = [" ".join(rng.choice(words, 6)) for _ in range(2000)]
    frame = polars.DataFrame({"hyp": texts * 40, "ref": (texts[1:] + texts[:1]) * 40})
    expected = CHRF().score(CHRF().statistics(texts, texts[1:] + texts[:1])).tolist() * 40
    for engine in ("in-memory", "streaming"):
        found = (
            frame.lazy()
            .select(tertium.polars.chrf("hyp", "ref"), tertium.polars.bleu("hyp", "ref"))
            .collect(engine=engine)
        )
        assert found["chrf"].to_list() == expected


# --- DuckDB -------------------------------------------------------------------------------------------------


@pytest.fixture
def connection():
    connection = pytest.importorskip("duckdb").connect()
    tertium.duckdb.register(connection, {"bleu": BLEU(), "chrf": "chrf", "ter": "ter"})
    connection.register("pairs", TABLE)
    yield connection
    connection.close()


@pytest.mark.parametrize("metric", [BLEU(), CHRF(), TER()], ids=lambda metric: metric.name)
def test_functions_of_sql(connection, metric):
    name = metric.name
    for call, references in (
        (f"{name}(hyp, ref)", CASES["one"][1]),
        (f"{name}(hyp, ref, two)", CASES["two"][1]),
        (f"{name}(hyp, [ref, two])", CASES["two"][1]),
    ):
        present, rows = rows_of(metric, references)
        values = [value for (value,) in connection.sql(f"SELECT {call} FROM pairs").fetchall()]
        assert [values[i] for i in present] == metric.score(rows).tolist()
        assert values.count(None) == len(HYPOTHESES) - len(present)
    present, rows = rows_of(metric, CASES["one"][1])
    found = [row for (row,) in connection.sql(f"SELECT {name}_rows(hyp, ref) FROM pairs").fetchall()]
    assert [list(found[i].values()) for i in present] == rows.tolist()
    assert found.count(None) == len(HYPOTHESES) - len(present)


def test_totals_of_groups(connection):
    query = "SELECT system, chrf_total(chrf_rows(hyp, ref)) FROM pairs GROUP BY system"
    found = dict(connection.sql(query).fetchall())
    for system in ("a", "b"):
        _, rows = rows_of(CHRF(), groups(REFERENCES), lambda i, system=system: SYSTEMS[i] == system)
        assert found[system] == CHRF().score(rows.sum(axis=0))
    assert connection.sql("SELECT chrf_total(chrf_rows(hyp, ref)) FROM pairs WHERE false").fetchall() == [(None,)]


def test_functions_refuse(connection):
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(duckdb.Error, match="takes a hypothesis and one or more references"):
        connection.sql("SELECT chrf(hyp) FROM pairs").fetchall()
    with pytest.raises(duckdb.Error, match="but strings were expected"):
        connection.sql("SELECT chrf(1, ref) FROM pairs").fetchall()
    with pytest.raises(InputError, match="is no name that a function of SQL can have"):
        tertium.duckdb.register(connection, {"chrf++": "chrf++"})
    tertium.duckdb.register(connection)  # once more: the same names again
    assert connection.sql("SELECT bleu('a b', 'a b')").fetchall() == [(pytest.approx(100),)]  # with effective order

"""Columns in Arrow's form, whatever holds them: the rows of lists, or a refusal that names the item."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import BLEU, CHRF
from tertium.errors import InputError

pa = pytest.importorskip("pyarrow")

TEXTS = [
    "the cat sat",
    "",
    "naïve café",
    "a text of more than twelve bytes",
    "貓坐下",
    "the cat sat",
    "\N{GRINNING FACE}",
    "x",
]
OTHERS = [
    "the cat",
    "some",
    "naive café",
    "a text of more than eleven bytes",
    "貓",
    "the dog sat",
    "\N{GRINNING FACE} y",
    "x",
]


def dictionary(texts):
    return pa.array(texts, pa.string()).dictionary_encode()


def views(texts):
    return pa.array(texts, pa.string_view())


# Each makes a column of texts (or of None) that must read like the list.
KINDS = {
    "string": pa.array,
    "large_string": lambda texts: pa.array(texts, pa.large_string()),
    "string_view": views,
    "dictionary": dictionary,
    "dictionary of views": lambda texts: pa.DictionaryArray.from_arrays(
        pa.array([None if text is None else i for i, text in enumerate(texts)], pa.uint8()),
        views([text or "" for text in texts]),
    ),
    "dictionary with a null inside": lambda texts: pa.DictionaryArray.from_arrays(
        pa.array(range(len(texts)), pa.int64()), pa.array(texts)
    ),
    "chunked": lambda texts: pa.chunked_array([texts[:3], [], texts[3:4], texts[4:]], pa.string()),
    "chunked dictionaries": lambda texts: pa.chunked_array([dictionary(texts[:2]), dictionary(texts[2:])]),
    "sliced": lambda texts: pa.array(["über", None, *texts, None, "é"])[2:-2],
    "sliced views": lambda texts: views(["über", None, *texts, "more than twelve bytes"])[2:-1],
    "sliced dictionary": lambda texts: dictionary(["über", None, *texts, "é"])[2:-1],
    "table of one column": lambda texts: pa.table({"text": texts}),
    "sliced batch": lambda texts: pa.record_batch({"text": [None, "é", *texts]})[2:],
    "only an array": lambda texts: OnlyArray(pa.array(texts)),
}
# The same for several references: each makes a column of lists.
LISTS = {
    "list": pa.array,
    "large_list": lambda groups: pa.array(groups, pa.large_list(pa.string())),
    "list of views": lambda groups: pa.array(groups, pa.list_(pa.string_view())),
    "list_view": lambda groups: pa.array(groups, pa.list_view(pa.string())),
    "list of dictionary": lambda groups: pa.array(groups, pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    "sliced list": lambda groups: pa.array([["é"], None, *groups, ["ü", None]])[2:-1],
    "chunked list": lambda groups: pa.chunked_array([groups[:1], groups[1:]]),
}


class OnlyArray:
    """Something that offers one array and no stream."""

    def __init__(self, array):
        self._array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self._array.__arrow_c_array__(requested_schema)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", [BLEU(), CHRF()], ids=lambda metric: metric.name)
def test_every_kind_has_the_rows_of_the_list(kind, metric):
    expected = metric.statistics(TEXTS, OTHERS)
    np.testing.assert_array_equal(metric.statistics(KINDS[kind](TEXTS), KINDS[kind](OTHERS)), expected)
    np.testing.assert_array_equal(metric.statistics(KINDS[kind](TEXTS), OTHERS), expected)


@pytest.mark.parametrize("kind", LISTS)
def test_lists_are_several_references(kind):
    groups = [[other, text] if i % 3 else [other] for i, (text, other) in enumerate(zip(TEXTS, OTHERS, strict=True))]
    groups[2] = [None, "naïve café"]
    expected = BLEU().statistics(TEXTS, groups)
    np.testing.assert_array_equal(BLEU().statistics(TEXTS, LISTS[kind](groups)), expected)


def test_lists_of_one_size_are_several_references():
    groups = [[other, text] for text, other in zip(TEXTS, OTHERS, strict=True)]
    fixed = pa.array([["é", "ü"], *groups], pa.list_(pa.string(), 2))[1:]
    np.testing.assert_array_equal(BLEU().statistics(TEXTS, fixed), BLEU().statistics(TEXTS, groups))


@pytest.mark.parametrize("kind", KINDS)
def test_null_is_refused_with_its_place(kind):
    column = KINDS[kind]([*TEXTS[:5], None, "x"])
    with pytest.raises(InputError, match=r"hypotheses\[5\] is null"):
        BLEU().statistics(column, TEXTS[:7])
    with pytest.raises(InputError, match=r"references\[5\] is null"):
        BLEU().statistics(TEXTS[:7], column)


@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("gap", [None, [], [None]], ids=str)
def test_a_list_without_a_text_is_refused_with_its_place(kind, gap):
    with pytest.raises(InputError, match=r"references\[1\] is null, or a list"):
        BLEU().statistics(["a", "b"], LISTS[kind]([["a"], gap]))


@pytest.mark.parametrize("kind", [*KINDS, *LISTS])
def test_an_empty_column_has_no_rows(kind):
    column = (KINDS | LISTS)[kind]([])
    assert BLEU().statistics(pa.array([], pa.string()), column).shape == (0, 10)


def invalid(texts, kind):
    """Make a column of bytes that says it is text."""
    made = pa.array(texts, pa.large_binary() if kind == "U" else pa.binary_view() if kind == "vu" else pa.binary())
    return OnlyFormat(made, {"u": pa.string(), "U": pa.large_string(), "vu": pa.string_view()}[kind])


class OnlyFormat:
    """An array with the type of another."""

    def __init__(self, array, kind):
        self._made = pa.Array.from_buffers(kind, len(array), array.buffers(), array.null_count, array.offset)

    def __arrow_c_array__(self, requested_schema=None):
        return self._made.__arrow_c_array__(requested_schema)


@pytest.mark.parametrize("kind", ["u", "U", "vu"])
@pytest.mark.parametrize(
    ("texts", "place"),
    [
        ([b"fine", b"caf\xe9"], 1),
        ([b"lone \xed\xa0\x80 surrogate, which is no character", b"x"], 0),
        ([b"x", b"ends in a character\xc3", b"\xa9 begins in it"], 1),  # as one text it would be valid
        ([b"ends in a character\xc3", None, b"x"], 0),
        ([b"x", b"", b"\xa9"], 2),
        ([b"x", b"ends in a character\xc3", b""], 1),
    ],
)
def test_what_is_no_utf8_is_refused_with_its_place(kind, texts, place):
    if kind != "vu":
        column = invalid(texts, kind)
        with pytest.raises(InputError, match=rf"hypotheses\[{place}\] is not UTF-8"):
            BLEU().statistics(column, ["x"] * len(texts))
        return
    column = invalid(texts, kind)
    with pytest.raises(InputError, match=rf"hypotheses\[{place}\] is (not UTF-8|null)"):
        BLEU().statistics(column, ["x"] * len(texts))


def test_bytes_under_a_null_may_be_anything():
    offsets, data = pa.py_buffer(np.array([0, 1, 3, 4], np.int32)), pa.py_buffer(b"a\xff\xc3b")
    column = pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(b"\x05"), offsets, data])
    with pytest.raises(InputError, match=r"hypotheses\[1\] is null"):
        BLEU().statistics(column, ["a", "b", "c"])


def test_damaged_offsets_are_refused():
    offsets, data = pa.py_buffer(np.array([0, 900, 4], np.int32)), pa.py_buffer(b"abcd")
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, data])
    with pytest.raises(InputError, match=r"hypotheses\[0\] points outside"):
        BLEU().statistics(column, ["a", "b"])
    indices = pa.Array.from_buffers(pa.int8(), 1, [None, pa.py_buffer(b"\xff")])
    column = pa.DictionaryArray.from_arrays(indices, pa.array(["a"]), safe=False)
    with pytest.raises(InputError, match=r"hypotheses\[0\] points outside"):
        BLEU().statistics(column, ["a"])


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.array([1, 2]), "'l'"),
        (pa.array([b"a", b"b"]), "'z'"),
        (pa.array([1, 1]).dictionary_encode(), "'l' in a dictionary"),
        (pa.array([["a"], ["b"]]), "'\\+l'"),
        (pa.StructArray.from_arrays([pa.array(["a", "b"])] * 2, ["one", "two"]), "'\\+s'"),
    ],
)
def test_other_types_are_refused(column, kind):
    with pytest.raises(InputError, match=f"hypotheses is an Arrow column of type {kind}"):
        BLEU().statistics(column, ["a", "b"])


texts = st.lists(st.none() | st.text(st.sampled_from("aé貓\N{GRINNING FACE} "), max_size=20), max_size=12)


@given(texts, st.sampled_from(sorted(KINDS)))
def test_any_texts_in_any_kind(given_texts, kind):
    column = KINDS[kind](given_texts)
    others = ["a é"] * len(given_texts)
    missing = [i for i, text in enumerate(given_texts) if text is None]
    if missing:
        with pytest.raises(InputError, match=rf"hypotheses\[{missing[0]}\] is null"):
            CHRF().statistics(column, others)
    else:
        np.testing.assert_array_equal(CHRF().statistics(column, others), CHRF().statistics(given_texts, others))


def test_polars_duckdb_and_pandas_hand_over_their_columns():
    expected = CHRF().statistics(TEXTS, OTHERS)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"hyp": TEXTS, "ref": OTHERS, "refs": [[other] for other in OTHERS]})
    np.testing.assert_array_equal(CHRF().statistics(frame["hyp"], frame["ref"]), expected)
    np.testing.assert_array_equal(CHRF().statistics(frame["hyp"], frame["refs"]), expected)
    np.testing.assert_array_equal(CHRF().statistics(frame["hyp"].cast(polars.Categorical), frame["ref"]), expected)
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.connect().from_arrow(frame.to_arrow())
    np.testing.assert_array_equal(CHRF().statistics(relation["hyp"], relation["ref"]), expected)
    pandas = pytest.importorskip("pandas")
    for kind in ("string[pyarrow]", "string[python]", object, "category"):
        series = pandas.Series(TEXTS, dtype=kind)
        np.testing.assert_array_equal(CHRF().statistics(series, pandas.Series(OTHERS)), expected)


def test_pandas_objects_that_are_no_texts_are_refused_with_their_place():
    pandas = pytest.importorskip("pandas")
    for odd, what in ((3, "is a int"), ("\ud800", "has a lone surrogate")):
        with pytest.raises(InputError, match=rf"hypotheses\[1\] {what}"):
            BLEU().statistics(pandas.Series(["a", odd], dtype=object), ["a", "b"])


def test_score_takes_columns_by_system():
    columns = {"one": pa.array(TEXTS), "two": views(OTHERS)}
    scores = tertium.score("bleu", columns, pa.array([[text] for text in TEXTS]))
    assert scores.corpus == tertium.score("bleu", {"one": TEXTS, "two": OTHERS}, TEXTS).corpus


@pytest.mark.long
def test_a_column_of_three_gigabytes():
    """Offsets of 64 bits; in chunks of 32-bit ones as well."""
    text = "word and " * 1000
    many = pa.array([text] * 1000)
    large = pa.concat_arrays([many.cast(pa.large_string())] * 360)
    assert large.nbytes > 3 << 30
    bleu = BLEU(tokenize="none", orders=(1,))
    expected = bleu.statistics([text], ["word"])[0]
    rows = bleu.statistics(large, pa.array(["word"] * len(large)))
    assert (rows == expected).all()
    del large
    rows = bleu.statistics(pa.chunked_array([many] * 360), pa.array(["word"] * 360_000))
    assert (rows == expected).all()

"""`tertium.score`: what it takes, what it refuses, and what it gives back."""

import json

import numpy as np
import pytest

import tertium
from tertium import BLEU, CHRF, Averaged
from tertium.errors import InputError

HYPOTHESES = ["the cat sat on the mat", "it rained all day long", "no one came"]
FIRST = ["the cat sat on a mat", "it rained the whole day", "nobody came"]
SECOND = ["a cat sat on the mat", "all day long it rained", "no one came at all"]
REFERENCES = [list(group) for group in zip(FIRST, SECOND, strict=True)]
OTHER = ["a cat was sitting on the mat", "rain all day", "no one came at all"]


# --- results ------------------------------------------------------------------------------------------------


def test_scores_are_the_metrics_own():
    bleu, chrf = BLEU(effective_order=True), CHRF(word_order=2)
    scores = tertium.score([bleu, chrf], HYPOTHESES, REFERENCES)
    for label, metric in (("bleu", bleu), ("chrf", chrf)):
        rows = metric.statistics(HYPOTHESES, REFERENCES)
        np.testing.assert_array_equal(scores.rows[label], rows)
        np.testing.assert_array_equal(scores.segments[label], metric.score(rows))
        assert isinstance(scores.corpus[label], float)
        assert scores.corpus[label] == metric.score(rows.sum(axis=0))
        assert scores.signatures[label] == metric.signature(2)


def test_one_metric_needs_no_list():
    assert tertium.score(BLEU(), HYPOTHESES, FIRST).corpus == tertium.score([BLEU()], HYPOTHESES, FIRST).corpus


def test_documents_are_scored_from_their_sums():
    scores = tertium.score([CHRF()], HYPOTHESES, REFERENCES, documents=["news", "chat", "news"])
    rows = scores.rows["chrf"]
    assert list(scores.documents["chrf"]) == ["news", "chat"]
    assert scores.documents["chrf"]["news"] == CHRF().score(rows[[0, 2]].sum(axis=0))
    assert scores.documents["chrf"]["chat"] == CHRF().score(rows[1])


def test_several_systems_come_by_name():
    scores = tertium.score(
        [BLEU(), CHRF()], {"ours": HYPOTHESES, "theirs": OTHER}, REFERENCES, documents=["a", "a", "b"]
    )
    assert scores.systems == ("ours", "theirs")
    for system, texts in (("ours", HYPOTHESES), ("theirs", OTHER)):
        alone = tertium.score([BLEU(), CHRF()], texts, REFERENCES, documents=["a", "a", "b"])
        assert scores.corpus[system] == alone.corpus
        assert scores.documents[system] == alone.documents
        np.testing.assert_array_equal(scores.segments[system]["bleu"], alone.segments["bleu"])


def test_metrics_that_share_a_tokenizer_score_as_they_do_alone():
    metrics = {"a": BLEU(), "b": BLEU(orders=(1, 2)), "c": BLEU(tokenize="char"), "d": Averaged(BLEU()), "e": CHRF()}
    systems = {"ours": HYPOTHESES, "theirs": OTHER}
    together = tertium.score(metrics, systems, REFERENCES)
    for label, metric in metrics.items():
        for system, texts in systems.items():
            np.testing.assert_array_equal(together.rows[system][label], metric.statistics(texts, REFERENCES))


def test_many_segments_are_taken_in_blocks():
    count = 40_000
    texts = [f"word{i % 7} and word{i % 11} again" for i in range(count)]
    references = [f"word{i % 7} or word{i % 13} again" for i in range(count)]
    scores = tertium.score([BLEU(), BLEU(orders=(1,))], texts, references, threads=2)
    np.testing.assert_array_equal(scores.rows["bleu"], BLEU().statistics(texts, references, threads=1))


def test_labels():
    scores = tertium.score([BLEU(), BLEU(lowercase=True)], HYPOTHESES, FIRST)
    assert list(scores.corpus) == ["bleu", "bleu:lowercase=true"]
    assert list(tertium.score({"x": BLEU()}, HYPOTHESES, FIRST).corpus) == ["x"]


def test_numbers_of_references_may_vary():
    scores = tertium.score([BLEU()], HYPOTHESES, [FIRST[0], [FIRST[1], None], REFERENCES[2]])
    assert "|refs=var|" in scores.signatures["bleu"]
    assert "|refs=1|" in tertium.score([BLEU()], HYPOTHESES, FIRST).signatures["bleu"]


def test_tokens():
    words = [text.split() for text in HYPOTHESES]
    references = [[reference.split() for reference in group] for group in REFERENCES]
    by_tokens = tertium.score([BLEU(tokenize="tokens")], words, references)
    by_text = tertium.score([BLEU(tokenize="none")], HYPOTHESES, REFERENCES)
    np.testing.assert_array_equal(by_tokens.rows["bleu"], by_text.rows["bleu"])


def test_no_segments():
    with pytest.raises(InputError, match="no segment to score"):
        tertium.score([BLEU(), CHRF()], [], [])
    with pytest.raises(InputError, match="no segment to score"):
        tertium.score(BLEU(), iter([]), [])
    with pytest.raises(InputError, match="hypotheses has 2 segments, but references has 0"):
        tertium.score(BLEU(), (text for text in "ab"), [])
    assert BLEU().statistics([], []).shape == (0, 10)  # an empty batch is an empty matrix


# --- records ------------------------------------------------------------------------------------------------

FIELDS = ["system", "metric", "level", "document", "segment", "score", "low", "high", "segments", "references"]


def test_to_dict_is_what_json_prints():
    scores = tertium.score([BLEU()], {"ours": HYPOTHESES}, REFERENCES, documents=["a", "a", "b"])
    data = json.loads(json.dumps(scores.to_dict()))
    assert list(data) == ["tertium", "metrics", "scores"]
    assert data["tertium"] == tertium.__version__
    assert data["metrics"] == [{"metric": "bleu", "signature": BLEU().signature(2), "higher_is_better": True}]
    assert [list(record) for record in data["scores"]] == [FIELDS] * 3
    corpus, first, second = data["scores"]
    assert corpus == {
        "system": "ours", "metric": "bleu", "level": "corpus", "document": None, "segment": None,
        "score": scores.corpus["ours"]["bleu"], "low": None, "high": None, "segments": 3, "references": 2,
    }  # fmt: skip
    assert (first["level"], first["document"], first["segments"]) == ("document", "a", 2)
    assert (second["level"], second["document"], second["segments"]) == ("document", "b", 1)


def test_segments_count_from_one():
    records = tertium.score([BLEU()], HYPOTHESES, FIRST).to_dict(["segment"])["scores"]
    assert [(record["system"], record["segment"], record["segments"]) for record in records] == [
        (None, 1, 1), (None, 2, 1), (None, 3, 1),
    ]  # fmt: skip


def test_parts_come_with_records_where_wanted():
    scores = tertium.score([BLEU()], HYPOTHESES, FIRST)
    parts = scores.to_dict(["corpus"], parts=True)["scores"][0]["parts"]
    assert parts["hypothesis_length"] == 14
    assert {"bp", "ratio", "reference_length", "precision_1", "matches_4", "totals_4"} < set(parts)


def test_to_pandas():
    pytest.importorskip("pandas")
    frame = tertium.score([BLEU(), CHRF()], {"a": HYPOTHESES, "b": OTHER}, FIRST).to_pandas()
    assert list(frame.columns) == FIELDS
    assert len(frame) == 2 * 2 * (1 + 3)


def test_to_arrow():
    pytest.importorskip("pyarrow")
    table = tertium.score([BLEU()], HYPOTHESES, FIRST, documents=["a", "b", "a"]).to_arrow(["document"])
    assert table.column_names == FIELDS
    assert table.column("document").to_pylist() == ["a", "b"]


def test_without_documents_there_are_no_document_scores():
    scores = tertium.score([BLEU()], HYPOTHESES, FIRST)
    with pytest.raises(InputError, match="give documents="):
        _ = scores.documents
    with pytest.raises(InputError, match="no document scores"):
        scores.to_dict(["document"])


# --- references ---------------------------------------------------------------------------------------------


def test_reference_sets_are_transposed():
    by_sets = tertium.score([BLEU()], HYPOTHESES, reference_sets=[FIRST, SECOND])
    np.testing.assert_array_equal(by_sets.rows["bleu"], BLEU().statistics(HYPOTHESES, REFERENCES))


def test_none_in_a_set_is_a_missing_reference_and_empty_is_not():
    with_none = tertium.score([BLEU()], HYPOTHESES, reference_sets=[FIRST, [None, SECOND[1], None]])
    np.testing.assert_array_equal(
        with_none.rows["bleu"], BLEU().statistics(HYPOTHESES, [[FIRST[0]], REFERENCES[1], [FIRST[2]]])
    )
    with_empty = tertium.score([BLEU()], ["a"], reference_sets=[["a b c"], [""]])
    assert with_empty.rows["bleu"][0, 1] == 0


def test_a_square_that_can_be_read_both_ways_is_refused():
    with pytest.raises(InputError, match=r"first differ at references\[0\]\[1\].*reference_sets="):
        tertium.score([BLEU()], ["a", "b"], [["a", "x"], ["y", "b"]])
    # Read either way, it says the same; or it can only be read one way.
    tertium.score([BLEU()], ["a", "b"], [["a", "x"], ["x", "b"]])
    tertium.score([BLEU()], ["a", "b"], [["a", "x"], ["y"]])
    tertium.score([BLEU()], ["a", "b"], reference_sets=[["a", "x"], ["y", "b"]])
    tertium.score([BLEU()], ["a"], [["x"]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"references": None}, "Give either references="),
        ({"references": FIRST, "reference_sets": [FIRST]}, "Give either references="),
        ({"references": "text"}, "references is one string"),
        ({"references": FIRST[:2]}, "hypotheses has 3 segments, but references has 2"),
        ({"references": [FIRST, SECOND]}, "look like reference sets"),
        ({"references": [*FIRST[:2], None]}, r"references\[2\] is None"),
        ({"references": [*FIRST[:2], []]}, r"references\[2\] holds no reference"),
        ({"references": [*FIRST[:2], 7]}, r"references\[2\]"),
        ({"references": [*FIRST[:2], ["a", 7]]}, r"references\[2\]\[1\] is a int, not a string"),
        ({"references": [*FIRST[:2], b"bytes"]}, r"references\[2\]"),
        ({"reference_sets": FIRST}, "list of lists"),
        ({"reference_sets": "text"}, "list of lists"),
        ({"reference_sets": []}, "reference_sets is empty"),
        ({"reference_sets": [FIRST, SECOND[:2]]}, r"reference_sets\[1\] has 2 texts, but there are 3 hypotheses"),
        ({"reference_sets": [[*FIRST[:2], None]]}, "Segment 2 has no reference"),
    ],
)
def test_wrong_references(arguments, message):
    with pytest.raises(InputError, match=message):
        tertium.score([BLEU()], HYPOTHESES, **arguments)


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        ("one string", "hypotheses must be a list of segments, but one str was given"),
        (b"bytes", "hypotheses must be a list of segments, but one bytes was given"),
        (5, "hypotheses must be a list of segments, not a int"),
        (None, "hypotheses must be a list of segments, not a NoneType"),
        (["a", 1, "b"], r"hypotheses\[1\] is a int, not a string"),
        (["a", b"b", "c"], r"hypotheses\[1\] is a bytes, not a string"),
        (["a", None, "c"], r"hypotheses\[1\] is a NoneType, not a string"),
        (["a", ["b"], "c"], r"hypotheses\[1\] is a list, not a string"),
        (["a", "b", "\ud800"], r"hypotheses\[2\] has a lone surrogate"),
        ({"x": ["a", "b", 3]}, r"hypotheses\['x'\]\[2\] is a int"),
        ({"x": ["a", "b"], "y": HYPOTHESES}, "2 segments, but references has 3"),
        ({}, "No system was given"),
    ],
)
def test_wrong_hypotheses(hypotheses, message):
    with pytest.raises(InputError, match=message):
        tertium.score([BLEU()], hypotheses, FIRST)


@pytest.mark.parametrize(
    ("documents", "message"),
    [(["a", "b"], "documents has 2 ids, but there are 3 segments"), ("abc", "documents is one string")],
)
def test_wrong_documents(documents, message):
    with pytest.raises(InputError, match=message):
        tertium.score([BLEU()], HYPOTHESES, FIRST, documents=documents)


@pytest.mark.parametrize("metrics", [[], [3], 3, [BLEU], [BLEU(), BLEU()]])
def test_wrong_metrics(metrics):
    with pytest.raises(InputError):
        tertium.score(metrics, HYPOTHESES, FIRST)


def test_tuples_and_generators_are_lists_too():
    expected = tertium.score([BLEU()], HYPOTHESES, FIRST).corpus
    assert tertium.score((BLEU(),), tuple(HYPOTHESES), tuple(FIRST)).corpus == expected
    assert tertium.score((m for m in [BLEU()]), HYPOTHESES, (text for text in FIRST)).corpus == expected


def test_texts_are_not_held_after_scoring():
    import sys

    texts = ["".join(["some ", "text ", str(n)]) for n in range(3)]
    before = [sys.getrefcount(text) for text in texts]
    scores = tertium.score([BLEU(), CHRF()], texts, texts)
    assert [sys.getrefcount(text) for text in texts] == before
    assert scores.corpus["chrf"] == pytest.approx(100)


@pytest.mark.parametrize("kind", [set, frozenset, dict.fromkeys], ids=["set", "frozenset", "dict"])
def test_what_has_no_order_is_refused(kind):
    """The order of a set changes from run to run, and a dict would be scored by its keys."""
    texts = ["one two three", "four five six"]
    for hypotheses, references in [(kind(texts), texts), (texts, kind(texts)), (texts, [kind(texts), texts])]:
        with pytest.raises(InputError, match="has no order"):
            BLEU().statistics(hypotheses, references)
    with pytest.raises(InputError, match="has no order"):
        tertium.score(BLEU(), texts, kind(texts))
    with pytest.raises(InputError, match="has no order"):
        tertium.score(BLEU(), texts, reference_sets=[kind(texts)])


def test_a_square_of_an_array_is_refused_as_one_of_lists_is():
    square = np.array([["a b", "c d"], ["e f", "g h"]])
    for given in (square, square.astype(object), list(square)):
        with pytest.raises(InputError, match="per reference set"):
            tertium.score(BLEU(), ["a b", "g h"], given)


def test_a_list_that_shrinks_while_it_is_read():
    class Emptying:
        def __iter__(self):
            references.clear()
            return iter(["a"])

    references = [Emptying() for _ in range(50)]
    with pytest.raises(InputError, match="grew shorter"):
        BLEU().statistics(["a"] * 50, references)
